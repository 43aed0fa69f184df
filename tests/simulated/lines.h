// The cache lines of the simulated machine under Policy::parallel: which threads have each, and
// what an access costs. Each thread has a processor of its own.
//
// The model: a thread that has a line pays a nanosecond. Another one gets it from a thread that has
// it, which takes as long as their distance says, and a write takes it from all others. Transfers
// of one line wait for each other: writes for their whole time, reads for a tenth of the shortest
// one, because caches answer several at once. Plain accesses cost nothing, and no line is ever lost
// to another one.
#pragma once

#include <cstdint>

namespace loomp::simulated {

/// Processors with neighbouring numbers share a cache, and some of these a socket.
struct Distances {
    int share_cache = 8;
    int share_socket = 64;
    std::int64_t in_cache = 25; ///< nanoseconds
    std::int64_t in_socket = 90;
    std::int64_t between_sockets = 200;
};

inline constexpr int kMostThreads = 1024;

struct LineCounts {
    std::uint64_t accesses = 0;
    std::uint64_t transfers = 0; ///< accesses to a line that another thread had
};

void set_distances(const Distances &distances);
/// Returns the time that an access by `thread` at `time` takes. `code`: what makes it.
std::int64_t access_line(int thread, const void *address, bool writes, std::int64_t time,
                         const void *code);
LineCounts line_counts();
/// Prints the addresses of the code that makes the most transfers, and how many nanoseconds threads
/// waited there.
void print_transfers(unsigned long most);

} // namespace loomp::simulated
