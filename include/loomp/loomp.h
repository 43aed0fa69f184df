/* loomp's extensions to OpenMP, for C and C++: persistent graphs, kinds of tasks, suspension, tasks
 * that complete later or run again, and pollers. Dependence sets (loomp/dependences.h) are part of
 * it. A program runs on loomp without any of them. loomp/experimental.h has more. */
#ifndef LOOMP_LOOMP_H
#define LOOMP_LOOMP_H

#include <stddef.h>
#include <stdio.h>

#include <loomp/dependences.h>
#include <loomp/weak.h>

#define LOOMP_VERSION_MAJOR 0
#define LOOMP_VERSION_MINOR 1
#define LOOMP_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Prints the output of `loomp info`: library, ABIs, machine, and every setting with its value and
 * origin. `verbose` adds the meaning of each setting. Returns 0, or 1 after a write error. */
LOOMP_FUNCTION int loomp_print_info(FILE *stream, int verbose);

/* --- Persistent task graphs ----------------------------------------------------------------------
 *
 * An iterative code creates the same tasks with the same dependences again and again. Put
 * LOOMP_PERSISTENT before the body of its loop, in the code that creates the tasks (inside
 * `parallel` and `single` or `masked`). loomp then finds their graph once and reuses it:
 *
 *     for (int step = 0; step < steps; step++)
 *         LOOMP_PERSISTENT(0) {
 *             for (int i = 1; i < n - 1; i++) {
 *                 #pragma omp task depend(in : x[i - 1], x[i + 1]) depend(inout : x[i])
 *                 work(i);
 *             }
 *         }
 *
 * The first iteration runs normally. In the later ones the body runs, but each created task is a
 * kept one: its private variables are filled again, and its dependences are not read. So the n-th
 * task must have the same dependences in every iteration; LOOMP_PERSISTENT_CHECK verifies that. An
 * iteration may create other tasks (another construct, another size of private variables, more or
 * fewer tasks). loomp notices this, reports it once on stderr, orders the tasks correctly, and
 * makes a new graph.
 *
 * Do not leave the body with break, goto or return. On other runtimes than loomp the functions do
 * not exist: link with -lloomp, or define LOOMP_WEAK (loomp/weak.h); LOOMP_PERSISTENT then runs the
 * body each time on other runtimes, and waits at its end unless the flags say otherwise.
 *
 * Thread safety: a graph belongs to the task that creates its tasks, so each thread that comes to a
 * `single` has one of its own. It lives as long as that task, or until loomp_persistent_free(). The
 * memory of an implicit task's graph may serve the next region's task, which compares its first
 * iteration with it. Different tasks may use the same place in the code. */

/* Flags. Without flags, the body runs each time, and each iteration waits for its tasks. A place
 * that is reached with different flags begins a separate graph. */
enum {
    /* The body does not run again: the tasks run with the private variables of the first time. This
     * would be wrong for tasks with events or with private variables of C++ classes, tasks that are
     * not deferred, and waits between tasks. Then one line on stderr reports it, and the body runs.
     * In a team of one thread the body runs, because tasks that begin at once are faster. */
    LOOMP_PERSISTENT_REPLAY = 1,
    /* An iteration does not wait at its end: a task of the next one starts when its predecessors in
     * this one have completed. A task is filled again as soon as its last use is over. */
    LOOMP_PERSISTENT_NO_BARRIER = 2,
    /* Compares the dependences of each task with the kept ones. */
    LOOMP_PERSISTENT_CHECK = 4
};

/* Begins an iteration of the graph at the place `where`, a permanent string such as __FILE__ ":42";
 * its address distinguishes the places. Returns 1 if the body must run, followed by
 * loomp_persistent_end(). Returns 0 if the iteration was replayed. The task that creates the tasks
 * calls it. Source: loomp; thesis 6.2.3.2. */
LOOMP_FUNCTION int loomp_persistent_begin(const char *where, unsigned flags);
/* Ends the iteration; returns 0. */
LOOMP_FUNCTION int loomp_persistent_end(void);
/* In an iteration that uses the kept tasks: removes the task that would be created next, deferred
 * or not, from this iteration and later ones; the order of other tasks stays the same. Returns 1,
 * or 0 if there is no task or no graph is in use. In either case do not create the task any more:
 * other tasks' graphs, for example those of a `single`'s other threads, take the removal into
 * account. */
LOOMP_FUNCTION int loomp_persistent_remove_next(void);
/* Between iterations: the next one is recorded like the first; other tasks' graphs are compared
 * with their next one. For meshes that are refined. */
LOOMP_FUNCTION void loomp_persistent_invalidate(const char *where);
/* Between iterations: waits for the running task's children, and frees the graph's memory. */
LOOMP_FUNCTION void loomp_persistent_free(const char *where);

#define LOOMP_PLACE_STRING_(x) #x
#define LOOMP_PLACE_STRING(x) LOOMP_PLACE_STRING_(x)
/* This line, in the form for loomp_persistent_begin(). */
#define LOOMP_PLACE (__FILE__ ":" LOOMP_PLACE_STRING(__LINE__))

/* The macros below call these. */
static inline int loomp_persistent_begin_(const char *where, unsigned flags) {
#ifdef LOOMP_WEAK
    if (!loomp_persistent_begin)
        return 1;
#endif
    return loomp_persistent_begin(where, flags);
}
static inline int loomp_persistent_end_(unsigned flags) {
#ifdef LOOMP_WEAK
    if (!loomp_persistent_end) {
#ifdef _OPENMP
        if (!(flags & LOOMP_PERSISTENT_NO_BARRIER)) {
#pragma omp taskwait
        }
#endif
        return 0;
    }
#endif
    (void)flags;
    return loomp_persistent_end();
}

/* Stands before the body of a loop, a block, which becomes an iteration of a persistent graph. */
#define LOOMP_PERSISTENT(flags) LOOMP_PERSISTENT_AT(LOOMP_PLACE, flags)
/* An iteration of the graph at a named place: a string's address, which also names the graph for
 * loomp_persistent_invalidate() and loomp_persistent_free(). */
#define LOOMP_PERSISTENT_AT(where, flags)                                                          \
    for (int loomp_iteration_ = loomp_persistent_begin_((where), (flags)); loomp_iteration_;       \
         loomp_iteration_ = loomp_persistent_end_(flags))

/* --- Requests for the next task ------------------------------------------------------------------
 *
 * loomp_next_task_kind(), loomp_next_task_depends() and loomp/experimental.h's loomp_next_task()
 * and loomp_next_task_queue() apply to the calling task's next task construct, and to no later one.
 * Task constructs are `task`; `target` with a nowait or depend clause; and, with such a clause,
 * `target enter data`, `target exit data` and `target update`. clang drops the last three unless it
 * compiles for a device. `taskloop` ends a request without using it. Other constructs leave it: a
 * `target` without both clauses is none. A wait in between loses it, with a line on stderr. */

/* --- Fusion: many small tasks of one kind as one call --------------------------------------------
 *
 * A kind of task has a batch body besides the code of its construct. It is called once with the
 * data of several ready tasks, which helps if a loop over them is faster than as many tasks
 * (vectorised, or on a device). The construct's own code runs if a task comes alone.
 *
 *     static void relax_all(void *const *cells, size_t n, void *context) { ... }
 *     int relax = loomp_task_kind("relax", relax_all, NULL, 32);
 *     ...
 *     loomp_next_task_kind(relax, &cell[i]);
 *     #pragma omp task depend(inout : cell[i])
 *     relax_one(&cell[i]);
 *
 * A thread gathers such tasks when it creates them or completes their predecessors. The kind's
 * maximum of them form one batch, queued like a task. Threads with empty queues run their gathered
 * tasks, then those of others (backfilling). Each task still completes for its successors, its
 * parent and its taskgroup; all complete together when the batch body returns. The batch body runs
 * as one of them: it may create tasks, which are that one's children and in that one's taskgroup,
 * and wait for them. A hold (loomp_hold_task()) delays all of them. (ARCHER2 eCSE04-2, task
 * fusion.) */
typedef void (*loomp_batch_fn)(void *const *data, size_t count, void *context);

/* Makes a kind of tasks that run in batches of at most `max` (2 to 256). `name`, for messages, and
 * `context`, passed to each call, belong to the program and must stay valid. Returns the kind's
 * number, above 0. Returns 0, with a line on stderr, if there are 255 already or an argument is
 * wrong. Kinds last as long as the process. Thread safety: any thread, at any time. */
LOOMP_FUNCTION int loomp_task_kind(const char *name, loomp_batch_fn batch, void *context,
                                   unsigned max);

/* The calling task's next task construct creates a task of `kind`; the batch body gets `data`, the
 * program's, for it. Call it directly before the construct; it has no effect on taskloop. Tasks
 * with a priority, an event, mutexinoutset or C++ objects to be destroyed run alone, and so do
 * undeferred, final and cancelled ones, and all of kind 0. */
LOOMP_FUNCTION void loomp_next_task_kind(int kind, void *data);

/* --- Suspending a task --------------------------------------------------------------------------
 *
 * For libraries whose blocking operations shall block a task and not a thread. The waiting task
 * keeps its stack and gives up its thread, which runs other tasks meanwhile. A tied task continues
 * on its thread, an untied one perhaps on another: no value cached per thread is valid after
 * loomp_suspend().
 *
 *     loomp_suspension_t until_done = LOOMP_SUSPENSION_INIT;
 *     start_operation(callback, &until_done);     callback calls loomp_resume(&until_done)
 *     loomp_suspend(&until_done);
 */

/* The caller owns it, usually on the waiting task's stack. loomp owns its content. */
typedef struct loomp_suspension {
    void *state;
} loomp_suspension_t;

#define LOOMP_SUSPENSION_INIT {0}

/* Returns whether loomp_suspend() can suspend here: 1 in an explicit task or an implicit task of a
 * parallel region. Returns 0 outside regions, in threads that have never called OpenMP, and in a
 * poller's function. It may be called anywhere. */
LOOMP_FUNCTION int loomp_in_task(void);

/* Returns whether the calling thread would be idle if its task were suspended now: no task is ready
 * or can continue, and no poller has anything pending. Then it costs nothing to check the awaited
 * condition a few more times, which is faster than a suspension. The result is a hint and may be
 * outdated at once. It is 0 if loomp_in_task() is, if there are more threads than processors, and
 * with OMP_WAIT_POLICY=passive. It may be called anywhere. */
LOOMP_FUNCTION int loomp_would_idle(void);

/* Suspends the calling task until loomp_resume() is called with the same object; returns at once if
 * that has happened. May be called wherever OpenMP routines may, but not in a poller's function.
 * The thread itself waits outside a region. The object may be used again afterwards. */
LOOMP_FUNCTION void loomp_suspend(loomp_suspension_t *suspension);

/* Lets the task continue: call it once for each loomp_suspend(), before or after it, from any
 * thread, OpenMP's or not, from pollers and from callbacks outside signal handlers. The task sees
 * the caller's writes. Do not access the object after the call: its owner may no longer exist. A
 * second call before the task has continued is reported on stderr and ignored. */
LOOMP_FUNCTION void loomp_resume(loomp_suspension_t *suspension);

/* --- Completing a task later --------------------------------------------------------------------
 *
 * For libraries whose operations shall complete the task that began them. This resembles an event
 * of OpenMP's detach clause, but needs no clause and serves any number of operations.
 *
 *     loomp_held_task_t *task = loomp_hold_task(1);
 *     start_operation(callback, task);            callback calls loomp_release_task(task, 1)
 */

typedef struct loomp_held_task loomp_held_task_t;

/* Delays the calling task's completion until `count` holds are released. The task continues to its
 * end, but its successors and waits for it wait for the release, too. Returns the argument for
 * loomp_release_task(). Returns null, and holds nothing, if that is impossible: in an implicit,
 * undeferred or final task, and where loomp_in_task() is 0. Wait there instead. */
LOOMP_FUNCTION loomp_held_task_t *loomp_hold_task(unsigned count);

/* Releases `count` of the holds, in total at most the number held. Any thread may call it, before
 * or after the task's end. The task may no longer exist afterwards. */
LOOMP_FUNCTION void loomp_release_task(loomp_held_task_t *task, unsigned count);

/* --- Running a task's code again -----------------------------------------------------------------
 *
 * For libraries whose tasks check something repeatedly and need no stack in between. When such a
 * task's code returns, it runs again later, from its beginning and with the same private variables.
 *
 *     static void returned(void *data, int ends) {
 *         if (!ends)
 *             start_timer(1000, data);            whose end calls loomp_make_ready(data)
 *     }
 *     ...
 *     loomp_when_returned(returned, loomp_task_self());
 *     if (!found)
 *         loomp_run_again();
 */

typedef struct loomp_task loomp_task_t;

/* Returns the calling task: an explicit or an implicit one, or the initial task around a sequential
 * part. Returns null outside tasks: in a poller's function, and in a thread that has not called
 * OpenMP, unless it is the program's first. The handle is valid until the task completes. */
LOOMP_FUNCTION loomp_task_t *loomp_task_self(void);

/* Calls `returned(data, ends)` on the calling task's thread whenever the task's code has returned.
 * `ends` is 0 after loomp_run_again(): then the task waits for loomp_make_ready(). `ends` is 1 when
 * the task ends, and no call follows; holds may still delay the task's completion. The function
 * must neither suspend nor create tasks. A later call replaces an earlier one. Returns 0. Returns
 * 1, and does nothing, for tasks that cannot run again: implicit, undeferred, final and untied
 * ones, those in a batch, and those with private variables of C++ classes. */
LOOMP_FUNCTION int loomp_when_returned(void (*returned)(void *data, int ends), void *data);

/* Makes the calling task, which has called loomp_when_returned(), run again instead of ending when
 * its code returns. */
LOOMP_FUNCTION void loomp_run_again(void);

/* Makes the task, for which `returned` has been called with `ends` 0, ready, behind other ready
 * tasks. Call it once for each such run, within `returned` or later, from any thread. */
LOOMP_FUNCTION void loomp_make_ready(loomp_task_t *task);

/* --- Pollers ------------------------------------------------------------------------------------
 *
 * A poller is a function that advances asynchronous work: messages, device events. Threads call it
 * between tasks and when they are idle. If all are busy for longer than LOOMP_PROGRESS_BOUND, a
 * separate thread calls it once. It is called only while something is pending. */

typedef struct loomp_poller loomp_poller_t;

/* A poller's function checks, without waiting, which operations have completed, and informs their
 * tasks (loomp_resume(), omp_fulfill_event()). It returns how many of the operations announced by
 * loomp_poller_expect() have completed. One thread at a time calls it, any thread. It must not
 * create tasks, suspend, or call loomp_poller_unregister(). */
typedef int (*loomp_poll_t)(void *data);

/* Registers `poll`, which is called with `data`. `name` is copied (23 characters) for LOOMP_STATS.
 * Returns null, after one line on stderr, if `poll` is null or 16 are registered. */
LOOMP_FUNCTION loomp_poller_t *loomp_poller_register(const char *name, loomp_poll_t poll,
                                                     void *data);

/* After this returns, the function is not running and will not be called. Pending operations are
 * forgotten. Null is ignored. */
LOOMP_FUNCTION void loomp_poller_unregister(loomp_poller_t *poller);

/* Announces `count` more operations, before the poller can find them. Any thread may call it. Null
 * is ignored. */
LOOMP_FUNCTION void loomp_poller_expect(loomp_poller_t *poller, int count);

/* Sets a function that reports when the program seems to be stuck. The program is stuck if
 * something is pending for the poller, and if for LOOMP_REPORT_STUCK_AFTER all threads were idle
 * and the poller found nothing. `tell` is then called once, instead of the poller's function, with
 * the number of these seconds; it may print the pending operations. If `tell` is null, there is no
 * report. A null poller is ignored. It must not be called within a poll. */
LOOMP_FUNCTION void loomp_poller_when_stuck(loomp_poller_t *poller,
                                            void (*tell)(void *data, double seconds));

typedef struct loomp_poller_statistics {
    unsigned long long polls;        /* calls of the function */
    unsigned long long helper_polls; /* the share of the thread for strong progress */
    unsigned long long hits;         /* polls that found something */
    unsigned long long completions;  /* things found */
    double worst_gap; /* longest time, in seconds, without a poll while something was pending */
} loomp_poller_statistics_t;

/* The counts since the poller's registration. Any thread may call it, except in the poller's own
 * function.
 */
LOOMP_FUNCTION void loomp_poller_get_statistics(loomp_poller_t *poller,
                                                loomp_poller_statistics_t *statistics);

#ifdef __cplusplus
}

namespace loomp {

/// An iteration of a persistent graph that lasts as long as a scope:
///
///     for (...) {
///         loomp::persistent_iteration iteration("solver");
///         if (iteration) { ... create tasks ... }
///     }
class persistent_iteration {
  public:
    explicit persistent_iteration(const char *where, unsigned flags = 0)
        : runs_(loomp_persistent_begin(where, flags) != 0) {}
    ~persistent_iteration() {
        if (runs_)
            loomp_persistent_end();
    }
    persistent_iteration(const persistent_iteration &) = delete;
    persistent_iteration &operator=(const persistent_iteration &) = delete;
    /// Returns whether the body must run; false if it was replayed.
    explicit operator bool() const { return runs_; }

  private:
    bool runs_;
};

} // namespace loomp
#endif

#endif
