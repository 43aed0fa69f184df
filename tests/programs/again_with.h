/* A program that runs itself once for each of several environments: it checks what a setting does.
 */
#pragma once

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Runs this program in a separate process, with `settings` ("NAME=value ..."; a name without a
   value is unset) added to the environment, and with the argument `expected`. It must succeed. */
static void run_again_with(const char *settings, const char *expected) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        char copy[400];
        snprintf(copy, sizeof copy, "%s", settings);
        char *rest = copy, *word;
        while ((word = strtok_r(rest, " ", &rest)) != NULL) {
            char *value = strchr(word, '=');
            if (value == NULL)
                unsetenv(word);
            else {
                *value = '\0';
                setenv(word, value + 1, 1);
            }
        }
        execl("/proc/self/exe", "again", expected, settings, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "with %s: not %s\n", settings, expected);
        _exit(1);
    }
}
