/* loomp_set_priority_preset(): the order in which one thread runs tasks, with each preset. Some
   tasks send, and have priority(1); others lead to one of these; the rest are plain.

   env: LOOMP_TASK_ORDER=lifo
   threads: 1 */
#define LOOMP_WEAK
#include <loomp/experimental.h>

#include "omp_decls.h"
#include "said.h"

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

static void with(int preset) {
    CHECK_EQ(loomp_set_priority_preset(preset), 0);
    run();
}

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%d: order %s: %s does not hold\n", __LINE__, ran, #condition);        \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

int main(void) {
    run();
    char unset[16];
    strcpy(unset, ran);
    EXPECT(!before("U", "pqabcr"));

    with(LOOMP_PRESET_MA1); // sends that are ready; not what they wait for
    EXPECT(before("U", "pqabScTr"));
    EXPECT(!before("abScTU", "pqr"));

    with(LOOMP_PRESET_MA2); // all ways to sends, none before another
    EXPECT(before("abScTU", "pqr"));

    with(LOOMP_PRESET_SA); // the shorter way first
    EXPECT(before("abScTU", "pqr"));
    EXPECT(before("U", "cT") && before("cT", "ab"));

    // Without looking at priority clauses, sends come first once one of their kind has sent. What
    // leads to them is found by threads that have nothing else to do, of which there is none.
    with(LOOMP_PRESET_FA);
    run();
    EXPECT(before("U", "pqabScTr"));
    EXPECT(at('S') == at('b') + 1 && at('T') == at('c') + 1);

    with(LOOMP_PRESET_NONE);
    EXPECT(strcmp(ran, unset) == 0);

    // A wrong call leaves the preset as it is.
    with(LOOMP_PRESET_MA2);
    listen_to_stderr();
    CHECK_EQ(loomp_set_priority_preset(LOOMP_PRESET_NONE - 1), 1);
    check_said("loomp_set_priority_preset: -1 is no LOOMP_PRESET_ value; ignored", 1);
    listen_to_stderr();
    CHECK_EQ(loomp_set_priority_preset(LOOMP_PRESET_FA + 1), 1);
    check_said("loomp_set_priority_preset: 5 is no LOOMP_PRESET_ value; ignored", 1);
    int inside = 0;
    listen_to_stderr();
#pragma omp parallel num_threads(1)
    inside = loomp_set_priority_preset(LOOMP_PRESET_NONE);
    check_said(
        "loomp_set_priority_preset: tasks may exist in a parallel region; ignored, call it outside",
        1);
    CHECK_EQ(inside, 1);
    run();
    EXPECT(before("abScTU", "pqr"));
    return 0;
}
