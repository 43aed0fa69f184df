/* kmp_set_affinity() and its kin: masks that a program makes bind the calling thread, under the
   names for C, for Fortran, and libomp's own. The program is linked with the stock runtime, and
   looks them up.

   threads: 2 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

#include "check.h"
#include "omp_decls.h"

typedef void *mask_t;

static void *find(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    CHECK(function != NULL);
    return function;
}

/* The functions for C, or those for Fortran, which take a processor by its address. */
struct names {
    int (*max_proc)(void);
    void (*create)(mask_t *);
    void (*destroy)(mask_t *);
    int (*set)(mask_t *);
    int (*get)(mask_t *);
    void *add, *remove, *has;
    int by_address;
};

static int call(const struct names *names, void *function, int processor, mask_t *mask) {
    if (names->by_address)
        return ((int (*)(const int *, mask_t *))function)(&processor, mask);
    return ((int (*)(int, mask_t *))function)(processor, mask);
}

static int first_of(const cpu_set_t *set) {
    int processor = 0;
    while (!CPU_ISSET(processor, set))
        processor++;
    return processor;
}

static void check_binding(const struct names *names) {
    cpu_set_t before, now;
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    const int processor = first_of(&before);
    const int most = names->max_proc();
    CHECK(most > processor);

    mask_t all, one;
    names->create(&all);
    names->create(&one);
    CHECK_EQ(names->get(&all), 0);
    int count = 0;
    for (int i = 0; i < most; i++)
        count += call(names, names->has, i, &all) != 0;
    CHECK_EQ(count, CPU_COUNT(&before));
    CHECK_EQ(call(names, names->has, processor, &one), 0); // it is made empty

    CHECK_EQ(call(names, names->add, processor, &one), 0);
    CHECK(call(names, names->has, processor, &one) > 0);
    CHECK_EQ(names->set(&one), 0);
    CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    CHECK_EQ(CPU_COUNT(&now), 1);
    CHECK(CPU_ISSET(processor, &now));

    CHECK_EQ(names->set(&all), 0);
    CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    CHECK(CPU_EQUAL(&now, &before));

    CHECK_EQ(call(names, names->remove, processor, &one), 0);
    CHECK_EQ(call(names, names->has, processor, &one), 0);
    CHECK(names->set(&one) > 0); // the system refuses an empty one
    CHECK(call(names, names->add, -1, &one) < 0);
    CHECK(call(names, names->add, most, &one) < 0);
    CHECK(call(names, names->remove, most, &one) < 0);
    CHECK(call(names, names->has, -1, &one) < 0);

    names->destroy(&all);
    names->destroy(&one);
    CHECK(one == NULL);
    CHECK(names->set(&one) < 0);
    CHECK(names->get(&one) < 0);
    CHECK(call(names, names->add, processor, &one) < 0);
    CHECK(call(names, names->remove, processor, &one) < 0);
    CHECK(call(names, names->has, processor, &one) < 0);
}

int main(void) {
    const struct names for_c = {
        (int (*)(void))find("kmp_get_affinity_max_proc"),
        (void (*)(mask_t *))find("kmp_create_affinity_mask"),
        (void (*)(mask_t *))find("kmp_destroy_affinity_mask"),
        (int (*)(mask_t *))find("kmp_set_affinity"),
        (int (*)(mask_t *))find("kmp_get_affinity"),
        find("kmp_set_affinity_mask_proc"),
        find("kmp_unset_affinity_mask_proc"),
        find("kmp_get_affinity_mask_proc"),
        0,
    };
    const struct names for_fortran = {
        (int (*)(void))find("kmp_get_affinity_max_proc_"),
        (void (*)(mask_t *))find("kmp_create_affinity_mask_"),
        (void (*)(mask_t *))find("kmp_destroy_affinity_mask_"),
        (int (*)(mask_t *))find("kmp_set_affinity_"),
        (int (*)(mask_t *))find("kmp_get_affinity_"),
        find("kmp_set_affinity_mask_proc_"),
        find("kmp_unset_affinity_mask_proc_"),
        find("kmp_get_affinity_mask_proc_"),
        1,
    };
    struct names of_glue = for_c;
    of_glue.add = find("kmpc_set_affinity_mask_proc");
    of_glue.remove = find("kmpc_unset_affinity_mask_proc");
    of_glue.has = find("kmpc_get_affinity_mask_proc");

    check_binding(&for_c);
    check_binding(&for_fortran);
    check_binding(&of_glue);

    // Each thread binds itself, and stays bound in later regions.
    cpu_set_t usable;
    CHECK_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
    const int processor = first_of(&usable);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        mask_t one;
        for_c.create(&one);
        call(&for_c, for_c.add, processor, &one);
        CHECK_EQ(for_c.set(&one), 0);
        for_c.destroy(&one);
    }
    CHECK_EQ(((int (*)(void))find("kmp_set_thread_affinity_mask_initial"))(), 0);
#pragma omp parallel num_threads(2)
    {
        cpu_set_t now;
        CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
        CHECK_EQ(CPU_COUNT(&now), omp_get_thread_num() == 1 ? 1 : CPU_COUNT(&usable));
    }
    return 0;
}
