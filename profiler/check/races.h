// The races that a log of `loomp check` shows: memory that two tasks use, one of them writing, in
// no order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "profiler/check/order.h"
#include "profiler/check/shadow.h"

namespace loomp::check {

/// A block that the program allocated, at the time of a finding.
struct Block {
    Address begin = 0;
    std::uint64_t size = 0;
    Address code = 0;       ///< where it was allocated
    bool of_thread = false; ///< a static variable of a thread has held its address
};

/// One side of a finding. Of two explicit tasks the one that was created first comes first.
struct Side {
    TaskNumber number = 0;
    Address construct =
        0; ///< a return address in the task's construct; 0: the code around all regions
    Address function = 0; ///< the task's code; 0: unknown
    bool implicit = false;
    Address access = 0;
    How how = How::read;
    std::vector<Item> items;
};

/// The missing part of a clause.
struct Advice {
    enum class Kind : std::uint8_t {
        none,       ///< the two are no siblings: clauses do not order them
        add,        ///< `access` of the item's address, at the side `at`
        strengthen, ///< the item at the side `at` must be `access`
        add_both    ///< neither has an item for this memory
    };
    Kind kind = Kind::none;
    int at = 0; ///< 0: the earlier task, 1: the later one
    Access access = Access::in;
    Address address = 0;  ///< of the other side's item
    std::size_t item = 0; ///< the other side's number of that item, from 0
};

/// All conflicts of tasks of the same two constructs at the same two instructions.
struct Finding {
    Side earlier, later;
    Address begin, end; ///< the first conflict's bytes
    bool excluded;      ///< by a lock, say: not a race, but the order is not determined
    std::uint64_t count = 1;
    Block block; ///< size 0: the memory is no block
    bool stack;  ///< it lies in the frames of a task
    Advice advice;
};

struct Result {
    std::vector<Finding> findings; ///< races first, by number of conflicts
    std::uint64_t tasks = 0;
    std::uint64_t segments = 0;
    std::string problem; ///< the log cannot be read, or ends early; empty: none
};

/// Reads the log in a folder. `without`: an item that counts as missing.
Result find_conflicts(const std::filesystem::path &folder, const ItemOf &without = {});

/// An item without which the run would have had no race, either.
struct Unneeded {
    ItemOf item;
    Address function; ///< of a task of the construct; 0: unknown
    Access access;
    Address address;    ///< the item's, in the task with most of them
    std::size_t of = 0; ///< how many items a task of the construct has, at most
};

/// The items of a run without races, each left out in turn. The time is that of reading the log for
/// each of them; `most` numbers of a construct are tried.
std::vector<Unneeded> find_unneeded(const std::filesystem::path &folder, std::size_t most = 16);

} // namespace loomp::check
