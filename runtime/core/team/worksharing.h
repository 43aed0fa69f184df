// Worksharing constructs (OpenMP 5.2, ch. 11): the shared data with which the members of a team
// divide the iterations of a loop, the sections, or a single region.
//
// Every member meets the same constructs in the same order. So a number identifies the n-th
// construct of a region, and its shared state is slot n mod kWorkSlots of the team's ring. A fast
// member of constructs with nowait may be some constructs ahead; it waits before it would lap the
// ring.
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

/// The shared state of one construct. The last member that leaves it resets it.
struct alignas(kFalseSharing) WorkSlot {
    Atomic<std::uint64_t> next{0}; ///< first iteration that no member has taken
    alignas(kFalseSharing) Atomic<std::uint64_t> available; ///< number of the construct it serves
    Atomic<int> left{0};                                    ///< members done with it
    Atomic<bool> claimed{false};                            ///< the first member has come
    Atomic<bool> published{false};                          ///< front_end and doacross are set
    Atomic<bool> shares_used{false};                        ///< members use their ChunkShare
    /// Ordered: the iteration that may enter next. The member whose turn it is writes it.
    alignas(kFalseSharing) Atomic<std::uint64_t> turn{0};
    Atomic<std::uint8_t> *doacross = nullptr;   ///< one bit per finished iteration
    void *front_end = nullptr;                  ///< published by the first member
    void (*dispose)(void *front_end) = nullptr; ///< the last member that leaves runs it
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
    /// The last member that leaves the loop calls it.
    void reset() { word_.store(0, std::memory_order_relaxed); }

  private:
    static constexpr std::uint64_t kTouched = std::uint64_t{1} << 63;
    static std::uint64_t encode(Range range) { return kTouched | range.end << 31 | range.first; }
    static Range decode(std::uint64_t word) { return {word & kMaxChunks, word >> 31 & kMaxChunks}; }
    Atomic<std::uint64_t> word_{0};
};

struct WorkRing {
    WorkRing();
    WorkSlot slots[kWorkSlots];
};

/// One member's part of its current construct.
struct WorkState {
    std::uint64_t sequence = 0; ///< number of the next construct that it will meet
    WorkSlot *slot = nullptr;   ///< null: it is in none (or in one without shared state)
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

/// One member's view of a doacross loop nest. Its slot is the loop's own, or one more if the front
/// end enters the two separately.
struct DoacrossState {
    static constexpr unsigned kMaxDimensions = 64;
    WorkSlot *slot = nullptr;
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
    bool monotonic = false;
    std::uint64_t trip = 0;
    std::uint64_t chunk = 0; ///< 0: none given
    /// The simd modifier (OpenMP 5.2, 11.5.3): chunks are multiples of this many iterations; 0: not
    /// given.
    std::uint64_t simd = 0;
    bool ordered = false;
    bool sections = false; ///< the iterations are sections, for tools
};

/// Enters the next construct of the region. Returns true for the first member. If `publishes`, that
/// member must call publish_work(), for which the others wait.
bool enter_work(Member &member, bool publishes = false);
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

/// Doacross. enter_doacross() takes a separate slot. If the loop and the doacross are one
/// construct, the front end's first member calls make_doacross() between enter_work(publishes) and
/// publish_work(), and all members call share_doacross(). `iterations`: those of the whole nest.
void enter_doacross(Member &member, std::uint64_t iterations);
/// Ends the program if a nest has more loops than DoacrossState holds.
void check_doacross_depth(std::uint32_t loops);
void leave_doacross(Member &member);
void make_doacross(WorkSlot &slot, std::uint64_t iterations);
void share_doacross(Member &member);
void post_iteration(Member &member, std::uint64_t iteration);
void wait_iteration(Member &member, std::uint64_t iteration);

/// single: returns true for the one member that executes the region.
bool enter_single(Member &member);

/// Makes the ring consistent after a region whose members left constructs unevenly (cancellation).
void reset_work(Team &team, std::uint64_t base);

} // namespace loomp::core
