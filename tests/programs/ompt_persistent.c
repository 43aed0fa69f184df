// env: LOOMP_PERSISTENT=auto
// flags: -rdynamic
// Tools see kept tasks like others: each iteration's creations, with their dependences and the
// place of their construct, then the threads that run them. This holds for each way of keeping a
// graph, even if a task is created again before its last use has ended. Under ThreadSanitizer no
// graph is kept, and one line reports it.
#include <omp.h>
#include <unistd.h>

#include "ompt_tool.h"
#include "said.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

enum { kChains = 3, kLength = 4, kIterations = 8, kTasks = kChains * (kLength + 1) };

static long done[kChains], later[kChains];
static const char marks[6];

/// Chains of different speeds, so that iterations overlap; a leaf of each has a task of its own.
static void iteration(const char *mark) {
    for (int c = 0; c < kChains; c++) {
        for (int i = 0; i < kLength; i++) {
#pragma omp task firstprivate(c) depend(inout : done[c]) depend(in : *mark)
            {
                if (c == 1)
                    usleep(200);
                done[c]++;
            }
        }
#pragma omp task firstprivate(c) depend(in : done[c], *mark)
        {
            const long seen = done[c];
#pragma omp task firstprivate(c, seen)
            {
#pragma omp atomic
                later[c] += seen;
            }
        }
    }
}

static const unsigned ways[] = {0, LOOMP_PERSISTENT_NO_BARRIER, LOOMP_PERSISTENT_CHECK,
                                LOOMP_PERSISTENT_REPLAY,
                                LOOMP_PERSISTENT_REPLAY | LOOMP_PERSISTENT_NO_BARRIER};
enum { kWays = sizeof ways / sizeof *ways };

#ifdef __SANITIZE_THREAD__
enum { kSaysWhyNot = 1 };
#else
enum { kSaysWhyNot = 0 };
#endif

int main(void) {
    if (loomp_persistent_begin == NULL)
        return 0;
    if (kSaysWhyNot)
        listen_to_stderr();
#pragma omp parallel num_threads(4)
#pragma omp single
    {
        // Found by the runtime.
        for (int n = 0; n < kIterations; n++) {
            iteration(&marks[kWays]);
#pragma omp taskwait
        }
    }
    for (int w = 0; w < kWays; w++) {
        static const char *const where[] = {"0", "1", "2", "3", "4"};
#pragma omp parallel num_threads(4)
#pragma omp single
        {
            for (int n = 0; n < kIterations; n++)
                LOOMP_PERSISTENT_AT(where[w], ways[w])
            iteration(&marks[w]);
#pragma omp taskwait
        }
    }
    if (kSaysWhyNot)
        check_said("no graph is kept under ThreadSanitizer", 1);
    for (int c = 0; c < kChains; c++)
        if (done[c] != (kWays + 1) * kIterations * kLength)
            return 3;
    return 0;
}

static void check_events(void) {
    int created = 0, inner = 0;
    for (int i = find(0, ompt_callback_task_create, -1, -1, -1); i >= 0;
         i = find(i + 1, ompt_callback_task_create, -1, -1, -1)) {
        const event_t *e = &events[i];
        CHECK((e->kind & ompt_task_explicit) != 0 && e->codeptr != NULL);
        if (e->value == 0) {
            inner++;
            continue;
        }
        created++;
        CHECK(e->task != 0 && e->enter_frame != NULL);
        const int told = find(i, ompt_callback_dependences, -1, -1, (long long)e->other);
        CHECK(told > i && events[told].value == 2);
    }
    CHECK(created == (kWays + 1) * kIterations * kTasks);
    CHECK(inner == (kWays + 1) * kIterations * kChains);
}
