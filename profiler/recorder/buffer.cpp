#include "profiler/recorder/buffer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "platform/diagnostics.h"
#include "platform/threads.h"
#include "profiler/recorder/own_descriptors.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/unnoticed.h"

namespace loomp::record {

namespace {

constinit AtThreadEnd thread_end;
/// Set after thread_end, which other threads use then: release and acquire.
constinit std::atomic<bool> watches_threads{false};

constexpr std::size_t kLost = 64;
/// Nothing reads what threads without any memory write here, at the same time.
constinit Record lost_without_memory[kLost] = {};

} // namespace

void Buffer::watch_threads() {
    thread_end.watch([](void *buffer) { static_cast<Buffer *>(buffer)->leave_memory(); });
    watches_threads.store(true, std::memory_order_release);
}

void Buffer::open(const char *folder, std::uint32_t number, std::size_t ring, std::uint32_t forks) {
    // A forked child's tasks from its parent keep their names.
    constexpr std::uint32_t kNamesOfProcess = std::uint32_t{1} << 28;
    constexpr std::uint32_t kImplicitsOfProcess = std::uint32_t{1} << 24;
    constexpr std::uint32_t kMostForks = kFirstImplicit / kNamesOfProcess;
    names_ = forks % kMostForks * kNamesOfProcess;
    implicits_ = forks % kMostForks * kImplicitsOfProcess;
    number_ = number;
    ring_ = ring;
    piece_ = nullptr;
    next_ = end_ = nullptr;
    offset_ = pieces_ = used_ = 0;
    folder_ = folder;
    grow();
    if (piece_ == nullptr || ring_ != 0)
        return;
    const Header header{.thread = number};
    std::memcpy(static_cast<void *>(next_++), &header, sizeof header);
}

void Buffer::watch_end() {
    if (watched_ || !watches_threads.load(std::memory_order_acquire))
        return;
    watched_ = true;
    thread_end.set(this);
}

void Buffer::lose() {
    if (lost_ == nullptr)
        lost_ = new (std::nothrow) Record[kLost];
    next_ = lost_ != nullptr ? lost_ : lost_without_memory;
    end_ = next_ + kLost;
    watch_end();
}

void Buffer::unmap() {
    if (Record *const piece = std::exchange(piece_, nullptr))
        munmap(piece, kPiece);
    next_ = end_ = nullptr;
}

void Buffer::write_path(char (&path)[kPath]) const {
    std::snprintf(path, sizeof path, "%s/%s%u", folder_, ring_ == 0 ? kThreadPrefix : kRingPrefix,
                  number_);
}

int Buffer::map_piece() {
    char path[kPath];
    write_path(path);
    const int file = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    int error = EINTR;
    while (error == EINTR)
        error = posix_fallocate(file, static_cast<off_t>(offset_), kPiece);
    void *mapped = MAP_FAILED;
    if (error == 0) {
        mapped = mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file,
                      static_cast<off_t>(offset_));
        error = mapped == MAP_FAILED ? errno : 0;
    }
    ::close(file);
    piece_ = error == 0 ? static_cast<Record *>(mapped) : nullptr;
    return error;
}

void Buffer::grow() {
    const Unnoticed unnoticed;
    if (folder_ == nullptr) {
        lose();
        return;
    }
    unmap();
    const std::size_t used = std::exchange(used_, 0);
    if (used == 0)
        offset_ = (ring_ != 0 ? pieces_++ % ring_ : pieces_++) * kPiece;
    if (const int error = with_descriptors([this] { return map_piece(); }); error != 0) {
        core::warn("recording: thread %u stops after %zu bytes: %s", number_, offset_,
                   std::strerror(error));
        folder_ = nullptr;
        lose();
        return;
    }
    watch_end();
    next_ = piece_ + used;
    end_ = piece_ + kRecords;
    if (ring_ != 0 && used == 0)
        begin_piece();
}

/// Moves a ring to its next piece. A reader after a kill finds the old piece, no piece or the new
/// one. Only the compiler could change this order, because a killed thread's stores are in the
/// file.
void Buffer::begin_piece() {
    if (pieces_ > ring_) {
        std::atomic_ref(piece_->event).store(Event::none, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        std::memset(static_cast<void *>(piece_), 0, kPiece);
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    add(Event::piece, now(), pieces_, kMagic, kVersion);
}

void Buffer::leave_memory() {
    const Unnoticed unnoticed;
    watched_ = false;
    if (piece_ != nullptr) {
        const auto used = static_cast<std::size_t>(next_ - piece_);
        unmap();
        if (ring_ == 0 || pieces_ <= ring_) { // nothing follows the piece in the file
            char path[kPath];
            write_path(path);
            // The file may keep its length.
            (void)!truncate(path, static_cast<off_t>(offset_ + used * sizeof(Record)));
        }
        used_ = used % kRecords; // a full piece is followed by another
    }
    next_ = end_ = nullptr;
    delete[] std::exchange(lost_, nullptr);
}

void Buffer::abandon() {
    unmap();
    folder_ = nullptr;
}

} // namespace loomp::record
