#include "profiler/check/collector/events.h"

#include "profiler/check/collector/access_tables.h"
#include "profiler/check/collector/examined_code.h"
#include "profiler/check/collector/log.h"
#include "profiler/check/collector/memory.h"
#include "profiler/check/protocol.h"

/* --- Memory ----------------------------------------------------------------------------------- */

void on_mapped(UInt number, Addr address, SizeT size) {
    Bool is_allocation = False;
    const Addr code = calling_code(number, &is_allocation);
    stop_ignoring(address, address + size);
    if (is_allocation || is_of_linker(code))
        return;
    if (is_of_library(code))
        ignore(address, address + size);
    else
        add_record(LOOMP_CHECK_ALLOCATED, number, address, size, code);
}

/* Others may get the memory now. What other threads have done to it stands before that in the log.
 */
static void log_before_recycling(UInt number) {
    if (host_runs_one_thread())
        log_all();
    else
        log_lines(&threads[number]);
}

void on_unmapped(UInt number, Addr address, SizeT size) {
    log_before_recycling(number);
    stop_ignoring(address, address + size);
    add_record(LOOMP_CHECK_RECYCLED, number, address, size, 0);
}

/* A block with the allocator's words around it, which no examined code accesses: so the blocks of a
 * library that are next to each other are one range. */
static void ignore_block(Addr address, SizeT size) {
    enum { kHeader = 8, kUnit = 16, kLeast = 32 };
    SizeT chunk = (size + kHeader + kUnit - 1) / kUnit * kUnit;
    if (chunk < kLeast)
        chunk = kLeast;
    ignore(address - kHeader, address - kHeader + chunk);
}

/* The observer has allocated a block for the program or for a library. Returns the code that asked
 * for it. */
static Addr on_allocated(UInt thread, Addr address, SizeT size) {
    Bool is_allocation = False;
    const Addr code = calling_code(thread, &is_allocation);
    if (is_of_library(code))
        ignore_block(address, size);
    else
        stop_ignoring(address, address + size);
    return code;
}

/* --- Events ----------------------------------------------------------------------------------- */

/* The thread turns to a task, whose code may begin only now. */
static void start_task(Thread *thread, UInt task, Bool initial) {
    enter_task(thread, task);
    thread->enters = !task_state(task)->begun;
    thread->initial = initial;
    find_unwatched(thread);
    if (initial && thread->enters) /* the program has called the runtime in it */
        begin_task(thread, host_stack_pointer((UInt)(thread - threads)));
}

/* An MPI call uses memory. The nonblocking ones have no table. */
static void touch(Thread *thread, Addr begin, UWord size, Bool writes) {
    if (thread->call == 0) {
        if (is_of_interest(thread, begin))
            note(thread, begin, size, writes ? kWrite : kRead, thread->call_code - 1);
        return;
    }
    const UInt kind = writes ? LOOMP_CHECK_WRITE : LOOMP_CHECK_READ;
    add_record(LOOMP_CHECK_ACCESSES, (UInt)(thread - threads), thread->call, 0, 0);
    add_record(kind, owner_of(begin), begin, size, thread->call_code - 1);
}

/* The callback of a nonblocking call runs as a part of it, and may run as any task of the thread
 * has to wait. */
static void call_back(Thread *thread, UInt call) {
    const UInt from = thread->task, to = call != 0 ? call : thread->interrupted;
    add_record(LOOMP_CHECK_RUN, (UInt)(thread - threads), from, to, 0);
    if (call != 0) {
        thread->interrupted = from;
        start_task(thread, to, False);
    } else {
        end_frames(from);
        enter_task(thread, to);
    }
}

void take_event(UInt number, UInt kind, UWord a, UWord b, UWord c) {
    Thread *thread = &threads[number];
    switch (kind) {
    case LOOMP_CHECK_IGNORE:
        ignore(a, a + b);
        return;
    case LOOMP_CHECK_PRIVATE:
        thread->private_begin = a;
        thread->private_end = a + b;
        return;
    case LOOMP_CHECK_PAUSE:
        thread->paused = a != 0;
        find_unwatched(thread);
        return;
    case LOOMP_CHECK_TOUCHES:
        touch(thread, a, b, c != 0);
        return;
    case LOOMP_CHECK_CALLBACK:
        log_lines(thread);
        call_back(thread, (UInt)a);
        return;
    case LOOMP_CHECK_CALL:
        thread->call = (UInt)b;
        thread->call_code = call_of_program(number, c);
        if (b == 0)
            return;
        log_lines(thread);
        task_state(thread->task)->creates = thread->creates = True;
        find_unwatched(thread);
        add_record(kind, number, thread->task, b, thread->call_code);
        return;
    case LOOMP_CHECK_COMPLETED:
    case LOOMP_CHECK_BOUND:
    case LOOMP_CHECK_MESSAGE:
        log_lines(thread);
        add_record(kind, number, a != 0 ? a : thread->task, b,
                   kind == LOOMP_CHECK_MESSAGE ? call_of_program(number, c) : c);
        return;
    case LOOMP_CHECK_RECYCLED:
        log_before_recycling(number);
        break;
    case LOOMP_CHECK_ALLOCATED:
        add_record(kind, number, a, b, on_allocated(number, a, b));
        return;
    case LOOMP_CHECK_DETAILS:
    case LOOMP_CHECK_DEPEND:
        break;
    default:
        log_lines(thread);
    }
    add_record(kind, number, a, b, c);
    switch (kind) {
    case LOOMP_CHECK_CREATE:
        task_state((UInt)a)->creates = True;
        enter_task(thread, (UInt)a);
        break;
    case LOOMP_CHECK_RUN:
        start_task(thread, (UInt)b, False);
        break;
    case LOOMP_CHECK_MEMBER_BEGIN:
        start_task(thread, (UInt)a, b == 0);
        break;
    case LOOMP_CHECK_END:
    case LOOMP_CHECK_DETACH:
        end_frames((UInt)a);
        enter_task(thread, (UInt)b);
        break;
    case LOOMP_CHECK_MEMBER_END:
        end_frames((UInt)a);
        thread->task = 0;
        find_unwatched(thread);
        break;
    case LOOMP_CHECK_REGION_END:
        enter_task(thread, (UInt)a);
        break;
    default:
        break;
    }
}
