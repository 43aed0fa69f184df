/* Code that ends the program: it runs in a child, whose stderr is checked. */
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "said.h"

enum { kAborts = 1000 };

/* Runs `body` in a child process. It must end it, by abort() (kAborts) or with an exit status,
   after one line on stderr with `text` in it. */
static void check_dies(void (*body)(void), int how, const char *text) {
    int status = 0;
    listen_to_stderr();
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        body();
        _exit(99);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    check_said(text, 1);
    if (how == kAborts)
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    else
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == how);
}

/* From here on the process gets hardly more address space than it has. */
static inline void limit_memory(size_t more) {
    char line[200];
    size_t size = 0;
    FILE *status = fopen("/proc/self/statm", "r");
    CHECK(status != NULL && fgets(line, sizeof line, status) != NULL);
    fclose(status);
    CHECK_EQ(sscanf(line, "%zu", &size), 1);
    const rlim_t bytes = size * (size_t)sysconf(_SC_PAGESIZE) + more;
    const struct rlimit limit = {bytes, bytes};
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}
