/* The entry points of libgomp that gcc 13 to 16 call and gcc 12 does not, with their arguments,
   under the versions that their programs need.
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

static void set_to_2(void *data) { **(int **)data = 2; }

// gcc 13: depend(inout: omp_all_memory) is a null address.
static void all_memory(void) {
    void (*const task)(void (*)(void *), void *, void (*)(void *, void *), long, long, _Bool,
                       unsigned, void **, int, void *) =
        (void (*)(void (*)(void *), void *, void (*)(void *, void *), long, long, _Bool, unsigned,
                  void **, int, void *))named("GOMP_task", "GOMP_2.0");
    void *object[2] = {NULL, (void *)3};
    void *short_clause[3] = {(void *)1, (void *)1, NULL};
    void *long_clause[6] = {NULL, (void *)1, (void *)1, NULL, NULL, NULL};
    void *by_object[6] = {NULL, (void *)1, NULL, NULL, NULL, object};
    void **const clauses[] = {short_clause, long_clause, by_object};
    for (int i = 0; i < 3; i++) {
        int x = 0, *to_x = &x, after = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
        {
#pragma omp task depend(out : x)
            {
                usleep(1000);
                x = 1;
            }
            task(set_to_2, &to_x, NULL, sizeof to_x, _Alignof(int *), 1, 8, clauses[i], 0, NULL);
#pragma omp task depend(in : after)
            after = x;
        }
        CHECK_EQ(x, 2);
        CHECK_EQ(after, 2);
    }
}

static void write_through_descriptor(void *data) {
    int ***const argument = (int ***)((void **)data)[1];
    ***argument = 9;
}

// gcc 14: an allocatable that is firstprivate to a target region, its descriptor beside it.
static void allocatable_in_target(void) {
    void (*const target)(int, void (*)(void *), size_t, void **, size_t *, unsigned short *,
                         unsigned, void **, void **) =
        (void (*)(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, unsigned,
                  void **, void **))named("GOMP_target_ext", "GOMP_4.5");
    int value = 5, *descriptor = NULL, **to_descriptor = &descriptor;
    void *addresses[] = {&value, &to_descriptor};
    size_t sizes[] = {sizeof value, 0};
    unsigned short kinds[] = {2 << 8 | 12, 0x50};
    target(-2, write_through_descriptor, 2, addresses, sizes, kinds, 0, NULL, NULL);
    CHECK_EQ(value, 5);
    CHECK(descriptor != NULL && descriptor != &value);
}

static void default_teams(void) {
    int teams = 0;
#pragma omp teams
    if (omp_get_team_num() == 0)
        teams = omp_get_num_teams();
    CHECK_EQ(teams, 3);
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

// gcc 15. There is no device, so that every object is omp_interop_none.
static void interop(void) {
    void (*const construct)(int, int, void **[], const int *, const char **, int, void *[], int,
                            void **[], unsigned, void **) =
        (void (*)(int, int, void **[], const int *, const char **, int, void *[], int, void **[],
                  unsigned, void **))named("GOMP_interop", "GOMP_5.1.3");
    int x = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
            usleep(1000);
            x = 1;
        }
        void *object = &x, *used = NULL;
        void **both[] = {&object};
        const int kind = 1;
        // interop init(target: object) depend(in: x)
        void *clause[3] = {(void *)1, (void *)0, &x};
        construct(-1, 1, both, &kind, NULL, 0, NULL, 0, NULL, 0, clause);
        CHECK_EQ(x, 1);
        CHECK(object == NULL);
        // interop use(used) destroy(object) nowait
        construct(-1, 0, NULL, NULL, NULL, 1, &used, 1, both, 1, NULL);
        CHECK(object == NULL);
    }
    int (*const properties)(const void *) =
        (int (*)(const void *))named("omp_get_num_interop_properties", "GOMP_5.1.3");
    CHECK_EQ(properties(NULL), 0);
    intptr_t (*const number)(const void *, int, int *) =
        (intptr_t (*)(const void *, int, int *))named("omp_get_interop_int", "GOMP_5.1.3");
    int code = 0;
    CHECK_EQ(number(NULL, -3, &code), 0);
    CHECK_EQ(code, -1); // omp_irc_empty
    CHECK_EQ(number(NULL, 0, &code), 0);
    CHECK_EQ(code, -2); // omp_irc_out_of_range
    void *(*const pointer)(const void *, int, int *) =
        (void *(*)(const void *, int, int *))named("omp_get_interop_ptr", "GOMP_5.1.3");
    CHECK(pointer(NULL, -7, NULL) == NULL);
    const char *(*const text)(const void *, int, int *) =
        (const char *(*)(const void *, int, int *))named("omp_get_interop_str", "GOMP_5.1.3");
    CHECK(text(NULL, -2, &code) == NULL);
    CHECK_EQ(code, -1);
    const char *(*const name)(const void *, int) =
        (const char *(*)(const void *, int))named("omp_get_interop_name", "GOMP_5.1.3");
    CHECK(strcmp(name(NULL, -1), "fr_id") == 0 && strcmp(name(NULL, -9), "targetsync") == 0);
    CHECK(name(NULL, 0) == NULL && name(NULL, -10) == NULL);
    const char *(*const type)(const void *, int) =
        (const char *(*)(const void *, int))named("omp_get_interop_type_desc", "GOMP_5.1.3");
    CHECK(type(NULL, -1) == NULL);
    // A Fortran function of `character(:), pointer`.
    void (*const fortran_name)(const char **, size_t *, const void *, int) =
        (void (*)(const char **, size_t *, const void *, int))named("omp_get_interop_name_",
                                                                    "GOMP_5.1.3");
    const char *result = NULL;
    size_t length = 0;
    fortran_name(&result, &length, NULL, -3);
    CHECK(length == 6 && memcmp(result, "vendor", 6) == 0);
    fortran_name(&result, &length, NULL, 1);
    CHECK(length == 0 && result == NULL);
    CHECK(named("omp_get_interop_str_", "GOMP_5.1.3") != NULL);
    CHECK(named("omp_get_interop_type_desc_", "GOMP_5.1.3") != NULL);
    void (*const fortran_code)(const char **, size_t *, const void *, int) =
        (void (*)(const char **, size_t *, const void *, int))named("omp_get_interop_rc_desc_",
                                                                    "GOMP_5.1.3");
    fortran_code(&result, &length, NULL, 0);
    CHECK(length == strlen(result) && length > 0);
}

// gcc 16.
static void devices(void) {
    const char *(*const identifier)(int) =
        (const char *(*)(int))named("omp_get_uid_from_device", "GOMP_6.0");
    int (*const device)(const char *) =
        (int (*)(const char *))named("omp_get_device_from_uid", "GOMP_6.0");
    const int host = omp_get_initial_device();
    CHECK_EQ(device(identifier(host)), -1); // omp_initial_device
    CHECK(identifier(-1) == identifier(host) && identifier(-5) == identifier(host));
    CHECK(identifier(host + 1) == NULL && identifier(-4) == NULL);
    CHECK_EQ(device("nobody"), -4); // omp_invalid_device
    CHECK_EQ(device(NULL), -4);
    void (*const fortran)(const char **, size_t *, int32_t) =
        (void (*)(const char **, size_t *, int32_t))named("omp_get_uid_from_device_", "GOMP_6.0");
    const char *result = NULL;
    size_t length = 0;
    fortran(&result, &length, host);
    CHECK(result == identifier(host) && length == strlen(result));
    CHECK(named("omp_get_uid_from_device_8_", "GOMP_6.0") != NULL);
    int (*const fortran_device)(const char *, size_t) =
        (int (*)(const char *, size_t))named("omp_get_device_from_uid_", "GOMP_6.0");
    CHECK_EQ(fortran_device(result, length), -1);
    CHECK_EQ(fortran_device(result, length - 1), -4);

    void *(*const set)(void *, int, size_t, int) =
        (void *(*)(void *, int, size_t, int))named("omp_target_memset", "GOMP_6.0.1");
    char bytes[4] = {1, 1, 1, 1};
    CHECK(set(bytes + 1, 5, 2, host) == bytes + 1);
    CHECK(bytes[0] == 1 && bytes[1] == 5 && bytes[2] == 5 && bytes[3] == 1);
    typedef struct {
        void *address, *kind;
    } object_t;
    void *(*const set_async)(void *, int, size_t, int, int, object_t *) =
        (void *(*)(void *, int, size_t, int, int, object_t *))named("omp_target_memset_async",
                                                                    "GOMP_6.0.1");
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task depend(out : bytes)
        {
            usleep(1000);
            bytes[3] = 9;
        }
        object_t after = {bytes, (void *)1};
        CHECK(set_async(bytes, 6, 4, host, 1, &after) == bytes);
#pragma omp taskwait
        CHECK(bytes[0] == 6 && bytes[3] == 6);
    }
}

// omp_initial_device and omp_invalid_device may be the default.
static void default_device(void) {
    omp_set_default_device(-1);
    int x = 0;
#pragma omp target map(tofrom : x)
    x = 1;
    CHECK_EQ(x, 1);
    omp_set_default_device(-4);
    CHECK_EQ(omp_get_default_device(), -4);
    omp_set_default_device(0);
}

int main(void) {
    default_device();
    waits();
    all_memory();
    allocatable_in_target();
    default_teams();
    copies();
    allocatables();
    interop();
    devices();
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
