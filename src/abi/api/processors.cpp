// loomp.h: a process' share of its processors.
#include <cstdio>

#include "abi/export.h"
#include "core/process/processor_share.h"
#include "loomp/loomp.h"

using namespace loomp;

LOOMP_EXPORT int loomp_take_processors(int part, int parts, char *text, size_t size) {
    const std::string taken = core::take_processor_share(part, parts);
    if (size > 0)
        std::snprintf(text, size, "%s", taken.c_str());
    return taken.empty() ? 1 : 0;
}
