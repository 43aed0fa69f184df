#include "mpi/waiting/stand_in.h"

#include <climits>
#include <cstdlib>

#include "mpi/waiting/errors.h"
#include "mpi/waiting/stuck.h"
#include "mpi/waiting/wait_in_task.h"
#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/system_mutex.h"
#include "platform/threads.h"

namespace loomp::mpi {

namespace {

/// A group of stand-ins, with the queue of calls that they must make, in order of arrival.
class StandIns {
  public:
    explicit StandIns(int most) : most_(most) {}
    void make(StandInCall &call);
    void end();
    /// Keeps them from ending while they are listed.
    SystemMutex &mutex() { return mutex_; }
    void list(WaitingCalls &calls) const;

  private:
    struct Thread {
        StandIns *owner;
        ThreadHandle handle;
        StandInCall *making;
        Thread *next;
    };

    static void *run(void *thread);
    /// Makes the call in the calling task's thread. The task of the next one does that, too.
    void make_here(StandInCall &call);
    void serve(Thread &thread);
    /// False if the system cannot create more. The callers of this and of the functions below hold
    /// mutex_.
    bool add_thread();
    /// True if the call must wait for one of its communicator. It is made after that one.
    bool must_wait_for_turn(StandInCall &call);
    /// The call whose turn comes after this one, which is complete; null if there is none.
    StandInCall *next_turn(const StandInCall &call);
    void put(StandInCall &call);
    StandInCall &take();

    const int most_;
    SystemMutex mutex_; ///< guards the following fields
    ConditionVariable changed_;
    StandInCall *first_ = nullptr;
    StandInCall **last_ = &first_;
    int queued_ = 0; ///< calls in the list
    int idle_ = 0;   ///< stand-ins that will look at the list
    int count_ = 0;
    Thread *threads_ = nullptr;
    /// The last call of each communicator whose calls are made in turn, incomplete ones only.
    StandInCall *turns_ = nullptr;
    bool ending_ = false;
};

/// Finished calls that the poller does not know yet.
Atomic<int> finished{0};

/// A call that waits for other ranks gets its own stand-in; a few stand-ins serve the calls for
/// devices. The groups are never destroyed, because stand-ins still wait if the process exits
/// without MPI_Finalize.
auto &for_ranks = *new StandIns(INT_MAX);
auto &for_devices = *new StandIns(8);

void StandIns::put(StandInCall &call) {
    call.next = nullptr;
    *last_ = &call;
    last_ = &call.next;
    ++queued_;
}

StandInCall &StandIns::take() {
    StandInCall &call = *first_;
    first_ = call.next;
    if (first_ == nullptr)
        last_ = &first_;
    --queued_;
    return call;
}

bool StandIns::must_wait_for_turn(StandInCall &call) {
    if (call.in_turn == MPI_COMM_NULL)
        return false;
    StandInCall **place = &turns_;
    while (*place != nullptr && (*place)->in_turn != call.in_turn)
        place = &(*place)->other_turns;
    StandInCall *const last = *place;
    call.other_turns = last == nullptr ? nullptr : last->other_turns;
    *place = &call;
    if (last != nullptr)
        last->after_this = &call;
    return last != nullptr;
}

StandInCall *StandIns::next_turn(const StandInCall &call) {
    if (call.in_turn != MPI_COMM_NULL && call.after_this == nullptr) { // so it is in the list
        StandInCall **place = &turns_;
        while (*place != &call)
            place = &(*place)->other_turns;
        *place = call.other_turns;
    }
    return call.after_this;
}

void StandIns::serve(Thread &thread) {
    std::unique_lock<SystemMutex> lock(mutex_);
    for (;;) {
        while (first_ == nullptr) {
            if (ending_)
                return;
            changed_.wait(lock);
        }
        --idle_;
        for (StandInCall *call = &take(); call != nullptr;) {
            thread.making = call;
            lock.unlock();
            call->result = make_for(call->call, [&] { return call->make(*call); });
            lock.lock();
            StandInCall *const next = next_turn(*call);
            // relaxed: only the count matters.
            finished.fetch_add(1, std::memory_order_relaxed);
            loomp_resume(&call->done); // the call may no longer exist
            call = next;
        }
        ++idle_;
        thread.making = nullptr;
    }
}

void *StandIns::run(void *thread) {
    auto *self = static_cast<Thread *>(thread);
    self->owner->serve(*self);
    return nullptr;
}

bool StandIns::add_thread() {
    auto *thread = static_cast<Thread *>(std::malloc(sizeof(Thread)));
    if (thread == nullptr)
        return false;
    *thread = {this, {}, nullptr, nullptr};
    if (start_thread(run, thread, {.handle = &thread->handle}) != 0) {
        std::free(thread);
        return false;
    }
    thread->next = threads_;
    threads_ = thread;
    ++count_;
    ++idle_;
    return true;
}

void StandIns::make_here(StandInCall &call) {
    call.result = make_for(call.call, [&] { return call.make(call); });
    StandInCall *next = nullptr;
    {
        const std::lock_guard<SystemMutex> lock(mutex_);
        next = next_turn(call);
    }
    if (next != nullptr) {
        next->by_task = true;                             // loomp_resume() publishes it
        finished.fetch_add(1, std::memory_order_relaxed); // only the count matters
        loomp_resume(&next->done);
    }
}

void StandIns::make(StandInCall &call) {
    bool served = false;
    call.since = core::coarse_nanoseconds();
    {
        const std::lock_guard<SystemMutex> lock(mutex_);
        const bool waits = must_wait_for_turn(call);
        served = waits || idle_ > queued_ || (count_ < most_ && add_thread()) ||
                 (most_ != INT_MAX && count_ > 0);
        if (served)
            expect_one();
        if (served && !waits)
            put(call);
    }
    if (!served) { // no more threads in this system: the task's thread makes the call
        make_here(call);
        return;
    }
    changed_.notify_one();
    loomp_suspend(&call.done);
    if (call.by_task)
        make_here(call);
}

void StandIns::list(WaitingCalls &calls) const {
    const auto add = [&](const StandInCall *call) {
        for (; call != nullptr; call = call->after_this)
            calls.add(call->call, call->since, call->done);
    };
    for (const Thread *thread = threads_; thread != nullptr; thread = thread->next)
        add(thread->making);
    for (const StandInCall *call = first_; call != nullptr; call = call->next)
        add(call);
}

void StandIns::end() {
    Thread *thread = nullptr;
    {
        const std::lock_guard<SystemMutex> lock(mutex_);
        ending_ = true;
        thread = threads_;
    }
    changed_.notify_all();
    while (thread != nullptr) {
        join_thread(thread->handle);
        Thread *next = thread->next;
        std::free(thread);
        thread = next;
    }
}

} // namespace

int wait_for_members(const Call &call, MPI_Comm members) {
    MPI_Request all_come = MPI_REQUEST_NULL;
    int error = check_comm(call, members);
    if (error != MPI_SUCCESS || !layer::all_have_tasks(call, members))
        return error;
    Call waiting = call;
    waiting.is_layers = true;
    error = make_for(waiting, [&] { return PMPI_Ibarrier(members, &all_come); });
    return error != MPI_SUCCESS ? error : wait_for(waiting, &all_come, MPI_STATUS_IGNORE);
}

void make_by_stand_in(StandInCall &call) {
    (call.waits == Waits::for_device ? for_devices : for_ranks).make(call);
}

int take_finished_calls() { return finished.exchange(0, std::memory_order_relaxed); }

StandInLocks list_stand_ins(WaitingCalls &calls) {
    StandInLocks locks{for_ranks.mutex(), for_devices.mutex()};
    for_ranks.list(calls);
    for_devices.list(calls);
    return locks;
}

void end_stand_ins() {
    for_ranks.end();
    for_devices.end();
}

} // namespace loomp::mpi
