/* The kinds of code in the process, by address (profiler/check/collector/examined_code.h). */
#ifndef LOOMP_COLLECTOR_PROCESS_CALLERS_H
#define LOOMP_COLLECTOR_PROCESS_CALLERS_H

#include "profiler/check/collector/host.h"

/* True for code of the program and its libraries that are no runtime. */
Bool is_examined(Addr code);
/* Where the frame of the called function begins whose return address this is: above that. 0: there
 * is none. */
Addr frame_that_returns_to(Addr code);

#endif
