// `loomp stuck`: asks a process that seems to hang what it waits for. The process answers at an
// address of its own (platform/node_names.h), so no right to trace it is needed.
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/commands.h"
#include "platform/node_names.h"

namespace loomp::cli {

namespace {

struct Options {
    int process = 0;
};

bool uses_loomp(int process) {
    std::ifstream maps(fmt::format("/proc/{}/maps", process));
    for (std::string line; std::getline(maps, line);)
        if (line.find("/libloomp.so") != std::string::npos)
            return true;
    return false;
}

/// Says why a process does not answer.
void report_silence(int process) {
    std::error_code error;
    const std::string folder = fmt::format("/proc/{}", process);
    if (!std::filesystem::exists(folder, error))
        fmt::print(stderr, "loomp: stuck: there is no process {}\n", process);
    else if (access((folder + "/maps").c_str(), R_OK) == 0 && !uses_loomp(process))
        fmt::print(stderr, "loomp: stuck: process {} does not run on loomp\n", process);
    else
        fmt::print(stderr,
                   "loomp: stuck: process {} does not hang, as far as loomp sees: some thread was "
                   "at work within the last seconds, or waits outside tasks; loomp gdb -p {} shows "
                   "where\n",
                   process, process);
}

int stuck(const Options &options) {
    const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const NodeAddress address = hang_address(options.process);
    if (connection < 0 || connect(connection, address.get(), address.length()) != 0 ||
        !is_of_this_user(connection)) {
        report_silence(options.process);
        return kFailure;
    }
    std::array<char, 4096> bytes{};
    bool any = false;
    for (ssize_t length; (length = read(connection, bytes.data(), bytes.size())) > 0; any = true)
        std::fwrite(bytes.data(), 1, static_cast<std::size_t>(length), stdout);
    close(connection);
    if (!any)
        report_silence(options.process); // it has gone on meanwhile
    return any ? 0 : kFailure;
}

} // namespace

const Subcommand kStuck = {
    "stuck", "Print what a process that hangs waits for, and the other ranks of its job",
    [](CLI::App &command) {
        auto options = std::make_shared<Options>();
        command.add_option("-p,--pid", options->process, "The process, or one of the job's ranks")
            ->required()
            ->check(CLI::PositiveNumber);
        return with_options(std::move(options), stuck);
    }};

} // namespace loomp::cli
