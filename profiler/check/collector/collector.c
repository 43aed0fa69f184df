/* The collector of `loomp check`: a tool for valgrind that logs a program's accesses to memory
 * (profiler/check/protocol.h). It is linked with valgrind's libraries into a program of its own,
 * which is under the GNU General Public License (LICENSES/README.md).
 *
 * Not logged are accesses of the runtimes, of most of the C library, to the runtime's own memory,
 * to static variables of the thread, and of a task to its own frames while it has created no task.
 */
#include "pub_tool_basics.h"

#include "pub_tool_clreq.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "profiler/check/collector/access_tables.h"
#include "profiler/check/collector/events.h"
#include "profiler/check/collector/instrument.h"
#include "profiler/check/collector/log.h"
#include "profiler/check/protocol.h"

static Bool on_request(ThreadId number, UWord *words, UWord *answer) {
    if (words[0] != LOOMP_CHECK_REQUEST)
        return False;
    *answer = 1;
    take_event(number, (UInt)words[1], words[2], words[3], words[4]);
    return True;
}

static void on_map(Addr address, SizeT size, Bool reads, Bool writes, Bool runs, ULong debug) {
    (void)reads, (void)writes, (void)runs, (void)debug;
    on_mapped(VG_(get_running_tid)(), address, size);
}
static void on_unmap(Addr address, SizeT size) {
    on_unmapped(VG_(get_running_tid)(), address, size);
}

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
    VG_(track_new_mem_mmap)(on_map);
    VG_(track_die_mem_munmap)(on_unmap);
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
