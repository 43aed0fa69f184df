// The order of a program's tasks: their segments, the pieces of their code between events, as nodes
// of a graph whose edges are what the program's constructs order.
//
// Edges come from clauses and waits, not from the schedule of the run. A segment's number is
// greater than those of its predecessors.
//
// Invariant: the segments of one task are in order, each after the one before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace loomp::check {

using SegmentNumber = std::uint32_t;
using TaskNumber = std::uint32_t;
inline constexpr SegmentNumber kNoSegment = ~SegmentNumber{0};

class Segments {
  public:
    /// The next segment of a task, after `previous` of the same task (kNoSegment: none) and after
    /// `joined`, the ends of other tasks' segments. `locks`: the set of locks that the task holds.
    SegmentNumber add(TaskNumber task, std::uint32_t locks, SegmentNumber previous,
                      std::span<const SegmentNumber> joined = {});

    TaskNumber task_of(SegmentNumber segment) const { return segments_[segment].task; }
    std::uint32_t locks_of(SegmentNumber segment) const { return segments_[segment].locks; }

    /// Returns whether all of `before` is ordered before all of `after`, which began later in the
    /// run. Several calls with one `after` share their search.
    bool precedes(SegmentNumber before, SegmentNumber after);

    /// Every segment that is added from now on comes after those below this number.
    SegmentNumber all_before() const { return cut_; }
    std::size_t size() const { return segments_.size(); }

  private:
    struct Segment {
        TaskNumber task;
        std::uint32_t locks;
        SegmentNumber joining; ///< the last of its task up to this one that has joined others
        SegmentNumber before_joining; ///< the task's segment before that
        std::uint32_t first, count;   ///< what it has joined, in joined_
        bool has_successor;
    };
    void found(SegmentNumber segment);
    void search(SegmentNumber after, SegmentNumber down_to);
    bool is_found(SegmentNumber segment) const;

    std::vector<Segment> segments_;
    std::vector<SegmentNumber> joined_;
    std::uint32_t open_ = 0; ///< segments without successors
    SegmentNumber cut_ = 0;

    // The search backwards from a segment. The segments of a task are in order, so the last one
    // that is found stands for those before it.
    struct Found {
        std::uint32_t round;
        SegmentNumber last;
    };
    SegmentNumber from_ = kNoSegment;
    std::vector<Found> found_; ///< by task
    std::uint32_t round_ = 0;
    std::vector<SegmentNumber> heap_; ///< found and not followed, the greatest number first
};

} // namespace loomp::check
