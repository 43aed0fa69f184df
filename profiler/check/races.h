// The races that a log of `loomp check` shows: memory that two tasks use, one of them writing, in
// no order.
#pragma once

#include <filesystem>
#include <optional>
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
    std::uint32_t call = 0; ///< a nonblocking call of MPI: its function's number + 1
    Address caller = 0;     ///< the construct of the task that made that call
    Address caller_function = 0;
    bool caller_implicit = false;
    Address access = 0;
    How how = How::read;
    std::vector<Item> items;
};

/// Messages of MPI that are matched in the order of the calls.
struct Envelope {
    std::uint32_t kind = 0; ///< LOOMP_CHECK_RECEIVES and so on
    std::int32_t peer = 0, tag = 0;
    std::uint32_t communicator = 0; ///< 0: MPI_COMM_WORLD
};

/// The missing part of a clause.
struct Advice {
    enum class Kind : std::uint8_t {
        none,       ///< clauses do not order the two
        add,        ///< `access` of the item's address, at the side `at`
        strengthen, ///< the item at the side `at` must be `access`
        add_both,   ///< neither has an item for this memory
        weak        ///< the task at the side `at` is weak, and does not wait for its items
    };
    Kind kind = Kind::none;
    int at = 0; ///< 0: the earlier task, 1: the later one
    Access access = Access::in;
    Address address = 0;  ///< of the other side's item
    std::size_t item = 0; ///< the other side's number of that item, from 0
    Block block = {};     ///< around the address
};

/// All conflicts of tasks of the same two constructs at the same two instructions.
struct Finding {
    Side earlier, later;
    Address begin, end; ///< the first conflict's bytes
    bool excluded;      ///< by a lock, say: not a race, but the order is not determined
    std::uint64_t count = 1;
    Block block;                      ///< size 0: the memory is no block
    bool stack;                       ///< it lies in the frames of a task
    std::optional<Envelope> envelope; ///< the two start messages of it; there is no memory
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

/// An item of a construct's clauses, as a run had it.
struct RunItem {
    ItemOf item;
    Address function; ///< of a task of the construct; 0: unknown
    Access access;
    Address address;    ///< the item's, in the task with most of them
    std::size_t of = 0; ///< how many items a task of the construct has, at most
};

/// All items of a run, at most `most` of a construct.
std::vector<RunItem> items_of(const std::filesystem::path &folder, std::size_t most = 16);
/// Those of a run without races without which it would have none, either. Each is left out in turn:
/// the time is that of reading the log for each of them.
std::vector<RunItem> find_unneeded(const std::filesystem::path &folder);

} // namespace loomp::check
