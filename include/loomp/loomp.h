/* loomp's extensions to OpenMP, for C and C++. A program needs none of them to run on loomp. */
#ifndef LOOMP_LOOMP_H
#define LOOMP_LOOMP_H

#include <stddef.h>
#include <stdio.h>

#include <loomp/dependences.h>

#define LOOMP_VERSION_MAJOR 0
#define LOOMP_VERSION_MINOR 1
#define LOOMP_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Prints what `loomp info` shows: library, ABIs, machine, and every setting with its value and
 * origin; with `verbose`, what each setting means as well. Returns 0, or 1 when writing failed. */
int loomp_print_info(FILE *stream, int verbose);

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
 * not exist: link with -lloomp.
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
int loomp_persistent_begin(const char *where, unsigned flags);
/* Ends the iteration; returns 0. */
int loomp_persistent_end(void);
/* In an iteration that uses the kept tasks: the task that would be created next does not exist any
 * more, in this iteration and in later ones; what was ordered by it stays so. Returns 1, or 0 if
 * there is none or no graph is in use (then just do not create it). */
int loomp_persistent_remove_next(void);
/* In an iteration that uses the kept tasks: the task that is created next comes, in this iteration
 * and in later ones, before the one that would be next; later iterations create it without a
 * request. Returns 1, or 0 if no graph is in use (then just create it). No wait, and no request of
 * another kind, in between but those of loomp_next_task(). */
int loomp_persistent_insert_next(void);
/* Between iterations: the next one is looked at as the first was. For meshes that are refined. */
void loomp_persistent_invalidate(const char *where);
/* Between iterations: waits for the running task's children, and frees the graph's memory. */
void loomp_persistent_free(const char *where);

#define LOOMP_PLACE_STRING_(x) #x
#define LOOMP_PLACE_STRING(x) LOOMP_PLACE_STRING_(x)
/* This line, as loomp_persistent_begin() wants it. */
#define LOOMP_PLACE (__FILE__ ":" LOOMP_PLACE_STRING(__LINE__))

/* Before the body of a loop, a block: it is an iteration of a persistent graph. */
#define LOOMP_PERSISTENT(flags)                                                                    \
    for (int loomp_iteration_ = loomp_persistent_begin(LOOMP_PLACE, (flags)); loomp_iteration_;    \
         loomp_iteration_ = loomp_persistent_end())
/* The same for a place with a name, a string's address, that the other functions can be told. */
#define LOOMP_PERSISTENT_AT(where, flags)                                                          \
    for (int loomp_iteration_ = loomp_persistent_begin((where), (flags)); loomp_iteration_;        \
         loomp_iteration_ = loomp_persistent_end())

/* --- The next task -------------------------------------------------------------------------------
 *
 * Compilers do not yet pass on everything that can be said of a task. Say it right before the task
 * construct, in the task that meets it:
 *
 *     loomp_next_task(LOOMP_TASK_WEAK);
 *     #pragma omp task depend(inout : block[i])
 *     refine(block[i]);               // creates tasks that depend on block[i], too
 */
enum {
    /* Its children and its later siblings depend on each other where both name a location that its
     * depend clause names as well: who comes later and names it waits for the task itself and for
     * those of its children, on any level, that accessed the location last; not for its other
     * children. Without this, later siblings wait for the task only, and it has to wait for its
     * children. (OpenMP 6.0, 17.9.6, transparent; there, locations that the task does not name
     * count too.) */
    LOOMP_TASK_TRANSPARENT = 1,
    /* Transparent, and the task does not wait for its dependences itself: it only creates tasks,
     * which wait, each for the locations that it names. Its own code must not access them. So tasks
     * are found early, by several threads. (OmpSs-2: weak dependences.) */
    LOOMP_TASK_WEAK = 2
};

/* Applies to the next task construct of the calling task, and only to that. To be called right
 * before the construct: not before a wait. Children may access a location as the task's own depend
 * clause says or in a weaker way; mutexinoutset there orders like inout. No effect on tasks without
 * a depend clause, on taskloop, in final tasks and outside parallel regions. In an iteration of a
 * persistent graph that is declared, the code of a weak task is its creator's: that runs it at
 * once, and the tasks created there are the creator's, and kept. With other transparent tasks, and
 * with weak ones that are undeferred, final, untied or have an event, the iteration is not kept:
 * one line on stderr says so. A
 * task with if(0) that clang compiled is as without it: wait in it for its children. Thread safety:
 * each task asks for itself. Unknown flags are ignored, with a line on stderr. */
void loomp_next_task(unsigned flags);

/* --- Early sends ---------------------------------------------------------------------------------
 *
 * Where tasks send messages, other processes wait less if tasks that send, and those before them,
 * run early. Presets of what priorities mean, also chosen by LOOMP_PRIORITY_PRESET (R. Pereira's
 * thesis, 2023, 5.2.4). For all but the last the program gives tasks that send `priority(1)`. */
enum {
    LOOMP_PRESET_NONE = 0,
    LOOMP_PRESET_MA1 = 1, /* ready tasks that send come first */
    LOOMP_PRESET_MA2 = 2, /* and so do all tasks on a way to one */
    LOOMP_PRESET_SA = 3,  /* among those, the fewer tasks away from a send the earlier */
    /* As SA, without priority clauses, which do not count: which kinds of tasks send is learned
     * when one sends for the first time, and idle threads look for the tasks before them. A kind is
     * a task construct, with one size of private data; one without a depend clause is not learned.
     */
    LOOMP_PRESET_FA = 4
};

/* Chooses a preset, instead of what the environment says of priorities. Outside parallel regions,
 * by one thread. Returns 0; or 1, with a line on stderr, where that is not so or there is no such
 * preset. Tasks with dependences are then found before they run, also with one thread. */
int loomp_set_priority_preset(int preset);

/* For libraries: the calling task sends something that other processes wait for. libloomp-mpi calls
 * it for sends and collectives. Costs nothing unless the preset is FA. Thread safety: anywhere. */
void loomp_note_send(void);

/* --- Producers first -----------------------------------------------------------------------------
 *
 * A thread that creates tasks without dependences much faster than they run is held up: from some
 * hundred ready ones on it runs new ones itself, or waits until few are left. That keeps them in
 * the caches; but where the creator has urgent work between them, such as messages that others wait
 * for, tasks that may wait come before it. (ARCHER2 eCSE04-2, runtime flaw (c).) */

/* With `on` other than 0, in parallel regions to come a creator goes on creating: it neither runs
 * new tasks nor waits until tasks take the memory that LOOMP_TASK_MEMORY allows. The same as
 * LOOMP_PRODUCERS_FIRST=true. Undeferred and final tasks run where they are created all the same.
 * Outside parallel regions, by one thread. Returns 0; or 1, with a line on stderr, where that is
 * not so. */
int loomp_set_producers_first(int on);

/* --- Spinning ------------------------------------------------------------------------------------
 *
 * Between two regions, threads look for the next one for a while before they sleep. Where another
 * library's threads work meanwhile (OpenBLAS on pthreads, TBB), they take its processors. */

/* From now on, threads that begin to wait look for work for so many microseconds; 0: they sleep at
 * once. Less than 0: as LOOMP_SPIN and OMP_WAIT_POLICY say. With more threads than processors they
 * spin 2 microseconds at most. Any thread, at any time. The same as kmp_set_blocktime(), which
 * takes milliseconds. */
void loomp_set_spin(long microseconds);

/* --- Iterations ahead of the decision to stop ----------------------------------------------------
 *
 * An iterative code that creates the tasks of many iterations ahead learns late, in a task, that
 * one of them was the last. It says so, and tasks of later iterations that have not started are
 * discarded (R. Pereira's thesis, 2023, 7.2.4).
 *
 *     loomp_speculation_t *s = loomp_speculation_begin();
 *     while (loomp_speculation_next(s) >= 0) {
 *         ... create the tasks of an iteration; in the one that decides:
 *         #pragma omp task ...
 *         if (norm < tolerance)
 *             loomp_speculation_cut(s, loomp_speculation_iteration(s));
 *     }
 *     int iterations = loomp_speculation_end(s);
 *
 * What must not happen after the last iteration is to depend on the task that decides. Over MPI,
 * loomp_speculation_begin_on() (loomp/loomp_mpi.h) begins the series, and all ranks hear of a cut.
 */
typedef struct loomp_speculation loomp_speculation_t;

/* Begins a series of iterations of the calling task. Only that task calls loomp_speculation_next()
 * and loomp_speculation_end(): one line on stderr reports another. Between them, taskgroups are
 * closed in the iteration in which they were opened. */
loomp_speculation_t *loomp_speculation_begin(void);
/* Begins the next iteration: tasks created from now on, and their descendants, belong to it.
 * Returns its number, from 0; or -1: it has been cut off, no more are to be created. Tasks of a
 * parallel region within it belong to none. Null: -1. */
int loomp_speculation_next(loomp_speculation_t *speculation);
/* The iteration that the calling task belongs to, -1: none of these. This and the next three: any
 * thread, until loomp_speculation_end(). */
int loomp_speculation_iteration(loomp_speculation_t *speculation);
/* Iterations after `last`, at least 0, are cut off: their tasks that have not started are
 * discarded. The earliest of several cuts counts. Objects of C++ classes that a discarded task has
 * copied are destroyed if clang compiled it, and lost if gcc did. */
void loomp_speculation_cut(loomp_speculation_t *speculation, int last);
/* The last iteration that is not cut off; INT_MAX: none is. */
int loomp_speculation_last(loomp_speculation_t *speculation);
/* Whether all tasks of the iterations up to `iteration` have completed, and the next one has begun
 * or the owner is in loomp_speculation_end(). */
int loomp_speculation_completed(loomp_speculation_t *speculation, int iteration);
/* For libraries: loomp_speculation_end() calls `function` when all tasks have completed here, and
 * the series exists until it returns. By the task that began it. */
void loomp_speculation_at_end(loomp_speculation_t *speculation, void (*function)(void *data),
                              void *data);
/* No iteration comes any more; waits for the tasks of all, and frees the series. Returns how many
 * iterations were completed; or -1 at once if the calling task has not begun them, or for null. */
int loomp_speculation_end(loomp_speculation_t *speculation);

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
int loomp_task_kind(const char *name, loomp_batch_fn batch, void *context, unsigned max);

/* The next task construct of the calling task creates a task of `kind`; `data`, the program's, is
 * what the batch body gets for it. To be called right before the construct; no effect on taskloop.
 * Tasks with a priority, an event, mutexinoutset or C++ objects to be destroyed, undeferred and
 * cancelled ones run alone; so do all of kind 0. */
void loomp_next_task_kind(int kind, void *data);

/* --- Queues with names ---------------------------------------------------------------------------
 *
 * A task that is ready waits in the queue of the thread that created it, or completed what it
 * waited for, and idle threads take it from there. A program that knows better where tasks should
 * run, or after which others, gives them a queue:
 *
 *     int enclaves = loomp_queue("enclaves", LOOMP_ANY_PLACE);
 *     ...
 *     loomp_next_task_queue(enclaves);
 *     #pragma omp task
 *     advance(cell);
 *
 * Who puts a task there neither runs it nor waits, until tasks take LOOMP_TASK_MEMORY. A thread
 * that looks for a task asks its own queue first, then the queues with names (those of its place,
 * those of none, the others), then the other threads. So every task is run, whoever looks: places
 * and orders say who comes first. Each queue is first come, first served; those of a kind
 * (loomp_task_kind()) leave it together, as a batch. Each team has its own tasks in them.
 * (ARCHER2 eCSE04-2, evaluation.) */
enum { LOOMP_ANY_PLACE = -1, LOOMP_OTHER_TASKS = 0 };

/* The number of the queue called `name`, above 0; made, and bound to the place
 * (omp_get_place_num()) or to none, if there is none. Or 0, with a line on stderr, when there are
 * 191 already. It lasts as long as the process. Thread safety: any thread, at any time, as for all
 * of these. */
int loomp_queue(const char *name, int place);

/* The next task construct of the calling task creates a task that waits in this queue when it is
 * ready. To be called right before the construct; no effect on taskloop, nor on tasks with a
 * priority, target, undeferred and final ones. Comes before an affinity clause. */
void loomp_next_task_queue(int queue);

/* Puts `count` pieces of work of a kind (loomp_task_kind()) into a queue, LOOMP_OTHER_TASKS: where
 * any task goes. As if that many constructs had made tasks of the kind, but a task is made for each
 * batch only, of as many as the kind runs together: creation costs a few nanoseconds a piece, and
 * who has urgent work behind it comes to it sooner. `data` is copied. The pieces' own code is the
 * batch body, also where it is called for one. They are children of the calling task; what was
 * asked of its next task is forgotten. A kind or queue that is none is told of on stderr. */
void loomp_queue_put(int queue, int kind, void *const *data, size_t count);

/* From now on the calling thread looks into these `count` queues in this order;
 * LOOMP_OTHER_TASKS stands for all tasks that are in none, with those of other threads; they come
 * first if it is left out. Queues that are left out come last. 0 queues: as LOOMP_QUEUE_ORDER says,
 * or as without any order. Returns 0; or 1, with a line on stderr, when a number is no queue's or
 * comes twice. */
int loomp_set_queue_order(const int *queues, int count);

/* How many tasks of the calling thread's team wait in it. Out of date at once. */
size_t loomp_queue_size(int queue);
/* The tasks of the calling thread's team that wait in `from` wait in `to`, behind those there.
 * Returns how many; later ones go to `from` again. */
size_t loomp_queue_merge(int to, int from);
/* Takes up to `most` tasks of a kind, 0: of any, out of the queue, wherever they are in it, and
 * puts them where the calling thread looks first: as batches, if they have a kind. They run when
 * the calling task waits, yields or ends. Returns how many; a batch of loomp_queue_put() counts as
 * one. */
size_t loomp_queue_take(int queue, int kind, size_t most);

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
int loomp_in_task(void);

/* Whether the calling thread would have nothing to do if its task were suspended now: no task is
 * ready, none can go on, and no poller has anything pending. Then to look a few times more for what
 * the task waits for costs nothing, and is sooner than to be suspended and to come back. A hint,
 * out of date at once; 0 where loomp_in_task() is, where there are more threads than processors,
 * and with OMP_WAIT_POLICY=passive. It may be called anywhere. */
int loomp_would_idle(void);

/* Suspends the calling task until loomp_resume() is called with the same object; returns at once if
 * that has happened. May be called wherever OpenMP routines may, but not in a poller's function.
 * Outside a region the thread itself waits. Afterwards the object may be used again. */
void loomp_suspend(loomp_suspension_t *suspension);

/* Lets the task go on: one call for each loomp_suspend(), before or after it, from any thread, of
 * OpenMP's or not, from pollers and signal-free callbacks. What the caller wrote is visible to the
 * task. The object must not be touched after the call: its owner may be gone. A second call before
 * the task has gone on is reported on stderr and ignored. */
void loomp_resume(loomp_suspension_t *suspension);

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
loomp_held_task_t *loomp_hold_task(unsigned count);

/* Releases `count` of the holds. From any thread, before or after the task's end; together no more
 * than there were: the task may be gone afterwards. */
void loomp_release_task(loomp_held_task_t *task, unsigned count);

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
loomp_poller_t *loomp_poller_register(const char *name, loomp_poll_t poll, void *data);

/* Once it returns, the function is not running and will not be called. What was pending is
 * forgotten. Null is ignored. */
void loomp_poller_unregister(loomp_poller_t *poller);

/* Announces `count` more things that the poller will find; called before it can find them, from any
 * thread. Null is ignored. */
void loomp_poller_expect(loomp_poller_t *poller, int count);

/* Has the poller told when the program seems to be stuck: when something is pending for it, and for
 * LOOMP_REPORT_STUCK_AFTER all threads have been idle and it has found nothing. `tell` is then
 * called, once, as the poller's function is and not at the same time, with how many seconds that
 * was; it may print what is pending. Null: nothing is told. A null poller is ignored. Not from
 * within a poll. */
void loomp_poller_when_stuck(loomp_poller_t *poller, void (*tell)(void *data, double seconds));

/* For what is printed then: the code of tasks that have ended, but for the event of their detach
 * clause, which nobody has fulfilled, up to `most` of them; returns how many are known (of each
 * thread at most 32 of those that ended there). From any thread. */
int loomp_unfulfilled_events(const void **codes, int most);

/* The process takes the part-th, from 0, of `parts` shares of the processors that it may use, since
 * others may use the same ones; libloomp-mpi says so in MPI_Init. The calling thread is bound to
 * it, and regions have as many threads by default. Writes it to `text` ("0-3"), of `size`
 * characters. Returns 0; or 1, and does nothing, where LOOMP_SPREAD_RANKS is false, the user binds
 * threads or asks for more of them than a share has processors, there are fewer processors than
 * parts, or parallel regions have been. By the thread that begins the first region. */
int loomp_take_processors(int part, int parts, char *text, size_t size);

/* So many processes of one job, this one among them, use this machine's memory at a time: unless
 * LOOMP_TASK_MEMORY says otherwise, tasks of each get their part of a quarter of what is available.
 * libloomp-mpi says so in MPI_Init. Below 1 counts as 1. From any thread. */
void loomp_share_memory(int processes);

/* What libloomp-mpi asks MPI_Init for (LOOMP_MPI_THREAD_LEVEL): 2, MPI_THREAD_SERIALIZED; 3,
 * MPI_THREAD_MULTIPLE. */
int loomp_mpi_thread_level(void);

/* The process' rank in its job, by which what is printed of it calls it. libloomp-mpi says so. */
void loomp_set_rank(int rank);

typedef struct loomp_poller_statistics {
    unsigned long long polls;        /* calls of the function */
    unsigned long long helper_polls; /* those among them by the thread for strong progress */
    unsigned long long hits;         /* polls that found something */
    unsigned long long completions;  /* things found */
    double worst_gap; /* longest time, in seconds, without a poll and with something pending */
} loomp_poller_statistics_t;

/* Since its registration. From any thread, except in the poller's own function. */
void loomp_poller_get_statistics(loomp_poller_t *poller, loomp_poller_statistics_t *statistics);

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
