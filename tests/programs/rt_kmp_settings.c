/* libomp's kmp_ routines: the size of stacks, the time that threads spin, the serial library, what
   is cancelled, memory. Routines without a meaning in loomp are accepted and change nothing. The
   test uses the names for C, for Fortran, and libomp's own.

   env: OMP_STACKSIZE=3M KMP_BLOCKTIME=7 OMP_CANCELLATION=true
   threads: 3 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "omp_decls.h"

enum { kStack = 3 << 20 };

static void *find(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    CHECK(function != NULL);
    return function;
}
static long ask(const char *name) { return ((int (*)(void))find(name))(); }
static size_t ask_size(const char *name) { return ((size_t (*)(void))find(name))(); }
static void tell(const char *name) { ((void (*)(void))find(name))(); }
static void tell_int(const char *name, int value) { ((void (*)(int))find(name))(value); }
static void tell_int_at(const char *name, int value) {
    ((void (*)(const int *))find(name))(&value);
}
static void tell_size(const char *name, size_t value) { ((void (*)(size_t))find(name))(value); }
static void tell_size_at(const char *name, size_t value) {
    ((void (*)(const size_t *))find(name))(&value);
}

static void check_stack_size(size_t size) {
    CHECK_EQ(ask("kmp_get_stacksize"), size);
    CHECK_EQ(ask("kmp_get_stacksize_"), size);
    CHECK_EQ(ask_size("kmp_get_stacksize_s"), size);
    CHECK_EQ(ask_size("kmp_get_stacksize_s_"), size);
}

/* Checks that thread 1 of a region has a stack of that size. */
static void check_stack(size_t wanted) {
    size_t size = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        pthread_attr_t attributes;
        CHECK_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
        CHECK_EQ(pthread_attr_getstacksize(&attributes, &size), 0);
        pthread_attr_destroy(&attributes);
    }
    CHECK(size >= wanted && size < 2 * wanted);
}

static void stack_sizes(void) {
    check_stack_size(kStack);
    omp_set_max_active_levels(2); /* the runtime knows the thread, but has no stacks yet */
    tell_int("kmp_set_stacksize", 1 << 20);
    check_stack_size(1 << 20);
    tell_int_at("kmp_set_stacksize_", 1 << 21);
    check_stack_size(1 << 21);
    tell_int("kmpc_set_stacksize", 1 << 22);
    check_stack_size(1 << 22);
    tell_size("kmp_set_stacksize_s", 1); /* too small: the smallest possible one */
    check_stack_size(1 << 14);
    tell_size_at("kmp_set_stacksize_s_", 1 << 23);
    check_stack_size(1 << 23);
    tell_size("kmpc_set_stacksize_s", 1 << 24);
    check_stack(1 << 24);
    tell_size("kmp_set_stacksize_s", 1 << 20); /* too late */
    check_stack_size(1 << 24);
}

static void spinning(void) {
    CHECK_EQ(ask("kmp_get_blocktime"), 7);
    CHECK_EQ(ask("kmp_get_blocktime_"), 7);
    tell_int("kmp_set_blocktime", 11);
    CHECK_EQ(ask("kmp_get_blocktime"), 11);
    tell_int_at("kmp_set_blocktime_", 13);
    CHECK_EQ(ask("kmp_get_blocktime"), 13);
    tell_int("kmpc_set_blocktime", 17);
    CHECK_EQ(ask("kmp_get_blocktime_"), 17);
    tell_int("kmp_set_blocktime", -1);
    CHECK_EQ(ask("kmp_get_blocktime"), 0);
    tell_int("kmp_set_blocktime", INT32_MAX);
    CHECK_EQ(ask("kmp_get_blocktime"), INT32_MAX);
}

/* Before other regions: their threads may still exist. */
static void threads(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        CHECK_EQ(ask("kmp_get_num_known_threads"), 3);
        CHECK_EQ(ask("kmp_get_num_known_threads_"), 3);
    }
}

static int threads_of_region(void) {
    int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
    count += 1;
    return count;
}

static void check_library(int library, int threads) {
    CHECK_EQ(ask("kmp_get_library"), library);
    CHECK_EQ(ask("kmp_get_library_"), library);
    CHECK_EQ(omp_get_max_threads(), threads);
    CHECK_EQ(threads_of_region(), threads);
}

/* The serial library: every region has one thread, whatever its clauses ask for. */
static void libraries(void) {
    enum { kSerial = 1, kTurnaround, kThroughput };
    check_library(kThroughput, 3);
    tell("kmp_set_library_serial");
    check_library(kSerial, 1);
    omp_set_num_threads(3);
    CHECK_EQ(threads_of_region(), 1);
    tell("kmp_set_library_turnaround");
    check_library(kTurnaround, 3);
    tell("kmp_set_library_serial_");
    check_library(kSerial, 1);
    tell("kmp_set_library_turnaround_");
    check_library(kTurnaround, 3);
    tell_int("kmp_set_library", kSerial);
    check_library(kSerial, 1);
    tell("kmp_set_library_throughput");
    check_library(kThroughput, 3);
    tell_int_at("kmp_set_library_", kSerial);
    check_library(kSerial, 1);
    tell("kmp_set_library_throughput_");
    check_library(kThroughput, 3);
    tell_int("kmpc_set_library", kTurnaround);
    check_library(kTurnaround, 3);
#pragma omp parallel num_threads(2) /* not from a region */
    tell("kmp_set_library_serial");
    tell_int("kmp_set_library", 4); /* there is none */
    check_library(kTurnaround, 3);
}

static int status(int kind) {
    const int in_c = ((int (*)(int))find("kmp_get_cancellation_status"))(kind);
    CHECK_EQ(((int (*)(const int *))find("kmp_get_cancellation_status_"))(&kind), in_c);
    return in_c;
}

/* In tasks: a construct that is cancelled in the code of the region itself would branch. */
static void cancellations(void) {
    enum { kParallel = 1, kTaskgroup = 4 };
    int in_group = -1, before = -1, in_region = -1;
    for (int kind = 0; kind < 6; kind++)
        CHECK_EQ(status(kind), 0);
#pragma omp parallel num_threads(1) shared(in_group, before, in_region)
    {
#pragma omp taskgroup
        {
#pragma omp task shared(in_group, before)
            {
                before = status(kTaskgroup);
#pragma omp task if (0) shared(before)
                {
                    before += status(kTaskgroup);
#pragma omp cancel taskgroup
                    before += 100; /* not reached */
                }
                in_group = status(kTaskgroup) + status(kParallel);
            }
        }
        in_region = status(kTaskgroup);
    }
    CHECK_EQ(before, 0);
    CHECK_EQ(in_group, 1);
    CHECK_EQ(in_region, 0);
    CHECK_EQ(status(kTaskgroup), 0);
}

/* Sizes of libomp's tables, and how it warns: neither changes the threads of a region. */
static void without_meaning(void) {
    tell_int("kmp_set_disp_num_buffers", 9);
    tell_int_at("kmp_set_disp_num_buffers_", 9);
    tell_int("kmpc_set_disp_num_buffers", 9);
    tell("kmp_set_warnings_off");
    tell("kmp_set_warnings_off_");
    tell("kmp_set_warnings_on");
    tell("kmp_set_warnings_on_");
    CHECK_EQ(threads_of_region(), 3);
}

/* The memory is the caller's, holds what it wrote, and calloc's is zero. */
static void use(char *block, size_t size) {
    CHECK(block != NULL);
    memset(block, 0x5a, size);
}
static void check_kept(const char *block, size_t size) {
    CHECK(block != NULL);
    for (size_t i = 0; i < size; i++)
        CHECK_EQ(block[i], 0x5a);
}
static void check_zero(const char *block, size_t size) {
    CHECK(block != NULL);
    for (size_t i = 0; i < size; i++)
        CHECK_EQ(block[i], 0);
}

static void memory(void) {
    static const char *const all_names[2][5] = {
        {"kmp_malloc", "kmp_calloc", "kmp_realloc", "kmp_aligned_malloc", "kmp_free"},
        {"kmpc_malloc", "kmpc_calloc", "kmpc_realloc", "kmpc_aligned_malloc", "kmpc_free"}};
    for (int i = 0; i < 2; i++) {
        const char *const *names = all_names[i];
        void (*const give_back)(void *) = (void (*)(void *))find(names[4]);
        char *block = ((void *(*)(size_t))find(names[0]))(100);
        use(block, 100);
        block = ((void *(*)(void *, size_t))find(names[2]))(block, 5000);
        check_kept(block, 100);
        give_back(block);
        block = ((void *(*)(size_t, size_t))find(names[1]))(50, 8);
        check_zero(block, 400);
        give_back(block);
        block = ((void *(*)(size_t, size_t))find(names[3]))(100, 256);
        CHECK_EQ((uintptr_t)block % 256, 0);
        use(block, 100);
        give_back(block);
    }
    // Fortran's take all by address, and hold a block's address in an integer of the program.
    void (*const give_back)(void **) = (void (*)(void **))find("kmp_free_");
    size_t size = 100, larger = 5000, eight = 8, alignment = 256;
    void *block = ((void *(*)(const size_t *))find("kmp_malloc_"))(&size);
    use(block, size);
    block = ((void *(*)(void **, const size_t *))find("kmp_realloc_"))(&block, &larger);
    check_kept(block, size);
    give_back(&block);
    block = ((void *(*)(const size_t *, const size_t *))find("kmp_calloc_"))(&size, &eight);
    check_zero(block, size * eight);
    give_back(&block);
    block =
        ((void *(*)(const size_t *, const size_t *))find("kmp_aligned_malloc_"))(&size, &alignment);
    CHECK_EQ((uintptr_t)block % alignment, 0);
    use(block, size);
    give_back(&block);
}

int main(void) {
    stack_sizes();
    threads();
    spinning();
    libraries();
    cancellations();
    without_meaning();
    memory();
    return 0;
}
