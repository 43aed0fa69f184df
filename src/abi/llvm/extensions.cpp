// LLVM ABI: the kmp_* routines that programs call. What has no meaning here is accepted and
// ignored, as the documentation of libomp asks of an implementation without the feature.
#include <cstdint>

#include "abi/export.h"
#include "abi/llvm/kmp.h"
#include "core/settings.h"
#include "core/thread.h"

using namespace loomp;

LOOMP_EXPORT void omp_set_dynamic(int on);
LOOMP_EXPORT void omp_set_num_threads(int n);
LOOMP_EXPORT void omp_set_nested(int on);
LOOMP_EXPORT void omp_set_max_active_levels(int n);
LOOMP_EXPORT void omp_set_schedule(std::uint32_t kind, int chunk);
LOOMP_EXPORT int omp_get_ancestor_thread_num(int level);
LOOMP_EXPORT int omp_get_team_size(int level);

LOOMP_EXPORT void ompc_set_dynamic(int on) { omp_set_dynamic(on); }
LOOMP_EXPORT void ompc_set_num_threads(int n) { omp_set_num_threads(n); }
LOOMP_EXPORT void ompc_set_nested(int on) { omp_set_nested(on); }
LOOMP_EXPORT void ompc_set_max_active_levels(int n) { omp_set_max_active_levels(n); }
LOOMP_EXPORT void ompc_set_schedule(std::uint32_t kind, int chunk) {
    omp_set_schedule(kind, chunk);
}
LOOMP_EXPORT int ompc_get_ancestor_thread_num(int level) {
    return omp_get_ancestor_thread_num(level);
}
LOOMP_EXPORT int ompc_get_team_size(int level) { return omp_get_team_size(level); }

LOOMP_EXPORT std::size_t kmp_get_stacksize_s() { return core::settings().stack_size; }
LOOMP_EXPORT int kmp_get_stacksize() { return static_cast<int>(core::settings().stack_size); }
LOOMP_EXPORT int kmp_get_num_known_threads() { return core::thread_count() + 1; }
LOOMP_EXPORT int kmp_get_cancellation_status(int) { return 0; }
/// Milliseconds that libomp's idle threads spin; ours are set by LOOMP_SPIN and OMP_WAIT_POLICY.
LOOMP_EXPORT int kmp_get_blocktime() {
    return core::settings().wait_policy == core::WaitPolicy::active ? 0x7fffffff : 0;
}
LOOMP_EXPORT int kmp_get_library() { return 2; /* throughput */ }
LOOMP_EXPORT int kmp_get_affinity_max_proc() { return 1024; }

// clang-format off
LOOMP_EXPORT void kmp_set_stacksize(int) {}
LOOMP_EXPORT void kmp_set_stacksize_s(std::size_t) {}
LOOMP_EXPORT void kmp_set_blocktime(int) {}
LOOMP_EXPORT void kmp_set_library(int) {}
LOOMP_EXPORT void kmp_set_library_serial() {}
LOOMP_EXPORT void kmp_set_library_turnaround() {}
LOOMP_EXPORT void kmp_set_library_throughput() {}
LOOMP_EXPORT void kmp_set_defaults(const char *) {}
LOOMP_EXPORT void kmp_set_disp_num_buffers(int) {}
LOOMP_EXPORT void kmp_set_warnings_on() {}
LOOMP_EXPORT void kmp_set_warnings_off() {}
LOOMP_EXPORT void kmpc_set_stacksize(int) {}
LOOMP_EXPORT void kmpc_set_stacksize_s(std::size_t) {}
LOOMP_EXPORT void kmpc_set_blocktime(int) {}
LOOMP_EXPORT void kmpc_set_library(int) {}
LOOMP_EXPORT void kmpc_set_defaults(const char *) {}
LOOMP_EXPORT void kmpc_set_disp_num_buffers(int) {}
// clang-format on
