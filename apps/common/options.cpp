#include "common/options.h"

#include "common/ranks.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>

namespace apps {

namespace {

std::string spelled(const char *name) { return name[0] == '-' ? name : std::string("--") + name; }

} // namespace

Options::Options(std::string program, std::string summary)
    : program_(std::move(program)), summary_(std::move(summary)) {}

void Options::add(const char *name, int *value, int minimum, const char *help) {
    Entry entry;
    entry.name = spelled(name);
    entry.help = help;
    entry.integer = value;
    entry.minimum = minimum;
    entries_.push_back(entry);
}

void Options::add(const char *name, double *value, double minimum, const char *help) {
    Entry entry;
    entry.name = spelled(name);
    entry.help = help;
    entry.real = value;
    entry.minimum = minimum;
    entries_.push_back(entry);
}

void Options::add(const char *name, std::string *value, std::vector<std::string> choices,
                  const char *help) {
    Entry entry;
    entry.name = spelled(name);
    entry.help = help;
    entry.text = value;
    entry.choices = std::move(choices);
    entries_.push_back(entry);
}

void Options::add_flag(const char *name, bool *value, const char *help) {
    Entry entry;
    entry.name = spelled(name);
    entry.help = help;
    entry.flag = value;
    entries_.push_back(entry);
}

void Options::fail(const std::string &what) const {
    if (ranks::first())
        std::fprintf(stderr, "%s: %s (--help lists the options)\n", program_.c_str(), what.c_str());
    ranks::finish();
    std::exit(2);
}

void Options::help() const {
    if (!ranks::first())
        return;
    std::printf("usage: %s [options]\n%s\n\n", program_.c_str(), summary_.c_str());
    for (const Entry &entry : entries_) {
        std::string left = entry.name;
        char shown[64] = "";
        if (entry.integer) {
            left += " N";
            std::snprintf(shown, sizeof shown, " (default %d)", *entry.integer);
        } else if (entry.real) {
            left += " X";
            std::snprintf(shown, sizeof shown, " (default %g)", *entry.real);
        } else if (entry.text) {
            if (entry.choices.empty())
                left += " TEXT";
            for (std::size_t i = 0; i < entry.choices.size(); ++i)
                left += (i == 0 ? " " : "|") + entry.choices[i];
            std::snprintf(shown, sizeof shown, " (default %s)",
                          entry.text->empty() ? "none" : entry.text->c_str());
        }
        std::printf("  %-22s %s%s\n", left.c_str(), entry.help.c_str(), shown);
    }
}

const Options::Entry *Options::find(const std::string &name) const {
    for (const Entry &entry : entries_)
        if (name == entry.name)
            return &entry;
    return nullptr;
}

void Options::set(const std::string &name, const std::string &text,
                  const std::string &where) const {
    const Entry *found = find("--" + name);
    if (found == nullptr)
        fail(where + "unknown key '" + name + "'");
    if (found->flag == nullptr) {
        assign(*found, text.c_str(), where);
        return;
    }
    if (text != "true" && text != "false")
        fail(where + name + " '" + text + "': true or false is needed");
    *found->flag = text == "true";
}

void Options::assign(const Entry &entry, const char *text, const std::string &where) const {
    const std::string given = where + entry.name + " '" + text + "'";
    char *end = nullptr;
    errno = 0;
    if (entry.integer) {
        const long value = std::strtol(text, &end, 10);
        if (end == text || *end != '\0' || errno != 0 || value > INT_MAX || value < entry.minimum)
            fail(given + ": an integer of at least " +
                 std::to_string(static_cast<long>(entry.minimum)) + " is needed");
        *entry.integer = static_cast<int>(value);
    } else if (entry.real) {
        const double value = std::strtod(text, &end);
        if (end == text || *end != '\0' || !(value >= entry.minimum))
            fail(given + ": a number of at least " + std::to_string(entry.minimum) + " is needed");
        *entry.real = value;
    } else if (entry.choices.empty()) {
        *entry.text = text;
    } else {
        std::string list;
        for (const std::string &choice : entry.choices) {
            if (choice == text) {
                *entry.text = text;
                return;
            }
            list += (list.empty() ? "" : " or ") + choice;
        }
        fail(given + ": " + list + " is needed");
    }
}

void Options::parse(int argc, char **argv) const {
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--help" || argument == "-h") {
            help();
            ranks::finish();
            std::exit(0);
        }
        const Entry *found = find(argument);
        if (!found)
            fail("unknown option '" + argument + "'");
        if (found->flag) {
            *found->flag = true;
        } else if (i + 1 == argc) {
            fail("option '" + argument + "' needs a value");
        } else {
            assign(*found, argv[++i], "");
        }
    }
}

} // namespace apps
