// Threads of the runtime's own receive none of the program's signals.
#pragma once

#include <csignal>
#include <initializer_list>
#include <pthread.h>

namespace loomp::core {

/// Threads that the calling thread creates during this object's life start with signals blocked:
/// signals are for the program's own threads. The signals of a thread's own faults are not blocked,
/// so that the program's handlers can report them. SIGABRT is not blocked either: since glibc 2.41,
/// abort() ends the process without the handler if it is.
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
