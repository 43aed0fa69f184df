// Worksharing constructs (OpenMP 5.2, ch. 11): what the members of a team share while they
// divide the iterations of a loop, the sections, or a single region among them.
//
// Every member meets the same constructs in the same order, so the n-th construct of a region is
// known by its number, and its shared state is slot n mod kWorkSlots of the team's ring. With
// nowait a fast member may be some constructs ahead; it waits when it would lap the ring.
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

/// Shared state of one construct. Reset by the last member that leaves it.
struct alignas(kFalseSharing) WorkSlot {
    Atomic<std::uint64_t> next{0};                          ///< first iteration not yet handed out
    alignas(kFalseSharing) Atomic<std::uint64_t> available; ///< number of the construct it serves
    Atomic<int> left{0};                                    ///< members done with it
    Atomic<bool> claimed{false};                            ///< a member came first
    Atomic<bool> published{false};                          ///< front_end and doacross are set
    Atomic<bool> shares_used{false};                        ///< of the members, see ChunkShare
    /// Ordered: the iteration that may enter next. Its writer is the member whose turn it is.
    alignas(kFalseSharing) Atomic<std::uint64_t> turn{0};
    Atomic<std::uint8_t> *doacross = nullptr;   ///< one bit per finished iteration
    void *front_end = nullptr;                  ///< what the first member published
    void (*dispose)(void *front_end) = nullptr; ///< run by the last one that leaves
};

/// The rest of a member's share of a nonmonotonic dynamic loop: a range of chunk numbers in one
/// word. The owner takes chunks from the front, members that have run out take half from the end;
/// every change is one compare-and-swap on the whole word, and a chunk number never comes back once
/// it has been taken to be executed, so a word with an old value is the old state.
/// Zero: not touched yet, the share that the division of the loop gives its owner. So a member
/// that arrives late can be helped out before it has come.
class ChunkShare {
  public:
    struct Range {
        std::uint64_t first;
        std::uint64_t end;
    };
    static constexpr std::uint64_t kMaxChunks = (std::uint64_t{1} << 31) - 1;

    /// Owner: the next chunk; false if none is left. `initial`: the share by division.
    LOOMP_INLINE bool take(Range initial, std::uint64_t &chunk) {
        std::uint64_t word = word_.load(std::memory_order_relaxed);
        for (;;) {
            const Range range = word == 0 ? initial : decode(word);
            if (range.first >= range.end)
                return false;
            // relaxed: the word is all that is shared; the loop's data is ordered by barriers.
            if (LOOMP_LIKELY(word_.compare_exchange_weak(word, encode({range.first + 1, range.end}),
                                                         std::memory_order_relaxed))) {
                chunk = range.first;
                return true;
            }
        }
    }
    /// Any other member: the second half of what is left; empty if nothing is.
    Range steal(Range initial);
    /// Owner, when take() has failed: what it has stolen.
    void put(Range range) { word_.store(encode(range), std::memory_order_relaxed); }
    /// The last member that leaves the loop.
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

/// One member's share of the construct it is in.
struct WorkState {
    std::uint64_t sequence = 0; ///< number of the next construct it will meet
    WorkSlot *slot = nullptr;   ///< null: in none (or one without shared state)
    ScheduleKind kind = ScheduleKind::static_;
    bool is_ordered = false;
    bool is_unsigned = false;  ///< for the front end
    bool shares = false;       ///< dynamic: the members' shares, not one counter
    bool whole_chunks = false; ///< guided: every length but the last is a multiple of the chunk
    std::uint64_t trip = 0;
    std::uint64_t chunk = 0; ///< 0 with static: one contiguous share each
    std::uint64_t position =
        0;                   ///< static: chunks taken so far; shares: whether it had the last chunk
    std::uint64_t first = 0; ///< the chunk being executed: [first, end)
    std::uint64_t end = 0;
    bool has_chunk = false;
    WorkKind reported = WorkKind::none; ///< what a tool was told the construct is
    std::uint64_t base = 0;             ///< for the front end: value of iteration 0
    std::uint64_t step = 0;             ///< and its increment
    std::uint64_t limit = 0;            ///< and the bound as written, for the last iteration's end
};

/// One member's view of a doacross loop nest. Its slot is the loop's own, or one more when the
/// front end enters the two separately.
struct DoacrossState {
    static constexpr unsigned kMaxDimensions = 64;
    WorkSlot *slot = nullptr;
    std::uint32_t dimensions = 0;         ///< for the front end: number of loops,
    std::uint64_t extent[kMaxDimensions]; ///< their trip counts,
    std::int64_t lower[kMaxDimensions];   ///< first values,
    std::int64_t stride[kMaxDimensions];  ///< and increments
};

/// Part `num` of `parts`: [first, end), the first ones longer by one.
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
    /// The simd modifier (OpenMP 5.2, 11.5.3): chunks are multiples of so many iterations; 0: not
    /// given.
    std::uint64_t simd = 0;
    bool ordered = false;
    bool sections = false; ///< the iterations are sections, for tools
};

/// Enters the next construct of the region. True for the member that came first and, when
/// `publishes` is set, must call publish_work() for the others to go on.
bool enter_work(Member &member, bool publishes = false);
void publish_work(Member &member);
/// Leaves it; no wait.
void leave_work(Member &member);

/// Enters a loop. enter_work() with `publishes` may have been called before by the front end
/// (`entered`).
void begin_loop(Member &member, const LoopRequest &request, bool entered = false);
/// Enters sections: a loop of `count` iterations that are handed out one by one.
void begin_sections(Member &member, std::uint64_t count, bool entered = false);
/// Takes the next chunk: iterations [state.first, state.end). False when none is left, then the
/// front end calls leave_work() (GNU: at the loop's end).
bool next_chunk(Member &member);

/// The ordered region of the current chunk: waits until all earlier chunks are past theirs.
void enter_ordered(Member &member);
void leave_ordered(Member &member);

/// Doacross. enter_doacross() takes a slot of its own; a front end whose loop and doacross are one
/// construct calls make_doacross() between enter_work(publishes) and publish_work(), by the first
/// member, and share_doacross() by all. `iterations`: of the whole nest.
void enter_doacross(Member &member, std::uint64_t iterations);
/// Ends the program if a nest has more loops than DoacrossState holds.
void check_doacross_depth(std::uint32_t loops);
void leave_doacross(Member &member);
void make_doacross(WorkSlot &slot, std::uint64_t iterations);
void share_doacross(Member &member);
void post_iteration(Member &member, std::uint64_t iteration);
void wait_iteration(Member &member, std::uint64_t iteration);

/// single: true for the one member that executes the region.
bool enter_single(Member &member);

/// Makes the ring consistent after a region whose members left constructs unevenly (cancellation).
void reset_work(Team &team, std::uint64_t base);

} // namespace loomp::core
