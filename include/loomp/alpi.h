/* ALPI 1.2, the interface between tasking runtimes and BSC's task-aware libraries (TAMPI, TACUDA,
 * TASIO...), so that these run on loomp: libloomp.so has the functions under these names. Programs
 * that use ALPI themselves: -I<prefix>/include/loomp, -lloomp.
 *
 * A task is an explicit task of OpenMP, an implicit task of a parallel region, or the initial task
 * around a program's sequential part. The program's first thread and every thread that has called
 * OpenMP is in a task. Other threads, and the function of a poller (loomp.h), are outside.
 *
 * All functions except alpi_error_string() return 0 (ALPI_SUCCESS) or an error. Thread safety: a
 * function with a task's handle is called by that task. alpi_task_unblock(),
 * alpi_task_events_decrease() and functions without a handle may be called from any thread. Source:
 * the interface's definition as published with nOS-V and TAMPI 4.1. */
#ifndef ALPI_INTERFACE_H
#define ALPI_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#define ALPI_VERSION_MAJOR 1
#define ALPI_VERSION_MINOR 2

/* Parts of the interface that a runtime may lack; loomp has all. */
#define ALPI_FEATURE_BLOCKING (1 << 0)  /* alpi_task_block, _unblock, _waitfor_ns */
#define ALPI_FEATURE_EVENTS (1 << 1)    /* alpi_task_events_* */
#define ALPI_FEATURE_RESOURCES (1 << 2) /* alpi_cpu_* */
#define ALPI_FEATURE_SUSPEND (1 << 3)   /* alpi_task_suspend, _suspend_mode_set */
#define ALPI_SUPPORTED_FEATURES                                                                    \
    (ALPI_FEATURE_BLOCKING | ALPI_FEATURE_EVENTS | ALPI_FEATURE_RESOURCES | ALPI_FEATURE_SUSPEND)

#ifdef __cplusplus
extern "C" {
#endif

/* Handles. A task's is valid until it completes. */
struct alpi_task;
struct alpi_attr;

typedef enum {
    ALPI_SUCCESS = 0,
    ALPI_ERR_VERSION,         /* another major version, or an older minor one */
    ALPI_ERR_NOT_INITIALIZED, /* never returned by loomp, which starts by itself */
    ALPI_ERR_PARAMETER,
    ALPI_ERR_OUT_OF_MEMORY, /* or out of threads */
    ALPI_ERR_OUTSIDE_TASK,
    ALPI_ERR_UNKNOWN,
    ALPI_ERR_FEATURE_UNKNOWN,
    ALPI_ERR_MAX /* the number of errors */
} alpi_error_t;

typedef enum {
    ALPI_INFO_RUNTIME_NAME,
    ALPI_INFO_RUNTIME_VENDOR,
    ALPI_INFO_VERSION /* the interface's and the runtime's version */
} alpi_info_t;

/* Returns a sentence without its full stop, also for numbers that are no error; static. */
const char *alpi_error_string(alpi_error_t error);

/* Writes a text, cut to fit, with its final zero into `buffer` of `max_length` bytes. `length`,
 * unless null, becomes that of the written text. ALPI_ERR_PARAMETER: an unknown query, or no space.
 */
int alpi_info_get(alpi_info_t query, char *buffer, size_t max_length, int *length);

/* Checks whether all features in the mask exist: ALPI_SUCCESS or ALPI_ERR_FEATURE_UNKNOWN. */
int alpi_feature_check(int feature_bitmask);

/* Checks whether loomp serves a user of version `major`.`minor`: ALPI_SUCCESS or ALPI_ERR_VERSION.
 */
int alpi_version_check(int major, int minor);
int alpi_version_get(int *major, int *minor);

/* --- Blocking ----------------------------------------------------------------------------------
 */

/* Returns the calling task's handle; null outside tasks. */
int alpi_task_self(struct alpi_task **task);

/* Suspends the calling task, `task`, until alpi_task_unblock(task); continues at once if that has
 * been called. Its thread runs other tasks meanwhile. */
int alpi_task_block(struct alpi_task *task);

/* Unblocks the task. Call it once for each block, before or after it; a task must not end with an
 * unused call. ALPI_ERR_PARAMETER: null, or a second call before the task has blocked, which is
 * lost. */
int alpi_task_unblock(struct alpi_task *task);

/* Suspends the calling task for about `target_ns` nanoseconds; 0: lets others go first.
 * `actual_ns`, unless null, becomes the actual time. */
int alpi_task_waitfor_ns(uint64_t target_ns, uint64_t *actual_ns);

/* --- Events ------------------------------------------------------------------------------------
 */

/* Delays the calling task's completion until as many events are decreased. `task` continues to its
 * end, but its successors and waits for it wait for the events, too. For an implicit task the
 * region's end waits; the initial task just counts. ALPI_ERR_PARAMETER, with a line on stderr: an
 * undeferred or final task cannot complete later; more than 10^9. */
int alpi_task_events_increase(struct alpi_task *task, uint64_t increment);

/* `has_events` becomes 1 if the calling task, `task`, has any at the moment, and 0 otherwise. */
int alpi_task_events_test(struct alpi_task *task, uint64_t *has_events);

/* Decreases the events of a task, which may no longer exist afterwards. ALPI_ERR_PARAMETER: null,
 * or more than there are. */
int alpi_task_events_decrease(struct alpi_task *task, uint64_t decrement);

/* --- Independent tasks -------------------------------------------------------------------------
 */

/* Attributes of tasks, which have no content yet. alpi_attr_destroy() destroys those made by
 * alpi_attr_create(). alpi_attr_init() prepares the user's memory, of alpi_attr_size() bytes and
 * aligned for any type. */
int alpi_attr_create(struct alpi_attr **attr);
int alpi_attr_destroy(struct alpi_attr *attr);
int alpi_attr_init(struct alpi_attr *attr);
int alpi_attr_size(uint64_t *attr_size);

/* Runs `body(body_args)` as a task that belongs to no region and no other task. Such tasks take
 * turns on a separate thread of the library. When the task has completed,
 * `completion_callback(completion_args)` is called on that thread. `label` and `attr` may be null.
 */
int alpi_task_spawn(void (*body)(void *), void *body_args, void (*completion_callback)(void *),
                    void *completion_args, const char *label, const struct alpi_attr *attr);

/* --- Resources ---------------------------------------------------------------------------------
 */

/* Returns how many of loomp's threads run tasks: OMP_NUM_THREADS or the number of processors,
 * whichever is greater. It is constant during the run. */
int alpi_cpu_count(uint64_t *count);

/* Returns a number below that count which only the calling thread has; it changes only if the task
 * continues on another thread. ALPI_ERR_UNKNOWN, with a line on stderr: more threads ask than were
 * counted. */
int alpi_cpu_logical_id(uint64_t *logical_id);

/* Returns the operating system's number of the thread's current processor. */
int alpi_cpu_system_id(uint64_t *system_id);

/* --- Tasks whose code is run again -------------------------------------------------------------
 */

/* When a task that called alpi_task_suspend() runs again. */
typedef enum {
    ALPI_SUSPEND_NONE = 0,       /* after alpi_task_unblock() */
    ALPI_SUSPEND_SUBMIT,         /* after the tasks that are ready now; ignores `args` */
    ALPI_SUSPEND_TIMEOUT_SUBMIT, /* `args` nanoseconds later */
    ALPI_SUSPEND_EVENT_SUBMIT    /* when its events have been decreased to zero */
} alpi_suspend_mode_t;

/* Sets the mode of the calling task, `task`, until the next call; the default is ALPI_SUSPEND_NONE.
 * ALPI_ERR_PARAMETER also for an unknown mode, and, with a line on stderr, for tasks that cannot
 * run again: implicit, undeferred, final and untied ones, and those with private variables of C++
 * classes. */
int alpi_task_suspend_mode_set(struct alpi_task *task, alpi_suspend_mode_t suspend_mode,
                               uint64_t args);

/* When the code of the calling task, `task`, returns, the task does not end: its code runs again
 * from its beginning when the mode permits, with the same private variables. */
int alpi_task_suspend(struct alpi_task *task);

#ifdef __cplusplus
}
#endif

#endif
