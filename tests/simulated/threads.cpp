// Threads of the system in place of the simulated machine, for what random programs ask of it. The
// schedule is the system's, so a seed fixes the program and its settings only.
#include <cerrno>
#include <cstdio>
#include <pthread.h>
#include <random>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/simulated/machine.h"

namespace loomp::simulated {

const bool needs_new_process = true;
void (*when_given_up)() = nullptr;

Outcome run(const Setup &, void (*program)()) {
    program();
    return {};
}

void give_up(int status, const char *why) {
    std::fprintf(stderr, "%s\n", why);
    if (when_given_up != nullptr)
        when_given_up();
    _exit(status);
}

void pause() { usleep(1000); }

std::uint64_t any_below(std::uint64_t end) {
    static thread_local std::minstd_rand random(std::random_device{}());
    return random() % end;
}

std::int64_t now() {
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int start(void *(*function)(void *), void *argument, unsigned long *handle) {
    return pthread_create(handle, nullptr, function, argument);
}

void join(unsigned long handle) { pthread_join(handle, nullptr); }

bool run_in_child(void (*program)(void *), void *argument) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        program(argument);
        _exit(0);
    }
    int status = child < 0 ? -1 : 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0;
}

bool stacks_are_refused() { return false; }

} // namespace loomp::simulated
