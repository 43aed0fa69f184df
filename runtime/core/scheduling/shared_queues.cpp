#include "runtime/core/scheduling/shared_queues.h"

#include <algorithm>

#include "platform/diagnostics.h"
#include "platform/made_once.h"
#include "platform/pages.h"
#include "runtime/core/environment/task_settings.h"
#include "runtime/core/scheduling/completion.h"
#include "runtime/core/scheduling/fusion.h"
#include "runtime/core/scheduling/named_queues.h"
#include "runtime/core/scheduling/queueing.h"
#include "runtime/core/scheduling/spawning.h"
#include "runtime/core/scheduling/throttle.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

// --- Parts of the machine --------------------------------------------------------------------

MachineParts::MachineParts(const std::vector<Place> &places, MachineLevel level,
                           Location (*location_of)(int)) {
    std::vector<int> objects; // that each part is
    for (std::size_t place = 0; place < places.size(); ++place) {
        const Location location = location_of(places[place].front());
        const int object = level == MachineLevel::machine ? 0 : object_at(location, level);
        const auto found = std::find(objects.begin(), objects.end(), object);
        const auto part = static_cast<std::uint16_t>(found - objects.begin());
        if (found == objects.end())
            objects.push_back(object);
        of_place_.push_back(part);
        if (location.numa_domain < 0)
            continue;
        const auto domain = static_cast<std::size_t>(location.numa_domain);
        if (domain >= of_domain_.size())
            of_domain_.resize(domain + 1);
        if (of_domain_[domain] == 0)
            of_domain_[domain] = part;
    }
    count_ = std::max<unsigned>(1, static_cast<unsigned>(objects.size()));
}

namespace {

MadeOnce<MachineParts> parts_of_machine;

} // namespace

const MachineParts &machine_parts() {
    return parts_of_machine.get([] {
        const MachineLevel level = task_settings().new_tasks;
        return MachineParts(places(),
                            level == MachineLevel::thread ? MachineLevel::numa_domain : level,
                            location_of);
    });
}

// --- The queues ------------------------------------------------------------------------------

void SharedQueues::push(unsigned queue, Task &task) { lists_[queue].push(task); }

Task *SharedQueues::take(unsigned part) {
    const unsigned count = std::min(machine_parts().count(), kParts);
    for (unsigned i = 0; i < count; ++i)
        if (Task *task = take_of((part + i) % count))
            return task;
    return nullptr;
}

Task *SharedQueues::take_of(unsigned queue) {
    // Tasks of one kind are looked for among so many.
    constexpr std::uint32_t depth = 1024;
    ReadyList &list = lists_[queue];
    Task *task = list.pop();
    if (task == nullptr)
        return nullptr;
    task->flags &= ~TaskFlags{kPlaced};
    if (task->has(kFusible)) {
        const unsigned kind = task->route.kind();
        const ReadyList::Taken more =
            list.take(most_of_kind(kind) - 1, depth, [kind](const Task &other) {
                return other.has(kFusible) && are_one_kind(other.route.kind(), kind);
            });
        for (Task *other = more.first; other != nullptr; other = other->next)
            other->flags &= ~TaskFlags{kPlaced};
        task->next = more.first;
        task = &make_batch_of(task);
    }
    return task;
}

ReadyList::Taken SharedQueues::take_kind(unsigned queue, unsigned kind, std::uint32_t most) {
    const ReadyList::Taken taken = lists_[queue].take(
        most, 0xffffffff, [kind](const Task &task) { return kind == 0 || is_of_kind(task, kind); });
    for (Task *task = taken.first; task != nullptr; task = task->next)
        task->flags &= ~TaskFlags{kPlaced};
    return taken;
}

std::uint32_t SharedQueues::merge(unsigned to, unsigned from) {
    const ReadyList::Taken all =
        lists_[from].take(0xffffffff, 0xffffffff, [](const Task &) { return true; });
    lists_[to].push_all(all);
    return all.count;
}

void SharedQueues::visit_locks(void (*each)(SpinLock &)) {
    for (ReadyList &list : lists_)
        each(list.lock());
}

Task *PlacedTasks::take(Worker &worker, Member &member) {
    SharedQueues *queues = filled_queues(member);
    if (queues == nullptr)
        return nullptr;
    if (Task *task = queues->take(machine_parts().of_place(member.place)))
        return task;
    return worker.queue_order != nullptr ? nullptr : take_named(*queues, member.place);
}

// --- Tasks -----------------------------------------------------------------------------------

namespace {

/// Tasks with queues of their own, or with none.
constexpr TaskFlags kNotPlaced =
    kUndeferred | kRunsChildrenInline | kPrioritized | kRedirect | kNodeOnly | kTarget;

void place(Task &task, unsigned queue) {
    if ((task.flags & kNotPlaced) != 0) {
        task.flags &= ~TaskFlags{kPlaced};
        return;
    }
    task.flags |= kPlaced;
    if (task.has(kFusible)) {
        if (const unsigned kind = kind_in_queue(task.route.kind(), queue)) {
            task.route.set_kind(kind);
            return;
        }
        LOOMP_WARN_ONCE(
            "there are more than %u kinds of tasks, counted for each queue: some run one by one",
            kMaxTaskKinds - 1);
        task.flags &= ~TaskFlags{kFusible};
    }
    task.route.set_queue(queue);
}

/// Returns the queue where the ready task waits. One that turns out to run by itself is no fusible
/// one any more.
unsigned settle_queue(Task &task) {
    if (!task.has(kFusible))
        return task.route.queue();
    const unsigned queue = queue_of_kind(task.route.kind());
    if (runs_by_itself(task)) {
        task.flags &= ~TaskFlags{kFusible};
        task.route.set_queue(queue);
    }
    return queue;
}

} // namespace

void place_near(Task &task, const void *address) {
    const MachineParts &parts = machine_parts();
    // If there is one domain only, everything is near. A task that has a queue already keeps it.
    if (parts.count() > 1 && !task.has(kPlaced))
        place(task, parts.of_numa_domain(domain_of_page(address)) % SharedQueues::kParts);
}

void place_in_named(Task &task, unsigned queue) { place(task, SharedQueues::kParts + queue); }

void queue_placed(Task &task) {
    Team &team = *task.team;
    if ((task.flags & kNotPlaced) != 0) { // it has become one since
        task.flags &= ~TaskFlags{kPlaced};
        queue_ready(task);
        return;
    }
    expect_tasks(team);
    team.note(Team::kPlacings);
    made_once(team.shared).push(settle_queue(task), task);
    team.event.notify_one();
}

void place_as_new(Worker &worker, Task &task) {
    if ((task.flags & (kPlaced | kFusible)) == 0)
        place(task, machine_parts().of_place(worker.member->place) % SharedQueues::kParts);
}

void spawn_placed(Worker &worker, Task &task) {
    if (worker.task->has(kPlacesNew))
        place_as_new(worker, task);
    if (!task.has(kPlaced))
        return spawn(worker, task);
    count_task(task);
    SharedQueues &queues = made_once(task.team->shared);
    const unsigned queue = settle_queue(task);
    const bool named = queue >= SharedQueues::kParts;
    enter_ready(task);
    queue_placed(task);
    // A queue with a name is the program's to bound.
    if (named || producers_first)
        return throttle_if_over_budget(worker);
    // Far ahead of those who run them: the creator's thread runs one.
    if (LOOMP_UNLIKELY(queues.holds_many(queue)))
        taskyield();
}

} // namespace loomp::core
