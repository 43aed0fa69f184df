#include "profiler/check/collector/process/process.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler/check/collector/events.h"
#include "profiler/check/collector/log.h"
#include "profiler/check/collector/process/callers.h"
#include "profiler/check/protocol.h"

/* --- The lock and the threads ----------------------------------------------------------------- */

static int collector_lock = 0;
/* A thread in the collector: what it calls there, such as the unwinder, may allocate. */
static LOOMP_COLLECTOR_PER_THREAD Bool inside = False;
static Bool is_active = False; /* there is a log */

void lock_collector(void) {
    /* acquire, and release below: the lock orders all of the collector's data. */
    while (__atomic_exchange_n(&collector_lock, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}
void unlock_collector(void) { __atomic_store_n(&collector_lock, 0, __ATOMIC_RELEASE); }

static void drop_recycled(UInt number);

static UInt last_thread = 0;
static pthread_key_t at_thread_end;
/* The numbers of threads that have ended. A number's tables serve its next thread. */
static UInt *ended = NULL;
static UInt ended_count = 0;

static void end_thread(void *number) {
    if (current == &no_thread)
        return;
    lock_collector();
    drop_recycled((UInt)(Addr)number);
    if (current->used != 0)
        log_lines(current);
    current->task = 0;
    current->paused = current->enters = False;
    find_unwatched(current); /* the number's next thread is in no task, either */
    ended = host_resized(ended, (ended_count + 1) * sizeof *ended);
    ended[ended_count++] = (UInt)(Addr)number;
    current = &no_thread;
    unlock_collector();
}

UInt thread_number(void) {
    if (current != &no_thread)
        return (UInt)(current - threads);
    UInt number;
    if (ended_count > 0) {
        number = ended[--ended_count];
    } else {
        if (last_thread + 1 == host_threads())
            host_fail("loomp: check: the program has too many threads", "");
        number = ++last_thread;
    }
    make_current(number);
    pthread_setspecific(at_thread_end, (void *)(Addr)number);
    return number;
}

/* --- Events ----------------------------------------------------------------------------------- */

/* Ranges that threads have recycled, and how many of them each thread has seen. */
typedef struct {
    Addr begin, end;
    UInt thread;
} Recycled;
static Recycled *recycled = NULL;
static UWord recycled_first = 0; /* the number of the first that is kept */
static UInt recycled_count = 0, recycled_space = 0;

static UWord *seen = NULL; /* by thread */

/* Drops what the thread's table has of memory that others have recycled since its last event. */
static void drop_recycled(UInt number) {
    const UWord end = recycled_first + recycled_count;
    UWord at = seen[number];
    seen[number] = end;
    if (threads[number].used == 0)
        return;
    for (at = at < recycled_first ? recycled_first : at; at < end; ++at) {
        const Recycled *each = &recycled[at - recycled_first];
        if (each->thread != number)
            drop_lines(&threads[number], each->begin, each->end);
    }
}

static void note_recycled(UInt number, Addr begin, Addr end) {
    if (last_thread < 2)
        return;
    if (recycled_count == recycled_space) {
        UWord oldest = recycled_first + recycled_count;
        /* A thread without accesses has nothing to drop. One that has its first now has seen none
         * of this memory before. */
        for (UInt i = 1; i <= last_thread; ++i)
            if (threads[i].used != 0 && seen[i] < oldest)
                oldest = seen[i];
        const UInt gone = oldest > recycled_first ? (UInt)(oldest - recycled_first) : 0;
        for (UInt i = gone; i < recycled_count; ++i)
            recycled[i - gone] = recycled[i];
        recycled_first += gone;
        recycled_count -= gone;
        if (2 * recycled_count >= recycled_space) {
            recycled_space = recycled_space == 0 ? 1024 : 2 * recycled_space;
            recycled = host_resized(recycled, recycled_space * sizeof *recycled);
        }
    }
    const Recycled range = {begin, end, number};
    recycled[recycled_count++] = range;
}

static void start(void);

/* Returns whether the thread may continue with an event: with the lock, until leave(). */
static Bool enter(void) {
    if (inside)
        return False;
    inside = True;
    start();
    if (!is_active) {
        inside = False;
        return False;
    }
    lock_collector();
    drop_recycled(thread_number());
    return True;
}
static void leave(void) {
    unlock_collector();
    inside = False;
}

LOOMP_SHARED void loomp_check_take(unsigned int kind, unsigned long a, unsigned long b,
                                   unsigned long c) {
    if (!enter())
        return;
    const UInt number = thread_number();
    take_event(number, kind, a, b, c);
    if (kind == LOOMP_CHECK_RECYCLED)
        note_recycled(number, a, a + b);
    leave();
}

/* Mappings of the program's, and of libraries; those of the C library for itself do not come here.
 */
LOOMP_SHARED void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
    const long result = syscall(SYS_mmap, at, size, protection, flags, file, offset);
    if (result != -1 && enter()) {
        on_mapped(thread_number(), (Addr)result, size);
        leave();
    }
    return (void *)result;
}
LOOMP_SHARED void *mmap64(void *at, size_t size, int protection, int flags, int file,
                          off_t offset) {
    return mmap(at, size, protection, flags, file, offset);
}
LOOMP_SHARED int munmap(void *at, size_t size) {
    if (enter()) { /* before another thread may get the memory */
        const UInt number = thread_number();
        on_unmapped(number, (Addr)at, size);
        note_recycled(number, (Addr)at, (Addr)at + size);
        forget_stacks((Addr)at, (Addr)at + size);
        leave();
    }
    return (int)syscall(SYS_munmap, at, size);
}

/* --- Start and end ---------------------------------------------------------------------------- */

static void in_child(void) {
    collector_lock = 0;
    is_active = False;
    leave_log();
}

static void end_log(void) {
    if (!is_active)
        return;
    lock_collector();
    is_active = False;
    for (UInt i = 1; i <= last_thread; ++i)
        drop_recycled(i);
    log_all();
    close_log();
    unlock_collector();
}

/* By the process' first event, which comes before most constructors. */
static void start(void) {
    static Bool is_started = False;
    if (is_started)
        return;
    is_started = True;
    const char *folder = getenv(LOOMP_CHECK_FOLDER);
    if (folder == NULL)
        return;
    static char kept[4096];
    for (UInt i = 0; i + 1 < sizeof kept && folder[i] != '\0'; ++i)
        kept[i] = folder[i];
    unsetenv(LOOMP_CHECK_FOLDER); /* a program that this one starts has no log */
    make_threads();
    seen = host_zeroed(host_threads() * sizeof *seen);
    pthread_key_create(&at_thread_end, end_thread);
    pthread_atfork(NULL, NULL, in_child);
    open_log(kept);
    host_copy_maps(kept, LOOMP_CHECK_MAPS);
    is_active = True;
}
__attribute__((destructor(101))) static void at_end(void) { end_log(); }

LOOMP_SHARED void _exit(int status) {
    end_log();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}
LOOMP_SHARED void _Exit(int status) { _exit(status); }

/* --- Accesses --------------------------------------------------------------------------------- */

/* Returns whether an access of the current task is to be noted: then there is a place for it. */
static Bool may_note(Thread *thread, Addr address) {
    if (!is_of_interest(thread, address) || inside)
        return False;
    if (!thread->enters && !is_full(thread))
        return True;
    inside = True;
    lock_collector();
    if (thread->enters) /* its function is not compiled so */
        begin_at_access(thread);
    if (is_full(thread)) {
        drop_recycled((UInt)(thread - threads));
        log_lines(thread);
    }
    unlock_collector();
    inside = False;
    return is_of_interest(thread, address);
}

void read_first(Addr address, UWord size, Addr code) {
    Thread *thread = current;
    if (thread->task != 0 && address >= thread->private_begin && address < thread->private_end) {
        lock_collector();
        note_pointer(thread, address, size);
        unlock_collector();
    } else if (may_note(thread, address)) {
        note(thread, address, size, kRead, code);
    }
}

void write_first(Addr address, UWord size, Addr code) {
    if (may_note(current, address))
        note(current, address, size, kWrite, code);
}

void update_first(Addr address, UWord size, Addr code) {
    if (may_note(current, address))
        note(current, address, size, kAtomic, code);
}

void begin_function(Addr frame, Addr return_address, Addr code) {
    Thread *thread = current;
    inside = True;
    lock_collector();
    Addr top = frame_that_returns_to(return_address);
    if (top == 0)
        top = frame + 2 * sizeof(Addr);
    if (thread->enters) {
        add_record(LOOMP_CHECK_FUNCTION, (UInt)(thread - threads), thread->task, code, 0);
        task_state(thread->task)->function = code;
        begin_task(thread, top - sizeof(Addr));
    } else if (top != thread->stack_end &&
               (code == thread->function || top > thread->stack_end || top < thread->stack_begin)) {
        begin_task(thread, top - sizeof(Addr));
    }
    unlock_collector();
    inside = False;
}
