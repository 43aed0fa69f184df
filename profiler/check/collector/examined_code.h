/* Which code is examined: that of the program and its libraries, and not that of runtimes. */
#ifndef LOOMP_COLLECTOR_EXAMINED_CODE_H
#define LOOMP_COLLECTOR_EXAMINED_CODE_H

#include "profiler/check/collector/host.h"

enum { kExcluded, kExamined, kCopies, kReadsStrings };
UInt examined(Addr code);

/* The instruction of the program, or of a library that is no runtime, that has called the runtime's
 * or the C library's functions that the thread is in; 0: none. `is_allocation`: the observer's
 * malloc() is among those. */
Addr calling_code(UInt thread, Bool *is_allocation);
/* The program's call that the thread is in: returns `code`, the return address of a call, or, if
 * that is in a library such as MPI's for Fortran, the return address into the program. */
Addr call_of_program(UInt thread, Addr code);
/* True for code of a runtime or a library of the system, which takes memory for itself: a BLAS,
 * say, protects its buffers by means that this tool does not see. */
Bool is_of_library(Addr code);
/* The dynamic linker maps the static data of the program's libraries. */
Bool is_of_linker(Addr code);

#endif
