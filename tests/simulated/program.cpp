#include "tests/simulated/program.h"

#include <atomic>
#include <cstdio>
#include <iterator>
#include <memory>
#include <omp.h>
#include <vector>

#include "loomp/experimental.h"
#include "tests/simulated/machine.h"
#include "tests/simulated/mpi/program_messages.h"
#include "tests/simulated/program_constructs.h"
#include "tests/simulated/program_tree.h"

namespace loomp::simulated {

namespace {

struct Location {
    std::atomic<int> version{0};
    std::atomic<int> readers{0};
    std::atomic<int> writers{0}; ///< alone
    std::atomic<int> members{0}; ///< of an inoutset
    char address = 0;            ///< the dependence's
};

/// A taskgroup that runs; tasks that are created in it count until they are complete.
struct Group {
    std::atomic<int> tasks{0};
    Group *outer = nullptr;
};

/// A body that runs. Frames are never freed: the process ends with the run.
struct Frame {
    Location locations[kLocations];
    Frame *outer = nullptr;       ///< of a transparent task: the frame whose locations it names
    std::atomic<int> children{0}; ///< created and not complete
    Group *group = nullptr;
};

std::unique_ptr<Body> root;
std::atomic<int> open_tasks{0};
int task_kinds[2];
int queues[2];

void run_body(const Body &body, Frame &frame);

// --- Accesses ------------------------------------------------------------------------------------

/// `periods`: of a task of a kept graph, by how much each iteration raises each location's version.
/// A replayed task has the private variables of its first run, so it does not know its iteration.
void begin_access(const Operation &operation, Frame &frame, const int *periods = nullptr) {
    for (const Dependence &each : operation.dependences) {
        Location &at = frame.locations[each.location];
        const bool in_set = each.access == Access::mutex || each.access == Access::set;
        const int ahead = at.version.load() - each.least, version = ahead + each.least;
        const int period = periods == nullptr ? 0 : periods[each.location];
        if (in_set ? periods == nullptr && ahead < 0 : (period == 0 ? ahead : ahead % period) != 0)
            wrong(operation, "location %d has version %d instead of %d", each.location, version,
                  each.least);
        switch (each.access) {
        case Access::in:
            at.readers.fetch_add(1);
            if (at.writers.load() != 0 || at.members.load() != 0)
                wrong(operation, "location %d is read while another task writes it", each.location);
            break;
        case Access::set:
            at.members.fetch_add(1);
            if (at.writers.load() != 0 || at.readers.load() != 0)
                wrong(operation, "location %d is written by a set while another task has it",
                      each.location);
            break;
        default:
            if (at.writers.fetch_add(1) != 0 || at.readers.load() != 0 || at.members.load() != 0)
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
        (each.access == Access::set ? at.members : at.writers).fetch_sub(1);
    }
}

/// The addresses that a depend clause names.
struct Clause {
    char *in[6], *out[3], *mutex[3];
    int ins = 0, outs = 0, mutexes = 0;

    Clause(const Operation &operation, Frame &frame) {
        if (operation.by_set)
            return;
        for (const Dependence &each : operation.dependences) {
            char *address = &frame.locations[each.location].address;
            if (each.access == Access::in || each.twice)
                in[ins++] = address;
            if (each.access == Access::out)
                out[outs++] = address;
            if (each.access == Access::mutex)
                mutex[mutexes++] = address;
        }
    }
};

/// Has the next task depend on the operation's locations, if it names them by a set. The set is to
/// be freed after the construct.
loomp_dependences_t *name_by_set(const Operation &operation, Frame &frame) {
    if (!operation.by_set || operation.dependences.empty())
        return nullptr;
    constexpr int kinds[] = {LOOMP_DEPEND_IN, LOOMP_DEPEND_INOUT, LOOMP_DEPEND_MUTEXINOUTSET,
                             LOOMP_DEPEND_INOUTSET};
    loomp_dependences_t *set = loomp_dependences_create();
    for (const Dependence &each : operation.dependences) {
        const void *address = &frame.locations[each.location].address;
        loomp_dependences_add(set, kinds[static_cast<int>(each.access)], address);
        if (each.twice)
            loomp_dependences_add(set, LOOMP_DEPEND_IN, address);
    }
    loomp_next_task_depends(set);
    return set;
}

// --- Tasks ---------------------------------------------------------------------------------------

/// A task that runs. It completes when its body and all that completes it have ended; the last of
/// them ends its accesses, before the runtime hears of it.
struct Instance {
    const Operation *task;
    Frame *parent;   ///< its creator's
    Frame *accesses; ///< the frame whose locations it names
    Group *group;
    std::atomic<int> left{1};
    omp_event_handle_t event{};
    loomp_held_task_t *held = nullptr;
    loomp_task_t *self = nullptr;
    int runs = 0; ///< of its code; -1: it cannot run again
    std::atomic<bool> began{false};
    Instance *before = nullptr; ///< made before this one

    void end_part() {
        if (left.fetch_sub(1) != 1)
            return;
        if (!task->transparent)
            end_access(*task, *accesses);
        parent->children.fetch_sub(1);
        for (Group *each = group; each != nullptr; each = each->outer)
            each->tasks.fetch_sub(1);
        open_tasks.fetch_sub(1);
    }
};

std::atomic<Instance *> last_instance{nullptr};

Instance &new_instance(const Operation &operation, Frame &frame) {
    frame.children.fetch_add(1);
    for (Group *each = frame.group; each != nullptr; each = each->outer)
        each->tasks.fetch_add(1);
    open_tasks.fetch_add(1);
    auto *const made =
        new Instance{&operation, &frame, operation.outer ? frame.outer : &frame, frame.group};
    made->before = last_instance.load();
    while (!last_instance.compare_exchange_weak(made->before, made)) {
    }
    return *made;
}

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

void make_ready(void *argument) { loomp_make_ready(static_cast<Instance *>(argument)->self); }

void returned(void *argument, int ends) {
    const auto &instance = *static_cast<Instance *>(argument);
    if (ends != 0)
        return;
    if (instance.task->nowait)
        make_ready(argument);
    else
        begin_operation(instance.task->amount * 40, make_ready, argument);
}

/// Returns whether the task's code is to return now, and to run again.
bool repeats(Instance &instance) {
    if (instance.runs == 0) {
        instance.self = loomp_task_self();
        if (loomp_when_returned(returned, &instance) != 0)
            instance.runs = -1;
    }
    if (instance.runs < 0 || instance.runs++ == instance.task->repeats)
        return false;
    work(3);
    loomp_run_again();
    return true;
}

/// The task's body, on its thread. The creator's frame outlives it.
void run_task(Instance &instance) {
    const Operation &operation = *instance.task;
    instance.began.store(true);
    if (!operation.transparent && instance.runs == 0)
        begin_access(operation, *instance.accesses);
    if (operation.repeats != 0 && repeats(instance))
        return;
    if (operation.held) {
        instance.held = loomp_hold_task(1);
        if (instance.held != nullptr) {
            instance.left.fetch_add(1);
            begin_operation(operation.amount * 50, release_held, &instance);
        }
    }
    work(operation.amount);
    if (operation.body) {
        auto *frame = new Frame;
        frame->outer = instance.accesses;
        frame->group = instance.group;
        run_body(*operation.body, *frame);
    }
    instance.end_part();
}

void run_batch(void *const *instances, std::size_t count, void *) {
    for (std::size_t i = 0; i < count; ++i)
        run_task(*static_cast<Instance *>(instances[i]));
}

#define PRAGMA(text) _Pragma(#text)
#define DEPENDENCES                                                                                \
    depend(iterator(int i = 0 : clause.ins), in : *clause.in[i])                                   \
        depend(iterator(int i = 0 : clause.outs), inout : *clause.out[i])                          \
            depend(iterator(int i = 0 : clause.mutexes), mutexinoutset : *clause.mutex[i])
#define TASK(...)                                                                                  \
    PRAGMA(omp task __VA_ARGS__ firstprivate(instance) if (deferred) final(is_final)               \
               priority(priority)) {                                                               \
        run_task(*instance);                                                                       \
    }
#define DETACHED(...)                                                                              \
    PRAGMA(omp task __VA_ARGS__ firstprivate(instance) detach(event) priority(priority)) {         \
        if (instance->runs == 0 && (instance->task->variant < 2 || creators_may_wait())) {         \
            instance->event = event;                                                               \
            fulfil(instance);                                                                      \
        }                                                                                          \
        run_task(*instance);                                                                       \
    }

void create_detached(Instance *instance, const Clause &clause) {
    const Operation &operation = *instance->task;
    const int priority = operation.priority;
    instance->left.fetch_add(1);
    omp_event_handle_t event;
    if (operation.dependences.empty() || operation.by_set)
        DETACHED()
    else
        DETACHED(DEPENDENCES)
    if (operation.variant < 2 || creators_may_wait())
        return;
    // The body never writes it then.
    instance->event = event;
    if (operation.variant == 2) {
        begin_operation(operation.amount * 30, fulfil, instance);
    } else if (operation.variant == 3) {
        fulfil(instance);
    } else {
        PRAGMA(omp task firstprivate(instance)) {
            work(instance->task->amount / 2);
            fulfil(instance);
        }
    }
}

void create_by_depobj(Instance *instance) {
    const Operation &operation = *instance->task;
    const bool deferred = operation.deferred, is_final = operation.final_;
    const int priority = operation.priority;
    const Dependence &named = operation.dependences[0];
    char &address = instance->accesses->locations[named.location].address;
    omp_depend_t object;
    PRAGMA(omp depobj(object) depend(inout : address))
    if (named.access == Access::in) {
        PRAGMA(omp depobj(object) update(in))
    } else if (named.access == Access::mutex) {
        PRAGMA(omp depobj(object) update(mutexinoutset))
    }
    TASK(depend(depobj : object))
    PRAGMA(omp depobj(object) destroy)
}

void create_usual(Instance *instance, const Clause &clause) {
    const Operation &operation = *instance->task;
    const bool deferred = operation.deferred, is_final = operation.final_;
    const int priority = operation.priority;
    const bool plain = operation.dependences.empty() || operation.by_set;
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

void create(const Operation &operation, Frame &frame) {
    Instance &instance = new_instance(operation, frame);
    const Clause clause(operation, *instance.accesses);
    loomp_dependences_t *set = name_by_set(operation, *instance.accesses);
    if (operation.task_kind != 0)
        loomp_next_task_kind(task_kinds[operation.task_kind - 1], &instance);
    if (operation.queue != 0)
        loomp_next_task_queue(queues[operation.queue - 1]);
    if (operation.transparent)
        loomp_next_task(operation.weak ? LOOMP_TASK_WEAK : LOOMP_TASK_TRANSPARENT);
    if (operation.detached)
        create_detached(&instance, clause);
    else if (operation.by_depobj)
        create_by_depobj(&instance);
    else
        create_usual(&instance, clause);
    loomp_dependences_free(set);
}

/// Pieces of work that are put into a queue.
void run_put(const Operation &operation, Frame &frame) {
    std::vector<void *> pieces;
    for (int i = 0; i < operation.amount; ++i)
        pieces.push_back(&new_instance(operation, frame));
    const int queue =
        operation.variant == 0 ? int{LOOMP_OTHER_TASKS} : queues[operation.variant & 1];
    loomp_queue_put(queue, task_kinds[operation.nowait ? 1 : 0], pieces.data(), pieces.size());
}

void run_queues(const Operation &operation) {
    const int other = LOOMP_OTHER_TASKS;
    const int orders[][3] = {{queues[0], other, queues[1]}, {queues[1], queues[0], other}};
    switch (operation.variant) {
    case 0:
    case 1:
        loomp_set_queue_order(orders[operation.variant], operation.nowait ? 3 : 1);
        break;
    case 2:
        loomp_set_queue_order(nullptr, 0);
        break;
    case 3:
        loomp_queue_merge(queues[0], queues[1]);
        break;
    default:
        loomp_queue_take(queues[operation.amount & 1], operation.nowait ? task_kinds[0] : 0,
                         1 + static_cast<std::size_t>(operation.amount));
    }
}

// --- Persistent graphs ---------------------------------------------------------------------------

/// A task of a persistent graph.
struct KeptTask {
    const Operation *task;
    const Operation *graph;
    Frame *frame;
    std::atomic<int> *runs; ///< of tasks, and of their children, which count kOfChildren
};
constexpr int kOfChildren = 1 << 16;

void run_kept_task(const KeptTask &kept) {
    const Operation &operation = *kept.task;
    begin_access(operation, *kept.frame, kept.graph->versions);
    work(operation.amount);
    // A task that outlives its creator.
    if (operation.variant == 0) {
        std::atomic<int> *runs = kept.runs;
        PRAGMA(omp task firstprivate(runs)) {
            work(20);
            runs->fetch_add(kOfChildren);
        }
    }
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
            const Clause clause(task, frame);
            loomp_dependences_t *set = name_by_set(task, frame);
            if (task.by_set) {
                PRAGMA(omp task firstprivate(kept))
                run_kept_task(*kept);
            } else {
                PRAGMA(omp task DEPENDENCES firstprivate(kept))
                run_kept_task(*kept);
            }
            loomp_dependences_free(set);
        }
        loomp_persistent_end();
    }
    const auto tasks = static_cast<int>(operation.body->operations.size()) * operation.amount;
#pragma omp taskwait
    if (runs->load() % kOfChildren != tasks)
        wrong(operation, "%d runs of kept tasks instead of %d", runs->load() % kOfChildren, tasks);
    loomp_persistent_free(place);
}

// --- All operations ------------------------------------------------------------------------------

void run_taskwait(const Operation &operation, Frame &frame) {
#pragma omp taskwait
    if (frame.children.load() != 0)
        wrong(operation, "%d tasks are not complete", frame.children.load());
    for (int i = 0; i < kLocations; ++i)
        if (operation.versions[i] != kAny &&
            frame.locations[i].version.load() != operation.versions[i])
            wrong(operation, "location %d has version %d instead of %d", i,
                  frame.locations[i].version.load(), operation.versions[i]);
}

void run_taskwait_depend(const Operation &operation, Frame &frame) {
    const Dependence &named = operation.dependences[0];
    Location &at = frame.locations[named.location];
    if (named.access == Access::in) {
#pragma omp taskwait depend(in : at.address)
    } else {
#pragma omp taskwait depend(inout : at.address)
        if (at.readers.load() != 0)
            wrong(operation, "location %d is read after a wait for it", named.location);
    }
    if (at.writers.load() != 0 || at.members.load() != 0 || at.version.load() != named.least)
        wrong(operation, "location %d has version %d instead of %d, or writers, after a wait",
              named.location, at.version.load(), named.least);
    work(3);
}

void run_taskgroup(const Operation &operation, const Frame &frame) {
    auto *group = new Group;
    group->outer = frame.group;
    auto *inner = new Frame;
    inner->group = group;
#pragma omp taskgroup
    run_body(*operation.body, *inner);
    if (group->tasks.load() != 0)
        wrong(operation, "%d tasks of the group are not complete", group->tasks.load());
}

void run_parallel(const Operation &operation) {
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
}

/// Teams, each with a region.
void run_league(const Operation &operation) {
    std::atomic<int> teams{0};
    std::atomic<int> *at = &teams;
    const Operation *region = &operation;
#pragma omp teams num_teams(1 + operation.variant % 3) firstprivate(region, at)
    {
        at->fetch_add(1);
        run_parallel(*region);
    }
    if (teams.load() < 1 || teams.load() > 1 + operation.variant % 3)
        wrong(operation, "%d teams", teams.load());
}

void run_single(const Operation &operation) {
#pragma omp single
    {
        work(operation.amount);
        if (operation.body) {
            auto *inner = new Frame;
            run_body(*operation.body, *inner);
        }
    }
}

void run_one(const Operation &operation, Frame &frame) {
    switch (operation.kind) {
    case Kind::work:
        return work(operation.amount);
    case Kind::task:
        return create(operation, frame);
    case Kind::taskwait:
        return run_taskwait(operation, frame);
    case Kind::taskwait_depend:
        return run_taskwait_depend(operation, frame);
    case Kind::taskgroup:
        return run_taskgroup(operation, frame);
    case Kind::taskyield: {
#pragma omp taskyield
        return;
    }
    case Kind::barrier: {
#pragma omp barrier
        return;
    }
    case Kind::parallel:
        return run_parallel(operation);
    case Kind::single:
        return run_single(operation);
    case Kind::taskloop:
        return run_taskloop(operation);
    case Kind::loop:
        return run_loop(operation);
    case Kind::ordered:
        return run_ordered(operation);
    case Kind::sections:
        return run_sections(operation);
    case Kind::critical:
        return run_critical(operation);
    case Kind::lock:
        return run_lock(operation);
    case Kind::reduction:
        return run_reduction(operation);
    case Kind::cancelled_group:
        return run_cancelled_group(operation);
    case Kind::cancelled_region:
        return run_cancelled_region(operation);
    case Kind::suspend:
        return run_suspend(operation);
    case Kind::doacross:
        return run_doacross(operation);
    case Kind::kept:
        return run_kept(operation, frame);
    case Kind::foreign:
        return run_foreign(operation);
    case Kind::flood:
        return run_flood(operation);
    case Kind::left_to_others:
        return run_left_to_others(operation);
    case Kind::queues:
        return run_queues(operation);
    case Kind::put:
        return run_put(operation, frame);
    case Kind::speculation:
        return run_speculation(operation);
    case Kind::callback:
        return run_callback(operation);
    case Kind::league:
        return run_league(operation);
    case Kind::messages:
        return run_messages(operation);
    case Kind::fork:
        return run_fork(operation);
    case Kind::count:
        return;
    }
}

void run_body(const Body &body, Frame &frame) {
    for (const Operation &each : body.operations)
        run_one(each, frame);
}

} // namespace

void print_unfinished() {
    if (has_messages())
        print_messages();
    for (const Instance *each = last_instance.load(); each != nullptr; each = each->before)
        if (each->left.load() != 0)
            std::fprintf(stderr, "operation %d: a task %s\n", each->task->number,
                         each->began.load() ? "has begun, and is not complete" : "has not begun");
}

void make_program(const Shape &shape) { root = make_tree(shape); }

void print_program() { print_tree(*root); }

void run_program() {
    begin_constructs();
    if (has_messages())
        begin_messages();
    task_kinds[0] = loomp_task_kind("pairs", run_batch, nullptr, 2);
    task_kinds[1] = loomp_task_kind("sevens", run_batch, nullptr, 7);
    queues[0] = loomp_queue("first", LOOMP_ANY_PLACE);
    queues[1] = loomp_queue("second", LOOMP_ANY_PLACE);
    Frame frame;
    run_body(*root, frame);
    if (has_messages())
        end_messages();
    if (open_tasks.load() != 0)
        wrong(root->operations[0], "%d tasks never ran", open_tasks.load());
}

} // namespace loomp::simulated
