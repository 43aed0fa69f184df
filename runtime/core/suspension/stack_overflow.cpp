#include "runtime/core/suspension/stack_overflow.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

#include "platform/atomic.h"
#include "platform/locks_at_fork.h"
#include "platform/made_once.h"
#include "platform/pages.h"
#include "platform/threads.h"
#include "runtime/core/environment/memory_settings.h"
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

/// Returns whether a large frame has stepped over the guard of a stack that ends at `base`: the
/// stack pointer is below it, and the address that faulted between the two, or near the pointer.
/// The second condition excludes a fault of code that runs on a stack of the program's own.
bool is_beyond(const char *base, const char *address, const char *pointer) {
    constexpr std::ptrdiff_t red_zone = 64 * 1024;
    return pointer != nullptr && pointer < base && address < base && address > pointer - red_zone;
}

/// Returns whether `address` is in the thread's stack, of which only the guard at the far end
/// faults. The exact end is available only from a call that costs each new thread an allocation. So
/// the size counts from the first frame.
bool is_within_native_stack(const Worker &worker, const char *address) {
    constexpr std::size_t slack = 64 * 1024;
    return worker.native_base != nullptr && address < worker.native_base &&
           address >= worker.native_base - worker.native_size - slack;
}

/// The disposition that was there before ours. Written once, when ours is installed.
struct sigaction below = {};
Atomic<bool> handler_installed{false};

void on_segv(int signal, siginfo_t *info, void *context);

/// Lets the handler from before have the signal that ours was called for.
void pass_on(int signal, siginfo_t *info, void *context) {
    struct sigaction current = {};
    sigaction(signal, nullptr, &current);
    const bool is_function = below.sa_handler != SIG_DFL && below.sa_handler != SIG_IGN;
    if (is_function && current.sa_sigaction != on_segv) {
        // A newer handler, which stays, has called ours.
        if ((below.sa_flags & SA_SIGINFO) != 0)
            below.sa_sigaction(signal, info, context);
        else
            below.sa_handler(signal);
        return;
    }
    sigaction(signal, &below, nullptr);
    // A fault repeats after the return; a signal that was sent does not.
    if (info->si_code <= 0)
        send_again(signal, info);
}

void on_segv(int signal, siginfo_t *info, void *context) {
    Worker *worker = Worker::current_or_null();
    const char *address = static_cast<const char *>(info->si_addr);
    const char *pointer = stack_pointer(context);
    if (worker != nullptr && info->si_code > 0) {
        if (worker->stack != nullptr) {
            const char *base = worker->stack->base;
            if ((address >= base - guard_size() && address < base) ||
                is_beyond(base, address, pointer))
                report_overflow(pooled_stack_size());
        } else if (worker->is_foreign) {
            if (is_near(address, pointer))
                report_overflow_of_program();
        } else if (is_within_native_stack(*worker, address) ||
                   (worker->native_base != nullptr &&
                    is_beyond(worker->native_base - worker->native_size, address, pointer))) {
            report_overflow(pooled_stack_size());
        }
    }
    pass_on(signal, info, context);
}

/// The bytes of an alternate signal stack. The program's handlers run there, too, which would run
/// on the thread's own stack without it: they find about as much room. Only touched pages count.
std::size_t signal_stack_size() {
    // The program may still choose the size of pooled stacks.
    static constinit FixedOnce size;
    return size.get([] {
        constexpr std::size_t least = 256 * 1024;
        constexpr std::size_t most = 8 * 1024 * 1024;
        return std::clamp(round_up(memory_settings().stack_size, page_size()), least, most);
    });
}

void add_signal_stack(Worker &worker) {
    stack_t now = {};
    // An existing signal stack stays, such as a sanitizer's.
    if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0)
        return;
    const std::size_t guard = page_size();
    const std::size_t size = signal_stack_size();
    auto *memory = static_cast<char *>(map_stacks(guard + size));
    if (memory == nullptr)
        return;
    stack_t mine = {};
    mine.ss_sp = memory + guard;
    mine.ss_size = size;
    if (!protect_pages(memory, guard, PROT_NONE) || sigaltstack(&mine, nullptr) != 0) {
        unmap_pages(memory, guard + size);
        return;
    }
    worker.signal_stack = mine.ss_sp;
}

void remove_signal_stack(Worker &worker) {
    char *mine = static_cast<char *>(std::exchange(worker.signal_stack, nullptr));
    if (mine == nullptr)
        return;
    stack_t now = {};
    if (sigaltstack(nullptr, &now) == 0 && now.ss_sp == mine) {
        stack_t off = {};
        off.ss_flags = SS_DISABLE;
        sigaltstack(&off, nullptr);
    }
    unmap_pages(mine - page_size(), page_size() + signal_stack_size());
}

/// The threads of the others do not exist in the child of fork(). Nothing else would ever return
/// their stacks, and a process may have only so many mappings.
const LocksAtFork at_fork([] {
    for (unsigned i = 0; i < worker_count(); ++i)
        if (Worker &worker = Worker::at(i); &worker != Worker::current_or_null())
            remove_signal_stack(worker);
});

} // namespace

void watch_stack_overflow(Worker &worker) {
    add_signal_stack(worker);
    if (handler_installed.exchange(true, std::memory_order_relaxed))
        return;
    struct sigaction action = {};
    action.sa_sigaction = on_segv;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, nullptr, &below); // another thread may fault before the next call returns
    sigaction(SIGSEGV, &action, &below);
}

void unwatch_stack_overflow(Worker &worker) { remove_signal_stack(worker); }

} // namespace loomp::core
