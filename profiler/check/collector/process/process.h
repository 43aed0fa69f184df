/* The collector in the program's own process: for programs that were compiled with
 * -fsanitize=thread. Their code calls the functions of entries.c for each access; so this library
 * stands in the place of ThreadSanitizer's. The observer reports its events to loomp_check_take().
 *
 * Threads run in parallel. Each has its table of accesses; everything else, the log too, has one
 * lock. A thread logs its table before its own event, so the log has an order in which everything
 * happened. Memory that one thread frees may still be in another one's table: that thread drops
 * such accesses when it logs them, because nothing shows whether they came before. */
#ifndef LOOMP_COLLECTOR_PROCESS_H
#define LOOMP_COLLECTOR_PROCESS_H

#include "profiler/check/collector/access_tables.h"
#include "profiler/check/collector/host.h"

#define LOOMP_SHARED __attribute__((visibility("default")))

void lock_collector(void);
void unlock_collector(void);
/* The number of the calling thread, which has a table from now on. Call it with the lock. */
UInt thread_number(void);

/* The caller of this library's functions, as accesses have it. */
#define LOOMP_ACCESSING_CODE ((Addr)__builtin_return_address(0) - 1)

/* Mappings at these addresses may be others now. Call it with the lock. */
void forget_stacks(Addr begin, Addr end);

/* A function begins that may be the first of a task. Its frame lies above `frame`. */
void begin_function(Addr frame, Addr return_address, Addr code);
/* An access that is not in the table. */
void read_first(Addr address, UWord size, Addr code);
void write_first(Addr address, UWord size, Addr code);
void update_first(Addr address, UWord size, Addr code);

static inline void on_read(Addr address, UWord size, Addr code) {
    if (is_of_interest(current, address) && !note_again(current, address, size, kRead, code))
        read_first(address, size, code);
}
static inline void on_write(Addr address, UWord size, Addr code) {
    if (is_of_interest(current, address) && !note_again(current, address, size, kWrite, code))
        write_first(address, size, code);
}
static inline void on_atomic(Addr address, UWord size, Addr code) {
    if (is_of_interest(current, address) && !note_again(current, address, size, kAtomic, code))
        update_first(address, size, code);
}

#endif
