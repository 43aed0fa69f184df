// The order of a program's tasks, from the events of a log (profiler/check/protocol.h).
//
// A task is ordered after its siblings by their depend clauses, whether or not they had completed
// when it was created; after its creator's code before it; and after what its own waits wait for.
// The rules are OpenMP's (OpenMP 5.2, 15.9.5 for dependences).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/check/protocol.h"
#include "profiler/check/segments.h"

namespace loomp::check {

using Record = ::loomp_check_record;
using Address = std::uint64_t;

/// OMPT's kinds of dependences, as far as their rules differ.
enum class Access : std::uint8_t { in, inout, mutexinoutset, inoutset };

struct Item {
    Address address;
    Access access;
    bool all_memory;
};

/// The kind of a record DEPEND.
Access access_of(const Record &record);

/// A task that comes before another one by their clauses.
struct Predecessor {
    TaskNumber task;
    /// That both name. The children of a transparent task that used it last come before, too.
    Address location;
    friend auto operator<=>(const Predecessor &, const Predecessor &) = default;
};

struct Task {
    TaskNumber creator = 0; ///< 0: none; for an implicit task the one that met the region
    Address code = 0;       ///< where its construct is; for an implicit task, of the region
    Address function = 0; ///< of its code; 0: unknown. gcc's constructs have the line before theirs
    std::uint32_t flags = 0;
    bool implicit = false;
    SegmentNumber created = kNoSegment; ///< a segment without code, until it begins
    SegmentNumber current = kNoSegment; ///< its last one
    bool complete = false;
    bool code_ended = false;
    bool fulfilled = false;
    SegmentNumber fulfilment = kNoSegment;
    std::uint32_t region = 0;
    std::uint32_t barriers = 0; ///< those that an implicit task has come to
    std::uint32_t group = 0;    ///< the taskgroup that waits for it, in Order
    std::uint32_t call = 0;     ///< it is a nonblocking call of MPI: its function's number + 1
    std::vector<Item> items;
    std::uint32_t items_met = 0;           ///< with the one that counts as missing
    std::vector<Predecessor> predecessors; ///< by the clauses
    std::vector<TaskNumber> children;      ///< since its last taskwait
};

/// Sets of locks, by numbers. 0 is the empty set. A lock is its address, times 4, with a kind.
class Locks {
  public:
    static constexpr Address kItem = 1; ///< an item of mutexinoutset
    /// The part of a lock that its readers hold together. Its writers hold both parts.
    static constexpr Address kReads = 2;
    std::uint32_t with(std::uint32_t set, Address lock);
    std::uint32_t without(std::uint32_t set, Address lock);
    bool share(std::uint32_t one, std::uint32_t other) const;
    /// True if every lock of `part` is in `all`.
    bool contains(std::uint32_t all, std::uint32_t part) const;

  private:
    std::uint32_t number_of(std::vector<Address> set);
    std::vector<std::vector<Address>> sets_ = {{}};
    std::map<std::vector<Address>, std::uint32_t> numbers_ = {{{}, 0}};
};

/// An item of a construct's clauses, by its number from 0. An iterator makes several.
struct ItemOf {
    Address construct = 0;
    std::size_t number = 0;
};

class Order {
  public:
    /// `without`: an item that counts as missing.
    explicit Order(const ItemOf &without = {}) : without_(without) {}

    /// Takes an event; not for accesses and memory.
    void take(const Record &record);

    SegmentNumber current(TaskNumber task) { return task_at(task).current; }
    const Task &task(TaskNumber number) const { return tasks_[number]; }
    std::size_t tasks() const { return created_; }
    Segments &segments() { return segments_; }
    const Segments &segments() const { return segments_; }
    const Locks &locks() const { return locks_; }

  private:
    /// A barrier of a region. A fast member may be in the next one before a slow one leaves this.
    struct Barrier {
        std::vector<SegmentNumber> arrived; ///< members' segments before it
        SegmentNumber passed = kNoSegment;  ///< its own, once a member has left it
    };
    struct Region {
        TaskNumber number = 0; ///< no task has it: the barriers' segments do
        TaskNumber creator = 0;
        Address code = 0;
        SegmentNumber begin = kNoSegment;
        std::vector<TaskNumber> members;
        std::vector<TaskNumber> unfinished; ///< explicit tasks that no barrier has waited for
        std::vector<Barrier> barriers;
        /// The parts of doacross iterations that are done, since the last barrier. A later loop's
        /// iteration of the same number counts as one with the earlier loop's.
        std::unordered_map<std::uint64_t, std::vector<SegmentNumber>> posted;
    };
    struct Group {
        std::uint32_t around;
        std::vector<TaskNumber> tasks;
    };
    /// The tasks that used a location last, by their clauses: `last` may use it at once, `before`
    /// are those that precede them.
    struct Location {
        Access access = Access::in;
        std::vector<TaskNumber> last, before;
    };
    struct Siblings {
        std::unordered_map<Address, Location> locations;
        Location all_memory;
        std::vector<TaskNumber> with_items;
    };

    Task &task_at(TaskNumber number);
    SegmentNumber go_on(Task &task, TaskNumber number, std::span<const SegmentNumber> joined = {});
    void create(TaskNumber creator, TaskNumber created, Address code);
    void depend(TaskNumber number, Item item);
    void import(TaskNumber number, const Item &item, const std::vector<Predecessor> &predecessors);
    std::vector<SegmentNumber> ends_of(std::vector<Predecessor> predecessors) const;
    void begin(TaskNumber number);
    void complete(TaskNumber number);
    void call(TaskNumber caller, TaskNumber called, Address code);
    void join(TaskNumber waiting, std::vector<TaskNumber> &tasks);
    bool is_included(TaskNumber number) const;
    Region *region_of(TaskNumber member);
    SegmentNumber pass_barrier(Region &region, std::size_t number);

    const ItemOf without_;
    Segments segments_;
    Locks locks_;
    std::vector<Task> tasks_{1};
    std::size_t created_ = 0;
    std::unordered_map<std::uint64_t, Region> regions_;
    std::vector<Group> groups_{1};
    std::unordered_map<TaskNumber, Siblings> siblings_;   ///< by creator
    std::unordered_map<TaskNumber, std::uint32_t> held_;  ///< sets of locks, by task
    std::unordered_map<TaskNumber, std::uint32_t> group_; ///< the innermost taskgroup, by task
    std::unordered_map<TaskNumber, std::vector<TaskNumber>> bound_; ///< calls that a task waits for
    std::unordered_map<std::uint32_t, TaskNumber> running_;         ///< by thread
    /// A thread that the program has made.
    struct Made {
        Address handle;
        SegmentNumber made; ///< before it was made
    };
    std::unordered_map<Address, SegmentNumber> thread_made_; ///< that have not begun
    std::unordered_map<std::uint32_t, Made> threads_;
    std::unordered_map<Address, TaskNumber> first_tasks_; ///< of such threads, by handle
    /// Ends of threads that a thread joined before it had a task.
    std::unordered_map<std::uint32_t, std::vector<SegmentNumber>> joined_;
};

} // namespace loomp::check
