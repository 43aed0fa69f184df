// fork() in the middle: the child continues with OpenMP, and runs a program of its own.
#pragma once

#include <csignal>
#include <sys/wait.h>

#include "../outside.h"
#include "locks.h"
#include "program.h"

namespace forked {

constexpr double kSeconds = 120;

/// LeakSanitizer would look for the parent's threads in the child, and report that they are
/// missing.
extern "C" inline int __lsan_is_turned_off() { return in_child; }

[[noreturn]] inline void be_the_child(Node node) {
    in_child = true;
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) // no threads here: see forks.c
    (void)node;
#else
    locks::of_child.prepare();
    outside::start(1);
    watch(60);
    for (int i = 0; i < 3; ++i) {
        const Node program{mix(node.seed + static_cast<unsigned>(i)), 3};
        std::uint64_t value = 0;
#pragma omp parallel num_threads(1 + i) shared(value) firstprivate(program)
#pragma omp single
        value = run(program, Scope{0, 1, true});
        CHECK_EQ(value, serially(program));
    }
#endif
    _exit(0);
}

inline void fork_here(Node node) {
    WITHIN("fork_here");
    const pid_t child = fork();
    if (child < 0)
        return;
    if (child == 0)
        be_the_child(node);
    const double end = now() + kSeconds;
    int status = 0;
    for (pid_t ended = 0; ended == 0;) {
        steps.fetch_add(1, std::memory_order_relaxed);
        ended = waitpid(child, &status, WNOHANG);
        if (ended < 0)
            fail("waitpid() fails");
        if (now() > end) {
            kill(child, SIGABRT);
            fail("the child of fork() has not ended");
        }
        if (ended == 0)
            usleep(300);
    }
    if (status != 0)
        fail("the child of fork() ends with status %#x", static_cast<unsigned>(status));
}

} // namespace forked
