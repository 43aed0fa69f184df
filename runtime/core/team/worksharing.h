// Worksharing constructs (OpenMP 5.2, ch. 11): the shared data with which the members of a team
// divide the iterations of a loop, the sections, or a single region.
//
// Every member meets the same constructs in the same order. So the n-th construct that a member
// enters in a region is the n-th of every other member. The n-th single region is executed by the
// member that counts it for the team (Barrier::singles). For the other constructs, a chain of
// segments holds their shared state: a slot for each. A fast member of constructs with nowait
// appends segments; the last member that passes a segment takes it out of the chain. So a member
// never waits for a slower one here, and the chain is as long as the distance between the two.
//
// Constructs belong to their region: each region begins with one segment, in which nothing is used.
//
// Iterations are numbered 0..trip-1 here; front ends translate.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"
#include "runtime/core/environment/schedule_kind.h"
#include "runtime/core/task/tool.h"

namespace loomp::core {

struct Member;
struct Team;

inline constexpr unsigned kWorkSlots = 8;

/// The shared state of one construct.
struct alignas(kFalseSharing) WorkSlot {
    Atomic<std::uint64_t> next{0};              ///< first iteration that no member has taken
    alignas(kFalseSharing) Atomic<int> left{0}; ///< members done with it, if it has been published
    Atomic<bool> claimed{false};                ///< the first member has come
    Atomic<bool> published{false};              ///< front_end and doacross are set
    Atomic<bool> shares_used{false};            ///< members use their ChunkShare
    /// Ordered: the iteration that may enter next. The member whose turn it is writes it.
    alignas(kFalseSharing) Atomic<std::uint64_t> turn{0};
    Atomic<bool> in_ordered{false};             ///< a member executes an ordered region
    Atomic<std::uint8_t> *doacross = nullptr;   ///< one bit per finished iteration
    void *front_end = nullptr;                  ///< published by the first member
    void (*dispose)(void *front_end) = nullptr; ///< the last member that leaves runs it
    /// Members use what is published after they have left. It is disposed of when all have passed
    /// the segment, or the next region begins.
    bool outlives_use = false;
};

/// The rest of a member's share of a nonmonotonic dynamic loop: a range of chunk numbers in one
/// word. The owner takes chunks from the front; members without chunks take half from the end.
/// Every change is one compare-and-swap on the whole word. A chunk number that was taken for
/// execution never returns, so a word with an old value is the old state. Zero means untouched: the
/// share that the division of the loop gives its owner. So others can take from a late member's
/// share before it arrives.
class ChunkShare {
  public:
    struct Range {
        std::uint64_t first;
        std::uint64_t end;
    };
    static constexpr std::uint64_t kMaxChunks = (std::uint64_t{1} << 31) - 1;

    /// Owner: takes the next chunk; false if none is left. `initial`: the share by division.
    LOOMP_INLINE bool take(Range initial, std::uint64_t &chunk) {
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        for (;;) {
            const Range range = word == 0 ? initial : decode(word);
            if (range.first >= range.end)
                return false;
            // relaxed: the word is the only shared data; barriers order the loop's data.
            if (LOOMP_LIKELY(word_.compare_exchange_weak(word, encode({range.first + 1, range.end}),
                                                         std::memory_order_relaxed))) {
                chunk = range.first;
                return true;
            }
        }
    }
    /// Any other member: takes the second half of the rest; empty if there is none.
    Range steal(Range initial);
    /// Owner, after take() has failed: stores a stolen range.
    void put(Range range) { word_.store(encode(range), std::memory_order_relaxed); }
    /// Called when no member uses it.
    void reset() { word_.store(0, std::memory_order_relaxed); }

  private:
    static constexpr std::uint64_t kTouched = std::uint64_t{1} << 63;
    static std::uint64_t encode(Range range) { return kTouched | range.end << 31 | range.first; }
    static Range decode(std::uint64_t word) { return {word & kMaxChunks, word >> 31 & kMaxChunks}; }
    Atomic<std::uint64_t> word_{0};
};

/// One member's shares of the loops in a segment.
struct alignas(kFalseSharing) MemberShares {
    ChunkShare of_slot[kWorkSlots];
};

/// The shared state of kWorkSlots constructs in a row. Those that a region uses are a chain.
struct alignas(kFalseSharing) WorkSegment {
    Atomic<WorkSegment *> next{nullptr}; ///< appended by the first member that needs it
    Atomic<int> passed{0};               ///< members that have gone on to `next`
    Atomic<bool> used{false};            ///< a member has entered a construct
    int capacity = 0;                    ///< members that have shares
    WorkSlot slots[kWorkSlots];
    MemberShares *shares() { return reinterpret_cast<MemberShares *>(this + 1); }
};

/// A team's constructs.
struct TeamWork {
    /// The first segment that not all members have passed. The last one that passes it changes it.
    WorkSegment *oldest = nullptr;
    Atomic<WorkSegment *> spare{nullptr}; ///< a segment between two uses
    /// `cancel for` and `cancel sections`: the construct's number in the region; 0: none. A number
    /// stands for one construct, so nobody has to take the cancellation back. Two constructs are
    /// not cancelled at once: a barrier, or the region's end, follows each of them.
    Atomic<std::uint64_t> cancelled{0};
    /// `cancelled` at the end of the last barrier. Constant until all members have come to the
    /// next.
    std::uint64_t cancelled_at_barrier = 0;
};

/// One member's part of its current construct.
struct WorkState {
    WorkSegment *segment = nullptr; ///< where its next construct is, unless it is full
    unsigned used = 0;              ///< slots of the segment that the member has entered
    std::uint32_t singles = 0;      ///< single regions that the member has met
    /// Counts what divides the region into constructs: the beginning and the end of each one, and
    /// barriers. A member that cancels a construct may not see its end, so each barrier gives all
    /// members one number. gcc announces nothing of a static loop, so two such loops in a row, the
    /// first one with nowait, have one number.
    std::uint64_t number = 0;
    /// Called at the beginning of a region. The other fields are set at the beginning of each
    /// construct.
    void begin_region(WorkSegment *oldest) {
        segment = oldest;
        used = 0;
        singles = 0;
        number = 1;
        barrier_done = 0;
        slot = nullptr;
        reported = WorkKind::none;
    }
    /// Returns the number after the barrier of a generation. Never 0.
    static std::uint64_t number_after(std::uint32_t generation) {
        constexpr unsigned bits_between_barriers = 28;
        return (std::uint64_t{generation + 1} << bits_between_barriers) | 1;
    }
    /// For the front end: the barrier that it meets at this number is over; 0: none is.
    std::uint64_t barrier_done = 0;
    WorkSlot *slot = nullptr; ///< null: it is in none (or in one without shared state)
    ScheduleKind kind = ScheduleKind::static_;
    bool is_ordered = false;
    bool is_unsigned = false;  ///< for the front end: the loop's type is unsigned
    bool shares = false;       ///< dynamic: uses the members' shares, not one counter
    bool whole_chunks = false; ///< guided: every length but the last is a multiple of the chunk
    std::uint64_t trip = 0;
    std::uint64_t chunk = 0; ///< 0 with static: one contiguous share each
    std::uint64_t position =
        0; ///< static: number of chunks taken; shares: whether it had the last chunk
    std::uint64_t first = 0; ///< the chunk being executed: [first, end)
    std::uint64_t end = 0;
    bool has_chunk = false;
    WorkKind reported = WorkKind::none; ///< what a tool was told the construct is
    std::uint64_t base = 0;             ///< for the front end: value of iteration 0
    std::uint64_t step = 0;             ///< and its increment
    std::uint64_t limit = 0;            ///< and the bound as written, for the last iteration's end
};

/// One member's view of a doacross loop nest.
struct DoacrossState {
    static constexpr unsigned kMaxDimensions = 64;
    std::uint32_t dimensions = 0;         ///< for the front end: number of loops
    std::uint64_t extent[kMaxDimensions]; ///< for the front end: their trip counts
    std::int64_t lower[kMaxDimensions];   ///< for the front end: their first values
    std::int64_t stride[kMaxDimensions];  ///< for the front end: their increments
};

/// Returns part `num` of `parts`: [first, end). The first parts have one more.
inline ChunkShare::Range even_share(std::uint64_t total, std::uint64_t num, std::uint64_t parts) {
    const std::uint64_t share = total / parts, longer = total % parts;
    const std::uint64_t first = num * share + (num < longer ? num : longer);
    return {first, first + share + (num < longer ? 1 : 0)};
}

struct LoopRequest {
    ScheduleKind kind = ScheduleKind::static_;
    bool runtime = false; ///< schedule(runtime): kind and chunk from run-sched-var
    ChunkOrder order = ChunkOrder::required;
    std::uint64_t trip = 0;
    std::uint64_t chunk = 0; ///< 0: none given
    /// The simd modifier (OpenMP 5.2, 11.5.3): chunks are multiples of this many iterations; 0: not
    /// given.
    std::uint64_t simd = 0;
    bool ordered = false;
    bool sections = false; ///< the iterations are sections, for tools
};

/// Prepares the team for the constructs of a region of `members` threads, whatever the previous
/// region has left.
void begin_work(Team &team, int members);

/// Enters the next construct of the region. Returns true for the first member. If `publishes`, that
/// member must call publish_work(), for which the others wait.
bool enter_work(Member &member, bool publishes = false);
/// Returns whether the construct that the last barrier ended was cancelled. `number`: the member's
/// before the barrier; it still was in the construct, or had just left it.
bool was_cancelled(const Team &team, std::uint64_t number);
/// Enters a construct without shared state.
inline void enter_divided_work(WorkState &state) { ++state.number; }
void publish_work(Member &member);
/// Leaves the construct without a wait.
void leave_work(Member &member);

/// Enters a loop. The front end may have called enter_work() with `publishes` before (`entered`).
void begin_loop(Member &member, const LoopRequest &request, bool entered = false);
/// Enters sections: a loop of `count` iterations that members take one by one.
void begin_sections(Member &member, std::uint64_t count, bool entered = false);
/// Takes the next chunk: iterations [state.first, state.end). Returns false if none is left; then
/// the front end calls leave_work() (GNU: at the loop's end).
bool next_chunk(Member &member);

/// Begins the ordered region of the current chunk: waits until those of all earlier chunks are
/// over.
void enter_ordered(Member &member);
void leave_ordered(Member &member);

/// Doacross. enter_doacross() enters the loop's construct; begin_loop() then does not. A front end
/// that publishes more calls make_doacross() between enter_work(publishes) and publish_work(), in
/// the first member. `iterations`: those of the whole nest.
void enter_doacross(Member &member, std::uint64_t iterations);
/// Ends the program if a nest has more loops than DoacrossState holds.
void check_doacross_depth(std::uint32_t loops);
void make_doacross(WorkSlot &slot, std::uint64_t iterations);
void post_iteration(Member &member, std::uint64_t iteration);
void wait_iteration(Member &member, std::uint64_t iteration);

/// single: returns true for the one member that executes the region.
bool enter_single(Member &member);

} // namespace loomp::core
