// OMP_THREAD_LIMIT bounds the threads of a contention group.
// env: OMP_THREAD_LIMIT=5
#include "check.h"
#include "omp_decls.h"

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    CHECK_EQ(omp_get_thread_limit(), 5);
    int members = 0;
#pragma omp parallel num_threads(64)
    {
#pragma omp atomic
        ++members;
        CHECK(omp_get_num_threads() <= 5);
    }
    CHECK(members >= 1 && members <= 5);
    int now = 0, most = 0;
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(3)
    {
        int seen;
#pragma omp atomic capture
        seen = ++now;
#pragma omp critical
        most = seen > most ? seen : most;
        usleep(500);
#pragma omp atomic
        --now;
    }
    CHECK(most <= 5);
    // All are free again.
#pragma omp parallel num_threads(5)
    CHECK_EQ(omp_get_num_threads(), 5);
    return 0;
}
