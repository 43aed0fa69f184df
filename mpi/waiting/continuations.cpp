#include "mpi/waiting/continuations.h"

#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <utility>

#include "mpi/interface/detached.h"
#include "mpi/interface/handle.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/callbacks.h"
#include "mpi/waiting/errors.h"
#include "mpi/waiting/interception.h"
#include "mpi/waiting/request_origin.h"
#include "profiler/format/format.h"

namespace loomp::mpi {

namespace {

/// Notifies the recorder, if it is in the process.
class ToldRecorder {
  public:
    void detached(int count, const MPI_Request *requests, bool holds_task) {
        static const auto tell =
            reinterpret_cast<record::DetachFunction *>(dlsym(RTLD_DEFAULT, "loomp_record_detach"));
        what_ = nullptr;
        if (tell == nullptr || count <= 0)
            return;
        auto *handles = static_cast<record::Handle *>(
            std::malloc(static_cast<std::size_t>(count) * sizeof(record::Handle)));
        for (int i = 0; handles != nullptr && i < count; ++i)
            handles[i] = requests[i] == MPI_REQUEST_NULL ? 0 : record::handle_of(requests[i]);
        if (handles != nullptr)
            what_ = tell(count, handles, holds_task);
        std::free(handles);
    }
    /// `statuses` is null if the requests will not complete.
    void completed(int count, const MPI_Status *statuses) {
        if (what_ == nullptr)
            return;
        static const auto tell = reinterpret_cast<record::DetachedFunction *>(
            dlsym(RTLD_DEFAULT, "loomp_record_detached"));
        auto *results = static_cast<record::DetachedResult *>(
            std::malloc(static_cast<std::size_t>(count) * sizeof(record::DetachedResult)));
        for (int i = 0; statuses != nullptr && results != nullptr && i < count; ++i) {
            int cancelled = 0;
            PMPI_Test_cancelled(&statuses[i], &cancelled);
            results[i] = {record::pack(static_cast<std::uint32_t>(statuses[i].MPI_SOURCE),
                                       static_cast<std::uint32_t>(statuses[i].MPI_TAG)),
                          cancelled != 0};
        }
        what_ = tell(what_, statuses != nullptr ? results : nullptr);
        std::free(results);
    }
    void called_back() const {
        if (what_ == nullptr)
            return;
        static const auto tell = reinterpret_cast<record::CalledBackFunction *>(
            dlsym(RTLD_DEFAULT, "loomp_record_called_back"));
        tell(what_);
    }

  private:
    void *what_;
};

/// The lists that it points to follow it in its block.
struct Continued : Operation {
    Continuation continuation;
    ToldRecorder recorder;
    int all; ///< `count` counts those that were pending
    MPI_Request *copies;
    MPI_Status *results;
    int *pending_ones;
};

void call_and_free(Operation &operation) {
    auto &self = static_cast<Continued &>(operation);
    self.recorder.completed(self.all, self.results);
    for (int i = 0; i < self.all && !self.continuation.gives_statuses; ++i)
        if (self.results[i].MPI_ERROR != MPI_SUCCESS)
            report_unreturned(self.call, self.results[i].MPI_ERROR);
    const auto call = [&self] {
        self.continuation.call(self.continuation, self.all, self.results);
        return 0;
    };
    loomp_in_task() != 0 ? call() : calling_back(call);
    self.recorder.called_back();
    std::free(&self);
    count_unwaited(-1);
}

Continued *make(int count) {
    const auto n = static_cast<std::size_t>(count);
    // Statuses come first, because the struct's size keeps their alignment. The place of the
    // requests is rounded up.
    static_assert(sizeof(Continued) % alignof(MPI_Status) == 0);
    static_assert(sizeof(MPI_Status) % alignof(int) == 0);
    const std::size_t requests_at =
        (sizeof(Continued) + n * sizeof(MPI_Status) + alignof(MPI_Request) - 1) /
        alignof(MPI_Request) * alignof(MPI_Request);
    char *block =
        static_cast<char *>(std::malloc(requests_at + n * (sizeof(MPI_Request) + sizeof(int))));
    if (block == nullptr)
        return nullptr;
    auto *self = new (block) Continued;
    self->all = count;
    self->results = reinterpret_cast<MPI_Status *>(block + sizeof(Continued));
    self->copies = reinterpret_cast<MPI_Request *>(block + requests_at);
    self->pending_ones = reinterpret_cast<int *>(self->copies + n);
    return self;
}

} // namespace

int when_complete(const Call &call, int count, MPI_Request *requests,
                  const Continuation &continuation, Look look) {
    Continued *self = make(count < 0 ? 0 : count);
    if (self == nullptr)
        return MPI_ERR_NO_MEM;
    self->recorder.detached(count, requests, continuation.holds_task);
    forget_started(count, requests);
    int error = MPI_SUCCESS;
    int left = 0;
    for (int i = 0; i < count && error == MPI_SUCCESS; ++i) {
        int flag = 0;
        self->results[i].MPI_ERROR = MPI_SUCCESS;
        if (!active()) {
            flag = 1;
            error = make_for(call, [&] { return next::Wait(&requests[i], &self->results[i]); });
        } else if (look == Look::at_once) {
            error = test_for(call, &requests[i], &flag, &self->results[i]);
            // An error with a complete request is its operation's, not the test's. The status then
            // has the error, like that of requests that complete later.
            if (flag != 0)
                self->results[i].MPI_ERROR = std::exchange(error, MPI_SUCCESS);
        }
        if (flag == 0)
            self->pending_ones[left++] = i;
    }
    if (error != MPI_SUCCESS) {
        self->recorder.completed(count, nullptr);
        std::free(self);
        return error;
    }
    for (int i = 0; i < count; ++i) {
        self->copies[i] = requests[i];
        requests[i] = MPI_REQUEST_NULL;
    }
    self->call = call;
    self->continuation = continuation;
    self->completed = call_and_free;
    self->requests = self->copies;
    self->statuses = self->results;
    self->indices = self->pending_ones;
    self->errors_in_statuses = true;
    self->count = left;
    count_unwaited(1);
    if (left == 0)
        call_and_free(*self);
    else
        leave_to_poller(*self);
    return MPI_SUCCESS;
}

} // namespace loomp::mpi
