#include "profiler/check/collector/access_tables.h"

#include "profiler/check/collector/log.h"
#include "profiler/check/collector/memory.h"
#include "profiler/check/protocol.h"

enum { kFirstPages = 1 << 4, kMostPages = 1 << 14 };

Thread *threads = NULL;
/* No memory has this address. */
static Page no_page = {.address = 1};
Thread no_thread = {.unwatched_size = ~(UWord)0, .recent = {[0 ... kRecent - 1] = &no_page}};
LOOMP_COLLECTOR_PER_THREAD Thread *current = &no_thread;

static TaskState *tasks = NULL;
static UInt tasks_space = 0;

TaskState *task_state(UInt number) {
    while (number >= tasks_space) {
        const UInt more = tasks_space == 0 ? 1024 : 2 * tasks_space;
        tasks = host_resized(tasks, more * sizeof(TaskState));
        host_clear(tasks + tasks_space, (more - tasks_space) * sizeof(TaskState));
        tasks_space = more;
    }
    return &tasks[number];
}

static void forget_recent(Thread *thread) {
    for (UInt i = 0; i < kRecent; ++i)
        thread->recent[i] = &no_page;
}

/* The hash table has a page's number + 1; 0: none. Half of it stays empty. */
static void make_places(Thread *thread, UInt space) {
    host_free(thread->places);
    thread->places = host_zeroed(space * sizeof *thread->places);
    thread->space = space;
}

static UInt *find_place(const Thread *thread, Addr page) {
    const UInt mask = thread->space - 1;
    UInt at = (UInt)(page / kPage * 0x9E3779B97F4A7C15ULL >> 40) & mask;
    while (thread->places[at] != 0 && thread->pages[thread->places[at] - 1]->address != page)
        at = (at + 1) & mask;
    return &thread->places[at];
}

static Page *add_page(Thread *thread, Addr address) {
    if (thread->used == thread->made) {
        thread->pages = host_resized(thread->pages, (thread->made + 1) * sizeof *thread->pages);
        thread->pages[thread->made++] = host_zeroed(sizeof(Page));
    }
    Page *page = thread->pages[thread->used++];
    page->address = address;
    return page;
}

static Page *find_page(Thread *thread, Addr address) {
    Page **recent = &thread->recent[address / kPage % kRecent];
    if ((*recent)->address == address)
        return *recent;
    if (is_full(thread))
        log_lines(thread);
    if (2 * thread->used >= thread->space) {
        make_places(thread, 4 * thread->space);
        for (UInt i = 0; i < thread->used; ++i)
            *find_place(thread, thread->pages[i]->address) = i + 1;
    }
    UInt *place = find_place(thread, address);
    if (*place == 0) {
        add_page(thread, address);
        *place = thread->used;
    }
    Page *page = thread->pages[*place - 1];
    if (address + kPage <= thread->private_begin || address >= thread->private_end)
        *recent = page;
    return page;
}

static void sort_pages(Page **pages, UInt count) {
    while (count > 16) {
        const Addr middle = pages[count / 2]->address;
        UInt low = 0, high = count - 1;
        for (;;) {
            while (pages[low]->address < middle)
                ++low;
            while (pages[high]->address > middle)
                --high;
            if (low >= high)
                break;
            Page *page = pages[low];
            pages[low++] = pages[high];
            pages[high--] = page;
        }
        /* Pages are different: those up to `high` are at most the middle one, the others at least.
         */
        const UInt below = high + 1;
        if (below < count - below) {
            sort_pages(pages, below);
            pages += below;
            count -= below;
        } else {
            sort_pages(pages + below, count - below);
            count = below;
        }
    }
    for (UInt i = 1; i < count; ++i) {
        Page *page = pages[i];
        UInt at = i;
        for (; at > 0 && pages[at - 1]->address > page->address; --at)
            pages[at] = pages[at - 1];
        pages[at] = page;
    }
}

/* The owners of ascending addresses. */
typedef struct {
    Addr from, until;
    UInt owner;
} Owners;

static UInt next_owner(Owners *owners, Addr address) {
    if (address < owners->from || address >= owners->until) {
        owners->from = address;
        owners->owner = owner_until(address, &owners->until);
    }
    return owners->owner;
}

/* A run of bytes of a kind that are next to each other, and have one owner. */
typedef struct {
    Addr begin, end, code;
    UInt owner;
} Run;

static const UInt kNames[kKinds] = {LOOMP_CHECK_READ, LOOMP_CHECK_ATOMIC, LOOMP_CHECK_WRITE};

static void log_run(const Run *run, UInt kind) {
    if (run->end != 0)
        add_record(kNames[kind], run->owner, run->begin, run->end - run->begin, run->code);
}

/* Adds the bytes of a line that have the bit of a kind, and no bit of a stronger one. */
static void add_line(Run *run, Owners *owners, Addr address, const Line *line, UInt kind) {
    ULong bits = line->bits[kind];
    for (UInt stronger = kind + 1; stronger < kKinds; ++stronger)
        bits &= ~line->bits[stronger];
    while (bits != 0) {
        const UInt byte = (UInt)__builtin_ctzll(bits);
        const ULong gaps = ~(bits >> byte);
        UInt stop = gaps != 0 ? byte + (UInt)__builtin_ctzll(gaps) : kLine;
        const Addr from = address + byte;
        const UInt owner = next_owner(owners, from);
        if (owners->until < address + stop)
            stop = (UInt)(owners->until - address);
        if (run->end != from || owner != run->owner) {
            log_run(run, kind);
            run->begin = from;
            run->owner = owner;
            run->code = line->code[kind];
        }
        run->end = address + stop;
        bits = stop < kLine ? bits >> stop << stop : 0;
    }
}

Bool is_full(const Thread *thread) { return thread->used >= kMostPages; }

/* Clears the bits of bytes that are not the program's. */
static void clean_lines(const Thread *thread, Page *page, Owners *owners, Addr *none_ignored) {
    for (ULong used = page->used; used != 0; used &= used - 1) {
        const UInt number = (UInt)__builtin_ctzll(used);
        const Addr address = page->address + number * kLine;
        ULong other = bits_between(address, thread->private_begin, thread->private_end);
        if (address + kLine > *none_ignored && next_owner(owners, address) == 0)
            other |= ignored_bits(address, none_ignored);
        for (UInt kind = 0; other != 0 && kind < kKinds; ++kind)
            page->lines[number].bits[kind] &= ~other;
    }
}

void log_lines(Thread *thread) {
    thread->held = 0;
    if (thread->used == 0)
        return;
    add_record(LOOMP_CHECK_ACCESSES, (UInt)(thread - threads), thread->task, 0, 0);
    sort_pages(thread->pages, thread->used);
    Owners owners = {0, 0, 0};
    Addr none_ignored = 0;
    for (UInt i = 0; i < thread->used; ++i)
        clean_lines(thread, thread->pages[i], &owners, &none_ignored);
    for (UInt kind = 0; kind < kKinds; ++kind) {
        Run run = {0, 0, 0, 0};
        for (UInt i = 0; i < thread->used; ++i) {
            const Page *page = thread->pages[i];
            for (ULong used = page->used; used != 0; used &= used - 1) {
                const UInt number = (UInt)__builtin_ctzll(used);
                add_line(&run, &owners, page->address + number * kLine, &page->lines[number], kind);
            }
        }
        log_run(&run, kind);
    }
    for (UInt i = 0; i < thread->used; ++i) {
        Page *page = thread->pages[i];
        for (; page->used != 0; page->used &= page->used - 1)
            host_clear(&page->lines[__builtin_ctzll(page->used)], sizeof(Line));
    }
    forget_recent(thread);
    enum { kKept = 1024 };
    while (thread->made > kKept && thread->made > 4 * thread->used)
        host_free(thread->pages[--thread->made]);
    if (thread->space > 4 * kKept && thread->space > 16 * thread->used)
        make_places(thread, 4 * kFirstPages);
    else
        host_clear(thread->places, thread->space * sizeof *thread->places);
    thread->used = 0;
}

void find_unwatched(Thread *thread) {
    thread->unwatched = 0;
    thread->unwatched_size = 0;
    if (thread->task == 0 || thread->paused) {
        thread->unwatched_size = ~(UWord)0;
        forget_recent(thread);
    } else if (!thread->creates && !thread->enters) {
        thread->unwatched = thread->stack_begin;
        thread->unwatched_size = thread->stack_end - thread->stack_begin;
    }
}

void enter_task(Thread *thread, UInt number) {
    thread->task = number;
    thread->enters = False;
    const TaskState *state = task_state(number);
    thread->creates = state->creates;
    thread->function = state->function;
    thread->stack_begin = state->stack_begin;
    thread->stack_end = state->stack_end;
    find_unwatched(thread);
}

void note(Thread *thread, Addr address, UWord size, UInt kind, Addr code) {
    while (size > 0) {
        const UWord offset = address % kLine;
        const UWord part = offset + size > kLine ? kLine - offset : size;
        Page *page = find_page(thread, address - address % kPage);
        const UWord number = address % kPage / kLine;
        Line *line = &page->lines[number];
        page->used |= 1ULL << number;
        line->bits[kind] |= (part == kLine ? ~0ULL : (1ULL << part) - 1) << offset;
        if (line->code[kind] == 0)
            line->code[kind] = code;
        address += part;
        size -= part;
    }
}

/* The current task's code begins; the return address is the first of its frames. */
void begin_task(Thread *thread, Addr stack_pointer) {
    TaskState *state = task_state(thread->task);
    thread->enters = False;
    state->begun = True;
    Addr begin = 0, end = 0;
    if (!host_find_stack(stack_pointer, &begin, &end))
        return;
    if (!thread->initial)
        end = stack_pointer + sizeof(Addr);
    begin = frames_below(stack_pointer, begin);
    begin_frames(thread->task, begin, end);
    state->stack_begin = begin;
    state->stack_end = end;
    enter_task(thread, thread->task);
}

void begin_at_access(Thread *thread) {
    begin_task(thread, host_stack_pointer((UInt)(thread - threads)));
}

void drop_lines(Thread *thread, Addr begin, Addr end) {
    for (UInt i = 0; i < thread->used; ++i) {
        Page *page = thread->pages[i];
        if (page->address >= end || page->address + kPage <= begin)
            continue;
        for (UInt number = 0; number < kPage / kLine; ++number)
            for (UInt kind = 0; kind < kKinds; ++kind)
                page->lines[number].bits[kind] &=
                    ~bits_between(page->address + number * kLine, begin, end);
    }
}

void note_pointer(Thread *thread, Addr address, UWord size) {
    if (size < sizeof(Addr) || thread->task == 0)
        return;
    const Addr *words = (const Addr *)address;
    for (UWord i = 0; i < size / sizeof(Addr); ++i) {
        const Addr word = words[i];
        if (word <= 0x10000 || word == thread->held || owner_of(word) != 0)
            continue;
        thread->held = word;
        add_record(LOOMP_CHECK_HELD, (UInt)(thread - threads), word, 0, 0);
    }
}

void log_all(void) {
    for (UInt i = 0; i < host_threads(); ++i)
        if (threads[i].places != NULL)
            log_lines(&threads[i]);
}

void make_threads(void) { threads = host_zeroed(host_threads() * sizeof(Thread)); }

void make_current(UInt number) {
    current = &threads[number];
    if (current->places != NULL)
        return;
    make_places(current, 4 * kFirstPages);
    forget_recent(current);
    find_unwatched(current);
}
