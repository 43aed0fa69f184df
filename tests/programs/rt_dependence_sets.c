// Dependence sets (loomp/dependences.h): random graphs are ordered the same with depend clauses,
// with sets, and with both; undeferred tasks wait; taskloop does not; many threads use one set.
// flags: -Wno-uninitialized
#define LOOMP_WEAK
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "loomp/experimental.h"
#include "omp_decls.h"

enum { kLocations = 12, kTasks = 120, kMost = 10 };
enum { kIn, kInout, kExclusive, kInoutset, kKinds }; // of what a task does with a location

// The locations that a task names, with repetitions, and what that comes to at each location.
typedef struct {
    int named, at[kMost], kind[kMost];
    int locations, location[kMost], does[kMost];
    int before[kMost]; // accesses that must be over, of those to the location
    int among[kMost];  // and those of the same kind that may be over as well
} plan_t;
static plan_t plans[kTasks];
static char place[kLocations];
static _Atomic int over[kLocations], inside[kLocations];
static _Atomic int wrong, ran;

static uint64_t seed = 1;
static int below(int n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (unsigned)n);
}

static void plan(int kinds) {
    int total[kLocations] = {0}, phase[kLocations] = {0}, last[kLocations];
    static int members[kLocations][kTasks + 1]; // of each phase
    memset(members, 0, sizeof members);
    static int phase_of[kTasks][kMost];
    for (int l = 0; l < kLocations; l++)
        last[l] = -1;
    for (int t = 0; t < kTasks; t++) {
        plan_t *p = &plans[t];
        p->named = below(kMost + 1);
        p->locations = 0;
        for (int i = 0; i < p->named; i++) {
            const int at = p->at[i] = i > 0 && below(2) ? p->at[below(i)] : below(kLocations);
            const int kind = p->kind[i] = below(kinds);
            int k = 0;
            while (k < p->locations && p->location[k] != at)
                k++;
            if (k == p->locations) {
                p->location[p->locations++] = at;
                p->does[k] = kind;
            } else if (p->does[k] != kind) {
                p->does[k] = kInout;
            }
        }
        for (int k = 0; k < p->locations; k++) {
            const int l = p->location[k];
            if (last[l] >= 0 && (p->does[k] == kInout || p->does[k] != last[l])) {
                total[l] += members[l][phase[l]];
                phase[l]++;
            }
            last[l] = p->does[k];
            members[l][phase[l]]++;
            p->before[k] = total[l];
            phase_of[t][k] = phase[l];
        }
    }
    for (int t = 0; t < kTasks; t++)
        for (int k = 0; k < plans[t].locations; k++)
            plans[t].among[k] = members[plans[t].location[k]][phase_of[t][k]] - 1;
}

static void body(int t) {
    const plan_t *p = &plans[t];
    for (int k = 0; k < p->locations; k++) {
        const int l = p->location[k], seen = over[l];
        if (seen < p->before[k] || seen > p->before[k] + p->among[k])
            wrong++;
        if (p->does[k] == kExclusive && inside[l]++ != 0)
            wrong++;
    }
    for (int k = 0; k < p->locations; k++)
        if (p->does[k] == kExclusive)
            inside[p->location[k]]--;
    for (int k = 0; k < p->locations; k++)
        over[p->location[k]]++;
    ran++;
}

static void add(loomp_dependences_t *set, int location, int kind) {
    static const int kinds[] = {LOOMP_DEPEND_IN, LOOMP_DEPEND_INOUT, LOOMP_DEPEND_MUTEXINOUTSET,
                                LOOMP_DEPEND_INOUTSET};
    const int64_t index = location;
    const int32_t short_index = location;
    int failed = 0;
    switch (below(4)) {
    case 0:
        failed = loomp_dependences_add(set, kinds[kind], &place[location]);
        break;
    case 1:
        failed = loomp_dependences_add_array(set, kinds[kind], &place[location], 1, 8);
        break;
    case 2:
        failed = loomp_dependences_add_tiles(set, kinds[kind], place, 1, 1, &index, 1);
        break;
    case 3:
        failed = loomp_dependences_add_tiles32(set, kinds[kind], place, 1, 1, &short_index, 1);
        break;
    }
    CHECK_EQ(failed, 0);
}

// How the tasks name what they depend on.
typedef enum { kClauses, kSets, kBoth, kUndeferred, kFinal, kUntied, kTransparent } way_t;

static void create(int t, way_t way) {
    const plan_t *p = &plans[t];
    char *in[kMost], *inout[kMost];
    int ins = 0, inouts = 0;
    loomp_dependences_t *set = loomp_dependences_create();
    for (int i = 0; i < p->named; i++) {
        const int kind = p->kind[i];
        if (way == kClauses || (way == kBoth && kind <= kInout && below(2))) {
            if (kind == kIn)
                in[ins++] = &place[p->at[i]];
            else
                inout[inouts++] = &place[p->at[i]];
        } else {
            add(set, p->at[i], kind);
        }
    }
    if (way != kClauses && way != kBoth)
        CHECK_EQ(loomp_dependences_count(set), p->locations);
    if (way == kTransparent)
        loomp_next_task(LOOMP_TASK_TRANSPARENT);
    if (way != kClauses)
        loomp_next_task_depends(set);
    switch (way) {
    case kClauses:
    case kBoth:
#pragma omp task depend(iterator(int i = 0 : ins), in : in[i][0])                                  \
    depend(iterator(int j = 0 : inouts), inout : inout[j][0]) firstprivate(t)
        body(t);
        break;
    case kUndeferred:
#pragma omp task if (t % 4 != 0) firstprivate(t)
        body(t);
        break;
    case kFinal:
#pragma omp task final(t % 4 == 0) firstprivate(t) priority(1)
        body(t);
        break;
    case kUntied:
#pragma omp task untied firstprivate(t)
        body(t);
        break;
    default:
#pragma omp task firstprivate(t)
        body(t);
    }
    loomp_dependences_free(set);
}

static void random_graph(way_t way, int kinds, int threads, int nested) {
    plan(kinds);
    memset((void *)over, 0, sizeof over);
    ran = wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        if (nested) {
#pragma omp task final(nested == 2) firstprivate(way)
            for (int t = 0; t < kTasks; t++)
                create(t, way);
        } else {
            for (int t = 0; t < kTasks; t++)
                create(t, way);
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(ran, kTasks);
}

static void undeferred_waits(void) {
    static int x, y;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        loomp_dependences_t *set = loomp_dependences_create();
        loomp_dependences_add(set, LOOMP_DEPEND_IN, &x);
#pragma omp task depend(out : x)
        {
            usleep(3000);
            x = 1;
        }
#pragma omp task depend(out : y)
        {
            usleep(1000);
            y = 1;
        }
        loomp_next_task_depends(set);
#pragma omp task if (0) depend(in : y)
        CHECK(x == 1 && y == 1);
#pragma omp task depend(out : x)
        {
            usleep(3000);
            x = 2;
        }
        loomp_next_task_depends(set);
#pragma omp task if (0)
        CHECK_EQ(x, 2);
        loomp_dependences_free(set);
    }
}

// It would not come to an end if its tasks, or the task after it, waited for the first one.
static void taskloop_has_none(void) {
    static int x;
    static _Atomic int go, done;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        loomp_dependences_t *set = loomp_dependences_create();
        loomp_dependences_add(set, LOOMP_DEPEND_INOUT, &x);
#pragma omp task depend(out : x)
        WAIT_UNTIL(go);
        loomp_next_task_depends(set);
#pragma omp taskloop grainsize(2)
        for (int i = 0; i < 20; i++)
            done++;
        CHECK_EQ(done, 20);
#pragma omp task
        go = 1;
        loomp_dependences_free(set);
    }
}

// Each member's tasks are ordered among themselves.
static void many_threads(void) {
    enum { kSteps = 200, kMembers = 4 };
    static int cell[kMembers];
    loomp_dependences_t *set = loomp_dependences_create();
    loomp_dependences_add_array(set, LOOMP_DEPEND_INOUT, cell, kMembers, sizeof *cell);
#pragma omp parallel num_threads(kMembers)
    {
        int *own = &cell[omp_get_thread_num()];
        for (int i = 0; i < kSteps; i++) {
            loomp_next_task_depends(set);
#pragma omp task firstprivate(own, i)
            if ((*own)++ != i)
                wrong++;
        }
    }
    loomp_dependences_free(set);
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < kMembers; i++)
        CHECK_EQ(cell[i], kSteps);
}

// Sets that are made anew in each iteration, and change at one point: kept graphs follow.
static void kept(unsigned flags) {
    enum { kIterations = 12, kWidth = 16, kChange = 7 };
    static long cell[kWidth];
    memset(cell, 0, sizeof cell);
    wrong = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int n = 0; n < kIterations; n++) {
        LOOMP_PERSISTENT(flags) {
            for (int i = 0; i < kWidth; i++) {
                loomp_dependences_t *set = loomp_dependences_create();
                loomp_dependences_add_array(set, LOOMP_DEPEND_IN, cell, (size_t)i, sizeof *cell);
                loomp_dependences_add(set, LOOMP_DEPEND_INOUT, &cell[i]);
                if (i > 0 && (flags & LOOMP_PERSISTENT_CHECK) != 0 && n >= kChange)
                    loomp_dependences_add(set, LOOMP_DEPEND_IN, cell);
                loomp_next_task_depends(set);
#pragma omp task firstprivate(i)
                {
                    for (int k = 0; k < i; k++)
                        if (cell[k] != cell[i] + 1)
                            wrong++;
                    cell[i]++;
                }
                loomp_dependences_free(set);
            }
        }
    }
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < kWidth; i++)
        CHECK_EQ(cell[i], kIterations);
}

int main(void) {
    for (int round = 0; round < 3; round++)
        for (int threads = 1; threads <= 4; threads += 3)
            for (int nested = 0; nested <= 2; nested++) {
                random_graph(kClauses, 2, threads, nested);
                random_graph(kSets, 2, threads, nested);
                random_graph(kSets, kKinds, threads, nested);
                random_graph(kBoth, 2, threads, nested);
                random_graph(kBoth, kKinds, threads, nested);
                random_graph(kUndeferred, kKinds, threads, nested);
                random_graph(kFinal, kKinds, threads, nested);
                random_graph(kUntied, kKinds, threads, nested);
                random_graph(kTransparent, 2, threads, nested);
            }
    undeferred_waits();
    taskloop_has_none();
    many_threads();
    kept(0);
    kept(LOOMP_PERSISTENT_REPLAY);
    kept(LOOMP_PERSISTENT_NO_BARRIER);
    kept(LOOMP_PERSISTENT_CHECK);
    return 0;
}
