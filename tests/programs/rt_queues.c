// Queues with names (loomp_queue): all tasks run, once; creators continue; the order of a thread,
// and of a queue; merged queues, tasks of one kind taken out, batches, places, dependences.
// env: OMP_PLACES=cores LOOMP_PRODUCERS_FIRST=true
#include "check.h"
#include "omp_decls.h"
#include "said.h"
#define LOOMP_WEAK
#include <loomp/experimental.h>
#include <string.h>

enum { kTasks = 3000, kMax = 16 };
static int ran[kTasks];
static int order[kTasks]; // in which they ran, by one thread
static int runs;
static _Atomic int batches, in_batches, wrong;

static void run_all(void *const *data, size_t count, void *context) {
    (void)context;
    batches++;
    in_batches += (int)count;
    if (count < 2 || count > kMax)
        wrong++;
    for (size_t i = 0; i < count; i++)
        ++*(int *)data[i];
}

// A batch that loomp_queue_put() makes may have one piece.
static void run_each(void *const *data, size_t count, void *context) {
    (void)context;
    batches++;
    in_batches += (int)count;
    if (count < 1 || count > kMax)
        wrong++;
    for (size_t i = 0; i < count; i++)
        ++*(int *)data[i];
}

static void reset(void) {
    memset(ran, 0, sizeof ran);
    runs = 0;
    batches = in_batches = 0;
}

static void check_all(void) {
    for (int i = 0; i < kTasks; i++)
        CHECK_EQ(ran[i], 1);
}

static void note(int i) {
    ran[i]++;
    order[runs++] = i;
}

// How many tasks wait in a queue: all go to another one, and come back.
static size_t size_of(int q) {
    const int aside = loomp_queue("aside", LOOMP_ANY_PLACE);
    const size_t size = loomp_queue_merge(aside, q);
    CHECK_EQ(loomp_queue_merge(q, aside), size);
    return size;
}

// One thread runs them first come, first served, and after its own tasks. Nothing runs where it is
// created.
static void come_after_own(int q) {
    reset();
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < kTasks; i++) {
            if (i % 3 != 0)
                loomp_next_task_queue(q);
#pragma omp task firstprivate(i) if (i % 3 != 0)
            note(i);
        }
        CHECK_EQ((int)size_of(q), kTasks - kTasks / 3);
        CHECK_EQ(runs, kTasks / 3);
#pragma omp taskwait
        CHECK_EQ((int)size_of(q), 0);
    }
    check_all();
    for (int k = kTasks / 3 + 1; k < kTasks; k++)
        CHECK(order[k] > order[k - 1]);
}

// One thread's order: `second` before `first`, or between them tasks that are in neither.
static void go_by_the_order(int first, int second, const int *wanted, int count, int expected) {
    int seen[3], at = 0;
    CHECK_EQ(loomp_set_queue_order(wanted, count), 0);
#pragma omp parallel num_threads(1)
    {
        loomp_next_task_queue(first);
#pragma omp task shared(seen, at)
        seen[at++] = 1;
        loomp_next_task_queue(second);
#pragma omp task shared(seen, at)
        seen[at++] = 2;
#pragma omp task shared(seen, at)
        seen[at++] = 3;
#pragma omp taskwait
    }
    CHECK_EQ(seen[0] * 100 + seen[1] * 10 + seen[2], expected);
    CHECK_EQ(loomp_set_queue_order(NULL, 0), 0);
}

// Tasks that wait in one queue go to the end of another.
static void join_up(int first, int second) {
    reset();
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < kTasks; i++) {
            loomp_next_task_queue(i < kTasks / 2 ? second : first);
#pragma omp task firstprivate(i)
            note(i);
        }
        CHECK_EQ((int)loomp_queue_merge(second, first), kTasks - kTasks / 2);
        CHECK_EQ((int)loomp_queue_merge(second, first), 0);
        CHECK_EQ((int)size_of(first), 0);
        CHECK_EQ((int)size_of(second), kTasks);
    }
    check_all();
    for (int k = 0; k < kTasks; k++)
        CHECK_EQ(order[k], k);
}

// Those of a kind among others, some taken out together.
static void pick(int q, int kind) {
    reset();
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < kTasks; i++) {
            if (i % 3 == 0)
                loomp_next_task_kind(kind, &ran[i]);
            loomp_next_task_queue(q);
#pragma omp task firstprivate(i)
            ran[i]++;
        }
        CHECK_EQ((int)loomp_queue_take(q, kind, 10), 10);
        CHECK_EQ((int)size_of(q), kTasks - 10);
        CHECK_EQ((int)loomp_queue_take(q, 0, 1), 1);
        CHECK_EQ((int)loomp_queue_take(q, kind, 1000000), kTasks / 3 - 10);
        CHECK_EQ((int)loomp_queue_take(q, kind, 1), 0);
    }
    check_all();
    CHECK(in_batches > kTasks / 3 - 2 * kMax);
    CHECK_EQ(wrong, 0);
}

// Several creators and queues, batches, dependences; who may run what is not said.
static void run_each_once(int threads, const int *queues, int count, int kind) {
    static int cell[kTasks];
    static _Atomic int wrong_order;
    reset();
    memset(cell, 0, sizeof cell);
#pragma omp parallel num_threads(threads)
    {
        const int mine[] = {queues[omp_get_thread_num() % count], LOOMP_OTHER_TASKS};
        loomp_set_queue_order(mine, omp_get_thread_num() % 3);
#pragma omp for
        for (int i = 0; i < kTasks; i++) {
            const int q = queues[i % count];
            if (i % 2 == 0) {
                loomp_next_task_kind(kind, &ran[i]);
                loomp_next_task_queue(q);
#pragma omp task firstprivate(i)
                ran[i]++;
            } else {
#pragma omp task firstprivate(i) depend(out : cell[i])
                cell[i] = 1;
                loomp_next_task_queue(q);
#pragma omp task firstprivate(i) depend(inout : cell[i])
                {
                    wrong_order += cell[i] != 1;
                    ran[i]++;
                }
            }
            if (i % 100 == 0)
                loomp_queue_merge(queues[0], queues[count - 1]);
            if (i % 64 == 0)
                loomp_queue_take(q, i % 128 == 0 ? kind : 0, 5);
        }
        loomp_set_queue_order(NULL, 0);
    }
    check_all();
    CHECK_EQ(wrong_order, 0);
    CHECK_EQ(wrong, 0);
}

// Pieces of work that no construct makes a task of: as many tasks as there are batches, all
// children of who put them there, taken by kind like others; in no region, at once.
static void put_pieces(int q, int kind, int other) {
    void *data[kTasks];
    for (int i = 0; i < kTasks; i++)
        data[i] = &ran[i];
    reset();
#pragma omp parallel num_threads(1)
    {
        loomp_queue_put(q, kind, data, kTasks);
        CHECK_EQ((int)size_of(q), (kTasks + kMax - 1) / kMax);
        CHECK_EQ(batches, 0);
        memset(data, 0, sizeof data); // they are copied
        CHECK_EQ((int)loomp_queue_take(q, other, 1), 0);
        CHECK_EQ((int)loomp_queue_take(q, kind, 3), 3);
#pragma omp taskwait
        check_all();
        CHECK_EQ(batches, (kTasks + kMax - 1) / kMax);
    }
    for (int i = 0; i < kTasks; i++)
        data[i] = &ran[i];
    for (int threads = 1; threads <= 4; threads++) {
        reset();
#pragma omp parallel num_threads(threads)
#pragma omp for nowait
        for (int i = 0; i < kTasks / 10; i++)
            loomp_queue_put(i % 3 == 0 ? LOOMP_OTHER_TASKS : q, kind, data + i * 10, 10);
        check_all();
        CHECK_EQ(batches, kTasks / 10);
    }
    reset();
    loomp_queue_put(q, kind, data, kTasks);
    check_all();
    reset();
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        loomp_queue_put(q, kind, data, kTasks);
        CHECK_EQ(in_batches, kTasks);
    }
    check_all();
    CHECK_EQ(wrong, 0);
}

int main(void) {
    const int kind = loomp_task_kind("mark", run_all, NULL, kMax);
    const int pieces = loomp_task_kind("pieces", run_each, NULL, kMax);
    const int first = loomp_queue("first", LOOMP_ANY_PLACE);
    const int second = loomp_queue("second", 0);
    CHECK(first > 0 && second > 0 && first != second);
    CHECK_EQ(loomp_queue("first", LOOMP_ANY_PLACE), first);
    come_after_own(first);
    const int both[] = {second, first};
    go_by_the_order(first, second, both, 2, 321);
    const int between[] = {second, LOOMP_OTHER_TASKS, first};
    go_by_the_order(first, second, between, 3, 231);
    const int before[] = {first, LOOMP_OTHER_TASKS};
    go_by_the_order(first, second, before, 2, 132);
    join_up(first, second);
    pick(first, kind);
    for (int threads = 1; threads <= 4; threads++)
        run_each_once(threads, both, 2, kind);

    put_pieces(second, pieces, kind);
    listen_to_stderr();
    loomp_queue_put(first, 200, NULL, 1);
    check_said("200 is no kind", 1);

    listen_to_stderr();
    const int twice[] = {first, first};
    CHECK_EQ(loomp_set_queue_order(twice, 2), 1);
    check_said("comes twice", 1);
    listen_to_stderr();
    CHECK_EQ(loomp_queue("", LOOMP_ANY_PLACE), 0);
    check_said("needs a name", 1);
    listen_to_stderr();
    CHECK(loomp_queue("nowhere", 1000000) > 0);
    check_said("there is no place 1000000", 1);
    listen_to_stderr();
    loomp_next_task_queue(77);
    check_said("77 is no queue", 1);
    return 0;
}
