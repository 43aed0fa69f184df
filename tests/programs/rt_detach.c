// detach: a task completes with its event, fulfilled from inside, by another task, by another
// thread.
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "omp_decls.h"

static void *fulfill_later(void *event) {
    usleep(300);
    omp_fulfill_event((omp_event_handle_t)(size_t)event);
    return NULL;
}

static void outside(omp_event_handle_t event) {
    pthread_t thread;
    pthread_create(&thread, NULL, fulfill_later, (void *)(size_t)event);
    pthread_detach(thread);
}

int main(void) {
    omp_set_dynamic(0);
    for (int round = 0; round < 100; ++round) {
        int inside = 0, after = 0, x = 0, waited = 0;
        (void)x;
        omp_event_handle_t event = 0, later = 0, group = 0;
#pragma omp parallel num_threads(round % 4 + 1)
#pragma omp single
        {
#pragma omp task detach(event) depend(out : x) shared(inside)
            {
                inside = 1;
                if (round % 2)
                    omp_fulfill_event(event);
            }
            if (round % 2 == 0)
                outside(event);
#pragma omp task depend(in : x) shared(inside, after)
            {
                CHECK_EQ(inside, 1);
                after = 1;
            }
#pragma omp taskwait
            CHECK_EQ(after, 1);

#pragma omp task detach(later) shared(waited)
            waited++;
#pragma omp task shared(later)
            omp_fulfill_event(later);
#pragma omp taskwait
            CHECK_EQ(waited, 1);

#pragma omp taskgroup
            {
#pragma omp task detach(group) shared(waited)
                {
#pragma omp task shared(waited)
                    {
#pragma omp atomic
                        waited++;
                    }
                }
                outside(group);
            }
            CHECK_EQ(waited, 2);
        }
        CHECK_EQ(waited, 2);
        // The barrier at a region's end waits for events as well.
#pragma omp parallel num_threads(3)
        {
#pragma omp single nowait
            {
#pragma omp task detach(event) shared(waited)
                waited = 3;
                outside(event);
            }
        }
        CHECK_EQ(waited, 3);
    }
    return 0;
}
