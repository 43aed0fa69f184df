// The `loomp` command.
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "cli/info.h"
#include "cli/run.h"

namespace {

constexpr int kUsage = 2;

/// Takes the program and its arguments from what `run` left unparsed. Returns false, after one
/// line, when there is no program.
bool take_command(std::vector<std::string> rest, std::vector<std::string> &command) {
    const bool marked = !rest.empty() && rest.front() == "--";
    if (marked)
        rest.erase(rest.begin());
    if (rest.empty()) {
        fmt::print(stderr, "loomp: run: no program given: loomp run ./app args\n");
        return false;
    }
    if (!marked && rest.front().front() == '-') {
        fmt::print(stderr, "loomp: run: unknown option {}: loomp run --help lists them\n",
                   rest.front());
        return false;
    }
    command = std::move(rest);
    return true;
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Runs OpenMP programs, unmodified, on the loomp runtime.", "loomp");
    app.set_version_flag("--version", "loomp " LOOMP_VERSION);
    app.require_subcommand(1);

    loomp::cli::RunOptions options;
    CLI::App *run = app.add_subcommand("run", "Run a program on loomp: loomp run ./app args");
    run->add_option("-t,--threads", options.threads, "Set OMP_NUM_THREADS")
        ->check(CLI::PositiveNumber);
    run->add_flag("--preload", options.preload,
                  "Load libloomp ahead of all libraries, for programs that bring a runtime along");
    run->add_flag("-q,--quiet", options.quiet, "Start the program without examining it first");
    run->prefix_command();

    bool verbose = false;
    CLI::App *info = app.add_subcommand("info", "Show machine, ABIs and settings");
    info->add_flag("-v,--verbose", verbose, "Say what each setting means");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == 0)
            return app.exit(error);
        fmt::print(stderr, "loomp: {}: loomp --help shows how\n", error.what());
        return kUsage;
    }
    if (*info)
        return loomp::cli::info(verbose);
    if (!take_command(run->remaining(), options.command))
        return kUsage;
    return loomp::cli::run(options);
}
