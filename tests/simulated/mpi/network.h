// The MPI library of the simulated machine, and the other ranks of its job. A rank is no process:
// it does what the program's operations say, after some time. So an operation decides what both
// sides do, and each message is checked where it arrives.
//
// A call of the library is one step: no other thread runs within it, unless it calls the program
// back. The library keeps MPI's rules and fails the run where the program or the layer breaks them:
// requests that have ended, threads that share a request, two threads at once where only one may
// call, blocking collectives that meet nonblocking ones.
#pragma once

#include <cstdint>
#include <mpi.h>

namespace loomp::simulated {

/// A message has that many integers: `value`, `value + 1` and so on.
struct Content {
    int value;
    int count;
};

/// Called before the layer starts MPI.
void begin_network(bool one_thread_at_a_time);
int own_rank();
int ranks();
/// A communicator of all ranks that nobody else uses, with the error handler of MPI_COMM_WORLD.
MPI_Comm new_communicator();

/// The rank sends a message after `delay` nanoseconds.
void peer_sends(int rank, int tag, MPI_Comm comm, Content content, std::int64_t delay);
/// The rank receives a message, which it expects to have this content.
void peer_receives(int rank, int tag, MPI_Comm comm, Content content, std::int64_t delay);

/// The rank ends after `delay` nanoseconds, as seen in this communicator: receives from it that no
/// message matches fail with MPI_ERR_OTHER.
void peer_ends(int rank, MPI_Comm comm, std::int64_t delay);

enum class Collective : std::uint8_t { barrier, sum, gather, duplicate };
/// All other ranks join the next collective of the communicator. `value`: the sum of what they
/// give.
void peers_join(MPI_Comm comm, Collective collective, bool is_blocking, int value,
                std::int64_t delay);

/// Prints what is left.
void print_network();
/// Fails the run if a message, a request or a rank is left.
void check_nothing_is_left();

} // namespace loomp::simulated
