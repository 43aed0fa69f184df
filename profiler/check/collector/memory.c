#include "profiler/check/collector/memory.h"

/* Sorted by their begin, without overlaps. */
typedef struct {
    Addr begin, end;
    UInt value;
} Range;
typedef struct {
    Range *ranges;
    UInt count, space;
} Ranges;

static Ranges ignored; /* the runtime's memory */
static Ranges
    frames; /* tasks on stacks; `value`: the task. A task's range begins at the stack's. */

/* The first range that ends behind `at`. */
static UInt first_behind(const Ranges *all, Addr at) {
    UInt low = 0, high = all->count;
    while (low < high) {
        const UInt middle = (low + high) / 2;
        if (all->ranges[middle].end > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void insert_at(Ranges *all, UInt index, Range range) {
    if (all->count == all->space) {
        all->space = all->space == 0 ? 64 : 2 * all->space;
        all->ranges = host_resized(all->ranges, all->space * sizeof(Range));
    }
    for (UInt i = all->count++; i > index; --i)
        all->ranges[i] = all->ranges[i - 1];
    all->ranges[index] = range;
}

static void erase_at(Ranges *all, UInt index) {
    --all->count;
    for (UInt i = index; i < all->count; ++i)
        all->ranges[i] = all->ranges[i + 1];
}

/* Overlapping ranges become one. */
void ignore(Addr begin, Addr end) {
    UInt index = first_behind(&ignored, begin > 0 ? begin - 1 : 0);
    while (index < ignored.count && ignored.ranges[index].begin <= end) {
        if (ignored.ranges[index].begin < begin)
            begin = ignored.ranges[index].begin;
        if (ignored.ranges[index].end > end)
            end = ignored.ranges[index].end;
        erase_at(&ignored, index);
    }
    const Range range = {begin, end, 0};
    insert_at(&ignored, index, range);
}

/* The range becomes the program's. */
void stop_ignoring(Addr begin, Addr end) {
    UInt index = first_behind(&ignored, begin);
    while (index < ignored.count && ignored.ranges[index].begin < end) {
        const Range old = ignored.ranges[index];
        erase_at(&ignored, index);
        const Range below = {old.begin, begin, 0}, above = {end, old.end, 0};
        if (below.begin < below.end)
            insert_at(&ignored, index++, below);
        if (above.begin < above.end)
            insert_at(&ignored, index++, above);
    }
}

/* A bit for each byte from `begin` to `end` that lies in a line. */
ULong bits_between(Addr line, Addr begin, Addr end) {
    if (begin >= end || end <= line || begin >= line + kLine)
        return 0;
    const UWord first = begin > line ? begin - line : 0;
    const UWord stop = end < line + kLine ? end - line : kLine;
    return (stop - first == kLine ? ~0ULL : (1ULL << (stop - first)) - 1) << first;
}

ULong ignored_bits(Addr line, Addr *until) {
    ULong bits = 0;
    UInt i = first_behind(&ignored, line);
    for (; i < ignored.count && ignored.ranges[i].begin < line + kLine; ++i)
        bits |= bits_between(line, ignored.ranges[i].begin, ignored.ranges[i].end);
    *until = bits != 0 ? line + kLine : i < ignored.count ? ignored.ranges[i].begin : ~(Addr)0;
    return bits;
}

/* The frames are sorted by their end, the stack pointer at the task's begin. They overlap: the task
 * whose end is next above an address owns it, if its stack contains the address. The owner changes
 * at
 * `*until` or behind it. */
UInt owner_until(Addr address, Addr *until) {
    const UInt index = first_behind(&frames, address);
    const Range none = {~(Addr)0, ~(Addr)0, 0};
    const Range *next = index < frames.count ? &frames.ranges[index] : &none;
    const Bool is_in = next->begin <= address;
    *until = is_in ? next->end : next->begin;
    return is_in ? next->value : 0;
}

UInt owner_of(Addr address) {
    Addr until = 0;
    return owner_until(address, &until);
}

Addr frames_below(Addr address, Addr begin) {
    const UInt index = first_behind(&frames, address);
    return index > 0 && frames.ranges[index - 1].end > begin ? frames.ranges[index - 1].end : begin;
}

void begin_frames(UInt task, Addr begin, Addr end) {
    const Range range = {begin, end, task};
    UInt index = first_behind(&frames, range.end);
    if (index > 0 && frames.ranges[index - 1].end == range.end) /* it ran nothing else there */
        frames.ranges[index - 1] = range;
    else
        insert_at(&frames, index, range);
}

void end_frames(UInt task) {
    for (UInt i = frames.count; i-- > 0;)
        if (frames.ranges[i].value == task)
            erase_at(&frames, i);
}
