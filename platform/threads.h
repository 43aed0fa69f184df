// Threads by loomp's own names: starting one, and the system's knowledge of the calling one. A
// build that simulates the machine can put its own in their place.
#pragma once

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/common.h"
#include "platform/quiet_threads.h"

namespace loomp {

using ThreadHandle = pthread_t;

struct ThreadOptions {
    std::size_t stack_size = 0;     ///< bytes; 0: the system's default
    bool quiet = true;              ///< takes none of the program's signals
    ThreadHandle *handle = nullptr; ///< for join_thread(); null: nobody waits for its end
};

/// Returns 0, or the number of the system's error.
inline int start_thread(void *(*function)(void *), void *argument,
                        const ThreadOptions &options = {}) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (options.handle == nullptr)
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (options.stack_size != 0)
        pthread_attr_setstacksize(&attributes, options.stack_size);
    ThreadHandle unused;
    const auto create = [&] {
        return pthread_create(options.handle != nullptr ? options.handle : &unused, &attributes,
                              function, argument);
    };
    const auto create_quiet = [&] {
        const core::QuietThreads quiet;
        return create();
    };
    const int error = options.quiet ? create_quiet() : create();
    pthread_attr_destroy(&attributes);
    return error;
}

inline void join_thread(ThreadHandle thread) { pthread_join(thread, nullptr); }

/// The smallest stack that a thread may have, in bytes.
inline std::size_t smallest_thread_stack() { return static_cast<std::size_t>(PTHREAD_STACK_MIN); }

inline ThreadHandle this_thread() { return pthread_self(); }

/// The number that the system gives the calling thread. The first thread has that of the process.
inline int this_thread_number() { return static_cast<int>(syscall(SYS_gettid)); }

struct StackBounds {
    const char *lowest = nullptr;
    std::size_t size = 0; ///< bytes; 0: the system does not know
};

/// Those of the calling thread's own stack. Allocates memory; reads a file in the first thread.
inline StackBounds bounds_of_this_stack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return {};
    void *lowest = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    return {static_cast<const char *>(lowest), size};
}

/// Sends the calling thread a signal that it has received, with what came with it.
inline void send_again(int signal, siginfo_t *info) {
    syscall(SYS_rt_tgsigqueueinfo, getpid(), this_thread_number(), signal, info);
}

/// Gives the thread a name for debuggers, of at most 15 characters.
inline void name_this_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

/// The calling thread's errno.
LOOMP_INLINE int &system_error() { return errno; }

/// Lets another thread run first.
inline void offer_processor() { sched_yield(); }

/// The number of the processor that the calling thread is on; negative if the system does not know.
inline int current_processor() { return sched_getcpu(); }

/// The processors that the calling thread may use. False: the kernel's sets are larger.
inline bool get_processors(cpu_set_t *set, std::size_t size) {
    return pthread_getaffinity_np(pthread_self(), size, set) == 0;
}
inline bool set_processors(const cpu_set_t *set, std::size_t size) {
    return pthread_setaffinity_np(pthread_self(), size, set) == 0;
}

/// The C library's registration of thread-local destructors, which has no limit.
extern "C" int __cxa_thread_atexit_impl(void (*function)(void *), void *value, void *library);
extern "C" void *__dso_handle;

/// Lets a function run when a thread ends, with the value that the thread has set here. It runs
/// after the destructors of the thread's thread_local objects, unless the program has used up the
/// process's keys.
class AtThreadEnd {
  public:
    /// Called once, before the others.
    void watch(void (*function)(void *value)) {
        function_ = function;
        has_key_ = pthread_key_create(&key_, function) == 0;
    }
    void set(void *value) {
        if (has_key_)
            pthread_setspecific(key_, value);
        else
            __cxa_thread_atexit_impl(function_, value, &__dso_handle);
    }

  private:
    void (*function_)(void *) = nullptr;
    bool has_key_ = false;
    pthread_key_t key_ = 0;
};

/// Functions that fork() calls; null: none. Returns 0, or the number of the system's error.
inline int handle_forks(void (*before)(), void (*in_parent)(), void (*in_child)()) {
    return pthread_atfork(before, in_parent, in_child);
}

} // namespace loomp
