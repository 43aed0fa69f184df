/* The collector is in valgrind's process, which has no C library (host_valgrind.c), or in the
 * program that it examines (process/host.c). This is what the two differ in. */
#ifndef LOOMP_COLLECTOR_HOST_H
#define LOOMP_COLLECTOR_HOST_H

#ifdef LOOMP_CHECK_IN_PROCESS
#include <stddef.h>
typedef unsigned long Addr;
typedef unsigned long UWord;
typedef unsigned long SizeT;
typedef unsigned long long ULong;
typedef unsigned int UInt;
typedef int Int;
typedef char HChar;
typedef unsigned char Bool;
enum { False, True };
/* Each thread has its own `current`. */
#define LOOMP_COLLECTOR_PER_THREAD __thread __attribute__((tls_model("initial-exec")))
#else
#include "pub_tool_basics.h"
/* One thread runs at a time. */
#define LOOMP_COLLECTOR_PER_THREAD
#endif

/* Threads have numbers below this one. */
UInt host_threads(void);
/* True if all tables may be logged whenever one thread has the collector. */
Bool host_runs_one_thread(void);

/* Memory; the process ends if there is none. */
void *host_zeroed(SizeT bytes);
void *host_resized(void *block, SizeT bytes);
void host_free(void *block);
void host_clear(void *memory, SizeT bytes);

/* The stack around an address. Others, and the runtime's data, may lie in the same mapping. Returns
 * whether there is one. */
Bool host_find_stack(Addr address, Addr *begin, Addr *end);
/* The stack pointer of a thread, which is in a function that is not known by a symbol, or has
 * called the runtime. */
Addr host_stack_pointer(UInt thread);

/* Makes a file in a folder. */
Int host_create(const HChar *folder, const HChar *name);
/* Returns whether all was written. */
Bool host_write(Int file, const void *from, SizeT bytes);
/* Copies the process' map into a file of the folder, by which addresses get their names. */
void host_copy_maps(const HChar *folder, const HChar *name);
/* Ends the process with a message. */
void host_fail(const HChar *message, const HChar *name) __attribute__((noreturn));

#endif
