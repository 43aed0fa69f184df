/* Extensions that may change or go with any version of loomp: this header promises nothing. */
#ifndef LOOMP_EXPERIMENTAL_H
#define LOOMP_EXPERIMENTAL_H

#include <loomp/loomp.h>

#ifdef __cplusplus
extern "C" {
#endif

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
     * are found early, by several threads. An array section in a depend clause counts as its first
     * address, as elsewhere in loomp: name each block that the children name. (OmpSs-2: weak
     * dependences.) */
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
LOOMP_FUNCTION void loomp_next_task(unsigned flags);

/* --- Early sends ---------------------------------------------------------------------------------
 *
 * Other processes wait less if tasks that send messages, and those before them, run early.
 * LOOMP_PRIORITY_PRESET chooses how. */

/* For libraries: the calling task sends something that other processes wait for. libloomp-mpi calls
 * it for sends and collectives. Costs nothing unless the preset is FA. Thread safety: anywhere. */
LOOMP_FUNCTION void loomp_note_send(void);

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
 * A task that must not run after the last iteration depends on the task that decides. Over MPI,
 * loomp_speculation_begin_on() (loomp/loomp_mpi.h) begins the series, and all ranks hear of a cut.
 */
typedef struct loomp_speculation loomp_speculation_t;

/* Begins a series of iterations of the calling task. Only that task calls loomp_speculation_next()
 * and loomp_speculation_end(): one line on stderr reports another. Between them, taskgroups are
 * closed in the iteration in which they were opened. */
LOOMP_FUNCTION loomp_speculation_t *loomp_speculation_begin(void);
/* Begins the next iteration: tasks created from now on, and their descendants, belong to it.
 * Returns its number, from 0; or -1: it has been cut off, no more are to be created. Tasks of a
 * parallel region within it belong to none. Null: -1. */
LOOMP_FUNCTION int loomp_speculation_next(loomp_speculation_t *speculation);
/* The iteration that the calling task belongs to, -1: none of these. This and the next three: any
 * thread, until loomp_speculation_end(). */
LOOMP_FUNCTION int loomp_speculation_iteration(loomp_speculation_t *speculation);
/* Iterations after `last`, at least 0, are cut off: their tasks that have not started are
 * discarded. The earliest of several cuts counts. Objects of C++ classes that a discarded task has
 * copied are destroyed if clang compiled it, and lost if gcc did. */
LOOMP_FUNCTION void loomp_speculation_cut(loomp_speculation_t *speculation, int last);
/* The last iteration that is not cut off; INT_MAX: none is. */
LOOMP_FUNCTION int loomp_speculation_last(loomp_speculation_t *speculation);
/* Whether all tasks of the iterations up to `iteration` have completed, and the next one has begun
 * or the owner is in loomp_speculation_end(). */
LOOMP_FUNCTION int loomp_speculation_completed(loomp_speculation_t *speculation, int iteration);
/* For libraries: loomp_speculation_end() calls `function` when all tasks have completed here, and
 * the series exists until it returns. By the task that began it. */
LOOMP_FUNCTION void loomp_speculation_at_end(loomp_speculation_t *speculation,
                                             void (*function)(void *data), void *data);
/* No iteration comes any more; waits for the tasks of all, and frees the series. Returns how many
 * iterations were completed; or -1 at once if the calling task has not begun them, or for null. */
LOOMP_FUNCTION int loomp_speculation_end(loomp_speculation_t *speculation);

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
 * The creator does not run the task and does not wait, until tasks take LOOMP_TASK_MEMORY. A thread
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
LOOMP_FUNCTION int loomp_queue(const char *name, int place);

/* The next task construct of the calling task creates a task that waits in this queue when it is
 * ready. To be called right before the construct; no effect on taskloop, nor on tasks with a
 * priority, target, undeferred and final ones. Comes before an affinity clause. */
LOOMP_FUNCTION void loomp_next_task_queue(int queue);

/* Puts `count` pieces of work of a kind (loomp_task_kind()) into a queue, LOOMP_OTHER_TASKS: where
 * any task goes. As if that many constructs had made tasks of the kind, but a task is made for each
 * batch only, of as many as the kind runs together: creation costs a few nanoseconds a piece, and
 * who has urgent work behind it comes to it sooner. `data` is copied. The pieces' own code is the
 * batch body, also where it is called for one. They are children of the calling task; what was
 * asked of its next task is forgotten. A kind or queue that is none is told of on stderr. */
LOOMP_FUNCTION void loomp_queue_put(int queue, int kind, void *const *data, size_t count);

/* From now on the calling thread looks into these `count` queues in this order;
 * LOOMP_OTHER_TASKS stands for all tasks that are in none, with those of other threads; they come
 * first if it is left out. Queues that are left out come last. 0 queues: there is no order any
 * more. Returns 0; or 1, with a line on stderr, when a number is no queue's or
 * comes twice. */
LOOMP_FUNCTION int loomp_set_queue_order(const int *queues, int count);

/* The tasks of the calling thread's team that wait in `from` wait in `to`, behind those there.
 * Returns how many; later ones go to `from` again. */
LOOMP_FUNCTION size_t loomp_queue_merge(int to, int from);
/* Takes up to `most` tasks of a kind, 0: of any, out of the queue, wherever they are in it, and
 * puts them where the calling thread looks first: as batches, if they have a kind. They run when
 * the calling task waits, yields or ends. Returns how many; a batch of loomp_queue_put() counts as
 * one. */
LOOMP_FUNCTION size_t loomp_queue_take(int queue, int kind, size_t most);

/* --- For loomp's own libraries -------------------------------------------------------------------
 *
 * libloomp-mpi is made of these and of what loomp/loomp.h has. */

/* The process takes the part-th, from 0, of `parts` shares of the processors that it may use, since
 * others may use the same ones; libloomp-mpi says so in MPI_Init. The calling thread is bound to
 * it, and regions have as many threads by default. Writes it to `text` ("0-3"), of `size`
 * characters. Returns 0; or 1, and does nothing, where LOOMP_SPREAD_RANKS is false, the user binds
 * threads or asks for more of them than a share has processors, there are fewer processors than
 * parts, or parallel regions have been. By the thread that begins the first region. */
LOOMP_FUNCTION int loomp_take_processors(int part, int parts, char *text, size_t size);

/* So many processes of one job, this one among them, use this machine's memory at a time: unless
 * LOOMP_TASK_MEMORY says otherwise, tasks of each get their part of a quarter of what is available.
 * libloomp-mpi says so in MPI_Init. Below 1 counts as 1. From any thread. */
LOOMP_FUNCTION void loomp_share_memory(int processes);

/* What libloomp-mpi asks MPI_Init for (LOOMP_MPI_THREAD_LEVEL): 2, MPI_THREAD_SERIALIZED; 3,
 * MPI_THREAD_MULTIPLE. */
LOOMP_FUNCTION int loomp_mpi_thread_level(void);

/* The process' rank in its job, by which what is printed of it calls it. libloomp-mpi says so. */
LOOMP_FUNCTION void loomp_set_rank(int rank);

#ifdef __cplusplus
}
#endif

#endif
