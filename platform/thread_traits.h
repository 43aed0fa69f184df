// The properties that a thread inherits from the thread that creates it.
#pragma once

#include <csignal>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/threads.h"

namespace loomp {

class ThreadTraits {
  public:
    ThreadTraits() = default;
    /// Returns those that a thread created now by the calling thread would have.
    static ThreadTraits of_new_thread() {
        ThreadTraits traits;
        traits.knows_processors_ = get_processors(&traits.processors_, sizeof(traits.processors_));
        pthread_sigmask(SIG_SETMASK, nullptr, &traits.blocked_);
        pthread_getschedparam(pthread_self(), &traits.policy_, &traits.parameters_);
        traits.nice_ = getpriority(PRIO_PROCESS, static_cast<id_t>(this_thread_number()));
        traits.timer_slack_ = prctl(PR_GET_TIMERSLACK);
        traits.io_priority_ = syscall(SYS_ioprio_get, kOfThread, 0);
        traits.knows_memory_ = syscall(SYS_get_mempolicy, &traits.memory_policy_, traits.nodes_,
                                       kMostNodes, nullptr, 0) == 0;
        prctl(PR_GET_NAME, traits.name_);
        return traits;
    }

    /// Returns whether a thread with these traits can adopt `other`. A thread without privileges
    /// cannot raise its priority again.
    bool can_become(const ThreadTraits &other) const {
        return policy_ == other.policy_ &&
               parameters_.sched_priority == other.parameters_.sched_priority &&
               nice_ == other.nice_ && io_priority_ == other.io_priority_;
    }

    /// Gives them to the calling thread, except for those that can_become() compares.
    void adopt() const {
        if (knows_processors_)
            set_processors(&processors_, sizeof(processors_));
        if (timer_slack_ > 0)
            prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(timer_slack_));
        pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
        if (knows_memory_)
            syscall(SYS_set_mempolicy, memory_policy_, memory_policy_ == 0 ? nullptr : nodes_,
                    kMostNodes);
        prctl(PR_SET_NAME, name_);
    }

  private:
    static constexpr int kOfThread = 1;               ///< ioprio_get(2): IOPRIO_WHO_PROCESS
    static constexpr unsigned long kMostNodes = 1024; ///< that the kernel knows

    cpu_set_t processors_ = {};
    bool knows_processors_ = false; ///< false: the kernel's sets are larger
    sigset_t blocked_ = {};
    int policy_ = 0;
    sched_param parameters_ = {};
    int nice_ = 0;
    int timer_slack_ = 0; ///< nanoseconds
    long io_priority_ = 0;
    bool knows_memory_ = false; ///< false: the system has no such policies, or forbids the call
    int memory_policy_ = 0;
    unsigned long nodes_[kMostNodes / (8 * sizeof(unsigned long))] = {};
    char name_[16] = {};
};

} // namespace loomp
