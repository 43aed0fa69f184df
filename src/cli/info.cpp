#include "cli/info.h"

#include <cstdio>
#include <dlfcn.h>
#include <fmt/core.h>

#include "cli/tree.h"
#include "loomp/loomp.h"

namespace loomp::cli {

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
    fmt::print("MPI        none: this version has no MPI layer, thread level does not apply\n");
    std::fflush(stdout);
    return reinterpret_cast<decltype(&loomp_print_info)>(symbol)(stdout, verbose ? 1 : 0);
}

} // namespace loomp::cli
