/* Dependence sets: what a task depends on, as an object. Part of loomp/loomp.h.
 *
 * Where dependences are irregular, as those of a sparse matrix's rows, a depend clause has to name
 * each location of a list that the program made, and naming one twice costs time whenever the task
 * is created. A set is filled once, before the loop: many indices become few tiles, and what is
 * named again costs nothing later.
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
 * Errors: each kind of misuse is told of once, in a line on stderr, and what was asked for is not
 * done. Without memory the program ends, with one line: a task that does not wait for what it
 * depends on would compute something wrong.
 *
 * Thread safety: one thread at a time fills a set, and nobody uses it meanwhile. Once filled, any
 * number of threads use it at once. */
#ifndef LOOMP_DEPENDENCES_H
#define LOOMP_DEPENDENCES_H

#include <stddef.h>
#include <stdint.h>

#include <loomp/weak.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct loomp_dependences loomp_dependences_t;

/* What a task does with a location: the types of the depend clause. A location that a set has been
 * given in two ways is ordered as both of them ask for: in and out are inout, and so are any two
 * others that differ. */
enum {
    LOOMP_DEPEND_IN = 1,
    LOOMP_DEPEND_OUT = 2,
    LOOMP_DEPEND_INOUT = 3,
    LOOMP_DEPEND_MUTEXINOUTSET = 4,
    LOOMP_DEPEND_INOUTSET = 5
};

/* An empty set. The caller's, until loomp_dependences_free(). */
LOOMP_FUNCTION loomp_dependences_t *loomp_dependences_create(void);
/* After the last task construct that uses it has returned; its tasks need not have run, and graphs
 * that are kept (LOOMP_PERSISTENT) have copied it. Not by such a task. Null is ignored. */
LOOMP_FUNCTION void loomp_dependences_free(loomp_dependences_t *set);

/* Each of these adds locations, with one of the kinds above, and returns 0; or 1 if it was not done
 * (see above). A location is an address, and is not read or written; null is none. */

/* One location. */
LOOMP_FUNCTION int loomp_dependences_add(loomp_dependences_t *set, int kind, const void *location);
/* `count` of them, from `base` on, each `stride` bytes after the one before. */
LOOMP_FUNCTION int loomp_dependences_add_array(loomp_dependences_t *set, int kind, const void *base,
                                               size_t count, size_t stride);
/* The tiles that the elements with these `count` indices lie in, of an array at `base` with
 * elements of `element_size` bytes and tiles of `tile` elements, at least one: of index i the
 * location is base + (i / tile) * tile * element_size, rounded towards minus infinity. `indices` is
 * only read. */
LOOMP_FUNCTION int loomp_dependences_add_tiles(loomp_dependences_t *set, int kind, const void *base,
                                               size_t element_size, size_t tile,
                                               const int64_t *indices, size_t count);
/* The same for indices of 32 bits. */
LOOMP_FUNCTION int loomp_dependences_add_tiles32(loomp_dependences_t *set, int kind,
                                                 const void *base, size_t element_size, size_t tile,
                                                 const int32_t *indices, size_t count);

/* How many different locations the set has; 0 of none (see above). */
LOOMP_FUNCTION size_t loomp_dependences_count(const loomp_dependences_t *set);

/* The next task construct of the calling task depends on what `set` has, besides its depend clause,
 * if there is one: as if the clause named it. To be called right before the construct, once; other
 * requests (loomp_next_task(), loomp_next_task_kind()) may stand beside it. An undeferred task
 * waits as for a depend clause. No effect on taskloop and outside parallel regions. In a persistent
 * graph each iteration's task has the same locations, as with a clause. Thread safety: each task
 * asks for itself. */
LOOMP_FUNCTION void loomp_next_task_depends(const loomp_dependences_t *set);

#ifdef __cplusplus
}
#endif

#endif
