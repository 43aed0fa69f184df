#include "mpi/adapters/thread_level.h"

#include "platform/common.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

constinit Atomic<bool> gate::is_closed{false};

namespace {

/// Depth; in the memory that threads have from their start. The thread is not left while it is set.
LOOMP_THREAD_LOCAL int inside __attribute__((tls_model("initial-exec"))) = 0;

SystemMutex one_at_a_time;

bool lock(GatePass::Busy busy) {
    if (busy == GatePass::Busy::gives_up)
        return one_at_a_time.try_lock();
    one_at_a_time.lock();
    return true;
}

} // namespace

bool is_inside_gate() { return inside != 0; }

GatePass::GatePass(Busy busy) : passed(!is_gated() || is_inside_gate() || lock(busy)) {
    if (is_gated() && passed)
        ++inside;
}
GatePass::~GatePass() {
    if (is_gated() && passed && --inside == 0)
        one_at_a_time.unlock();
}

} // namespace loomp::mpi
