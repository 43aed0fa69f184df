// Threads that the runtime has for itself take none of the program's signals.
#pragma once

#include <csignal>
#include <initializer_list>
#include <pthread.h>

namespace loomp::core {

/// Threads that the calling thread creates while this lives begin with signals blocked: these are
/// for the program's own threads. Not blocked are those that a thread brings upon itself: the
/// program's handlers of them say what has happened, and abort() as of glibc 2.41 on ends the
/// process without them where SIGABRT is blocked.
class QuietThreads {
  public:
    QuietThreads() {
        sigset_t others;
        sigfillset(&others);
        for (int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
            sigdelset(&others, own);
        pthread_sigmask(SIG_BLOCK, &others, &before_);
    }
    ~QuietThreads() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    QuietThreads(const QuietThreads &) = delete;
    QuietThreads &operator=(const QuietThreads &) = delete;

  private:
    sigset_t before_;
};

} // namespace loomp::core
