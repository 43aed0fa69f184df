#include "profiler/check/collector/access_tables.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "profiler/check/collector/log.h"
#include "profiler/check/collector/memory.h"
#include "profiler/check/protocol.h"

enum { kFirstLines = 1 << 10, kMostLines = 1 << 20 };

Thread *threads = NULL; /* by valgrind's numbers */
Thread *current = NULL;

static TaskState *tasks = NULL;
static UInt tasks_space = 0;

TaskState *task_state(UInt number) {
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
    VG_(memset)(thread->recent, 0, sizeof thread->recent);
}

static Line *find_line(Thread *thread, Addr line) {
    const UInt mask = thread->space - 1;
    UInt at = (UInt)((line >> 6) * 0x9E3779B97F4A7C15ULL >> 40) & mask;
    while (thread->lines[at].line != 0 && thread->lines[at].line != line)
        at = (at + 1) & mask;
    return &thread->lines[at];
}

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

void log_lines(Thread *thread) {
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
    VG_(memset)(thread->recent, 0, sizeof thread->recent);
}

void enter_task(Thread *thread, UInt number) {
    thread->task = number;
    thread->enters = False;
    const TaskState *state = task_state(number);
    thread->creates = state->creates;
    thread->function = state->function;
    thread->stack_begin = state->stack_begin;
    thread->stack_end = state->stack_end;
}

void note(Thread *thread, Addr address, UWord size, UInt kind, Addr code) {
    while (size > 0) {
        const Addr line = address & ~(Addr)(kLine - 1);
        const UWord offset = address - line;
        const UWord part = offset + size > kLine ? kLine - offset : size;
        Line **recent = &thread->recent[line / kLine % kRecent];
        Line *found = *recent;
        if (found == NULL || found->line != line) {
            if (2 * thread->used >= thread->space)
                enlarge(thread);
            found = find_line(thread, line);
            if (found->line == 0) {
                found->line = line;
                ++thread->used;
            }
            *recent = found;
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

Addr stack_pointer(ThreadId thread) {
    Addr value = 0;
    VG_(get_shadow_regs_area)(thread, (UChar *)&value, 0, offsetof(VexGuestAMD64State, guest_RSP),
                              sizeof value);
    return value;
}

/* The current task's code begins; the return address is the first of its frames. */
void begin_task(Thread *thread, Addr stack_pointer) {
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

Bool is_of_interest(Thread *thread, Addr address) {
    if (thread->enters) /* its function has no symbol */
        begin_task(thread, stack_pointer((ThreadId)(thread - threads)));
    return thread->task != 0 && !thread->paused &&
           (thread->creates || address < thread->stack_begin || address >= thread->stack_end);
}

void log_all(void) {
    for (UInt i = 0; i < VG_N_THREADS; ++i)
        if (threads[i].lines != NULL)
            log_lines(&threads[i]);
}

void make_threads(void) {
    threads = VG_(calloc)("threads", VG_N_THREADS, sizeof(Thread));
    make_current(0);
}

void make_current(ThreadId number) {
    current = &threads[number];
    if (current->lines == NULL)
        make_lines(current, kFirstLines);
}
