// The observer's half for MPI shares this with the half for OpenMP.
#pragma once

#include <cstdint>

#include "platform/valgrind.h"
#include "profiler/check/protocol.h"

/// The collector in this process, if there is one.
extern "C" __attribute__((weak)) void loomp_check_take(unsigned kind, unsigned long a,
                                                       unsigned long b, unsigned long c);

namespace loomp::check {

inline void report(loomp_check_kind kind, std::uintptr_t a = 0, std::uintptr_t b = 0,
                   std::uintptr_t c = 0) {
    if (&loomp_check_take != nullptr)
        return loomp_check_take(kind, a, b, c);
    valgrind::request(LOOMP_CHECK_REQUEST, kind, a, b, c);
}

} // namespace loomp::check

/// Returns the next task's number.
extern "C" std::uint32_t loomp_check_new_task();
