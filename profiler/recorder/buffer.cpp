#include "profiler/recorder/buffer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profiler/recorder/recorder.h"
#include "profiler/recorder/unnoticed.h"

namespace loomp::record {

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
    offset_ = pieces_ = 0;
    folder_ = folder;
    grow();
    if (piece_ == nullptr || ring_ != 0)
        return;
    const Header header{.thread = number};
    std::memcpy(static_cast<void *>(next_++), &header, sizeof header);
}

void Buffer::lose() {
    piece_ = nullptr;
    next_ = lost_;
    end_ = lost_ + kLost;
}

void Buffer::unmap() {
    if (piece_ != nullptr)
        munmap(piece_, kPiece);
}

int Buffer::map_piece() {
    char path[4096];
    std::snprintf(path, sizeof path, "%s/%s%u", folder_, ring_ == 0 ? kThreadPrefix : kRingPrefix,
                  number_);
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
    if (ring_ != 0)
        offset_ = pieces_ % ring_ * kPiece;
    else if (piece_ != nullptr)
        offset_ += kPiece;
    unmap();
    piece_ = nullptr;
    if (const int error = map_piece(); error != 0) {
        std::fprintf(stderr, "loomp: recording: thread %u stops after %zu bytes: %s\n", number_,
                     offset_, std::strerror(error));
        folder_ = nullptr;
        lose();
        return;
    }
    next_ = piece_;
    end_ = piece_ + kPiece / sizeof(Record);
    if (ring_ != 0)
        begin_piece();
}

/// Moves a ring to its next piece. A reader after a kill finds the old piece, no piece or the new
/// one. Only the compiler could change this order, because a killed thread's stores are in the
/// file.
void Buffer::begin_piece() {
    if (++pieces_ > ring_) {
        std::atomic_ref(piece_->event).store(Event::none, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        std::memset(static_cast<void *>(piece_), 0, kPiece);
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    add(Event::piece, now(), pieces_, kMagic, kVersion);
}

void Buffer::abandon() {
    unmap();
    folder_ = nullptr;
    lose();
}

} // namespace loomp::record
