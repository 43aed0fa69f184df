#include "common/ranks.h"

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mpi.h>

// Its functions are null on other runtimes.
#define LOOMP_WEAK
#include "loomp/loomp_mpi.h"

namespace apps::ranks {

namespace {

int own_rank = 0;
int all_ranks = 1;
loomp_speculation_t *iterations = nullptr; ///< iterations that may be cancelled

// MPI's own error handler ends the program before any other error is seen here.
int as_count(std::int64_t values) {
    if (values > std::numeric_limits<int>::max()) {
        std::fprintf(stderr, "a message of %lld values: at most 2^31 - 1 are possible\n",
                     static_cast<long long>(values));
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return static_cast<int>(values);
}

double reduce(double value, MPI_Op operation) {
    double result = 0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
    return result;
}

} // namespace

void start(int *argc, char ***argv) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &all_ranks);
    if (level != MPI_THREAD_MULTIPLE) {
        std::fprintf(stderr, "MPI calls in tasks need MPI_THREAD_MULTIPLE, which this MPI library "
                             "does not provide\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

void finish() { MPI_Finalize(); }

int rank() { return own_rank; }
int count() { return all_ranks; }

int largest_tag() {
    int *value = nullptr;
    int found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void *>(&value), &found);
    constexpr int guaranteed = 32767;
    return found != 0 ? *value : guaranteed;
}

void send(const double *data, std::int64_t values, int to, int tag) {
    MPI_Send(data, as_count(values), MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}

void receive(double *data, std::int64_t values, int from, int tag) {
    MPI_Recv(data, as_count(values), MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void gather(const double *own, double *all, const std::vector<std::int64_t> &counts) {
    std::vector<int> sizes;
    std::vector<int> places;
    std::int64_t place = 0;
    for (const std::int64_t count : counts) {
        sizes.push_back(as_count(count));
        places.push_back(as_count(place));
        place += count;
    }
    MPI_Gatherv(own, sizes[static_cast<std::size_t>(own_rank)], MPI_DOUBLE, all, sizes.data(),
                places.data(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void exchange(const std::vector<Message> &outgoing, const std::vector<Message> &incoming) {
    std::vector<MPI_Request> requests(outgoing.size() + incoming.size(), MPI_REQUEST_NULL);
    MPI_Request *next = requests.data();
    for (const Message &message : incoming) {
        MPI_Irecv(message.data, as_count(message.values), MPI_DOUBLE, message.peer, message.tag,
                  MPI_COMM_WORLD, next++);
    }
    for (const Message &message : outgoing) {
        MPI_Isend(message.data, as_count(message.values), MPI_DOUBLE, message.peer, message.tag,
                  MPI_COMM_WORLD, next++);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

struct Request::State {
    bool sends;
    Message message;
    MPI_Request request = MPI_REQUEST_NULL; // stays null with blocking calls
};

Request Request::to_send(const double *data, std::int64_t values, int to, int tag, Calls calls) {
    Request made;
    made.state_ = new State{true, {const_cast<double *>(data), values, to, tag}};
    if (calls == Calls::persistent)
        MPI_Send_init(data, as_count(values), MPI_DOUBLE, to, tag, MPI_COMM_WORLD,
                      &made.state_->request);
    return made;
}

Request Request::to_receive(double *data, std::int64_t values, int from, int tag, Calls calls) {
    Request made;
    made.state_ = new State{false, {data, values, from, tag}};
    if (calls == Calls::persistent)
        MPI_Recv_init(data, as_count(values), MPI_DOUBLE, from, tag, MPI_COMM_WORLD,
                      &made.state_->request);
    return made;
}

Request::~Request() {
    if (state_ != nullptr && state_->request != MPI_REQUEST_NULL)
        MPI_Request_free(&state_->request);
    delete state_;
}

void Request::begin() {
    const Message &message = state_->message;
    if (state_->request != MPI_REQUEST_NULL)
        MPI_Start(&state_->request);
    else if (state_->sends)
        send(message.data, message.values, message.peer, message.tag);
}

void Request::complete() {
    const Message &message = state_->message;
    if (state_->request != MPI_REQUEST_NULL)
        MPI_Wait(&state_->request, MPI_STATUS_IGNORE);
    else if (!state_->sends)
        receive(message.data, message.values, message.peer, message.tag);
}

bool waiting_frees_threads() { return loomp_speculation_begin_on != nullptr; }

bool can_stop_ahead() { return loomp_speculation_begin_on != nullptr; }
void begin_iterations() { iterations = loomp_speculation_begin_on(MPI_COMM_WORLD); }
bool next_iteration() { return loomp_speculation_next(iterations) >= 0; }
void stop_after_this_iteration() {
    loomp_speculation_cut(iterations, loomp_speculation_iteration(iterations));
}
int end_iterations() { return loomp_speculation_end(iterations); }

double sum(double value) { return reduce(value, MPI_SUM); }

void sum(double *values, std::int64_t count) {
    MPI_Allreduce(MPI_IN_PLACE, values, as_count(count), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

double least(double value) { return reduce(value, MPI_MIN); }

double most(double value) { return reduce(value, MPI_MAX); }
void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

} // namespace apps::ranks
