// Threads of the program that use OpenMP: each is its own initial thread.
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "omp_decls.h"

static int tp = 3;
#pragma omp threadprivate(tp)
static long shared_total;

static void *user(void *argument) {
    const int n = (int)(size_t)argument;
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(tp, 3);
    tp = n;
    for (int round = 0; round < 20; ++round) {
        long sum = 0;
#pragma omp parallel num_threads(n % 4 + 1) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 100; ++i)
                sum += i;
#pragma omp single
            for (int i = 0; i < 20; ++i) {
#pragma omp task
                {
#pragma omp atomic
                    shared_total++;
                }
            }
        }
        CHECK_EQ(sum, 4950);
#pragma omp atomic
        shared_total++;
    }
    CHECK_EQ(tp, n);
    return NULL;
}

int main(void) {
    omp_set_dynamic(0);
    for (int wave = 0; wave < 5; ++wave) {
        pthread_t threads[6];
        shared_total = 0;
        for (int i = 0; i < 6; ++i)
            pthread_create(&threads[i], NULL, user, (void *)(size_t)(i + 10));
        for (int i = 0; i < 6; ++i)
            pthread_join(threads[i], NULL);
        CHECK_EQ(shared_total, 6 * 20 * 21);
    }
    CHECK_EQ(tp, 3);
    return 0;
}
