// `loomp info` (loomp.h: loomp_print_info): the machine, the ABIs, and every setting with its value
// and origin.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/topology.h"
#include "runtime/core/process/runtime.h"

namespace loomp::core {

namespace {

void print_machine(std::FILE *out) {
    std::fprintf(out, "machine    %s\n", describe_machine().c_str());
    std::fprintf(out, "processors %s\n", format_ranges(available_processor_ids()).c_str());
    const std::vector<Place> &list = places();
    std::fprintf(out, "places     %s\n",
                 list.empty() ? "none: threads are not bound" : format_places(list).c_str());
}

/// The longest names and values keep their columns. A value longer than 40 characters does not.
void print_settings(std::FILE *out, bool verbose) {
    constexpr int kWidestValue = 40;
    const std::vector<SettingView> all = describe_settings();
    int names = 0;
    int values = 0;
    for (const SettingView &view : all) {
        names = std::max(names, static_cast<int>(std::strlen(view.name)));
        values = std::max(values, std::min(static_cast<int>(view.value.size()), kWidestValue));
    }
    std::fprintf(out, "\n  %-*s %-*s %s\n", names, "setting", values, "value", "origin");
    for (const SettingView &view : all) {
        std::fprintf(out, "  %-*s %-*s %s\n", names, view.name, values,
                     view.value.empty() ? "-" : view.value.c_str(), view.origin.c_str());
        if (verbose)
            std::fprintf(out, "      %s; %s\n", view.doc, view.expected);
    }
}

} // namespace

const char *library_path() {
    Dl_info info = {};
    if (dladdr(reinterpret_cast<const void *>(&library_path), &info) == 0 ||
        info.dli_fname == nullptr)
        return "?";
    return info.dli_fname;
}

} // namespace loomp::core

extern "C" __attribute__((visibility("default"))) int loomp_print_info(std::FILE *out,
                                                                       int verbose) {
    using namespace loomp::core;
    initialize();
    std::fprintf(out, "library    %s\n", library_path());
    std::fprintf(out, "OpenMP     5.2 (_OPENMP 202111)\n");
    std::fprintf(out, "ABIs       LLVM (__kmpc_*, as libomp.so.5 and libiomp5.so), "
                      "GNU (GOMP_1.0 to GOMP_5.1, OMP_1.0 to OMP_5.1, as libgomp.so.1)\n");
    print_machine(out);
    print_settings(out, verbose != 0);
    return std::ferror(out) != 0 ? 1 : 0;
}
