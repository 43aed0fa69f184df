#include "runtime/core/scheduling/placing.h"

#include <algorithm>

#include "platform/diagnostics.h"
#include "platform/made_once.h"
#include "platform/pages.h"
#include "runtime/core/environment/task_settings.h"
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

} // namespace

void place_near(Task &task, const void *address) {
    const MachineParts &parts = machine_parts();
    // If there is one domain only, everything is near. A task that has a queue already keeps it.
    if (parts.count() > 1 && !task.has(kPlaced))
        place(task, parts.of_numa_domain(domain_of_page(address)) % kPartQueues);
}

void place_in_named(Task &task, unsigned queue) { place(task, kPartQueues + queue); }

void place_as_new(Worker &worker, Task &task) {
    if ((task.flags & (kPlaced | kFusible)) == 0)
        place(task, machine_parts().of_place(worker.member->place) % kPartQueues);
}

bool settle_place(Task &task) {
    if ((task.flags & kNotPlaced) != 0) { // it has become one since
        task.flags &= ~(kPlaced | kFusible);
        return false;
    }
    if (task.has(kFusible) && runs_by_itself(task)) {
        const unsigned queue = queue_of(task);
        task.flags &= ~TaskFlags{kFusible};
        task.route.set_queue(queue);
    }
    return true;
}

} // namespace loomp::core
