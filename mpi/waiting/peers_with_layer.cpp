#include "mpi/waiting/peers_with_layer.h"

#include <cstdio>

#include "mpi/waiting/interception.h"

namespace loomp::mpi {

Atomic<bool> layer::may_lack{false};

namespace {

// Constant while calls are intercepted.
MPI_Group with_layer = MPI_GROUP_NULL;
/// The attribute of a communicator that has its answer: the address of kAll, or of another.
int answer = MPI_KEYVAL_INVALID;
bool whole_job = true;
bool has_tasks = true; ///< the whole job

const char kAll = 0;
const char kSome = 0;
Atomic<bool> reported{false};

bool is_within(MPI_Group group) {
    MPI_Group others = MPI_GROUP_NULL;
    int count = 0;
    PMPI_Group_difference(group, with_layer, &others);
    PMPI_Group_size(others, &count);
    if (others != MPI_GROUP_EMPTY)
        PMPI_Group_free(&others);
    return count == 0;
}

bool find(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    int joins_groups = 0;
    PMPI_Comm_group(comm, &group);
    bool all = is_within(group);
    PMPI_Group_free(&group);
    PMPI_Comm_test_inter(comm, &joins_groups);
    if (all && joins_groups != 0) {
        PMPI_Comm_remote_group(comm, &group);
        all = is_within(group);
        PMPI_Group_free(&group);
    }
    return all;
}

/// The job's own ranks have been reported at its start. A program without tasks is silent.
void report_other_jobs(const Call &call, MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0 && whole_job && active() && !reported.exchange(true, std::memory_order_relaxed))
        std::fprintf(stderr,
                     "loomp: %s with processes of another job, which may lack the MPI layer: such "
                     "collectives stay the library's own, and a thread makes them for a task\n",
                     call.name);
}

} // namespace

void learn_ranks_without_layer(int count, const int *ranks, bool all_have_tasks) {
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_excl(world, count, ranks, &with_layer);
    PMPI_Group_free(&world);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &answer, nullptr);
    whole_job = count == 0;
    has_tasks = all_have_tasks;
    PMPI_Comm_get_parent(&parent);
    layer::may_lack.store(count > 0 || parent != MPI_COMM_NULL, std::memory_order_relaxed);
}

bool job_has_layer() { return whole_job; }
bool job_has_tasks() { return has_tasks; }

void expect_other_jobs() { layer::may_lack.store(true, std::memory_order_relaxed); }

void forget_layers() {
    if (answer == MPI_KEYVAL_INVALID)
        return;
    layer::may_lack.store(false, std::memory_order_relaxed);
    PMPI_Comm_free_keyval(&answer);
    if (with_layer != MPI_GROUP_EMPTY)
        PMPI_Group_free(&with_layer);
}

bool layer::all_have(const Call &call, MPI_Comm comm) {
    void *known = nullptr;
    int is_known = 0;
    PMPI_Comm_get_attr(comm, answer, &known, &is_known);
    if (is_known != 0)
        return known == &kAll;
    const bool all = find(comm);
    // Two threads may both store the answer, which is the same.
    PMPI_Comm_set_attr(comm, answer, const_cast<char *>(all ? &kAll : &kSome));
    if (!all)
        report_other_jobs(call, comm);
    return all;
}

} // namespace loomp::mpi
