/* What a program tells the recorder of `loomp trace`. Needs no library: where nothing is recorded
 * the calls do nothing, on any OpenMP runtime. C11 and C++. */
#ifndef LOOMP_RECORD_H
#define LOOMP_RECORD_H

#include <dlfcn.h>
#include <stddef.h>

/* Gives the next task that the calling thread creates a label, under which traces show it in place
 * of its place in the source: "potrf", say. Without effect on what is created before the next task
 * scheduling point but that task; of a taskloop, the first of its tasks has it.
 *
 * label: any text, which is copied; null takes a label back. 65,534 different ones at most, the
 * others are ignored. Cost: about 20 ns while the program is recorded, 2 otherwise. Thread safety:
 * any thread, at any time. Errors: none. */
static inline void loomp_task_label(const char *label) {
    typedef void (*loomp_label_function)(const char *);
    static void *found; /* null: not looked for; of no use: its own address */
    void *function = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (function == NULL) {
        /* The program and the libraries that it was started with. */
        void *const program = dlopen(NULL, RTLD_LAZY);
        function = program == NULL ? NULL : dlsym(program, "loomp_record_label");
        if (function == NULL)
            function = &found;
        __atomic_store_n(&found, function, __ATOMIC_RELAXED);
    }
    if (function != &found)
        ((loomp_label_function)function)(label);
}

#endif
