// fork() while another thread is inside dl_iterate_phdr(), and so has a lock of the C library that
// no child gets back. Each child continues with OpenMP, which must not need this lock: the child
// begins regions in code that is new to it, has tasks that suspend, finds the C++ library that a
// plugin has loaded, and has a tool that asks for a region's place. The sanitizers themselves take
// the lock in the child.
// sanitizers: no
// flags: -rdynamic
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>

#include "check.h"
#include "loomp/omp-tools.h"
#include "omp_decls.h"

// --- The tool ------------------------------------------------------------------------------------

static _Atomic int places;

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned threads, int flags, const void *codeptr) {
    (void)task, (void)frame, (void)region, (void)threads, (void)flags;
    places += codeptr != NULL;
}
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_parallel_begin,
                                                       (ompt_callback_t)on_parallel_begin);
    return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version, (void)runtime;
    static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
    return &tool;
}

// --- Children ------------------------------------------------------------------------------------

static void work(int threads) {
    _Atomic int done = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 20; ++i) {
#pragma omp task
        {
#pragma omp taskyield
            atomic_fetch_add(&done, 1);
        }
    }
    CHECK_EQ(done, 20);
}

static void *thread_of_its_own(void *unused) {
    work(2);
    return unused;
}

static void work_in_all_kinds_of_threads(void) {
    const int before = places;
    work(1);
    work(3);
    CHECK_EQ(places, before + 2);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    work(2);
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, thread_of_its_own, NULL), 0);
    pthread_join(thread, NULL);
}

struct exceptions {
    void *caught;
    unsigned uncaught;
};
static struct exceptions *(*exceptions_of_thread)(void);

/// Marks stand for exceptions: a task keeps them while it is suspended.
static void exceptions_stay_with_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 1; i <= 20; ++i) {
#pragma omp task firstprivate(i)
        {
            CHECK(exceptions_of_thread()->caught == NULL);
            *exceptions_of_thread() = (struct exceptions){(void *)(intptr_t)i, (unsigned)i};
#pragma omp taskyield
            CHECK_EQ((intptr_t)exceptions_of_thread()->caught, i);
            CHECK_EQ(exceptions_of_thread()->uncaught, i);
            *exceptions_of_thread() = (struct exceptions){NULL, 0};
        }
    }
}

/// The loader's own record of its state. The symbol _r_debug may be a copy.
static struct r_debug *loader_state(void) {
    for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_DEBUG)
            return (struct r_debug *)entry->d_un.d_ptr;
    return NULL;
}

static atomic_int inside, may_leave;

static int stay(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)object, (void)size, (void)unused;
    inside = 1;
    WAIT_UNTIL(may_leave);
    return 1;
}
static void *visit_objects(void *unused) {
    dl_iterate_phdr(stay, NULL);
    return unused;
}

/// Runs `body` in a child of this process, one of whose threads is inside dl_iterate_phdr().
static void in_child(void (*body)(void)) {
    inside = may_leave = 0;
    pthread_t visitor;
    CHECK_EQ(pthread_create(&visitor, NULL, visit_objects, NULL), 0);
    WAIT_UNTIL(inside);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        body();
        _exit(0);
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    may_leave = 1;
    pthread_join(visitor, NULL);
    CHECK_EQ(status, 0);
}

int main(void) {
    in_child(work_in_all_kinds_of_threads); // before the parent uses OpenMP
    omp_set_dynamic(0);
    work(3);
    in_child(work_in_all_kinds_of_threads);
    CHECK(dlsym(RTLD_DEFAULT, "__cxa_get_globals") == NULL);
    void *const library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    *(void **)&exceptions_of_thread = dlsym(library, "__cxa_get_globals");
    CHECK(exceptions_of_thread != NULL);
    in_child(exceptions_stay_with_tasks);
    // The state at the fork is that of a thread inside dlopen(). In the child, dlopen() aborts.
    struct r_debug *const loader = loader_state();
    CHECK(loader != NULL && loader->r_state == RT_CONSISTENT);
    loader->r_state = RT_ADD;
    in_child(work_in_all_kinds_of_threads);
    loader->r_state = RT_CONSISTENT;
    return 0;
}
