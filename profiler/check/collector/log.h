/* The log's records, which the collector writes in the order of events. */
#ifndef LOOMP_COLLECTOR_LOG_H
#define LOOMP_COLLECTOR_LOG_H

#include "profiler/check/collector/host.h"

/* Makes the log in a folder. */
void open_log(const HChar *folder);
/* Nothing is logged any more: a child of fork() has its parent's file. */
void leave_log(void);
void add_record(UInt kind, UInt thread, UWord a, UWord b, UWord c);
/* Writes what is left, and a copy of the process' map, by which addresses get their names. */
void close_log(void);

#endif
