/* Tasks of one place in the source, of which each third has the label "odd one", each other third
 * "a b" by a buffer that changes, and the rest none; a label that is taken back. Then others with
 * an empty label and with one that begins with blanks, and regions with such names. Silent. */
#include <loomp/record.h>
#include <stdio.h>
#include <string.h>

enum { TASKS = 300 };

int main(void) {
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
