#include "runtime/core/worker/thread_state.h"

#include <dlfcn.h>
#include <link.h>
#include <utility>

#include "platform/atomic.h"
#include "platform/loader.h"
#include "platform/threads.h"
#include "runtime/core/worker/worker.h"

namespace loomp::core {

Exceptions no_exceptions;
Atomic<FindExceptions> exceptions_of_thread{nullptr};

namespace {

/// The number of loaded libraries at the last look.
Atomic<unsigned long long> loaded{0};

unsigned long long count_loaded() {
    unsigned long long count = 0;
    dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *result) {
            *static_cast<unsigned long long *>(result) = info->dlpi_adds;
            return 1;
        },
        &count);
    return count;
}

/// Finds a symbol of the program's C++ library. libloomp has its own copy of parts of that library,
/// so a plain lookup might find the copy. If a plugin loaded the program's library, its symbols are
/// not global.
void *find_symbol(const char *name) {
    if (void *symbol = dlsym(RTLD_DEFAULT, name))
        return symbol;
    for (const char *library : {"libstdc++.so.6", "libc++abi.so.1"})
        if (void *handle = open_if_loaded(library)) // never closed
            if (void *symbol = dlsym(handle, name))
                return symbol;
    return nullptr;
}

} // namespace

void look_for_exceptions() {
    if (exceptions_of_thread.load(std::memory_order_relaxed) != nullptr)
        return;
    // A child that cannot count looks each time.
    if (can_list_libraries()) {
        const unsigned long long now = count_loaded();
        if (loaded.exchange(now, std::memory_order_relaxed) == now)
            return;
    }
    exceptions_of_thread.store(reinterpret_cast<FindExceptions>(find_symbol("__cxa_get_globals")),
                               std::memory_order_relaxed);
}

void put_back(const Exceptions &exceptions) {
    Worker &worker = *Worker::current();
    // Another thread than the suspended one may not know the library yet.
    if (worker.exceptions == &no_exceptions)
        worker.find_exceptions();
    *worker.exceptions = exceptions;
}

void save_thread_state(Worker &worker, ThreadState &state) {
    state.error = system_error();
    if (LOOMP_UNLIKELY(worker.exceptions == &no_exceptions) && !worker.looked_for_exceptions) {
        look_for_exceptions();
        worker.find_exceptions();
        worker.looked_for_exceptions = true;
    }
    Exceptions &thread = *worker.exceptions;
    if (thread.any())
        state.exceptions = std::exchange(thread, {});
}

void restore_thread_state(const ThreadState &state) {
    if (state.exceptions.any())
        put_back(state.exceptions);
    system_error() = state.error;
}

void FloatingPointModes::replace([[maybe_unused]] const FloatingPointModes &now) const {
#if defined(__x86_64__)
    const std::uint32_t word = (mxcsr & ~kFlags) | (now.mxcsr & kFlags);
    asm volatile("ldmxcsr %0" ::"m"(word));
    asm volatile("fldcw %0" ::"m"(x87));
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" ::"r"(fpcr));
#endif
}

} // namespace loomp::core
