#include "cli/run.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <unistd.h>

#include "cli/program.h"
#include "cli/tree.h"

namespace loomp::cli {

namespace {

// As the shell reports the same failures.
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

/// Says, in one line, why loomp may not be what the program runs on. Returns whether libloomp must
/// be loaded ahead of everything else to be it.
bool needs_preload(const std::filesystem::path &program, Runtime runtime) {
    switch (runtime) {
    case Runtime::fixed:
        fmt::print(stderr,
                   "loomp: {} is linked statically with what it needs: if it uses OpenMP, it keeps "
                   "its own runtime; link it dynamically to run it on loomp\n",
                   program.string());
        return false;
    case Runtime::none:
        fmt::print(stderr,
                   "loomp: {} is linked with no OpenMP runtime: loomp has nothing to do unless it "
                   "loads one while it runs\n",
                   program.string());
        return false;
    case Runtime::foreign: // Its RPATH comes before LD_LIBRARY_PATH, and a preload before both.
        return true;
    case Runtime::compat:
    case Runtime::unknown:
        return false;
    }
    return false;
}

/// The library that makes the program's MPI calls suspend tasks; empty if there is none for it.
std::filesystem::path mpi_layer(const Examination &found, const Tree &tree) {
    const bool on_loomp = found.runtime == Runtime::compat || found.runtime == Runtime::foreign;
    if (!on_loomp || found.mpi == Mpi::none)
        return {};
    const char *name =
        found.mpi == Mpi::openmpi ? "libloomp-mpi-openmpi.so" : "libloomp-mpi-mpich.so";
    std::filesystem::path layer = tree.library.parent_path() / name;
    std::error_code error;
    if (std::filesystem::exists(layer, error))
        return layer;
    fmt::print(
        stderr,
        "loomp: there is no {}: MPI calls in tasks hold their threads; build loomp where this "
        "MPI library's headers are installed\n",
        layer.string());
    return {};
}

} // namespace

void prepend(const char *variable, const std::string &value) {
    const char *old = std::getenv(variable);
    const std::string list =
        old == nullptr || *old == '\0' ? value : fmt::format("{}:{}", value, old);
    setenv(variable, list.c_str(), 1);
}

Command prepare(const RunOptions &options, bool stock) {
    const std::string &name = options.command.front();
    auto program = find_program(name);
    if (!program) {
        const bool there = std::filesystem::exists(name);
        fmt::print(stderr, "loomp: {}: {}\n", name,
                   there                                 ? "not an executable file"
                   : name.find('/') == std::string::npos ? "no such program in PATH"
                                                         : "no such file");
        return {std::nullopt, there ? kCannotRun : kNotFound};
    }
    const auto tree = find_tree();
    if (!tree)
        return {std::nullopt, kCannotRun};

    if (!stock)
        prepend("LD_LIBRARY_PATH", tree->compat.string());
    if (options.threads > 0)
        setenv("OMP_NUM_THREADS", std::to_string(options.threads).c_str(), 1);
    const Examination found = options.quiet ? Examination{} : examine(*program, tree->compat);
    Command command{std::move(program), 0, found.mpi};
    if (stock)
        return command;
    if (const auto layer = options.plain_mpi ? "" : mpi_layer(found, *tree); !layer.empty())
        prepend("LD_PRELOAD", layer.string());
    if ((!options.quiet && needs_preload(*command.path, found.runtime)) || options.preload)
        prepend("LD_PRELOAD", tree->library.string());
    return command;
}

int become(const std::filesystem::path &program, const std::vector<std::string> &command) {
    std::vector<char *> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string &argument : command)
        arguments.push_back(const_cast<char *>(argument.c_str()));
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    fmt::print(stderr, "loomp: cannot run {}: {}\n", program.string(), std::strerror(errno));
    return errno == ENOENT ? kNotFound : kCannotRun;
}

int run(const RunOptions &options) {
    const Command command = prepare(options);
    return command.path ? become(*command.path, options.command) : command.status;
}

} // namespace loomp::cli
