// Probes, which wait by their own tests.
#include "mpi/adapters/tools.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

namespace {

/// Runs `probe()`. A tool sees it only if there is a message. If the library refuses the arguments
/// and yet reports success (is_refused() in call_kinds.h), it leaves the flag, which ends the wait.
template <class Probe> int if_there(int source, int tag, MPI_Comm comm, int *flag, Probe probe) {
    constexpr int kUnchanged = -1;
    *flag = kUnchanged;
    if (!tool_watches())
        return probe();
    const int error = PMPI_Iprobe(source, tag, comm, flag, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS || *flag == 0 || *flag == kUnchanged ? error : probe();
}

} // namespace

LOOMP_EXPORT int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    const Call call = {
        .name = "MPI_Probe", .comm = comm, .peer = source, .tag = tag, .from = LOOMP_CALLER};
    if (!in_task())
        return make_outside(call, [&] { return next::Probe(source, tag, comm, status); });
    return wait_until(call, [&](int *flag) {
        return if_there(source, tag, comm, flag,
                        [&] { return next::Iprobe(source, tag, comm, flag, status); });
    });
}

LOOMP_EXPORT int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                            MPI_Status *status) {
    const Call call = {
        .name = "MPI_Mprobe", .comm = comm, .peer = source, .tag = tag, .from = LOOMP_CALLER};
    if (!in_task())
        return make_outside(call, [&] { return next::Mprobe(source, tag, comm, message, status); });
    return wait_until(call, [&](int *flag) {
        return if_there(source, tag, comm, flag,
                        [&] { return next::Improbe(source, tag, comm, flag, message, status); });
    });
}
