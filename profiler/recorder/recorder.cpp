#include "profiler/recorder/recorder.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/diagnostics.h"
#include "platform/watched_stderr.h"
#include "profiler/recorder/control.h"
#include "profiler/recorder/labels.h"
#include "profiler/recorder/own_descriptors.h"
#include "profiler/recorder/unnoticed.h"

namespace loomp::record {

namespace {

constexpr std::size_t kPath = 4096;

struct ThreadBuffer {
    Buffer buffer;
    ThreadBuffer *next = nullptr; ///< in the list of all
};

struct Recorder {
    char folder[2048] = {}; ///< this process's folder; empty: nothing is recorded
    /// In a forked child that has not run OpenMP: the folder of the parent, which may have become
    /// the parent's own since. Otherwise empty.
    char parent[2048] = {};
    std::uint32_t forks = 0; ///< forks between the program and this process
    std::size_t ring = 0;    ///< pieces that are kept of each thread; 0: all
    std::mutex lock;         ///< guards the following
    ThreadBuffer *first = nullptr;
    std::uint32_t threads = 0;
};

constinit Recorder recorder;
constinit std::atomic<std::uint32_t> never_cleared{1};
/// A page; null if the kernel clears none in children, as before Linux 4.14.
constinit std::atomic<std::uint32_t> *cleared = nullptr;
constinit thread_local Buffer *mine = nullptr;

/// The time when the library was loaded, which is about the program's start. Constructors of
/// libraries that are loaded earlier may need it before note_load() runs.
std::uint64_t loaded() {
    static const std::uint64_t time = now();
    return time;
}

/// Adds to a file in the process' folder; returns an error's number.
int append_to(const char *path, const char *text, std::size_t size) {
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    if (file < 0)
        return errno;
    const int error = write(file, text, size) == static_cast<ssize_t>(size) ? 0 : errno;
    close(file);
    return error;
}

/// Stores a message that finds no stderr, for the reader of the recording.
void store_message(const char *line, std::size_t size) {
    if (recorder.folder[0] == '\0' || !is_owner())
        return;
    const Unnoticed unnoticed;
    char path[kPath];
    std::snprintf(path, sizeof path, "%s/%s", recorder.folder, kMessagesFile);
    with_descriptors([&] { return append_to(path, line, size); });
}

[[gnu::constructor]] void note_load() {
    loaded();
    core::watch_stderr(store_message);
}

/// Makes the page that the kernel clears in children.
void take_ownership() {
    const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void *const page =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    if (madvise(page, size, MADV_WIPEONFORK) != 0) {
        munmap(page, size);
        return;
    }
    cleared = new (page) std::atomic<std::uint32_t>{1};
    ownership.store(cleared, std::memory_order_release);
}

/// Makes a buffer for the calling new thread. The lock must be held.
Buffer &make_buffer() {
    auto *made = new ThreadBuffer;
    made->next = recorder.first;
    recorder.first = made;
    mine = &made->buffer;
    return *mine;
}

/// A forked child must not use its parent's files. Most children call exec() soon, so only one that
/// runs tasks or regions gets a folder. The lock must be held.
void leave_alone() {
    for (ThreadBuffer *thread_buffer = recorder.first; thread_buffer != nullptr;
         thread_buffer = thread_buffer->next)
        thread_buffer->buffer.abandon();
    if (recorder.folder[0] != '\0')
        std::memcpy(recorder.parent, recorder.folder, sizeof recorder.parent);
    recorder.folder[0] = '\0';
    ++recorder.forks;
    wanted_now.store(kForked, std::memory_order_relaxed);
    if (cleared != nullptr)
        cleared->store(1, std::memory_order_relaxed);
}

/// The only thread of a child that was forked without handlers calls this. No thread of the parent
/// can hold the lock: a child of several threads may not call the recorder then.
void notice_fork() {
    const std::lock_guard guard(recorder.lock);
    if (!is_owner())
        leave_alone();
}

[[gnu::noinline]] Buffer &first_event() {
    const std::lock_guard guard(recorder.lock);
    if (!is_owner())
        leave_alone();
    if (mine != nullptr)
        return *mine;
    Buffer &made = make_buffer();
    if (recorder.folder[0] != '\0')
        made.open(recorder.folder, ++recorder.threads, recorder.ring, recorder.forks);
    return made;
}

/// Makes a buffer for a forked child's thread. The lock must be held.
Buffer &buffer_of_child() { return mine != nullptr ? *mine : make_buffer(); }

/// The rank in the launcher's environment; null if there is none.
const char *rank() {
    for (const char *variable :
         {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MPI_RANKID", "SLURM_PROCID"})
        if (const char *value = std::getenv(variable); value != nullptr && *value != '\0')
            return value;
    return nullptr;
}

void note(const char *key, std::uint64_t value) {
    char line[64];
    const int size =
        std::snprintf(line, sizeof line, "%s %llu\n", key, static_cast<unsigned long long>(value));
    append(kInfoFile, line, static_cast<std::size_t>(size));
}

/// `began` is the time when the process' program began.
void write_info(std::uint64_t began) {
    note(kLoadedKey, began);
    char text[2048];
    char host[256] = "?";
    gethostname(host, sizeof host - 1);
    int size = std::snprintf(text, sizeof text, "%s %s\n%s %llu %llu\n%s %s\n", kHostKey, host,
                             kClockKey, static_cast<unsigned long long>(now()),
                             static_cast<unsigned long long>(now(CLOCK_REALTIME)), kClockNameKey,
                             clock_name());
    if (const char *number = rank())
        size += std::snprintf(text + size, sizeof text - static_cast<std::size_t>(size), "%s %s\n",
                              kRankKey, number);
    append(kInfoFile, text, static_cast<std::size_t>(size));
}

void release_after_fork() {
    lock_of_control().unlock();
    lock_of_labels().unlock();
    recorder.lock.unlock();
}

/// Converts the bytes in LOOMP_TRACE_LAST to pieces: at least two, of which one is full.
std::size_t ring_pieces() {
    const char *value = std::getenv("LOOMP_TRACE_LAST");
    if (value == nullptr || *value == '\0')
        return 0;
    char *end = nullptr;
    const unsigned long long bytes = std::strtoull(value, &end, 10);
    if (*end != '\0' || bytes < 2 * kPieceSize) {
        core::warn("recording: LOOMP_TRACE_LAST=%s: bytes of each thread are needed, %zu "
                   "or more; taken as %zu",
                   value, 2 * kPieceSize, 2 * kPieceSize);
        return 2;
    }
    return static_cast<std::size_t>(bytes / kPieceSize);
}

/// Makes the process' folder in `folder`. Its name is absolute, because the program may change its
/// current folder.
bool make_folder_in(const char *folder) {
    char absolute[PATH_MAX];
    char path[sizeof recorder.folder];
    const int size = std::snprintf(path, sizeof path, "%s/%s%d",
                                   realpath(folder, absolute) != nullptr ? absolute : folder,
                                   kProcessPrefix, static_cast<int>(getpid()));
    errno = ENAMETOOLONG;
    if (static_cast<std::size_t>(size) >= sizeof path || mkdir(path, 0777) != 0) {
        core::warn("recording: cannot make %s (%s): nothing is recorded; LOOMP_TRACE_DIR "
                   "must be a new folder that can be written",
                   path, std::strerror(errno));
        return false;
    }
    std::memcpy(recorder.folder, path, sizeof path);
    return true;
}

bool make_folder() {
    const Unnoticed unnoticed;
    take_ownership();
    Buffer::watch_threads();
    const char *folder = std::getenv("LOOMP_TRACE_DIR");
    if (folder == nullptr || *folder == '\0' || !make_folder_in(folder))
        return false;
    recorder.ring = ring_pieces();
    // No other thread may hold the locks that a child uses.
    pthread_atfork(
        [] {
            recorder.lock.lock();
            lock_of_labels().lock();
            lock_of_control().lock();
        },
        release_after_fork,
        [] {
            leave_alone();
            release_after_fork();
        });
    write_info(loaded());
    append_maps();
    begin_control();
    return true;
}

} // namespace

[[gnu::destructor]] static void note_end() { note(kEndedKey, now()); }

constinit std::atomic<const std::atomic<std::uint32_t> *> ownership{&never_cleared};

bool begin() {
    static const bool made = make_folder();
    return made;
}

Buffer &buffer() { return mine != nullptr && is_owner() ? *mine : first_event(); }

void append(const char *file, const char *text, std::size_t size) {
    if (!is_owner())
        notice_fork();
    if (recorder.folder[0] == '\0')
        return;
    const Unnoticed unnoticed;
    char path[kPath];
    std::snprintf(path, sizeof path, "%s/%s", recorder.folder, file);
    if (const int error = with_descriptors([&] { return append_to(path, text, size); }); error != 0)
        core::warn("recording: cannot write %s: %s", path, std::strerror(error));
}

void record_child() {
    const Unnoticed unnoticed;
    const std::lock_guard guard(recorder.lock);
    if (!is_owner())
        leave_alone();
    if (recorder.parent[0] == '\0')
        return;
    char parent[sizeof recorder.parent];
    std::memcpy(parent, recorder.parent, sizeof parent);
    recorder.parent[0] = '\0';
    const char *folder = std::getenv("LOOMP_TRACE_DIR");
    if (folder == nullptr || *folder == '\0')
        return;
    char beside[sizeof recorder.folder];
    std::snprintf(beside, sizeof beside, "%s%s%d", folder, kForkedSuffix,
                  static_cast<int>(getpid()));
    if (mkdir(beside, 0777) != 0 && errno != EEXIST)
        core::warn("recording: cannot make %s: %s", beside, std::strerror(errno));
    if (!make_folder_in(beside))
        return;
    char own[sizeof recorder.folder];
    std::memcpy(own, recorder.folder, sizeof own);
    std::memcpy(recorder.folder, parent, sizeof parent);
    note(kForkedKey, static_cast<std::uint64_t>(getpid()));
    std::memcpy(recorder.folder, own, sizeof own);
    // This is the only one of the parent's threads. Tasks from the parent keep their names, so new
    // ones get different names.
    recorder.threads = 0;
    begin_childs_labels();
    buffer_of_child().open(recorder.folder, ++recorder.threads, recorder.ring, recorder.forks);
    write_info(now());
    append_maps();
    go_on_in_child();
}

const char *clock_name() {
    // The clock begins with the machine, and a time namespace may shift it.
    static char name[128];
    static const bool made = [] {
        std::size_t size = 0;
        const int boot = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
        if (boot >= 0) {
            size = static_cast<std::size_t>(std::max<ssize_t>(read(boot, name, 36), 0));
            close(boot);
        }
        const ssize_t space = readlink("/proc/self/ns/time", name + size, sizeof name - 1 - size);
        name[size + static_cast<std::size_t>(std::max<ssize_t>(space, 0))] = '\0';
        return true;
    }();
    return made ? name : nullptr;
}

void append_maps() {
    if (!is_owner())
        notice_fork();
    if (recorder.folder[0] == '\0')
        return;
    const Unnoticed unnoticed;
    char path[kPath];
    std::snprintf(path, sizeof path, "%s/%s", recorder.folder, kMapsFile);
    const int error = with_descriptors([&] {
        const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
        if (maps < 0)
            return errno;
        char text[4096]; // threads may have small stacks
        ssize_t size = 0;
        int failed = 0;
        while (failed == 0 && (size = read(maps, text, sizeof text)) > 0)
            failed = append_to(path, text, static_cast<std::size_t>(size));
        close(maps);
        return failed;
    });
    if (error != 0)
        core::warn("recording: cannot write %s: %s", path, std::strerror(error));
}

} // namespace loomp::record
