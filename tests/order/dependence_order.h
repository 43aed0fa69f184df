// An oracle for the order that depend clauses require, and a generator of random clauses. All tests
// of dependences use it, in the core and in compiled programs.
//
// The rules are those of OpenMP 5.2, 15.9.5, applied to every pair of tasks, without any graph. The
// oracle uses nothing of the runtime. A test draws clauses, creates a task for each in that order,
// has each task note when it ran (Run), and asks for the first pair in the wrong order.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace loomp::order {

/// How a clause names a location, from the weakest to the strongest. A location that a clause names
/// several times counts once, with the strongest.
enum class Kind : std::uint8_t { none, in, inoutset, mutexinoutset, inout };

/// Locations are numbers below this.
constexpr std::size_t kMostLocations = 8;

struct Item {
    std::size_t location;
    Kind kind;
};

/// One task's depend clause.
class Clause {
  public:
    void add(Item item) {
        items_.push_back(item);
        strongest_[item.location] = std::max(strongest_[item.location], item.kind);
    }
    /// omp_all_memory, which is inout.
    void add_all_memory() {
        all_memory_ = true;
        strongest_.fill(Kind::inout);
    }
    const std::vector<Item> &items() const { return items_; } ///< as they are written
    bool all_memory() const { return all_memory_; }
    bool empty() const { return items_.empty() && !all_memory_; }
    /// The strength with which it names a location.
    Kind of(std::size_t location) const { return strongest_[location]; }

  private:
    std::vector<Item> items_;
    std::array<Kind, kMostLocations> strongest_{};
    bool all_memory_ = false;
};

/// The relation that two tasks must keep; `a` was created first.
enum class Relation {
    none,      ///< they may overlap
    exclusive, ///< they may not overlap
    ordered    ///< the first ends before the second begins
};

/// The relation of two accesses to one location.
inline Relation relation(Kind a, Kind b) {
    if (a == Kind::none || b == Kind::none)
        return Relation::none;
    if (a != b || a == Kind::inout)
        return Relation::ordered;
    return a == Kind::mutexinoutset ? Relation::exclusive : Relation::none;
}

inline Relation relation(const Clause &a, const Clause &b) {
    Relation found = Relation::none;
    for (std::size_t location = 0; location < kMostLocations; ++location)
        found = std::max(found, relation(a.of(location), b.of(location)));
    return found;
}

/// When a task ran. The clock orders only itself, so a race detector still sees the races of tasks
/// that nothing else orders.
class Run {
  public:
    using Clock = std::atomic<int>; ///< begins with 1

    int begin(Clock &clock) { return note(begin_, clock); }
    int end(Clock &clock) { return note(end_, clock); }
    bool has_run() const { return ended() != 0; }
    int begun() const { return begin_.load(std::memory_order_relaxed); }
    int ended() const { return end_.load(std::memory_order_relaxed); }

  private:
    static int note(std::atomic<int> &time, Clock &clock) {
        const int now = clock.fetch_add(1, std::memory_order_relaxed);
        time.store(now, std::memory_order_relaxed);
        return now;
    }

    std::atomic<int> begin_{0};
    std::atomic<int> end_{0};
};

/// True if two runs keep a relation; the first one belongs to the task created first.
inline bool holds(Relation relation, const Run &a, const Run &b) {
    switch (relation) {
    case Relation::ordered:
        return a.ended() < b.begun();
    case Relation::exclusive:
        return a.ended() < b.begun() || b.ended() < a.begun();
    case Relation::none:
        break;
    }
    return true;
}

/// Two tasks in the wrong order, by their numbers; or one task twice, which has not run.
struct Violation {
    bool found = false;
    std::size_t first = 0;
    std::size_t second = 0;
};

/// The first violation among tasks of one creator whose second task has at least the number `from`.
/// `clause(i)` and `run(i)` are the i-th task's.
template <class GetClause, class GetRun>
Violation find_violation(std::size_t count, GetClause clause, GetRun run, std::size_t from = 0) {
    for (std::size_t j = from; j < count; ++j) {
        if (!run(j).has_run())
            return {true, j, j};
        for (std::size_t i = 0; i < j; ++i)
            if (!holds(relation(clause(i), clause(j)), run(i), run(j)))
                return {true, i, j};
    }
    return {};
}

/// The shape of random clauses.
struct Choices {
    std::size_t locations;
    std::span<const Kind> kinds; ///< a repeated one is drawn more often
    std::size_t fewest_items = 1;
    std::size_t most_items = 3;
    std::size_t one_in_all_memory = 0; ///< one clause in so many names all memory; 0: none
};

/// `below(n)` is a random number from 0 to n - 1.
template <class Below> Clause draw(const Choices &choices, Below &&below) {
    Clause clause;
    if (choices.one_in_all_memory != 0 && below(choices.one_in_all_memory) == 0) {
        clause.add_all_memory();
        return clause;
    }
    std::size_t items = choices.fewest_items + below(choices.most_items - choices.fewest_items + 1);
    for (; items > 0; --items) {
        const std::size_t location = below(choices.locations);
        clause.add({location, choices.kinds[below(choices.kinds.size())]});
    }
    return clause;
}

/// The part of a clause that a child may name if its parent's dependences stand for its own: the
/// locations that the parent names, no stronger.
inline Clause narrowed(const Clause &clause, const Clause &parent) {
    Clause narrow;
    for (const Item &item : clause.items()) {
        const Kind allowed = parent.of(item.location);
        if (allowed != Kind::none)
            narrow.add({item.location, allowed == Kind::inout ? item.kind : allowed});
    }
    return narrow;
}

} // namespace loomp::order
