// LLVM ABI: the kmp_* routines that programs call. Routines without a meaning here are accepted and
// ignored, which libomp's documentation permits for implementations without a feature.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>

#include "platform/atomic.h"
#include "platform/export.h"
#include "runtime/abi/api/api.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/process/runtime.h"
#include "runtime/core/regions/parallel.h"
#include "runtime/core/regions/thread.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/worker/oversubscription.h"

using namespace loomp;
using namespace loomp::abi;

namespace {
constexpr std::int64_t kLooksPerMillisecond = 1'000'000 / core::kNanosecondsPerLook;
/// At least this many looks count as unlimited spinning, which OMP_WAIT_POLICY=active sets.
constexpr unsigned kLooksWhenActive = 1'000'000'000;
} // namespace

#define LOOMP_OMPC(TYPE, NAME)                                                                     \
    LOOMP_EXPORT TYPE omp_##NAME(int n);                                                           \
    LOOMP_EXPORT TYPE ompc_##NAME(int n) { return omp_##NAME(n); }
LOOMP_OMPC(void, set_dynamic)
LOOMP_OMPC(void, set_num_threads)
LOOMP_OMPC(void, set_nested)
LOOMP_OMPC(void, set_max_active_levels)
LOOMP_OMPC(int, get_ancestor_thread_num)
LOOMP_OMPC(int, get_team_size)
#undef LOOMP_OMPC
LOOMP_EXPORT void omp_set_schedule(std::uint32_t kind, int chunk);
LOOMP_EXPORT void ompc_set_schedule(std::uint32_t kind, int chunk) {
    omp_set_schedule(kind, chunk);
}

LOOMP_EXPORT std::size_t kmp_get_stacksize_s() { return core::settings().stack_size; }
LOOMP_EXPORT int kmp_get_stacksize() { return static_cast<int>(core::settings().stack_size); }
LOOMP_EXPORT int kmp_get_num_known_threads() { return core::thread_count() + 1; }
/// Returns the milliseconds that idle threads spin; the largest number means no limit.
LOOMP_EXPORT int kmp_get_blocktime() {
    core::initialize(); // it is a setting until the program changes it
    const unsigned looks = core::spin_limit(false);
    return looks >= kLooksWhenActive ? INT_MAX : static_cast<int>(looks / kLooksPerMillisecond);
}
LOOMP_EXPORT void kmp_set_blocktime(int milliseconds) {
    core::choose_spin(std::int64_t{std::max(0, milliseconds)} * kLooksPerMillisecond);
}
LOOMP_EXPORT void kmp_set_blocktime_(const int *milliseconds) { kmp_set_blocktime(*milliseconds); }
LOOMP_EXPORT void kmpc_set_blocktime(int milliseconds) { kmp_set_blocktime(milliseconds); }

// Fortran forms of the inquiries.
LOOMP_EXPORT std::size_t kmp_get_stacksize_s_() { return kmp_get_stacksize_s(); }
LOOMP_EXPORT int kmp_get_stacksize_() { return kmp_get_stacksize(); }
LOOMP_EXPORT int kmp_get_num_known_threads_() { return kmp_get_num_known_threads(); }
LOOMP_EXPORT int kmp_get_blocktime_() { return kmp_get_blocktime(); }

// --- Settings that the program changes: C, Fortran, and the form of libomp's C/Fortran glue
// --------

// clang-format off
#define LOOMP_KMP_SET(NAME, TYPE)                                                                  \
    LOOMP_EXPORT void kmp_set_##NAME##_(const TYPE *value) { kmp_set_##NAME(*value); }             \
    LOOMP_EXPORT void kmpc_set_##NAME(TYPE value) { kmp_set_##NAME(value); }
// clang-format on
LOOMP_EXPORT void kmp_set_stacksize_s(std::size_t size) { core::choose_stack_size(size); }
LOOMP_KMP_SET(stacksize_s, std::size_t)
LOOMP_EXPORT void kmp_set_stacksize(int size) {
    core::choose_stack_size(static_cast<std::size_t>(std::max(size, 0)));
}
LOOMP_KMP_SET(stacksize, int)

namespace {

enum Library : int { kBySettings, kSerial, kTurnaround, kThroughput };
Atomic<int> chosen_library{kBySettings};

/// Only the initial task may choose; other calls have no effect, as on libomp. The number of
/// threads becomes the default one.
void choose_library(int library) {
    if (library < kSerial || library > kThroughput || team().level > 0)
        return;
    chosen_library.store(library, std::memory_order_relaxed);
    core::regions_are_serial.store(library == kSerial, std::memory_order_relaxed);
    const int threads = library == kSerial ? 1 : core::team_settings().num_threads[0];
    change_icvs([threads](core::IcvValues &values) { values.num_threads = threads; });
}

} // namespace

LOOMP_EXPORT void kmp_set_library(int library) { choose_library(library); }
LOOMP_KMP_SET(library, int)
#undef LOOMP_KMP_SET
LOOMP_EXPORT void kmp_set_library_serial() { choose_library(kSerial); }
LOOMP_EXPORT void kmp_set_library_serial_() { choose_library(kSerial); }
LOOMP_EXPORT void kmp_set_library_turnaround() { choose_library(kTurnaround); }
LOOMP_EXPORT void kmp_set_library_turnaround_() { choose_library(kTurnaround); }
LOOMP_EXPORT void kmp_set_library_throughput() { choose_library(kThroughput); }
LOOMP_EXPORT void kmp_set_library_throughput_() { choose_library(kThroughput); }
LOOMP_EXPORT int kmp_get_library() {
    const core::Settings &s = core::settings();
    const int chosen = chosen_library.load(std::memory_order_relaxed);
    return chosen != kBySettings                       ? chosen
           : s.serial                                  ? kSerial
           : s.wait_policy == core::WaitPolicy::active ? kTurnaround
                                                       : kThroughput;
}
LOOMP_EXPORT int kmp_get_library_() { return kmp_get_library(); }

// Settings of libomp without a meaning here: C, Fortran, and the form of its C/Fortran glue.
// clang-format off
#define LOOMP_KMP_IGNORED(NAME, TYPE)                                                              \
    LOOMP_EXPORT void kmp_set_##NAME(TYPE) {}                                                      \
    LOOMP_EXPORT void kmp_set_##NAME##_(const TYPE *) {}                                           \
    LOOMP_EXPORT void kmpc_set_##NAME(TYPE) {}
LOOMP_KMP_IGNORED(disp_num_buffers, int)
#undef LOOMP_KMP_IGNORED
#define LOOMP_KMP_IGNORED(NAME)                                                                    \
    LOOMP_EXPORT void kmp_set_##NAME() {}                                                          \
    LOOMP_EXPORT void kmp_set_##NAME##_() {}
LOOMP_KMP_IGNORED(warnings_on)
LOOMP_KMP_IGNORED(warnings_off)
#undef LOOMP_KMP_IGNORED
// clang-format on

LOOMP_EXPORT void kmp_set_defaults(const char *assignments) {
    if (assignments != nullptr)
        core::adopt_settings(assignments);
}
LOOMP_EXPORT void kmp_set_defaults_(const char *assignments, int length) {
    core::adopt_settings(std::string(assignments, static_cast<std::size_t>(length)));
}
LOOMP_EXPORT void kmpc_set_defaults(const char *assignments) { kmp_set_defaults(assignments); }
