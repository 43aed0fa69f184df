#include "runtime/core/team/worksharing.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "platform/diagnostics.h"
#include "runtime/core/environment/team_settings.h"
#include "runtime/core/scheduling/waiting.h"
#include "runtime/core/team/team.h"

namespace loomp::core {

namespace {

/// Frees what the construct has published.
void dispose(WorkSlot &slot) {
    if (slot.dispose != nullptr) {
        slot.dispose(slot.front_end);
        slot.dispose = nullptr;
    }
    std::free(static_cast<void *>(slot.doacross));
    slot.doacross = nullptr;
    slot.front_end = nullptr;
    slot.outlives_use = false;
}

/// Makes the segment as a new one. No member uses it.
void reset(WorkSegment &segment) {
    segment.next.store(nullptr, std::memory_order_relaxed);
    segment.passed.store(0, std::memory_order_relaxed);
    segment.used.store(false, std::memory_order_relaxed);
    for (unsigned i = 0; i < kWorkSlots; ++i) {
        WorkSlot &slot = segment.slots[i];
        dispose(slot);
        slot.next.store(0, std::memory_order_relaxed);
        slot.left.store(0, std::memory_order_relaxed);
        slot.claimed.store(false, std::memory_order_relaxed);
        slot.published.store(false, std::memory_order_relaxed);
        slot.turn.store(0, std::memory_order_relaxed);
        slot.in_ordered.store(false, std::memory_order_relaxed);
        if (slot.shares_used.load(std::memory_order_relaxed)) {
            slot.shares_used.store(false, std::memory_order_relaxed);
            for (int member = 0; member < segment.capacity; ++member)
                segment.shares()[member].of_slot[i].reset();
        }
    }
}

void free_segment(WorkSegment *segment) { std::free(static_cast<void *>(segment)); }

WorkSegment &make_segment(int members) {
    const auto count = static_cast<std::size_t>(members);
    void *memory = or_fatal(std::aligned_alloc(alignof(WorkSegment),
                                               sizeof(WorkSegment) + count * sizeof(MemberShares)),
                            "out of memory: worksharing of %d threads", members);
    auto *segment = new (memory) WorkSegment;
    segment->capacity = members;
    for (int i = 0; i < members; ++i)
        new (segment->shares() + i) MemberShares;
    return *segment;
}

/// The team keeps one; so the memory that a fast member has needed is free again.
void keep_spare(Team &team, WorkSegment &segment) {
    // acq_rel: the thread that takes it, or frees it here, finds it reset.
    free_segment(team.work.spare.exchange(&segment, std::memory_order_acq_rel));
}

WorkSegment &append(Team &team, WorkSegment &full) {
    // acquire: see keep_spare().
    WorkSegment *fresh = team.work.spare.exchange(nullptr, std::memory_order_acquire);
    if (fresh == nullptr || fresh->capacity < team.size) {
        free_segment(fresh);
        fresh = &make_segment(team.size);
    }
    WorkSegment *next = nullptr;
    // release: others find it made; acquire: so do we that of another member.
    if (full.next.compare_exchange_strong(next, fresh, std::memory_order_acq_rel,
                                          std::memory_order_acquire))
        return *fresh;
    keep_spare(team, *fresh);
    return *next;
}

/// The member has left all constructs of its segment, and goes on to the next one.
LOOMP_NOINLINE void pass_segment(Member &member) {
    Team &team = *member.team;
    WorkSegment &full = *member.work.segment;
    WorkSegment *next = full.next.load(std::memory_order_acquire); // see append()
    if (next == nullptr)
        next = &append(team, full);
    member.work.segment = next;
    member.work.used = 0;
    // acq_rel: the last member resets what the others no longer use. It finds that all earlier
    // segments have been taken out, because it has passed them as well.
    if (full.passed.fetch_add(1, std::memory_order_acq_rel) + 1 != team.size)
        return;
    LOOMP_ASSERT(team.work.oldest == &full);
    team.work.oldest = next;
    reset(full);
    keep_spare(team, full);
}

} // namespace

void begin_work(Team &team, int members) {
    TeamWork &work = team.work;
    work.cancelled.store(0, std::memory_order_relaxed);
    work.cancelled_at_barrier = 0;
    WorkSegment *segment = work.oldest;
    // Members leave a cancelled region from different segments.
    while (segment != nullptr) {
        WorkSegment *next = segment->next.load(std::memory_order_relaxed);
        if (segment->used.load(std::memory_order_relaxed))
            reset(*segment);
        if (next == nullptr)
            break;
        keep_spare(team, *segment);
        segment = next;
    }
    if (segment == nullptr || segment->capacity < members) {
        free_segment(segment);
        segment = &make_segment(members);
    }
    work.oldest = segment;
}

bool was_cancelled(const Team &team, std::uint64_t number) {
    const std::uint64_t cancelled = team.work.cancelled_at_barrier;
    return cancelled != 0 && (cancelled == number || cancelled + 1 == number);
}

bool enter_work(Member &member, bool publishes) {
    WorkState &state = member.work;
    leave_work(member); // a cancelling branch has left one
    ++state.number;
    if (LOOMP_UNLIKELY(state.used == kWorkSlots))
        pass_segment(member);
    if (LOOMP_UNLIKELY(!state.segment->used.load(std::memory_order_relaxed)))
        state.segment->used.store(true, std::memory_order_relaxed);
    WorkSlot &slot = state.segment->slots[state.used++];
    state.slot = &slot;
    state.has_chunk = false;
    state.is_ordered = false;
    if (!publishes)
        return false;
    if (!slot.claimed.exchange(true, std::memory_order_relaxed))
        return true;
    // acquire: sees what the first member published.
    wait_for_members([&] { return slot.published.load(std::memory_order_acquire); });
    return false;
}

void publish_work(Member &member) {
    member.work.slot->published.store(true, std::memory_order_release);
}

void leave_work(Member &member) {
    WorkSlot *slot = std::exchange(member.work.slot, nullptr);
    if (slot == nullptr)
        return;
    ++member.work.number;
    if (LOOMP_UNLIKELY(member.work.reported != WorkKind::none))
        LOOMP_TOOL(work, std::exchange(member.work.reported, WorkKind::none), false,
                   member.work.trip, nullptr);
    // acq_rel: the last member frees data that the others no longer use.
    if (LOOMP_UNLIKELY(slot->published.load(std::memory_order_relaxed)) && !slot->outlives_use &&
        slot->left.fetch_add(1, std::memory_order_acq_rel) + 1 == member.team->size)
        dispose(*slot);
}

// --- Loops -----------------------------------------------------------------------------------

ChunkShare::Range ChunkShare::steal(Range initial) {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    for (;;) {
        const Range range = word == 0 ? initial : decode(word);
        if (range.first >= range.end)
            return {0, 0};
        const std::uint64_t middle = range.first + (range.end - range.first) / 2;
        if (word_.compare_exchange_weak(word, encode({range.first, middle}),
                                        std::memory_order_relaxed))
            return {middle, range.end};
    }
}

namespace {

LOOMP_COLD WorkKind work_kind(const LoopRequest &request, ScheduleKind kind) {
    if (request.sections)
        return WorkKind::sections;
    return kind == ScheduleKind::static_   ? WorkKind::loop_static
           : kind == ScheduleKind::dynamic ? WorkKind::loop_dynamic
           : kind == ScheduleKind::guided  ? WorkKind::loop_guided
                                           : WorkKind::loop_other;
}

/// Makes chunks of whole vectors. A static loop without a chunk gives each member one chunk, which
/// is its share rounded up.
LOOMP_NOINLINE void chunk_by_vectors(WorkState &state, const LoopRequest &request,
                                     std::uint64_t members) {
    constexpr std::uint64_t longest = std::uint64_t{1} << 31;
    const std::uint64_t vector = std::min(request.simd, longest);
    std::uint64_t vectors = std::min(state.chunk, longest);
    if (state.kind == ScheduleKind::static_ && state.chunk == 0)
        vectors = request.trip / members / vector + 1;
    state.chunk = vectors * vector;
    state.whole_chunks = true;
}

/// Returns whether members may take over each other's chunks of a dynamic loop.
bool gives_up_order(ChunkOrder order) {
    const DynamicLoops setting = team_settings().dynamic_loops;
    return order == ChunkOrder::irrelevant  ? setting != DynamicLoops::monotonic
           : order == ChunkOrder::customary ? setting == DynamicLoops::nonmonotonic
                                            : false;
}

} // namespace

void begin_loop(Member &member, const LoopRequest &request, bool entered) {
    if (!entered)
        enter_work(member);
    WorkState &state = member.work;
    state.kind = request.kind;
    state.chunk = request.chunk;
    ChunkOrder order = request.ordered ? ChunkOrder::required : request.order;
    if (request.runtime) {
        const Icvs &icvs = *Worker::current()->task->icvs;
        state.kind = icvs.run_schedule == ScheduleKind::trapezoidal ? ScheduleKind::guided
                                                                    : icvs.run_schedule;
        // The stock runtimes keep the order there, whatever the compiler implies.
        order =
            icvs.monotonic_given ? ChunkOrder::required : std::min(order, ChunkOrder::customary);
        state.chunk = icvs.run_chunk > 0 ? static_cast<std::uint64_t>(icvs.run_chunk) : 0;
    }
    if (state.kind == ScheduleKind::auto_)
        state.kind = ScheduleKind::static_;
    if (state.kind != ScheduleKind::static_ && state.chunk == 0)
        state.chunk = 1;
    state.shares = false;
    state.whole_chunks = false;
    if (LOOMP_UNLIKELY(request.simd != 0))
        chunk_by_vectors(state, request, static_cast<std::uint64_t>(int{member.team->size}));
    const ScheduleKind asked = state.kind;
    if (member.team->size == 1) {
        // All iterations are one chunk. Sections are an exception, because the front end may not
        // know their number yet.
        if (!request.sections) {
            state.kind = ScheduleKind::static_;
            state.chunk = 0;
        }
    } else if (state.kind == ScheduleKind::dynamic) {
        state.shares = gives_up_order(order) && request.trip != 0 &&
                       request.trip / state.chunk < ChunkShare::kMaxChunks;
        if (state.shares && !state.slot->shares_used.load(std::memory_order_relaxed))
            state.slot->shares_used.store(true, std::memory_order_relaxed);
    }
    state.trip = request.trip;
    state.chunk = std::min(state.chunk, std::max<std::uint64_t>(request.trip, 1));
    state.position = 0;
    state.is_ordered = request.ordered;
    state.has_chunk = false;
    if (LOOMP_UNLIKELY(tool_enabled)) {
        // The guided chunks of one member are one chunk; libomp reports them as static, and tools
        // expect that.
        const bool is_one = asked == ScheduleKind::guided && member.team->size == 1;
        state.reported = work_kind(request, is_one ? ScheduleKind::static_ : asked);
        tool_hooks.work(state.reported, true, state.trip, nullptr);
    }
}

void begin_sections(Member &member, std::uint64_t count, bool entered) {
    LoopRequest request;
    request.kind = ScheduleKind::dynamic;
    request.chunk = 1;
    request.trip = count;
    request.sections = true;
    begin_loop(member, request, entered);
}

namespace {

LOOMP_INLINE bool give(WorkState &state, std::uint64_t first, std::uint64_t end) {
    state.first = first;
    state.end = end;
    state.has_chunk = true;
    LOOMP_TOOL(dispatch,
               state.reported == WorkKind::sections ? DispatchKind::section
                                                    : DispatchKind::loop_chunk,
               first, end - first);
    return true;
}

bool next_static(const Member &member, WorkState &state) {
    const auto size = static_cast<std::uint64_t>(member.team->size);
    const auto num = static_cast<std::uint64_t>(member.num);
    if (state.chunk == 0) { // one contiguous share each; the first ones have one more iteration
        if (state.position++ != 0)
            return false;
        const ChunkShare::Range share = even_share(state.trip, num, size);
        return share.first < share.end && give(state, share.first, share.end);
    }
    const std::uint64_t chunks = state.trip / state.chunk + (state.trip % state.chunk != 0);
    if (chunks <= num || state.position > (chunks - 1 - num) / size)
        return false;
    const std::uint64_t first = (state.position++ * size + num) * state.chunk;
    return give(state, first, first + std::min(state.chunk, state.trip - first));
}

bool next_dynamic(WorkState &state) {
    Atomic<std::uint64_t> &next = state.slot->next;
    // Enough margin above trip keeps a plain addition from wrapping, however many threads
    // overshoot.
    if (LOOMP_LIKELY(state.trip < (std::uint64_t{1} << 62) &&
                     state.chunk < (std::uint64_t{1} << 40))) {
        if (next.load(std::memory_order_relaxed) >= state.trip)
            return false;
        const std::uint64_t first = next.fetch_add(state.chunk, std::memory_order_relaxed);
        return first < state.trip && give(state, first, std::min(first + state.chunk, state.trip));
    }
    std::uint64_t first = next.load(std::memory_order_relaxed);
    for (;;) {
        if (first >= state.trip)
            return false;
        const std::uint64_t length = std::min(state.chunk, state.trip - first);
        if (next.compare_exchange_weak(first, first + length, std::memory_order_relaxed))
            return give(state, first, first + length);
    }
}

/// Moves half of another member's remaining share to this member, which has executed its own.
LOOMP_NOINLINE bool take_over(Member &member, std::uint64_t chunks, std::ptrdiff_t index) {
    MemberShares *shares = member.work.segment->shares();
    const int size = member.team->size;
    for (int i = 1; i < size; ++i) {
        const int victim = member.num + i < size ? member.num + i : member.num + i - size;
        const ChunkShare::Range stolen = shares[victim].of_slot[index].steal(even_share(
            chunks, static_cast<std::uint64_t>(victim), static_cast<std::uint64_t>(size)));
        if (stolen.first < stolen.end) {
            shares[member.num].of_slot[index].put(stolen);
            return true;
        }
    }
    return false;
}

/// Hands out all chunks but the last one from the shares. A member that finds no other chunk takes
/// the last one, because the last chunk that a member executes determines lastprivate variables.
bool next_of_shares(Member &member, WorkState &state) {
    const std::uint64_t chunks = (state.trip - 1) / state.chunk;
    const std::ptrdiff_t index = state.slot - state.segment->slots;
    ChunkShare &share = state.segment->shares()[member.num].of_slot[index];
    const ChunkShare::Range initial = even_share(chunks, static_cast<std::uint64_t>(member.num),
                                                 static_cast<std::uint64_t>(member.team->size));
    std::uint64_t chunk = 0;
    while (LOOMP_UNLIKELY(!share.take(initial, chunk))) {
        // Some chunks may be left after all: another member was moving them to its share during the
        // search.
        if (state.position != 0)
            return false;
        if (!take_over(member, chunks, index)) {
            if (state.slot->next.load(std::memory_order_relaxed) != 0 ||
                state.slot->next.exchange(1, std::memory_order_relaxed) != 0)
                return false;
            state.position = 1;
            chunk = chunks;
            break;
        }
    }
    const std::uint64_t first = chunk * state.chunk;
    return give(state, first, first + std::min(state.chunk, state.trip - first));
}

bool next_guided(const Member &member, WorkState &state) {
    const auto size = static_cast<std::uint64_t>(member.team->size);
    Atomic<std::uint64_t> &next = state.slot->next;
    std::uint64_t first = next.load(std::memory_order_relaxed);
    for (;;) {
        if (first >= state.trip)
            return false;
        const std::uint64_t rest = state.trip - first;
        std::uint64_t length = rest / size + (rest % size != 0);
        length = std::max(length, state.chunk);
        if (LOOMP_UNLIKELY(state.whole_chunks))
            length = (length + state.chunk - 1) / state.chunk * state.chunk;
        length = std::min(length, rest);
        if (next.compare_exchange_weak(first, first + length, std::memory_order_relaxed))
            return give(state, first, first + length);
    }
}

/// Waits until `done`, which other members bring about. Members of a cancelled region may never do
/// that.
template <class Done> void wait_for_iterations(const Member &member, Done done) {
    const Team &team = *member.team;
    wait_for_members([&] { return done() || team.cancelled.load(std::memory_order_relaxed); });
}

/// acquire: sees the effects of earlier ordered regions.
void wait_for_turn(const Member &member) {
    wait_for_iterations(member, [&work = member.work] {
        return work.slot->turn.load(std::memory_order_acquire) == work.first;
    });
}

/// Passes the turn: the ordered regions of the chunk [first, end) are over.
void pass_turn(const Member &member) {
    wait_for_turn(member);
    member.work.slot->turn.store(member.work.end, std::memory_order_release);
}

} // namespace

bool next_chunk(Member &member) {
    WorkState &state = member.work;
    if (state.slot == nullptr)
        return false;
    if (LOOMP_UNLIKELY(state.is_ordered && state.has_chunk))
        pass_turn(member);
    state.has_chunk = false;
    switch (state.kind) {
    case ScheduleKind::dynamic:
        return state.shares ? next_of_shares(member, state) : next_dynamic(state);
    case ScheduleKind::guided:
        return next_guided(member, state);
    default:
        return next_static(member, state);
    }
}

namespace {

/// Returns the object for which ordered regions wait, in tools' view: all members report the same
/// one.
std::uintptr_t ordered_id(const Member &member) {
    const void *place = member.work.slot != nullptr ? static_cast<void *>(&member.work.slot->turn)
                                                    : static_cast<const void *>(&member.work);
    return reinterpret_cast<std::uintptr_t>(place);
}

bool is_in_ordered_chunk(const Member &member) {
    return member.work.slot != nullptr && member.work.has_chunk;
}

} // namespace

void enter_ordered(Member &member) {
    LOOMP_TOOL(mutex_acquire, MutexKind::ordered, 0, ordered_id(member), nullptr);
    if (is_in_ordered_chunk(member)) {
        wait_for_turn(member);
        // In a cancelled region, members come out of turn. acquire: sees the previous one's
        // effects.
        wait_for_members([&in_ordered = member.work.slot->in_ordered] {
            return !in_ordered.exchange(true, std::memory_order_acquire);
        });
    }
    LOOMP_TOOL(mutex_acquired, MutexKind::ordered, ordered_id(member), nullptr);
}

void leave_ordered(Member &member) {
    if (is_in_ordered_chunk(member))
        member.work.slot->in_ordered.store(false, std::memory_order_release);
    LOOMP_TOOL(mutex_released, MutexKind::ordered, ordered_id(member), nullptr);
    // The turn passes with the chunk, because the chunk's next ordered region belongs to this
    // member as well.
}

// --- Doacross --------------------------------------------------------------------------------

void check_doacross_depth(std::uint32_t loops) {
    if (loops > DoacrossState::kMaxDimensions)
        fatal("ordered(%u): at most %u nested loops are supported", loops,
              DoacrossState::kMaxDimensions);
}

void make_doacross(WorkSlot &slot, std::uint64_t iterations) {
    void *bits = or_fatal(std::calloc(iterations / 8 + 1, 1),
                          "out of memory: flags of %llu doacross iterations",
                          static_cast<unsigned long long>(iterations));
    slot.doacross = static_cast<Atomic<std::uint8_t> *>(bits);
}

void enter_doacross(Member &member, std::uint64_t iterations) {
    // Reductions with `task` of the loop take the next slot, before the member has left this one.
    if (member.work.used + 1 >= kWorkSlots)
        member.work.used = kWorkSlots;
    if (enter_work(member, true)) {
        make_doacross(*member.work.slot, iterations);
        publish_work(member);
    }
}

void post_iteration(Member &member, std::uint64_t iteration) {
    Atomic<std::uint8_t> *bits = member.work.slot->doacross;
    if (bits != nullptr)
        bits[iteration / 8].fetch_or(static_cast<std::uint8_t>(1u << (iteration % 8)),
                                     std::memory_order_release);
}

void wait_iteration(Member &member, std::uint64_t iteration) {
    const Atomic<std::uint8_t> *bits = member.work.slot->doacross;
    if (bits != nullptr)
        wait_for_iterations(member, [&] {
            return (bits[iteration / 8].load(std::memory_order_acquire) >> (iteration % 8) & 1) !=
                   0;
        });
}

// --- single ----------------------------------------------------------------------

bool enter_single(Member &member) {
    Team &team = *member.team;
    if (team.size == 1)
        return true;
    leave_work(member); // a cancelling branch has left one
    member.work.number += 2;
    std::uint32_t met = member.work.singles++;
    Atomic<std::uint32_t> &begun = team.barrier.singles;
    // Many that come late do not take the line from each other. relaxed: the count alone decides.
    if (is_large(team) && begun.load(std::memory_order_relaxed) != met)
        return false;
    return begun.compare_exchange_strong(met, met + 1, std::memory_order_relaxed);
}

} // namespace loomp::core
