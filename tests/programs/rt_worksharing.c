// Worksharing: every schedule and type of loop, sections, single, copyprivate, master,
// threadprivate.
#include <string.h>

#include "check.h"
#include "omp_decls.h"

enum { kMost = 1003 };
static int hits[kMost];

static void check_hits(int n) {
    for (int i = 0; i < kMost; ++i)
        CHECK_EQ(hits[i], i < n);
    memset(hits, 0, sizeof hits);
}

#define COVER(clause, n)                                                                           \
    do {                                                                                           \
        _Pragma("omp parallel num_threads(threads)") {                                             \
            _Pragma(clause) for (int i = 0; i < (n); ++i) _Pragma("omp atomic") hits[i]++;         \
        }                                                                                          \
        check_hits(n);                                                                             \
    } while (0)

static void schedules(int threads, int n) {
    COVER("omp for", n);
    COVER("omp for schedule(static)", n);
    COVER("omp for schedule(static, 1)", n);
    COVER("omp for schedule(static, 7) nowait", n);
    COVER("omp for schedule(dynamic)", n);
    COVER("omp for schedule(dynamic, 5) nowait", n);
    COVER("omp for schedule(monotonic : dynamic, 3)", n);
    COVER("omp for schedule(nonmonotonic : dynamic)", n);
    COVER("omp for schedule(guided)", n);
    COVER("omp for schedule(guided, 4)", n);
    COVER("omp for schedule(auto)", n);
    COVER("omp for schedule(runtime)", n);
    COVER("omp for schedule(nonmonotonic : runtime)", n);
}

static void bounds(void) {
    // Loops whose bounds and steps are awkward: wide types, steps down, ends of the range.
    long long sum = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum) num_threads(3)
    for (long long i = 9000000000000000000ll; i < 9000000000000000007ll; i += 3)
        sum += i - 9000000000000000000ll;
    CHECK_EQ(sum, 0 + 3 + 6);
    sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum) num_threads(3)
    for (unsigned long long i = 18446744073709551615ull; i > 18446744073709551600ull; i -= 4)
        sum += (long long)(18446744073709551615ull - i);
    CHECK_EQ(sum, 0 + 4 + 8 + 12);
    sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(3)
    for (int i = 10; i >= -10; i -= 3)
        sum += i;
    CHECK_EQ(sum, 10 + 7 + 4 + 1 - 2 - 5 - 8);
    sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum) num_threads(3)
    for (unsigned i = 4294967290u; i < 4294967295u; ++i)
        sum += 1;
    CHECK_EQ(sum, 5);
    int count = 0;
#pragma omp parallel for collapse(3) schedule(dynamic, 7) reduction(+ : count) num_threads(4)
    for (int i = 0; i < 5; ++i)
        for (int j = 3; j > -4; j -= 2)
            for (unsigned k = 1; k < 4; ++k)
                ++count;
    CHECK_EQ(count, 5 * 4 * 3);
    int last = -1;
    int first = 41;
#pragma omp parallel for lastprivate(last) firstprivate(first) schedule(dynamic, 3) num_threads(4)
    for (int i = 0; i < 100; ++i)
        last = i + first;
    CHECK_EQ(last, 140);
}

static void many_nowait(void) {
    // More constructs in flight than the runtime keeps shared state for.
    long count = 0;
#pragma omp parallel num_threads(5) reduction(+ : count)
    for (int k = 0; k < 300; ++k) {
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < 5; ++i)
            ++count;
#pragma omp single nowait
        ++count;
    }
    CHECK_EQ(count, 300 * 6);
}

static int tp = 7;
#pragma omp threadprivate(tp)

static void singles(void) {
    int a = 0, b = 0, c = 0, d = 0, singles = 0, masters = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp sections
        {
#pragma omp section
            a++;
#pragma omp section
            b++;
#pragma omp section
            c++;
#pragma omp section
            d++;
        }
#pragma omp sections nowait
        {
#pragma omp section
            a++;
        }
#pragma omp barrier
        for (int i = 0; i < 50; ++i) {
            int value = -1;
#pragma omp single copyprivate(value)
            {
                value = i * 3;
                singles++;
            }
            CHECK_EQ(value, i * 3);
        }
#pragma omp master
        masters++;
#pragma omp barrier
    }
    CHECK_EQ(a, 2);
    CHECK_EQ(b + c + d, 3);
    CHECK_EQ(singles, 50);
    CHECK_EQ(masters, 1);

    tp = 11;
#pragma omp parallel copyin(tp) num_threads(4)
    {
        CHECK_EQ(tp, 11);
        tp += omp_get_thread_num();
    }
#pragma omp parallel num_threads(4)
    CHECK_EQ(tp, 11 + omp_get_thread_num());
}

int main(void) {
    omp_set_dynamic(0);
    static const int sizes[] = {0, 1, 2, 3, 17, 1003};
    for (int threads = 1; threads <= 5; threads += 2)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; ++s)
            schedules(threads, sizes[s]);
    for (int kind = 1; kind <= 4; ++kind) {
        omp_set_schedule((omp_sched_t)kind, kind * 2);
        int threads = 4;
        COVER("omp for schedule(runtime)", 103);
    }
    bounds();
    many_nowait();
    singles();
    return 0;
}
