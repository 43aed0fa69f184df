#include "tests/simulated/mpi/program_messages.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <mpi.h>
#include <omp.h>

#include "loomp/TAMPI.h"
#include "loomp/mpi-detach.h"
#include "tests/simulated/machine.h"
#include "tests/simulated/mpi/network.h"
#include "tests/simulated/program_constructs.h"

namespace loomp::simulated {

namespace {

constexpr int kMost = 8; ///< integers of a message, and requests of an operation

std::atomic<int> next_tag{1};
MPI_Op sum_by_task = MPI_OP_NULL;
bool errors_return = false;

/// One run of an operation: its messages have its tag, so that nobody else has them.
struct Exchange {
    const Operation &operation;
    int tag = next_tag.fetch_add(kMost);
    MPI_Comm comm = new_communicator();
    int peer = other_rank();
    Content content{tag * 3, 1 + operation.amount % kMost};

    static int other_rank() {
        const auto others = static_cast<std::uint64_t>(ranks()) - 1;
        return others == 0 ? 0 : (own_rank() + 1 + static_cast<int>(any_below(others))) % ranks();
    }
    /// Most things take microseconds, and few take longer than threads spin.
    std::int64_t delay() const {
        constexpr std::int64_t longest[] = {1, 1000, 20'000, 1'000'000};
        return static_cast<std::int64_t>(
            any_below(static_cast<std::uint64_t>(longest[any_below(4)])));
    }
    void fill(int *data) const {
        for (int i = 0; i < content.count; ++i)
            data[i] = content.value + i;
    }
    void check(const int *data, const char *call) const {
        for (int i = 0; i < content.count; ++i)
            if (data[i] != content.value + i)
                wrong(operation, "%s: integer %d is %d instead of %d", call, i, data[i],
                      content.value + i);
    }
    void check(const int *data, const MPI_Status &status, const char *call) const {
        int count = 0;
        MPI_Get_count(&status, MPI_INT, &count);
        if (status.MPI_SOURCE != peer || status.MPI_TAG != tag || count != content.count)
            wrong(operation, "%s: status of rank %d, tag %d, %d integers instead of %d, %d, %d",
                  call, status.MPI_SOURCE, status.MPI_TAG, count, peer, tag, content.count);
        check(data, call);
    }
    void expect(int error, const char *call) const {
        if (error != MPI_SUCCESS)
            wrong(operation, "%s returned error %d", call, error);
    }
};

void receive(const Exchange &own) {
    int data[kMost] = {};
    MPI_Status status;
    peer_sends(own.peer, own.tag, own.comm, own.content, own.delay());
    const bool any = own.operation.nowait;
    own.expect(
        MPI_Recv(data, kMost, MPI_INT, any ? MPI_ANY_SOURCE : own.peer, own.tag, own.comm, &status),
        "MPI_Recv");
    own.check(data, status, "MPI_Recv");
}

void send(const Exchange &own) {
    int data[kMost] = {};
    own.fill(data);
    peer_receives(own.peer, own.tag, own.comm, own.content, own.delay());
    own.expect(own.operation.nowait
                   ? MPI_Ssend(data, own.content.count, MPI_INT, own.peer, own.tag, own.comm)
                   : MPI_Send(data, own.content.count, MPI_INT, own.peer, own.tag, own.comm),
               "MPI_Send");
    std::fill_n(data, kMost, -1);
}

void exchange(const Exchange &own) {
    int out[kMost] = {}, in[kMost] = {};
    MPI_Status status;
    own.fill(out);
    peer_receives(own.peer, own.tag, own.comm, own.content, own.delay());
    peer_sends(own.peer, own.tag, own.comm, own.content, own.delay());
    own.expect(MPI_Sendrecv(out, own.content.count, MPI_INT, own.peer, own.tag, in, kMost, MPI_INT,
                            own.peer, own.tag, own.comm, &status),
               "MPI_Sendrecv");
    own.check(in, status, "MPI_Sendrecv");
}

/// Receives of several messages; each has a tag and a value of its own.
struct Several {
    MPI_Request requests[kMost];
    int data[kMost] = {};
    int count;

    Several(const Exchange &own, std::int64_t longest) : count(own.content.count) {
        for (int i = 0; i < count; ++i) {
            const auto late = std::min(own.delay(), longest);
            peer_sends(own.peer, own.tag + i, own.comm, {own.content.value + i, 1}, late);
            own.expect(
                MPI_Irecv(&data[i], 1, MPI_INT, own.peer, own.tag + i, own.comm, &requests[i]),
                "MPI_Irecv");
        }
    }
};

void wait_for_all(const Exchange &own) {
    Several several(own, 1'000'000);
    MPI_Status statuses[kMost];
    own.expect(MPI_Waitall(several.count, several.requests, statuses), "MPI_Waitall");
    own.check(several.data, "MPI_Waitall");
    for (int i = 0; i < several.count; ++i)
        if (statuses[i].MPI_TAG != own.tag + i || several.requests[i] != MPI_REQUEST_NULL)
            wrong(own.operation, "MPI_Waitall: status %d has tag %d", i, statuses[i].MPI_TAG);
}

void wait_for_any(const Exchange &own) {
    Several several(own, 1'000'000);
    for (int i = 0; i < several.count; ++i) {
        int index = -1;
        MPI_Status status;
        own.expect(MPI_Waitany(several.count, several.requests, &index, &status), "MPI_Waitany");
        if (index < 0 || index >= several.count || status.MPI_TAG != own.tag + index ||
            several.data[index] != own.content.value + index)
            wrong(own.operation, "MPI_Waitany: request %d with tag %d", index, status.MPI_TAG);
        several.data[index] = -1; // and so a second time is wrong
    }
    int index = 0;
    MPI_Waitany(several.count, several.requests, &index, MPI_STATUS_IGNORE);
    if (index != MPI_UNDEFINED)
        wrong(own.operation, "MPI_Waitany without requests: %d", index);
}

void wait_for_some(const Exchange &own) {
    Several several(own, 1'000'000);
    for (int left = several.count; left > 0;) {
        int found = 0;
        int indices[kMost];
        MPI_Status statuses[kMost];
        own.expect(MPI_Waitsome(several.count, several.requests, &found, indices, statuses),
                   "MPI_Waitsome");
        if (found < 1 || found > left)
            wrong(own.operation, "MPI_Waitsome: %d of %d", found, left);
        for (int i = 0; i < found; ++i) {
            const int index = indices[i];
            if (statuses[i].MPI_TAG != own.tag + index ||
                several.data[index] != own.content.value + index)
                wrong(own.operation, "MPI_Waitsome: request %d with tag %d", index,
                      statuses[i].MPI_TAG);
            several.data[index] = -1;
        }
        left -= found;
    }
}

void test_and_yield(const Exchange &own) {
    Several several(own, 20'000);
    for (int flag = 0; flag == 0;) {
        own.expect(MPI_Testall(several.count, several.requests, &flag, MPI_STATUSES_IGNORE),
                   "MPI_Testall");
        if (flag == 0) {
#pragma omp taskyield
        }
    }
    own.check(several.data, "MPI_Testall");
}

void probe(const Exchange &own) {
    int data[kMost] = {};
    MPI_Status status, received;
    peer_sends(own.peer, own.tag, own.comm, own.content, own.delay());
    if (own.operation.nowait) {
        MPI_Message message = MPI_MESSAGE_NULL;
        own.expect(MPI_Mprobe(MPI_ANY_SOURCE, own.tag, own.comm, &message, &status), "MPI_Mprobe");
        own.expect(MPI_Mrecv(data, kMost, MPI_INT, &message, &received), "MPI_Mrecv");
    } else {
        own.expect(MPI_Probe(MPI_ANY_SOURCE, own.tag, own.comm, &status), "MPI_Probe");
        own.expect(MPI_Recv(data, kMost, MPI_INT, status.MPI_SOURCE, own.tag, own.comm, &received),
                   "MPI_Recv");
    }
    own.check(data, status, "MPI_Probe");
    own.check(data, received, "MPI_Recv");
}

void persistent(const Exchange &own) {
    int out[kMost] = {}, in[kMost] = {};
    MPI_Request send = MPI_REQUEST_NULL, receive = MPI_REQUEST_NULL;
    own.fill(out);
    MPI_Send_init(out, own.content.count, MPI_INT, own.peer, own.tag, own.comm, &send);
    MPI_Recv_init(in, kMost, MPI_INT, own.peer, own.tag, own.comm, &receive);
    for (int i = 0; i < 2; ++i) {
        MPI_Status status;
        peer_receives(own.peer, own.tag, own.comm, own.content, own.delay());
        peer_sends(own.peer, own.tag, own.comm, own.content, own.delay());
        MPI_Start(&receive);
        MPI_Start(&send);
        own.expect(MPI_Wait(&send, MPI_STATUS_IGNORE), "MPI_Wait");
        own.expect(MPI_Wait(&receive, &status), "MPI_Wait");
        own.check(in, status, "MPI_Wait");
        std::fill_n(in, kMost, -1);
    }
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
}

void cancel(const Exchange &own) {
    int data[kMost] = {};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int flag = 0;
    MPI_Irecv(data, kMost, MPI_INT, own.peer, own.tag, own.comm, &request);
    MPI_Cancel(&request);
    own.expect(MPI_Wait(&request, &status), "MPI_Wait");
    MPI_Test_cancelled(&status, &flag);
    if (flag == 0)
        wrong(own.operation, "a receive without a message was not cancelled");
}

/// The rank ends after its first message: the second one never comes.
void lose_a_rank(const Exchange &own) {
    int data[2] = {-1, -1};
    MPI_Request requests[2];
    MPI_Status statuses[2];
    peer_sends(own.peer, own.tag, own.comm, {own.content.value, 1}, own.delay());
    for (int i = 0; i < 2; ++i)
        MPI_Irecv(&data[i], 1, MPI_INT, own.peer, own.tag + i, own.comm, &requests[i]);
    peer_ends(own.peer, own.comm, own.delay());
    const int error = MPI_Waitall(2, requests, statuses);
    if (error != MPI_ERR_IN_STATUS || statuses[0].MPI_ERROR != MPI_SUCCESS ||
        statuses[1].MPI_ERROR != MPI_ERR_OTHER || data[0] != own.content.value)
        wrong(own.operation, "a rank that ends: errors %d, %d, %d, %d instead of %d", error,
              statuses[0].MPI_ERROR, statuses[1].MPI_ERROR, data[0], own.content.value);
    if (requests[0] != MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL)
        wrong(own.operation, "a request outlives the error of its list");
    const int again = MPI_Recv(data, 1, MPI_INT, own.peer, own.tag, own.comm, MPI_STATUS_IGNORE);
    if (again != MPI_ERR_OTHER)
        wrong(own.operation, "a message of a rank that has ended: error %d", again);
}

void receive_too_much(const Exchange &own) {
    if (!errors_return)
        return;
    if (own.operation.nowait)
        return lose_a_rank(own);
    int data = -1, error_class = MPI_SUCCESS;
    peer_sends(own.peer, own.tag, own.comm, {own.content.value, 2}, own.delay());
    const int error = MPI_Recv(&data, 1, MPI_INT, own.peer, own.tag, own.comm, MPI_STATUS_IGNORE);
    MPI_Error_class(error, &error_class);
    if (error_class != MPI_ERR_TRUNCATE || data != own.content.value)
        wrong(own.operation, "a message that is too long: error %d, %d instead of %d", error_class,
              data, own.content.value);
}

// --- Collectives ---------------------------------------------------------------------------------

bool collectives_block() {
    const char *const setting = std::getenv("LOOMP_MPI_COLLECTIVES");
    return setting != nullptr && setting[0] == 'b';
}

void barrier(const Exchange &own) {
    if (ranks() > 1)
        peers_join(own.comm, Collective::barrier, collectives_block(), 0, own.delay());
    own.expect(MPI_Barrier(own.comm), "MPI_Barrier");
}

void sum(const Exchange &own) {
    const int given = own.tag, others = ranks() > 1 ? own.operation.amount : 0;
    int result = -1;
    if (ranks() > 1)
        peers_join(own.comm, Collective::sum, collectives_block(), others, own.delay());
    own.expect(MPI_Allreduce(&given, &result, 1, MPI_INT,
                             own.operation.nowait ? sum_by_task : MPI_SUM, own.comm),
               "MPI_Allreduce");
    if (result != given + others)
        wrong(own.operation, "MPI_Allreduce: %d instead of %d", result, given + others);
}

void duplicate(const Exchange &own) {
    MPI_Comm made = MPI_COMM_NULL;
    if (ranks() > 1)
        peers_join(own.comm, Collective::duplicate, true, 0, own.delay());
    own.expect(MPI_Comm_dup(own.comm, &made), "MPI_Comm_dup");
    if (ranks() > 1)
        peers_join(made, Collective::barrier, collectives_block(), 0, own.delay());
    own.expect(MPI_Barrier(made), "MPI_Barrier");
}

/// The library calls it, perhaps in another thread's call.
void add_by_task(void *from, void *to, int *, MPI_Datatype *) {
    int *const sum = static_cast<int *>(to);
    const int other = *static_cast<int *>(from);
    work(5);
#pragma omp task firstprivate(sum, other)
    {
        work(5);
        *sum += other;
    }
#pragma omp taskwait
}

// --- Operations with tasks of their own ----------------------------------------------------------

/// Memory of an operation that ends after it. It is never freed: the process ends with the run.
struct Kept {
    Exchange own;
    int data[kMost] = {};
    char mark = 0;
};

void check_later(Kept *kept, const char *call) {
#pragma omp task depend(in : kept->mark) firstprivate(kept, call)
    kept->own.check(kept->data, call);
}

/// Some of the list have arrived before the call.
void complete_by_list(Kept &kept) {
    const Exchange &own = kept.own;
    MPI_Request requests[kMost];
    for (int i = 0; i < own.content.count; ++i) {
        peer_sends(own.peer, own.tag + i, own.comm, {own.content.value + i, 1},
                   i % 2 == 0 ? 1 : own.delay());
        MPI_Irecv(&kept.data[i], 1, MPI_INT, own.peer, own.tag + i, own.comm, &requests[i]);
    }
    work(own.operation.amount * 4);
    own.expect(TAMPI_Iwaitall(own.content.count, requests, MPI_STATUSES_IGNORE), "TAMPI_Iwaitall");
}

void complete_by_request(const Operation &operation) {
    auto *const kept = new Kept{Exchange{operation}};
#pragma omp task depend(out : kept->mark) firstprivate(kept)
    {
        const Exchange &own = kept->own;
        MPI_Request request = MPI_REQUEST_NULL;
        if (own.operation.nowait) {
            complete_by_list(*kept);
        } else {
            peer_sends(own.peer, own.tag, own.comm, own.content, own.delay());
            MPI_Irecv(kept->data, kMost, MPI_INT, own.peer, own.tag, own.comm, &request);
            own.expect(TAMPI_Iwait(&request, MPI_STATUS_IGNORE), "TAMPI_Iwait");
        }
        work(3);
    }
    check_later(kept, "TAMPI_Iwait");
}

void fulfil(void *event) {
    omp_fulfill_event(static_cast<omp_event_handle_t>(reinterpret_cast<std::uintptr_t>(event)));
}

void complete_by_event(const Operation &operation) {
    auto *const kept = new Kept{Exchange{operation}};
    omp_event_handle_t event;
#pragma omp task depend(out : kept->mark) firstprivate(kept) detach(event)
    {
        const Exchange &own = kept->own;
        MPI_Request request = MPI_REQUEST_NULL;
        peer_sends(own.peer, own.tag, own.comm, own.content, own.delay());
        MPI_Irecv(kept->data, kMost, MPI_INT, own.peer, own.tag, own.comm, &request);
        MPIX_Detach(&request, fulfil, reinterpret_cast<void *>(static_cast<std::uintptr_t>(event)));
    }
    check_later(kept, "MPIX_Detach");
}

/// Collectives of one communicator, which a dependence orders.
void join_in_turn(const Operation &operation) {
    auto *const kept = new Kept{Exchange{operation}};
    for (int i = 0; i < 2 + operation.amount % 4; ++i) {
#pragma omp task depend(inout : kept->mark) firstprivate(kept)
        kept->own.operation.amount % 3 == 0 ? barrier(kept->own) : sum(kept->own);
    }
}

/// A task waits for a message that another one sends: each may run first.
void meet_in_tasks(const Operation &operation) {
    auto *const kept = new Kept{Exchange{operation}};
    kept->own.peer = own_rank();
#pragma omp task firstprivate(kept)
    {
        int data[kMost] = {};
        MPI_Status status;
        const Exchange &own = kept->own;
        own.expect(MPI_Recv(data, kMost, MPI_INT, own_rank(), own.tag, own.comm, &status),
                   "MPI_Recv");
        own.check(data, status, "MPI_Recv");
    }
#pragma omp task firstprivate(kept)
    {
        const Exchange &own = kept->own;
        own.fill(kept->data);
        own.expect(
            own.operation.nowait
                ? MPI_Ssend(kept->data, own.content.count, MPI_INT, own_rank(), own.tag, own.comm)
                : MPI_Send(kept->data, own.content.count, MPI_INT, own_rank(), own.tag, own.comm),
            "MPI_Send");
        std::fill_n(kept->data, kMost, -1);
    }
}

/// Many tasks wait at once.
void wait_in_many(const Operation &operation) {
    for (int i = 0; i < 3 + operation.amount % 10; ++i) {
        const Operation *const each = &operation;
#pragma omp task firstprivate(each)
        receive(Exchange{*each});
    }
}

} // namespace

void begin_messages() {
    MPI_Init(nullptr, nullptr);
    errors_return = any_below(3) == 0;
    if (errors_return)
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Op_create(add_by_task, 1, &sum_by_task);
}

void end_messages() {
    check_nothing_is_left();
    MPI_Finalize();
}

void print_messages() { print_network(); }

void run_messages(const Operation &operation) {
    constexpr void (*with_peer[])(const Exchange &) = {
        receive,        send,  exchange,   wait_for_all, wait_for_any,    wait_for_some,
        test_and_yield, probe, persistent, cancel,       receive_too_much};
    constexpr void (*for_all[])(const Exchange &) = {barrier, sum, duplicate};
    constexpr void (*with_tasks[])(const Operation &) = {
        complete_by_request, wait_in_many, join_in_turn, complete_by_event, meet_in_tasks};
    constexpr std::size_t peers = std::size(with_peer), all = std::size(for_all);
    const auto variant = static_cast<std::size_t>(operation.variant);
    if (variant < peers) {
        if (ranks() > 1)
            with_peer[variant](Exchange{operation});
    } else if (variant < peers + all) {
        for_all[variant - peers](Exchange{operation});
    } else if (ranks() > 1 || variant == peers + all + 4) {
        // Included tasks would wait for those that their creator makes afterwards.
        if (omp_in_final() == 0 || variant < peers + all + 3)
            with_tasks[variant - peers - all](operation);
    }
}

} // namespace loomp::simulated
