/* What a program tells the recorder of `loomp trace`. Needs no library: where nothing is recorded
 * the calls do nothing, on any OpenMP runtime. C11 and C++; record.f90 beside it is the same for
 * Fortran. */
#ifndef LOOMP_RECORD_H
#define LOOMP_RECORD_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Of the recorder, if the program is run under it; else null. *known: null at first; what is of no
 * use there is its own address. */
static inline void *loomp_record_function(void **known, const char *name) {
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (function == NULL) {
        /* The program and the libraries that it was started with. */
        void *const program = dlopen(NULL, RTLD_LAZY);
        function = program == NULL ? NULL : dlsym(program, name);
        if (function == NULL)
            function = (void *)known;
        __atomic_store_n(known, function, __ATOMIC_RELAXED);
    }
    return function == (void *)known ? NULL : function;
}

/* These call a function of the recorder, unless it is null. C has no cast from an object's to a
 * function's address. */
static inline void loomp_record_text(void *address, const char *text) {
    void (*function)(const char *);
    memcpy(&function, &address, sizeof function);
    if (function != NULL)
        function(text);
}
static inline void loomp_record_event(void *address) {
    void (*function)(void);
    memcpy(&function, &address, sizeof function);
    if (function != NULL)
        function();
}

/* Gives the next task that the calling thread creates a label, under which traces show it in place
 * of its place in the source: "potrf", say. Without effect on what is created before the next task
 * scheduling point but that task; of a taskloop, the first of its tasks has it.
 *
 * label: any text, which is copied; null takes a label back. 65,534 different ones at most, the
 * others are ignored. Cost: about 20 ns while the program is recorded, 2 otherwise. Thread safety:
 * any thread, at any time. Errors: none. */
static inline void loomp_task_label(const char *label) {
    static void *known;
    loomp_record_text(loomp_record_function(&known, "loomp_record_label"), label);
}

/* Names what the program does from a begin to its end: "assembly", say, or "step". Traces show it
 * beside tasks, and `loomp report` what each name has taken.
 *
 * A region is the task's that begins it, which may be suspended in it and go on on another thread;
 * outside of explicit tasks, it is the thread's. Regions may be in others, also of the same name,
 * and overlap. loomp_region_end() ends the region of that name that the task has begun last; null:
 * whichever it has begun last. An end without a beginning does nothing, and what a task does not
 * end, its own end does; when the trace is read, one line tells of each.
 *
 * name: any text, which is copied; with labels, 65,534 different ones at most. Cost: about 60 ns
 * while the program is recorded, 2 otherwise. Thread safety: any thread, at any time. Errors:
 * none. */
static inline void loomp_region_begin(const char *name) {
    static void *known;
    loomp_record_text(loomp_record_function(&known, "loomp_record_region_begin"), name);
}
static inline void loomp_region_end(const char *name) {
    static void *known;
    loomp_record_text(loomp_record_function(&known, "loomp_record_region_end"), name);
}

/* Ends and begins recording, of all threads of the process; with `loomp trace --paused`, it begins
 * with the first loomp_record_start(). What happens between a stop and the next start is not in the
 * trace: not when tasks were created, ran or waited, nor MPI calls and messages, nor counters. Of
 * tasks that were created then and run later, kind, creator and dependences are not known; what is
 * running at a start is known from then on, what was running at a stop until then. Times and shares
 * of times are those of what was recorded.
 *
 * Of ranks that stop and start equally often, messages are matched between the same stop and start:
 * call these where no message is under way, as after MPI_Barrier. Messages that cannot be told
 * apart are left without their other side.
 *
 * A second stop, or a start while the program is recorded, does nothing. Cost: a line in a file,
 * some 10 us. Thread safety: any thread, at any time; of two threads the latter decides. Errors:
 * none. */
static inline void loomp_record_stop(void) {
    static void *known;
    loomp_record_event(loomp_record_function(&known, "loomp_record_stop"));
}
static inline void loomp_record_start(void) {
    static void *known;
    loomp_record_event(loomp_record_function(&known, "loomp_record_start"));
}

#endif
