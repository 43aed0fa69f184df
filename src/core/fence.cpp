#include "core/fence.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace loomp::core {

bool light_fence_is_full = true;

void initialize_fences() {
#if !defined(__SANITIZE_THREAD__)
    const long ok = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    light_fence_is_full = ok != 0;
#endif
}

void heavy_fence() {
    if (light_fence_is_full) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return;
    }
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

} // namespace loomp::core
