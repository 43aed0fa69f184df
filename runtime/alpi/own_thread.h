// Threads that the library has for itself.
#pragma once

#include <csignal>
#include <initializer_list>
#include <pthread.h>

namespace loomp::alpi {

/// Starts a thread that runs `code` for ever. It takes none of the program's signals but those that
/// a thread brings upon itself. False: there are no more threads.
inline bool start_own_thread(void *(*code)(void *)) {
    sigset_t others;
    sigset_t before;
    sigfillset(&others);
    for (int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
        sigdelset(&others, own);
    pthread_sigmask(SIG_BLOCK, &others, &before);
    pthread_t thread;
    const bool started = pthread_create(&thread, nullptr, code, nullptr) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (started)
        pthread_detach(thread);
    return started;
}

} // namespace loomp::alpi
