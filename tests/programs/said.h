/* Collects the output to stderr of a piece of code, for programs that check it. Empty lines do not
 * count. */
#pragma once

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static FILE *said_file;
static int said_stderr = -1;

/* From here on, stderr goes to a file. */
static inline void listen_to_stderr(void) {
    fflush(stderr);
    said_stderr = dup(2);
    said_file = tmpfile();
    CHECK(said_stderr >= 0 && said_file != NULL && dup2(fileno(said_file), 2) == 2);
}

/* Ends the collection. Checks that `lines` lines were written, and that one has `text` in it; null:
 * any, or none. */
static inline void check_said(const char *text, int lines) {
    char line[1200];
    int count = 0, found = text == NULL;
    CHECK(dup2(said_stderr, 2) == 2);
    close(said_stderr);
    rewind(said_file);
    while (fgets(line, sizeof line, said_file) != NULL) {
        count += line[0] != '\n';
        found |= text != NULL && strstr(line, text) != NULL;
    }
    if (!found || count != lines) {
        fprintf(stderr, "%d lines, not %d, %s: %s\n", count, lines, found ? "with" : "none with",
                text == NULL ? "" : text);
        rewind(said_file);
        while (fgets(line, sizeof line, said_file) != NULL)
            fprintf(stderr, "said: %s", line);
        _exit(1);
    }
    fclose(said_file);
}
