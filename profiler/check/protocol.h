/* The log of `loomp check`: the program's accesses to memory, and the events that order them.
 *
 * The observer (profiler/check/observer) is a tool of OpenMP in the program. It reports each event
 * to the collector (profiler/check/collector) by a request to valgrind. The collector sees all
 * accesses. It writes one log, in which a thread's accesses stand before the event that it reports
 * next. Threads run one at a time under valgrind, so the log has an order in which everything
 * happened.
 *
 * The collector is C without a C library, so this header is, too. */
#ifndef LOOMP_CHECK_PROTOCOL_H
#define LOOMP_CHECK_PROTOCOL_H

/* One record of the log. Tasks and regions have numbers from 1 on. */
struct loomp_check_record {
    unsigned int kind;   /* enum loomp_check_kind */
    unsigned int thread; /* valgrind's number; for accesses the owner of the stack, or 0 */
    unsigned long a, b, c;
};

enum loomp_check_kind {
    /* The accesses of task a since the thread's last event follow. */
    LOOMP_CHECK_ACCESSES = 1,
    /* a: address, b: bytes, c: the instruction. `thread` is the task on whose frames the memory
     * lies, 0: it is no stack. */
    LOOMP_CHECK_READ,
    LOOMP_CHECK_WRITE,  /* it may have been read, too */
    LOOMP_CHECK_ATOMIC, /* only by instructions that read and write as one */

    /* a: the creating task, b: the new one, c: the construct's code. A record DETAILS follows. */
    LOOMP_CHECK_CREATE,
    LOOMP_CHECK_DETAILS,  /* a: flags of OMPT, b: 1 if the task is a taskwait, c: the task */
    LOOMP_CHECK_DEPEND,   /* a: task, b: address, c: OMPT's kind of dependence */
    LOOMP_CHECK_FUNCTION, /* a: task, whose code begins at b */
    LOOMP_CHECK_RUN,      /* the thread continues with task b; a: the task that it leaves */
    LOOMP_CHECK_END,      /* a: the task is complete, b: task that the thread continues with */
    LOOMP_CHECK_DETACH,   /* a: its code has ended, its event is not fulfilled; b as above */
    LOOMP_CHECK_FULFIL, /* a: the task whose event the thread has fulfilled; b: 1 after its code */
    LOOMP_CHECK_WAITED, /* a: the taskwait whose dependences are complete; b: the waiting task */
    LOOMP_CHECK_REGION_BEGIN, /* a: the task that met it, b: region, c: code */
    LOOMP_CHECK_REGION_END,   /* a, b as above */
    LOOMP_CHECK_MEMBER_BEGIN, /* a: implicit task, b: region or 0 for an initial task, c: its number
                               */
    LOOMP_CHECK_MEMBER_END,   /* a: implicit task */
    LOOMP_CHECK_BARRIER_BEGIN, /* a: implicit task, b: region */
    LOOMP_CHECK_BARRIER_END,
    LOOMP_CHECK_TASKWAIT_END, /* a: task */
    LOOMP_CHECK_GROUP_BEGIN,  /* a: task */
    LOOMP_CHECK_GROUP_END,
    LOOMP_CHECK_POSTED,   /* a: implicit task, which has done its part of an iteration of a doacross
                             loop,   b: a hash of the iteration */
    LOOMP_CHECK_AWAITED,  /* a, b likewise: it continues after that part */
    LOOMP_CHECK_LOCKED,   /* a: the lock, b: OMPT's kind of mutex, c: for whom */
    LOOMP_CHECK_UNLOCKED, /* a: the lock */
    LOOMP_CHECK_ALLOCATED, /* a: address, b: bytes, c: the code that asked for it (the collector
                              adds it) */
    LOOMP_CHECK_RECYCLED, /* a: address, b: bytes: whoever accesses them next accesses other data */
    LOOMP_CHECK_HELD,     /* a: address that a static variable of the thread holds */
    /* Calls of MPI. A nonblocking one is a task of its own from the call to its completion. */
    LOOMP_CHECK_CALL, /* a: the calling task (the collector adds it), b: the call as a task, c: the
                         code */
    LOOMP_CHECK_CALLED, /* a: the call as a task, b: its function (profiler/format/functions.h) */
    LOOMP_CHECK_COMPLETED, /* a: who continues after the call, 0: the current task, which the
                              collector adds; b: the call as a task */
    LOOMP_CHECK_BOUND, /* a: the current task (the collector adds it) completes after the call b */
    LOOMP_CHECK_ENVELOPE, /* a: number of an envelope, b: peer and tag, 32 bits each, c: its kind
                             and communicator, 32 bits each */
    LOOMP_CHECK_MESSAGE,  /* a: the current task (the collector adds it) starts a message with the
                             envelope b, c: the code */
    /* Threads that the program makes. */
    LOOMP_CHECK_THREAD_MADE,   /* a: its number until it begins */
    LOOMP_CHECK_THREAD_BEGIN,  /* a: that number, b: the thread's handle */
    LOOMP_CHECK_THREAD_JOINED, /* a: the handle */

    /* Requests that are not logged. */
    LOOMP_CHECK_IGNORE,  /* a: address, b: bytes: the runtime's own memory */
    LOOMP_CHECK_PRIVATE, /* a: address, b: bytes: the thread's static variables */
    LOOMP_CHECK_PAUSE,   /* a: 1: the thread's next accesses are the runtime's; 0: they end */
    LOOMP_CHECK_TOUCHES, /* a: address, b: bytes, c: 1: writes: by the thread's last CALL. If that
                            was no task (b: 0), by the current task */
    LOOMP_CHECK_CALLBACK /* the thread runs the callback of the call a; 0: it has ended */
};

/* An envelope's kind: messages from a rank, to a rank, or all collectives of a communicator, which
 * are matched in the order of their calls. */
enum { LOOMP_CHECK_RECEIVES, LOOMP_CHECK_SENDS, LOOMP_CHECK_COLLECTIVES };

/* Those who hold a lock at a time: one, or several who read, or one of a lock that has readers. */
enum { LOOMP_CHECK_FOR_ALL, LOOMP_CHECK_FOR_READERS, LOOMP_CHECK_FOR_WRITER };

/* The number of the request to valgrind, whose arguments are a record's `kind`, `a`, `b` and `c`.
 */
#define LOOMP_CHECK_REQUEST (('L' << 24) | ('C' << 16))

/* The files that the collector writes into its folder: the log, and a copy of /proc/self/maps at
 * the end. */
#define LOOMP_CHECK_LOG "accesses.log"
#define LOOMP_CHECK_MAPS "maps"
/* The variable that names the folder to a collector in the program. */
#define LOOMP_CHECK_FOLDER "LOOMP_CHECK_FOLDER"

#endif
