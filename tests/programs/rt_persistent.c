// Persistent task graphs: each way of repeating an iteration has the results of plain tasks.
// Iterations that deviate do, too, and are reported.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

enum { kWidth = 40, kSteps = 5, kIterations = 30 };

// --- Messages on stderr --------------------------------------------------------------------------

static char said[1 << 16]; ///< room for the reports of a sanitizer, too
static int saved, channel[2];
static void listen(void) {
    fflush(stderr);
    saved = dup(2);
    if (pipe(channel) != 0)
        exit(2);
    fcntl(channel[0], F_SETFL, O_NONBLOCK);
    dup2(channel[1], 2);
}
static void stop_listening(void) {
    dup2(saved, 2);
    close(channel[1]);
    close(saved);
    ssize_t n = read(channel[0], said, sizeof said - 1);
    said[n < 0 ? 0 : n] = 0;
    close(channel[0]);
}
static void expect_silence(void) {
    if (said[0] != 0)
        fprintf(stderr, "said: %s\n", said);
    CHECK(said[0] == 0);
}

// --- A stencil
// ------------------------------------------------------------------------------------

static long line[2][kWidth + 2], expected[2][kWidth + 2];

static void update(long (*lines)[kWidth + 2], int to, int i, long add) {
    int from = 1 - to;
    lines[to][i] = (lines[from][i - 1] + 2 * lines[from][i] + lines[from][i + 1] + add) % 1000003;
}
static void reset(void) {
    for (int i = 0; i < kWidth + 2; i++)
        line[0][i] = expected[0][i] = line[1][i] = expected[1][i] = i * i;
}
static void expect_steps(long add) {
    for (int t = 0; t < kSteps; t++)
        for (int i = 1; i <= kWidth; i++)
            update(expected, t % 2, i, add);
}
static int as_expected(void) { return memcmp(line, expected, sizeof line) == 0; }

static void create_steps(long add) {
    for (int t = 0; t < kSteps; t++) {
        int to = t % 2, from = 1 - to;
        for (int i = 1; i <= kWidth; i++) {
#pragma omp task firstprivate(to, i, add)                                                          \
    depend(in : line[from][i - 1], line[from][i], line[from][i + 1]) depend(out : line[to][i])
            update(line, to, i, add);
        }
    }
}

static void stencil(unsigned flags, int untied_producer) {
    const char *where = "stencil";
    const int replay = (flags & LOOMP_PERSISTENT_REPLAY) != 0;
    reset();
    for (int n = 0; n < kIterations; n++)
        expect_steps(replay ? 7 : n);
#pragma omp parallel
#pragma omp single
    {
        if (untied_producer) {
#pragma omp task untied
            for (int n = 0; n < kIterations; n++)
                LOOMP_PERSISTENT(flags)
            create_steps(replay ? 7 : n);
        } else {
            for (int n = 0; n < kIterations; n++)
                LOOMP_PERSISTENT_AT(where, flags)
            create_steps(replay ? 7 : n);
            loomp_persistent_free(where);
        }
    }
    CHECK(as_expected());
}

// --- Other tasks around and between
// ------------------------------------------------------------------

static void tasks_between(unsigned flags) {
    long x = 0, bad = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int n = 0; n < kIterations; n++) {
            LOOMP_PERSISTENT(flags) {
                for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x) shared(x)
                    x = x + 1;
                }
            }
            // Ordered after the iteration, before the next.
#pragma omp task depend(inout : x) shared(x, bad) firstprivate(n)
            {
                bad += x != (n + 1) * 20 + n;
                x = x + 1;
            }
            if (n % 3 == 0) {
#pragma omp taskwait depend(in : x)
                bad += x != (n + 1) * 21;
            }
        }
    }
    CHECK(bad == 0);
    CHECK(x == kIterations * 21);
}

static void undeferred_and_waits(unsigned flags) {
    long x = 0, y = 0, bad = 0;
#pragma omp parallel
#pragma omp single
    for (int n = 0; n < kIterations; n++)
        LOOMP_PERSISTENT(flags) {
#pragma omp task depend(out : x) shared(x)
            x = n + 1;
#pragma omp task depend(in : x) depend(out : y) shared(x, y)
            y = 2 * x;
#pragma omp task if (0) depend(in : y) shared(x, y, bad)
            bad += y != 2 * n + 2;
#pragma omp task depend(inout : y) shared(y)
            y++;
#pragma omp taskwait
            bad += y != 2 * n + 3;
#pragma omp taskgroup
            {
#pragma omp task depend(inout : y) shared(y)
                y++;
            }
            bad += y != 2 * n + 4;
        }
    CHECK(bad == 0);
}

static void taskloops(unsigned flags) {
    static long a[256];
    memset(a, 0, sizeof a);
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (int n = 0; n < kIterations; n++)
        LOOMP_PERSISTENT(flags) {
#pragma omp taskloop grainsize(16)
            for (int i = 0; i < 256; i++) {
#pragma omp atomic
                a[i]++;
            }
#pragma omp task depend(inout : sum) shared(sum)
            {
                // Without barriers the next iteration's loop may be running.
                long first, last;
#pragma omp atomic read
                first = a[0];
#pragma omp atomic read
                last = a[255];
                sum += first + last;
            }
        }
    for (int i = 0; i < 256; i++)
        CHECK(a[i] == kIterations);
    CHECK((flags & LOOMP_PERSISTENT_NO_BARRIER) || sum == kIterations * (kIterations + 1));
}

static void with_children(unsigned flags) {
    long x = 0, done = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int n = 0; n < kIterations; n++)
            LOOMP_PERSISTENT(flags)
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : x) shared(x, done)
            {
                x++;
                for (int k = 0; k < 3; k++) {
#pragma omp task shared(done)
                    {
#pragma omp atomic
                        done++;
                    }
                }
                if (x % 2) {
#pragma omp taskwait
                }
            }
        }
    }
    CHECK(x == kIterations * 10);
    CHECK(done == kIterations * 30);
}

// --- Deviations
// -----------------------------------------------------------------------------------

enum change { kOtherCode, kMore, kFewer, kOtherDependences };

static void deviating(enum change change, unsigned flags, const char *told) {
    long x = 0, y = 0, bad = 0, expected_x = 0;
    const char *where = strdup(told); // a place of its own each time
    listen();
#pragma omp parallel
#pragma omp single
    for (int n = 0; n < kIterations; n++) {
        const int now = n == 10 || n == 20;
        const int count = 30 + (now && change == kMore ? 5 : 0) - (now && change == kFewer ? 5 : 0);
        expected_x += count;
        LOOMP_PERSISTENT_AT(where, flags)
        for (int i = 0; i < count; i++) {
            if (now && change == kOtherCode && i == 12) {
#pragma omp task depend(inout : x) shared(x, bad) firstprivate(expected_x, count, i)
                {
                    bad += x != expected_x - count + i;
                    x = x + 1;
                }
            } else {
                long *other = now && change == kOtherDependences && i == 12 ? &y : &x;
#pragma omp task depend(inout : other[0]) shared(x, bad) firstprivate(expected_x, count, i, other)
                {
                    if (other == &x)
                        bad += x != expected_x - count + i;
                    *other = *other + 1;
                }
                if (other == &y) {
#pragma omp task depend(inout : x, y) shared(x, y) firstprivate(expected_x, count, i)
                    x += y, y = 0;
                    expected_x += 0;
                }
            }
        }
    }
    stop_listening();
    CHECK(bad == 0 || change == kOtherDependences);
    CHECK(x == expected_x);
    if (strstr(said, told) == NULL)
        fprintf(stderr, "'%s' is not in: %s\n", told, said);
    CHECK(strstr(said, told) != NULL);
}

static unsigned long mixed(unsigned long x, int i) { return (x * 31 + (unsigned long)i) % 1000003; }

// Tasks that come and go, each of which the order of all tasks depends on: number 3 is removed from
// the sixth iteration on. From the fifteenth on it is there again, and 0 and the last are gone.
static void removed_and_invalidated(unsigned flags) {
    enum { size = 8 };
    unsigned long x = 1, y[3] = {1, 2, 3}, wanted = 1, wanted_y[3] = {1, 2, 3};
    const char *where = strdup("refined"); // a thread's tasks may have been here before
    int removed = 0;
    listen();
#pragma omp parallel
#pragma omp single
    for (int n = 0; n < 20; n++) {
        const int has_3 = n < 5 || n >= 14, has_ends = n < 14;
        if (n == 14)
            loomp_persistent_invalidate(where);
        LOOMP_PERSISTENT_AT(where, flags) {
            for (int i = 0; i < size; i++) {
                if ((i == 3 && !has_3) || ((i == 0 || i == size - 1) && !has_ends)) {
                    for (int k = 0; k < 2 && i == 3 && n == 5; k++)
                        removed += loomp_persistent_remove_next();
                    continue;
                }
                unsigned long *of = &y[i % 3];
#pragma omp task depend(inout : x) depend(in : of[0]) firstprivate(i, of) shared(x)
                x = mixed(x + of[0], i);
#pragma omp task depend(inout : of[0]) firstprivate(i, of)
                of[0] = mixed(of[0], i);
            }
        }
        for (int i = 0; i < size; i++) {
            if ((i == 3 && !has_3) || ((i == 0 || i == size - 1) && !has_ends))
                continue;
            wanted = mixed(wanted + wanted_y[i % 3], i);
            wanted_y[i % 3] = mixed(wanted_y[i % 3], i);
        }
    }
    stop_listening();
    CHECK(x == wanted);
    for (int i = 0; i < 3; i++)
        CHECK(y[i] == wanted_y[i]);
    expect_silence();
    CHECK(removed == 2 || omp_get_max_threads() == 1);
}

// A task that is created in another one's clause. clang has made the other one by then.
static long *create_in_clause(long *x) {
#pragma omp task depend(inout : x[0])
    x[0] = 2 * x[0] + 1;
    return x;
}
static void in_a_clause(unsigned flags) {
    long x = 0, y = 0, expected_x = 0;
    listen();
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int n = 0; n < 20; n++)
        LOOMP_PERSISTENT(flags) {
#pragma omp task depend(inout : y, create_in_clause(&x)[0]) shared(x, y)
            x = (3 * x + ++y) % 1000003;
        }
    stop_listening();
    for (int n = 0; n < 20; n++)
        expected_x = (3 * (2 * expected_x + 1) + n + 1) % 1000003;
    CHECK(x == expected_x);
}

// --- Changes that a graph does not see -----------------------------------------------------------
// Three tasks of one construct: number 0 is slow, and 1 comes after it, if both name x[0].

static long now; ///< the last iteration whose number 0 has ended, counted from 1

static void create_number(int i, long *of, long *wrong, int n) {
    (void)of;
#pragma omp task firstprivate(i, n) depend(inout : of[0]) shared(now)
    {
        if (i == 0) {
            usleep(2000);
            now = n + 1;
        } else if (i == 1 && now != n + 1) {
            ++*wrong;
        }
    }
}

// Six iterations in a region of so many threads, which may be another region for each two. Number 2
// is first created between the others, and later not.
enum producer { kByMaster, kBySingle };
static void changing(enum producer producer, int once, int threads_then, int undeferred) {
    long x[2] = {0, 0}, wrong = 0;
    int between = 1, n = 0;
    const char *where = strdup("changing");
    now = 0;
    listen();
    for (int region = 0; region < (once ? 1 : 3); region++) {
        const int first = 2 * region, last = once ? 6 : first + 2;
#pragma omp parallel num_threads(region == 1 ? threads_then : 2)
        for (int k = first; k < last; k++) {
            // A `single` may be any thread's.
            if (omp_get_thread_num() == (producer == kBySingle ? k % 2 : 0)) {
                LOOMP_PERSISTENT_AT(where, 0) {
                    create_number(0, &x[0], &wrong, n);
                    if (between && n == 3) {
                        loomp_persistent_remove_next();
                        between = 0;
                    }
                    if (between && undeferred) {
#pragma omp task if (0) depend(inout : x[1])
                        x[1]++;
                    } else if (between) {
                        create_number(2, &x[1], &wrong, n);
                    }
                    create_number(1, &x[0], &wrong, n);
                    create_number(2, &x[1], &wrong, n);
                }
                n++;
            }
#pragma omp barrier
        }
    }
    stop_listening();
    CHECK(wrong == 0);
    CHECK(n == 6);
    expect_silence();
}

// The next region's task creates other tasks at the place of the last one's graph.
static void other_task(void) {
    long x[2] = {0, 0}, wrong = 0;
    int n = 0;
    now = 0;
    listen();
    for (int region = 0; region < 2; region++) {
#pragma omp parallel num_threads(2)
#pragma omp master
        for (int k = 0; k < 3; k++, n++)
            LOOMP_PERSISTENT(0) {
                create_number(region == 0 ? 2 : 0, &x[0], &wrong, n);
                create_number(region == 0 ? 2 : 1, &x[region == 0], &wrong, n);
            }
    }
    stop_listening();
    CHECK(wrong == 0);
    expect_silence();
}

static void not_replayable(void) {
    long x = 0;
    listen();
#pragma omp parallel
#pragma omp single
    for (int n = 0; n < 10; n++)
        LOOMP_PERSISTENT(LOOMP_PERSISTENT_REPLAY) {
#pragma omp task depend(inout : x) shared(x)
            x++;
#pragma omp taskwait
#pragma omp task depend(inout : x) shared(x)
            x++;
        }
    stop_listening();
    CHECK(x == 20);
    CHECK(strstr(said, "waits between its tasks") != NULL);
}

int main(void) {
    static const unsigned all[] = {0,
                                   LOOMP_PERSISTENT_CHECK,
                                   LOOMP_PERSISTENT_NO_BARRIER,
                                   LOOMP_PERSISTENT_NO_BARRIER | LOOMP_PERSISTENT_CHECK,
                                   LOOMP_PERSISTENT_REPLAY,
                                   LOOMP_PERSISTENT_REPLAY | LOOMP_PERSISTENT_NO_BARRIER};
    static const int threads[] = {1, 2, 4};
    for (unsigned t = 0; t < sizeof threads / sizeof *threads; t++) {
        omp_set_num_threads(threads[t]);
        for (unsigned f = 0; f < sizeof all / sizeof *all; f++) {
            stencil(all[f], 0);
            stencil(all[f], 1);
            tasks_between(all[f]);
            with_children(all[f]);
            if ((all[f] & LOOMP_PERSISTENT_REPLAY) == 0) {
                undeferred_and_waits(all[f]);
                taskloops(all[f]);
                removed_and_invalidated(all[f]);
            }
        }
    }
    for (unsigned f = 2; f < 4; f++) {
        const unsigned flags = LOOMP_PERSISTENT_CHECK | (f == 3 ? LOOMP_PERSISTENT_NO_BARRIER : 0);
        deviating(kOtherCode, flags, "other code");
        deviating(kMore, flags, "one more");
        deviating(kFewer, flags, "is missing");
        deviating(kOtherDependences, flags, "other dependences");
    }
    not_replayable();
    for (unsigned f = 0; f < 4; f++)
        in_a_clause(all[f]);
    other_task();
    changing(kByMaster, 1, 2, 0);
    changing(kByMaster, 1, 2, 1);
    changing(kByMaster, 0, 1, 0); // removed while no graph is in use
    changing(kBySingle, 1, 2, 0); // the other thread has a graph of its own
    return 0;
}
