// Shorthand for the files of the OpenMP API. Each routine is defined once for C and once or twice
// for Fortran. `name_` takes its arguments by reference; gfortran calls `name_8_` when default
// integers have 8 bytes.
#pragma once

#include <climits>
#include <cstdint>

#include "platform/export.h"
#include "runtime/core/team/icv.h"
#include "runtime/core/team/team.h"
#include "runtime/core/worker/worker.h"

namespace loomp::abi {

inline core::Worker &worker() { return *core::Worker::current(); }
inline core::Member &member() { return *worker().member; }
inline core::Team &team() { return *member().team; }
/// For inquiries: the running task's, or the initial ones outside tasks. Changes nothing.
inline const core::IcvValues &icvs() {
    const core::Worker *worker = core::Worker::in_task_or_null();
    const core::Icvs *own = worker != nullptr ? worker->task->icvs : nullptr;
    return own != nullptr ? *own : core::icvs_outside_tasks();
}
/// Changes the running task's ICVs by `change(IcvValues &)`, for omp_set_*().
template <class Change> void change_icvs(Change change) {
    core::change_icvs(*worker().task, change);
}

inline int clamp_int(std::int64_t value) {
    return static_cast<int>(value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : value);
}

} // namespace loomp::abi

/// The version of a routine's C and Fortran forms.
#define LOOMP_API_SINCE(VERSION, NAME)                                                             \
    LOOMP_SINCE(VERSION, NAME);                                                                    \
    LOOMP_SINCE(VERSION, NAME##_)
#define LOOMP_API_SINCE_8(VERSION, NAME)                                                           \
    LOOMP_API_SINCE(VERSION, NAME);                                                                \
    LOOMP_SINCE(VERSION, NAME##_8_)

/// Defines the C and Fortran forms of a routine without arguments.
#define LOOMP_API_GET(VERSION, TYPE, NAME, EXPRESSION)                                             \
    LOOMP_EXPORT TYPE NAME() { return EXPRESSION; }                                                \
    LOOMP_EXPORT TYPE NAME##_() { return NAME(); }                                                 \
    LOOMP_API_SINCE(VERSION, NAME)

/// Defines a routine that takes one integer and returns TYPE: C, Fortran, Fortran with 8-byte
/// integers.
#define LOOMP_API_INT(VERSION, TYPE, NAME)                                                         \
    LOOMP_EXPORT TYPE NAME##_(const std::int32_t *n) { return NAME(*n); }                          \
    LOOMP_EXPORT TYPE NAME##_8_(const std::int64_t *n) { return NAME(loomp::abi::clamp_int(*n)); } \
    LOOMP_API_SINCE_8(VERSION, NAME)
