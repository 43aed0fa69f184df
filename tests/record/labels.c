/* Tasks of one place in the source, of which each third has the label "odd one", each other third
 * "a b" by a buffer that changes, and the rest none; a label that is taken back. Then others with
 * an empty label and with one that begins with blanks, and regions with such names. With the
 * argument "odd", only tasks and regions with names that outputs may not take as they are. Silent.
 */
#include <loomp/record.h>
#include <stdio.h>
#include <string.h>

enum { TASKS = 300 };

static int name_oddly(void) {
    static char longest[20 * 1024 + 1];
    const char *const names[] = {"   ", "Latin\xf6", "a\x1b[31m\nb", "\"q\"\\<b>&amp;", longest};
    const int count = sizeof names / sizeof *names;
    int done = 0;
    memset(longest, 'L', sizeof longest - 1);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; ++i) {
        loomp_region_begin(names[i]);
        loomp_task_label(names[i]);
#pragma omp task shared(done)
#pragma omp atomic
        ++done;
        loomp_region_end(names[i]);
    }
    return done != count;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "odd") == 0)
        return name_oddly();
    char text[16] = "";
    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; ++i) {
        strcpy(text, i % 3 == 1 ? "odd one" : "a b");
        loomp_task_label(text);
        if (i % 3 == 0)
            loomp_task_label(NULL);
#pragma omp task shared(done) /* labelled */
#pragma omp atomic
        ++done;
    }
    for (int i = 0; i < TASKS; ++i) {
        const char *label = i % 3 == 0 ? "" : i % 3 == 1 ? "  spaced" : "after";
        loomp_region_begin(label);
        loomp_task_label(label);
#pragma omp task shared(done) /* other place */
#pragma omp atomic
        ++done;
        loomp_region_end(label);
    }
    return done != 2 * TASKS;
}
