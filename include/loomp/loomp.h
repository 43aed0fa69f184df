/* loomp's extensions to OpenMP, for C and C++. A program needs none of them to run on loomp. */
#ifndef LOOMP_LOOMP_H
#define LOOMP_LOOMP_H

#include <stddef.h>
#include <stdio.h>

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

/* Flags. Without any: the body is run each time, and each iteration waits for its tasks. */
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
 * __FILE__ ":42"; its address tells the places apart. `flags` of the first time count. Returns 1 if
 * the body is to be run, followed by loomp_persistent_end(); 0 if it was replayed.
 * Called by the task that creates the tasks. Source: loomp; thesis 6.2.3.2. */
int loomp_persistent_begin(const char *where, unsigned flags);
/* Ends the iteration; returns 0. */
int loomp_persistent_end(void);
/* In an iteration that uses the kept tasks: the task that would be created next does not exist any
 * more, in this iteration and in later ones; what was ordered by it stays so. Returns 1, or 0 if
 * there is none or no graph is in use (then just do not create it). */
int loomp_persistent_remove_next(void);
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
 * a depend clause, on taskloop, in final tasks, persistent graphs and outside parallel regions. A
 * task with if(0) that clang compiled is as without it: wait in it for its children. Thread safety:
 * each task asks for itself. Unknown flags are ignored, with a line on stderr. */
void loomp_next_task(unsigned flags);

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
 * Threads take such tasks when their own queues are empty: as many of one kind as are ready, up to
 * the kind's maximum. Each still completes for its successors, its parent and its taskgroup; all
 * together when the batch body returns. The batch body runs as the first of them: it may create
 * tasks, which are that one's children, and wait for them. (ARCHER2 eCSE04-2, task fusion.) */
typedef void (*loomp_batch_fn)(void *const *data, size_t count, void *context);

/* Makes a kind of tasks that run in batches of at most `max` (2 to 256). `name`, for messages, and
 * `context`, passed to each call, are the program's, and live on. Returns the kind's number, above
 * 0; or 0, with a line on stderr, when there are 255 already or an argument is wrong. Kinds last as
 * long as the process. Thread safety: any thread, at any time. */
int loomp_task_kind(const char *name, loomp_batch_fn batch, void *context, unsigned max);

/* The next task construct of the calling task creates a task of `kind`; `data`, the program's, is
 * what the batch body gets for it. To be called right before the construct; no effect on taskloop.
 * Tasks with a priority, an event, mutexinoutset or C++ objects to be destroyed, undeferred and
 * cancelled ones and those of a persistent graph run alone; so do all of kind 0. */
void loomp_next_task_kind(int kind, void *data);

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
