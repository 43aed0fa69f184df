#include "runtime/core/regions/thread.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "platform/locks_at_fork.h"
#include "platform/pages.h"
#include "platform/threads.h"
#include "runtime/core/regions/teams.h"
#include "runtime/core/scheduling/scheduler.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/suspension/stack_overflow.h"
#include "runtime/core/team/affinity.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

namespace {

/// True for a member of the regions around the calling thread's task, whose ends the child of
/// fork() still meets.
bool works_around_the_caller(const Worker &worker) {
    const Worker *const caller = Worker::current_or_null();
    for (const Member *member = caller != nullptr ? caller->member : nullptr; member != nullptr;
         member = member->team->parent)
        for (int i = 0; i < member->team->capacity; ++i)
            if (member->team->members[i]->worker == &worker)
                return true;
    return false;
}

/// In the child of fork(). Otherwise a chain of children would need more workers in each.
void reuse_workers_of_lost_threads() {
    for (unsigned i = 0; i < worker_count(); ++i)
        if (Worker &worker = Worker::at(i); !worker.is_foreign && !works_around_the_caller(worker))
            reuse_after_fork(worker);
}

SpinLock pool_lock; ///< guards idle and warned
Worker *idle = nullptr;
bool warned = false;
Atomic<int> threads{0};
Atomic<int> retiring{0}; ///< threads that shall end and have not
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(pool_lock); },
                          [] {
                              idle = nullptr;
                              threads.store(0, std::memory_order_relaxed);
                              retiring.store(0, std::memory_order_relaxed);
                              reuse_workers_of_lost_threads();
                          });

/// Runs a worker's part of one region, from its implicit task's start to its arrival at the join.
void run_region(Worker &worker, Member &member) {
    Team &team = *member.team;
    team.modes.adopt();
    start_implicit_task(worker, member);
    bind_to_place(worker, member.place);
    LOOMP_TOOL(implicit_begin, member.implicit, static_cast<unsigned>(team.size),
               static_cast<unsigned>(member.num));
    LOOMP_TOOL(exit_frame, member.implicit, __builtin_frame_address(0));
    team.body(team.data, member);
    arrive_at_join(member);
}

/// Serves `member`'s team until it is disbanded.
void serve(Worker &worker, Member &member) {
    Team &team = *member.team;
    worker.enter(member, member.implicit);
    std::uint64_t seen = member.hire_word;
    // It was hired for the team's next region: one call wakes all that wait for this one. Later, a
    // smaller region shall leave it asleep.
    EventCount *dock = &team.event;
    for (;;) {
        // acquire: sees the region's description, published by the primary thread.
        if (member.in_region)
            schedule_until(
                [&team, seen] { return team.fork_word.load(std::memory_order_acquire) != seen; });
        else
            sleep_until(worker, *dock, [&team, &member, seen] {
                const std::uint64_t word = team.fork_word.load(std::memory_order_acquire);
                return word != seen && member.num < size_of_fork(word);
            });
        dock = &member.dock;
        seen = team.fork_word.load(std::memory_order_acquire);
        if (member.in_region) {
            member.in_region = false;
            LOOMP_TOOL(wait_end, SyncKind::barrier_parallel, member.implicit, true);
            LOOMP_TOOL(sync_end, SyncKind::barrier_parallel, member.implicit, true);
            end_implicit_task(member, 0);
        }
        if (size_of_fork(seen) == kEverybody)
            break;
        if (member.num >= size_of_fork(seen))
            continue;
        member.in_region = true;
        run_region(worker, member);
    }
    worker.member = nullptr;
    // release: the team's memory may be freed once all members have left.
    team.leaving.fetch_sub(1, std::memory_order_release);
}

/// A thread that nobody hires for so long ends. The threads of the program for which it worked have
/// ended, and a process may be allowed few threads.
constexpr std::int64_t kNanosecondsInPool = 1'000'000'000;

/// May change at once.
bool pool_is_empty() {
    const SpinGuard guard(pool_lock);
    return idle == nullptr;
}

/// Takes an idle worker out of the pool; returns null if `fits` is true for none.
template <class Fits> Worker *take_idle(Fits fits) {
    const SpinGuard guard(pool_lock);
    for (Worker **link = &idle; *link != nullptr; link = &(*link)->next_idle)
        if (Worker *worker = *link; fits(*worker)) {
            *link = worker->next_idle;
            return worker;
        }
    return nullptr;
}

/// Has the calling thread end, unless somebody has taken it out of the pool and is about to hire it
/// or to have it end. Under the lock, so that end_idle_threads() sees it on one side or the other.
void leave_pool(Worker &worker) {
    take_idle([&worker](const Worker &other) {
        if (&other == &worker)
            retire_thread(worker);
        return &other == &worker;
    });
}

/// Waits in the pool for a team to serve; null: the thread shall end.
Member *wait_in_pool(Worker &worker) {
    worker.traits = ThreadTraits::of_new_thread();
    {
        const SpinGuard guard(pool_lock);
        worker.next_idle = idle;
        idle = &worker;
    }
    const std::int64_t until = nanoseconds() + kNanosecondsInPool;
    Member *member = nullptr;
    worker.rest.begin();
    for (;;) {
        const std::uint32_t word = worker.hired_word.load(std::memory_order_acquire);
        member = worker.hired.exchange(nullptr, std::memory_order_acquire);
        if (member != nullptr || worker.retiring)
            break;
        if (nanoseconds() < until)
            futex_wait_until(worker.hired_word, word, until);
        else
            leave_pool(worker);
    }
    worker.rest.end();
    if (member != nullptr) {
        worker.traits.adopt();
        worker.place = -1;
    }
    return member;
}

std::size_t native_stack_size() {
    return std::max(round_up(smallest_thread_stack(), page_size()), pooled_stack_size());
}

void *thread_main(void *argument) {
    auto *member = static_cast<Member *>(argument);
    Worker &worker = *member->worker;
    Worker::set_current(&worker);
    worker.os_thread = this_thread_number();
    worker.rest.end();
    worker.native_base = static_cast<const char *>(__builtin_frame_address(0));
    worker.native_size = native_stack_size();
    watch_stack_overflow(worker);
    LOOMP_TOOL(thread_begin, worker);
    do {
        serve(worker, *member);
        member = worker.retiring ? nullptr : wait_in_pool(worker);
    } while (member != nullptr);
    retire_teams(worker);
    worker.rest.begin();
    LOOMP_TOOL(thread_end, worker);
    unwatch_stack_overflow(worker);
    retire_worker(worker);
    threads.fetch_sub(1, std::memory_order_relaxed);
    retiring.fetch_sub(1, std::memory_order_release);
    return nullptr;
}

/// After the system had no thread, nobody asks for one before this time: nanoseconds.
Atomic<std::int64_t> next_try{0};
constexpr std::int64_t kBetweenTries = 100'000'000;

bool start_thread(Member &member) {
    const std::int64_t now = nanoseconds();
    // relaxed: it only says how often the system is asked.
    if (now < next_try.load(std::memory_order_relaxed))
        return false;
    Worker *worker = new_worker(false);
    int error = EAGAIN; // there are kMaxWorkers
    if (worker != nullptr) {
        member.worker = worker;
        // The thread is not quiet: the program's signals may come to any thread that runs its code.
        error = loomp::start_thread(thread_main, &member,
                                    {.stack_size = native_stack_size(), .quiet = false});
    }
    if (error == 0) {
        threads.fetch_add(1, std::memory_order_relaxed);
        return true;
    }
    member.worker = nullptr;
    if (worker != nullptr)
        put_back_worker(*worker);
    next_try.store(now + kBetweenTries, std::memory_order_relaxed);
    bool first;
    {
        const SpinGuard guard(pool_lock);
        first = !warned;
        warned = true;
    }
    if (first)
        warn("cannot create thread number %d (%s): regions run with fewer threads. Lower "
             "OMP_NUM_THREADS or OMP_STACKSIZE, or raise the limit of processes (ulimit -u)",
             thread_count() + 2, std::strerror(error));
    return false;
}

} // namespace

bool hire(Member &member) {
    if (pool_is_empty())
        return start_thread(member);
    const ThreadTraits wanted = ThreadTraits::of_new_thread();
    Worker *worker =
        take_idle([&](const Worker &other) { return other.traits.can_become(wanted); });
    if (worker == nullptr)
        return start_thread(member);
    member.worker = worker;
    worker->traits = wanted;
    // release: the member is completely described.
    worker->hired.store(&member, std::memory_order_release);
    worker->hired_word.fetch_add(1, std::memory_order_release);
    futex_wake(worker->hired_word, 1);
    return true;
}

void retire_thread(Worker &worker) {
    retiring.fetch_add(1, std::memory_order_relaxed);
    worker.retiring = true;
}

void end_idle_threads() {
    while (Worker *worker = take_idle([](const Worker &) { return true; })) {
        retire_thread(*worker);
        worker->hired_word.fetch_add(1, std::memory_order_release);
        futex_wake(worker->hired_word, 1);
    }
    while (retiring.load(std::memory_order_acquire) != 0)
        offer_processor();
}

int thread_count() { return threads.load(std::memory_order_relaxed); }

} // namespace loomp::core
