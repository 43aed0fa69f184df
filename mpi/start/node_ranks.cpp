#include "mpi/start/node_ranks.h"

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "loomp/experimental.h"
#include "mpi/start/launcher.h"
#include "mpi/waiting/meeting.h"
#include "platform/node_names.h"
#include "platform/threads.h"

namespace loomp::mpi {

namespace {

/// A hash of the processors that the process may use; 0 if it is not known.
std::uint64_t hash_of_processors() {
    constexpr int most = 1 << 16;
    cpu_set_t *set = CPU_ALLOC(most);
    if (set == nullptr)
        return 0;
    const std::size_t size = CPU_ALLOC_SIZE(most);
    CPU_ZERO_S(size, set);
    const std::uint64_t hash =
        get_processors(set, size) ? hash_of({reinterpret_cast<const char *>(set), size}) : 0;
    CPU_FREE(set);
    return hash;
}

/// The ranks of a node that have the same processors have this text in their names.
char with_processors[24] = "";
NodeName name;

} // namespace

void take_node_name() {
    const PlaceInNode own = place_in_node();
    const std::uint64_t hash = own.count < 2 || own.number >= own.count ? 0 : hash_of_processors();
    std::snprintf(with_processors, sizeof with_processors, "%" PRIx64, hash);
    if (hash != 0 && !name.is_held())
        name.take(launched_job(), with_processors, own.number);
}

void take_finishing_name() {
    static NodeName finishing;
    if (launched_rank() < 0 || place_in_node().count < 2)
        return;
    finishing.take(launched_job(), kFinishing, launched_rank());
    finishing.stop_looking();
}

int ranks_of_node() { return std::max(place_in_node().count, 1); }

void divide_processors(int rank) {
    if (!name.is_held())
        return;
    const PlaceInNode own = place_in_node();
    int part = 0;
    int parts = 1;
    for (int other = 0; other < own.count; ++other)
        if (other != own.number && name.is_taken(with_processors, other)) {
            ++parts;
            part += other < own.number ? 1 : 0;
        }
    name.stop_looking();
    char taken[64];
    if (parts < 2 || loomp_take_processors(part, parts, taken, sizeof taken) != 0 || rank != 0)
        return;
    std::fprintf(
        stderr,
        "loomp: %d ranks of this node may use the same processors: each takes its share of "
        "them (rank 0: %s); bind ranks or threads yourself, or set "
        "LOOMP_SPREAD_RANKS=false, if that is not right\n",
        parts, taken);
}

} // namespace loomp::mpi
