#include "mpi/start/launcher.h"

#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi/adapters/mpi_library.h"
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
    return {number_in(is_openmpi() ? "OMPI_COMM_WORLD_LOCAL_RANK" : "MPI_LOCALRANKID", 0),
            number_in(is_openmpi() ? "OMPI_COMM_WORLD_LOCAL_SIZE" : "MPI_LOCALNRANKS", 0)};
}

int launched_rank() { return number_in(is_openmpi() ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK", -1); }
bool is_spawned() { return !is_openmpi() && std::getenv("PMI_SPAWNED") != nullptr; }
bool is_one_program() { return is_openmpi() && number_in("OMPI_NUM_APP_CTX", 0) == 1; }

std::uint64_t launched_job() {
    // Open MPI's launcher names the job. Two jobs may have the same name, for example in two
    // containers, but then their launchers have folders of their own.
    const char *job = is_openmpi() ? std::getenv("PMIX_NAMESPACE") : nullptr;
    const char *folder = std::getenv("PMIX_SERVER_TMPDIR");
    if (job == nullptr)
        return job_number(launching_process());
    struct stat found = {};
    if (folder != nullptr && stat(folder, &found) != 0)
        found = {};
    return job_number(std::string(job) + ' ' + std::to_string(found.st_dev) + ' ' +
                      std::to_string(found.st_ino));
}

} // namespace loomp::mpi
