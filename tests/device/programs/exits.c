// exit() within a task, while target tasks of all kinds are in flight and others wait for a place.
// Their results are not needed; the program ends with the given status. A thread outside regions
// keeps asking for devices.
#include "../../programs/check.h"
#include <omp.h>
#include <pthread.h>

enum { kRegions = 200, kLength = 3000 };
static int cells[kRegions][kLength];

static void *ask(void *ignored) {
    for (;;)
        if (omp_get_num_devices() > 0)
            omp_target_is_present(cells, 0);
    return ignored;
}

int main(void) {
    pthread_t asker;
    CHECK_EQ(pthread_create(&asker, NULL, ask, NULL), 0);
#pragma omp target enter data map(to : cells)
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < kRegions; ++i) {
            int *cell = cells[i], own[kLength], few[2] = {i}, others[2] = {i};
            own[0] = i;
#pragma omp target nowait depend(inout : cell[0]) map(present, tofrom : cell[0 : kLength])
            for (int k = 0; k < kLength; ++k)
                cell[k] += k;
#pragma omp target update from(cell[0 : kLength]) nowait depend(inout : cell[0])
#pragma omp task firstprivate(own, few, others)
            {
#pragma omp target map(tofrom : few, others, own)
                few[1] = few[0], others[1] = others[0], own[1] = own[0];
                CHECK(own[1] == own[0] && few[1] == few[0] && others[1] == others[0]);
            }
            if (i == kRegions / 2) {
#pragma omp task
                exit(0);
            }
        }
    }
    return 1;
}
