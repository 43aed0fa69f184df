#include "profiler/trace/accesses.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "profiler/trace/counting_sort.h"

namespace loomp::analysis {

namespace {

/// The latest accesses to one location.
struct Location {
    std::vector<Index> group;
    std::vector<Index> before; ///< the group before
    AccessKind kind = AccessKind::inout;
};

/// The tasks of mutexinoutsets.
struct Exclusions {
    using Mutexes = std::unordered_map<std::uint64_t, Index>; ///< by location, of siblings

    void add(Mutexes &mutexes, const Access &access) {
        const auto [mutex, added] = mutexes.try_emplace(access.location, mutexes_count);
        mutexes_count += added ? 1 : 0;
        all.push_back({access.task, mutex->second});
    }

    std::vector<Exclusion> all;
    Index mutexes_count = 0;
};

/// The children of one task, in the order of their creation.
class Siblings {
  public:
    Siblings(std::vector<Dependence> &dependences, Exclusions &exclusions)
        : dependences_(dependences), exclusions_(exclusions) {}

    void add(const Access &access) {
        if (access.kind == AccessKind::all_memory) {
            add_all_memory(access.task);
            return;
        }
        Location &location = locations_.try_emplace(access.location, everything_).first->second;
        const bool joins = access.kind == location.kind && access.kind != AccessKind::inout &&
                           !location.group.empty();
        if (!joins)
            location.before = std::exchange(location.group, {});
        location.kind = access.kind;
        location.group.push_back(access.task);
        if (access.kind == AccessKind::mutexinoutset)
            exclusions_.add(mutexes_, access);
        come_after(location.before, access.task);
    }

  private:
    void come_after(const std::vector<Index> &before, Index task) {
        for (const Index predecessor : before)
            if (predecessor != task)
                dependences_.push_back({predecessor, task});
    }

    void add_all_memory(Index task) {
        come_after(everything_.group, task);
        for (const auto &[location, state] : locations_)
            come_after(state.group, task);
        locations_.clear();
        everything_.group = {task};
    }

    std::unordered_map<std::uint64_t, Location> locations_;
    Location everything_; ///< for locations without one: the last task that accessed all memory
    std::vector<Dependence> &dependences_;
    Exclusions &exclusions_;
    Exclusions::Mutexes mutexes_;
};

} // namespace

void sort_accesses(const Trace &trace, std::vector<Access> &accesses) {
    const auto order = [&](const Access &access) {
        const Task &task = trace.tasks[access.task];
        // A creator numbers its tasks in order, also those of one time.
        return std::tuple(task.rank, task.parent, task.created, task.id);
    };
    const auto before = [&](const Access &a, const Access &b) {
        return a.task != b.task && order(a) < order(b);
    };
    // Sorted in the order of each creating thread.
    if (!std::is_sorted(accesses.begin(), accesses.end(), before))
        std::sort(accesses.begin(), accesses.end(), before);
    for (auto first = accesses.begin(); first != accesses.end();) {
        const auto last = std::find_if(first, accesses.end(), [&](const Access &access) {
            return access.task != first->task;
        });
        std::sort(first, last,
                  [](const Access &a, const Access &b) { return a.location < b.location; });
        first = last;
    }
}

namespace {

void sort_dependences(const Trace &trace, std::vector<Dependence> &dependences) {
    counting_sort(
        dependences, trace.tasks.size(), [](const Dependence &dependence) { return dependence.to; },
        [](const Dependence &a, const Dependence &b) { return a.from < b.from; });
    const auto same = [](const Dependence &a, const Dependence &b) {
        return a.to == b.to && a.from == b.from;
    };
    dependences.erase(std::unique(dependences.begin(), dependences.end(), same), dependences.end());
    dependences.shrink_to_fit();
}

void append_dependences(const Trace &trace, std::span<const Index> inoutsets,
                        std::vector<Dependence> &dependences, Exclusions &exclusions) {
    // An access usually makes one; memory that is not used is never touched.
    dependences.reserve(dependences.size() + trace.accesses.size());
    std::optional<Siblings> siblings;
    const Task *before = nullptr;
    auto next = inoutsets.begin();
    visit_merged(trace.accesses, [&](std::size_t first, Access access) {
        const Task &task = trace.tasks[access.task];
        if (before == nullptr || before->rank != task.rank || before->parent != task.parent)
            siblings.emplace(dependences, exclusions);
        before = &task;
        if (next != inoutsets.end() && *next == first) {
            access.kind = AccessKind::inoutset;
            ++next;
        }
        siblings->add(access);
    });
    sort_dependences(trace, dependences);
}

} // namespace

std::vector<Dependence> find_dependences(const Trace &trace, std::span<const Index> inoutsets) {
    std::vector<Dependence> dependences;
    Exclusions exclusions;
    append_dependences(trace, inoutsets, dependences, exclusions);
    return dependences;
}

void add_dependences(Trace &trace) {
    Exclusions exclusions;
    sort_accesses(trace, trace.accesses);
    append_dependences(trace, {}, trace.dependences, exclusions);
    trace.exclusions = std::move(exclusions.all);
    std::stable_sort(trace.exclusions.begin(), trace.exclusions.end(),
                     [](const Exclusion &a, const Exclusion &b) { return a.task < b.task; });
}

} // namespace loomp::analysis
