// One feature of the runtime's together with one way of keeping a graph: ./features FEATURE WAY.
// WAY: declared, unbarred (declared, without barriers), replayed, found (LOOMP_PERSISTENT=auto),
// none. It prints the result on stdout, and exits with 1 if an order was wrong.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOMP_WEAK
#include "loomp/experimental.h"

enum { kIterations = 20, kWidth = 8, kSteps = 4 };
enum { kPlain, kFusion, kAffinity, kHolds, kTransparent, kWeak, kCancellation, kSets };
static const char *const features[] = {"plain",       "fusion", "affinity",     "holds",
                                       "transparent", "weak",   "cancellation", "sets"};
static int feature, kind;
static long cell[kWidth][kSteps + 1];
static long batches, in_batches, holds, wrong;

static void step(long *from, long *to, long add) {
    if (*to != add * 100 && add != 0) // the iteration before has ended here
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    *to = *from + 1;
}

typedef struct {
    long *from, *to;
} pair_t;
static pair_t pairs[kWidth][kSteps];
static loomp_dependences_t *sets[kWidth][kSteps]; // of what is in `pairs`

static void batch(void *const *data, size_t count, void *context) {
    (void)context;
    __atomic_fetch_add(&batches, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&in_batches, (long)count, __ATOMIC_RELAXED);
    for (size_t i = 0; i < count; i++) {
        const pair_t *pair = data[i];
        step(pair->from, pair->to, 0);
    }
}

typedef struct {
    loomp_held_task_t *task;
    const pair_t *pair;
} held_t;
static void *release_later(void *argument) {
    held_t *held = argument;
    usleep(200);
    step(held->pair->from, held->pair->to, 0);
    loomp_release_task(held->task, 1);
    free(held);
    return NULL;
}

static void run_held(const pair_t *pair) {
    loomp_held_task_t *task = loomp_hold_task(1);
    if (task == NULL) {
        step(pair->from, pair->to, 0);
        return;
    }
    __atomic_fetch_add(&holds, 1, __ATOMIC_RELAXED);
    held_t *held = malloc(sizeof *held);
    *held = (held_t){task, pair};
    pthread_t thread;
    pthread_create(&thread, NULL, release_later, held);
    pthread_detach(thread);
}

// Fusion: the first links of all chains wait for the gate, which opens when all of them could run
// otherwise. So they become ready at once, on one thread.
static char gate;
static loomp_held_task_t *gate_task;
static int gate_parts;
static void open_gate(void) {
    if (__atomic_add_fetch(&gate_parts, 1, __ATOMIC_ACQ_REL) == 2) {
        gate_parts = 0;
        loomp_release_task(gate_task, 1);
    }
}

/// Chains of tasks, each of which waits for the one before and adds one.
static void create(int n) {
    if (feature == kFusion) {
#pragma omp task depend(out : gate)
        {
            gate_task = loomp_hold_task(1);
            open_gate();
        }
    }
    for (int i = 0; i < kWidth; i++) {
        long *first = &cell[i][0];
        const long *last = &cell[i][kSteps];
#pragma omp task depend(inout : first[0]) depend(in : last[0]) firstprivate(first, last, i)
        first[0] = last[0];
        for (int s = 0; s < kSteps; s++) {
            pair_t *pair = &pairs[i][s];
            long *from = pair->from, *to = pair->to;
            switch (feature) {
            case kFusion:
                loomp_next_task_kind(kind, pair);
                if (s == 0) {
#pragma omp task depend(in : from[0], gate) depend(inout : to[0]) firstprivate(from, to)
                    step(from, to, 0);
                    break;
                }
                // fall through
            default:
#pragma omp task depend(in : from[0]) depend(inout : to[0]) firstprivate(from, to)
                step(from, to, 0);
                break;
            case kSets:
                loomp_next_task_depends(sets[i][s]);
                if (s % 2 == 0) {
#pragma omp task firstprivate(from, to)
                    step(from, to, 0);
                } else {
#pragma omp task depend(in : from[0]) firstprivate(from, to)
                    step(from, to, 0);
                }
                break;
            case kAffinity:
#pragma omp task depend(in : from[0]) depend(inout : to[0]) firstprivate(from, to) affinity(to[0])
                step(from, to, 0);
                break;
            case kHolds:
#pragma omp task depend(in : from[0]) depend(inout : to[0]) firstprivate(pair)
                if (pair - pairs[0] == 1)
                    run_held(pair);
                else
                    step(pair->from, pair->to, 0);
                break;
            case kTransparent:
            case kWeak:
                if (s == 1)
                    loomp_next_task(feature == kWeak ? LOOMP_TASK_WEAK : LOOMP_TASK_TRANSPARENT);
#pragma omp task depend(in : from[0]) depend(inout : to[0]) firstprivate(from, to, s)
                {
#pragma omp task depend(in : from[0]) depend(inout : to[0]) firstprivate(from, to)
                    step(from, to, 0);
                    if (s != 1) {
#pragma omp taskwait
                    }
                }
                break;
            case kCancellation:
#pragma omp task depend(in : from[0]) depend(inout : to[0]) firstprivate(from, to, n)
            {
                step(from, to, 0);
                if (n == kIterations / 2 && to == &cell[0][kSteps]) {
#pragma omp cancel taskgroup
                }
            } break;
            }
        }
        if (feature == kFusion && i == kWidth - 1) {
#pragma omp task depend(in : cell[0][0], cell[1][0], cell[2][0], cell[3][0], cell[4][0],           \
                            cell[5][0], cell[6][0], cell[7][0])
            open_gate();
        }
        // Sends, where presets are looked at.
#pragma omp task depend(in : last[0]) firstprivate(last) priority(1)
        {
            if (loomp_note_send != NULL)
                loomp_note_send();
            if (*last % kSteps != 0 && feature != kCancellation)
                __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        }
    }
}

static void iterate(const char *way) {
    for (int n = 0; n < kIterations; n++) {
        if (strcmp(way, "declared") == 0) {
            LOOMP_PERSISTENT(0) create(n);
        } else if (strcmp(way, "unbarred") == 0) {
            LOOMP_PERSISTENT(LOOMP_PERSISTENT_NO_BARRIER) create(n);
        } else if (strcmp(way, "replayed") == 0) {
            LOOMP_PERSISTENT(LOOMP_PERSISTENT_REPLAY) create(n);
        } else {
            create(n);
#pragma omp taskwait
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    while (strcmp(features[feature], argv[1]) != 0)
        if (++feature == sizeof features / sizeof *features)
            return 2;
    for (int i = 0; i < kWidth; i++)
        for (int s = 0; s < kSteps; s++)
            pairs[i][s] = (pair_t){&cell[i][s], &cell[i][s + 1]};
    for (int i = 0; i < kWidth && feature == kSets; i++)
        for (int s = 0; s < kSteps; s++) {
            sets[i][s] = loomp_dependences_create();
            if (s % 2 == 0)
                loomp_dependences_add(sets[i][s], LOOMP_DEPEND_IN, pairs[i][s].from);
            loomp_dependences_add(sets[i][s], LOOMP_DEPEND_INOUT, pairs[i][s].to);
        }
    if (feature == kFusion)
        kind = loomp_task_kind("step", batch, NULL, 4);
#pragma omp parallel
#pragma omp single
    {
        if (feature == kCancellation) {
#pragma omp taskgroup
            iterate(argv[2]);
        } else {
            iterate(argv[2]);
        }
    }
    for (int i = 0; i < kWidth; i++)
        wrong += feature != kCancellation && cell[i][kSteps] != kIterations * kSteps;
    printf("wrong %ld, %s, %s\n", wrong, in_batches > batches ? "batches" : "no batches",
           holds > 0 ? "holds" : "no holds");
    return wrong != 0;
}
