/* Extensions that any version of loomp may change or remove: this header promises nothing. */
#ifndef LOOMP_EXPERIMENTAL_H
#define LOOMP_EXPERIMENTAL_H

#include <loomp/loomp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- The next task -------------------------------------------------------------------------------
 *
 * Compilers do not yet pass on all properties of a task. Set them directly before the task
 * construct, in the task that meets it:
 *
 *     loomp_next_task(LOOMP_TASK_WEAK);
 *     #pragma omp task depend(inout : block[i])
 *     refine(block[i]);               // creates tasks that depend on block[i], too
 */
enum {
    /* The task's children and its later siblings depend on each other if both name a location that
     * the task's depend clause names as well. A later task that names the location waits for the
     * task itself. It also waits for those of its children, on any level, that accessed the
     * location last; it does not wait for the other children. Without this, later siblings wait
     * only for the task, which then has to wait for its children. (OpenMP 6.0, 17.9.6, transparent;
     * there, locations that the task does not name count, too.) */
    LOOMP_TASK_TRANSPARENT = 1,
    /* Transparent, and the task does not wait for its dependences itself: it only creates tasks,
     * and each of them waits for the locations that it names. The weak task's own code must not
     * access them. So several threads find tasks early. An array section in a depend clause counts
     * as its first address, like everywhere in loomp: name each block that the children name.
     * (OmpSs-2: weak dependences.) */
    LOOMP_TASK_WEAK = 2
};

/* Applies only to the calling task's next task construct. Call it directly before the construct: no
 * wait may come between. Children may access a location as the task's own depend clause permits, or
 * in a weaker way; mutexinoutset there orders like inout. It has no effect on tasks without a
 * depend clause, on taskloop, in final tasks and outside parallel regions.
 *
 * In a declared iteration of a persistent graph, the creator runs the code of a weak task at once
 * as its own. The tasks created there are the creator's, and are kept. The iteration is not kept
 * with other transparent tasks, nor with weak ones that are undeferred, final, untied or have an
 * event; one line on stderr reports that.
 *
 * The flags have no effect on a task with if(0) that clang compiled: wait in it for its children.
 * Thread safety: each task sets its own flags. Unknown flags are ignored, with a line on stderr. */
LOOMP_FUNCTION void loomp_next_task(unsigned flags);

/* --- Early sends ---------------------------------------------------------------------------------
 *
 * Other processes wait less if tasks that send messages, and their predecessors, run early.
 * LOOMP_PRIORITY_PRESET selects the method. */

/* For libraries: the calling task sends a message for which other processes wait. libloomp-mpi
 * calls it for sends and collectives. It costs nothing unless the preset is FA. Thread safety:
 * anywhere. */
LOOMP_FUNCTION void loomp_note_send(void);

/* --- Iterations ahead of the decision to stop ----------------------------------------------------
 *
 * An iterative code that creates the tasks of many iterations ahead learns late, in a task, that
 * one of them was the last. The task cuts off the later iterations, and their tasks that have not
 * started are discarded (R. Pereira's thesis, 2023, 7.2.4).
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
 * A task that must not run after the last iteration depends on the task that decides. Over MPI,
 * loomp_speculation_begin_on() (loomp/loomp_mpi.h) begins the series, and a cut reaches all ranks.
 */
typedef struct loomp_speculation loomp_speculation_t;

/* Begins a series of iterations of the calling task. Only that task calls loomp_speculation_next()
 * and loomp_speculation_end(): one line on stderr reports another. A taskgroup must close in the
 * iteration in which it was opened. */
LOOMP_FUNCTION loomp_speculation_t *loomp_speculation_begin(void);
/* Begins the next iteration: tasks created after this, and their descendants, belong to it. Returns
 * its number, from 0. Returns -1 if it has been cut off: create no more. Tasks of a parallel region
 * within it belong to none. Returns -1 if `speculation` is null. */
LOOMP_FUNCTION int loomp_speculation_next(loomp_speculation_t *speculation);
/* Returns the iteration of the calling task, -1: none of these. This and the next three: any
 * thread, until loomp_speculation_end(). */
LOOMP_FUNCTION int loomp_speculation_iteration(loomp_speculation_t *speculation);
/* Cuts off the iterations after `last`, at least 0: their tasks that have not started are
 * discarded. The earliest of several cuts counts. A discarded task's copies of objects of C++
 * classes are destroyed if clang compiled it, and lost if gcc did. */
LOOMP_FUNCTION void loomp_speculation_cut(loomp_speculation_t *speculation, int last);
/* Returns the last iteration that is not cut off; INT_MAX: none is cut off. */
LOOMP_FUNCTION int loomp_speculation_last(loomp_speculation_t *speculation);
/* Returns whether all tasks of the iterations up to `iteration` have completed, and the next one
 * has begun or the owner is in loomp_speculation_end(). */
LOOMP_FUNCTION int loomp_speculation_completed(loomp_speculation_t *speculation, int iteration);
/* For libraries: loomp_speculation_end() calls `function` when all tasks have completed here, and
 * the series exists until it returns. The task that began the series calls this. */
LOOMP_FUNCTION void loomp_speculation_at_end(loomp_speculation_t *speculation,
                                             void (*function)(void *data), void *data);
/* Ends the series: waits for the tasks of all iterations, and frees the series. Returns how many
 * iterations were completed. Returns -1 at once for null, or if the calling task has not begun the
 * series. */
LOOMP_FUNCTION int loomp_speculation_end(loomp_speculation_t *speculation);

/* --- Queues with names ---------------------------------------------------------------------------
 *
 * A ready task usually waits in the queue of the thread that created it or completed its last
 * predecessor, and idle threads take it from there. A program that knows better where or in which
 * order tasks should run gives them a queue:
 *
 *     int enclaves = loomp_queue("enclaves", LOOMP_ANY_PLACE);
 *     ...
 *     loomp_next_task_queue(enclaves);
 *     #pragma omp task
 *     advance(cell);
 *
 * The creator does not run the task and does not wait, until tasks take LOOMP_TASK_MEMORY. A thread
 * that looks for a task checks its own queue first, then the named queues (those of its place,
 * those of no place, the others), then the other threads' queues. So every task runs on any thread:
 * places and orders only decide which task comes first. Each queue is first come, first served;
 * tasks of a kind (loomp_task_kind()) leave it together, as a batch. Each team has its own tasks in
 * the queues. (ARCHER2 eCSE04-2, evaluation.) */
enum { LOOMP_ANY_PLACE = -1, LOOMP_OTHER_TASKS = 0 };

/* Returns the number of the queue called `name`, above 0. A new queue is bound to the place
 * (omp_get_place_num()) or to none. Returns 0, with a line on stderr, if there are 191 already. A
 * queue lasts as long as the process. Thread safety of all these functions: any thread, at any
 * time. */
LOOMP_FUNCTION int loomp_queue(const char *name, int place);

/* The calling task's next task construct creates a task that waits in this queue when it is ready.
 * Call it directly before the construct. It has no effect on taskloop, nor on tasks with a
 * priority, target, undeferred and final ones. It has precedence over an affinity clause. */
LOOMP_FUNCTION void loomp_next_task_queue(int queue);

/* Puts `count` pieces of work of a kind (loomp_task_kind()) into a queue; LOOMP_OTHER_TASKS: into
 * the default queue. It replaces that many constructs with tasks of the kind, but makes only one
 * task for each batch, of as many as the kind runs together. So creation costs a few nanoseconds
 * per piece, and the caller reaches urgent work behind it sooner. `data` is copied. The pieces' own
 * code is the batch body, even for a single piece. They are children of the calling task; requests
 * for its next task are forgotten. An invalid kind or queue is reported on stderr. */
LOOMP_FUNCTION void loomp_queue_put(int queue, int kind, void *const *data, size_t count);

/* Sets the order in which the calling thread searches these `count` queues. LOOMP_OTHER_TASKS means
 * all tasks that are in none of them, with those of other threads; if it is absent, they come
 * first. Absent queues come last. 0 queues: restores the default order. Returns 0; or 1, with a
 * line on stderr, if a number is no queue's or comes twice. */
LOOMP_FUNCTION int loomp_set_queue_order(const int *queues, int count);

/* Moves the tasks of the calling thread's team that wait in `from` to `to`, behind those there.
 * Returns how many moved; later tasks go to `from` again. */
LOOMP_FUNCTION size_t loomp_queue_merge(int to, int from);
/* Takes up to `most` tasks of a kind (0: of any kind) out of the queue, at any position. They move
 * to where the calling thread looks first: as batches, if they have a kind. They run when the
 * calling task waits, yields or ends. Returns how many; a batch of loomp_queue_put() counts as one.
 */
LOOMP_FUNCTION size_t loomp_queue_take(int queue, int kind, size_t most);

/* --- For loomp's own libraries -------------------------------------------------------------------
 *
 * libloomp-mpi uses only these functions and those of loomp/loomp.h. */

/* Limits the process to the part-th, from 0, of `parts` shares of its processors, because other
 * processes may use the same ones; libloomp-mpi calls this in MPI_Init. It binds the calling thread
 * to the share, and regions have as many threads by default. It writes the share to `text` ("0-3"),
 * of `size` characters. Returns 0. Returns 1, and does nothing, in these cases: LOOMP_SPREAD_RANKS
 * is false; the user binds threads or requests more of them than a share has processors; there are
 * fewer processors than parts; a parallel region has begun. The thread that begins the first region
 * calls it. */
LOOMP_FUNCTION int loomp_take_processors(int part, int parts, char *text, size_t size);

/* Sets how many processes of the job, including this one, share this machine's memory. Unless
 * LOOMP_TASK_MEMORY decides otherwise, the tasks of each get its part of a quarter of the available
 * memory. libloomp-mpi calls this in MPI_Init. A number below 1 counts as 1. Any thread may call
 * it. */
LOOMP_FUNCTION void loomp_share_memory(int processes);

/* Calls function(data) in a task of its own on the calling thread, on top of whatever the thread
 * does. For pollers and libraries that call back into the program: the function may use OpenMP, and
 * returns on the thread, without an exception or longjmp(). A wait in it runs only what it awaits.
 * loomp_in_task() returns 0 in it. */
LOOMP_FUNCTION void loomp_run_in_own_task(void (*function)(void *data), void *data);

/* Observes suspicions that the program hangs: all threads have been idle for some seconds. The
 * functions are called by one thread of the runtime, with the poller's data: begin() in place of
 * the poller's function, then look() about ten times a second with the seconds of idleness and
 * whether operations of other pollers are pending, and end() as soon as a thread has worked.
 * describe() stores a report for `loomp stuck`, or for a signal, and returns its length; -1 if it
 * is not there yet and is not late. Another process of the job may print the report for a signal;
 * then 0 is right. The function of loomp_poller_when_stuck() is called no more, except if tasks get
 * no stacks. The observer lives on; there is one, until its poller is unregistered.
 * libloomp-mpi calls this. */
typedef struct loomp_hang_observer {
    void (*begin)(void *data);
    void (*look)(void *data, double seconds, int others_pend);
    void (*end)(void *data);
    long (*describe)(void *data, char *text, size_t size, int is_late, int for_signal);
} loomp_hang_observer_t;
LOOMP_FUNCTION void loomp_observe_hangs(loomp_poller_t *poller,
                                        const loomp_hang_observer_t *observer);

/* For an observer, between begin() and end(): stores a line for each event of a detach clause that
 * nobody has fulfilled although its task has ended, or for the locks that nobody releases. Returns
 * the length. */
LOOMP_FUNCTION size_t loomp_lost_events(char *text, size_t size);
LOOMP_FUNCTION size_t loomp_held_locks(char *text, size_t size);

/* For an observer, in begin(): stores the return addresses of at most `most` frames of the task
 * that is suspended in loomp_suspend(suspension), the innermost first. Returns their count; 0 if
 * nothing is known. */
LOOMP_FUNCTION int loomp_suspended_frames(const loomp_suspension_t *suspension, const void **frames,
                                          int most);

/* The calling thread begins, or ends, a call outside tasks that waits for other processes. It
 * counts as idle in between, so the observer's functions may be called. Nothing happens on threads
 * that have never used OpenMP, except on the process' first one. Thread safety: any thread. */
LOOMP_FUNCTION void loomp_begin_outside_wait(void);
LOOMP_FUNCTION void loomp_end_outside_wait(void);

/* The registers of a thread at a point of a function in which it stays: enough to find its frames.
 */
typedef struct loomp_code_point {
#if defined(__x86_64__)
    void *registers[8]; /* rbx, rbp, r12 to r15, rsp, the next instruction */
#elif defined(__aarch64__)
    void *registers[14]; /* x19 to x30, sp, the next instruction */
#else
    void *registers[1];
#endif
} loomp_code_point_t;

__attribute__((always_inline)) static inline void loomp_note_code_point(loomp_code_point_t *point) {
#if defined(__x86_64__)
    __asm__ volatile("mov %%rbx, (%0)\n\tmov %%rbp, 8(%0)\n\tmov %%r12, 16(%0)\n\t"
                     "mov %%r13, 24(%0)\n\tmov %%r14, 32(%0)\n\tmov %%r15, 40(%0)\n\t"
                     "mov %%rsp, 48(%0)\n\tlea 1f(%%rip), %%rcx\n\tmov %%rcx, 56(%0)\n1:"
                     :
                     : "a"(point->registers)
                     : "rcx", "memory");
#elif defined(__aarch64__)
    __asm__ volatile("stp x19, x20, [%0]\n\tstp x21, x22, [%0, #16]\n\tstp x23, x24, [%0, #32]\n\t"
                     "stp x25, x26, [%0, #48]\n\tstp x27, x28, [%0, #64]\n\t"
                     "stp x29, x30, [%0, #80]\n\tmov x9, sp\n\tadr x10, 1f\n\t"
                     "stp x9, x10, [%0, #96]\n1:"
                     :
                     : "r"(point->registers)
                     : "x9", "x10", "memory");
#else
    point->registers[0] = 0;
#endif
}

/* For an observer, in begin(): stores the return addresses of at most `most` frames of the thread
 * that has noted the point, the innermost first. Returns their count; 0 if nothing is known. */
LOOMP_FUNCTION int loomp_frames_of_point(const loomp_code_point_t *point, const void **frames,
                                         int most);

/* Returns the seconds of LOOMP_REPORT_STUCK_AFTER. */
LOOMP_FUNCTION double loomp_report_stuck_after(void);

/* Returns the level that libloomp-mpi requests from MPI_Init (LOOMP_MPI_THREAD_LEVEL): 2,
 * MPI_THREAD_SERIALIZED; 3, MPI_THREAD_MULTIPLE. */
LOOMP_FUNCTION int loomp_mpi_thread_level(void);

/* Returns 1 if libloomp-mpi tells the program no higher thread level than it requires
 * (LOOMP_MPI_PROVIDED_LEVEL), 0 otherwise. */
LOOMP_FUNCTION int loomp_mpi_provides_required(void);

/* Returns 1 if libloomp-mpi leaves blocking collectives as they are (LOOMP_MPI_COLLECTIVES), 0
 * otherwise. */
LOOMP_FUNCTION int loomp_mpi_blocking_collectives(void);

/* Returns 1 if libloomp-mpi compares the collectives that ranks call (LOOMP_MPI_CHECK), 0
 * otherwise. */
LOOMP_FUNCTION int loomp_mpi_checks(void);

/* Sets the process' rank in its job, with which messages name it. libloomp-mpi calls this. */
LOOMP_FUNCTION void loomp_set_rank(int rank);

#ifdef __cplusplus
}
#endif

#endif
