#include "tests/simulated/program_constructs.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <vector>

#include "loomp/experimental.h"
#include "tests/simulated/machine.h"

namespace loomp::simulated {

namespace {

/// Operations that end at a time, for which the program waits besides its own tasks. A poller looks
/// for them.
class Network {
  public:
    void open() { poller_ = loomp_poller_register("network", poll, this); }
    void begin(std::int64_t length, void (*end)(void *), void *argument) {
        loomp_poller_expect(poller_, 1);
        while (busy_.exchange(true))
            step();
        operations_.push_back({now() + length, end, argument});
        busy_.store(false);
    }

    /// The operations are the parent's, and another of its threads may have been here.
    void forget_after_fork() {
        operations_.clear();
        busy_.store(false);
        polls_.store(false);
    }

  private:
    struct Operation {
        std::int64_t time;
        void (*end)(void *);
        void *argument;
    };
    static int poll(void *data) {
        auto &self = *static_cast<Network *>(data);
        if (self.polls_.exchange(true))
            give_up(kWrong, "two threads poll at once");
        std::vector<Operation> ended;
        while (self.busy_.exchange(true))
            step();
        for (std::size_t i = 0; i < self.operations_.size();) {
            if (self.operations_[i].time > now()) {
                ++i;
                continue;
            }
            // Several that have ended are found in any order.
            ended.insert(ended.begin() + static_cast<std::ptrdiff_t>(any_below(ended.size() + 1)),
                         self.operations_[i]);
            self.operations_.erase(self.operations_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        self.busy_.store(false);
        for (const Operation &each : ended)
            each.end(each.argument);
        self.polls_.store(false);
        return static_cast<int>(ended.size());
    }

    std::atomic<bool> busy_{false};
    std::atomic<bool> polls_{false};
    std::vector<Operation> operations_;
    loomp_poller_t *poller_ = nullptr;
};
Network network;

omp_lock_t locks[2];
std::atomic<int> in_critical{0};
std::atomic<int> in_lock[2];

} // namespace

void wrong(const Operation &operation, const char *format, ...) {
    char line[300];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    std::fprintf(stderr, "operation %d (%s): %s\n", operation.number, name_of(operation.kind),
                 line);
    give_up(kWrong, "WRONG");
}

void work(int steps) {
    for (int i = 0; i < steps; ++i)
        step();
}

bool creators_may_wait() {
    return std::getenv("LOOMP_MAX_TASKS") != nullptr || std::getenv("LOOMP_TASK_MEMORY") != nullptr;
}

void begin_constructs() {
    for (omp_lock_t &each : locks)
        omp_init_lock(&each);
    network.open();
}

void begin_operation(std::int64_t length, void (*end)(void *), void *argument) {
    network.begin(length, end, argument);
}

void run_loop(const Operation &operation) {
    const int count = operation.amount * 3;
    // Half of them check that each iteration runs once; the others have no barrier of their own.
    std::atomic<int> *ran = nullptr;
    if (operation.nowait) {
#pragma omp single copyprivate(ran)
        ran = new std::atomic<int>[static_cast<std::size_t>(count)]();
    }
    const auto iterate = [ran](int i) {
        work(i % 5);
        if (ran != nullptr)
            ran[i].fetch_add(1);
    };
    switch (operation.variant) {
    case 0:
#pragma omp for schedule(static) nowait
        for (int i = 0; i < count; ++i)
            iterate(i);
        break;
    case 1:
#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; ++i)
            iterate(i);
        break;
    case 2:
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < count; ++i)
            iterate(i);
        break;
    case 3:
#pragma omp for schedule(nonmonotonic : dynamic, 2) nowait
        for (int i = 0; i < count; ++i)
            iterate(i);
        break;
    case 4:
#pragma omp for schedule(static, 3)
        for (int i = 0; i < count; ++i)
            iterate(i);
        break;
    default:
#pragma omp for schedule(monotonic : dynamic, 1)
        for (int i = 0; i < count; ++i)
            iterate(i);
        break;
    }
    if (ran == nullptr)
        return;
#pragma omp barrier
    for (int i = 0; i < count; ++i)
        if (ran[i].load() != 1)
            wrong(operation, "iteration %d ran %d times", i, ran[i].load());
}

void run_sections(const Operation &operation) {
#pragma omp sections
    {
#pragma omp section
        work(operation.amount);
#pragma omp section
        work(3);
#pragma omp section
        work(operation.amount / 2);
    }
}

/// Iterations of an ordered loop come in turn.
void run_ordered(const Operation &operation) {
    const int count = operation.amount;
    int last = -1;
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < count; ++i) {
        work(i % 3);
#pragma omp ordered
        {
            if (i <= last)
                wrong(operation, "iteration %d after %d", i, last);
            last = i;
            work(2);
        }
    }
}

/// Iterations wait for those before them.
void run_doacross(const Operation &operation) {
    const int count = operation.amount;
    std::atomic<int> *at;
#pragma omp single copyprivate(at)
    at = new std::atomic<int>[static_cast<std::size_t>(count)]();
#pragma omp for ordered(1) schedule(dynamic)
    for (int i = 0; i < count; ++i) {
        work(i % 3);
#pragma omp ordered depend(sink : i - 2)
        if (i >= 2 && at[i - 2].load() == 0)
            wrong(operation, "iteration %d before %d", i, i - 2);
        at[i].store(1);
#pragma omp ordered depend(source)
        work(1);
    }
}

/// Tasks that wait for a lock may be suspended.
bool stacks_suffice() {
    return std::getenv("LOOMP_MAX_STACKS") == nullptr && !stacks_are_refused();
}

void run_critical(const Operation &operation) {
#pragma omp critical
    {
        if (in_critical.fetch_add(1) != 0)
            wrong(operation, "two threads are in the critical section");
        work(operation.amount / 4);
        in_critical.fetch_sub(1);
    }
}

void run_lock(const Operation &operation) {
    const int which = operation.variant & 1;
    omp_set_lock(&locks[which]);
    if (in_lock[which].fetch_add(1) != 0)
        wrong(operation, "two tasks have the lock");
    work(operation.amount / 4);
    if (operation.nowait && stacks_suffice()) {
#pragma omp taskyield
    }
    in_lock[which].fetch_sub(1);
    omp_unset_lock(&locks[which]);
}

/// Tasks of a cancelled group run, or are discarded; none begins after its end.
void run_cancelled_group(const Operation &operation) {
    struct State {
        std::atomic<bool> over{false};
        std::atomic<int> running{0};
    };
    auto *state = new State;
    const Operation *group = &operation;
    const int count = operation.amount + 2;
#pragma omp taskgroup
    for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(state, group, i)
        {
            if (state->over.load())
                wrong(*group, "a task of the group begins after its end");
            state->running.fetch_add(1);
            work(i * 3);
            state->running.fetch_sub(1);
            if (i == group->variant) {
#pragma omp cancel taskgroup
            }
#pragma omp task firstprivate(state, group)
            {
                if (state->over.load())
                    wrong(*group, "a task of a task begins after the group's end");
                work(5);
            }
        }
    }
    if (state->running.load() != 0)
        wrong(operation, "%d tasks of the cancelled group are running", state->running.load());
    state->over.store(true);
}

/// A region whose loop, or which itself, is cancelled; the one after it does all its work.
void run_cancelled_region(const Operation &operation) {
    const int variant = operation.variant, count = 3 * operation.amount;
    std::atomic<int> iterations{0}, tasks{0};
#pragma omp parallel num_threads(1 + variant)
    {
        if (variant < 3) {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < count; ++i) {
                iterations.fetch_add(1);
                work(i % 3);
                if (i == count / 2) {
#pragma omp cancel for
                }
            }
        } else {
#pragma omp task
            {
                work(5);
                tasks.fetch_add(1);
            }
            work(operation.amount);
            // One member leaves, or all of them.
#pragma omp cancel parallel if (variant == 4 || (variant == 5 && omp_get_thread_num() == 1))
#pragma omp barrier
        }
    }
    if (iterations.load() > count)
        wrong(operation, "%d iterations of %d", iterations.load(), count);
    iterations.store(0);
#pragma omp parallel for num_threads(1 + variant) schedule(dynamic)
    for (int i = 0; i < count; ++i)
        iterations.fetch_add(1);
    if (iterations.load() != count)
        wrong(operation, "%d iterations instead of %d after a cancelled region", iterations.load(),
              count);
}

/// The task waits for an operation of the network, or for one that has ended.
void run_suspend(const Operation &operation) {
    if (loomp_in_task() == 0)
        return;
    loomp_suspension_t suspension = LOOMP_SUSPENSION_INIT;
    const auto resume = [](void *argument) {
        loomp_resume(static_cast<loomp_suspension_t *>(argument));
    };
    if (operation.variant == 0)
        resume(&suspension);
    else
        begin_operation(operation.amount * 20, resume, &suspension);
    work(operation.variant * 5);
    loomp_suspend(&suspension);
}

namespace {

/// A thread of the program's own, with a region of its own.
void *foreign_thread(void *argument) {
    const Operation *operation = static_cast<const Operation *>(argument);
    std::atomic<int> count{0};
    std::atomic<int> *tasks = &count;
    for (int i = 0; i < 2; ++i) {
#pragma omp parallel num_threads(1 + operation->variant % 3) firstprivate(operation, tasks)
        {
#pragma omp task firstprivate(operation, tasks)
            {
                work(operation->amount);
                tasks->fetch_add(1);
            }
#pragma omp single
            tasks->fetch_sub(omp_get_num_threads());
        }
    }
    if (tasks->load() != 0)
        wrong(*operation, "tasks of a foreign thread's region: %d too many", tasks->load());
    return nullptr;
}

} // namespace

/// A thread makes a task ready and computes until it has run: an idle thread must take it.
void run_left_to_others(const Operation &operation) {
    constexpr int many = 300'000;
    if (omp_get_num_threads() < 2 || !stacks_suffice() || creators_may_wait())
        return;
    const Operation *own = &operation;
    char address = 0;
#pragma omp single
    {
        auto *ran = new std::atomic<bool>(false);
        omp_event_handle_t event;
#pragma omp task depend(out : address) detach(event)
        work(own->variant);
#pragma omp task depend(in : address) firstprivate(ran)
        ran->store(true);
        omp_fulfill_event(event);
        for (int i = 0; !ran->load(); ++i) {
            step();
            if (i % 100 == 0)
                pause(); // others have their turns
            if (i == many)
                wrong(operation, "no idle thread takes a ready task");
        }
#pragma omp taskwait
    }
}

/// Some, one after the other: the threads of the first one's team serve the others.
void run_foreign(const Operation &operation) {
    for (int i = 0; i <= operation.amount % 4; ++i) {
        unsigned long handle = 0;
        if (start(foreign_thread, const_cast<Operation *>(&operation), &handle) != 0)
            return;
        work(operation.amount);
        join(handle);
    }
}

/// Many tasks: all are ready when an event has happened, or each when it is created.
void run_flood(const Operation &operation) {
    const int count = 8 * operation.amount;
    char *gate = new char(0);
    auto *ran = new std::atomic<int>(0);
    const auto run = [ran](int i) {
        work(i % 4);
        ran->fetch_add(1);
    };
    if (operation.variant >= 3 || creators_may_wait()) {
        for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(run, i)
            run(i);
        }
    } else {
        omp_event_handle_t event;
#pragma omp task depend(out : *gate) detach(event)
        work(1);
        for (int i = 0; i < count; ++i) {
#pragma omp task depend(in : *gate) firstprivate(run, i)
            run(i);
        }
        omp_fulfill_event(event);
    }
    if (operation.nowait)
        return;
#pragma omp taskwait
    if (ran->load() != count)
        wrong(operation, "%d tasks ran instead of %d", ran->load(), count);
}

void run_taskloop(const Operation &operation) {
    std::atomic<int> iterations{0};
    const int count = operation.amount * 2;
    std::atomic<int> *at = &iterations;
    switch (operation.variant) {
    case 0:
#pragma omp taskloop grainsize(2) firstprivate(at)
        for (int i = 0; i < count; ++i) {
            work(i % 4);
            at->fetch_add(1);
        }
        break;
    case 1:
#pragma omp taskloop num_tasks(3) untied firstprivate(at)
        for (int i = 0; i < count; ++i) {
            work(i % 4);
            at->fetch_add(1);
        }
        break;
    case 2:
#pragma omp taskloop firstprivate(at) if (0)
        for (int i = 0; i < count; ++i) {
            work(i % 4);
            at->fetch_add(1);
        }
        break;
    default: {
        int sum = 0;
#pragma omp taskloop reduction(+ : sum) firstprivate(at)
        for (int i = 0; i < count; ++i) {
            work(i % 4);
            sum += 1;
            at->fetch_add(1);
        }
        if (sum != count)
            wrong(operation, "the reduction is %d instead of %d", sum, count);
    }
    }
    if (iterations.load() != count)
        wrong(operation, "%d iterations instead of %d", iterations.load(), count);
}

namespace {

/// Tasks take part in the reduction of a region.
void run_region_reduction(const Operation &operation) {
    const int count = operation.amount;
    int sum = 0;
    std::atomic<int> members{0};
#pragma omp parallel num_threads(1 + operation.variant % 3) reduction(task, + : sum)
    {
        members.fetch_add(1);
        for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            {
                work(i);
                sum += 1;
            }
        }
        sum += 1;
    }
    if (sum != (count + 1) * members.load())
        wrong(operation, "the region's sum is %d instead of %d", sum, (count + 1) * members.load());
}

} // namespace

void run_reduction(const Operation &operation) {
    if (operation.variant >= 3)
        return run_region_reduction(operation);
    int sum = 0;
    const int count = operation.amount;
#pragma omp taskgroup task_reduction(+ : sum)
    {
        for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            {
                work(i);
                sum += 1;
#pragma omp task in_reduction(+ : sum)
                sum += 1;
            }
        }
    }
    if (sum != 2 * count)
        wrong(operation, "the sum is %d instead of %d", sum, 2 * count);
}

/// Iterations ahead of the decision to stop: those up to the last one run as a whole, and no task
/// begins after the end.
void run_speculation(const Operation &operation) {
    constexpr int kMost = 8;
    struct State {
        std::atomic<int> ran[kMost];
        std::atomic<bool> over{false};
        char norm = 0;
    };
    auto *state = new State{};
    const Operation *own = &operation;
    const int last = operation.variant, tasks = 1 + operation.amount / 4;
    loomp_speculation_t *series = loomp_speculation_begin();
    for (int i = 0; i < kMost && loomp_speculation_next(series) >= 0; ++i) {
        for (int j = 0; j < tasks; ++j) {
#pragma omp task firstprivate(state, own, i, j)
            {
                if (state->over.load())
                    wrong(*own, "a task of iteration %d begins after the end", i);
                work(j + own->amount);
                state->ran[i].fetch_add(1);
            }
        }
#pragma omp task firstprivate(series, state, last, i) depend(inout : state -> norm)
        {
            work(3);
            if (i == last)
                loomp_speculation_cut(series, i);
        }
    }
    const int completed = loomp_speculation_end(series);
    state->over.store(true);
    if (completed != last + 1)
        wrong(operation, "%d iterations completed instead of %d", completed, last + 1);
    for (int i = 0; i <= last; ++i)
        if (state->ran[i].load() != tasks)
            wrong(operation, "%d tasks of iteration %d ran instead of %d", state->ran[i].load(), i,
                  tasks);
}

namespace {

struct Callback {
    const Operation *operation;
    loomp_suspension_t suspension = LOOMP_SUSPENSION_INIT;
    int done = 0;
};

void use_openmp(void *data) {
    auto &call = *static_cast<Callback *>(data);
    std::atomic<int> done{0};
    std::atomic<int> *at = &done;
    const int count = call.operation->amount % 8, threads = 1 + call.operation->variant % 3;
    for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(at, i)
        {
            work(i);
            at->fetch_add(1);
        }
    }
#pragma omp taskwait
    call.done = done.load();
    if (call.operation->nowait) {
#pragma omp parallel num_threads(threads) firstprivate(at)
#pragma omp single
        at->fetch_add(1);
    }
}

void call_back(void *data) {
    loomp_run_in_own_task(use_openmp, data);
    loomp_resume(&static_cast<Callback *>(data)->suspension);
}

} // namespace

/// A poller calls the program back while a task waits: in a task of its own, which may use OpenMP.
void run_callback(const Operation &operation) {
    if (loomp_in_task() == 0)
        return;
    auto *call = new Callback{&operation};
    begin_operation(operation.amount * 20, call_back, call);
    work(operation.variant * 5);
    loomp_suspend(&call->suspension);
    if (call->done != operation.amount % 8)
        wrong(operation, "%d tasks of the callback ran instead of %d", call->done,
              operation.amount % 8);
}

namespace {

/// The child has regions of its own, with tasks. It awaits no children of the task that forked:
/// those that other threads run never end there.
void use_openmp_in_child(void *argument) {
    const auto &operation = *static_cast<const Operation *>(argument);
    network.forget_after_fork();
    const int count = operation.amount % 8, threads = 1 + operation.variant % 3;
    for (int region = 0; region < (operation.nowait ? 2 : 1); ++region) {
        std::atomic<int> ran{0}, members{0};
        std::atomic<int> *at = &ran, *in = &members;
#pragma omp parallel num_threads(threads) firstprivate(at, in)
        {
            in->fetch_add(1);
            for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(at, i)
                {
                    work(i);
                    at->fetch_add(1);
                }
            }
#pragma omp taskwait
        }
        if (members.load() < 1 || members.load() > threads)
            wrong(operation, "%d threads of the child instead of %d", members.load(), threads);
        if (ran.load() != members.load() * count)
            wrong(operation, "%d tasks of the child ran instead of %d", ran.load(),
                  members.load() * count);
    }
}

} // namespace

void run_fork(const Operation &operation) {
    if (!run_in_child(use_openmp_in_child, const_cast<Operation *>(&operation)))
        wrong(operation, "the child failed");
}

} // namespace loomp::simulated
