// The observer's half for MPI shares this with the half for OpenMP.
#pragma once

#include <cstdint>

#include "platform/valgrind.h"
#include "profiler/check/protocol.h"

namespace loomp::check {

inline void report(loomp_check_kind kind, std::uintptr_t a = 0, std::uintptr_t b = 0,
                   std::uintptr_t c = 0) {
    valgrind::request(LOOMP_CHECK_REQUEST, kind, a, b, c);
}

} // namespace loomp::check

/// Returns the next task's number.
extern "C" std::uint32_t loomp_check_new_task();
