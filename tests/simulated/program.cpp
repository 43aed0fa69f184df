#include "tests/simulated/program.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <omp.h>
#include <random>
#include <vector>

#include "loomp/loomp.h"
#include "tests/simulated/machine.h"

namespace loomp::simulated {

namespace {

constexpr int kLocations = 8;

enum class Kind : std::uint8_t {
    work,
    task,
    taskwait,
    taskwait_depend,
    taskgroup,
    taskyield,
    taskloop,
    parallel,
    loop,
    single,
    barrier,
    critical,
    lock,
    sections,
    cancelled_group,
    cancelled_region,
    suspend,
    reduction,
    ordered,
    doacross,
    kept,
    foreign,
    left_to_others,
    flood,
    count
};
constexpr const char *kNames[] = {
    "work",       "task",           "taskwait",        "taskwait depend",
    "taskgroup",  "taskyield",      "taskloop",        "parallel",
    "loop",       "single",         "barrier",         "critical",
    "lock",       "sections",       "cancelled group", "cancelled region",
    "suspend",    "reduction",      "ordered",         "doacross",
    "kept graph", "foreign thread", "left to others",  "flood"};

enum class Access : std::uint8_t { in, out, mutex };

struct Dependence {
    int location;
    Access access;
    int least; ///< the version that the task finds; in a set, at least this one
};

struct Body;

struct Operation {
    Kind kind = Kind::work;
    int number = 0;
    // task
    bool untied = false, mergeable = false, deferred = true, final_ = false;
    bool detached = false; ///< completes by an event
    bool held = false;     ///< completes when what it began has ended
    int priority = 0;
    std::vector<Dependence> dependences;
    std::unique_ptr<Body> body;
    // others
    int amount = 0; ///< steps of work, threads, iterations
    int variant = 0;
    bool nowait = false;
    int versions[kLocations] = {};
};

struct Body {
    std::vector<Operation> operations;
    bool in_region = false; ///< several threads run it as an implicit task
    bool in_final = false;
};

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

  private:
    struct Operation {
        std::int64_t time;
        void (*end)(void *);
        void *argument;
    };
    static int poll(void *data) {
        auto &self = *static_cast<Network *>(data);
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
        return static_cast<int>(ended.size());
    }

    std::atomic<bool> busy_{false};
    std::vector<Operation> operations_;
    loomp_poller_t *poller_ = nullptr;
};
Network network;

struct Location {
    std::atomic<int> version{0};
    std::atomic<int> readers{0};
    std::atomic<int> writers{0};
    char address = 0; ///< the dependence's
};

/// A taskgroup that runs; tasks that are created in it count until they are complete.
struct Group {
    std::atomic<int> tasks{0};
    Group *outer = nullptr;
};

/// A body that runs. Frames are never freed: the process ends with the run.
struct Frame {
    Location locations[kLocations];
    std::atomic<int> children{0}; ///< created and not complete
    Group *group = nullptr;
};

std::unique_ptr<Body> root;
omp_lock_t locks[2];
std::atomic<int> in_critical{0};
std::atomic<int> in_lock[2];
std::atomic<int> open_tasks{0};
int operations_made = 0;

[[noreturn]] void wrong(const Operation &operation, const char *format, ...) {
    char line[300];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    std::fprintf(stderr, "operation %d (%s): %s\n", operation.number,
                 kNames[static_cast<int>(operation.kind)], line);
    give_up(kWrong, "WRONG");
}

// --- Making
// ----------------------------------------------------------------------------------------

class Maker {
  public:
    explicit Maker(const Shape &shape)
        : shape_(shape), random_(shape.seed), left_(shape.operations), longest_(chance(3) ? 40 : 8),
          locations_(chance(3) ? 1 + below(2) : kLocations), exclusions_(chance(3) ? 2 : 8),
          plain_tasks_(chance(3)) {}

    /// `in_final`: tasks are included there, and their creator would wait for an event for ever.
    std::unique_ptr<Body> make(int depth, bool in_region, bool in_final) {
        auto body = std::make_unique<Body>();
        body->in_region = in_region;
        body->in_final = in_final;
        State state;
        const int length = 1 + below(depth == 0 ? shape_.operations + 1 : longest_);
        for (int i = 0; i < length && left_ > 0; ++i) {
            --left_;
            Operation operation = one(depth, *body, state);
            operation.number = operations_made++;
            body->operations.push_back(std::move(operation));
        }
        return body;
    }

    int team_size() { return chance(2) ? shape_.threads : 1 + below(shape_.threads + 1); }

  private:
    /// The locations' versions in the serial elaboration.
    struct State {
        int version[kLocations] = {};
        int in_set[kLocations] = {};
    };

    int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
    bool chance(int one_of) { return below(one_of) == 0; }
    bool may(Kind kind) const { return (shape_.kinds >> static_cast<int>(kind) & 1) != 0; }

    static void close(State &state, int location) {
        state.version[location] += state.in_set[location];
        state.in_set[location] = 0;
    }

    Dependence dependence(State &state, int location, bool may_exclude = true) {
        const bool excludes = may_exclude && chance(exclusions_);
        Dependence made{location,
                        excludes    ? Access::mutex
                        : chance(2) ? Access::in
                                    : Access::out,
                        0};
        if (made.access != Access::mutex || (state.in_set[location] == 0))
            close(state, location);
        made.least = state.version[location];
        if (made.access == Access::out)
            ++state.version[location];
        if (made.access == Access::mutex)
            ++state.in_set[location];
        return made;
    }

    Operation one(int depth, const Body &body, State &state) {
        Operation made;
        for (int tries = 0;; ++tries) {
            made.kind = static_cast<Kind>(below(static_cast<int>(Kind::count)));
            if (below(3) != 0)
                made.kind = Kind::task;
            if (tries == 50)
                made.kind = Kind::work;
            else if (!may(made.kind))
                continue;
            const bool deep = depth >= shape_.depth;
            switch (made.kind) {
            case Kind::barrier:
            case Kind::loop:
            case Kind::single:
            case Kind::sections:
            case Kind::ordered:
                if (!body.in_region)
                    continue;
                break;
            case Kind::parallel:
            case Kind::taskgroup:
                if (deep)
                    continue;
                break;
            case Kind::foreign:
                if (depth != 0 || !chance(4))
                    continue;
                break;
            case Kind::left_to_others:
                if (depth != 0 || !body.in_region)
                    continue;
                break;
            case Kind::doacross:
                if (!body.in_region)
                    continue;
                break;
            case Kind::kept:
            case Kind::flood:
                if (body.in_final)
                    continue;
                break;
            default:
                break;
            }
            break;
        }
        made.amount = below(chance(4) ? 200 : 20);
        made.variant = below(6);
        made.nowait = chance(2);
        switch (made.kind) {
        case Kind::task: {
            made.untied = chance(3);
            made.mergeable = chance(6);
            made.deferred = !chance(8);
            made.final_ = chance(12);
            made.detached = chance(10) && made.deferred && !body.in_final && !made.final_;
            made.held = !made.detached && chance(10);
            made.priority = chance(3) ? below(4) : 0;
            const int count = chance(3) ? 0 : 1 + below(3);
            bool used[kLocations] = {};
            // In a region every thread has locations of its own.
            for (int i = 0; i < count; ++i) {
                const int location = below(locations_);
                if (!used[location])
                    made.dependences.push_back(dependence(state, location));
                used[location] = true;
            }
            if (depth < shape_.depth && left_ > 0 && !chance(plain_tasks_ ? 2 : 3))
                made.body = make(depth + 1, false, body.in_final || made.final_);
            break;
        }
        case Kind::taskwait:
            for (int i = 0; i < kLocations; ++i) {
                close(state, i);
                made.versions[i] = state.version[i];
            }
            break;
        case Kind::taskwait_depend: {
            const int location = below(kLocations);
            close(state, location);
            made.dependences.push_back({location, Access::in, state.version[location]});
            break;
        }
        case Kind::taskgroup:
            made.body = make(depth + 1, false, body.in_final);
            break;
        case Kind::parallel:
            made.amount = depth == 0 ? shape_.threads : 1 + below(3);
            made.body = make(depth + 1, true, false);
            break;
        case Kind::kept:
            make_kept(made, state);
            break;
        case Kind::taskloop:
        case Kind::cancelled_group:
        case Kind::cancelled_region:
        case Kind::doacross:
        case Kind::flood:
        case Kind::loop:
        case Kind::sections:
        case Kind::reduction:
        case Kind::ordered:
            made.amount = 1 + below(12);
            break;
        case Kind::single:
            if (depth < shape_.depth)
                made.body = make(depth + 1, false, body.in_final);
            break;
        default:
            break;
        }
        return made;
    }

    /// A graph that is created `amount` times: tasks with dependences on the frame's locations.
    void make_kept(Operation &made, State &state) {
        made.amount = 2 + below(5);
        made.variant = below(4); // the flags, but for LOOMP_PERSISTENT_CHECK
        made.nowait = chance(3);
        made.body = std::make_unique<Body>();
        // A set that began before the graph would go on in its first iteration only.
        for (int i = 0; i < kLocations; ++i)
            close(state, i);
        State one = state;
        const int tasks = 1 + below(10);
        for (int i = 0; i < tasks; ++i) {
            Operation task;
            task.kind = Kind::task;
            task.number = operations_made++;
            task.amount = below(30);
            bool used[kLocations] = {};
            for (int j = 0, count = below(4); j < count; ++j) {
                const int location = below(chance(2) ? 2 : kLocations);
                // A graph with mutexinoutset is not kept.
                if (!used[location])
                    task.dependences.push_back(dependence(one, location, chance(30)));
                used[location] = true;
            }
            made.body->operations.push_back(std::move(task));
        }
        for (int i = 0; i < kLocations; ++i) {
            close(one, i);
            made.versions[i] = one.version[i] - state.version[i];
            state.version[i] += made.amount * made.versions[i];
        }
    }

    const Shape &shape_;
    std::mt19937_64 random_;
    int left_;
    int longest_;      ///< the number of operations of a body, at most
    int locations_;    ///< that tasks name
    int exclusions_;   ///< one of so many dependences is a mutexinoutset
    bool plain_tasks_; ///< more of them have no body
};

// --- Running
// ---------------------------------------------------------------------------------------

void work(int steps) {
    for (int i = 0; i < steps; ++i)
        step();
}

void run_body(const Body &body, Frame &frame);

/// `periods`: of a task of a kept graph, by how much each iteration raises each location's version.
/// A replayed task has the private variables of its first run, so it does not know its iteration.
void begin_access(const Operation &operation, Frame &frame, const int *periods = nullptr) {
    for (const Dependence &each : operation.dependences) {
        Location &at = frame.locations[each.location];
        const int ahead = at.version.load() - each.least, version = ahead + each.least;
        const int period = periods == nullptr ? 0 : periods[each.location];
        if (each.access == Access::mutex ? periods == nullptr && ahead < 0
                                         : (period == 0 ? ahead : ahead % period) != 0)
            wrong(operation, "location %d has version %d instead of %d", each.location, version,
                  each.least);
        if (each.access == Access::in) {
            at.readers.fetch_add(1);
            if (at.writers.load() != 0)
                wrong(operation, "location %d is read while another task writes it", each.location);
        } else if (at.writers.fetch_add(1) != 0 || at.readers.load() != 0) {
            wrong(operation, "location %d is written while another task has it", each.location);
        }
    }
}

void end_access(const Operation &operation, Frame &frame) {
    for (const Dependence &each : operation.dependences) {
        Location &at = frame.locations[each.location];
        if (each.access == Access::in) {
            at.readers.fetch_sub(1);
            continue;
        }
        at.version.fetch_add(1);
        at.writers.fetch_sub(1);
    }
}

/// A task that runs. It completes when its body and all that completes it have ended; the last of
/// them ends its accesses, before the runtime hears of it.
struct Instance {
    const Operation *task;
    Frame *parent;
    Group *group;
    std::atomic<int> left{1};
    omp_event_handle_t event{};
    loomp_held_task_t *held = nullptr;

    void end_part() {
        if (left.fetch_sub(1) != 1)
            return;
        end_access(*task, *parent);
        parent->children.fetch_sub(1);
        for (Group *each = group; each != nullptr; each = each->outer)
            each->tasks.fetch_sub(1);
        open_tasks.fetch_sub(1);
    }
};

void release_held(void *argument) {
    auto &instance = *static_cast<Instance *>(argument);
    instance.end_part();
    loomp_release_task(instance.held, 1);
}

void fulfil(void *argument) {
    auto &instance = *static_cast<Instance *>(argument);
    instance.end_part();
    omp_fulfill_event(instance.event);
}

/// The task's body, on its thread. The creator's frame outlives it.
void run_task(Instance &instance) {
    const Operation &operation = *instance.task;
    begin_access(operation, *instance.parent);
    if (operation.held) {
        instance.held = loomp_hold_task(1);
        if (instance.held != nullptr) {
            instance.left.fetch_add(1);
            network.begin(operation.amount * 50, release_held, &instance);
        }
    }
    work(operation.amount);
    if (operation.body) {
        auto *frame = new Frame;
        frame->group = instance.group;
        run_body(*operation.body, *frame);
    }
    instance.end_part();
}

void create(const Operation &operation, Frame &frame) {
    void *in[3], *out[3], *mutex[3];
    int ins = 0, outs = 0, mutexes = 0;
    for (const Dependence &each : operation.dependences) {
        char *address = &frame.locations[each.location].address;
        switch (each.access) {
        case Access::in:
            in[ins++] = address;
            break;
        case Access::out:
            out[outs++] = address;
            break;
        case Access::mutex:
            mutex[mutexes++] = address;
            break;
        }
    }
    auto *instance = new Instance{&operation, &frame, frame.group};
    frame.children.fetch_add(1);
    for (Group *each = frame.group; each != nullptr; each = each->outer)
        each->tasks.fetch_add(1);
    open_tasks.fetch_add(1);
    const bool deferred = operation.deferred, is_final = operation.final_;
    const int priority = operation.priority;
#define DEPENDENCES                                                                                \
    depend(iterator(int i = 0 : ins), in : *(char *)in[i])                                         \
        depend(iterator(int i = 0 : outs), inout : *(char *)out[i])                                \
            depend(iterator(int i = 0 : mutexes), mutexinoutset : *(char *)mutex[i])
#define PRAGMA(text) _Pragma(#text)
#define TASK(...)                                                                                  \
    PRAGMA(omp task __VA_ARGS__ firstprivate(instance) if (deferred) final(is_final)               \
               priority(priority)) {                                                               \
        run_task(*instance);                                                                       \
    }
    if (operation.detached) {
        instance->left.fetch_add(1);
        omp_event_handle_t event;
#define DETACHED(...)                                                                              \
    PRAGMA(omp task __VA_ARGS__ firstprivate(instance) detach(event) priority(priority)) {         \
        if (instance->task->variant < 2) {                                                         \
            instance->event = event;                                                               \
            fulfil(instance);                                                                      \
        }                                                                                          \
        run_task(*instance);                                                                       \
    }
        if (operation.dependences.empty()) {
            DETACHED()
        } else {
            DETACHED(DEPENDENCES)
        }
        if (operation.variant >= 2) {
            // The body never writes it then.
            instance->event = event;
            if (operation.variant == 2) {
                network.begin(operation.amount * 30, fulfil, instance);
            } else if (operation.variant == 3) {
                fulfil(instance);
            } else {
                PRAGMA(omp task firstprivate(instance)) {
                    work(instance->task->amount / 2);
                    fulfil(instance);
                }
            }
        }
        return;
    }
    const bool plain = operation.dependences.empty();
    if (operation.untied && plain)
        TASK(untied)
    else if (operation.untied)
        TASK(untied DEPENDENCES)
    else if (operation.mergeable && plain)
        TASK(mergeable)
    else if (operation.mergeable)
        TASK(mergeable DEPENDENCES)
    else if (plain)
        TASK()
    else
        TASK(DEPENDENCES)
}

void run_loop(const Operation &operation) {
    const int count = operation.amount * 3;
    switch (operation.variant) {
    case 0:
#pragma omp for schedule(static) nowait
        for (int i = 0; i < count; ++i)
            work(i % 5);
        break;
    case 1:
#pragma omp for schedule(dynamic)
        for (int i = 0; i < count; ++i)
            work(i % 5);
        break;
    case 2:
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < count; ++i)
            work(i % 5);
        break;
    case 3:
#pragma omp for schedule(nonmonotonic : dynamic, 2) nowait
        for (int i = 0; i < count; ++i)
            work(i % 5);
        break;
    case 4:
#pragma omp for schedule(static, 3)
        for (int i = 0; i < count; ++i)
            work(i % 5);
        break;
    default:
#pragma omp for schedule(monotonic : dynamic, 1)
        for (int i = 0; i < count; ++i)
            work(i % 5);
        break;
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
#pragma omp cancel parallel if (variant == 4)
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
        network.begin(operation.amount * 20, resume, &suspension);
    work(operation.variant * 5);
    loomp_suspend(&suspension);
}

/// A task of a persistent graph.
struct KeptTask {
    const Operation *task;
    const Operation *graph;
    Frame *frame;
    std::atomic<int> *runs;
};

void run_kept_task(const KeptTask &kept) {
    const Operation &operation = *kept.task;
    begin_access(operation, *kept.frame, kept.graph->versions);
    work(operation.amount);
    end_access(operation, *kept.frame);
    kept.runs->fetch_add(1);
}

void run_kept(const Operation &operation, Frame &frame) {
    constexpr unsigned flags[] = {0, LOOMP_PERSISTENT_NO_BARRIER, LOOMP_PERSISTENT_REPLAY,
                                  LOOMP_PERSISTENT_REPLAY | LOOMP_PERSISTENT_NO_BARRIER};
    auto *runs = new std::atomic<int>(0);
    // A place has one graph for each task; a place of its own for each run keeps them apart.
    char *place = new char[8]();
    const unsigned mode =
        flags[operation.variant] | (operation.nowait ? unsigned{LOOMP_PERSISTENT_CHECK} : 0u);
    for (int iteration = 0; iteration < operation.amount; ++iteration) {
        if (loomp_persistent_begin(place, mode) == 0)
            continue;
        for (const Operation &task : operation.body->operations) {
            const auto *kept = new KeptTask{&task, &operation, &frame, runs};
            char *in[3], *out[3], *mutex[3];
            int ins = 0, outs = 0, mutexes = 0;
            for (const Dependence &each : task.dependences) {
                char *address = &frame.locations[each.location].address;
                if (each.access == Access::in)
                    in[ins++] = address;
                else if (each.access == Access::out)
                    out[outs++] = address;
                else
                    mutex[mutexes++] = address;
            }
#pragma omp task depend(iterator(int i = 0 : ins), in : *(char *)in[i])                            \
    depend(iterator(int i = 0 : outs), inout : *(char *)out[i])                                    \
    depend(iterator(int i = 0 : mutexes), mutexinoutset : *(char *)mutex[i]) firstprivate(kept)
            run_kept_task(*kept);
        }
        loomp_persistent_end();
    }
    const auto tasks = static_cast<int>(operation.body->operations.size()) * operation.amount;
#pragma omp taskwait
    if (runs->load() != tasks)
        wrong(operation, "%d runs of kept tasks instead of %d", runs->load(), tasks);
    loomp_persistent_free(place);
}

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

/// A thread makes a task ready and computes until it has run: an idle thread must take it.
void run_left_to_others(const Operation &operation) {
    constexpr int many = 300'000;
    if (omp_get_num_threads() < 2 || std::getenv("LOOMP_MAX_STACKS") != nullptr ||
        stacks_are_refused())
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

/// Many tasks that are ready at once, when an event has happened.
void run_flood(const Operation &operation, Frame &frame) {
    const int count = 8 * operation.amount;
    char *gate = new char(0);
    auto *ran = new std::atomic<int>(0);
    omp_event_handle_t event;
#pragma omp task depend(out : *gate) detach(event)
    work(1);
    for (int i = 0; i < count; ++i) {
#pragma omp task depend(in : *gate) firstprivate(ran, i)
        {
            work(i % 4);
            ran->fetch_add(1);
        }
    }
    omp_fulfill_event(event);
    if (operation.nowait)
        return;
#pragma omp taskwait
    if (ran->load() != count)
        wrong(operation, "%d tasks ran instead of %d", ran->load(), count);
    if (frame.children.load() != 0)
        wrong(operation, "%d tasks are not complete", frame.children.load());
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

void run_reduction(const Operation &operation) {
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

void run_one(const Operation &operation, Frame &frame) {
    switch (operation.kind) {
    case Kind::work:
        work(operation.amount);
        break;
    case Kind::task:
        create(operation, frame);
        break;
    case Kind::taskwait: {
#pragma omp taskwait
        if (frame.children.load() != 0)
            wrong(operation, "%d tasks are not complete", frame.children.load());
        for (int i = 0; i < kLocations; ++i)
            if (frame.locations[i].version.load() != operation.versions[i])
                wrong(operation, "location %d has version %d instead of %d", i,
                      frame.locations[i].version.load(), operation.versions[i]);
        break;
    }
    case Kind::taskwait_depend: {
        char *address = &frame.locations[operation.dependences[0].location].address;
#pragma omp taskwait depend(in : *address)
        begin_access(operation, frame);
        work(3);
        end_access(operation, frame);
        break;
    }
    case Kind::taskgroup: {
        auto *group = new Group;
        group->outer = frame.group;
        auto *inner = new Frame;
        inner->group = group;
#pragma omp taskgroup
        run_body(*operation.body, *inner);
        if (group->tasks.load() != 0)
            wrong(operation, "%d tasks of the group are not complete", group->tasks.load());
        break;
    }
    case Kind::taskyield: {
#pragma omp taskyield
        break;
    }
    case Kind::taskloop:
        run_taskloop(operation);
        break;
    case Kind::parallel: {
        std::atomic<int> members{0};
        const Operation *region = &operation;
#pragma omp parallel num_threads(operation.amount) firstprivate(region)
        {
            members.fetch_add(1);
            auto *inner = new Frame;
            run_body(*region->body, *inner);
#pragma omp barrier
            if (inner->children.load() != 0)
                wrong(*region, "%d tasks are not complete after a barrier", inner->children.load());
        }
        if (members.load() < 1 || members.load() > operation.amount)
            wrong(operation, "%d threads instead of %d", members.load(), operation.amount);
        break;
    }
    case Kind::loop:
        run_loop(operation);
        break;
    case Kind::ordered:
        run_ordered(operation);
        break;
    case Kind::single:
#pragma omp single
    {
        work(operation.amount);
        if (operation.body) {
            auto *inner = new Frame;
            run_body(*operation.body, *inner);
        }
    } break;
    case Kind::barrier: {
#pragma omp barrier
        break;
    }
    case Kind::sections:
#pragma omp sections
    {
#pragma omp section
        work(operation.amount);
#pragma omp section
        work(3);
#pragma omp section
        work(operation.amount / 2);
    } break;
    case Kind::critical:
#pragma omp critical
        if (in_critical.fetch_add(1) != 0)
            wrong(operation, "two threads are in the critical section");
        else {
            work(operation.amount / 4);
            in_critical.fetch_sub(1);
        }
        break;
    case Kind::lock: {
        const int which = operation.variant & 1;
        omp_set_lock(&locks[which]);
        if (in_lock[which].fetch_add(1) != 0)
            wrong(operation, "two tasks have the lock");
        work(operation.amount / 4);
        in_lock[which].fetch_sub(1);
        omp_unset_lock(&locks[which]);
        break;
    }
    case Kind::reduction:
        run_reduction(operation);
        break;
    case Kind::cancelled_group:
        run_cancelled_group(operation);
        break;
    case Kind::cancelled_region:
        run_cancelled_region(operation);
        break;
    case Kind::suspend:
        run_suspend(operation);
        break;
    case Kind::doacross:
        run_doacross(operation);
        break;
    case Kind::kept:
        run_kept(operation, frame);
        break;
    case Kind::foreign:
        run_foreign(operation);
        break;
    case Kind::flood:
        run_flood(operation, frame);
        break;
    case Kind::left_to_others:
        run_left_to_others(operation);
        break;
    case Kind::count:
        break;
    }
}

void run_body(const Body &body, Frame &frame) {
    for (const Operation &each : body.operations)
        run_one(each, frame);
}

void print_body(const Body &body, int depth) {
    for (const Operation &each : body.operations) {
        std::printf("%*s%d %s", 2 * depth, "", each.number, kNames[static_cast<int>(each.kind)]);
        for (const Dependence &dependence : each.dependences)
            std::printf(" %s:%d@%d",
                        dependence.access == Access::in    ? "in"
                        : dependence.access == Access::out ? "inout"
                                                           : "mutex",
                        dependence.location, dependence.least);
        std::printf("%s%s%s%s%s", each.untied ? " untied" : "", each.mergeable ? " mergeable" : "",
                    each.deferred ? "" : " if(0)", each.final_ ? " final" : "",
                    each.detached ? " detach"
                    : each.held   ? " held"
                                  : "");
        std::printf(" amount %d variant %d\n", each.amount, each.variant);
        if (each.body)
            print_body(*each.body, depth + 1);
    }
}

} // namespace

void make_program(const Shape &shape) {
    operations_made = 0;
    root = std::make_unique<Body>();
    Maker maker(shape);
    // Several regions: their team exists after the first one, and its size changes.
    for (int i = 0; i < shape.regions; ++i) {
        Operation region;
        region.kind = Kind::parallel;
        region.amount = i == 0 ? shape.threads : maker.team_size();
        region.body = maker.make(shape.regions > 4 ? 1 : 0, true, false);
        region.number = operations_made++;
        root->operations.push_back(std::move(region));
    }
}

void print_program() { print_body(*root, 0); }

void run_program() {
    for (omp_lock_t &each : locks)
        omp_init_lock(&each);
    network.open();
    Frame frame;
    run_body(*root, frame);
    if (open_tasks.load() != 0)
        wrong(root->operations[0], "%d tasks never ran", open_tasks.load());
}

} // namespace loomp::simulated
