/* What gcc 13 and 14 ask of libgomp beyond what gcc 12 does, called as they call it, and found
   under the versions that their programs name.
   compilers: gcc */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

static void *named(const char *name, const char *version) {
    void *found = dlvsym(RTLD_DEFAULT, name, version);
    if (found == NULL)
        fprintf(stderr, "no %s@%s\n", name, version);
    return found;
}

static void waits(void) {
    void (*const depend_nowait)(void **) =
        (void (*)(void **))named("GOMP_taskwait_depend_nowait", "GOMP_5.1.1");
    int x = 0, y = 0, seen = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
            usleep(1000);
            x = 1;
        }
        // taskwait depend(inout: y) depend(in: x) nowait
        void *clause[4] = {(void *)2, (void *)1, &y, &x};
        depend_nowait(clause);
#pragma omp task depend(in : y)
        seen = x;
    }
    CHECK_EQ(seen, 1);
}

static void copies(void) {
    typedef struct {
        void *address, *kind;
    } object_t;
    int (*const copy)(void *, const void *, size_t, size_t, size_t, int, int, int, object_t *) =
        (int (*)(void *, const void *, size_t, size_t, size_t, int, int, int, object_t *))named(
            "omp_target_memcpy_async", "OMP_5.1.1");
    CHECK(named("omp_target_memcpy_rect_async", "OMP_5.1.1") != NULL);
    const int host = omp_get_initial_device();
    int from = 0, to = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : from)
        {
            usleep(1000);
            from = 7;
        }
        object_t after = {&from, (void *)1};
        CHECK_EQ(copy(&to, &from, sizeof to, 0, 0, host, host, 1, &after), 0);
        CHECK_EQ(to, 7);
    }
    CHECK_EQ(copy(&to, &from, sizeof to, 0, 0, host, host, 0, NULL), 0);
}

static void allocatables(void) {
    void (*const add)(void *) = (void (*)(void *))named("GOMP_add_alloc", "GOMP_5.1.2");
    _Bool (*const is)(void *) = (_Bool(*)(void *))named("GOMP_is_alloc", "GOMP_5.1.2");
    int block[2];
    CHECK(!is(&block[0]));
    add(&block[0]);
    add(&block[1]);
    CHECK(is(&block[1]) && !is(&block[1]));
    CHECK(is(&block[0]) && !is(&block[0]));
}

int main(void) {
    waits();
    copies();
    allocatables();
    void *(*const mapped)(void *) =
        (void *(*)(void *))named("GOMP_target_map_indirect_ptr", "GOMP_5.1.2");
    CHECK(mapped((void *)main) == (void *)main);
    void *(*const pointer)(const void *, int) =
        (void *(*)(const void *, int))named("omp_get_mapped_ptr", "OMP_5.1.1");
    int x;
    CHECK(pointer(&x, omp_get_initial_device()) == &x);
    CHECK(named("omp_target_is_accessible", "OMP_5.1.1") != NULL);
    int (*const explicit)(void) = (int (*)(void))named("omp_in_explicit_task", "OMP_5.2");
    CHECK_EQ(explicit(), 0);
    return 0;
}
