// The properties that a thread inherits from the thread that creates it.
#pragma once

#include <csignal>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

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
        return traits;
    }

    /// Returns whether a thread with these traits can adopt `other`. A thread without privileges
    /// cannot raise its priority again.
    bool can_become(const ThreadTraits &other) const {
        return policy_ == other.policy_ &&
               parameters_.sched_priority == other.parameters_.sched_priority &&
               nice_ == other.nice_;
    }

    /// Gives them to the calling thread, except for those that can_become() compares.
    void adopt() const {
        if (knows_processors_)
            set_processors(&processors_, sizeof(processors_));
        if (timer_slack_ > 0)
            prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(timer_slack_));
        pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
    }

  private:
    cpu_set_t processors_ = {};
    bool knows_processors_ = false; ///< false: the kernel's sets are larger
    sigset_t blocked_ = {};
    int policy_ = 0;
    sched_param parameters_ = {};
    int nice_ = 0;
    int timer_slack_ = 0; ///< nanoseconds
};

} // namespace loomp
