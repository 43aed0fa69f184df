/* Keeps everything written to stderr until the end, except the warning that there are no more
   stacks, which is counted. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *kept;
static int real_stderr;

static void show_kept(void) {
    char line[400];
    rewind(kept);
    while (fgets(line, sizeof line, kept) != NULL)
        if (strstr(line, "no more stacks") == NULL)
            dprintf(real_stderr, "%s", line);
}

static int count_warnings(void) {
    char line[400];
    int count = 0;
    rewind(kept);
    while (fgets(line, sizeof line, kept) != NULL)
        count += strstr(line, "no more stacks") != NULL && strstr(line, "LOOMP_MAX_STACKS") != NULL;
    return count;
}

static void keep_stderr(void) {
    kept = tmpfile();
    real_stderr = dup(2);
    dup2(fileno(kept), 2);
    stderr = fdopen(real_stderr, "w"); /* checks that fail are seen at once */
    setvbuf(stderr, NULL, _IONBF, 0);
    atexit(show_kept);
}
