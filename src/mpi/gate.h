// For MPI libraries that several threads may not call at once: every function of MPI's that the
// layer or the program calls passes here (gated_calls.S). While MPI_THREAD_MULTIPLE is provided
// the gate is open, and that costs one test. Otherwise the calls are made one at a time, by
// whichever thread (MPI_THREAD_SERIALIZED), or all by one thread of the layer, which also tests
// what is pending (MPI_THREAD_FUNNELED).
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

#include <atomic>

namespace loomp::mpi {

enum class Gate : unsigned char { open, one_at_a_time, one_thread };

namespace gate {
/// Changed before MPI_Init returns, and in MPI_Finalize. gated_calls.S reads it.
extern std::atomic<Gate> state __asm__("loomp_mpi_gate") __attribute__((visibility("hidden")));
} // namespace gate

inline Gate gate_state() { return gate::state.load(std::memory_order_relaxed); }
inline bool is_gated() { return gate_state() != Gate::open; }
inline bool has_mpi_thread() { return gate_state() == Gate::one_thread; }

/// Whether the calling thread is inside the gate: it must not wait there.
bool is_inside_gate();
/// While one lives the calling thread is inside, if `passed`: it does not wait for others who are.
/// Where one thread makes all calls, only that one passes.
class TriedGate {
  public:
    TriedGate();
    ~TriedGate();
    TriedGate(const TriedGate &) = delete;
    TriedGate &operator=(const TriedGate &) = delete;
    const bool passed;
};

/// What is made inside.
struct GatedWork {
    void (*make)(GatedWork &self) = nullptr;
    bool notes_errors = false; ///< of the caller's (errors.h)
    int noted = 0;             ///< the fatal error there was
    std::atomic<int> made{0};
    GatedWork *next = nullptr;
};
/// Returns when it has been made.
void pass_gate(GatedWork &work);

/// `make()`, inside if calls pass the gate at all: for locks that are held over calls and that
/// pollers take, and to pass once for several calls.
template <class Make> void inside_gate(Make make) {
    if (!is_gated() || is_inside_gate())
        return make();
    struct Made : GatedWork {
        explicit Made(Make &m) : code(m) {}
        Make &code;
    } work(make);
    work.make = [](GatedWork &self) { static_cast<Made &>(self).code(); };
    pass_gate(work);
}

/// What the thread that makes all calls does between them: `poll` says how many things it found,
/// `pending` whether there is anything to look for.
struct GateDuty {
    bool (*pending)();
    int (*poll)();
};
/// Closes the gate. False: there can be no such thread.
bool close_gate(Gate how, const GateDuty &duty);
/// Opens it again; no call is being made.
void open_gate();
/// Of the thread that makes all calls: something has become pending, or should be looked for soon.
void wake_mpi_thread();
/// How many things that thread has found since the last call.
int take_found_by_mpi_thread();

} // namespace loomp::mpi
