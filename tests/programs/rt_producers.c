/* LOOMP_PRODUCERS_FIRST: the creator of many tasks comes to its own next work before any of them
   runs on its thread; in all kinds of queues. Without it, it runs some. */
#define LOOMP_WEAK
#include <loomp/experimental.h>
#include <omp.h>

#include "again_with.h"

enum { kTasks = 3000 };
static int on_creator; // by the creator's thread only
static _Atomic int ran;
static _Atomic int released;

static void work(int creator) {
    ran++;
    if (omp_get_thread_num() == creator && !released)
        on_creator++;
}

static void work_all(void *const *data, size_t count, void *context) {
    (void)context;
    for (size_t i = 0; i < count; i++)
        work(*(int *)data[i]);
}

// Plain tasks, and such of a kind that run together.
static void create(int threads, int kind) {
    ran = on_creator = 0;
    released = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        int creator = omp_get_thread_num();
        for (int i = 0; i < kTasks; i++) {
            if (kind != 0)
                loomp_next_task_kind(kind, &creator);
#pragma omp task firstprivate(creator)
            work(creator);
        }
        released = 1;
#pragma omp taskwait
    }
    CHECK_EQ(ran, kTasks);
}

int main(int count, char **arguments) {
    if (count == 1) {
        run_again_with("LOOMP_PRODUCERS_FIRST", "off");
        run_again_with("LOOMP_PRODUCERS_FIRST=false", "off");
        run_again_with("LOOMP_PRODUCERS_FIRST=true", "on");
        return 0;
    }
    if (strcmp(arguments[1], "off") == 0) {
        create(1, 0);
        CHECK(on_creator > 0);
        return 0;
    }
    const int kind = loomp_task_kind("work", work_all, NULL, 32);
    for (int threads = 1; threads <= 4; threads++) {
        create(threads, 0);
        CHECK_EQ(on_creator, 0);
        create(threads, kind);
        CHECK_EQ(on_creator, 0);
    }
    return 0;
}
