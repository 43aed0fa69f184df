/* The collector of `loomp check`: a tool for valgrind that logs a program's accesses to memory
 * (profiler/check/protocol.h). It is linked with valgrind's libraries into a program of its own,
 * which is under the GNU General Public License (LICENSES/README.md).
 *
 * Each thread has a table of what its current task has accessed since the last event: 64 bytes of
 * memory an entry, with a bit for each byte. An event of the thread empties the table into the log.
 * So a run needs memory for the accesses between two events, at most kMostLines entries a thread.
 *
 * Not logged are accesses of the runtimes, of most of the C library, to the runtime's own memory,
 * to static variables of the thread, and of a task to its own frames while it has created no task.
 *
 * A stack belongs to the tasks that began on it, each from its stack pointer at that time
 * downwards. */
#include "pub_tool_basics.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_clreq.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"

#include "profiler/check/protocol.h"

/* Valgrind's own functions, which its headers for tools do not have. */
/* Moves a file's number out of the program's reach. */
extern Int VG_(safe_fd)(Int file);
/* The stack that contains an address, if valgrind knows it. */
extern void VG_(stack_limits)(Addr stack_pointer, Addr *begin, Addr *last);

typedef struct loomp_check_record Record;

enum { kLine = 64, kFirstLines = 1 << 10, kMostLines = 1 << 20, kRecords = 1 << 14 };
/* The stronger ones come later. An atomic load cannot be told from a plain one: what a task both
 * reads and updates atomically counts as updated atomically. */
enum { kRead, kAtomic, kWrite, kKinds };

/* --- The log -------------------------------------------------------------------------------- */

static Int log_file = -1;
static Record log_buffer[kRecords];
static UInt logged = 0;
static const HChar *log_folder = NULL;

static void write_log(void) {
    const HChar *from = (const HChar *)log_buffer;
    SizeT left = logged * sizeof(Record);
    logged = 0;
    while (left > 0 && log_file >= 0) {
        const Int written = VG_(write)(log_file, from, (Int)left);
        if (written <= 0) {
            VG_(umsg)("loomp: check: cannot write the log: the disk may be full\n");
            VG_(exit)(1);
        }
        from += written;
        left -= (SizeT)written;
    }
}

static void add_record(UInt kind, UInt thread, UWord a, UWord b, UWord c) {
    if (log_file < 0)
        return;
    if (logged == kRecords)
        write_log();
    const Record record = {kind, thread, a, b, c};
    log_buffer[logged++] = record;
}

/* --- Ranges of addresses ---------------------------------------------------------------------- */

/* Sorted by their begin, without overlaps. */
typedef struct {
    Addr begin, end;
    UInt value;
} Range;
typedef struct {
    Range *ranges;
    UInt count, space;
} Ranges;

static Ranges ignored; /* the runtime's memory */
static Ranges
    frames; /* tasks on stacks; `value`: the task. A task's range begins at the stack's. */

/* The first range that ends behind `at`. */
static UInt first_behind(const Ranges *all, Addr at) {
    UInt low = 0, high = all->count;
    while (low < high) {
        const UInt middle = (low + high) / 2;
        if (all->ranges[middle].end > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void insert_at(Ranges *all, UInt index, Range range) {
    if (all->count == all->space) {
        all->space = all->space == 0 ? 64 : 2 * all->space;
        all->ranges = VG_(realloc)("ranges", all->ranges, all->space * sizeof(Range));
    }
    for (UInt i = all->count++; i > index; --i)
        all->ranges[i] = all->ranges[i - 1];
    all->ranges[index] = range;
}

static void erase_at(Ranges *all, UInt index) {
    --all->count;
    for (UInt i = index; i < all->count; ++i)
        all->ranges[i] = all->ranges[i + 1];
}

/* Overlapping ranges become one. */
static void ignore(Addr begin, Addr end) {
    UInt index = first_behind(&ignored, begin > 0 ? begin - 1 : 0);
    while (index < ignored.count && ignored.ranges[index].begin <= end) {
        if (ignored.ranges[index].begin < begin)
            begin = ignored.ranges[index].begin;
        if (ignored.ranges[index].end > end)
            end = ignored.ranges[index].end;
        erase_at(&ignored, index);
    }
    const Range range = {begin, end, 0};
    insert_at(&ignored, index, range);
}

/* The range becomes the program's. */
static void stop_ignoring(Addr begin, Addr end) {
    UInt index = first_behind(&ignored, begin);
    while (index < ignored.count && ignored.ranges[index].begin < end) {
        const Range old = ignored.ranges[index];
        erase_at(&ignored, index);
        const Range below = {old.begin, begin, 0}, above = {end, old.end, 0};
        if (below.begin < below.end)
            insert_at(&ignored, index++, below);
        if (above.begin < above.end)
            insert_at(&ignored, index++, above);
    }
}

/* A bit for each byte from `begin` to `end` that lies in a line. */
static ULong bits_between(Addr line, Addr begin, Addr end) {
    const UWord first = begin > line ? begin - line : 0;
    const UWord stop = end < line + kLine ? end - line : kLine;
    if (first >= stop)
        return 0;
    return (stop - first == kLine ? ~0ULL : (1ULL << (stop - first)) - 1) << first;
}

/* A line may hold the end of one block and the begin of another. */
static ULong ignored_bits(Addr line) {
    ULong bits = 0;
    for (UInt i = first_behind(&ignored, line);
         i < ignored.count && ignored.ranges[i].begin < line + kLine; ++i)
        bits |= bits_between(line, ignored.ranges[i].begin, ignored.ranges[i].end);
    return bits;
}

/* The frames are sorted by their end, the stack pointer at the task's begin. They overlap: the task
 * whose end is next above an address owns it, if its stack contains the address. The owner changes
 * at
 * `*until` or behind it. */
static UInt owner_until(Addr address, Addr *until) {
    const UInt index = first_behind(&frames, address);
    *until = index < frames.count ? frames.ranges[index].end : ~(Addr)0;
    return index < frames.count && frames.ranges[index].begin <= address
               ? frames.ranges[index].value
               : 0;
}

static UInt owner_of(Addr address) {
    Addr until = 0;
    return owner_until(address, &until);
}

/* The stack around an address. Others, and the runtime's data, may lie in the same mapping. Returns
 * whether there is one. */
static Bool find_stack(Addr address, Addr *begin, Addr *end) {
    const NSegment *segment = VG_(am_find_nsegment)(address);
    if (segment == NULL)
        return False;
    *begin = segment->start;
    *end = segment->end + 1;
    Addr first = 0, last = 0;
    VG_(stack_limits)(address, &first, &last);
    if (first <= address && address <= last) {
        if (first > *begin)
            *begin = first;
        if (last + 1 < *end)
            *end = last + 1;
    }
    return True;
}

static void begin_frames(UInt task, Addr begin, Addr end) {
    const Range range = {begin, end, task};
    UInt index = first_behind(&frames, range.end);
    if (index > 0 && frames.ranges[index - 1].end == range.end) /* it ran nothing else there */
        frames.ranges[index - 1] = range;
    else
        insert_at(&frames, index, range);
}

static void end_frames(UInt task) {
    for (UInt i = frames.count; i-- > 0;)
        if (frames.ranges[i].value == task)
            erase_at(&frames, i);
}

/* --- Threads ---------------------------------------------------------------------------------- */

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
    Addr private_begin, private_end;
    Line *lines;
    UInt space, used;
    Line *last; /* of the last access */
} Thread;

static Thread *threads = NULL; /* by valgrind's numbers */
static Thread *current = NULL;

/* A task of the program. */
typedef struct {
    Bool creates; /* it has created a task, so that others may use its frames */
    Bool begun;
    Addr function;
    Addr stack_begin, stack_end;
} TaskState;
static TaskState *tasks = NULL;
static UInt tasks_space = 0;

static TaskState *task_state(UInt number) {
    while (number >= tasks_space) {
        const UInt more = tasks_space == 0 ? 1024 : 2 * tasks_space;
        tasks = VG_(realloc)("tasks", tasks, more * sizeof(TaskState));
        VG_(memset)(tasks + tasks_space, 0, (more - tasks_space) * sizeof(TaskState));
        tasks_space = more;
    }
    return &tasks[number];
}

static void make_lines(Thread *thread, UInt space) {
    thread->lines = VG_(calloc)("lines", space, sizeof(Line));
    thread->space = space;
    thread->used = 0;
    thread->last = NULL;
}

static Line *find_line(Thread *thread, Addr line) {
    const UInt mask = thread->space - 1;
    UInt at = (UInt)((line >> 6) * 0x9E3779B97F4A7C15ULL >> 40) & mask;
    while (thread->lines[at].line != 0 && thread->lines[at].line != line)
        at = (at + 1) & mask;
    return &thread->lines[at];
}

static void log_lines(Thread *thread);

static void enlarge(Thread *thread) {
    if (thread->space >= kMostLines) {
        log_lines(thread);
        return;
    }
    Line *old = thread->lines;
    const UInt space = thread->space, used = thread->used;
    make_lines(thread, 4 * space);
    thread->used = used;
    for (UInt i = 0; i < space; ++i)
        if (old[i].line != 0)
            *find_line(thread, old[i].line) = old[i];
    VG_(free)(old);
}

static Int by_line(const void *one, const void *other) {
    const Addr a = ((const Line *)one)->line, b = ((const Line *)other)->line;
    return a < b ? -1 : a > b;
}

/* Logs the runs of bytes that have the bit of a kind, and no bit of a stronger one. */
static void log_kind(const Line *lines, UInt count, UInt kind) {
    static const UInt names[kKinds] = {LOOMP_CHECK_READ, LOOMP_CHECK_ATOMIC, LOOMP_CHECK_WRITE};
    Addr begin = 0, end = 0, code = 0;
    for (UInt i = 0; i < count; ++i) {
        const Line *line = &lines[i];
        ULong bits = line->bits[kind];
        for (UInt stronger = kind + 1; stronger < kKinds; ++stronger)
            bits &= ~line->bits[stronger];
        for (UInt byte = 0; bits != 0 && byte < kLine;) {
            if ((bits >> byte & 1) == 0) {
                ++byte;
                continue;
            }
            UInt stop = byte;
            while (stop < kLine && (bits >> stop & 1) != 0)
                ++stop;
            const Addr from = line->line + byte;
            Addr until = 0;
            owner_until(from, &until);
            if (until < line->line + stop)
                stop = (UInt)(until - line->line);
            if (end != from || owner_of(from) != owner_of(begin)) {
                if (end != 0)
                    add_record(names[kind], owner_of(begin), begin, end - begin, code);
                begin = from;
                code = line->code[kind];
            }
            end = line->line + stop;
            byte = stop;
        }
    }
    if (end != 0)
        add_record(names[kind], owner_of(begin), begin, end - begin, code);
}

static void log_lines(Thread *thread) {
    if (thread->used == 0)
        return;
    UInt count = 0;
    for (UInt i = 0; i < thread->space; ++i) {
        Line line = thread->lines[i];
        if (line.line == 0)
            continue;
        ULong left = ~bits_between(line.line, thread->private_begin, thread->private_end);
        if (owner_of(line.line) == 0)
            left &= ~ignored_bits(line.line);
        ULong any = 0;
        for (UInt kind = 0; kind < kKinds; ++kind)
            any |= line.bits[kind] &= left;
        if (any != 0)
            thread->lines[count++] = line;
    }
    VG_(ssort)(thread->lines, count, sizeof(Line), by_line);
    add_record(LOOMP_CHECK_ACCESSES, (UInt)(thread - threads), thread->task, 0, 0);
    for (UInt kind = 0; kind < kKinds; ++kind)
        log_kind(thread->lines, count, kind);
    if (thread->space > 16 * kFirstLines && thread->used < kFirstLines) {
        VG_(free)(thread->lines);
        make_lines(thread, kFirstLines);
        return;
    }
    VG_(memset)(thread->lines, 0, thread->space * sizeof(Line));
    thread->used = 0;
    thread->last = NULL;
}

static void enter_task(Thread *thread, UInt number) {
    thread->task = number;
    thread->enters = False;
    const TaskState *state = task_state(number);
    thread->creates = state->creates;
    thread->function = state->function;
    thread->stack_begin = state->stack_begin;
    thread->stack_end = state->stack_end;
}

/* --- Accesses --------------------------------------------------------------------------------- */

static void note(Thread *thread, Addr address, UWord size, UInt kind, Addr code) {
    while (size > 0) {
        const Addr line = address & ~(Addr)(kLine - 1);
        const UWord offset = address - line;
        const UWord part = offset + size > kLine ? kLine - offset : size;
        Line *found = thread->last;
        if (found == NULL || found->line != line) {
            if (2 * thread->used >= thread->space)
                enlarge(thread);
            found = find_line(thread, line);
            if (found->line == 0) {
                found->line = line;
                ++thread->used;
            }
            thread->last = found;
        }
        const ULong bits = (part == kLine ? ~0ULL : (1ULL << part) - 1) << offset;
        if ((found->bits[kind] & bits) != bits) {
            found->bits[kind] |= bits;
            if (found->code[kind] == 0)
                found->code[kind] = code;
        }
        address += part;
        size -= part;
    }
}

static void begin_task(Thread *thread, Addr stack_pointer);
static Addr stack_pointer(ThreadId thread);

/* A pointer that a static variable of the thread holds is that to memory of the thread, mostly:
 * tasks use it one after the other. */
static void note_pointer(const Thread *thread, Addr address, UWord size) {
    if (size < sizeof(Addr) || thread->task == 0)
        return;
    const Addr *words = (const Addr *)address;
    for (UWord i = 0; i < size / sizeof(Addr); ++i)
        if (words[i] > 0x10000 && owner_of(words[i]) == 0)
            add_record(LOOMP_CHECK_HELD, (UInt)(thread - threads), words[i], 0, 0);
}

static Bool is_of_interest(Thread *thread, Addr address) {
    if (thread->enters) /* its function has no symbol */
        begin_task(thread, stack_pointer((ThreadId)(thread - threads)));
    return thread->task != 0 && !thread->paused &&
           (thread->creates || address < thread->stack_begin || address >= thread->stack_end);
}

/* A function begins. The runtime calls several of one task: the parts of an untied task, and what
 * destroys its variables. Each call may begin elsewhere. */
static VG_REGPARM(2) void on_function(Addr stack_pointer, Addr code) {
    const Addr top = stack_pointer + sizeof(Addr);
    if (current->enters) {
        add_record(LOOMP_CHECK_FUNCTION, (UInt)(current - threads), current->task, code, 0);
        task_state(current->task)->function = code;
        begin_task(current, stack_pointer);
    } else if (current->stack_end != 0 && top != current->stack_end &&
               (code == current->function || top > current->stack_end ||
                top < current->stack_begin)) {
        begin_task(current, stack_pointer);
    }
}
static VG_REGPARM(3) void on_read(Addr address, UWord size, Addr code) {
    if (address >= current->private_begin && address < current->private_end)
        note_pointer(current, address, size);
    else if (is_of_interest(current, address))
        note(current, address, size, kRead, code);
}
static VG_REGPARM(3) void on_write(Addr address, UWord size, Addr code) {
    if (is_of_interest(current, address))
        note(current, address, size, kWrite, code);
}
static VG_REGPARM(3) void on_atomic(Addr address, UWord size, Addr code) {
    if (is_of_interest(current, address))
        note(current, address, size, kAtomic, code);
}
/* In functions of the C library that copy and compare: accesses are the program's if it made the
 * call. The place is that of the call. */
static Addr caller = 0;
static VG_REGPARM(3) void on_allowed_read(Addr address, UWord size, Addr code) {
    (void)code;
    if (current->in_allowed)
        on_read(address, size, caller);
}
static VG_REGPARM(3) void on_allowed_write(Addr address, UWord size, Addr code) {
    (void)code;
    if (current->in_allowed)
        on_write(address, size, caller);
}

/* These functions read vectors, so also what lies behind the end of a string. A call has at most
 * two strings. */
enum { kFar = 256 };
static VG_REGPARM(3) void on_string_read(Addr address, UWord size, Addr code) {
    (void)code;
    if (!current->in_allowed || !VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ))
        return;
    for (UInt i = 0; i < 2; ++i)
        if (address > current->string_ends[i] && address - current->string_ends[i] < kFar)
            return;
    const HChar *byte = (const HChar *)address;
    for (UWord i = 0; i < size; ++i)
        if (byte[i] == '\0') {
            if (current->string_ends[0] != address + i) {
                current->string_ends[1] = current->string_ends[0];
                current->string_ends[0] = address + i;
            }
            size = i + 1;
        }
    on_read(address, size, caller);
}

/* --- The code that is examined ---------------------------------------------------------------- */

enum { kExcluded, kExamined, kCopies, kReadsStrings };

static Bool begins(const HChar *text, const HChar *with) {
    return VG_(strncmp)(text, with, VG_(strlen)(with)) == 0;
}

static Bool is_named(const HChar *path, const HChar *const *names) {
    const HChar *name = VG_(basename)(path);
    for (; *names != NULL; ++names)
        if (begins(name, *names))
            return True;
    return False;
}

/* Runtimes; libraries that synchronise by themselves. */
static const HChar *const kExcludedLibraries[] = {
    "libloomp",  "libgomp",  "libomp",  "libiomp",  "ld-linux",    "ld-",         "libpthread",
    "libstdc++", "libgcc_s", "libdl",   "librt",    "libgfortran", "libquadmath", "libmpi",
    "libmpich",  "libopen-", "libpmix", "libhwloc", "libevent",    "libucp",      "libuc",
    "libfabric", "libdw",    "libelf",  "libz.so",  "vgpreload",   NULL};
static const HChar *const kCLibrary[] = {"libc.so", "libc-", NULL};

static UInt examined(Addr code) {
    const DiEpoch epoch = VG_(current_DiEpoch)();
    const HChar *object = NULL;
    const VgSectKind section = VG_(DebugInfo_sect_kind)(NULL, code);
    if (section == Vg_SectPLT || section == Vg_SectGOTPLT)
        return kExcluded;
    if (!VG_(get_objname)(epoch, code, &object))
        return kExamined; /* made by the program while it runs */
    if (is_named(object, kExcludedLibraries))
        return kExcluded;
    if (!is_named(object, kCLibrary))
        return kExamined;
    const HChar *function = NULL;
    if (!VG_(get_fnname)(epoch, code, &function))
        return kExcluded;
    while (*function == '_')
        ++function;
    static const HChar *const copying[] = {"mem",    "str",   "wmem", "stpcpy",
                                           "rawmem", "bcopy", "bzero"};
    for (UInt i = 0; i < sizeof copying / sizeof *copying; ++i)
        if (begins(function, copying[i]) && !begins(function, "strerror") &&
            !begins(function, "strto"))
            return begins(function, "str") || begins(function, "stpcpy") ? kReadsStrings : kCopies;
    return kExcluded;
}

static void log_all(void);

static Bool is_of_system(const HChar *path) {
    return begins(path, "/usr/lib/") || begins(path, "/lib/") || begins(path, "/usr/lib64/") ||
           begins(path, "/lib64/");
}

/* The instruction of the program, or of a library that is no runtime, that has called the runtime's
 * or the C library's functions that the thread is in; 0: none. `is_allocation`: the observer's
 * malloc() is among those. */
static Addr calling_code(ThreadId thread, Bool *is_allocation) {
    enum { kFrames = 12 };
    static const HChar *const observer[] = {"libloomp-check", NULL};
    static const HChar *const languages[] = {"libstdc++", "libgfortran", "libc++", NULL};
    Addr code[kFrames];
    const UInt count = VG_(get_StackTrace)(thread, code, kFrames, NULL, NULL, 0);
    *is_allocation = False;
    for (UInt i = 0; i < count; ++i) {
        const HChar *object = NULL;
        if (!VG_(get_objname)(VG_(current_DiEpoch)(), code[i], &object))
            return code[i];
        if (is_named(object, observer))
            *is_allocation = True;
        else if (!is_named(object, kCLibrary) && !is_named(object, languages))
            return code[i];
    }
    return 0;
}

/* Memory that a runtime or a library of the system takes for itself: a BLAS, say, protects its
 * buffers by means that this tool does not see. */
static Bool is_of_library(Addr code) {
    const HChar *object = NULL, *function = NULL;
    if (code != 0 && VG_(get_fnname)(VG_(current_DiEpoch)(), code, &function) &&
        VG_(strcmp)(function, "blas_memory_alloc") ==
            0) /* OpenBLAS's, which programs may replace */
        return True;
    return code != 0 && VG_(get_objname)(VG_(current_DiEpoch)(), code, &object) &&
           (is_named(object, kExcludedLibraries) || is_of_system(object));
}

/* The dynamic linker maps the static data of the program's libraries. */
static Bool is_of_linker(Addr code) {
    static const HChar *const linkers[] = {"ld-linux", "ld-", NULL};
    const HChar *object = NULL;
    return code != 0 && VG_(get_objname)(VG_(current_DiEpoch)(), code, &object) &&
           is_named(object, linkers);
}

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

/* The answers for callers of copying functions, by address. */
enum { kCallers = 1 << 12 };
static struct {
    Addr code;
    UInt kind;
} callers[kCallers];

/* A task may end with a jump to the function: then the return address is the runtime's, at the top
 * of the task's frames. */
static VG_REGPARM(2) void on_copying(Addr return_address, Addr stack_pointer) {
    const UInt at = (UInt)(return_address * 0x9E3779B97F4A7C15ULL >> 52);
    if (callers[at].code != return_address) {
        callers[at].code = return_address;
        callers[at].kind = examined(return_address);
    }
    if (callers[at].kind >= kCopies)
        return; /* one calls the other */
    current->string_ends[0] = current->string_ends[1] = 0;
    current->in_allowed = callers[at].kind == kExamined;
    caller = return_address - 1;
    if (!current->in_allowed && !current->enters && current->function != 0 &&
        stack_pointer + sizeof(Addr) == current->stack_end) {
        current->in_allowed = True;
        caller = current->function;
    }
}

typedef VG_REGPARM(3) void (*Helper)(Addr, UWord, Addr);

static void call_with(IRSB *out, const HChar *name, Helper helper, IRExpr *address, Int size,
                      Addr code, IRExpr *guard) {
    IRExpr **arguments =
        mkIRExprVec_3(address, mkIRExpr_HWord((HWord)size), mkIRExpr_HWord((HWord)code));
    IRDirty *call = unsafeIRDirty_0_N(3, name, VG_(fnptr_to_fnentry)(helper), arguments);
    if (guard != NULL)
        call->guard = guard;
    addStmtToIRSB(out, IRStmt_Dirty(call));
}

static void add_read(IRSB *out, UInt kind, IRExpr *address, Int size, Addr code, IRExpr *guard) {
    const Helper helper = kind == kReadsStrings ? on_string_read
                          : kind == kCopies     ? on_allowed_read
                                                : on_read;
    call_with(out, "on_read", helper, address, size, code, guard);
}
static void add_write(IRSB *out, UInt kind, IRExpr *address, Int size, Addr code, IRExpr *guard) {
    call_with(out, "on_write", kind >= kCopies ? on_allowed_write : on_write, address, size, code,
              guard);
}

/* True if an instruction, whose mark is the statement before `i`, reads and writes as one: its load
 * is a part of that. */
static Bool is_atomic(const IRSB *block, Int i) {
    for (; i < block->stmts_used && block->stmts[i]->tag != Ist_IMark; ++i)
        if (block->stmts[i]->tag == Ist_CAS)
            return True;
    return False;
}

static IRSB *instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                        const VexGuestExtents *extents, const VexArchInfo *host, IRType guest_word,
                        IRType host_word) {
    (void)closure, (void)extents, (void)host, (void)guest_word, (void)host_word;
    IRSB *out = deepCopyIRSBExceptStmts(in);
    UInt kind = kExcluded;
    Addr code = 0;
    Bool atomic = False; /* the instruction */
    Bool first = True;   /* a call leads to the first instruction of a block */
    for (Int i = 0; i < in->stmts_used; ++i) {
        IRStmt *statement = in->stmts[i];
        if (statement == NULL || statement->tag == Ist_NoOp)
            continue;
        if (statement->tag == Ist_IMark) {
            code = statement->Ist.IMark.addr;
            kind = examined(code);
            atomic = is_atomic(in, i + 1);
            const HChar *function = NULL;
            const Bool may_be_entry = kind == kExamined && first &&
                                      !VG_(get_fnname)(VG_(current_DiEpoch)(), code, &function);
            first = False;
            if (may_be_entry ||
                (kind != kExcluded &&
                 VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), code, &function))) {
                addStmtToIRSB(out, statement);
                IRTemp stack = newIRTemp(out->tyenv, Ity_I64);
                addStmtToIRSB(out, IRStmt_WrTmp(stack, IRExpr_Get(layout->offset_SP, Ity_I64)));
                if (kind == kExamined) {
                    addStmtToIRSB(
                        out, IRStmt_Dirty(unsafeIRDirty_0_N(
                                 2, "on_function", VG_(fnptr_to_fnentry)(on_function),
                                 mkIRExprVec_2(IRExpr_RdTmp(stack), mkIRExpr_HWord((HWord)code)))));
                    continue;
                }
                IRTemp back = newIRTemp(out->tyenv, Ity_I64);
                addStmtToIRSB(
                    out, IRStmt_WrTmp(back, IRExpr_Load(Iend_LE, Ity_I64, IRExpr_RdTmp(stack))));
                addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(
                                       2, "on_copying", VG_(fnptr_to_fnentry)(on_copying),
                                       mkIRExprVec_2(IRExpr_RdTmp(back), IRExpr_RdTmp(stack)))));
                continue;
            }
        }
        if (kind == kExcluded) {
            addStmtToIRSB(out, statement);
            continue;
        }
        switch (statement->tag) {
        case Ist_WrTmp: {
            const IRExpr *data = statement->Ist.WrTmp.data;
            if (data->tag == Iex_Load && !atomic)
                add_read(out, kind, data->Iex.Load.addr, sizeofIRType(data->Iex.Load.ty), code,
                         NULL);
            break;
        }
        case Ist_Store: {
            const IRExpr *data = statement->Ist.Store.data;
            add_write(out, kind, statement->Ist.Store.addr,
                      sizeofIRType(typeOfIRExpr(in->tyenv, data)), code, NULL);
            break;
        }
        case Ist_StoreG: {
            const IRStoreG *store = statement->Ist.StoreG.details;
            add_write(out, kind, store->addr, sizeofIRType(typeOfIRExpr(in->tyenv, store->data)),
                      code, store->guard);
            break;
        }
        case Ist_LoadG: {
            const IRLoadG *load = statement->Ist.LoadG.details;
            IRType wide = Ity_INVALID, narrow = Ity_INVALID;
            typeOfIRLoadGOp(load->cvt, &wide, &narrow);
            add_read(out, kind, load->addr, sizeofIRType(narrow), code, load->guard);
            break;
        }
        case Ist_Dirty: {
            const IRDirty *dirty = statement->Ist.Dirty.details;
            if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
                add_read(out, kind, dirty->mAddr, dirty->mSize, code, dirty->guard);
            if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
                add_write(out, kind, dirty->mAddr, dirty->mSize, code, dirty->guard);
            break;
        }
        case Ist_CAS: {
            const IRCAS *swap = statement->Ist.CAS.details;
            const Int size = sizeofIRType(typeOfIRExpr(in->tyenv, swap->dataLo));
            call_with(out, "on_atomic", on_atomic, swap->addr,
                      swap->dataHi != NULL ? 2 * size : size, code, NULL);
            break;
        }
        default:
            break;
        }
        addStmtToIRSB(out, statement);
    }
    return out;
}

/* --- Events ----------------------------------------------------------------------------------- */

static Addr stack_pointer(ThreadId thread) {
    Addr value = 0;
    VG_(get_shadow_regs_area)(thread, (UChar *)&value, 0, offsetof(VexGuestAMD64State, guest_RSP),
                              sizeof value);
    return value;
}

/* The current task's code begins; the return address is the first of its frames. */
static void begin_task(Thread *thread, Addr stack_pointer) {
    TaskState *state = task_state(thread->task);
    thread->enters = False;
    state->begun = True;
    Addr begin = 0, end = 0;
    if (!find_stack(stack_pointer, &begin, &end))
        return;
    if (!thread->initial)
        end = stack_pointer + sizeof(Addr);
    begin_frames(thread->task, begin, end);
    state->stack_begin = begin;
    state->stack_end = end;
    enter_task(thread, thread->task);
}

static void log_all(void) {
    for (UInt i = 0; i < VG_N_THREADS; ++i)
        if (threads[i].lines != NULL)
            log_lines(&threads[i]);
}

/* The thread turns to a task, whose code may begin only now. */
static void start_task(Thread *thread, UInt task, Bool initial) {
    enter_task(thread, task);
    thread->enters = !task_state(task)->begun;
    thread->initial = initial;
    if (initial && thread->enters) /* the program has called the runtime in it */
        begin_task(thread, stack_pointer((ThreadId)(thread - threads)));
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

static void on_client_code(ThreadId number, ULong blocks) {
    (void)blocks;
    current = &threads[number];
    if (current->lines == NULL)
        make_lines(current, kFirstLines);
}

/* A child of fork() has its parent's file; its accesses are not examined. */
static void in_child(ThreadId number) {
    (void)number;
    logged = 0;
    log_file = -1;
}

static Bool on_option(const HChar *argument) {
    return VG_STR_CLO(argument, "--log-folder", log_folder);
}
static void print_usage(void) {}

/* The path of a file in the log's folder. */
static HChar *path_of(const HChar *name) {
    HChar *path = VG_(malloc)("path", VG_(strlen)(log_folder) + VG_(strlen)(name) + 2);
    VG_(sprintf)(path, "%s/%s", log_folder, name);
    return path;
}

static Int create(const HChar *name) {
    HChar *path = path_of(name);
    const SysRes opened =
        VG_(open)(path, VKI_O_CREAT | VKI_O_TRUNC | VKI_O_WRONLY, VKI_S_IRUSR | VKI_S_IWUSR);
    if (sr_isError(opened)) {
        VG_(umsg)("loomp: check: cannot make %s\n", path);
        VG_(exit)(1);
    }
    VG_(free)(path);
    return VG_(safe_fd)((Int)sr_Res(opened));
}

static void after_options(void) {
    threads = VG_(calloc)("threads", VG_N_THREADS, sizeof(Thread));
    current = &threads[0];
    make_lines(current, kFirstLines);
    if (log_folder == NULL)
        return;
    log_file = create(LOOMP_CHECK_LOG);
    VG_(atfork)(NULL, NULL, in_child);
}

/* By the map of the process addresses get their names. */
static void copy_maps(void) {
    const SysRes from = VG_(open)("/proc/self/maps", VKI_O_RDONLY, 0);
    if (sr_isError(from))
        return;
    const Int to = create(LOOMP_CHECK_MAPS);
    HChar part[4096];
    for (Int size; (size = VG_(read)((Int)sr_Res(from), part, sizeof part)) > 0;)
        if (VG_(write)(to, part, size) != size)
            break;
    VG_(close)((Int)sr_Res(from));
    VG_(close)(to);
}

static void at_end(Int status) {
    (void)status;
    log_all();
    write_log();
    if (log_file >= 0)
        copy_maps();
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
