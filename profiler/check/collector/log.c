#include "profiler/check/collector/log.h"

#include "profiler/check/protocol.h"

typedef struct loomp_check_record Record;

enum { kRecords = 1 << 14 };

static Int log_file = -1;
static Record log_buffer[kRecords];
static UInt logged = 0;
static const HChar *log_folder = NULL;

static void write_log(void) {
    const UInt count = logged;
    logged = 0;
    if (log_file >= 0 && !host_write(log_file, log_buffer, count * sizeof(Record)))
        host_fail("loomp: check: cannot write the log: the disk may be full", "");
}

void add_record(UInt kind, UInt thread, UWord a, UWord b, UWord c) {
    if (log_file < 0)
        return;
    if (logged == kRecords)
        write_log();
    const Record record = {kind, thread, a, b, c};
    log_buffer[logged++] = record;
}

void open_log(const HChar *folder) {
    log_folder = folder;
    log_file = host_create(folder, LOOMP_CHECK_LOG);
}

void leave_log(void) {
    logged = 0;
    log_file = -1;
}

void close_log(void) {
    write_log();
    if (log_file >= 0)
        host_copy_maps(log_folder, LOOMP_CHECK_MAPS);
}
