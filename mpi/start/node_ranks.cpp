#include "mpi/start/node_ranks.h"

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "loomp/experimental.h"
#include "platform/threads.h"

namespace loomp::mpi {

namespace {

/// This rank's number in the node and the count of the job's ranks there. Open MPI's launcher gives
/// them, or else MPICH's.
struct Place {
    int number = 0;
    int count = 0;
};

int number_in(const char *variable, int otherwise) {
    const char *text = std::getenv(variable);
    char *end = nullptr;
    const long value = text == nullptr ? -1 : std::strtol(text, &end, 10);
    return text == nullptr || end == text || *end != '\0' || value < 0 || value > (1 << 20)
               ? otherwise
               : static_cast<int>(value);
}

Place place_in_node() {
    return {number_in("OMPI_COMM_WORLD_LOCAL_RANK", number_in("MPI_LOCALRANKID", 0)),
            number_in("OMPI_COMM_WORLD_LOCAL_SIZE", number_in("MPI_LOCALNRANKS", 0))};
}

/// FNV-1a of the processors that the process may use; 0 if the kernel does not know.
std::uint64_t hash_of_processors() {
    constexpr int most = 1 << 16;
    cpu_set_t *set = CPU_ALLOC(most);
    const std::size_t size = CPU_ALLOC_SIZE(most);
    CPU_ZERO_S(size, set);
    std::uint64_t hash = 0;
    if (get_processors(set, size)) {
        hash = 0xcbf29ce484222325;
        for (std::size_t i = 0; i < size; ++i)
            hash = (hash ^ reinterpret_cast<const unsigned char *>(set)[i]) * 0x100000001b3;
    }
    CPU_FREE(set);
    return hash;
}

std::uint64_t processors = 0;
int name_holder = -1;

/// The name of the rank with this number in the node, if it had the caller's processors. Open MPI's
/// launcher names the job; MPICH's starts the ranks of one job itself.
socklen_t write_name(sockaddr_un &address, int number) {
    address = {};
    address.sun_family = AF_UNIX;
    const char *job = std::getenv("PMIX_NAMESPACE");
    char parent[16];
    std::snprintf(parent, sizeof parent, "%d", static_cast<int>(getppid()));
    // Names without a file begin with a zero.
    const int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                                     "loomp/%d/%.48s/%" PRIx64 "/%d", static_cast<int>(getuid()),
                                     job != nullptr ? job : parent, processors, number);
    return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                  static_cast<std::size_t>(length));
}

bool is_taken(int asking, int number) {
    sockaddr_un address;
    const socklen_t length = write_name(address, number);
    return connect(asking, reinterpret_cast<const sockaddr *>(&address), length) == 0;
}

void drop_node_name() {
    if (name_holder >= 0)
        close(name_holder);
    name_holder = -1;
}

} // namespace

void take_node_name() {
    const Place own = place_in_node();
    if (own.count < 2 || own.number >= own.count || name_holder >= 0)
        return;
    processors = hash_of_processors();
    name_holder = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un address;
    const socklen_t length = write_name(address, own.number);
    if (processors == 0 || name_holder < 0 ||
        bind(name_holder, reinterpret_cast<const sockaddr *>(&address), length) != 0)
        drop_node_name();
}

int ranks_of_node() { return std::max(place_in_node().count, 1); }

void divide_processors(int rank) {
    const int asking = name_holder < 0 ? -1 : socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (asking < 0)
        return;
    const Place own = place_in_node();
    int part = 0;
    int parts = 1;
    for (int other = 0; other < own.count; ++other)
        if (other != own.number && is_taken(asking, other)) {
            ++parts;
            part += other < own.number ? 1 : 0;
        }
    close(asking);
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
