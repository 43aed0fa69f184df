// The gate serialises calls of MPI libraries that only one thread may call at a time. Every MPI
// function that the layer or the program calls passes it (gated_calls.S). While MPI_THREAD_MULTIPLE
// is provided the gate is open, and that costs one test. With MPI_THREAD_SERIALIZED the calls are
// made one at a time.
//
// If the gate is closed, blocking calls become nonblocking outside tasks, too, so that none blocks
// the others. A call without a nonblocking form first waits until all other ranks of its
// communicator have reached it, if the call names one (stand_in.h).
//
// A thread inside the gate makes further calls directly, because MPI calls back for errors,
// reductions and attributes.
//
// Thread safety: any thread may call everything except opening and closing.
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

/// True if the calling thread is inside the gate: it must not wait there.
bool is_inside_gate();

/// The calling thread is inside the gate while this object exists, if `passed`.
class GatePass {
  public:
    /// Decides how to continue while another thread is inside.
    enum class Busy : bool { gives_up, waits };
    explicit GatePass(Busy busy);
    ~GatePass();
    GatePass(const GatePass &) = delete;
    GatePass &operator=(const GatePass &) = delete;
    const bool passed;
};

/// Runs `make()` inside the gate, if calls pass it. This serves locks that are held over calls and
/// that pollers take. It also lets several calls pass the gate once.
template <class Make> auto inside_gate(Make make) {
    const GatePass pass(GatePass::Busy::waits);
    return make();
}

} // namespace loomp::mpi
