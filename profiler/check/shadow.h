// The last accesses to each byte of memory, and the pairs of them that nothing orders.
//
// An access that is ordered before a newer one is dropped if the newer one is at least as strong
// and holds no lock that the older one does not hold. So the lists stay short: later code that
// races with the dropped one races with the newer one, too.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "profiler/check/order.h"

namespace loomp::check {

enum class How : std::uint8_t { read, write, atomic };

/// Accesses of a task between two events.
struct Use {
    SegmentNumber segment;
    Address code;
    How how;
    TaskNumber owner; ///< the task on whose frames the memory lies; 0: no stack
};

/// Two uses of the bytes from `begin` to `end`, one of which writes, and which nothing orders.
struct Conflict {
    Address begin, end;
    Use earlier, later; ///< in this run
    bool excluded;      ///< by a lock, or because no write is a plain one
};

class Shadow {
  public:
    Shadow(Order &order, std::function<void(const Conflict &)> found)
        : order_(order), found_(std::move(found)) {}

    void use(Address begin, Address end, const Use &use);
    /// The next uses are of other data.
    void forget(Address begin, Address end);

  private:
    struct Piece {
        Address end;
        std::vector<Use> uses;
    };
    using Pieces = std::map<Address, Piece>; ///< by begin; they do not overlap

    Pieces::iterator first_from(Address begin);
    Pieces::iterator split(Pieces::iterator piece, Address at);
    void add(Address begin, Piece &piece, const Use &use);
    void clear_all();

    Order &order_;
    std::function<void(const Conflict &)> found_;
    Pieces pieces_;
    SegmentNumber cleared_ = 0;
};

} // namespace loomp::check
