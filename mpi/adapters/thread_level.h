// For MPI libraries that several threads may not call at once: every function of MPI's that the
// layer or the program calls passes here (gated_calls.S). While MPI_THREAD_MULTIPLE is provided
// the gate is open, and that costs one test. With MPI_THREAD_SERIALIZED the calls are made one at a
// time.
//
// As no call may keep others from passing, those that wait become nonblocking ones outside tasks,
// too. What has no nonblocking form waits beforehand until all other ranks have come to it, where
// it names their communicator (stand_in.h).
//
// Who is inside the gate makes further calls directly: MPI calls back for errors, reductions and
// attributes.
//
// Thread safety: everything from any thread, but for opening and closing.
#pragma once

#include "platform/atomic.h"

namespace loomp::mpi {

namespace gate {
/// Changed before MPI_Init returns, and in MPI_Finalize, while no call is being made.
/// gated_calls.S reads it.
extern Atomic<bool> is_closed __asm__("loomp_mpi_gate") __attribute__((visibility("hidden")));
} // namespace gate

inline bool is_gated() { return gate::is_closed.load(std::memory_order_relaxed); }
inline void close_gate(bool closed) { gate::is_closed.store(closed, std::memory_order_relaxed); }

/// Whether the calling thread is inside the gate: it must not wait there.
bool is_inside_gate();

/// While one lives the calling thread is inside, if `passed`.
class GatePass {
  public:
    /// The choice while another thread is inside.
    enum class Busy : bool { gives_up, waits };
    explicit GatePass(Busy busy);
    ~GatePass();
    GatePass(const GatePass &) = delete;
    GatePass &operator=(const GatePass &) = delete;
    const bool passed;
};

/// `make()`, inside if calls pass the gate at all: for locks that are held over calls and that
/// pollers take, and to pass once for several calls.
template <class Make> auto inside_gate(Make make) {
    const GatePass pass(GatePass::Busy::waits);
    return make();
}

} // namespace loomp::mpi
