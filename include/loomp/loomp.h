/* loomp's extensions to OpenMP, for C and C++: persistent graphs, kinds of tasks, suspension, tasks
 * that complete later or run again, pollers; dependence sets (loomp/dependences.h) are part of it.
 * A program needs none of them to run on loomp. More is in loomp/experimental.h. */
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

/* Prints what `loomp info` shows: library, ABIs, machine, and every setting with its value and
 * origin; with `verbose`, what each setting means as well. Returns 0, or 1 when writing failed. */
LOOMP_FUNCTION int loomp_print_info(FILE *stream, int verbose);

/* --- Persistent task graphs ----------------------------------------------------------------------
 *
 * An iterative code creates the same tasks with the same dependences again and again. Put
 * LOOMP_PERSISTENT before the body of its loop, in the code that creates the tasks (inside
 * `parallel` and `single` or `masked`), and their graph is found once and used again:
 *
 *     for (int step = 0; step < steps; step++)
 *         LOOMP_PERSISTENT(0) {
 *             for (int i = 1; i < n - 1; i++) {
 *                 #pragma omp task depend(in : x[i - 1], x[i + 1]) depend(inout : x[i])
 *                 work(i);
 *             }
 *         }
 *
 * The first iteration runs as without it. In the later ones the body runs, but each task created is
 * the kept one: its private variables are filled again, its dependences are not looked at. So the
 * n-th task must have the same dependences in every iteration; LOOMP_PERSISTENT_CHECK verifies
 * that. An iteration that creates other tasks (another construct, another size of private
 * variables, more or fewer tasks) is noticed, reported once on stderr, ordered correctly, and the
 * graph made anew.
 *
 * Do not leave the body with break, goto or return. On other runtimes than loomp the functions do
 * not exist: link with -lloomp, or define LOOMP_WEAK (loomp/weak.h); LOOMP_PERSISTENT then runs the
 * body each time on other runtimes, and waits at its end unless the flags say otherwise.
 *
 * Thread safety: a graph belongs to the task that creates its tasks, and lives as long as that task
 * does, or until loomp_persistent_free(). Different tasks may use the same place in the code. */

/* Flags. Without any: the body is run each time, and each iteration waits for its tasks. A place
 * that is reached with other flags than before begins a graph of its own. */
enum {
    /* The body is not run again: the tasks run with the private variables of the first time. Where
     * that would be wrong (tasks with events or with private variables of C++ classes, tasks that
     * are not deferred, waiting between tasks), one line on stderr says so and the body is run. */
    LOOMP_PERSISTENT_REPLAY = 1,
    /* No wait at the end of an iteration: the next one's tasks start when what they depend on in
     * this one has completed. A task is filled again as soon as its last use is over. */
    LOOMP_PERSISTENT_NO_BARRIER = 2,
    /* Compares the dependences of each task with those kept. */
    LOOMP_PERSISTENT_CHECK = 4
};

/* Begins an iteration of the graph of the place `where`, a string that lives on, such as
 * __FILE__ ":42"; its address tells the places apart. Returns 1 if the body is to be run,
 * followed by loomp_persistent_end(); 0 if it was replayed.
 * Called by the task that creates the tasks. Source: loomp; thesis 6.2.3.2. */
LOOMP_FUNCTION int loomp_persistent_begin(const char *where, unsigned flags);
/* Ends the iteration; returns 0. */
LOOMP_FUNCTION int loomp_persistent_end(void);
/* In an iteration that uses the kept tasks: the task that would be created next does not exist any
 * more, in this iteration and in later ones; what was ordered by it stays so. Returns 1, or 0 if
 * there is none or no graph is in use (then just do not create it). */
LOOMP_FUNCTION int loomp_persistent_remove_next(void);
/* Between iterations: the next one is looked at as the first was. For meshes that are refined. */
LOOMP_FUNCTION void loomp_persistent_invalidate(const char *where);
/* Between iterations: waits for the running task's children, and frees the graph's memory. */
LOOMP_FUNCTION void loomp_persistent_free(const char *where);

#define LOOMP_PLACE_STRING_(x) #x
#define LOOMP_PLACE_STRING(x) LOOMP_PLACE_STRING_(x)
/* This line, as loomp_persistent_begin() wants it. */
#define LOOMP_PLACE (__FILE__ ":" LOOMP_PLACE_STRING(__LINE__))

/* Called by the macros below. */
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

/* Before the body of a loop, a block: it is an iteration of a persistent graph. */
#define LOOMP_PERSISTENT(flags) LOOMP_PERSISTENT_AT(LOOMP_PLACE, flags)
/* An iteration of the graph at a place with a name: a string's address, which also names the graph
 * to loomp_persistent_invalidate() and loomp_persistent_free(). */
#define LOOMP_PERSISTENT_AT(where, flags)                                                          \
    for (int loomp_iteration_ = loomp_persistent_begin_((where), (flags)); loomp_iteration_;       \
         loomp_iteration_ = loomp_persistent_end_(flags))

/* --- Fusion: many small tasks of one kind as one call --------------------------------------------
 *
 * A kind of task has a batch body besides the code of its construct: called once with the data of
 * several ready tasks, where a loop over them is faster than as many tasks (vectorised, or on a
 * device). The construct's own code runs where a task comes alone.
 *
 *     static void relax_all(void *const *cells, size_t n, void *context) { ... }
 *     int relax = loomp_task_kind("relax", relax_all, NULL, 32);
 *     ...
 *     loomp_next_task_kind(relax, &cell[i]);
 *     #pragma omp task depend(inout : cell[i])
 *     relax_one(&cell[i]);
 *
 * A thread gathers such tasks as it creates them or completes what they wait for; the kind's
 * maximum of them are one batch, queued like a task. Threads whose queues are empty run what they
 * have gathered so far, then what others have (backfilling). Each task still completes for its
 * successors, its parent and its taskgroup; all together when the batch body returns. The batch
 * body runs as one of them: it may create tasks, which are that one's children, and wait for them.
 * (ARCHER2 eCSE04-2, task fusion.) */
typedef void (*loomp_batch_fn)(void *const *data, size_t count, void *context);

/* Makes a kind of tasks that run in batches of at most `max` (2 to 256). `name`, for messages, and
 * `context`, passed to each call, are the program's, and live on. Returns the kind's number, above
 * 0; or 0, with a line on stderr, when there are 255 already or an argument is wrong. Kinds last as
 * long as the process. Thread safety: any thread, at any time. */
LOOMP_FUNCTION int loomp_task_kind(const char *name, loomp_batch_fn batch, void *context,
                                   unsigned max);

/* The next task construct of the calling task creates a task of `kind`; `data`, the program's, is
 * what the batch body gets for it. To be called right before the construct; no effect on taskloop.
 * Tasks with a priority, an event, mutexinoutset or C++ objects to be destroyed, undeferred and
 * cancelled ones run alone; so do all of kind 0. */
LOOMP_FUNCTION void loomp_next_task_kind(int kind, void *data);

/* --- Suspending a task --------------------------------------------------------------------------
 *
 * For libraries whose blocking operations are to hold up a task and not a thread. The waiting task
 * leaves its stack as it is; its thread runs other tasks meanwhile. A tied task goes on where it
 * was, an untied one perhaps on another thread: nothing cached per thread holds across
 * loomp_suspend().
 *
 *     loomp_suspension_t until_done = LOOMP_SUSPENSION_INIT;
 *     start_operation(callback, &until_done);     callback calls loomp_resume(&until_done)
 *     loomp_suspend(&until_done);
 */

/* Belongs to the caller, usually on the waiting task's stack. Its content is loomp's. */
typedef struct loomp_suspension {
    void *state;
} loomp_suspension_t;

#define LOOMP_SUSPENSION_INIT {0}

/* Whether loomp_suspend() has a use here: 1 in an explicit task or an implicit task of a parallel
 * region; 0 outside regions, in threads that have never called OpenMP, and in a poller's function.
 * It may be called anywhere. */
LOOMP_FUNCTION int loomp_in_task(void);

/* Whether the calling thread would have nothing to do if its task were suspended now: no task is
 * ready, none can go on, and no poller has anything pending. Then to look a few times more for what
 * the task waits for costs nothing, and is sooner than to be suspended and to come back. A hint,
 * out of date at once; 0 where loomp_in_task() is, where there are more threads than processors,
 * and with OMP_WAIT_POLICY=passive. It may be called anywhere. */
LOOMP_FUNCTION int loomp_would_idle(void);

/* Suspends the calling task until loomp_resume() is called with the same object; returns at once if
 * that has happened. May be called wherever OpenMP routines may, but not in a poller's function.
 * Outside a region the thread itself waits. Afterwards the object may be used again. */
LOOMP_FUNCTION void loomp_suspend(loomp_suspension_t *suspension);

/* Lets the task go on: one call for each loomp_suspend(), before or after it, from any thread, of
 * OpenMP's or not, from pollers and signal-free callbacks. What the caller wrote is visible to the
 * task. The object must not be touched after the call: its owner may be gone. A second call before
 * the task has gone on is reported on stderr and ignored. */
LOOMP_FUNCTION void loomp_resume(loomp_suspension_t *suspension);

/* --- Completing a task later --------------------------------------------------------------------
 *
 * For libraries whose operations are to complete the task that began them, as an event of OpenMP's
 * detach clause does, but without the clause and for any number of operations.
 *
 *     loomp_held_task_t *task = loomp_hold_task(1);
 *     start_operation(callback, task);            callback calls loomp_release_task(task, 1)
 */

typedef struct loomp_held_task loomp_held_task_t;

/* The calling task will not complete until as many holds are released: it goes on to its end, but
 * what depends on it, and who waits for it, waits for that too. Returns what loomp_release_task()
 * takes; or null, and holds nothing, where that cannot be: in an implicit, undeferred or final
 * task, and where loomp_in_task() is 0. There, wait instead. */
LOOMP_FUNCTION loomp_held_task_t *loomp_hold_task(unsigned count);

/* Releases `count` of the holds. From any thread, before or after the task's end; together no more
 * than there were: the task may be gone afterwards. */
LOOMP_FUNCTION void loomp_release_task(loomp_held_task_t *task, unsigned count);

/* --- Running a task's code again -----------------------------------------------------------------
 *
 * For libraries whose tasks look for something every so often and keep no stack in between: when
 * such a task's code returns, it is run again later, from its beginning and with its private
 * variables as they are.
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

/* The calling task: an explicit or an implicit one, or the initial task around a sequential part.
 * Null outside of tasks: in a thread that has not met OpenMP, unless it is the program's first, and
 * in a poller's function. The handle is valid until the task completes. */
LOOMP_FUNCTION loomp_task_t *loomp_task_self(void);

/* Whenever the code of the calling task has returned, `returned(data, ends)` is called on its
 * thread. `ends` is 0 after loomp_run_again(): then the task waits for loomp_make_ready(). It is 1
 * when the task ends, and is not called any more; holds may still keep the task from completing.
 * The function must not suspend, nor create tasks. A later call replaces an earlier one. Returns 0;
 * or 1, and does nothing, for tasks that cannot be run again: implicit, undeferred, final and
 * untied ones, and those with private variables of C++ classes. */
LOOMP_FUNCTION int loomp_when_returned(void (*returned)(void *data, int ends), void *data);

/* The calling task, which has called loomp_when_returned(), does not end when its code returns. */
LOOMP_FUNCTION void loomp_run_again(void);

/* The task, for which `returned` has been called with `ends` 0, is ready, behind others that are.
 * Called once for each such run, within `returned` or later, from any thread. */
LOOMP_FUNCTION void loomp_make_ready(loomp_task_t *task);

/* --- Pollers ------------------------------------------------------------------------------------
 *
 * A poller is a function that advances something asynchronous: messages, device events. Threads
 * call it between tasks and when they are idle; when all are busy for longer than
 * LOOMP_PROGRESS_BOUND, a thread for this purpose calls it once. It is called only while something
 * is pending.
 */

typedef struct loomp_poller loomp_poller_t;

/* What a poller does: looks what has happened, without waiting, and tells whom it concerns
 * (loomp_resume(), omp_fulfill_event()). Returns how many of the things announced by
 * loomp_poller_expect() that was. Called by one thread at a time, any thread; must not create
 * tasks, suspend, or call loomp_poller_unregister(). */
typedef int (*loomp_poll_t)(void *data);

/* Registers `poll`, to be called with `data`. `name` is copied (23 characters) for LOOMP_STATS.
 * Returns null, after one line on stderr, if `poll` is null or 16 are registered. */
LOOMP_FUNCTION loomp_poller_t *loomp_poller_register(const char *name, loomp_poll_t poll,
                                                     void *data);

/* Once it returns, the function is not running and will not be called. What was pending is
 * forgotten. Null is ignored. */
LOOMP_FUNCTION void loomp_poller_unregister(loomp_poller_t *poller);

/* Announces `count` more things that the poller will find; called before it can find them, from any
 * thread. Null is ignored. */
LOOMP_FUNCTION void loomp_poller_expect(loomp_poller_t *poller, int count);

/* Has the poller told when the program seems to be stuck: when something is pending for it, and for
 * LOOMP_REPORT_STUCK_AFTER all threads have been idle and it has found nothing. `tell` is then
 * called, once, as the poller's function is and not at the same time, with how many seconds that
 * was; it may print what is pending. Null: nothing is told. A null poller is ignored. Not from
 * within a poll. */
LOOMP_FUNCTION void loomp_poller_when_stuck(loomp_poller_t *poller,
                                            void (*tell)(void *data, double seconds));

typedef struct loomp_poller_statistics {
    unsigned long long polls;        /* calls of the function */
    unsigned long long helper_polls; /* those among them by the thread for strong progress */
    unsigned long long hits;         /* polls that found something */
    unsigned long long completions;  /* things found */
    double worst_gap; /* longest time, in seconds, without a poll and with something pending */
} loomp_poller_statistics_t;

/* Since its registration. From any thread, except in the poller's own function. */
LOOMP_FUNCTION void loomp_poller_get_statistics(loomp_poller_t *poller,
                                                loomp_poller_statistics_t *statistics);

#ifdef __cplusplus
}

namespace loomp {

/// An iteration of a persistent graph, for the length of a scope:
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
    /// Whether the body is to be run; false when it was replayed.
    explicit operator bool() const { return runs_; }

  private:
    bool runs_;
};

} // namespace loomp
#endif

#endif
