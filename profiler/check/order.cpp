#include "profiler/check/order.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "loomp/omp-tools.h"

namespace loomp::check {

// --- Locks ---------------------------------------------------------------------------------------

std::uint32_t Locks::number_of(std::vector<Address> set) {
    const auto [at, is_new] = numbers_.try_emplace(std::move(set), sets_.size());
    if (is_new)
        sets_.push_back(at->first);
    return at->second;
}

std::uint32_t Locks::with(std::uint32_t set, Address lock) {
    std::vector<Address> locks = sets_[set];
    locks.insert(std::lower_bound(locks.begin(), locks.end(), lock), lock);
    return number_of(std::move(locks));
}

std::uint32_t Locks::without(std::uint32_t set, Address lock) {
    std::vector<Address> locks = sets_[set];
    const auto at = std::lower_bound(locks.begin(), locks.end(), lock);
    if (at != locks.end() && *at == lock)
        locks.erase(at);
    return number_of(std::move(locks));
}

bool Locks::contains(std::uint32_t all, std::uint32_t part) const {
    return all == part || std::includes(sets_[all].begin(), sets_[all].end(), sets_[part].begin(),
                                        sets_[part].end());
}

bool Locks::share(std::uint32_t one, std::uint32_t other) const {
    const std::vector<Address> &a = sets_[one], &b = sets_[other];
    const auto has = [](const std::vector<Address> &set, Address lock) {
        return std::binary_search(set.begin(), set.end(), lock);
    };
    return std::any_of(a.begin(), a.end(), [&](Address lock) {
        if (!has(b, lock))
            return false;
        const Address alone = lock & ~Address{3};
        return (lock & 3) != kReads || has(a, alone) || has(b, alone);
    });
}

namespace {

/// The location of a predecessor that an item of all memory has.
constexpr Address kAnyLocation = ~Address{0};

bool names_all(const Task &task) {
    return std::any_of(task.items.begin(), task.items.end(),
                       [](const Item &item) { return item.all_memory; });
}

} // namespace

Access access_of(const Record &record) {
    switch (static_cast<ompt_dependence_type_t>(record.c)) {
    case ompt_dependence_type_in:
        return Access::in;
    case ompt_dependence_type_mutexinoutset:
        return Access::mutexinoutset;
    case ompt_dependence_type_inoutset:
        return Access::inoutset;
    default:
        return Access::inout;
    }
}

// --- Tasks ---------------------------------------------------------------------------------------

Task &Order::task_at(TaskNumber number) {
    if (number >= tasks_.size())
        tasks_.resize(std::size_t{number} + 1);
    return tasks_[number];
}

/// The task's next segment.
SegmentNumber Order::go_on(Task &task, TaskNumber number, std::span<const SegmentNumber> joined) {
    const auto held = held_.find(number);
    task.current =
        segments_.add(number, held == held_.end() ? 0 : held->second, task.current, joined);
    return task.current;
}

void Order::create(TaskNumber creator, TaskNumber created, Address code) {
    task_at(std::max(creator, created));
    Task &task = tasks_[created];
    Task &parent = tasks_[creator];
    ++created_;
    task.creator = creator;
    task.code = code;
    task.region = parent.region;
    if (const auto group = group_.find(creator); group != group_.end())
        task.group = group->second;
    else
        task.group = parent.group;
    task.current = task.created = segments_.add(created, 0, kNoSegment, std::array{parent.current});
    go_on(parent, creator);
}

/// It ends before its creator continues.
bool Order::is_included(TaskNumber number) const {
    const Task &task = tasks_[number];
    return (task.flags & ompt_task_undeferred) != 0 ||
           (tasks_[task.creator].flags & ompt_task_final) != 0;
}

void Order::depend(TaskNumber number, Item item) {
    if (Task &task = tasks_[number];
        task.items_met++ == without_.number && task.code == without_.construct && task.code != 0)
        return;
    // A transparent task's children may use the location with others'.
    if ((tasks_[number].flags & ompt_task_exporting) != 0 && item.access == Access::mutexinoutset)
        item.access = Access::inout;
    tasks_[number].items.push_back(item);
    Siblings &siblings = siblings_[tasks_[number].creator];
    std::vector<Predecessor> predecessors;
    const auto after = [&](const std::vector<TaskNumber> &others) {
        for (const TaskNumber other : others)
            if (other != number)
                predecessors.push_back({other, item.all_memory ? kAnyLocation : item.address});
    };
    const auto is_set = [](Access access) { return access != Access::inout; };
    const auto use = [&](Location &location, Access access) {
        const bool together = is_set(access) && location.access == access && !location.last.empty();
        if (together) {
            after(location.before);
        } else if (location.last == std::vector{number}) { // a second item of this task
            after(location.before);
            location.access = Access::inout;
            return;
        } else {
            after(location.last);
            location.before = std::exchange(location.last, {});
            location.access = access;
        }
        if (location.last.empty() || location.last.back() != number)
            location.last.push_back(number);
    };
    if (item.all_memory) {
        after(siblings.with_items);
        siblings.with_items = {number};
        siblings.locations.clear();
        siblings.all_memory = {Access::inout, {number}, {}};
    } else {
        after(siblings.all_memory.last);
        if (siblings.with_items.empty() || siblings.with_items.back() != number)
            siblings.with_items.push_back(number);
        use(siblings.locations[item.address], item.access);
    }
    if ((tasks_[number].flags & ompt_task_importing) != 0 && !is_included(number)) {
        import(number, item, predecessors);
        return;
    }
    std::vector<Predecessor> &all = tasks_[number].predecessors;
    all.insert(all.end(), predecessors.begin(), predecessors.end());
}

/// A weak task's children come after its predecessors, and it does not.
void Order::import(TaskNumber number, const Item &item,
                   const std::vector<Predecessor> &predecessors) {
    Siblings &children = siblings_[number];
    Location &location = item.all_memory ? children.all_memory : children.locations[item.address];
    for (const Predecessor &each : predecessors) {
        location.access = Access::inout;
        location.last.push_back(each.task);
        children.with_items.push_back(each.task);
    }
}

/// The last segments of predecessors, and of those children of transparent ones that come before,
/// too.
std::vector<SegmentNumber> Order::ends_of(std::vector<Predecessor> predecessors) const {
    std::vector<SegmentNumber> ends;
    std::set<Predecessor> met;
    while (!predecessors.empty()) {
        const Predecessor each = predecessors.back();
        predecessors.pop_back();
        const Task &task = tasks_[each.task];
        if ((task.flags & ompt_task_exporting) == 0) {
            ends.push_back(task.current);
            continue;
        }
        if (!met.insert(each).second)
            continue;
        ends.push_back(task.current);
        const auto siblings = siblings_.find(each.task);
        if (siblings == siblings_.end())
            continue;
        const auto &[locations, all_memory, with_items] = siblings->second;
        const auto add = [&predecessors](const Location &location, Address address) {
            for (const TaskNumber last : location.last)
                predecessors.push_back({last, address});
        };
        add(all_memory, each.location);
        const auto names = [&task](Address address) {
            return std::any_of(task.items.begin(), task.items.end(), [address](const Item &item) {
                return item.all_memory || item.address == address;
            });
        };
        if (names(each.location) && !names_all(task)) {
            if (const auto at = locations.find(each.location); at != locations.end())
                add(at->second, each.location);
            continue;
        }
        for (const auto &[address, location] : locations)
            if (names(address))
                add(location, address);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}

/// The task's code begins.
void Order::begin(TaskNumber number) {
    Task &task = tasks_[number];
    const std::vector<SegmentNumber> joined = ends_of(std::exchange(task.predecessors, {}));
    for (const Item &item : task.items)
        if (item.access == Access::mutexinoutset)
            held_[number] = locks_.with(held_[number], item.address << 2 | Locks::kItem);
    task.created = kNoSegment;
    go_on(task, number, joined);
}

/// Others may go on after all of the task.
void Order::complete(TaskNumber number) {
    Task &task = tasks_[number];
    if (task.created != kNoSegment) // cancelled before it began
        begin(number);
    task.complete = true;
    held_.erase(number);
    if (task.fulfilment != kNoSegment)
        go_on(task, number, std::array{task.fulfilment});
    if (auto bound = bound_.extract(number); !bound.empty())
        join(number, bound.mapped());
    task.children = {};
    Task &parent = tasks_[task.creator];
    if (is_included(number))
        go_on(parent, task.creator, std::array{task.current});
}

/// The task continues after all of `tasks`, which it has waited for.
void Order::join(TaskNumber waiting, std::vector<TaskNumber> &tasks) {
    std::vector<SegmentNumber> joined;
    joined.reserve(tasks.size());
    for (const TaskNumber each : tasks)
        joined.push_back(tasks_[each].current);
    tasks.clear();
    go_on(tasks_[waiting], waiting, joined);
}

/// A call of MPI that returns before it is complete is a task that nobody waits for but those who
/// complete it.
void Order::call(TaskNumber caller, TaskNumber called, Address code) {
    task_at(std::max(caller, called));
    Task &task = tasks_[called];
    task.creator = caller;
    task.code = code;
    task.call = 1;
    if (tasks_[caller].current == kNoSegment) { // of a thread without tasks
        go_on(task, called);
        return;
    }
    go_on(task, called, std::array{tasks_[caller].current});
    go_on(tasks_[caller], caller);
}

// --- Regions -------------------------------------------------------------------------------------

Order::Region *Order::region_of(TaskNumber member) {
    const auto at = regions_.find(tasks_[member].region);
    return at == regions_.end() ? nullptr : &at->second;
}

/// A member leaves a barrier, or the region has ended. The barrier comes after all members' code
/// before it, and all explicit tasks so far.
SegmentNumber Order::pass_barrier(Region &region, std::size_t number) {
    Barrier &barrier = region.barriers[number];
    if (barrier.passed != kNoSegment)
        return barrier.passed;
    region.posted.clear();
    std::vector<SegmentNumber> joined = std::exchange(barrier.arrived, {});
    for (const TaskNumber each : std::exchange(region.unfinished, {}))
        joined.push_back(tasks_[each].current);
    const SegmentNumber before = number > 0 ? region.barriers[number - 1].passed : kNoSegment;
    return barrier.passed = segments_.add(region.number, 0, before, joined);
}

void Order::take(const Record &record) {
    const auto a = static_cast<TaskNumber>(record.a), b = static_cast<TaskNumber>(record.b);
    const std::uint32_t thread = record.thread;
    switch (record.kind) {
    case LOOMP_CHECK_CREATE: {
        create(a, b, record.c);
        break;
    }
    case LOOMP_CHECK_DETAILS: {
        const auto number = static_cast<TaskNumber>(record.c);
        Task &task = task_at(number);
        task.flags = static_cast<std::uint32_t>(record.a);
        if (record.b != 0) // a taskwait
            break;
        tasks_[task.creator].children.push_back(number);
        if (task.group != 0)
            groups_[task.group].tasks.push_back(number);
        if (task.region != 0)
            regions_[task.region].unfinished.push_back(number);
        break;
    }
    case LOOMP_CHECK_DEPEND: {
        const auto kind = static_cast<ompt_dependence_type_t>(record.c);
        depend(a, {record.b, access_of(record),
                   kind == ompt_dependence_type_out_all_memory ||
                       kind == ompt_dependence_type_inout_all_memory});
        break;
    }
    case LOOMP_CHECK_FUNCTION:
        task_at(a).function = record.b;
        break;
    case LOOMP_CHECK_RUN:
        running_[thread] = b;
        if (task_at(b).created != kNoSegment)
            begin(b);
        break;
    case LOOMP_CHECK_END:
        running_[thread] = b;
        tasks_[a].code_ended = true;
        complete(a);
        break;
    case LOOMP_CHECK_DETACH:
        running_[thread] = b;
        tasks_[a].code_ended = true;
        break;
    case LOOMP_CHECK_FULFIL: {
        const auto at = running_.find(thread);
        if (at != running_.end() && at->second != 0 && at->second != a) {
            tasks_[a].fulfilment = current(at->second);
            go_on(tasks_[at->second], at->second);
        }
        if (record.b != 0)
            complete(a);
        break;
    }
    case LOOMP_CHECK_WAITED: {
        std::vector<SegmentNumber> waited_for = ends_of(std::exchange(tasks_[a].predecessors, {}));
        waited_for.push_back(tasks_[a].current); // its own segment, which has no code
        const TaskNumber waiting = tasks_[a].creator;
        go_on(tasks_[waiting], waiting, waited_for);
        break;
    }
    case LOOMP_CHECK_REGION_BEGIN: {
        regions_[record.b] = {b, a, record.c, task_at(a).current, {}, {}, {}, {}};
        if (tasks_[a].current != kNoSegment)
            go_on(tasks_[a], a);
        break;
    }
    case LOOMP_CHECK_MEMBER_BEGIN: {
        Task &task = task_at(a);
        task.implicit = true;
        const TaskNumber around = std::exchange(running_[thread], a);
        task.region = static_cast<std::uint32_t>(record.b);
        std::vector<SegmentNumber> begin;
        if (record.b != 0) {
            Region &region = regions_[record.b];
            begin = {region.begin};
            region.members.push_back(a);
            tasks_[a].creator = region.creator;
            tasks_[a].code = region.code;
        } else if (around != 0) { // a callback has it where the thread is in no region
            begin = {current(around)};
            go_on(tasks_[around], around);
        } else {
            begin = std::exchange(joined_[thread], {});
            if (const auto made = threads_.find(thread); made != threads_.end()) {
                begin.push_back(made->second.made);
                first_tasks_[made->second.handle] = a;
            }
        }
        go_on(tasks_[a], a, begin);
        break;
    }
    case LOOMP_CHECK_MEMBER_END:
        running_[thread] = 0;
        tasks_[a].complete = true;
        break;
    case LOOMP_CHECK_BARRIER_BEGIN: {
        Region *region = region_of(a);
        if (region == nullptr)
            break;
        const std::uint32_t number = tasks_[a].barriers++;
        if (number >= region->barriers.size())
            region->barriers.resize(std::size_t{number} + 1);
        region->barriers[number].arrived.push_back(tasks_[a].current);
        break;
    }
    case LOOMP_CHECK_BARRIER_END: {
        Region *region = region_of(a);
        if (region == nullptr || tasks_[a].barriers == 0)
            break;
        tasks_[a].children.clear();
        go_on(tasks_[a], a, std::array{pass_barrier(*region, tasks_[a].barriers - 1)});
        break;
    }
    case LOOMP_CHECK_POSTED:
        if (Region *region = region_of(a)) {
            region->posted[record.b].push_back(current(a));
            go_on(tasks_[a], a);
        }
        break;
    case LOOMP_CHECK_AWAITED:
        if (Region *region = region_of(a))
            if (const auto posted = region->posted.find(record.b); posted != region->posted.end())
                go_on(tasks_[a], a, posted->second);
        break;
    case LOOMP_CHECK_REGION_END: {
        const auto at = regions_.find(record.b);
        if (at == regions_.end())
            break;
        running_[thread] = a;
        // Members that were cancelled, and the teams of a league, meet different barriers.
        std::vector<SegmentNumber> ends;
        for (const TaskNumber each : at->second.unfinished)
            ends.push_back(tasks_[each].current);
        for (const TaskNumber member : at->second.members) {
            ends.push_back(tasks_[member].current);
            siblings_.erase(member);
        }
        go_on(tasks_[a], a, ends);
        regions_.erase(at);
        break;
    }
    case LOOMP_CHECK_TASKWAIT_END:
        join(a, tasks_[a].children);
        break;
    case LOOMP_CHECK_GROUP_BEGIN: {
        const auto outer = group_.find(a);
        groups_.push_back({outer != group_.end() ? outer->second : tasks_[a].group, {}});
        group_[a] = static_cast<std::uint32_t>(groups_.size() - 1);
        break;
    }
    case LOOMP_CHECK_GROUP_END: {
        const auto at = group_.find(a);
        if (at == group_.end() || at->second == 0)
            break;
        Group &group = groups_[at->second];
        join(a, group.tasks);
        if (group.around == tasks_[a].group)
            group_.erase(at);
        else
            at->second = group.around;
        break;
    }
    case LOOMP_CHECK_LOCKED:
    case LOOMP_CHECK_UNLOCKED: {
        const auto at = running_.find(thread);
        if (at == running_.end() || at->second == 0)
            break;
        std::uint32_t &held = held_[at->second];
        const Address alone = record.a << 2, reading = alone | Locks::kReads;
        if (record.kind == LOOMP_CHECK_UNLOCKED)
            held = locks_.without(locks_.without(held, alone), reading);
        else if (record.c == LOOMP_CHECK_FOR_ALL)
            held = locks_.with(held, alone);
        else if (record.c == LOOMP_CHECK_FOR_READERS)
            held = locks_.with(held, reading);
        else
            held = locks_.with(locks_.with(held, alone), reading);
        go_on(tasks_[at->second], at->second);
        break;
    }
    case LOOMP_CHECK_CALL:
        call(a, b, record.c);
        break;
    case LOOMP_CHECK_CALLED:
        task_at(a).call = b + 1;
        break;
    case LOOMP_CHECK_COMPLETED: {
        std::vector<TaskNumber> calls = {b};
        if (task_at(a).current != kNoSegment)
            join(a, calls);
        break;
    }
    case LOOMP_CHECK_BOUND:
        bound_[a].push_back(b);
        break;
    case LOOMP_CHECK_THREAD_MADE: {
        const auto at = running_.find(thread);
        if (at == running_.end() || at->second == 0)
            break;
        thread_made_[record.a] = current(at->second);
        go_on(tasks_[at->second], at->second);
        break;
    }
    case LOOMP_CHECK_THREAD_BEGIN: {
        running_[thread] = 0;
        const auto made = thread_made_.extract(record.a);
        joined_.erase(thread);
        threads_[thread] = {record.b, made.empty() ? kNoSegment : made.mapped()};
        first_tasks_.erase(record.b);
        break;
    }
    case LOOMP_CHECK_THREAD_JOINED: {
        const auto at = running_.find(thread);
        const auto first = first_tasks_.find(record.a);
        if (first == first_tasks_.end())
            break;
        const SegmentNumber end = tasks_[first->second].current;
        if (at == running_.end() || at->second == 0)
            joined_[thread].push_back(end);
        else
            go_on(tasks_[at->second], at->second, std::array{end});
        break;
    }
    default:
        break;
    }
}

} // namespace loomp::check
