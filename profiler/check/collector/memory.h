/* Whose memory an address is: the runtime's, or a frame of a task.
 *
 * A stack belongs to the tasks that began on it, each from its stack pointer at that time
 * downwards. */
#ifndef LOOMP_COLLECTOR_MEMORY_H
#define LOOMP_COLLECTOR_MEMORY_H

#include "profiler/check/collector/host.h"

enum { kLine = 64 };

/* A bit for each byte from `begin` to `end` that lies in a line. */
ULong bits_between(Addr line, Addr begin, Addr end);

/* The runtime's memory. */
void ignore(Addr begin, Addr end);
/* The range becomes the program's. */
void stop_ignoring(Addr begin, Addr end);
/* A line may hold the end of one block and the begin of another. Nothing between the line's end and
 * `*until` is ignored. */
ULong ignored_bits(Addr line, Addr *until);

/* The task on whose frames an address lies; 0: it is no stack. */
UInt owner_of(Addr address);
/* The owner changes at `*until` or behind it. */
UInt owner_until(Addr address, Addr *until);
/* Where the frames of other tasks end that lie below an address, on another stack in the same
 * mapping: at `begin`, if there are none. */
Addr frames_below(Addr address, Addr begin);
void begin_frames(UInt task, Addr begin, Addr end);
void end_frames(UInt task);

#endif
