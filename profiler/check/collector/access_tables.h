/* The accesses of a thread's current task since the thread's last event.
 *
 * Each thread has a table of pages: 4 KiB of memory an entry, with a bit for each byte. An event of
 * the thread empties the table into the log. So a run needs memory for the accesses between two
 * events, at most kMostPages entries of 3 KiB a thread. */
#ifndef LOOMP_COLLECTOR_ACCESS_TABLES_H
#define LOOMP_COLLECTOR_ACCESS_TABLES_H

#include "profiler/check/collector/host.h"
#include "profiler/check/collector/memory.h"

/* The stronger ones come later. An atomic load cannot be told from a plain one: what a task both
 * reads and updates atomically counts as updated atomically. */
enum { kRead, kAtomic, kWrite, kKinds };

enum { kPage = 4096, kRecent = 64 };

typedef struct {
    ULong bits[kKinds];
    Addr code[kKinds]; /* of the first access */
} Line;

typedef struct {
    Addr address;
    ULong used; /* a bit for each line; the others are clear */
    Line lines[kPage / kLine];
} Page;

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
    Addr held;        /* the last address that a static variable of the thread was seen to hold */
    Addr unwatched;   /* so many bytes from there on are of no interest: */
    UWord unwatched_size; /* the task's own frames, or all memory */
    Addr private_begin, private_end;
    Page **pages; /* `used` of the table, then some that wait for their next use */
    UInt *places; /* of pages, by a hash of their address */
    UInt space, used, made;
    Page *recent[kRecent]; /* entries of the table, by page; those without private memory */
} Thread;

extern Thread *threads;  /* by number; 0 is none's */
extern Thread no_thread; /* of code before the thread's first event; it is in no task */
extern LOOMP_COLLECTOR_PER_THREAD Thread *current;

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
void make_current(UInt number);

/* False for accesses of a task to its own frames, say, and those that are the runtime's. */
static inline Bool is_of_interest(const Thread *thread, Addr address) {
    return address - thread->unwatched >= thread->unwatched_size;
}
/* The function in which the current task begins has no symbol: the task begins with an access. */
void begin_at_access(Thread *thread);
/* Call it when what the thread does with its current task has changed. */
void find_unwatched(Thread *thread);
void note(Thread *thread, Addr address, UWord size, UInt kind, Addr code);
/* The next page would first log the table. */
Bool is_full(const Thread *thread);
/* Notes an access if the table has the page. Most are such. Returns whether it has noted it. */
static inline Bool note_again(const Thread *thread, Addr address, UWord size, UInt kind,
                              Addr code) {
    const UWord offset = address % kLine;
    Page *page = thread->recent[address / kPage % kRecent];
    if (page->address != address - address % kPage || offset + size > kLine || size == kLine)
        return False;
    const UWord number = address % kPage / kLine;
    Line *line = &page->lines[number];
    const ULong bits = ((1ULL << size) - 1) << offset;
    if ((bits & ~line->bits[kind]) == 0 || (kind == kRead && (bits & ~line->bits[kWrite]) == 0))
        return True;
    page->used |= 1ULL << number;
    line->bits[kind] |= bits;
    if (line->code[kind] == 0)
        line->code[kind] = code;
    return True;
}
void log_lines(Thread *thread);
void log_all(void);
/* The accesses to these bytes were to other data. */
void drop_lines(Thread *thread, Addr begin, Addr end);
/* A pointer that a static variable of the thread holds is that to memory of the thread, mostly:
 * tasks use it one after the other. */
void note_pointer(Thread *thread, Addr address, UWord size);

/* The thread continues with a task. */
void enter_task(Thread *thread, UInt number);
/* The current task's code begins; the return address is the first of its frames. */
void begin_task(Thread *thread, Addr stack_pointer);

#endif
