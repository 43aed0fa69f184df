#include "common/options.h"

#include "common/ranks.h"

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace apps {

namespace {

// Tasks cannot throw, and other ranks would wait for this one: the program ends.
[[noreturn]] void say_no_memory() {
    std::fprintf(stderr, "%s: there is not enough memory\n", program_invocation_short_name);
    _exit(1);
}

} // namespace

Options::Options(std::string program, std::string summary)
    : program_(std::move(program)), summary_(std::move(summary)) {
    std::set_new_handler(say_no_memory);
}

Options::Entry &Options::append(const char *name, const char *help) {
    Entry &entry = entries_.emplace_back();
    entry.name = name[0] == '-' ? name : std::string("--") + name;
    entry.help = help;
    return entry;
}

void Options::add(const char *name, int *value, int minimum, const char *help) {
    Entry &entry = append(name, help);
    entry.integer = value;
    entry.minimum = minimum;
}

void Options::add(const char *name, double *value, double minimum, const char *help) {
    Entry &entry = append(name, help);
    entry.real = value;
    entry.minimum = minimum;
}

void Options::add(const char *name, std::string *value, std::vector<std::string> choices,
                  const char *help) {
    Entry &entry = append(name, help);
    entry.text = value;
    entry.choices = std::move(choices);
}

void Options::add_flag(const char *name, bool *value, const char *help) {
    append(name, help).flag = value;
}

void Options::fail(const std::string &what) const {
    refuse(program_, what + " (--help lists the options)", 2);
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
        } else if (!entry.flag) {
            const std::string &text = entry.text ? *entry.text : entry.chosen;
            if (entry.choices.empty())
                left += " TEXT";
            for (std::size_t i = 0; i < entry.choices.size(); ++i)
                left += (i == 0 ? " " : "|") + entry.choices[i];
            std::snprintf(shown, sizeof shown, " (default %s)",
                          text.empty() ? "none" : text.c_str());
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
        if (end == text || *end != '\0' || !std::isfinite(value) || value < entry.minimum)
            fail(given + ": a number of at least " + std::to_string(entry.minimum) + " is needed");
        *entry.real = value;
    } else if (entry.choices.empty()) {
        *entry.text = text;
    } else {
        std::string list;
        for (std::size_t i = 0; i < entry.choices.size(); ++i) {
            if (entry.choices[i] == text) {
                if (entry.choose)
                    entry.choose(static_cast<int>(i));
                else
                    *entry.text = text;
                return;
            }
            list += (i == 0 ? "" : " or ") + entry.choices[i];
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

int refuse(const std::string &program, const std::string &why, int status) {
    if (ranks::first())
        std::fprintf(stderr, "%s: %s\n", program.c_str(), why.c_str());
    return status;
}

} // namespace apps
