/* Calls with which a program informs the recorder of `loomp trace`. It needs no library: without a
 * recorder the calls do nothing, on any OpenMP runtime. C11 and C++; record.f90 is the Fortran
 * version. */
#ifndef LOOMP_RECORD_H
#define LOOMP_RECORD_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Returns a function of the recorder if the program runs under it; else null. *known is null at
 * first; it gets its own address if there is no recorder. */
static inline void *loomp_record_function(void **known, const char *name) {
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (function == NULL) {
        /* Searches the program and the libraries with which it was started. */
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

/* Gives the calling thread's next created task a label, such as "potrf", which traces show instead
 * of its place in the source. The label applies to no other task, and only until the next task
 * scheduling point; in a taskloop, it applies to the first task.
 *
 * label: any text, which is copied; null or an empty one removes a label. There are at most 65,534
 * different ones, others are ignored. Cost: about 20 ns while the program is recorded, 2 otherwise.
 * Thread safety: any thread, at any time. The first call looks for the recorder, and waits while
 * another thread is in dlopen() or dlclose(). Errors: none. */
static inline void loomp_task_label(const char *label) {
    static void *known;
    loomp_record_text(loomp_record_function(&known, "loomp_record_label"), label);
}

/* Names the program's activity from a begin to its end, such as "assembly" or "step". Traces show
 * it next to tasks, and `loomp report` shows the time of each name.
 *
 * A region belongs to the task that begins it, which may be suspended in it and continue on another
 * thread. Outside explicit tasks, it belongs to the thread. Regions may nest, also with the same
 * name, and may overlap. loomp_region_end() ends the task's latest region of that name; null: its
 * latest region. An end without a begin does nothing. A task's end ends its open regions. When the
 * trace is read, one line reports each of these cases.
 *
 * name: any text, which is copied, also an empty one; at most 65,534 different ones, labels
 * included. Cost: about 60 ns while the program is recorded, 2 otherwise. Thread safety: any
 * thread, at any time. Errors: none. */
static inline void loomp_region_begin(const char *name) {
    static void *known;
    loomp_record_text(loomp_record_function(&known, "loomp_record_region_begin"), name);
}
static inline void loomp_region_end(const char *name) {
    static void *known;
    loomp_record_text(loomp_record_function(&known, "loomp_record_region_end"), name);
}

/* Stops and starts the recording of all threads of the process. With `loomp trace --paused`, it
 * starts with the first loomp_record_start(). The trace has no events between a stop and the next
 * start: no creation, run or wait of tasks, no MPI calls and messages, no counters. Tasks created
 * in between and run later have unknown kind, creator and dependences. A task that runs at a start
 * is known from then on; one that runs at a stop is known until then. Times and shares of times
 * refer to the recorded parts.
 *
 * If ranks stop and start equally often, messages are matched between the same stop and start: call
 * these while no message is in transit, such as after MPI_Barrier. Ambiguous messages stay without
 * their other side.
 *
 * A second stop, or a start while the program is recorded, does nothing. Cost: a line in a file,
 * some 10 us. Thread safety: any thread, at any time; the later of two threads decides. Errors:
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
