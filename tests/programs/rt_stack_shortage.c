// Tasks that wait at taskwaits and ends of taskgroups come to an end with two stacks for them all.
// env: LOOMP_MAX_STACKS=2
#include "check.h"
#include "kept_stderr.h"
#include "omp_decls.h"

enum { kDepth = 9, kWays = 6 };

static omp_lock_t lock;
static long inside;

static long tree(int depth, unsigned seed);

/* A child's value, by way of a wait that depends on the seed. */
static long children(int depth, unsigned seed) {
    long a = 0, b = 0, c = 0;
    switch (seed % kWays) {
    case 0:
#pragma omp task shared(a)
        a = tree(depth - 1, seed * 5 + 1);
#pragma omp task shared(b)
        b = tree(depth - 1, seed * 5 + 2);
#pragma omp taskwait
        break;
    case 1:
#pragma omp taskgroup
    {
#pragma omp task shared(a)
        a = tree(depth - 1, seed * 5 + 1);
        /* Its child is not awaited by it, but by the group. */
#pragma omp task shared(b)
#pragma omp task shared(b)
        b = tree(depth - 1, seed * 5 + 2);
    } break;
    case 2: /* a chain is awaited */
#pragma omp task shared(a) depend(inout : a)
        a = tree(depth - 1, seed * 5 + 1);
#pragma omp task shared(a) depend(inout : a)
        a += tree(depth - 2, seed * 5 + 2);
#pragma omp task shared(a, b) depend(in : a) depend(out : b)
        b = a;
#pragma omp taskwait
        b = 0;
        break;
    case 3: /* an undeferred task after a chain */
#pragma omp task shared(a) depend(inout : a)
        a = tree(depth - 1, seed * 5 + 1);
#pragma omp task shared(a) depend(inout : a)
        a += 1;
#pragma omp taskwait
#pragma omp task shared(a, b) depend(inout : a) if (0)
        b = a;
        a = 0;
        break;
    case 4: /* untied, and one that yields */
#pragma omp task shared(a) untied
        a = tree(depth - 1, seed * 5 + 1);
#pragma omp task shared(b) untied
        {
#pragma omp taskyield
            b = tree(depth - 1, seed * 5 + 2);
        }
#pragma omp taskwait
        break;
    default: /* waits while it holds a lock that its siblings want */
#pragma omp task shared(c)
    {
        omp_set_lock(&lock);
        long low = 0;
        ++inside;
#pragma omp task shared(low)
        low = 1;
#pragma omp taskwait
        CHECK_EQ(inside, 1);
        --inside;
        c += low;
        omp_unset_lock(&lock);
    }
#pragma omp task shared(a)
        a = tree(depth - 1, seed * 5 + 1);
#pragma omp taskwait
    }
    return a + b + c;
}

static long tree(int depth, unsigned seed) { return depth <= 0 ? 1 : 1 + children(depth, seed); }

/* Computes tree() without tasks. */
static long expected(int depth, unsigned seed) {
    if (depth <= 0)
        return 1;
    const long a = expected(depth - 1, seed * 5 + 1);
    switch (seed % kWays) {
    case 0:
    case 1:
    case 4:
        return 1 + a + expected(depth - 1, seed * 5 + 2);
    case 2:
        return 1 + a + expected(depth - 2, seed * 5 + 2);
    default:
        return 1 + a + 1;
    }
}

int main(void) {
    keep_stderr();
    omp_init_lock(&lock);
    for (unsigned seed = 0; seed < 60; ++seed) {
        long value = 0;
#pragma omp parallel num_threads(1 + seed % 4)
#pragma omp single
        value = tree(kDepth, seed);
        CHECK_EQ(value, expected(kDepth, seed));
        /* All threads compute it, with nothing but the barrier for the tasks at the top. */
        long sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp task shared(sum)
        {
            const long part = tree(kDepth - 2, seed);
#pragma omp atomic
            sum += part;
        }
        CHECK_EQ(sum, 3 * expected(kDepth - 2, seed));
    }
    CHECK_EQ(count_warnings(), 1);
    return 0;
}
