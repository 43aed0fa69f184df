// `loomp info`: shows the properties of this loomp in this environment, the OpenMP runtimes of a
// running process, and the latency between processors.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <set>

#include "cli/commands.h"
#include "cli/executable.h"
#include "cli/latency.h"
#include "cli/tree.h"
#include "loomp/loomp.h"

namespace loomp::cli {

namespace fs = std::filesystem;

namespace {

/// Lists the MPI libraries that have a layer; each layer reports the library that it would use.
void print_mpi(const fs::path &folder) {
    bool any = false;
    for (const char *name :
         {"libloomp-mpi-openmpi.so", "libloomp-mpi-mpich.so", "libloomp-mpi-abi.so"}) {
        std::error_code error;
        if (!fs::exists(folder / name, error))
            continue;
        any = true;
        void *layer = dlopen((folder / name).c_str(), RTLD_NOW | RTLD_LOCAL);
        void *symbol = layer == nullptr ? nullptr : dlsym(layer, "loomp_mpi_describe");
        std::array<char, 128> library{};
        if (symbol != nullptr)
            reinterpret_cast<void (*)(char *, int)>(symbol)(library.data(), library.size());
        fmt::print("MPI        {}: {}\n", name,
                   symbol == nullptr ? "its MPI library cannot be loaded" : library.data());
    }
    fmt::print("           {}\n",
               any ? "blocking calls in tasks suspend the task; thread level raised to "
                     "MPI_THREAD_MULTIPLE"
                   : "no layer: blocking calls in tasks hold their threads");
}

int info(bool verbose) {
    const auto tree = find_tree();
    if (!tree)
        return 1;
    // The library itself answers, like in a program started here.
    void *library = dlopen(tree->library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *symbol = library == nullptr ? nullptr : dlsym(library, "loomp_print_info");
    if (symbol == nullptr) {
        fmt::print(stderr, "loomp: cannot ask {}: {}\n", tree->library.string(), dlerror());
        return 1;
    }
    fmt::print("loomp      {}\n", LOOMP_VERSION);
    fmt::print("compat     {}\n", tree->compat.string());
    print_mpi(tree->library.parent_path());
    std::fflush(stdout);
    return reinterpret_cast<decltype(&loomp_print_info)>(symbol)(stdout, verbose ? 1 : 0);
}

/// The path at the end of a line of /proc/PID/maps; empty if there is none.
std::string mapped_file(const std::string &line) {
    const std::size_t start = line.find('/');
    return start == std::string::npos ? std::string() : line.substr(start);
}

/// compat/ also has a libloomp.so.
bool is_beside_loomp(const fs::path &file) {
    std::error_code error;
    return fs::exists(file.parent_path() / "libloomp.so", error);
}

/// Prints the files of the OpenMP runtimes in the process `id`, each with its role. Returns 0 if
/// loomp is the only one; otherwise 1, with the reason on stderr.
int show_runtimes_of(const std::string &id) {
    const bool number =
        std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
    const fs::path folder = fs::path("/proc") / id;
    std::error_code error;
    if (!number || !fs::is_directory(folder, error)) {
        fmt::print(stderr, "loomp: there is no process {}\n", id);
        return 1;
    }
    const fs::path program = fs::read_symlink(folder / "exe", error);
    std::ifstream maps(folder / "maps");
    std::set<std::string> files;
    for (std::string line; std::getline(maps, line);)
        files.insert(mapped_file(line));
    if (error || maps.bad() || files.size() < 2) {
        fmt::print(stderr, "loomp: cannot see what process {} has loaded: {}\n", id,
                   error ? error.message() : "it has ended, or belongs to another user");
        return 1;
    }

    fmt::print("process    {}: {}\n", id, program.string());
    bool loomp = false;
    std::string other;
    for (const std::string &file : files) {
        if (!has_runtime(file))
            continue;
        const bool ours = is_beside_loomp(file);
        const bool itself = ours && fs::path(file).filename() == "libloomp.so";
        loomp |= itself;
        if (!ours)
            other = file;
        fmt::print("{:<10} {}\n", itself ? "runtime" : ours ? "leads to it" : "other", file);
    }
    if (loomp && other.empty())
        return 0;
    if (loomp)
        fmt::print(stderr,
                   "loomp: process {} has two OpenMP runtimes: what asks for {} is not on loomp\n",
                   id, other);
    else if (!other.empty())
        fmt::print(stderr, "loomp: process {} runs on {}: start it by loomp run\n", id, other);
    else
        fmt::print(stderr, "loomp: process {} has no OpenMP runtime, or none yet\n", id);
    return 1;
}

Action declare_info(CLI::App &command) {
    struct InfoOptions {
        bool verbose = false;
        bool latency = false;
        std::string process;
    };
    const auto options = std::make_shared<InfoOptions>();
    command.add_flag("-v,--verbose", options->verbose, "Say what each setting means");
    command.add_option("-p,--process", options->process,
                       "Say which OpenMP runtimes the process of this number has instead");
    command.add_flag("-l,--latency", options->latency,
                     "Measure the latency between each two processors instead");
    return [options](const Words &) {
        if (options->latency)
            return show_latencies();
        return options->process.empty() ? info(options->verbose)
                                        : show_runtimes_of(options->process);
    };
}

} // namespace

const Subcommand kInfo = {"info", "Show the machine, the ABIs and all settings", declare_info};

} // namespace loomp::cli
