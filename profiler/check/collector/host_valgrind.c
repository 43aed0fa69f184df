#include "profiler/check/collector/host.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

/* Valgrind's own functions, which its headers for tools do not have: the stack that contains an
 * address, if valgrind knows it; and to move a file's number out of the program's reach. */
extern void VG_(stack_limits)(Addr stack_pointer, Addr *begin, Addr *last);
extern Int VG_(safe_fd)(Int file);

UInt host_threads(void) { return VG_N_THREADS; }
Bool host_runs_one_thread(void) { return True; }

void *host_zeroed(SizeT bytes) { return VG_(calloc)("collector", 1, bytes); }
void *host_resized(void *block, SizeT bytes) { return VG_(realloc)("collector", block, bytes); }
void host_free(void *block) { VG_(free)(block); }
void host_clear(void *memory, SizeT bytes) { VG_(memset)(memory, 0, bytes); }

Bool host_find_stack(Addr address, Addr *begin, Addr *end) {
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

Addr host_stack_pointer(UInt thread) {
    Addr value = 0;
    VG_(get_shadow_regs_area)(thread, (UChar *)&value, 0, offsetof(VexGuestAMD64State, guest_RSP),
                              sizeof value);
    return value;
}

Int host_create(const HChar *folder, const HChar *name) {
    HChar *path = VG_(malloc)("path", VG_(strlen)(folder) + VG_(strlen)(name) + 2);
    VG_(sprintf)(path, "%s/%s", folder, name);
    const SysRes opened =
        VG_(open)(path, VKI_O_CREAT | VKI_O_TRUNC | VKI_O_WRONLY, VKI_S_IRUSR | VKI_S_IWUSR);
    if (sr_isError(opened))
        host_fail("loomp: check: cannot make ", path);
    VG_(free)(path);
    return VG_(safe_fd)((Int)sr_Res(opened));
}

Bool host_write(Int file, const void *from, SizeT bytes) {
    const HChar *next = from;
    while (bytes > 0) {
        const Int written = VG_(write)(file, next, (Int)bytes);
        if (written <= 0)
            return False;
        next += written;
        bytes -= (SizeT)written;
    }
    return True;
}

void host_copy_maps(const HChar *folder, const HChar *name) {
    const SysRes from = VG_(open)("/proc/self/maps", VKI_O_RDONLY, 0);
    if (sr_isError(from))
        return;
    const Int to = host_create(folder, name);
    HChar part[4096];
    for (Int size; (size = VG_(read)((Int)sr_Res(from), part, sizeof part)) > 0;)
        if (!host_write(to, part, (SizeT)size))
            break;
    VG_(close)((Int)sr_Res(from));
    VG_(close)(to);
}

void host_fail(const HChar *message, const HChar *name) {
    VG_(umsg)("%s%s\n", message, name);
    VG_(exit)(1);
    __builtin_unreachable();
}
