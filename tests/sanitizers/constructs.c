/* A function for each construct of OpenMP. Without RACY none has a race: the construct orders the
 * accesses. With RACY each has one, because that order is missing or wrong.
 *     constructs             runs all, and prints a line at the end
 *     constructs NAME...     runs these
 * A report of ThreadSanitizer names the function. It sees a race only if two threads make the
 * accesses, so tasks are long enough for other threads to take the next ones. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef RACY
#define ORDERED_BY(...)
#define WITHOUT(...) __VA_ARGS__
#else
#define ORDERED_BY(...) _Pragma(#__VA_ARGS__)
#define WITHOUT(...)
#endif

#if defined(__clang__) || __GNUC__ >= 13
#define INOUTSET inoutset
#else
#define INOUTSET inout
#endif

int result; /* visible elsewhere, so that compilers keep what leads to it */

enum { kTasks = 16, kThreads = 4 };

static void take_a_while(void) { usleep(300); }

/* --- Barriers and worksharing ----------------------------------------------------------------- */

static void barrier(void) {
    int x = 0, seen[kThreads];
#pragma omp parallel num_threads(kThreads)
    {
        if (omp_get_thread_num() == 0)
            x = 1;
        ORDERED_BY(omp barrier)
        seen[omp_get_thread_num()] = x;
    }
    result = seen[0];
}

static void region_end(void) {
    int x = 0;
    for (int round = 0; round < kThreads; ++round) {
#pragma omp parallel num_threads(kThreads)
        {
#ifndef RACY
            if (omp_get_thread_num() == round)
#endif
                x += round;
        }
        x++;
    }
    result = x;
}

static void single(void) {
    int x = 0, sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
    {
#ifdef RACY
#pragma omp single nowait
#else
#pragma omp single
#endif
        {
            take_a_while();
            x = 1;
        }
        sum += x;
    }
}

static void copyprivate(void) {
    int shared = 0, x;
#pragma omp parallel num_threads(kThreads) private(x)
    {
#pragma omp single copyprivate(x)
        x = 7;
#ifndef RACY
#pragma omp critical(copyprivate)
#endif
        shared += x;
    }
    result = shared;
}

static void masked(void) {
    int x = 0, sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
    {
#pragma omp master
        {
            take_a_while();
            x = 1;
        }
        ORDERED_BY(omp barrier)
        sum += x;
    }
    result = sum;
}

static void sections(void) {
    int x[2] = {0, 0};
#pragma omp parallel num_threads(kThreads)
    {
#pragma omp sections
        {
#pragma omp section
            {
                x[0]++;
                take_a_while();
            }
#pragma omp section
            {
                x[1 WITHOUT(-1)]++;
                take_a_while();
            }
        }
#pragma omp single
        x[0] += x[1];
    }
    result = x[0];
}

static void loop(void) {
    int x[65] = {0};
#ifdef RACY
#pragma omp parallel for num_threads(kThreads)
    for (int i = 0; i < 64; ++i)
        x[i + 1] = x[i] + 1;
#else
#pragma omp parallel num_threads(kThreads)
    {
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 64; ++i)
            x[i] = i;
#pragma omp for schedule(guided)
        for (int i = 0; i < 64; ++i)
            x[63 - i]++;
    }
#endif
}

static void loop_nowait(void) {
    int x[64], y[64];
#pragma omp parallel num_threads(kThreads)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 64; ++i)
            x[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < 64; ++i)
            y[i] = x[i WITHOUT(^63)];
    }
    result = y[0];
}

static void lastprivate(void) {
    int last = 0, sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
    {
        WITHOUT(sum += last;)
#pragma omp for lastprivate(last) schedule(static)
        for (int i = 0; i < 64; ++i)
            last = i;
        sum += last;
    }
    result = sum;
}

static void reduction(void) {
    double sum = 0;
    int most = 0, x[8] = {0};
#ifdef RACY
#pragma omp parallel for num_threads(kThreads)
#else
#pragma omp parallel for num_threads(kThreads) reduction(+ : sum, x) reduction(max : most)
#endif
    for (int i = 0; i < 64; ++i) {
        sum += i;
        most = most > i ? most : i;
        x[i % 8]++;
    }
}

static void ordered(void) {
    int x = 0;
#pragma omp parallel for ordered num_threads(kThreads) schedule(static, 1)
    for (int i = 0; i < 64; ++i) {
#ifndef RACY
#pragma omp ordered
#endif
        x++;
    }
    result = x;
}

static void doacross(void) {
    int x[65] = {0};
#pragma omp parallel for ordered(1) num_threads(kThreads) schedule(static, 1)
    for (int i = 1; i <= 64; ++i) {
#ifdef RACY
#pragma omp ordered depend(sink : i - 2)
#else
#pragma omp ordered depend(sink : i - 1)
#endif
        x[i] = x[i - 1] + 1;
#pragma omp ordered depend(source)
    }
}

/* --- Exclusion ---------------------------------------------------------------------------------
 */

static void critical(void) {
    int x = 0;
#pragma omp parallel num_threads(kThreads)
    {
#ifdef RACY
        if (omp_get_thread_num() == 1)
            x++;
#endif
#pragma omp critical(critical)
        x++;
    }
    result = x;
}

static void lock(void) {
    omp_lock_t lock;
    int x = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(kThreads)
    {
        if (omp_get_thread_num() % 2 == 0 || !omp_test_lock(&lock))
            omp_set_lock(&lock);
        x++;
        omp_unset_lock(&lock);
        WITHOUT(x++;)
    }
    omp_destroy_lock(&lock);
    result = x;
}

static void nest_lock(void) {
    omp_nest_lock_t lock;
    int x = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(kThreads)
    {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        WITHOUT(omp_unset_nest_lock(&lock);)
        omp_unset_nest_lock(&lock);
        x++;
#ifndef RACY
        omp_unset_nest_lock(&lock);
#endif
    }
    omp_destroy_nest_lock(&lock);
}

static void atomic(void) {
    int x = 0, y = 0;
#pragma omp parallel num_threads(kThreads) private(y)
    {
        ORDERED_BY(omp atomic)
        x++;
#pragma omp atomic capture
        y = x++;
    }
    result = y;
}

static void publish(void) {
    int x = 0, flag = 0, seen = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            x = 1;
#ifdef RACY
#pragma omp atomic write
#else
#pragma omp atomic write release
#endif
            flag = 1;
        } else {
            int there = 0;
            while (!there) {
#pragma omp atomic read acquire
                there = flag;
            }
            seen = x;
        }
    }
    result = seen;
}

static void nested(void) {
    int x = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp parallel num_threads(2)
        {
#ifdef RACY
            mine++;
#else
#pragma omp critical(nested)
            mine++;
#endif
        }
#pragma omp critical(nested)
        x += mine;
    }
}

/* --- Tasks -------------------------------------------------------------------------------------
 */

#define TEAM _Pragma("omp parallel num_threads(kThreads)") _Pragma("omp single")

static void task_barrier(void) {
    int x[kTasks] = {0}, sum = 0;
#pragma omp parallel num_threads(kThreads) reduction(+ : sum)
    {
#pragma omp single nowait
        for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(x)
            {
                x[i] = i;
                take_a_while();
            }
        }
#ifdef RACY
        take_a_while();
#else
#pragma omp barrier
#endif
        for (int i = 0; i < kTasks; ++i)
            sum += x[i];
    }
    result = sum;
}

static void firstprivates(void) {
    int total = 0;
    TEAM for (int i = 0; i < 8 * kTasks; ++i) {
        int x[8] = {i, i, i, i, i, i, i, i};
#pragma omp task firstprivate(x) shared(total)
        {
            x[i % 8]++;
            ORDERED_BY(omp atomic)
            total += x[0];
            if (i % 8 == 0)
                take_a_while();
        }
    }
    result = total;
}

static void taskwait(void) {
    TEAM for (int i = 0; i < kTasks; ++i) {
#pragma omp task
        {
            int x = 0;
#pragma omp task shared(x)
            {
                take_a_while();
                x = 1;
            }
            take_a_while();
            ORDERED_BY(omp taskwait)
            x++;
#pragma omp taskwait
        }
    }
}

static void taskwait_depend(void) {
    int x = 0, y = 0;
    TEAM {
#pragma omp task shared(x) depend(out : x)
        {
            take_a_while();
            x = 1;
        }
#pragma omp task shared(y) depend(out : y)
        {
            take_a_while();
            y = 1;
        }
#ifdef RACY
#pragma omp taskwait depend(in : y)
#else
#pragma omp taskwait depend(in : x)
#endif
        x++;
    }
}

static void taskgroup(void) {
    TEAM for (int i = 0; i < kTasks; ++i) {
#pragma omp task
        {
            int x = 0;
#pragma omp taskgroup
            {
#pragma omp task shared(x)
                {
#pragma omp task shared(x)
                    {
                        take_a_while();
                        x++;
                    }
                }
                take_a_while();
                WITHOUT(x++;)
            }
            x++;
        }
    }
}

static void depend(void) {
    int x[4] = {0};
    TEAM for (int i = 0; i < 4 * kTasks; ++i) {
#ifdef RACY
#pragma omp task shared(x) depend(in : x[i % 4])
#else
#pragma omp task shared(x) depend(inout : x[i % 4])
#endif
        {
            x[i % 4]++;
            take_a_while();
        }
    }
}

static void depend_readers(void) {
    int x = 0, y[kTasks];
    TEAM for (int round = 0; round < 4; ++round) {
#pragma omp task shared(x) depend(out : x)
        {
            take_a_while();
            x = round;
        }
        for (int i = 0; i < kTasks; ++i) {
#ifdef RACY
#pragma omp task shared(x, y) depend(out : y[i])
#else
#pragma omp task shared(x, y) depend(in : x) depend(out : y[i])
#endif
            {
                y[i] = x;
                take_a_while();
            }
        }
    }
    result = y[0];
}

static void inoutset(void) {
    int x[kTasks], sum = 0;
    TEAM {
        for (int i = 0; i < kTasks; ++i) {
#ifdef RACY
#pragma omp task shared(x) depend(in : sum)
#else
#pragma omp task shared(x) depend(INOUTSET : sum)
#endif
            {
                take_a_while();
                x[i] = i;
            }
        }
#pragma omp task shared(x, sum) depend(in : sum)
        for (int i = 0; i < kTasks; ++i)
            sum += x[i];
    }
    result = sum;
}

static void mutexinoutset(void) {
    int x = 0;
    TEAM {
        for (int i = 0; i < 2 * kTasks; ++i) {
#ifdef RACY
#pragma omp task shared(x) depend(in : x)
#else
#pragma omp task shared(x) depend(mutexinoutset : x)
#endif
            {
                x++;
                take_a_while();
            }
        }
#pragma omp task shared(x) depend(in : x)
        result = x;
    }
}

static void depend_object(void) {
    int x = 0;
    omp_depend_t object;
#ifdef RACY
#pragma omp depobj(object) depend(in : x)
#else
#pragma omp depobj(object) depend(inout : x)
#endif
    TEAM for (int i = 0; i < 2 * kTasks; ++i) {
#pragma omp task shared(x) depend(depobj : object)
        {
            x++;
            take_a_while();
        }
    }
#pragma omp depobj(object) destroy
}

static void detach(void) {
    int x[kTasks], y[kTasks];
    TEAM for (int i = 0; i < kTasks; ++i) {
        omp_event_handle_t event;
#pragma omp task shared(x) detach(event) depend(out : x[i])
        x[i] = 1;
#pragma omp task shared(y) firstprivate(event)
        {
            take_a_while();
            y[i] = 1;
            omp_fulfill_event(event);
            take_a_while();
            WITHOUT(y[i]++;)
        }
#pragma omp task shared(x, y) depend(in : x[i])
        y[i] += x[i];
    }
}

static void undeferred(void) {
    TEAM for (int i = 0; i < kTasks; ++i) {
#pragma omp task
        {
            int x = 0;
#ifdef RACY
#pragma omp task shared(x)
#else
#pragma omp task shared(x) if (0)
#endif
            {
                take_a_while();
                x = 1;
            }
            take_a_while();
            x++;
#pragma omp taskwait
        }
    }
}

static void taskyield(void) {
    int x[4] = {0}, y = 0;
    TEAM for (int i = 0; i < 4 * kTasks; ++i) {
#pragma omp task shared(x, y) depend(inout : x[i % 4]) untied
        {
            x[i % 4]++;
#pragma omp taskyield
            x[i % 4]++;
            ORDERED_BY(omp atomic)
            y++;
            take_a_while();
        }
    }
}

static void taskloop(void) {
    int x[64];
    TEAM {
#ifdef RACY
#pragma omp taskloop shared(x) grainsize(4) nogroup
#else
#pragma omp taskloop shared(x) grainsize(4)
#endif
        for (int i = 0; i < 64; ++i) {
            x[i] = i;
            if (i % 4 == 0)
                take_a_while();
        }
        for (int i = 0; i < 64; ++i)
            x[i]++;
    }
}

static void taskloop_copies(void) {
    int x[8] = {0}, last = 0, sum = 0;
    TEAM {
#ifdef RACY
#pragma omp taskloop firstprivate(x) lastprivate(last) shared(sum) grainsize(2)
#else
#pragma omp taskloop firstprivate(x) lastprivate(last) reduction(+ : sum) grainsize(2)
#endif
        for (int i = 0; i < 64; ++i) {
            x[i % 8] += i;
            last = i;
            sum += x[i % 8];
            if (i % 8 == 0)
                take_a_while();
        }
        sum += last;
    }
}

static void task_reduction(void) {
    int sum = 0;
    TEAM {
#pragma omp taskgroup task_reduction(+ : sum)
        {
            for (int i = 0; i < 2 * kTasks; ++i) {
#ifdef RACY
#pragma omp task shared(sum)
#else
#pragma omp task in_reduction(+ : sum)
#endif
                {
                    sum += i;
                    take_a_while();
                }
            }
        }
        sum++;
    }
}

static void loop_cancelled(void) {
    int x[256] = {0}, found = 0;
#pragma omp parallel num_threads(kThreads)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 256; ++i) {
            x[i] = i;
            if (i == 40) {
                take_a_while();
#pragma omp cancel for
            }
            WITHOUT(found++;)
#pragma omp cancellation point for
        }
        if (omp_get_thread_num() == 0)
            for (int i = 0; i < 256; ++i)
                found += x[i];
    }
    result = found;
}

static void group_cancelled(void) {
    int x[4 * kTasks] = {0}, sum = 0;
    TEAM {
#pragma omp taskgroup
        for (int i = 0; i < 4 * kTasks; ++i) {
#pragma omp task shared(x, sum)
            {
                x[i] = 1;
                take_a_while();
                WITHOUT(sum++;)
                if (i == 20) {
#pragma omp cancel taskgroup
                }
            }
        }
        for (int i = 0; i < 4 * kTasks; ++i)
            sum += x[i];
    }
}

static void target(void) {
    int x[64] = {0};
    TEAM {
#pragma omp target map(tofrom : x) nowait depend(out : x)
        for (int i = 0; i < 64; ++i) {
            x[i] = i;
            if (i == 32)
                take_a_while();
        }
#ifdef RACY
#pragma omp task shared(x)
#else
#pragma omp task shared(x) depend(inout : x)
#endif
        {
            take_a_while();
            x[0]++;
        }
        take_a_while();
#pragma omp taskwait
        x[1]++;
    }
}

/* --- All of them -------------------------------------------------------------------------------
 */

#define ENTRY(name) {#name, name}
static const struct {
    const char *name;
    void (*run)(void);
} kAll[] = {ENTRY(barrier),
            ENTRY(region_end),
            ENTRY(single),
            ENTRY(copyprivate),
            ENTRY(masked),
            ENTRY(sections),
            ENTRY(loop),
            ENTRY(loop_nowait),
            ENTRY(lastprivate),
            ENTRY(reduction),
            ENTRY(ordered),
            ENTRY(doacross),
            ENTRY(critical),
            ENTRY(lock),
            ENTRY(nest_lock),
            ENTRY(atomic),
            ENTRY(publish),
            ENTRY(nested),
            ENTRY(task_barrier),
            ENTRY(firstprivates),
            ENTRY(taskwait),
            ENTRY(taskwait_depend),
            ENTRY(taskgroup),
            ENTRY(depend),
            ENTRY(depend_readers),
            ENTRY(inoutset),
            ENTRY(mutexinoutset),
            ENTRY(depend_object),
            ENTRY(detach),
            ENTRY(undeferred),
            ENTRY(taskyield),
            ENTRY(taskloop),
            ENTRY(taskloop_copies),
            ENTRY(task_reduction),
            ENTRY(loop_cancelled),
            ENTRY(group_cancelled),
            ENTRY(target)};

int main(int count, char **names) {
    int ran = 0;
    for (size_t i = 0; i < sizeof kAll / sizeof kAll[0]; ++i) {
        int wanted = count == 1;
        for (int n = 1; n < count; ++n)
            wanted |= strcmp(names[n], kAll[i].name) == 0;
        if (!wanted)
            continue;
        kAll[i].run();
        ++ran;
    }
    printf("%d constructs\n", ran);
    return 0;
}
