#include "core/stack.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/message.h"
#include "core/settings.h"
#include "core/spinlock.h"
#include "core/worker.h"

namespace loomp::core {

namespace {

constexpr std::size_t kPage = 4096;
/// Pooled stacks keep their memory up to this many; the rest is given back to the system.
constexpr std::size_t kWarmStacks = 1024;

SpinLock pool_lock; ///< guards the three below
Stack *pool = nullptr;
std::size_t pooled = 0;
bool warned = false;
std::atomic<std::size_t> made{0};

Stack *map_stack() {
    const std::size_t size = pooled_stack_size();
    void *memory = mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    if (mprotect(memory, kPage, PROT_NONE) != 0) {
        munmap(memory, size + kPage);
        return nullptr;
    }
    char *base = static_cast<char *>(memory) + kPage;
    auto *stack = reinterpret_cast<Stack *>(base + size - sizeof(Stack));
    stack->base = base;
    stack->size = size - sizeof(Stack);
    stack->tsan_fiber = nullptr;
    stack->immediate = nullptr;
    made.fetch_add(1, std::memory_order_relaxed);
    return stack;
}

} // namespace

std::size_t pooled_stack_size() {
    static const std::size_t size = round_up(settings().stack_size, kPage);
    return size;
}

std::size_t stack_count() { return made.load(std::memory_order_relaxed); }

Stack *acquire_stack() {
    {
        const SpinGuard guard(pool_lock);
        if (Stack *stack = pool) {
            pool = stack->next;
            --pooled;
            return stack;
        }
    }
    Stack *stack = map_stack();
    if (stack == nullptr) {
        bool first;
        {
            const SpinGuard guard(pool_lock);
            first = !warned;
            warned = true;
        }
        if (first)
            warn("no more stacks for suspended tasks after %zu (%s); further tasks wait in place. "
                 "Raise vm.max_map_count or lower OMP_STACKSIZE (now %zu bytes)",
                 stack_count(), std::strerror(errno), pooled_stack_size());
    }
    return stack;
}

void release_stack(Stack *stack) {
    bool cold;
    {
        const SpinGuard guard(pool_lock);
        cold = pooled >= kWarmStacks;
        if (!cold) {
            stack->next = pool;
            pool = stack;
            ++pooled;
            return;
        }
    }
    // Above the warm ones only the top page, which holds the descriptor, stays committed.
    char *last_page =
        reinterpret_cast<char *>(reinterpret_cast<std::uintptr_t>(stack) & ~(kPage - 1));
    if (last_page > stack->base)
        madvise(stack->base, static_cast<std::size_t>(last_page - stack->base), MADV_DONTNEED);
    const SpinGuard guard(pool_lock);
    stack->next = pool;
    pool = stack;
    ++pooled;
}

// --- Overflow --------------------------------------------------------------------------------

namespace {

std::atomic<bool> handler_installed{false};
constexpr std::size_t kSignalStack = 32 * 1024;

/// Async-signal-safe: one write of a line made without stdio.
void report_overflow(std::size_t size) {
    char line[320];
    const int n = std::snprintf(
        line, sizeof line,
        "loomp: stack overflow in a task or thread: its stack of %zu bytes is used up; "
        "set OMP_STACKSIZE higher (for example OMP_STACKSIZE=%zuM)\n",
        size, size / (1024 * 1024) * 4 + 4);
    if (n > 0)
        (void)!write(STDERR_FILENO, line, static_cast<std::size_t>(n));
}

/// Installed where there was no other handler.
void on_segv(int signal, siginfo_t *info, void *) {
    Worker *worker = Worker::current_or_null();
    const bool faulted = info->si_code > 0;
    const char *address = static_cast<const char *>(info->si_addr);
    if (worker != nullptr && faulted) {
        if (worker->stack != nullptr) {
            const char *base = worker->stack->base;
            if (address >= base - kPage && address < base)
                report_overflow(pooled_stack_size());
        } else if (!worker->is_foreign && worker->native_guard_end != nullptr &&
                   address < worker->native_guard_end &&
                   address >= worker->native_guard_end - worker->native_guard_size) {
            report_overflow(pooled_stack_size());
        }
    }
    struct sigaction dfl = {};
    dfl.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &dfl, nullptr);
    // A fault happens again; a signal that was sent does not.
    if (!faulted)
        raise(signal);
}

} // namespace

void watch_stack_overflow() {
    stack_t old = {};
    if (sigaltstack(nullptr, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0) {
        void *memory =
            mmap(nullptr, kSignalStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED) {
            stack_t mine = {};
            mine.ss_sp = memory;
            mine.ss_size = kSignalStack;
            sigaltstack(&mine, nullptr);
        }
    }
    if (handler_installed.exchange(true, std::memory_order_relaxed))
        return;
    struct sigaction action = {};
    action.sa_sigaction = on_segv;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    struct sigaction previous = {};
    sigaction(SIGSEGV, nullptr, &previous);
    // A program with a handler of its own keeps it; it would not expect ours in between.
    if ((previous.sa_flags & SA_SIGINFO) != 0 || previous.sa_handler != SIG_DFL)
        return;
    sigaction(SIGSEGV, &action, nullptr);
}

void unwatch_stack_overflow() {
    stack_t old = {};
    if (sigaltstack(nullptr, &old) != 0 || (old.ss_flags & SS_DISABLE) != 0 ||
        old.ss_size != kSignalStack)
        return;
    stack_t off = {};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    munmap(old.ss_sp, kSignalStack);
}

} // namespace loomp::core
