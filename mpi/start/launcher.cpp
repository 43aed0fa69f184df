#include "mpi/start/launcher.h"

#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "platform/node_names.h"

namespace loomp::mpi {

namespace {

/// The number in an environment variable; `otherwise` if there is none that a rank can have.
int number_in(const char *variable, int otherwise) {
    const char *text = std::getenv(variable);
    char *end = nullptr;
    const long value = text == nullptr ? -1 : std::strtol(text, &end, 10);
    return text == nullptr || end == text || *end != '\0' || value < 0 || value > (1 << 20)
               ? otherwise
               : static_cast<int>(value);
}

/// The process of MPICH's launcher that starts the ranks of one job on a node. Each has a
/// connection to it. A script may be between the launcher and the rank.
int launching_process() {
    ucred other = {};
    socklen_t size = sizeof other;
    const int connection = number_in("PMI_FD", -1);
    return connection >= 0 && getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 &&
                   other.pid > 0
               ? other.pid
               : getppid();
}

} // namespace

PlaceInNode place_in_node() {
    return {number_in("OMPI_COMM_WORLD_LOCAL_RANK", number_in("MPI_LOCALRANKID", 0)),
            number_in("OMPI_COMM_WORLD_LOCAL_SIZE", number_in("MPI_LOCALNRANKS", 0))};
}

int launched_rank() { return number_in("OMPI_COMM_WORLD_RANK", number_in("PMI_RANK", -1)); }
bool is_spawned() { return std::getenv("PMI_SPAWNED") != nullptr; }

std::uint64_t launched_job() {
    // Open MPI's launcher names the job.
    const char *job = std::getenv("PMIX_NAMESPACE");
    return job_number(job != nullptr ? job : std::to_string(launching_process()));
}

} // namespace loomp::mpi
