// Threads of the simulated machine.
#pragma once

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <pthread.h>
#include <sched.h>

#include "platform/common.h"
#include "platform/quiet_threads.h"
#include "tests/simulated/machine.h"

namespace loomp {

using ThreadHandle = unsigned long;

struct ThreadOptions {
    std::size_t stack_size = 0;
    bool quiet = true;
    ThreadHandle *handle = nullptr;
};

inline int start_thread(void *(*function)(void *), void *argument,
                        const ThreadOptions &options = {}) {
    return simulated::start(function, argument, options.handle);
}
inline void join_thread(ThreadHandle thread) { simulated::join(thread); }
inline std::size_t smallest_thread_stack() { return 16384; }
inline ThreadHandle this_thread() { return simulated::own_handle(); }
inline int this_thread_number() { return 1000 + simulated::own_number(); }

struct StackBounds {
    const char *lowest = nullptr;
    std::size_t size = 0;
};
inline StackBounds bounds_of_this_stack() {
    const simulated::Bounds own = simulated::own_stack();
    return {own.lowest, own.size};
}

inline void send_again(int signal, siginfo_t *) { raise(signal); }
inline void name_this_thread(const char *) {}
LOOMP_INLINE int &system_error() { return errno; }
inline void offer_processor() { simulated::yield(); }
inline int current_processor() { return simulated::own_number() % simulated::processors(); }

inline bool get_processors(cpu_set_t *set, std::size_t size) {
    CPU_ZERO_S(size, set);
    for (int i = 0; i < simulated::processors(); ++i)
        CPU_SET_S(i, size, set);
    return true;
}
inline bool set_processors(const cpu_set_t *, std::size_t) { return true; }

class AtThreadEnd {
  public:
    void watch(void (*function)(void *value)) { function_ = function; }
    void set(void *value) { simulated::at_end(function_, value); }

  private:
    void (*function_)(void *) = nullptr;
};

inline int handle_forks(void (*before)(), void (*in_parent)(), void (*in_child)()) {
    simulated::handle_forks(before, in_parent, in_child);
    return 0;
}

} // namespace loomp
