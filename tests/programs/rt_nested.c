// Dependences across generations (loomp_next_task), as compilers pass them: the result of a program
// of two levels, and the parallelism that would be lost without them.
#include <time.h>

#include "check.h"
#define LOOMP_WEAK
#include "loomp/experimental.h"
#include "omp_decls.h"

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- The result ----------------------------------------------------------------------------------

enum { kPanels = 6, kBlocks = 8, kSweeps = 20 };
static long block[kPanels][kBlocks];

// Each task's new value depends on the order in which it came.
static long update(long own, long other) { return (own * 31 + other * 7 + 3) % 1000003; }

static void sweep_panel(int p) {
    for (int b = 0; b < kBlocks; b++) {
        long *own = &block[p][b], *other = &block[(p + kPanels - 1) % kPanels][b];
#pragma omp task depend(inout : own[0]) depend(in : other[0]) firstprivate(own, other)
        *own = update(*own, *other);
    }
}

static long sequential(void) {
    static long value[kPanels][kBlocks];
    long sum = 0;
    for (int s = 0; s < kSweeps; s++)
        for (int p = 0; p < kPanels; p++)
            for (int b = 0; b < kBlocks; b++)
                value[p][b] = update(value[p][b], value[(p + kPanels - 1) % kPanels][b]);
    for (int p = 0; p < kPanels; p++)
        for (int b = 0; b < kBlocks; b++)
            sum = (sum * 33 + value[p][b]) % 1000003;
    for (int p = 0; p < kPanels; p++)
        for (int b = 0; b < kBlocks; b++)
            value[p][b] = 0;
    return sum;
}

static long sum_of_blocks(void) {
    long sum = 0;
    for (int p = 0; p < kPanels; p++)
        for (int b = 0; b < kBlocks; b++) {
            sum = (sum * 33 + block[p][b]) % 1000003;
            block[p][b] = 0;
        }
    return sum;
}

// A task that sweeps panel `p` names each of its blocks, and its neighbour's.
#define OWN(p)                                                                                     \
    block[p][0], block[p][1], block[p][2], block[p][3], block[p][4], block[p][5], block[p][6],     \
        block[p][7]

static void result(unsigned flags, int threads) {
    const long expected = sequential();
    long found = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int s = 0; s < kSweeps; s++)
            for (int p = 0; p < kPanels; p++) {
                const int q = (p + kPanels - 1) % kPanels;
                loomp_next_task(flags);
#pragma omp task depend(inout : OWN(p)) depend(in : OWN(q)) firstprivate(p)
                sweep_panel(p);
            }
        // A reader of one block waits for what concerns it only; the taskwait for nothing more.
#pragma omp task depend(inout : OWN(0), OWN(1), OWN(2), OWN(3), OWN(4), OWN(5)) shared(found)
        found = sum_of_blocks();
#pragma omp taskwait
    }
    CHECK_EQ(found, expected);
}

// --- The parallelism -----------------------------------------------------------------------------

static _Atomic int slow_runs, second_runs, met;

// Two tasks of two children each: the second one's child on `x` need not wait for the first one's
// child on `y`. Whether it ran meanwhile.
static int overlap(int nested) {
    int x = 0, y = 0;
    (void)x, (void)y; // gcc 12 does not see the depend clauses
    slow_runs = second_runs = met = 0;
#pragma omp parallel num_threads(2) shared(x, y)
#pragma omp single
    {
        if (nested)
            loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(inout : x, y)
        {
#pragma omp task depend(inout : x)
            {
            }
#pragma omp task depend(inout : y)
            {
                slow_runs = 1;
                // Without nested dependences it is in vain.
                for (const double start = seconds(); seconds() - start < (nested ? 50 : 0.2);) {
                    if (second_runs) {
                        met = 1;
                        break;
                    }
                    usleep(50);
                }
            }
            if (!nested) {
#pragma omp taskwait
            }
        }
        if (nested)
            loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(inout : x, y)
        {
#pragma omp task depend(inout : x)
            second_runs = 1;
        }
    }
    return met;
}

// --- Waits in between ----------------------------------------------------------------------------

// Iterations that end with a taskwait, which does not wait for grandchildren: what comes after
// still does where it names what they access. LOOMP_PERSISTENT=auto keeps the first iterations'
// graph.
static void waits(void) {
    enum { kIterations = 12, kFirstNested = 6 };
    long expected[kBlocks] = {0}, cell[kBlocks] = {0};
    for (int i = 0; i < kIterations; i++)
        for (int b = 0; b < kBlocks; b++)
            for (int k = 0; k < (i < kFirstNested ? 1 : 3); k++)
                expected[b] = update(expected[b], i + b);
#pragma omp parallel num_threads(4) shared(cell)
#pragma omp single
    for (int i = 0; i < kIterations; i++) {
        for (int b = 0; b < kBlocks; b++) {
#pragma omp task depend(inout : cell[b]) firstprivate(i, b)
            cell[b] = update(cell[b], i + b);
        }
        for (int p = 0; i >= kFirstNested && p < 2; p++) {
            loomp_next_task(p == 0 ? LOOMP_TASK_WEAK : LOOMP_TASK_TRANSPARENT);
#pragma omp task depend(inout : cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6],     \
                            cell[7])
            for (int b = 0; b < kBlocks; b++) {
#pragma omp task depend(inout : cell[b]) firstprivate(i, b)
                {
                    usleep(20);
                    cell[b] = update(cell[b], i + b);
                }
                if (b == 3) {
#pragma omp taskwait
                }
            }
        }
#pragma omp taskwait
    }
    for (int b = 0; b < kBlocks; b++)
        CHECK_EQ(cell[b], expected[b]);
}

// --- Cases that have nothing to wait for, or nobody ----------------------------------------------

static void corners(void) {
    int x = 0, order = 0;
    (void)x;
#pragma omp parallel num_threads(2) shared(x, order)
#pragma omp single
    {
        // Undeferred: what comes after waits for its children as well (gcc's; see experimental.h).
        loomp_next_task(LOOMP_TASK_TRANSPARENT);
        int no = seconds() < 0;
#pragma omp task if (no) depend(inout : x)
        {
#pragma omp task depend(inout : x)
            {
                usleep(1000);
                order = 1;
            }
#ifdef __clang__
#pragma omp taskwait
#endif
        }
#pragma omp task depend(in : x)
        CHECK_EQ(order, 1);
#pragma omp taskwait
        // One task has no clause, the next one is final.
        loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task
        order++;
#pragma omp taskwait
        loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task final(1) depend(inout : x)
        {
#pragma omp task depend(inout : x)
            order++;
        }
#pragma omp task depend(inout : x)
        CHECK_EQ(order, 3);
#pragma omp taskwait
        // Only the next construct is meant.
        loomp_next_task(LOOMP_TASK_WEAK);
        loomp_next_task(LOOMP_TASK_TRANSPARENT);
#pragma omp task depend(inout : x) untied
        {
#pragma omp task depend(inout : x)
            order++;
        }
#pragma omp task depend(inout : x)
        CHECK_EQ(order, 4);
    }
    // Outside a region everything is in order.
    loomp_next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(inout : x) shared(order)
    {
#pragma omp task depend(inout : x) shared(order)
        order++;
    }
    CHECK_EQ(order, 5);
}

// One thread runs what it creates at once; what is not complete by that is entered late. A child
// with an event keeps the later sibling that depends on it waiting, and that alone; so does a
// transparent task that yields.
static void late(unsigned flags, int with_event) {
    int x = 0, y = 0;
    omp_event_handle_t event = 0;
#pragma omp parallel num_threads(1) shared(x, y, event)
#pragma omp single
    {
        loomp_next_task(flags);
#pragma omp task depend(inout : x, y) shared(x, y, event) firstprivate(with_event)
        {
            if (with_event) {
                omp_event_handle_t mine;
#pragma omp task depend(inout : x) detach(mine) shared(x, event)
                {
                    x = 1;
                    event = mine;
                }
            } else {
#pragma omp task depend(inout : x) shared(x)
                x = 1;
#pragma omp taskyield
            }
#pragma omp task depend(inout : y) shared(y)
            y = 1;
        }
#pragma omp task depend(inout : y) shared(y)
        y = 10 * y + 2;
#pragma omp task depend(inout : x) shared(x)
        x = 10 * x + 2;
        if (with_event) {
            while (y != 12 || event == 0) {
#pragma omp taskyield
            }
            CHECK_EQ(x, 1);
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        CHECK_EQ(x, 12);
        CHECK_EQ(y, 12);
    }
}

int main(void) {
    for (int threads = 1; threads <= 4; threads++)
        for (int round = 0; round < 5; round++) {
            result(LOOMP_TASK_TRANSPARENT, threads);
            result(LOOMP_TASK_WEAK, threads);
        }
    CHECK_EQ(overlap(1), 1);
    CHECK_EQ(overlap(0), 0);
    for (int round = 0; round < 5; round++)
        waits();
    corners();
    for (int with_event = 0; with_event < 2; with_event++) {
        late(LOOMP_TASK_TRANSPARENT, with_event);
        late(LOOMP_TASK_WEAK, with_event);
    }
    return 0;
}
