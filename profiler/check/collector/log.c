#include "profiler/check/collector/log.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "profiler/check/protocol.h"

/* Valgrind's own function, which its headers for tools do not have: moves a file's number out of
 * the program's reach. */
extern Int VG_(safe_fd)(Int file);

typedef struct loomp_check_record Record;

enum { kRecords = 1 << 14 };

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

void add_record(UInt kind, UInt thread, UWord a, UWord b, UWord c) {
    if (log_file < 0)
        return;
    if (logged == kRecords)
        write_log();
    const Record record = {kind, thread, a, b, c};
    log_buffer[logged++] = record;
}

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

void open_log(const HChar *folder) {
    log_folder = folder;
    log_file = create(LOOMP_CHECK_LOG);
}

void leave_log(void) {
    logged = 0;
    log_file = -1;
}

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

void close_log(void) {
    write_log();
    if (log_file >= 0)
        copy_maps();
}
