// Keeps the recorder's work on files from changing what the program sees.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace loomp::record {

/// While it exists, the calling thread's operations on files that exceed the program's limit of a
/// file's size only fail: no signal ends the program. Afterwards errno is as before.
class Unnoticed {
  public:
    Unnoticed() : error_(errno) {
        sigemptyset(&limit_);
        sigaddset(&limit_, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &limit_, &mask_);
        sigpending(&pending_);
    }
    Unnoticed(const Unnoticed &) = delete;
    Unnoticed &operator=(const Unnoticed &) = delete;
    ~Unnoticed() {
        constexpr timespec at_once = {};
        if (sigismember(&pending_, SIGXFSZ) == 0)
            sigtimedwait(&limit_, nullptr, &at_once);
        pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
        errno = error_;
    }

  private:
    sigset_t limit_;
    sigset_t mask_;
    sigset_t pending_; ///< signals of the program, which wait because it blocks them
    int error_;
};

} // namespace loomp::record
