// A program in C comes to a C++ library late, as with a plugin: from then on the exceptions that
// the library keeps for a thread go with the task. They are stood for by marks in the library's own
// record.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include "check.h"
#include "omp_decls.h"

struct globals {
    void *caught;
    unsigned uncaught;
};

static struct globals *(*get_globals)(void);

static void marks_wait(int threads) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 1; i <= 20; ++i) {
#pragma omp task firstprivate(i)
        {
            CHECK(get_globals()->caught == NULL);
            CHECK_EQ(get_globals()->uncaught, 0);
            for (int round = 0; round < 10; ++round) {
                *get_globals() = (struct globals){(void *)(intptr_t)i, (unsigned)i};
#pragma omp taskyield
                CHECK_EQ((intptr_t)get_globals()->caught, i);
                CHECK_EQ(get_globals()->uncaught, i);
            }
            *get_globals() = (struct globals){NULL, 0};
        }
    }
}

int main(void) {
    omp_set_dynamic(0);
    // Threads, and looks that find nothing.
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; ++i) {
#pragma omp task
        {
#pragma omp taskyield
        }
    }
#if !(defined(__clang__) && defined(__SANITIZE_THREAD__)) // there libloomp needs the library itself
    CHECK(dlsym(RTLD_DEFAULT, "__cxa_get_globals") == NULL);
#endif
    void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    *(void **)&get_globals = dlsym(library, "__cxa_get_globals");
    CHECK(get_globals != NULL);
    for (int threads = 1; threads <= 4; ++threads)
        marks_wait(threads);
    return 0;
}
