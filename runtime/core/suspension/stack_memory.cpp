#include "runtime/core/suspension/stack_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/resource.h>

#include "platform/pages.h"
#include "platform/valgrind.h"
#include "runtime/core/environment/memory_settings.h"
#include "runtime/core/memory/task_budget.h"
#include "runtime/core/suspension/stack.h"

namespace loomp::core {

namespace {

constexpr std::size_t kFirstSlab = 16; ///< stacks; each slab has twice as many as the last
constexpr std::size_t kLargestSlab = 4096;
constexpr std::size_t kLargestSlabBytes = std::size_t{64} << 30;
/// The bytes of its stack that a waiting task commonly touches, including page tables.
constexpr std::size_t kTouched = std::size_t{16} << 10;
/// How many different offsets, in cache lines, the tops of stacks have within their pages. Nested
/// tasks on separate stacks with equal offsets would share a few sets of the caches.
constexpr std::size_t kColors = 32;

constexpr std::uint64_t kCanary = 0x6c6f6f6d70207374; // "loomp st"
constexpr std::size_t kCanaryWords = 8;

/// The source of the next stack. One caller at a time uses it.
struct Slab {
    char *next = nullptr;
    std::size_t left = 0;
    Stack *descriptors = nullptr;
    std::size_t last_count = kFirstSlab / 2;
    std::size_t made = 0;
    std::size_t bytes = 0; ///< address space of all slabs
} slab;

bool markers_work = true;
std::size_t protected_guards = 0;

std::size_t most_protected_guards() {
    static const std::size_t most = [] {
        std::size_t mappings = 65530;
        if (std::FILE *file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
            if (std::fscanf(file, "%zu", &mappings) != 1)
                mappings = 65530;
            std::fclose(file);
        }
        return mappings / 4; // two mappings each
    }();
    return most;
}

/// Returns how many bytes of address space stacks may take.
std::size_t most_bytes() {
    static const std::size_t most = [] {
        rlimit limit = {};
        if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
            return SIZE_MAX;
        return static_cast<std::size_t>(limit.rlim_cur) / 2;
    }();
    return most;
}

/// Returns whether memory allows that many more stacks.
bool memory_allows(std::size_t count) {
    const std::size_t touched = slab.made * kTouched;
    const std::size_t available = available_memory();
    return (slab.made + count) * kTouched <= (available / 4 + touched / 4) * 3;
}

/// The number of stacks that LOOMP_MAX_STACKS leaves.
std::size_t stacks_allowed() {
    const auto most = static_cast<std::size_t>(memory_settings().max_stacks);
    return most == 0 ? SIZE_MAX : most - std::min(most, slab.made);
}

/// Maps a slab with space for at least one stack and its guard, `stride` bytes.
bool map_slab(std::size_t stride, const char *&why) {
    if (stacks_allowed() == 0) {
        why = "LOOMP_MAX_STACKS";
        return false;
    }
    if (!memory_allows(1)) {
        why = "memory is nearly used up";
        return false;
    }
    std::size_t count = std::min({2 * slab.last_count, kLargestSlab, stacks_allowed(),
                                  std::max<std::size_t>(1, kLargestSlabBytes / stride)});
    while (count > 1 && !memory_allows(count))
        count /= 2;
    for (;; count /= 2) {
        if (count == 0) {
            why = "address space is used up: raise ulimit -v, or lower OMP_STACKSIZE";
            return false;
        }
        const std::size_t descriptors = round_up(count * sizeof(Stack), page_size());
        const std::size_t size = descriptors + count * stride;
        if (slab.bytes + size > most_bytes())
            continue;
        auto *memory = static_cast<char *>(map_stacks(size));
        if (memory == nullptr)
            continue;
        slab.descriptors = reinterpret_cast<Stack *>(memory);
        slab.next = memory + descriptors;
        slab.left = slab.last_count = count;
        slab.bytes += size;
        return true;
    }
}

bool protect(char *guard) {
    if (markers_work) {
        if (install_guard(guard, page_size()))
            return true;
        markers_work = false;
    }
    if (protected_guards == most_protected_guards() ||
        !protect_pages(guard, page_size(), PROT_NONE))
        return false;
    ++protected_guards;
    return true;
}

/// `memory` holds a page for the guard, and `size` bytes.
void describe(Stack &stack, char *memory, std::size_t size, std::size_t color) {
    stack.base = memory + page_size();
    // The line above the frames may be read: the MPI layer passes on as many arguments as any
    // function of MPI has, without knowing how many its caller has stored (gated_calls.cpp).
    stack.top = stack.base + size - (color + 1) * kCacheLine;
    stack.guarded = protect(memory);
    if (!stack.guarded)
        std::fill_n(reinterpret_cast<std::uint64_t *>(memory), kCanaryWords, kCanary);
}

/// release: a thread that walks the list sees each stack's complete descriptor.
void announce_and_enlist(Stack &stack) {
    valgrind::announce_stack(stack.base, stack.size());
    stack.made_before = last_stack_made.load(std::memory_order_relaxed);
    while (!last_stack_made.compare_exchange_weak(
        stack.made_before, &stack, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

} // namespace

constinit Atomic<Stack *> last_stack_made{nullptr};

std::size_t guard_size() { return page_size(); }

Stack *make_stack(std::size_t size, const char *&why) {
    const std::size_t stride = size + page_size();
    if (slab.left == 0 && !map_slab(stride, why))
        return nullptr;
    auto *stack = new (slab.descriptors) Stack{};
    // The step is odd, so that neighbours, which are in use together, differ most.
    describe(*stack, slab.next, size, slab.made * 11 % kColors);
    announce_and_enlist(*stack);
    ++slab.descriptors;
    slab.next += stride;
    --slab.left;
    ++slab.made;
    return stack;
}

Stack *make_lone_stack(std::size_t size) {
    auto *memory = static_cast<char *>(map_stacks(page_size() + size + page_size()));
    if (memory == nullptr)
        return nullptr;
    auto *stack = new (memory + page_size() + size) Stack{};
    stack->base = memory + page_size();
    stack->top = stack->base + size;
    stack->guarded = protect_pages(memory, page_size(), PROT_NONE);
    if (!stack->guarded)
        std::fill_n(reinterpret_cast<std::uint64_t *>(memory), kCanaryWords, kCanary);
    announce_and_enlist(*stack);
    return stack;
}

void give_back_memory(Stack **stacks, std::size_t count) {
    std::sort(stacks, stacks + count,
              [](const Stack *a, const Stack *b) { return a->base < b->base; });
    const auto end = [](const Stack &stack) {
        return stack.base + round_up(stack.size(), page_size());
    };
    for (std::size_t first = 0, last = 0; first < count; first = ++last) {
        // A guard stays one without its memory, but a canary does not.
        while (last + 1 < count && stacks[last + 1]->guarded &&
               stacks[last + 1]->base == end(*stacks[last]) + page_size())
            ++last;
        discard_pages(stacks[first]->base,
                      static_cast<std::size_t>(end(*stacks[last]) - stacks[first]->base));
    }
}

bool canary_lives(const Stack &stack) {
    const auto *words = reinterpret_cast<const std::uint64_t *>(stack.base - page_size());
    return std::all_of(words, words + kCanaryWords,
                       [](std::uint64_t word) { return word == kCanary; });
}

} // namespace loomp::core
