// The command line of `loomp`: finds the command and its options.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/executable.h"
#include "platform/near_name.h"

namespace loomp::cli {

namespace {

/// Rewrites `help COMMAND` as `COMMAND --help`.
void rewrite_help(Words &arguments) {
    if (arguments.empty() || arguments.front() != "help")
        return;
    arguments.erase(arguments.begin());
    if (arguments.size() > 1)
        arguments.resize(1);
    arguments.emplace_back("--help");
}

/// Moves the first `--` and the words after it out of `arguments`.
Words split_at_dashes(Words &arguments) {
    const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
    Words after(dashes, arguments.end());
    arguments.erase(dashes, arguments.end());
    return after;
}

/// The program and its arguments. `rest` is what the parser of `command` left; `from_dashes` begins
/// with the first `--`. That one is ours if no program comes before it, otherwise the program's.
/// Empty if there is no program, with one line on stderr.
Words take_command(const std::string &command, Words rest, Words from_dashes) {
    if (!rest.empty() && rest.front().starts_with('-')) {
        fmt::print(stderr, "loomp: {}: unknown option {}: loomp {} --help lists them\n", command,
                   rest.front(), command);
        return {};
    }
    if (rest.empty() && !from_dashes.empty())
        from_dashes.erase(from_dashes.begin());
    rest.insert(rest.end(), from_dashes.begin(), from_dashes.end());
    if (rest.empty() || rest.front().empty()) {
        fmt::print(stderr, "loomp: {}: no program given: loomp {} ./app args\n", command, command);
        return {};
    }
    return rest;
}

/// True if a first word is a command; otherwise suggests one.
bool is_command(const CLI::App &app, const std::string &word) {
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands({}))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), word) != names.end())
        return true;
    const std::string_view meant = loomp::text::nearest_name(word, names);
    if (!meant.empty())
        fmt::print(stderr, "loomp: there is no command {}; did you mean loomp {}?\n", word, meant);
    else if (find_program(word))
        fmt::print(stderr, "loomp: there is no command {}; did you mean loomp run {}?\n", word,
                   word);
    else
        fmt::print(stderr, "loomp: there is no command {}: {}\n", word, fmt::join(names, ", "));
    return false;
}

/// Output is buffered, so a full disk or a closed pipe may show only at the end. Returns the exit
/// status.
int end_output(const std::string &command, int status) {
    errno = 0;
    const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (is_written || status != 0)
        return status;
    fmt::print(stderr, "loomp: {}: cannot write the output: {}\n", command,
               errno == 0 ? "some of it is lost" : std::strerror(errno));
    return kFailure;
}

int main_of(std::span<const Listed> commands, Words arguments) {
    CLI::App app("Runs OpenMP programs, unmodified, on the loomp runtime; records what they do.",
                 "loomp");
    app.set_version_flag("--version", "loomp " LOOMP_VERSION);
    app.require_subcommand(1);
    rewrite_help(arguments);
    const bool asks_for_help = arguments.size() > 1 && arguments[1] == "--help";
    std::map<std::string, Action> actions;
    for (const auto &[of, example] : commands) {
        CLI::App *command = app.add_subcommand(of->name, of->summary);
        command->footer(fmt::format("Example: {}", example));
        actions[of->name] = of->declare(*command);
        if (of->passes_all && !arguments.empty() && arguments.front() == of->name && !asks_for_help)
            return actions[of->name]({arguments.begin() + 1, arguments.end()});
    }
    app.add_subcommand("help", "Show this help, or that of a command: loomp help trace");
    const Words from_dashes = split_at_dashes(arguments);
    if (!arguments.empty() && !arguments.front().starts_with('-') &&
        !is_command(app, arguments.front()))
        return kUsage;
    // CLI11 takes the arguments in reverse order.
    std::reverse(arguments.begin(), arguments.end());
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return end_output("help", app.exit(error));
        fmt::print(stderr, "loomp: {}: loomp --help shows how\n", error.what());
        return kUsage;
    }
    const CLI::App *command = app.get_subcommands().front();
    Words program;
    if (command->get_prefix_command()) {
        program = take_command(command->get_name(), command->remaining(), from_dashes);
        if (program.empty())
            return kUsage;
    }
    return end_output(command->get_name(), actions.at(command->get_name())(program));
}

} // namespace

int run_command_line(std::span<const Listed> commands, int argc, char **argv) {
    try {
        return main_of(commands, {argv + 1, argv + argc});
    } catch (const std::exception &problem) {
        // Even stderr may be full or closed.
        std::fprintf(stderr, "loomp: %s\n", problem.what());
        return kFailure;
    }
}

} // namespace loomp::cli
