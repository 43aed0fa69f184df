#include "mpi/unwaited.h"

#include <cstdlib>
#include <new>

#include "mpi/wait.h"

namespace loomp::mpi {

namespace {

/// Followed in its block by the lists that it names.
struct Unwaited : Operation {
    Continuation continuation;
    int all; ///< `count` is of those that were pending
    MPI_Request *copies;
    MPI_Status *results;
    int *pending_ones;
};

void call_and_free(Operation &operation) {
    auto &self = static_cast<Unwaited &>(operation);
    self.continuation.call(self.continuation, self.all, self.results);
    std::free(&self);
    count_unwaited(-1);
}

Unwaited *make(int count) {
    const auto n = static_cast<std::size_t>(count);
    // Statuses first: nothing in them is aligned more strictly than the requests that follow.
    static_assert(sizeof(Unwaited) % alignof(MPI_Status) == 0);
    static_assert(sizeof(MPI_Status) % alignof(int) == 0);
    const std::size_t requests_at =
        (sizeof(Unwaited) + n * sizeof(MPI_Status) + alignof(MPI_Request) - 1) /
        alignof(MPI_Request) * alignof(MPI_Request);
    char *block =
        static_cast<char *>(std::malloc(requests_at + n * (sizeof(MPI_Request) + sizeof(int))));
    if (block == nullptr)
        return nullptr;
    auto *self = new (block) Unwaited;
    self->all = count;
    self->results = reinterpret_cast<MPI_Status *>(block + sizeof(Unwaited));
    self->copies = reinterpret_cast<MPI_Request *>(block + requests_at);
    self->pending_ones = reinterpret_cast<int *>(self->copies + n);
    return self;
}

} // namespace

int when_complete(int count, MPI_Request *requests, const Continuation &continuation, Look look) {
    Unwaited *self = make(count < 0 ? 0 : count);
    if (self == nullptr)
        return MPI_ERR_NO_MEM;
    int error = MPI_SUCCESS;
    int left = 0;
    for (int i = 0; i < count && error == MPI_SUCCESS; ++i) {
        int flag = 1;
        self->results[i].MPI_ERROR = MPI_SUCCESS;
        if (!active())
            error = PMPI_Wait(&requests[i], &self->results[i]);
        else if (look == Look::at_once)
            error = PMPI_Test(&requests[i], &flag, &self->results[i]);
        else
            flag = 0;
        if (flag == 0)
            self->pending_ones[left++] = i;
    }
    if (error != MPI_SUCCESS) {
        std::free(self);
        return error;
    }
    for (int i = 0; i < count; ++i) {
        self->copies[i] = requests[i];
        requests[i] = MPI_REQUEST_NULL;
    }
    self->call.name = "operations that complete a task";
    self->continuation = continuation;
    self->completed = call_and_free;
    self->requests = self->copies;
    self->statuses = self->results;
    self->indices = self->pending_ones;
    self->count = left;
    count_unwaited(1);
    if (left == 0)
        call_and_free(*self);
    else
        leave_to_poller(*self);
    return MPI_SUCCESS;
}

} // namespace loomp::mpi
