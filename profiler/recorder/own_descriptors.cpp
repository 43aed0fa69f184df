#include "profiler/recorder/own_descriptors.h"

#include <csignal>
#include <cstddef>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace loomp::record {

namespace {

struct Call {
    void (*function)(void *);
    void *argument;
};

/// Runs in a process that shares the program's memory, but has a copy of its descriptors and
/// limits.
int call(void *argument) {
    rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    const auto *const call = static_cast<const Call *>(argument);
    call->function(call->argument);
    return 0;
}

} // namespace

void with_own_descriptors(void (*function)(void *argument), void *argument) {
    constexpr std::size_t kStack = std::size_t{64} << 10;
    void *const stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return;
    // The program's handlers must not run in the other process.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    Call what{function, argument};
    // The thread waits until the other process has ended. That process sends no signal, and the
    // program's wait() does not see it.
    const pid_t process =
        clone(call, static_cast<char *>(stack) + kStack, CLONE_VM | CLONE_VFORK, &what);
    while (process > 0 && waitpid(process, nullptr, __WCLONE) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    munmap(stack, kStack);
}

} // namespace loomp::record
