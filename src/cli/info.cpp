#include "cli/info.h"

#include <array>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/core.h>

#include "cli/tree.h"
#include "loomp/loomp.h"

namespace loomp::cli {

namespace {

/// Which MPI libraries there is a layer for; each layer is asked for the library that it would
/// meet.
void print_mpi(const std::filesystem::path &folder) {
    bool any = false;
    for (const char *name :
         {"libloomp-mpi-openmpi.so", "libloomp-mpi-mpich.so", "libloomp-mpi-abi.so"}) {
        std::error_code error;
        if (!std::filesystem::exists(folder / name, error))
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

} // namespace

int info(bool verbose) {
    const auto tree = find_tree();
    if (!tree)
        return 1;
    // The library itself answers, as it would in a program started here.
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

} // namespace loomp::cli
