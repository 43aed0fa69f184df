/* LOOMP_PRIORITY_PRESET: the order in which one thread runs tasks, with each preset. Some
   tasks send, and have priority(1); others lead to one of these; the rest are plain.

   env: LOOMP_TASK_ORDER=lifo
   threads: 1 */
#define LOOMP_WEAK
#include <loomp/experimental.h>

#include "again_with.h"
#include "omp_decls.h"

static char ran[16];
static int runs;

static void note(char name) { ran[runs++] = name; }
static void send(char name) {
    note(name);
    loomp_note_send();
}

/* None is ready before all exist. In the order of creation: plain tasks p and q; a and b, of which
   b waits for a, and the send S waits for b; c, for which the send T waits; the send U, which waits
   for nothing; the plain task r. */
static void run(void) {
    int gate = 0, data[6] = {0};
    runs = 0;
#pragma omp parallel num_threads(1)
    {
        omp_event_handle_t opened = (omp_event_handle_t)0;
#pragma omp task depend(out : gate) detach(opened)
        ;
#pragma omp task depend(in : gate) depend(inout : data[0])
        note('p');
#pragma omp task depend(in : gate) depend(inout : data[1])
        note('q');
#pragma omp task depend(in : gate) depend(inout : data[2])
        note('a');
#pragma omp task depend(in : gate) depend(inout : data[2])
        note('b');
#pragma omp task depend(in : gate) depend(inout : data[2]) priority(1)
        send('S');
#pragma omp task depend(in : gate) depend(inout : data[3])
        note('c');
#pragma omp task depend(in : gate) depend(inout : data[3]) priority(1)
        send('T');
#pragma omp task depend(in : gate) depend(inout : data[4]) priority(1)
        send('U');
#pragma omp task depend(in : gate) depend(inout : data[5])
        note('r');
        omp_fulfill_event(opened);
#pragma omp taskwait
    }
    ran[runs] = '\0';
    (void)gate, (void)data;
    CHECK_EQ(runs, 9);
}

static int at(char name) { return (int)(strchr(ran, name) - ran); }

/* Whether all of `first` ran before all of `second`. */
static int before(const char *first, const char *second) {
    for (const char *one = first; *one != '\0'; one++)
        for (const char *other = second; *other != '\0'; other++)
            if (at(*one) > at(*other))
                return 0;
    return 1;
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%d: order %s: %s does not hold\n", __LINE__, ran, #condition);        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static void check(const char *preset) {
    run();
    if (strcmp(preset, "none") == 0) {
        EXPECT(!before("U", "pqabcr"));
    } else if (strcmp(preset, "ma-1") == 0) { // sends that are ready; not what they wait for
        EXPECT(before("U", "pqabScTr"));
        EXPECT(!before("abScTU", "pqr"));
    } else if (strcmp(preset, "ma-2") == 0) { // all ways to sends, none before another
        EXPECT(before("abScTU", "pqr"));
    } else if (strcmp(preset, "sa") == 0) { // the shorter way first
        EXPECT(before("abScTU", "pqr"));
        EXPECT(before("U", "cT") && before("cT", "ab"));
    } else {
        // Without looking at priority clauses, sends come first once one of their kind has sent.
        // Only threads that have nothing else to do find their predecessors; there is none.
        run();
        EXPECT(before("U", "pqabScTr"));
        EXPECT(at('S') == at('b') + 1 && at('T') == at('c') + 1);
    }
}

int main(int count, char **arguments) {
    if (count > 1) {
        check(arguments[1]);
        return 0;
    }
    run_again_with("LOOMP_PRIORITY_PRESET", "none");
    run_again_with("LOOMP_PRIORITY_PRESET=none", "none");
    run_again_with("LOOMP_PRIORITY_PRESET=ma-1", "ma-1");
    run_again_with("LOOMP_PRIORITY_PRESET=ma-2", "ma-2");
    run_again_with("LOOMP_PRIORITY_PRESET=sa", "sa");
    run_again_with("LOOMP_PRIORITY_PRESET=fa", "fa");
    return 0;
}
