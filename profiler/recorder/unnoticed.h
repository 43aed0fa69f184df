// Keeps the recorder's work on files from changing what the program sees.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>
#include <pthread.h>

namespace loomp::record {

/// While it exists, the calling thread's operations on files only fail where they exceed the
/// program's limit of a file's size, or write to a pipe that nobody reads: no signal ends the
/// program. They are no cancellation points. Afterwards errno is as before.
class Unnoticed {
  public:
    Unnoticed() : error_(errno) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation_);
        sigemptyset(&held_);
        for (const int signal : kSignals)
            sigaddset(&held_, signal);
        pthread_sigmask(SIG_BLOCK, &held_, &mask_);
        sigpending(&pending_);
    }
    Unnoticed(const Unnoticed &) = delete;
    Unnoticed &operator=(const Unnoticed &) = delete;
    ~Unnoticed() {
        constexpr timespec at_once = {};
        for (const int signal : kSignals) {
            sigset_t one;
            sigemptyset(&one);
            sigaddset(&one, signal);
            if (sigismember(&pending_, signal) == 0)
                sigtimedwait(&one, nullptr, &at_once);
        }
        pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
        pthread_setcancelstate(cancellation_, nullptr);
        errno = error_;
    }

  private:
    static constexpr int kSignals[] = {SIGXFSZ, SIGPIPE};
    sigset_t held_;
    sigset_t mask_;
    sigset_t pending_; ///< signals of the program, which wait because it blocks them
    int cancellation_ = 0;
    int error_;
};

} // namespace loomp::record
