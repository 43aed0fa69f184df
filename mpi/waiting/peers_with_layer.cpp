#include "mpi/waiting/peers_with_layer.h"

#include <cstdio>

#include "mpi/waiting/interception.h"

namespace loomp::mpi {

Atomic<bool> layer::may_lack{false};

namespace {

// Constant while calls are intercepted.
MPI_Group with_layer = MPI_GROUP_NULL;
MPI_Group with_tasks = MPI_GROUP_NULL; ///< within `with_layer`
/// The attribute of a communicator that has its answer: the address of one of the following.
int answer = MPI_KEYVAL_INVALID;
bool whole_job = true;

const char kAllHaveTasks = 0;
const char kAllHaveLayer = 0;
const char kSomeHaveLayer = 0;
Atomic<bool> reported{false};

bool is_within(MPI_Group group, MPI_Group whole) {
    MPI_Group others = MPI_GROUP_NULL;
    int count = 0;
    PMPI_Group_difference(group, whole, &others);
    PMPI_Group_size(others, &count);
    if (others != MPI_GROUP_EMPTY)
        PMPI_Group_free(&others);
    return count == 0;
}

/// True if the processes of all groups of the communicator `comm` are in `whole`.
bool are_within(MPI_Comm comm, MPI_Group whole) {
    MPI_Group group = MPI_GROUP_NULL;
    int joins_groups = 0;
    PMPI_Comm_group(comm, &group);
    bool all = is_within(group, whole);
    PMPI_Group_free(&group);
    PMPI_Comm_test_inter(comm, &joins_groups);
    if (all && joins_groups != 0) {
        PMPI_Comm_remote_group(comm, &group);
        all = is_within(group, whole);
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

void learn_ranks(const std::vector<int> &without_layer, const std::vector<int> &without_tasks) {
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    const auto group_without = [&](const std::vector<int> &ranks, MPI_Group *rest) {
        PMPI_Group_excl(world, static_cast<int>(ranks.size()), ranks.data(), rest);
    };
    group_without(without_layer, &with_layer);
    group_without(without_tasks, &with_tasks);
    PMPI_Group_free(&world);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &answer, nullptr);
    whole_job = without_layer.empty();
    PMPI_Comm_get_parent(&parent);
    // A session may have met another job already.
    if (!whole_job || parent != MPI_COMM_NULL)
        expect_other_jobs();
}

bool job_has_layer() { return whole_job; }

void expect_other_jobs() { layer::may_lack.store(true, std::memory_order_relaxed); }

void forget_layers() {
    if (answer == MPI_KEYVAL_INVALID)
        return;
    layer::may_lack.store(false, std::memory_order_relaxed);
    PMPI_Comm_free_keyval(&answer);
    for (MPI_Group *group : {&with_layer, &with_tasks})
        if (*group != MPI_GROUP_EMPTY)
            PMPI_Group_free(group);
}

namespace {

const void *answer_for(const Call &call, MPI_Comm comm) {
    void *known = nullptr;
    int is_known = 0;
    PMPI_Comm_get_attr(comm, answer, &known, &is_known);
    if (is_known != 0)
        return known;
    const char *const found = !are_within(comm, with_layer)  ? &kSomeHaveLayer
                              : are_within(comm, with_tasks) ? &kAllHaveTasks
                                                             : &kAllHaveLayer;
    // Two threads may both store the answer, which is the same.
    PMPI_Comm_set_attr(comm, answer, const_cast<char *>(found));
    if (found == &kSomeHaveLayer)
        report_other_jobs(call, comm);
    return found;
}

} // namespace

bool layer::all_have(const Call &call, MPI_Comm comm) {
    return answer_for(call, comm) != &kSomeHaveLayer;
}

bool layer::all_have_tasks(const Call &call, MPI_Comm comm) {
    return answer_for(call, comm) == &kAllHaveTasks;
}

} // namespace loomp::mpi
