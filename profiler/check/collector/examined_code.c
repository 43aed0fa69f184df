#include "profiler/check/collector/examined_code.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_stacktrace.h"

#include "profiler/check/runtimes.h"

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

static const HChar *const kExcludedLibraries[] = {LOOMP_CHECK_RUNTIMES, "vgpreload", NULL};
static const HChar *const kCLibrary[] = {"libc.so", "libc-", NULL};

UInt examined(Addr code) {
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

static Bool is_of_system(const HChar *path) {
    return begins(path, "/usr/lib/") || begins(path, "/lib/") || begins(path, "/usr/lib64/") ||
           begins(path, "/lib64/");
}

Addr calling_code(UInt thread, Bool *is_allocation) {
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

Addr call_of_program(UInt thread, Addr code) {
    enum { kFrames = 16 };
    static const HChar *const observer[] = {"libloomp-check", NULL};
    Addr found[kFrames];
    if (!is_of_library(code - 1))
        return code;
    const UInt count = VG_(get_StackTrace)(thread, found, kFrames, NULL, NULL, 0);
    for (UInt i = 0; i < count; ++i) {
        const HChar *object = NULL;
        if (!VG_(get_objname)(VG_(current_DiEpoch)(), found[i], &object) ||
            (!is_of_library(found[i]) && !is_named(object, observer)))
            return found[i] + 1;
    }
    return code;
}

Bool is_of_library(Addr code) {
    const HChar *object = NULL, *function = NULL;
    if (code != 0 && VG_(get_fnname)(VG_(current_DiEpoch)(), code, &function) &&
        VG_(strcmp)(function, "blas_memory_alloc") ==
            0) /* OpenBLAS's, which programs may replace */
        return True;
    return code != 0 && VG_(get_objname)(VG_(current_DiEpoch)(), code, &object) &&
           (is_named(object, kExcludedLibraries) || is_of_system(object));
}

Bool is_of_linker(Addr code) {
    static const HChar *const linkers[] = {"ld-linux", "ld-", NULL};
    const HChar *object = NULL;
    return code != 0 && VG_(get_objname)(VG_(current_DiEpoch)(), code, &object) &&
           is_named(object, linkers);
}
