#include "runtime/core/suspension/stack.h"

#include <algorithm>
#include <utility>

#include "platform/atomic.h"
#include "platform/diagnostics.h"
#include "platform/locks_at_fork.h"
#include "platform/made_once.h"
#include "platform/pages.h"
#include "platform/spinlock.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/settings_parse.h"
#include "runtime/core/suspension/stack_memory.h"
#include "runtime/core/suspension/stack_overflow.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// This many pooled stacks keep their memory when idle. The memory of others returns to the system,
/// in batches, because stacks that were used one after another are often neighbours.
constexpr std::size_t kWarmStacks = 1024;
constexpr std::size_t kBatch = 256;
/// The maximum that the loop for shortages, pollers and tools need.
constexpr std::size_t kShortageSize = std::size_t{256} << 10;
/// How many requests are refused without asking the system, after the system had no more.
constexpr unsigned kRefusals = 1024;

SpinLock pool_lock; ///< guards make_stack() and all of the following, except `made`
/// In batches whose memory goes back just now; a child of fork() loses them.
std::size_t away = 0;
const LocksAtFork at_fork([](LocksAtFork::Each each) { each(pool_lock); }, [] { away = 0; });

struct StackList {
    Stack *first = nullptr;
    std::size_t count = 0;
    void push(Stack &stack) {
        stack.next = first;
        first = &stack;
        ++count;
    }
    Stack *pop() {
        Stack *stack = first;
        if (stack != nullptr) {
            first = stack->next;
            --count;
        }
        return stack;
    }
};
StackList warm;
StackList cooling; ///< fewer than kBatch; filled only while `warm` is full
StackList cold;    ///< without memory

unsigned refusals = 0; ///< remaining refusals before the next request to the system
bool warned = false;
Atomic<std::size_t> made{0};
FixedOnce stack_size;

/// Nobody else knows these stacks.
LOOMP_NOINLINE void cool(StackList batch) {
    Stack *stacks[kBatch];
    std::size_t count = 0;
    while (Stack *stack = batch.pop())
        stacks[count++] = stack;
    give_back_memory(stacks, count);
    const SpinGuard guard(pool_lock);
    away -= count;
    for (std::size_t i = count; i-- > 0;)
        cold.push(*stacks[i]);
}

LOOMP_COLD void warn_of_limit(const char *why) {
    warn("no more stacks for suspended tasks after %zu of %zu bytes: %s. Tasks that wait for tasks "
         "go on without, and those only begin that one of them waits for",
         stack_count(), pooled_stack_size(), why);
}

} // namespace

std::size_t pooled_stack_size() {
    return stack_size.get([] { return round_up(memory_settings().stack_size, page_size()); });
}

void choose_stack_size(std::size_t size) {
    // A program that chooses while another thread begins its first region gets either size.
    if (stack_size.is_fixed())
        return;
    mutable_settings().stack_size = possible_stack_size(size);
    note_set_by_program("OMP_STACKSIZE");
}

std::size_t stack_count() { return made.load(std::memory_order_relaxed); }

Stack *acquire_stack() {
    const char *why = nullptr;
    {
        const SpinGuard guard(pool_lock);
        for (StackList *list : {&warm, &cooling, &cold})
            if (Stack *stack = list->pop())
                return stack;
        if (refusals != 0) {
            --refusals;
            return nullptr;
        }
        if (Stack *stack = make_stack(pooled_stack_size(), why)) {
            made.store(made.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return stack;
        }
        if (away != 0)
            return nullptr; // some are about to come back
        refusals = kRefusals;
        if (warned)
            return nullptr;
        warned = true;
    }
    warn_of_limit(why);
    return nullptr;
}

bool stack_to_be_had() {
    const SpinGuard guard(pool_lock);
    return warm.count + cooling.count + cold.count > 0 || refusals == 0;
}

void release_stack(Stack *stack) {
    stack->depth = 0;
    stack->left_by = nullptr;
    if (LOOMP_UNLIKELY(stack->owner != nullptr)) {
        stack->owner->shortage_stack = stack;
        return;
    }
    if (LOOMP_UNLIKELY(!stack->guarded))
        check_canary(*stack);
    StackList batch;
    {
        const SpinGuard guard(pool_lock);
        if (LOOMP_LIKELY(warm.count < kWarmStacks))
            return warm.push(*stack);
        cooling.push(*stack);
        if (cooling.count < kBatch)
            return;
        batch = std::exchange(cooling, {});
        away += batch.count;
    }
    cool(batch);
}

Stack *take_stack(Worker &worker) {
    Stack *stack = worker.spare_stacks;
    if (stack == nullptr)
        return acquire_stack();
    worker.spare_stacks = stack->next;
    return stack;
}

void give_back_spares(Worker &worker) {
    worker.task_blocks.flush();
    worker.attached_blocks.flush();
    while (Stack *stack = worker.spare_stacks) {
        worker.spare_stacks = stack->next;
        release_stack(stack);
    }
}

Stack &stack_for_shortage(Worker &worker) {
    Stack *stack = worker.shortage_stack;
    if (LOOMP_UNLIKELY(stack == nullptr)) {
        stack = make_lone_stack(std::min(pooled_stack_size(), kShortageSize));
        if (stack == nullptr)
            fatal("out of memory: a stack of %zu bytes for a thread whose tasks wait",
                  std::min(pooled_stack_size(), kShortageSize));
        stack->owner = &worker;
    }
    worker.shortage_stack = nullptr;
    return *stack;
}

void check_canary(const Stack &stack) {
    if (LOOMP_LIKELY(canary_lives(stack)))
        return;
    report_overflow(stack.size());
    std::abort();
}

} // namespace loomp::core
