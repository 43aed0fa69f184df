/* What the program does beside its accesses: the observer's reports (profiler/check/protocol.h),
 * and the memory that the program maps. Thread `number` does it. */
#ifndef LOOMP_COLLECTOR_EVENTS_H
#define LOOMP_COLLECTOR_EVENTS_H

#include "profiler/check/collector/host.h"

void take_event(UInt number, UInt kind, UWord a, UWord b, UWord c);
void on_mapped(UInt number, Addr address, SizeT size);
void on_unmapped(UInt number, Addr address, SizeT size);

#endif
