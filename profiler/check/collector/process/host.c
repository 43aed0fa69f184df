#include "profiler/check/collector/process/process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library's own functions: the observer replaces malloc() and its kin. */
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

enum { kMostThreads = 4096 };
UInt host_threads(void) { return kMostThreads; }
Bool host_runs_one_thread(void) { return False; }

static void *checked(void *block) {
    if (block == NULL)
        host_fail("loomp: check: no memory for the accesses", "");
    return block;
}
void *host_zeroed(SizeT bytes) { return checked(__libc_calloc(1, bytes)); }
void *host_resized(void *block, SizeT bytes) { return checked(__libc_realloc(block, bytes)); }
void host_free(void *block) { __libc_free(block); }
void host_clear(void *memory, SizeT bytes) { __builtin_memset(memory, 0, bytes); }

/* The mappings of the process that were looked up. Those of stacks stay as long as their threads.
 */
typedef struct {
    Addr begin, end;
} Mapping;
enum { kMappings = 256 };
static Mapping mappings[kMappings];
static UInt mapping_count = 0;

/* The main thread's stack grows downwards. */
static Addr lowest_of_main_stack(Addr end) {
    struct rlimit limit;
    const Addr most = 1UL << 30;
    const Bool bounded = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < most;
    return end - (bounded ? limit.rlim_cur : most);
}

static Mapping look_up(Addr address) {
    Mapping found = {0, 0};
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    HChar text[4096];
    HChar line[128];
    UInt length = 0;
    for (ssize_t size; file >= 0 && (size = read(file, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < size; ++i) {
            if (text[i] != '\n') {
                if (length < sizeof line - 1)
                    line[length++] = text[i];
                continue;
            }
            line[length] = '\0';
            length = 0;
            HChar *next = NULL;
            const Addr begin = strtoul(line, &next, 16), end = strtoul(next + 1, &next, 16);
            if (address >= begin && address < end) {
                found.begin = begin;
                found.end = end;
            }
            if (found.end == end && strstr(line, "[stack]") != NULL)
                found.begin = lowest_of_main_stack(end);
        }
    close(file);
    return found;
}

Bool host_find_stack(Addr address, Addr *begin, Addr *end) {
    UInt i = 0;
    while (i < mapping_count && (address < mappings[i].begin || address >= mappings[i].end))
        ++i;
    if (i == mapping_count) {
        const Mapping found = look_up(address);
        if (found.end == 0)
            return False;
        if (mapping_count == kMappings)
            mapping_count = 0;
        i = mapping_count++;
        mappings[i] = found;
    }
    *begin = mappings[i].begin;
    *end = mappings[i].end;
    return True;
}

void forget_stacks(Addr begin, Addr end) {
    for (UInt i = 0; i < mapping_count;)
        if (mappings[i].begin < end && begin < mappings[i].end)
            mappings[i] = mappings[--mapping_count];
        else
            ++i;
}

/* The calling thread's. */
Addr host_stack_pointer(UInt thread) {
    (void)thread;
    return (Addr)__builtin_frame_address(0);
}

Int host_create(const HChar *folder, const HChar *name) {
    HChar path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        host_fail("loomp: check: cannot make ", path);
    return file;
}

Bool host_write(Int file, const void *from, SizeT bytes) {
    const HChar *next = from;
    while (bytes > 0) {
        const ssize_t written = write(file, next, bytes);
        if (written <= 0)
            return False;
        next += written;
        bytes -= (SizeT)written;
    }
    return True;
}

void host_copy_maps(const HChar *folder, const HChar *name) {
    const int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return;
    const int to = host_create(folder, name);
    HChar part[4096];
    for (ssize_t size; (size = read(from, part, sizeof part)) > 0;)
        if (!host_write(to, part, (SizeT)size))
            break;
    close(from);
    close(to);
}

void host_fail(const HChar *message, const HChar *name) {
    dprintf(STDERR_FILENO, "%s%s\n", message, name);
    syscall(SYS_exit_group, 1);
    __builtin_unreachable();
}
