/* A program that has used up the process's keys for thread-specific data: the runtime still sees
   that a thread ends, and keeps nothing of it.

   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

static void *one_region(void *unused) {
    int members = 0;
#pragma omp parallel num_threads(1) reduction(+ : members)
    members++;
    CHECK_EQ(members, 1);
    return unused;
}

static void run_threads(int count) {
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, one_region, NULL), 0);
        pthread_join(thread, NULL);
    }
}

static long resident_kib(void) {
    char line[256];
    long value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmRSS:", 6) == 0)
            value = atol(line + 6);
    fclose(file);
    return value;
}

int main(void) {
    pthread_key_t key;
    while (pthread_key_create(&key, NULL) == 0)
        ;
    run_threads(200);
    const long before = resident_kib();
    run_threads(3000);
    const long after = resident_kib();
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    (void)after, (void)before; // a sanitizer keeps something of each ended thread
#else
    if (after - before > 8 << 10)
        fprintf(stderr, "%ld KiB grew to %ld\n", before, after);
    CHECK(after - before <= 8 << 10);
#endif
    return 0;
}
