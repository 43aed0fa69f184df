/* Dependence sets: the dependences of a task as an object. Part of loomp/loomp.h.
 *
 * If dependences are irregular, like those of a sparse matrix's rows, a depend clause has to name
 * each location of a list that the program made. A repeated location then costs time whenever the
 * task is created. A set is filled once, before the loop: many indices become few tiles, and
 * repetitions cost nothing later.
 *
 *     loomp_dependences_t *set = loomp_dependences_create();
 *     loomp_dependences_add_tiles(set, LOOMP_DEPEND_IN, x, sizeof *x, tile, column, count);
 *     loomp_dependences_add(set, LOOMP_DEPEND_OUT, &y[row]);
 *     for (...) {
 *         loomp_next_task_depends(set);
 *         #pragma omp task
 *         multiply(row, ...);
 *     }
 *     loomp_dependences_free(set);
 *
 * (R. Pereira's thesis, 2023, 6.1.1.4.)
 *
 * Errors: each kind of misuse is reported once, in a line on stderr, and the call has no effect.
 * The program ends, with one line, if there is no memory, because a task that misses a dependence
 * would compute wrong results.
 *
 * Thread safety: one thread at a time fills a set, and no other thread uses it meanwhile. Any
 * number of threads may use a filled set at once. */
#ifndef LOOMP_DEPENDENCES_H
#define LOOMP_DEPENDENCES_H

#include <stddef.h>
#include <stdint.h>

#include <loomp/weak.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct loomp_dependences loomp_dependences_t;

/* The way in which a task accesses a location: the types of the depend clause. If a set gets a
 * location in two ways, the order of both applies: in and out become inout, and so do any two
 * others that differ. */
enum {
    LOOMP_DEPEND_IN = 1,
    LOOMP_DEPEND_OUT = 2,
    LOOMP_DEPEND_INOUT = 3,
    LOOMP_DEPEND_MUTEXINOUTSET = 4,
    LOOMP_DEPEND_INOUTSET = 5
};

/* Returns an empty set. The caller owns it, until loomp_dependences_free(). */
LOOMP_FUNCTION loomp_dependences_t *loomp_dependences_create(void);
/* Frees the set, after the last task construct that uses it has returned. Its tasks need not have
 * run, and kept graphs (LOOMP_PERSISTENT) have copied it. Such a task must not call this. Null is
 * ignored. */
LOOMP_FUNCTION void loomp_dependences_free(loomp_dependences_t *set);

/* Each of these functions adds locations, with one of the kinds above. It returns 0, or 1 after a
 * reported error. A location is an address, and is neither read nor written; null means no
 * location. */

/* One location. */
LOOMP_FUNCTION int loomp_dependences_add(loomp_dependences_t *set, int kind, const void *location);
/* Adds `count` locations, from `base` on, each `stride` bytes after the previous one. */
LOOMP_FUNCTION int loomp_dependences_add_array(loomp_dependences_t *set, int kind, const void *base,
                                               size_t count, size_t stride);
/* Adds the tiles of the elements with these `count` indices. The array starts at `base`, with
 * elements of `element_size` bytes and tiles of `tile` elements, at least one. The location of
 * index i is base + (i / tile) * tile * element_size, rounded towards minus infinity. `indices` is
 * only read. */
LOOMP_FUNCTION int loomp_dependences_add_tiles(loomp_dependences_t *set, int kind, const void *base,
                                               size_t element_size, size_t tile,
                                               const int64_t *indices, size_t count);
/* Does the work of loomp_dependences_add_tiles() for indices of 32 bits. */
LOOMP_FUNCTION int loomp_dependences_add_tiles32(loomp_dependences_t *set, int kind,
                                                 const void *base, size_t element_size, size_t tile,
                                                 const int32_t *indices, size_t count);

/* Returns how many different locations the set has; 0 for an invalid set, which is reported. */
LOOMP_FUNCTION size_t loomp_dependences_count(const loomp_dependences_t *set);

/* The calling task's next task construct depends on the locations of `set`, in addition to its
 * depend clause, as if the clause named them. Call it once, directly before the construct; other
 * requests (loomp_next_task(), loomp_next_task_kind()) may accompany it. An undeferred task waits
 * like with a depend clause. It has no effect on taskloop and outside parallel regions. In a
 * persistent graph each iteration's task has the same locations, like with a clause. Thread safety:
 * each task makes its own requests. */
LOOMP_FUNCTION void loomp_next_task_depends(const loomp_dependences_t *set);

#ifdef __cplusplus
}
#endif

#endif
