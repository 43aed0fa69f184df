// The format of a recording on disk. The recorder writes it; `loomp trace` and `loomp report` read
// it.
//
// A folder holds one folder a process, process-PID, with
//   info           lines of "key value" (kRankKey and so on); the last one of a key counts
//   maps           /proc/self/maps at the beginning and at the end, to find out what addresses mean
//   communicators  a line each: its number, then the ranks in MPI_COMM_WORLD of its members, and of
//                  an intercommunicator a slash and those of the remote group
//   labels         a line each: its number, from 1 on, a blank, and a label of tasks, or the name
//                  of a region
//   messages       lines that the recorder could not print, because the program has closed stderr
//   thread-N       records of the thread that the recorder numbered N, from 1 on
//   ring-N         the same of which only the last are kept
// A thread's file is a header and records in order of time. The process maps the file, so every
// written record survives any end of the process. The file is longer than its content, which ends
// at the first record without an event. A ring has pieces of kPieceSize, which are reused in turn.
// A piece begins with a record of the event `piece`; other records follow. A piece that is about to
// be reused has no such record. Numbers are in the machine's byte order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::record {

inline constexpr std::uint64_t kMagic = 0x31'74'70'6d'6f'6f'6c'0aULL; // "\nloompt1"
/// Version 5 added mutexes.
inline constexpr std::uint32_t kVersion = 5;
/// The oldest version that is still read.
inline constexpr std::uint32_t kOldestVersion = 4;
constexpr bool is_readable(std::uint32_t version) {
    return kOldestVersion <= version && version <= kVersion;
}

inline constexpr const char *kInfoFile = "info";
inline constexpr const char *kMapsFile = "maps";
inline constexpr const char *kCommunicatorsFile = "communicators";
inline constexpr const char *kLabelsFile = "labels";
inline constexpr const char *kMessagesFile = "messages";
inline constexpr const char *kProcessPrefix = "process-";
inline constexpr const char *kThreadPrefix = "thread-";
inline constexpr const char *kRingPrefix = "ring-";
inline constexpr std::size_t kPieceSize = std::size_t{1} << 20;

inline constexpr const char *kRankKey = "rank";       ///< in MPI_COMM_WORLD; absent: unknown
inline constexpr const char *kHostKey = "host";       ///< its name
inline constexpr const char *kRuntimeKey = "runtime"; ///< name of the OpenMP runtime
inline constexpr const char *kClockKey = "clock"; ///< CLOCK_MONOTONIC and, then, CLOCK_REALTIME, ns
inline constexpr const char *kClockNameKey =
    "clock-name"; ///< equal in processes that share CLOCK_MONOTONIC
/// If ranks have several clocks: one line for the first rank of each clock but rank 0's, when MPI
/// begins and ends. It holds CLOCK_MONOTONIC, the offset to rank 0's, and that offset's error, ns.
inline constexpr const char *kOffsetKey = "offset";
/// A counter's name; one line per counter.
inline constexpr const char *kCounterKey = "counter";
/// The counter that is the thread's CPU clock, ns.
inline constexpr const char *kCpuTimeCounter = "CPU_TIME_NS";
/// CLOCK_MONOTONIC, ns, when the recorder was loaded and unloaded; a killed process has no second
/// one.
inline constexpr const char *kLoadedKey = "loaded";
inline constexpr const char *kEndedKey = "ended";
/// The number of a forked child that ran tasks or regions. Its folder has the name of the trace's,
/// followed by this key and the number.
inline constexpr const char *kForkedKey = "forked";
inline constexpr const char *kForkedSuffix = ".forked-";
/// There are records of device constructs.
inline constexpr const char *kDevicesKey = "devices";
/// The program wants no recording between the times of kStopKey and the next kStartKey
/// (CLOCK_MONOTONIC, ns). Records between them exist only because later ones need them.
inline constexpr const char *kStopKey = "stop";
inline constexpr const char *kStartKey = "start";

struct Header {
    std::uint64_t magic = kMagic;
    std::uint32_t version = kVersion;
    std::uint32_t thread = 0;
    std::uint64_t reserved[2] = {};
};

enum class Event : std::uint32_t {
    none,           ///< the end
    implicit_begin, ///< task: an implicit one; other: its region's name, or 0; detail:
                    ///< ompt_task_flag_t
                    ///< ompt_task_flag_t
    implicit_end,   ///< task
    create,         ///< task: the new one; other: address in the code; detail: ompt_task_flag_t,
                    ///< and its label's number << kLabelShift
    dependence,     ///< task; other: the location; detail: ompt_dependence_type_t
    schedule,       ///< task: the prior one; other: the next or 0; detail: ompt_task_status_t
    // MPI calls of the thread's current task. A request is named by its handle, or, with kOwn in
    // the detail, by a number that the recorder gave it: that of a blocking call. A handle means
    // the use that was started last. A started operation has the time when its call returned, if it
    // has a handle: then all uses of a handle are in order, whichever threads they are on.
    enter_call,  ///< detail: Function
    leave_call,  ///< detail: Function
    envelope,    ///< belongs to the next record; task: pack(peer, tag); other: communicator
    initialize,  ///< a persistent request; task: its handle; other: bytes; detail: Kind
    start,       ///< task: the request, or the message that a probe has matched; other: bytes;
                 ///< detail: Kind, kOwn
    start_of,    ///< a persistent request; task: its handle; other: the initialized one
    completions, ///< finish events follow; other: begin of the call that found them; task: the task
                 ///< they complete for; 0: the thread's task
                 ///< which, whatever the thread is in; 0: that
    finish,      ///< task: the request; other: pack(source, tag) of a receive, or with kOwn the
                 ///< bytes of others; detail: kOwn, kCancelled, also if its call failed
    // A task waits for others; it may be suspended meanwhile, and other tasks run on its thread.
    wait_begin, ///< task; other: address in the code, or 0; detail: ompt_sync_region_t
    wait_end,   ///< like wait_begin
    // The values of the thread's counters at the time of the next record, two a record.
    counters, ///< detail: the position of the first, by the lines of kCounterKey; task: its value;
              ///< other: that of the next
    piece,    ///< the first of a ring's piece; task: how many there were, from 1 on; other: kMagic;
              ///< detail: kVersion
    region,   ///< a parallel one begins; task: its name, of which no task is; other: address in the
              ///< code
    // An implicit task is in a worksharing construct.
    work_begin, ///< task; other: address in the code; detail: ompt_work_t
    work_end,   ///< like work_begin
    // Regions that the program names, of a task, or, with the task 0, of the thread.
    user_begin, ///< task; other: its name's number, as of labels
    user_end,   ///< like user_begin; detail: kInnermost
    deleted,    ///< task: its memory is given back, by any thread
    // Device constructs have names among those of tasks. The thread that begins their work on a
    // device reports it in pairs; it may complete later.
    target_begin,     ///< task: the construct; other: address in the code; detail:
                      ///< on_device(ompt_target_t, its device)
    target_of,        ///< task: the construct of the record before; other: the task that is in it
    target_end,       ///< task: the construct has begun all that it is to begin
    target_completed, ///< task: the construct, of which nothing is left to be done
    device_begin,     ///< task: the construct, or 0; other: bytes; detail: on_device(DeviceWork, d)
    device_end,       ///< like device_begin
    // More of MPI.
    passed_on, ///< task: the handle that a started receive now has; other: its handle before
    freed,     ///< task: a handle that means nothing from now on; other: begin of the call
    cancel,    ///< task: a request's handle; other: begin of the call. Only its end tells whether
               ///< it is cancelled
    // The thread's current task has a mutex: a critical section, a lock or an ordered region.
    mutex_acquired, ///< task: the mutex
    mutex_released, ///< task: the mutex, which others may have by now
    mutex_made,     ///< task: a mutex that is none of those that had this name before
};

/// The detail of a wait for a mutex, beside those of ompt_sync_region_t: kMutexWait | ompt_mutex_t.
inline constexpr std::uint32_t kMutexWait = 0x100;

/// The kinds of device work.
enum class DeviceWork : std::uint32_t { kernel, copy_to, copy_from };
/// Packs a kind and a device's number; kernels run on the construct's device.
constexpr std::uint32_t on_device(std::uint32_t kind, int device) {
    return static_cast<std::uint32_t>(device) << 16 | (kind & 0xffff);
}
constexpr std::uint32_t device_of(std::uint32_t detail) { return detail >> 16; }
constexpr std::uint32_t kind_of(std::uint32_t detail) { return detail & 0xffff; }

/// A user_end without a name ends the region that began last.
inline constexpr std::uint32_t kInnermost = 1;

/// Labels have 16 bits that ompt_task_flag_t leaves free; 0: none.
inline constexpr std::uint32_t kLabelShift = 8;
inline constexpr std::uint32_t kMostLabels = 0xfffe;
constexpr std::uint32_t label_of(std::uint32_t detail) { return detail >> kLabelShift & 0xffff; }

/// The kind of a request; the first three bits of its detail.
enum class Kind : std::uint32_t { send, synchronous_send, receive, collective };
inline constexpr std::uint32_t kKindMask = 7;
inline constexpr std::uint32_t kOwn = 8;
inline constexpr std::uint32_t kCancelled = 16;

/// A peer or tag that matches any.
inline constexpr std::uint32_t kAny = ~std::uint32_t{0};
constexpr std::uint64_t pack(std::uint32_t peer, std::uint32_t tag) {
    return std::uint64_t{peer} << 32 | tag;
}
constexpr std::uint32_t peer_of(std::uint64_t packed) {
    return static_cast<std::uint32_t>(packed >> 32);
}
constexpr std::uint32_t tag_of(std::uint64_t packed) { return static_cast<std::uint32_t>(packed); }

/// The thread that created a task and the thread's count, from 1 on, name the task; 0 is none.
constexpr std::uint64_t task_name(std::uint32_t thread, std::uint32_t number) {
    return std::uint64_t{thread} << 32 | number;
}
/// Numbers from here on belong to implicit tasks. They are recognised even if their beginning is
/// not recorded.
inline constexpr std::uint32_t kFirstImplicit = 0xf000'0000;
/// A number that no task of a thread has.
inline constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};
/// The number of a thread's next task. They begin again rather than be those of implicit tasks.
constexpr std::uint32_t next_number(std::uint32_t number) {
    return number < kFirstImplicit - 1 ? number + 1 : 1;
}
constexpr std::uint32_t thread_of(std::uint64_t task) {
    return static_cast<std::uint32_t>(task >> 32);
}
constexpr std::uint32_t number_of(std::uint64_t task) { return static_cast<std::uint32_t>(task); }
constexpr bool is_implicit(std::uint64_t task) { return number_of(task) >= kFirstImplicit; }

struct Record {
    std::uint64_t time; ///< CLOCK_MONOTONIC, ns
    std::uint64_t task;
    std::uint64_t other;
    std::uint32_t detail;
    Event event; ///< written last
};

static_assert(sizeof(Header) == sizeof(Record) && sizeof(Record) == 32);

} // namespace loomp::record
