#include "profiler/recorder/mpi/clocks.h"

#include <cstdio>
#include <memory>
#include <mpi.h>

#include "profiler/recorder/recorder.h"

namespace loomp::record {

namespace {

MPI_Comm own = MPI_COMM_NULL;

std::uint64_t hash(const char *text) {
    std::uint64_t sum = 0xcbf29ce484222325; // FNV-1a
    for (; *text != '\0'; ++text)
        sum = (sum ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
    return sum;
}

/// Clocks are compared by ping-pong. The fastest round tells most (F. Cristian, 1989): the answer
/// was given in the middle of it, or off by half of the round at most.
constexpr int kRounds = 30;

void answer(int to) {
    for (int round = 0; round < kRounds; ++round) {
        std::uint64_t time = 0;
        PMPI_Recv(&time, 1, MPI_UINT64_T, to, 0, own, MPI_STATUS_IGNORE);
        time = now();
        PMPI_Send(&time, 1, MPI_UINT64_T, to, 0, own);
    }
}

void ask(int whom) {
    std::uint64_t shortest = ~std::uint64_t{0};
    std::uint64_t at = 0;
    std::int64_t offset = 0;
    for (int round = 0; round < kRounds; ++round) {
        std::uint64_t theirs = 0;
        const std::uint64_t asked = now();
        PMPI_Send(&asked, 1, MPI_UINT64_T, whom, 0, own);
        PMPI_Recv(&theirs, 1, MPI_UINT64_T, whom, 0, own, MPI_STATUS_IGNORE);
        const std::uint64_t answered = now();
        if (answered - asked >= shortest)
            continue;
        shortest = answered - asked;
        at = asked + shortest / 2;
        offset = static_cast<std::int64_t>(theirs - at);
    }
    char line[128];
    const int size = std::snprintf(
        line, sizeof line, "%s %llu %lld %llu\n", kOffsetKey, static_cast<unsigned long long>(at),
        static_cast<long long>(offset), static_cast<unsigned long long>(shortest / 2));
    append(kInfoFile, line, static_cast<std::size_t>(size));
}

/// The first rank with a clock that rank 0 does not have.
bool speaks_for_its_clock(const std::uint64_t *clocks, int rank) {
    for (int other = 0; other < rank; ++other)
        if (clocks[other] == clocks[rank])
            return false;
    return rank > 0;
}

} // namespace

void compare_clocks() {
    if (own == MPI_COMM_NULL)
        PMPI_Comm_dup(MPI_COMM_WORLD, &own);
    int rank = 0;
    int size = 1;
    PMPI_Comm_rank(own, &rank);
    PMPI_Comm_size(own, &size);
    const std::uint64_t mine = hash(clock_name());
    const std::uint64_t both[2] = {mine, ~mine};
    std::uint64_t least[2];
    PMPI_Allreduce(both, least, 2, MPI_UINT64_T, MPI_MIN, own);
    if (least[0] == ~least[1]) // the smallest is the largest, too
        return;
    const std::unique_ptr<std::uint64_t[]> clocks(
        new std::uint64_t[static_cast<std::size_t>(size)]);
    PMPI_Allgather(&mine, 1, MPI_UINT64_T, clocks.get(), 1, MPI_UINT64_T, own);
    if (speaks_for_its_clock(clocks.get(), rank))
        ask(0);
    for (int other = 1; rank == 0 && other < size; ++other)
        if (speaks_for_its_clock(clocks.get(), other))
            answer(other);
}

} // namespace loomp::record
