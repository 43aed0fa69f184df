#include "mpi/calls/joint_speculation.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <deque>
#include <functional>
#include <vector>

#include "loomp/loomp_mpi.h"
#include "mpi/interface/next_calls.h"
#include "mpi/waiting/stand_in.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/atomic.h"
#include "platform/export.h"
#include "platform/system_mutex.h"

namespace loomp::mpi {

namespace {

constexpr int kNone = INT_MAX; ///< no iteration is the last

loomp_speculation_t *refuse(const char *why) {
    std::fprintf(stderr, "loomp: loomp_speculation_begin_on: %s\n", why);
    return nullptr;
}

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

} // namespace

class Series {
  public:
    Series(MPI_Comm comm, MPI_Comm own, loomp_speculation_t *iterations);

    MPI_Comm comm() const { return comm_; }
    int iteration() const { return loomp_speculation_iteration(iterations_); }
    bool cut_off(int iteration) const { return iteration > loomp_speculation_last(iterations_); }

    void end();

    void count_send(int target) { add(sent_, target); }
    void count_receive(int source) { add(received_, source); }

  private:
    /// The poller's work for the series, from its beginning to the end of `drained_`.
    struct Service : Operation {
        explicit Service(Series &s) : series(s) {
            call = {.name = "loomp_speculation_end", .comm = s.comm()};
            test = [](Operation &self) { return static_cast<Service &>(self).series.serve(); };
        }
        Series &series;
    };

    void add(std::vector<int> &counts, int rank) {
        if (rank < 0)
            return; // MPI_PROC_NULL
        const std::lock_guard<SystemMutex> guard(mutex_);
        ++counts[at(rank)];
    }
    bool serve();
    void tell_others(int last);
    void hear();
    void listen_to(int other) {
        PMPI_Irecv(&heard_[at(other)], 1, MPI_INT, other, 0, own_, &hearing_[at(other)]);
    }
    void drain();
    bool all_drained();

    const MPI_Comm comm_;
    const MPI_Comm own_;
    int rank_ = 0;
    int size_ = 1;
    loomp_speculation_t *const iterations_;
    SystemMutex mutex_;
    std::vector<int> sent_;     ///< to each rank; under mutex_
    std::vector<int> received_; ///< from each; under mutex_

    // The poller's.
    Service service_;
    int known_last_ = kNone; ///< the earliest that the others know
    bool told_all_ = false;
    std::deque<int> words_; ///< what they were told
    std::vector<MPI_Request> telling_;
    std::vector<int> heard_;
    std::vector<MPI_Request> hearing_;
    int unheard_; ///< ranks that may still have something to tell
    MPI_Request draining_ = MPI_REQUEST_NULL;
    int drained_from_ = 0;
    std::vector<char> scrap_;

    Atomic<bool> is_complete_{false}; ///< all tasks here
    loomp_suspension_t all_heard_ = LOOMP_SUSPENSION_INIT;
    std::vector<int> expected_;        ///< messages from each rank, in all
    Atomic<bool> is_expecting_{false}; ///< that is known
};

Series::Series(MPI_Comm comm, MPI_Comm own, loomp_speculation_t *iterations)
    : comm_(comm), own_(own), iterations_(iterations), service_(*this) {
    PMPI_Comm_rank(comm, &rank_);
    PMPI_Comm_size(comm, &size_);
    sent_.resize(at(size_));
    received_.resize(at(size_));
    heard_.resize(at(size_));
    hearing_.assign(at(size_), MPI_REQUEST_NULL);
    unheard_ = size_ - 1;
    for (int other = 0; other < size_; ++other)
        if (other != rank_)
            listen_to(other);
    if (unheard_ == 0)
        loomp_resume(&all_heard_);
    leave_to_poller(service_);
}

void Series::tell_others(int last) {
    words_.push_back(last);
    for (int other = 0; other < size_; ++other)
        if (other != rank_)
            PMPI_Isend(&words_.back(), 1, MPI_INT, other, 0, own_,
                       &telling_.emplace_back(MPI_REQUEST_NULL));
}

void Series::hear() {
    while (unheard_ > 0) {
        int found = MPI_UNDEFINED;
        int flag = 0;
        PMPI_Testany(size_, hearing_.data(), &found, &flag, MPI_STATUS_IGNORE);
        if (flag == 0 || found == MPI_UNDEFINED)
            return;
        const int last = heard_[at(found)];
        if (last != kNone) {
            loomp_speculation_cut(iterations_, last);
            known_last_ = std::min(known_last_, last);
            listen_to(found);
        } else if (--unheard_ == 0) {
            loomp_resume(&all_heard_);
        }
    }
}

/// Takes in what no task will.
void Series::drain() {
    for (;;) {
        int flag = 0;
        if (draining_ != MPI_REQUEST_NULL) {
            PMPI_Test(&draining_, &flag, MPI_STATUS_IGNORE);
            if (flag == 0)
                return;
            count_receive(drained_from_);
        }
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &flag, &message, &status);
        if (flag == 0)
            return;
        int bytes = 0;
        PMPI_Get_count(&status, MPI_BYTE, &bytes);
        scrap_.resize(std::max(scrap_.size(), at(std::max(bytes, 1))));
        drained_from_ = status.MPI_SOURCE;
        PMPI_Imrecv(scrap_.data(), bytes, MPI_BYTE, &message, &draining_);
    }
}

bool Series::all_drained() {
    const std::lock_guard<SystemMutex> guard(mutex_);
    // More have come only if the program has sent some by calls that the series is not for.
    return draining_ == MPI_REQUEST_NULL && std::equal(received_.begin(), received_.end(),
                                                       expected_.begin(), std::greater_equal<>());
}

bool Series::serve() {
    hear();
    // acquire: pairs with end(); the last iteration, read afterwards, does not change any more.
    const bool expecting = is_expecting_.load(std::memory_order_acquire);
    const bool complete = is_complete_.load(std::memory_order_acquire);
    const int last = loomp_speculation_last(iterations_);
    if (last < known_last_)
        tell_others(known_last_ = last);
    if (complete && !told_all_) {
        tell_others(kNone);
        told_all_ = true;
    }
    if (last != kNone && loomp_speculation_completed(iterations_, last) != 0)
        drain();
    return expecting && (last == kNone || all_drained());
}

void Series::end() {
    const Call ending = {.name = "loomp_speculation_end", .comm = comm_, .is_layers = true};
    // release: what tasks have cut off.
    is_complete_.store(true, std::memory_order_release);
    loomp_suspend(&all_heard_);
    const bool is_cut = loomp_speculation_last(iterations_) != kNone;
    if (is_cut) {
        expected_.resize(at(size_));
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Ialltoall(sent_.data(), 1, MPI_INT, expected_.data(), 1, MPI_INT, own_, &request);
        wait_for(ending, &request, MPI_STATUS_IGNORE);
    }
    // release: what is expected.
    is_expecting_.store(true, std::memory_order_release);
    loomp_suspend(&service_.done);
    if (is_cut) {
        // Nobody begins another series, whose messages a rank that still drains would take.
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Ibarrier(own_, &request);
        wait_for(ending, &request, MPI_STATUS_IGNORE);
    }
    wait_all(ending, static_cast<int>(telling_.size()), telling_.data(), MPI_STATUSES_IGNORE);
}

// --- The series there are ------------------------------------------------------------------------

namespace {

SystemMutex changing_series;
auto &all_series = *new std::vector<Series *>; ///< under changing_series

/// Communicates for the series on a communicator, kept with it. Freed with it.
int private_comm_key = MPI_KEYVAL_INVALID;

int free_private_comm(MPI_Comm, int, void *value, void *) {
    auto *own = static_cast<MPI_Comm *>(value);
    PMPI_Comm_free(own);
    delete own;
    return MPI_SUCCESS;
}

int private_comm(MPI_Comm comm, MPI_Comm &own) {
    static OnceFlag once;
    call_once(once, [] {
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_private_comm, &private_comm_key,
                                nullptr);
    });
    MPI_Comm *kept = nullptr;
    int found = 0;
    int error = PMPI_Comm_get_attr(comm, private_comm_key, static_cast<void *>(&kept), &found);
    if (error != MPI_SUCCESS)
        return error;
    if (found == 0) {
        kept = new MPI_Comm(MPI_COMM_NULL);
        // Suspends the task meanwhile. Tools do not see it.
        const auto duplicate = [&] { return inherited(comm, kept, PMPI_Comm_dup(comm, kept)); };
        error =
            elsewhere({.name = "MPI_Comm_dup", .comm = comm}, Waits::for_ranks, duplicate, comm);
        if (error == MPI_SUCCESS)
            error = PMPI_Comm_set_attr(comm, private_comm_key, kept);
    }
    own = *kept;
    return error;
}

void enter(Series *series) {
    const std::lock_guard<SystemMutex> guard(changing_series);
    all_series.push_back(series);
    joint_speculation::series_count = all_series.size();
}

void take_out(Series *series) {
    const std::lock_guard<SystemMutex> guard(changing_series);
    std::erase(all_series, series);
    joint_speculation::series_count = all_series.size();
}

Series *series_on(MPI_Comm comm) {
    const std::lock_guard<SystemMutex> guard(changing_series);
    const auto found =
        std::find_if(all_series.begin(), all_series.end(),
                     [comm](const Series *series) { return series->comm() == comm; });
    return found != all_series.end() ? *found : nullptr;
}

/// A receive of an iteration that may be cut off while it waits. Only the poller tests and cancels
/// it.
struct Receive : Operation {
    Receive(Series &s, const Call &c, MPI_Request &r)
        : series(s), iteration(s.iteration()), request(r) {
        call = c;
        test = [](Operation &self) { return static_cast<Receive &>(self).try_complete(); };
    }
    bool try_complete() {
        if (!asked_to_cancel && series.cut_off(iteration)) {
            asked_to_cancel = true;
            next::Cancel(&request);
        }
        int flag = 0;
        error = test_for(call, &request, &flag, &status);
        return flag != 0 || error != MPI_SUCCESS;
    }
    Series &series;
    int iteration;
    MPI_Request &request;
    bool asked_to_cancel = false;
    MPI_Status status;
};

} // namespace

namespace joint_speculation {

Atomic<std::size_t> series_count{0};

bool is_worth_sending(MPI_Comm comm) {
    Series *series = series_on(comm);
    return series == nullptr || !series->cut_off(series->iteration());
}

void count_send(MPI_Comm comm, int target) {
    if (Series *series = series_on(comm); series != nullptr)
        series->count_send(target);
}

int wait_for_receive(const Call &call, MPI_Request *request, MPI_Status *status) {
    Series *series = series_on(call.comm);
    if (series == nullptr)
        return wait_for(call, request, status);
    Receive operation(*series, call, *request);
    // No library overwrites this if it received nothing.
    operation.status.MPI_SOURCE = MPI_PROC_NULL;
    if (!operation.try_complete())
        suspend_until_complete(operation);
    int cancelled = 0;
    if (operation.error == MPI_SUCCESS)
        PMPI_Test_cancelled(&operation.status, &cancelled);
    // A message that was too long has arrived, too.
    if (cancelled == 0)
        series->count_receive(operation.status.MPI_SOURCE);
    if (status != MPI_STATUS_IGNORE) {
        operation.status.MPI_ERROR = status->MPI_ERROR;
        *status = operation.status;
    }
    return raise(call, operation.error);
}

} // namespace joint_speculation

} // namespace loomp::mpi

using namespace loomp::mpi;

LOOMP_EXPORT loomp_speculation_t *loomp_speculation_begin_on(MPI_Comm comm) {
    if (!active())
        return refuse("MPI calls are not taken over here: call it after MPI_Init, with a library "
                      "that provides MPI_THREAD_SERIALIZED or more");
    if (loomp_in_task() == 0)
        return refuse("call it in a parallel region, in the task that creates those of the "
                      "iterations");
    int between = 0;
    if (PMPI_Comm_test_inter(comm, &between) != MPI_SUCCESS)
        return nullptr;
    if (between != 0)
        return refuse("an intracommunicator is needed");
    if (series_on(comm) != nullptr)
        return refuse("this communicator has iterations already");
    MPI_Comm own = MPI_COMM_NULL;
    if (private_comm(comm, own) != MPI_SUCCESS)
        return nullptr;
    loomp_speculation_t *const iterations = loomp_speculation_begin();
    auto *const series = new Series(comm, own, iterations);
    enter(series);
    loomp_speculation_at_end(
        iterations,
        [](void *data) {
            auto *const ending = static_cast<Series *>(data);
            ending->end();
            take_out(ending);
            delete ending;
        },
        series);
    return iterations;
}
