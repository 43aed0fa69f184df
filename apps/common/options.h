// The command line of an application: `--name value` pairs and flags, declared once with their
// defaults and help lines; a name that begins with a dash stands as it is. Anything else on the
// command line ends the program with one clear line.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace apps {

class Options {
  public:
    Options(std::string program, std::string summary);

    // The variables given here are owned by the caller and must outlive parse().
    void add(const char *name, int *value, int minimum, const char *help);
    void add(const char *name, double *value, double minimum, const char *help);
    // Any text if there are no choices.
    void add(const char *name, std::string *value, std::vector<std::string> choices,
             const char *help);
    // The names of an enumeration's constants, in their order.
    template <class Enum>
    void add(const char *name, Enum *value, std::vector<std::string> choices, const char *help) {
        Entry &entry = append(name, help);
        entry.chosen = choices[static_cast<std::size_t>(*value)];
        entry.choose = [value](int place) { *value = static_cast<Enum>(place); };
        entry.choices = std::move(choices);
    }
    void add_flag(const char *name, bool *value, const char *help);

    // Exits with status 2 on bad input, with 0 after --help. All ranks call it alike, after
    // ranks::start(); the first one speaks.
    void parse(int argc, char **argv) const;
    // An option by its name without dashes, as a file has it; a flag is true or false. Like parse()
    // on bad input, with `where` before the line.
    void set(const std::string &name, const std::string &text, const std::string &where) const;
    // Ends the program with status 2 and this line.
    [[noreturn]] void fail(const std::string &what) const;

  private:
    struct Entry {
        std::string name; // with its dashes
        std::string help;
        int *integer = nullptr;
        double *real = nullptr;
        std::string *text = nullptr;
        bool *flag = nullptr;
        double minimum = 0;
        std::vector<std::string> choices;
        std::function<void(int place)> choose;
        std::string chosen; // the name of the default, if choose() is set
    };

    Entry &append(const char *name, const char *help);
    const Entry *find(const std::string &name) const;
    void help() const;
    void assign(const Entry &entry, const char *text, const std::string &where) const;

    std::string program_;
    std::string summary_;
    std::vector<Entry> entries_;
};

// The first rank prints the line; returns the status.
int refuse(const std::string &program, const std::string &why, int status);

} // namespace apps
