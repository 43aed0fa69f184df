/* The accesses of a thread's current task since the thread's last event.
 *
 * Each thread has a table: 64 bytes of memory an entry, with a bit for each byte. An event of the
 * thread empties the table into the log. So a run needs memory for the accesses between two events,
 * at most kMostLines entries a thread. */
#ifndef LOOMP_COLLECTOR_ACCESS_TABLES_H
#define LOOMP_COLLECTOR_ACCESS_TABLES_H

#include "pub_tool_basics.h"

#include "profiler/check/collector/memory.h"

/* The stronger ones come later. An atomic load cannot be told from a plain one: what a task both
 * reads and updates atomically counts as updated atomically. */
enum { kRead, kAtomic, kWrite, kKinds };

enum { kRecent = 32 };

typedef struct {
    Addr line; /* 0: unused */
    ULong bits[kKinds];
    Addr code[kKinds];
} Line;

typedef struct {
    UInt task;    /* 0: none, and nothing is logged */
    Bool enters;  /* the task's code has not begun: its stack is found when it does */
    Bool initial; /* that is the code around main's or a thread's first region */
    Bool paused;
    Bool in_allowed;             /* a function of the C library that the program has called */
    Addr string_ends[2];         /* the last bytes of the strings that it has read */
    Bool creates;                /* others may use the current task's frames */
    Addr function;               /* in which the current task began */
    Addr stack_begin, stack_end; /* its own frames */
    UInt call;                   /* the last MPI call, as a task; 0: a blocking one */
    Addr call_code;
    UInt interrupted; /* the task that a callback interrupts */
    Addr private_begin, private_end;
    Line *lines;
    UInt space, used;
    Line *recent[kRecent]; /* entries of the table, by line; NULL: none */
} Thread;

extern Thread *threads; /* by valgrind's numbers */
extern Thread *current;

/* A task of the program. */
typedef struct {
    Bool creates; /* it has created a task, so that others may use its frames */
    Bool begun;
    Addr function;
    Addr stack_begin, stack_end;
} TaskState;

TaskState *task_state(UInt number);

void make_threads(void);
/* The thread that runs from now on. */
void make_current(ThreadId number);

/* False for accesses of a task to its own frames, say, and those that are the runtime's. */
Bool is_of_interest(Thread *thread, Addr address);
void note(Thread *thread, Addr address, UWord size, UInt kind, Addr code);
/* Most accesses repeat one since the last event, which needs nothing. A read adds nothing to a
 * write. */
static inline Bool is_noted(const Thread *thread, Addr address, UWord size, UInt kind) {
    const UWord offset = address % kLine;
    const Line *line = thread->recent[address / kLine % kRecent];
    if (line == NULL || line->line != address - offset || offset + size > kLine || size == kLine)
        return False;
    ULong bits = line->bits[kind];
    if (kind == kRead)
        bits |= line->bits[kWrite];
    return (~bits >> offset & ((1ULL << size) - 1)) == 0;
}
void log_lines(Thread *thread);
void log_all(void);

/* The thread continues with a task. */
void enter_task(Thread *thread, UInt number);
/* The current task's code begins; the return address is the first of its frames. */
void begin_task(Thread *thread, Addr stack_pointer);
Addr stack_pointer(ThreadId thread);

#endif
