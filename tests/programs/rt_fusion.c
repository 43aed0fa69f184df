// Fusion (loomp_task_kind): tasks of a kind run together, each completes for those that wait for
// it.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"
#include "omp_decls.h"

enum { kTasks = 2000, kMax = 32, kKinds = 12 };

static _Atomic int batches, in_batches, alone, wrong, disordered;
static int context = 42;

static void mark_all(void *const *data, size_t count, void *given) {
    batches++;
    in_batches += (int)count;
    if (given != &context || count < 2 || count > kMax)
        wrong++;
    for (size_t i = 0; i < count; i++)
        ++*(int *)data[i];
    for (size_t i = 1; i < count; i++)
        disordered += (int *)data[i] != (int *)data[i - 1] + 1;
}

static void mark_one(int *cell) {
    alone++;
    ++*cell;
}

static void reset(void) { batches = in_batches = alone = disordered = 0; }

// All run once; alone, or in batches.
static void independent(int kind, int threads) {
    static int cell[kTasks];
    memset(cell, 0, sizeof cell);
    reset();
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < kTasks; i++) {
        loomp_next_task_kind(kind, &cell[i]);
#pragma omp task firstprivate(i)
        mark_one(&cell[i]);
    }
    for (int i = 0; i < kTasks; i++)
        CHECK_EQ(cell[i], 1);
    CHECK_EQ(in_batches + alone, kTasks);
    CHECK_EQ(wrong, 0);
    if (threads == 1) {
        CHECK_EQ(batches, (kTasks + kMax - 1) / kMax);
        CHECK_EQ(disordered, 0); // in the order of their creation
    }
}

// Chains whose links are fused across, not along.
static void chains(int kind, int threads) {
    enum { kChains = 24, kLength = 50 };
    static int cell[kChains];
    memset(cell, 0, sizeof cell);
    _Atomic int ends = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int step = 0; step < kLength; step++)
            for (int c = 0; c < kChains; c++) {
                loomp_next_task_kind(kind, &cell[c]);
#pragma omp task depend(inout : cell[c]) firstprivate(c)
                mark_one(&cell[c]);
#pragma omp task depend(inout : cell[c]) firstprivate(c, step) if (step % 2)
                CHECK_EQ(cell[c], step + 1);
            }
#pragma omp taskwait
        ends = cell[0];
    }
    CHECK_EQ(ends, kLength);
    CHECK_EQ(wrong, 0);
}

// --- A batch body that creates tasks and waits, under taskgroups and waits of several parents
// -----

static _Atomic int parts;

static void fork_all(void *const *data, size_t count, void *given) {
    (void)given;
    for (size_t i = 0; i < count; i++) {
#pragma omp task firstprivate(i) shared(data)
        {
            parts++;
            ++*(int *)data[i];
        }
    }
#pragma omp taskwait
    for (size_t i = 0; i < count; i++)
        if (*(int *)data[i] == 0)
            wrong++;
}

static void forking(int kind, int threads) {
    enum { kParents = 8, kEach = 40 };
    static int cell[kParents][kEach];
    memset(cell, 0, sizeof cell);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int p = 0; p < kParents; p++) {
#pragma omp task firstprivate(p)
        {
#pragma omp taskgroup
            for (int i = 0; i < kEach; i++) {
                loomp_next_task_kind(kind, &cell[p][i]);
#pragma omp task firstprivate(p, i)
                ++cell[p][i];
            }
            for (int i = 0; i < kEach; i++)
                CHECK_EQ(cell[p][i], 1);
            for (int i = 0; i < kEach; i++) {
                loomp_next_task_kind(kind, &cell[p][i]);
#pragma omp task firstprivate(p, i)
                cell[p][i] += 2;
            }
#pragma omp taskwait
            for (int i = 0; i < kEach; i++)
                CHECK(cell[p][i] > 1);
        }
    }
}

// Too few for a batch, and their creator does not come to them: the other thread runs them.
static void backfilled(int kind) {
    enum { kFew = 5 };
    static int cell[kFew];
    memset(cell, 0, sizeof cell);
    reset();
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < kFew; i++) {
            loomp_next_task_kind(kind, &cell[i]);
#pragma omp task firstprivate(i)
            mark_one(&cell[i]);
        }
        while (alone + in_batches < kFew)
            ;
    }
    for (int i = 0; i < kFew; i++)
        CHECK_EQ(cell[i], 1);
}

// Kinds in turn, more than are gathered at once.
static void many_kinds(const int *kind, int threads) {
    enum { kEach = 100 };
    static int cell[kEach][kKinds];
    memset(cell, 0, sizeof cell);
    reset();
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < kEach; i++)
        for (int k = 0; k < kKinds; k++) {
            loomp_next_task_kind(kind[k], &cell[i][k]);
#pragma omp task firstprivate(i, k)
            mark_one(&cell[i][k]);
        }
    for (int i = 0; i < kEach; i++)
        for (int k = 0; k < kKinds; k++)
            CHECK_EQ(cell[i][k], 1);
    CHECK_EQ(in_batches + alone, kEach * kKinds);
    CHECK_EQ(wrong, 0);
}

// Undeferred tasks, priorities and final ones run alone, and so do those of kind 0.
static void exceptions(int kind) {
    int cell[6] = {0};
    reset();
#pragma omp parallel num_threads(2) shared(cell)
#pragma omp single
    {
        int no = cell[0] != 0;
        loomp_next_task_kind(kind, &cell[0]);
#pragma omp task if (no) shared(cell)
        mark_one(&cell[0]);
        CHECK_EQ(cell[0], 1);
        loomp_next_task_kind(kind, &cell[1]);
#pragma omp task priority(1) shared(cell)
        mark_one(&cell[1]);
        loomp_next_task_kind(kind, &cell[2]);
#pragma omp task depend(mutexinoutset : cell[2]) shared(cell)
        mark_one(&cell[2]);
        loomp_next_task_kind(0, &cell[3]);
#pragma omp task shared(cell)
        mark_one(&cell[3]);
        loomp_next_task_kind(kind, &cell[4]);
#pragma omp taskloop num_tasks(1) shared(cell)
        for (int i = 4; i < 6; i++)
            mark_one(&cell[i]);
    }
    for (int i = 0; i < 6; i++)
        CHECK_EQ(cell[i], 1);
}

// A batch would run as a final task, and all that it creates at once.
static void final_ones(int kind) {
    int cell[kMax] = {0};
    reset();
#pragma omp parallel num_threads(2) shared(cell)
#pragma omp single
    for (int i = 0; i < kMax; i++) {
        loomp_next_task_kind(kind, &cell[i]);
#pragma omp task final(1) firstprivate(i) shared(cell)
        mark_one(&cell[i]);
    }
    for (int i = 0; i < kMax; i++)
        CHECK_EQ(cell[i], 1);
    CHECK_EQ(alone, kMax);
    CHECK_EQ(batches, 0);
}

// A task waits for one task of a batch only, and continues when the batch has run. The successor
// of the batch's other task is not its own: another thread finds it.
static void waited_by_one(int pair) {
    static int cell[2];
    static _Atomic int begun, waited, ran;
    int x = 0, no = cell[0] != 0;
#pragma omp parallel num_threads(2) shared(x)
#pragma omp single
    {
#pragma omp task
        {
            begun = 1;
            while (!waited)
                usleep(100);
        }
        while (!begun)
            usleep(100);
        loomp_next_task_kind(pair, &cell[0]);
#pragma omp task depend(out : x)
        cell[0]++;
#pragma omp task depend(in : x)
        ran = 1;
#pragma omp task if (no)
        {
            loomp_next_task_kind(pair, &cell[1]);
#pragma omp task
            cell[1]++;
#pragma omp taskwait
            waited = 1;
            for (int i = 0; i < 100000 && !ran; i++)
                usleep(100);
            CHECK(ran);
        }
    }
    CHECK_EQ(cell[0] + cell[1], 2);
}

// Cancelled tasks are discarded, whatever their kind.
static void cancelled(int kind) {
    static int cell[kTasks];
    reset();
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < kTasks; i++) {
        loomp_next_task_kind(kind, &cell[i]);
#pragma omp task firstprivate(i)
        {
            mark_one(&cell[i]);
#pragma omp cancel taskgroup
        }
    }
    CHECK(alone + in_batches <= kTasks);
}

// --- A batch body that holds the calling task: none of the batch completes before the release
// ------

enum { kHeld = 64, kPerBatch = 8 };
struct HeldBatch {
    loomp_held_task_t *task;
    size_t count;
    _Atomic int *cells[kPerBatch];
    _Atomic _Bool is_ready;
};
static struct HeldBatch held[kHeld];
static _Atomic int held_count;
static _Atomic _Bool release_at_once, no_more;

static void finish_held(struct HeldBatch *batch) {
    for (size_t i = 0; i < batch->count; i++)
        *batch->cells[i] = 2;
    loomp_release_task(batch->task, 1);
}

static void hold_all(void *const *data, size_t count, void *given) {
    (void)given;
    struct HeldBatch *batch = &held[held_count++];
    batch->task = loomp_hold_task(2);
    CHECK(batch->task != NULL);
    // Its own code would run then, and not the batch body.
    CHECK_EQ(loomp_when_returned(NULL, NULL), 1);
    batch->count = count;
    for (size_t i = 0; i < count; i++) {
        batch->cells[i] = data[i];
        *batch->cells[i] = 1;
    }
    loomp_release_task(batch->task, 1);
    if (release_at_once)
        finish_held(batch);
    else
        batch->is_ready = 1;
}

static void *finish_all(void *ignored) {
    for (int next = 0; !no_more;) {
        if (next == kHeld || !held[next].is_ready)
            continue;
        usleep(200);
        finish_held(&held[next++]);
    }
    return ignored;
}

static void holding(int kind, int threads, _Bool at_once) {
    static _Atomic int cell[kHeld];
    _Atomic int early = 0;
    for (int i = 0; i < kHeld; i++) {
        cell[i] = 0;
        held[i].is_ready = 0;
    }
    held_count = 0;
    release_at_once = at_once;
    no_more = 0;
    pthread_t finisher;
    pthread_create(&finisher, NULL, finish_all, NULL);
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < kHeld; i++) {
            loomp_next_task_kind(kind, (void *)&cell[i]);
#pragma omp task depend(inout : cell[i]) firstprivate(i)
            cell[i] = 2;
#pragma omp task depend(in : cell[i]) firstprivate(i)
            early += cell[i] != 2;
        }
        for (int i = 0; i < kHeld; i++) {
            CHECK_EQ(cell[i], 2);
            cell[i] = 0;
            loomp_next_task_kind(kind, (void *)&cell[i]);
#pragma omp task firstprivate(i)
            cell[i] = 2;
        }
#pragma omp taskwait
        for (int i = 0; i < kHeld; i++)
            early += cell[i] != 2;
    }
    no_more = 1;
    pthread_join(finisher, NULL);
    CHECK_EQ(early, 0);
}

static _Atomic int whole, moved;

static void stay_all(void *const *data, size_t count, void *given) {
    (void)data, (void)given;
    whole += count > 1;
    const int before = omp_get_thread_num();
#pragma omp task
    usleep(1);
#pragma omp task
    usleep(100);
#pragma omp taskyield
    moved += omp_get_thread_num() != before;
}

// A batch stays on its thread if one of its tasks is tied, even if it begins with an untied one.
static void tied(int kind) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < 3; k++) {
            loomp_next_task_kind(kind, NULL);
#pragma omp task
            stay_all(NULL, 1, NULL);
        }
        loomp_next_task_kind(kind, NULL);
#pragma omp task untied
        alone++;
#pragma omp taskyield
    }
    CHECK(whole > 0);
    CHECK_EQ(moved, 0);
}

int main(void) {
    const int mark = loomp_task_kind("mark", mark_all, &context, kMax);
    const int fork = loomp_task_kind("fork", fork_all, NULL, 16);
    CHECK(mark > 0 && fork > 0 && mark != fork);
    const int hold = loomp_task_kind("hold", hold_all, NULL, kPerBatch);
    int kinds[kKinds];
    for (int k = 0; k < kKinds; k++)
        CHECK((kinds[k] = loomp_task_kind("mark", mark_all, &context, kMax)) > fork);
    for (int round = 0; round < 20; round++)
        for (int threads = 1; threads <= 4; threads++) {
            independent(mark, threads);
            chains(mark, threads);
            forking(fork, threads);
            many_kinds(kinds, threads);
            holding(hold, threads, round % 2 != 0);
        }
    tied(loomp_task_kind("stay", stay_all, NULL, 4));
    backfilled(mark);
    CHECK_EQ(wrong, 0);
    exceptions(mark);
    final_ones(mark);
    waited_by_one(loomp_task_kind("pair", mark_all, &context, 2));
    cancelled(mark);
    return 0;
}
