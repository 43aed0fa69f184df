#include "core/scheduling/shared_queues.h"

#include <algorithm>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/made_once.h"
#include "core/base/pages.h"
#include "core/scheduling/completion.h"
#include "core/scheduling/queueing.h"
#include "core/scheduling/spawning.h"
#include "core/scheduling/throttle.h"
#include "core/scheduling/waiting.h"
#include "core/worker/worker.h"

namespace loomp::core {

namespace {

/// The NUMA domain of a page, as the kernel numbers it; negative if it has none yet.
int domain_of(const void *address) {
    void *page =
        reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(address) & ~(page_size() - 1));
    int domain = -1;
    return syscall(SYS_move_pages, 0, 1ul, &page, nullptr, &domain, 0) == 0 ? domain : -1;
}

} // namespace

// --- Parts of the machine --------------------------------------------------------------------

MachineParts::MachineParts(const std::vector<Place> &places, QueueLevel level,
                           Location (*location_of)(int)) {
    std::vector<int> objects; // that each part is
    for (std::size_t place = 0; place < places.size(); ++place) {
        const Location location = location_of(places[place].front());
        const int object = level == QueueLevel::core          ? location.core
                           : level == QueueLevel::ll_cache    ? location.ll_cache
                           : level == QueueLevel::numa_domain ? location.numa_domain
                           : level == QueueLevel::socket      ? location.socket
                                                              : 0;
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

const MachineParts &machine_parts() {
    static const auto &parts = *new const MachineParts(
        places(),
        settings().new_tasks == QueueLevel::thread ? QueueLevel::numa_domain : settings().new_tasks,
        location_of);
    return parts;
}

// --- The queues ------------------------------------------------------------------------------

void SharedQueues::push(unsigned part, Task &task) {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    queues_[part % kQueues].tasks.push(task);
}

Task *SharedQueues::take(unsigned part) {
    const unsigned count = std::min(machine_parts().count(), kQueues);
    for (unsigned i = 0; i < count; ++i)
        if (Task *task = queues_[(part + i) % count].tasks.pop()) {
            waiting_.fetch_sub(1, std::memory_order_relaxed);
            return task;
        }
    return nullptr;
}

Task *take_placed_slow(SharedQueues &queues, const Member &member) {
    Task *task = queues.take(machine_parts().of_place(member.place));
    if (task != nullptr)
        task->flags &= ~TaskFlags{kPlaced};
    return task;
}

// --- Tasks -----------------------------------------------------------------------------------

namespace {

/// Tasks with queues of their own, or with none.
constexpr TaskFlags kNotPlaced =
    kUndeferred | kIncludes | kPrioritized | kFusible | kRedirect | kNodeOnly | kTarget;

void place(Task &task, unsigned part) {
    if ((task.flags & kNotPlaced) != 0)
        return;
    task.flags |= kPlaced;
    task.kind = static_cast<std::uint8_t>(part % SharedQueues::kQueues);
}

} // namespace

void place_near(Task &task, const void *address) {
    const MachineParts &parts = machine_parts();
    // Where there is one domain only, everything is near.
    if (parts.count() > 1)
        place(task, parts.of_numa_domain(domain_of(address)));
}

void queue_placed(Task &task) {
    Team &team = *task.team;
    if ((task.flags & kNotPlaced) != 0) { // it has become one since
        task.flags &= ~TaskFlags{kPlaced};
        make_ready(task);
        return;
    }
    expect_tasks(team);
    made_once(team.shared).push(task.kind, task);
    team.event.notify_one();
}

void place_as_new(Worker &worker, Task &task) {
    if (!task.has(kPlaced))
        place(task, machine_parts().of_place(worker.member->place));
}

void spawn_placed(Worker &worker, Task &task) {
    if (worker.task->has(kPlacesNew))
        place_as_new(worker, task);
    if (!task.has(kPlaced))
        return spawn(worker, task);
    count_task(task);
    SharedQueues &queues = made_once(task.team->shared);
    queue_placed(task);
    // Far ahead of those who run them: the creator's thread runs one.
    if (LOOMP_LIKELY(!queues.holds_many()))
        return;
    if (producers_first)
        throttle_if_over_budget(worker);
    else
        taskyield();
}

} // namespace loomp::core
