// Tasks: trees, final and undeferred, every kind of dependence, priorities, taskloops.
#include <string.h>

#include "check.h"
#include "omp_decls.h"

static long fib(int n) {
    if (n < 2)
        return n;
    long a, b;
#pragma omp task shared(a) final(n < 8)
    a = fib(n - 1);
#pragma omp task shared(b) untied mergeable
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void trees(void) {
    long result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    result = fib(19);
    CHECK_EQ(result, 4181);

    int order[3] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task final(1)
        {
            CHECK(omp_in_final());
            int step = 0;
#pragma omp task shared(step)
            {
                CHECK(omp_in_final());
                step = 1;
            }
            CHECK_EQ(step, 1); // included: it has run
            order[0] = 1;
        }
        int now = 0;
#pragma omp task if (0) shared(now)
        {
            now = 1;
#pragma omp task shared(order)
            order[1] = 1;
        }
        CHECK_EQ(now, 1);
    }
    CHECK_EQ(order[0] + order[1], 2);

    // Outside any region tasks run at once.
    int serial = 0;
#pragma omp task shared(serial)
    serial = 1;
    CHECK_EQ(serial, 1);
}

enum { kSize = 12 };

// A wavefront, checked against the sequential result.
static void wavefront(void) {
    static int grid[kSize][kSize];
    for (int round = 0; round < 20; ++round) {
        memset(grid, 0, sizeof grid);
#pragma omp parallel num_threads(4)
#pragma omp single
        for (int i = 0; i < kSize; ++i)
            for (int j = 0; j < kSize; ++j) {
                const int up = i ? i - 1 : i, left = j ? j - 1 : j;
#pragma omp task depend(in : grid[up][j], grid[i][left]) depend(inout : grid[i][j])
                grid[i][j] = i == 0 || j == 0 ? 1 : (grid[up][j] + grid[i][left]) % 1009;
            }
        for (int i = 1; i < kSize; ++i)
            for (int j = 1; j < kSize; ++j)
                CHECK_EQ(grid[i][j], (grid[i - 1][j] + grid[i][j - 1]) % 1009);
    }
}

static void chains(void) {
    for (int round = 0; round < 30; ++round) {
        long value = 0;
        int readers[5] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
        {
            for (int i = 0; i < 100; ++i) {
#pragma omp task depend(inout : value)
                value = value * 3 % 1000003 + i;
            }
            for (int r = 0; r < 5; ++r) {
#pragma omp task depend(in : value) shared(value)
                readers[r] = (int)value;
            }
#pragma omp task depend(out : value)
            value = -1;
        }
        long expected = 0;
        for (int i = 0; i < 100; ++i)
            expected = expected * 3 % 1000003 + i;
        for (int r = 0; r < 5; ++r)
            CHECK_EQ(readers[r], expected);
        CHECK_EQ(value, -1);
    }
}

// mutexinoutset: one at a time, in any order; whatever the number of sets a task is in.
static void exclusive(void) {
    for (int round = 0; round < 30; ++round) {
        int inside[3] = {0};
        long total[3] = {0};
        int start = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
        {
#pragma omp task depend(out : total[0], total[1], total[2]) shared(start)
            start = 1;
            for (int i = 0; i < 60; ++i) {
                const int a = i % 3, b = (i / 3) % 3;
#pragma omp task depend(mutexinoutset : total[a]) depend(mutexinoutset : total[b])
                {
                    CHECK_EQ(start, 1);
                    CHECK_EQ(__atomic_fetch_add(&inside[a], 1, __ATOMIC_RELAXED), 0);
                    if (a != b)
                        CHECK_EQ(__atomic_fetch_add(&inside[b], 1, __ATOMIC_RELAXED), 0);
                    total[a]++;
                    if (a != b) {
                        total[b]++;
                        __atomic_fetch_sub(&inside[b], 1, __ATOMIC_RELAXED);
                    }
                    __atomic_fetch_sub(&inside[a], 1, __ATOMIC_RELAXED);
                }
            }
#pragma omp task depend(in : total[0], total[1], total[2])
            CHECK_EQ(total[0] + total[1] + total[2], 100);
        }
    }
}

// Exclusive tasks with an undeferred one among them, and with waits in between.
static void exclusive_undeferred(void) {
    for (int round = 0; round < 100; ++round) {
        int inside = 0;
        int x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
        {
            for (int i = 0; i < 12; ++i) {
#pragma omp task depend(mutexinoutset : x) if (i % 4 != 3)
                {
                    CHECK_EQ(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
                    ++x;
                    usleep(5);
                    __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
                }
                if (i == 6) {
#pragma omp taskwait depend(in : x)
                }
            }
        }
        CHECK_EQ(x, 12);
    }
}

#if defined(__clang__) || __GNUC__ >= 13
// inoutset: members of a set run together; what follows waits for all of them.
static void sets(void) {
    for (int round = 0; round < 30; ++round) {
        int x = 0;
        int sum = 0;
        int before = 0;
        int done[3] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
        {
#pragma omp task depend(out : x) shared(before)
            before = 1;
            for (int i = 0; i < 9; ++i) {
#pragma omp task depend(inoutset : x) shared(sum, before)
                {
                    CHECK_EQ(before, 1);
#pragma omp atomic
                    sum += i;
                }
            }
            for (int r = 0; r < 3; ++r) {
#pragma omp task depend(in : x) shared(sum)
                {
                    CHECK_EQ(sum, 36);
                    done[r] = 1;
                }
            }
            for (int i = 0; i < 9; ++i) {
#pragma omp task depend(inoutset : x) shared(sum)
                {
                    CHECK_EQ(done[0] + done[1] + done[2], 3);
#pragma omp atomic
                    sum += 1;
                }
            }
#pragma omp task depend(inout : x) shared(sum)
            CHECK_EQ(sum, 45);
        }
    }
}

#define SET inoutset
#else
static void sets(void) {}
#define SET out
#endif
// One task names an address several times: the strongest access counts.
static void repeated(void) {
    for (int round = 0; round < 50; ++round) {
        int x = 0;
        int done = 0;
        (void)x;
#pragma omp parallel num_threads(4)
#pragma omp single
        {
            for (int r = 0; r < 6; ++r) {
#pragma omp task depend(in : x) shared(done)
                {
                    usleep(1);
#pragma omp atomic
                    ++done;
                }
            }
#pragma omp task depend(in : x) depend(SET : x) shared(done)
            {
                CHECK_EQ(done, 6);
                ++done;
            }
#pragma omp task depend(in : x) depend(out : x) depend(in : x) shared(done)
            {
                CHECK_EQ(done, 7);
                ++done;
            }
            for (int r = 0; r < 6; ++r) {
#pragma omp task depend(in : x) depend(in : x) shared(done)
                {
                    int now;
#pragma omp atomic read
                    now = done;
                    CHECK(now >= 8);
#pragma omp atomic
                    ++done;
                }
            }
#pragma omp task depend(in : x) depend(mutexinoutset : x) shared(done)
            {
                CHECK_EQ(done, 14);
                ++done;
            }
        }
        CHECK_EQ(done, 15);
    }
}

static void waits(void) {
    for (int round = 0; round < 50; ++round) {
        int x = 0, y = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
        {
#pragma omp task depend(out : x)
            {
                usleep(20);
                x = 1;
            }
#pragma omp task depend(in : x) depend(out : y)
            {
                CHECK_EQ(x, 1);
                y = 2;
            }
#pragma omp taskwait depend(in : x)
            CHECK_EQ(x, 1);
#pragma omp task if (0) depend(in : y)
            CHECK_EQ(y, 2);
            int child = 0;
#pragma omp taskgroup
            {
#pragma omp task shared(child)
                {
#pragma omp task shared(child)
                    {
                        usleep(10);
                        child = 1;
                    }
                }
            }
            CHECK_EQ(child, 1);
        }
    }
}

static void depobjs(void) {
    for (int round = 0; round < 20; ++round) {
        int x = 0;
        int a[10] = {0};
        omp_depend_t in, out;
#pragma omp depobj(in) depend(in : x)
#pragma omp depobj(out) depend(inout : x)
#pragma omp parallel num_threads(4)
#pragma omp single
        {
#pragma omp task depend(depobj : out)
            {
                usleep(10);
                x = 5;
            }
#pragma omp task depend(depobj : in)
            CHECK_EQ(x, 5);
#pragma omp taskwait
#pragma omp depobj(in) update(out)
#pragma omp task depend(depobj : in)
            {
                usleep(10);
                x = 6;
            }
#pragma omp task depend(in : x)
            CHECK_EQ(x, 6);
            for (int i = 0; i < 10; ++i) {
#pragma omp task depend(out : a[i])
                a[i] = i + 1;
            }
#pragma omp task depend(iterator(i = 0 : 10), in : a[i])
            for (int i = 0; i < 10; ++i)
                CHECK_EQ(a[i], i + 1);
        }
#pragma omp depobj(in) destroy
#pragma omp depobj(out) destroy
    }
}

static void taskloops(void) {
    static int hits[1000];
    for (int variant = 0; variant < 6; ++variant) {
        memset(hits, 0, sizeof hits);
#pragma omp parallel num_threads(4)
#pragma omp single
        switch (variant) {
        case 0:
#pragma omp taskloop
            for (int i = 0; i < 1000; ++i)
                hits[i]++;
            for (int i = 0; i < 1000; ++i)
                CHECK_EQ(hits[i], 1); // its taskgroup has ended
            break;
        case 1:
#pragma omp taskloop grainsize(13)
            for (int i = 999; i >= 0; --i)
                hits[i]++;
            break;
        case 2:
#pragma omp taskloop num_tasks(17) nogroup
            for (unsigned long long i = 0; i < 1000; ++i)
                hits[i]++;
            break;
        case 3:
#pragma omp taskloop collapse(2) untied
            for (int i = 0; i < 10; ++i)
                for (long j = 0; j < 100; ++j)
                    hits[i * 100 + j]++;
            break;
        case 4: {
            int last = -1;
#pragma omp taskloop lastprivate(last) if (0)
            for (int i = 0; i < 1000; ++i) {
                hits[i]++;
                last = i;
            }
            CHECK_EQ(last, 999);
            break;
        }
        default:
#pragma omp taskloop priority(3) final(1)
            for (int i = 0; i < 2000; i += 2)
                hits[i / 2]++;
        }
        for (int i = 0; i < 1000; ++i)
            CHECK_EQ(hits[i], 1);
    }
}

// Private data of tasks is a copy taken at creation, whatever its size.
static void private_data(void) {
    struct Big {
        char bytes[5000];
    } big;
    memset(&big, 1, sizeof big);
    long sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        for (int n = 0; n < 50; ++n) {
#ifdef __clang__
            char odd[13];
#else
            char odd[n + 1];
#endif
            memset(odd, n, sizeof odd);
#pragma omp task firstprivate(odd, n) shared(sum)
            {
                for (unsigned i = 0; i < sizeof odd; ++i)
                    CHECK_EQ(odd[i], n);
#pragma omp atomic
                sum += n;
            }
#pragma omp task firstprivate(big)
            for (int i = 0; i < 5000; ++i)
                CHECK_EQ(big.bytes[i], n + 1);
            memset(&big, n + 2, sizeof big);
        }
#pragma omp taskwait
    }
    CHECK_EQ(sum, 49 * 50 / 2);
}

// A region without a barrier ends after all its tasks.
static void ends_of_regions(void) {
    for (int round = 0; round < 5; ++round) {
        int done = 0;
#pragma omp parallel num_threads(4)
        for (int i = 0; i < 10; ++i)
#pragma omp task shared(done)
        {
            usleep(200);
#pragma omp atomic
            ++done;
        }
        CHECK_EQ(done, 40);
    }
}

int main(void) {
    omp_set_dynamic(0);
    ends_of_regions();
    trees();
    wavefront();
    chains();
    exclusive();
    sets();
    repeated();
    waits();
    depobjs();
    taskloops();
    private_data();
    exclusive_undeferred();
    return 0;
}
