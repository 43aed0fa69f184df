#include "profiler/check/collector/process/callers.h"

#include <link.h>
#include <string.h>
#include <unwind.h>

#include "profiler/check/collector/examined_code.h"
#include "profiler/check/runtimes.h"

enum { kProgram, kRuntime, kOfLanguage, kCLibrary, kObserver, kCollector, kLinker, kSystem };

typedef struct {
    Addr begin, end;
    UInt kind;
} Range;
enum { kMostRanges = 1024 };
static Range ranges[kMostRanges];
/* A reader that sees the count sees the ranges below it (release and acquire). Writers have the
 * collector's lock. */
static UInt range_count = 0;

static Bool is_named(const HChar *path, const HChar *const *names) {
    const HChar *slash = strrchr(path, '/');
    const HChar *name = slash != NULL ? slash + 1 : path;
    for (; *names != NULL; ++names)
        if (strncmp(name, *names, strlen(*names)) == 0)
            return True;
    return False;
}

static UInt kind_of_file(const HChar *path) {
    static const HChar *const observers[] = {"libloomp-check", NULL};
    static const HChar *const collectors[] = {"libtsan", "libclang_rt.tsan", NULL};
    static const HChar *const c_library[] = {"libc.so", "libc-", NULL};
    static const HChar *const languages[] = {"libstdc++", "libgfortran", "libc++", NULL};
    static const HChar *const linkers[] = {"ld-linux", "ld-", NULL};
    static const HChar *const runtimes[] = {LOOMP_CHECK_RUNTIMES, "linux-vdso", NULL};
    static const HChar *const folders[] = {"/usr/lib/", "/lib/", "/usr/lib64/", "/lib64/", NULL};
    if (is_named(path, observers))
        return kObserver;
    if (is_named(path, collectors))
        return kCollector;
    if (is_named(path, c_library))
        return kCLibrary;
    if (is_named(path, languages))
        return kOfLanguage;
    if (is_named(path, linkers))
        return kLinker;
    if (is_named(path, runtimes))
        return kRuntime;
    for (UInt i = 0; folders[i] != NULL; ++i)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return kSystem;
    return kProgram;
}

static const Range *find_range(Addr code) {
    const UInt count = __atomic_load_n(&range_count, __ATOMIC_ACQUIRE);
    for (UInt i = 0; i < count; ++i)
        if (code >= ranges[i].begin && code < ranges[i].end)
            return &ranges[i];
    return NULL;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    const UInt kind = kind_of_file(object->dlpi_name);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const Addr begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0 || range_count == kMostRanges ||
            find_range(begin) != NULL)
            continue;
        const Range range = {begin, begin + part->p_memsz, kind};
        ranges[range_count] = range;
        __atomic_store_n(&range_count, range_count + 1, __ATOMIC_RELEASE);
    }
    return 0;
}

/* Code that no file has was made by the program. */
static UInt kind_of(Addr code) {
    const Range *range = find_range(code);
    if (range == NULL) {
        dl_iterate_phdr(add_object, NULL);
        range = find_range(code);
    }
    return range != NULL ? range->kind : kProgram;
}

Bool is_examined(Addr code) {
    const Range *range = find_range(code);
    return range != NULL && range->kind == kProgram;
}

/* --- Frames ----------------------------------------------------------------------------------- */

typedef struct {
    UInt frames;
    Bool is_allocation;
    Addr code;
} Search;

static _Unwind_Reason_Code look_at_caller(struct _Unwind_Context *context, void *data) {
    enum { kFrames = 16 };
    Search *search = data;
    const Addr code = _Unwind_GetIP(context) - 1;
    const UInt kind = kind_of(code);
    if (kind == kObserver)
        search->is_allocation = True;
    else if (kind != kCLibrary && kind != kOfLanguage && kind != kCollector)
        search->code = code;
    return search->code != 0 || ++search->frames == kFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

Addr calling_code(UInt thread, Bool *is_allocation) {
    (void)thread;
    Search search = {0, False, 0};
    _Unwind_Backtrace(look_at_caller, &search);
    *is_allocation = search.is_allocation;
    return search.code;
}

Bool is_of_library(Addr code) { return code != 0 && kind_of(code) != kProgram; }
Bool is_of_linker(Addr code) { return code != 0 && kind_of(code) == kLinker; }

static _Unwind_Reason_Code look_for_program(struct _Unwind_Context *context, void *data) {
    Addr *found = data;
    const Addr code = _Unwind_GetIP(context);
    if (kind_of(code - 1) != kProgram)
        return _URC_NO_REASON;
    *found = code;
    return _URC_END_OF_STACK;
}

Addr call_of_program(UInt thread, Addr code) {
    (void)thread;
    if (is_of_library(code - 1))
        _Unwind_Backtrace(look_for_program, &code);
    return code;
}

typedef struct {
    Addr code, frame;
} Frame;

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *data) {
    Frame *frame = data;
    if (_Unwind_GetIP(context) != frame->code)
        return _URC_NO_REASON;
    frame->frame = _Unwind_GetCFA(context);
    return _URC_END_OF_STACK;
}

Addr frame_that_returns_to(Addr code) {
    Frame frame = {code, 0};
    _Unwind_Backtrace(look_at_frame, &frame);
    return frame.frame;
}
