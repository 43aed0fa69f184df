/* The collector of `loomp check`: a tool for valgrind that logs a program's accesses to memory
 * (profiler/check/protocol.h). It is linked with valgrind's libraries into a program of its own,
 * which is under the GNU General Public License (LICENSES/README.md).
 *
 * Not logged are accesses of the runtimes, of most of the C library, to the runtime's own memory,
 * to static variables of the thread, and of a task to its own frames while it has created no task.
 *
 * This file has the events: those that the observer reports, memory, start and end. */
#include "pub_tool_basics.h"

#include "pub_tool_clreq.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "profiler/check/collector/access_tables.h"
#include "profiler/check/collector/examined_code.h"
#include "profiler/check/collector/instrument.h"
#include "profiler/check/collector/log.h"
#include "profiler/check/collector/memory.h"
#include "profiler/check/protocol.h"

/* --- Memory ----------------------------------------------------------------------------------- */

static void on_mapped(Addr address, SizeT size, Bool reads, Bool writes, Bool runs, ULong debug) {
    (void)reads, (void)writes, (void)runs, (void)debug;
    Bool is_allocation = False;
    const Addr code = calling_code(VG_(get_running_tid)(), &is_allocation);
    stop_ignoring(address, address + size);
    if (is_allocation || is_of_linker(code))
        return;
    if (is_of_library(code))
        ignore(address, address + size);
    else
        add_record(LOOMP_CHECK_ALLOCATED, VG_(get_running_tid)(), address, size, code);
}

static void on_unmapped(Addr address, SizeT size) {
    log_all();
    stop_ignoring(address, address + size);
    add_record(LOOMP_CHECK_RECYCLED, VG_(get_running_tid)(), address, size, 0);
}

/* The observer has allocated a block for the program or for a library. Returns the code that asked
 * for it. */
static Addr on_allocated(ThreadId thread, Addr address, SizeT size) {
    Bool is_allocation = False;
    const Addr code = calling_code(thread, &is_allocation);
    if (is_of_library(code))
        ignore(address, address + size);
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
    if (initial && thread->enters) /* the program has called the runtime in it */
        begin_task(thread, stack_pointer((ThreadId)(thread - threads)));
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

static Bool on_request(ThreadId number, UWord *words, UWord *answer) {
    if (words[0] != LOOMP_CHECK_REQUEST)
        return False;
    *answer = 1;
    Thread *thread = &threads[number];
    const UInt kind = (UInt)words[1];
    const UWord a = words[2], b = words[3], c = words[4];
    switch (kind) {
    case LOOMP_CHECK_IGNORE:
        ignore(a, a + b);
        return True;
    case LOOMP_CHECK_PRIVATE:
        thread->private_begin = a;
        thread->private_end = a + b;
        return True;
    case LOOMP_CHECK_PAUSE:
        thread->paused = a != 0;
        return True;
    case LOOMP_CHECK_TOUCHES:
        touch(thread, a, b, c != 0);
        return True;
    case LOOMP_CHECK_CALLBACK:
        log_lines(thread);
        call_back(thread, (UInt)a);
        return True;
    case LOOMP_CHECK_CALL:
        thread->call = (UInt)b;
        thread->call_code = c;
        if (b == 0)
            return True;
        log_lines(thread);
        task_state(thread->task)->creates = thread->creates = True;
        add_record(kind, number, thread->task, b, c);
        return True;
    case LOOMP_CHECK_COMPLETED:
    case LOOMP_CHECK_BOUND:
    case LOOMP_CHECK_MESSAGE:
        log_lines(thread);
        add_record(kind, number, a != 0 ? a : thread->task, b, c);
        return True;
    case LOOMP_CHECK_RECYCLED:
        log_all();
        break;
    case LOOMP_CHECK_ALLOCATED:
        add_record(kind, number, a, b, on_allocated(number, a, b));
        return True;
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
        break;
    case LOOMP_CHECK_REGION_END:
        enter_task(thread, (UInt)a);
        break;
    default:
        break;
    }
    return True;
}

/* --- Start and end ---------------------------------------------------------------------------- */

static const HChar *log_folder = NULL;

static void on_client_code(ThreadId number, ULong blocks) {
    (void)blocks;
    make_current(number);
}

/* A child's accesses are not examined. */
static void in_child(ThreadId number) {
    (void)number;
    leave_log();
}

static Bool on_option(const HChar *argument) {
    return VG_STR_CLO(argument, "--log-folder", log_folder);
}
static void print_usage(void) {}

static void after_options(void) {
    make_threads();
    if (log_folder == NULL)
        return;
    open_log(log_folder);
    VG_(atfork)(NULL, NULL, in_child);
}

static void at_end(Int status) {
    (void)status;
    log_all();
    close_log();
}

static void before_options(void) {
    VG_(details_name)("loomp check");
    VG_(details_version)(NULL);
    VG_(details_description)("logs what tasks access");
    VG_(details_copyright_author)("loomp's authors");
    VG_(details_bug_reports_to)("loomp's authors");
    VG_(basic_tool_funcs)(after_options, instrument, at_end);
    VG_(needs_client_requests)(on_request);
    VG_(needs_command_line_options)(on_option, print_usage, print_usage);
    VG_(track_start_client_code)(on_client_code);
    VG_(track_new_mem_mmap)(on_mapped);
    VG_(track_die_mem_munmap)(on_unmapped);
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
