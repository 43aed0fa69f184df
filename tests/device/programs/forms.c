// The forms in which target tasks come: under final and if(0), undeferred with dependences, beside
// detached tasks, mutexinoutset and priorities, awaited by a taskgroup, a taskwait and a barrier.
#include "../../programs/check.h"
#include <omp.h>

static int value;

int main(void) {
    int other = 0, host = 0;
    omp_event_handle_t event;
#pragma omp target enter data map(to : value)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task final(1) depend(inout : other)
        {
#pragma omp target nowait map(tofrom : other)
            other += 1;
#pragma omp taskwait
            CHECK(other == 1);
        }
#pragma omp target depend(inout : other) map(tofrom : other)
        other += 10;
        CHECK(other == 11);
#pragma omp target if (0) nowait depend(inout : host) map(tofrom : host)
        host += 1;
#pragma omp task depend(inout : host)
        host *= 5;
#pragma omp task detach(event) depend(out : event)
        {
        }
#pragma omp target nowait depend(in : event) depend(inout : other) map(tofrom : other)
        other += 100;
#pragma omp task
        omp_fulfill_event(event);
#pragma omp taskwait
        CHECK(other == 111);
        CHECK(host == 5);
        for (int i = 0; i < 20; ++i) {
#pragma omp target nowait depend(mutexinoutset : other) map(tofrom : other)
            other += 2;
        }
#pragma omp taskwait
        CHECK(other == 151);
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp target nowait map(tofrom : value)
                value += 1;
            }
        }
#pragma omp target update from(value)
        CHECK(value == 1);
#pragma omp task untied
        {
#pragma omp target nowait map(tofrom : value)
            value += 4;
        }
    }
#pragma omp target exit data map(from : value)
    CHECK(value == 5);
    return 0;
}
