#include "runtime/core/suspension/stack_overflow.h"

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "platform/atomic.h"
#include "platform/pages.h"
#include "runtime/core/suspension/stack.h"
#include "runtime/core/suspension/stack_memory.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

namespace {

/// Async-signal-safe.
void write_line(const char *line, int length) {
    if (length > 0)
        (void)!write(STDERR_FILENO, line, static_cast<std::size_t>(length));
}

} // namespace

void report_overflow(std::size_t size) {
    char line[320];
    write_line(line,
               std::snprintf(line, sizeof line,
                             "loomp: stack overflow in a task or thread: its stack of %zu bytes is "
                             "used up; set OMP_STACKSIZE higher (for example OMP_STACKSIZE=%zuM)\n",
                             size, size / (1024 * 1024) * 4 + 4));
}

namespace {

/// Reports an overflow on the stack of a thread that the program made or started with: tasks run
/// there while the thread's implicit task waits.
void report_overflow_of_program() {
    char line[320];
    rlimit limit = {};
    getrlimit(RLIMIT_STACK, &limit);
    write_line(line,
               std::snprintf(line, sizeof line,
                             "loomp: stack overflow in a task or thread, on the own stack of a "
                             "thread of the program: raise ulimit -s (now %llu KiB) or the size "
                             "with which it makes threads; OMP_STACKSIZE is for the others\n",
                             static_cast<unsigned long long>(limit.rlim_cur / 1024)));
}

const char *stack_pointer(const void *context) {
    const auto &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const char *>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const char *>(machine.sp);
#else
    (void)machine;
    return nullptr;
#endif
}

/// Returns whether `address` is near the stack pointer. Those pages are mapped unless the stack is
/// used up, and most frames are smaller than this distance.
bool is_near(const char *address, const char *pointer) {
    constexpr std::ptrdiff_t farthest = 64 * 1024;
    const std::ptrdiff_t above = address - pointer;
    return pointer != nullptr && above > -farthest && above < farthest;
}

/// Returns whether `address` is in the thread's stack, of which only the guard at the far end
/// faults. The exact end is available only from a call that costs each new thread an allocation. So
/// the size counts from the first frame.
bool is_within_native_stack(const Worker &worker, const char *address) {
    constexpr std::size_t slack = 64 * 1024;
    return worker.native_base != nullptr && address < worker.native_base &&
           address >= worker.native_base - worker.native_size - slack;
}

Atomic<bool> handler_installed{false};
constexpr std::size_t kSignalStack = 32 * 1024;

/// Installed only if there was no other handler.
void on_segv(int signal, siginfo_t *info, void *context) {
    Worker *worker = Worker::current_or_null();
    const bool faulted = info->si_code > 0;
    const char *address = static_cast<const char *>(info->si_addr);
    if (worker != nullptr && faulted) {
        if (worker->stack != nullptr) {
            const char *base = worker->stack->base;
            if (address >= base - guard_size() && address < base)
                report_overflow(pooled_stack_size());
        } else if (worker->is_foreign) {
            if (is_near(address, stack_pointer(context)))
                report_overflow_of_program();
        } else if (is_within_native_stack(*worker, address)) {
            report_overflow(pooled_stack_size());
        }
    }
    struct sigaction dfl = {};
    dfl.sa_handler = SIG_DFL;
    sigaction(SIGSEGV, &dfl, nullptr);
    // A fault repeats after the return; a signal that was sent does not.
    if (!faulted)
        raise(signal);
}

} // namespace

void watch_stack_overflow() {
    if (void *memory = map_pages(kSignalStack)) {
        stack_t mine = {};
        mine.ss_sp = memory;
        mine.ss_size = kSignalStack;
        stack_t old = {};
        const bool failed = sigaltstack(&mine, &old) != 0;
        // Keeps an existing signal stack, such as a sanitizer's.
        if (!failed && (old.ss_flags & SS_DISABLE) == 0)
            sigaltstack(&old, nullptr);
        if (failed || (old.ss_flags & SS_DISABLE) == 0)
            unmap_pages(memory, kSignalStack);
    }
    if (handler_installed.exchange(true, std::memory_order_relaxed))
        return;
    struct sigaction action = {};
    action.sa_sigaction = on_segv;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    struct sigaction previous = {};
    sigaction(SIGSEGV, nullptr, &previous);
    // A program's own handler stays, because it would not expect ours before it.
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
    unmap_pages(old.ss_sp, kSignalStack);
}

} // namespace loomp::core
