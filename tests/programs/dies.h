/* Code that ends the program: it runs in a child, whose stderr is checked. */
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { kAborts = 1000 };

/* Runs `body` in a child process. It must end it, by abort() (kAborts) or with an exit status,
   after one line on stderr with `text` in it. */
static void check_dies(void (*body)(void), int how, const char *text) {
    char said[4096] = "";
    size_t length = 0;
    int channel[2], status = 0;
    CHECK_EQ(pipe(channel), 0);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        dup2(channel[1], 2);
        close(channel[0]);
        close(channel[1]);
        body();
        _exit(99);
    }
    close(channel[1]);
    for (ssize_t n; (n = read(channel[0], said + length, sizeof said - 1 - length)) > 0;)
        length += (size_t)n;
    close(channel[0]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    const int as_wanted = how == kAborts ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT
                                         : WIFEXITED(status) && WEXITSTATUS(status) == how;
    const char *line = said[0] == '\n' ? said + 1 : said;
    const char *end = strchr(line, '\n');
    if (!as_wanted || strstr(said, text) == NULL || end == NULL || end[1] != '\0') {
        fprintf(stderr, "expected: %s\nstatus %x: %s\n", text, status, said);
        _exit(1);
    }
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
