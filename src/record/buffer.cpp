#include "record/buffer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace loomp::record {

void Buffer::open(const char *folder, std::uint32_t number) {
    number_ = number;
    char path[4096];
    std::snprintf(path, sizeof path, "%s/%s%u", folder, kThreadPrefix, number);
    file_ = ::open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0)
        std::fprintf(stderr, "loomp: recording: cannot write %s: %s\n", path, std::strerror(errno));
    grow();
    if (piece_ == nullptr)
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

void Buffer::grow() {
    if (end_ == lost_ + kLost || file_ < 0) {
        lose();
        return;
    }
    if (piece_ != nullptr)
        offset_ += kPiece;
    unmap();
    piece_ = nullptr;
    int error = posix_fallocate(file_, static_cast<off_t>(offset_), kPiece);
    void *mapped = MAP_FAILED;
    if (error == 0) {
        mapped = mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file_,
                      static_cast<off_t>(offset_));
        error = errno;
    }
    if (mapped == MAP_FAILED) {
        std::fprintf(stderr, "loomp: recording: thread %u stops after %zu bytes: %s\n", number_,
                     offset_, std::strerror(error));
        lose();
        return;
    }
    piece_ = static_cast<Record *>(mapped);
    next_ = piece_;
    end_ = piece_ + kPiece / sizeof(Record);
}

void Buffer::abandon() {
    unmap();
    if (file_ >= 0)
        ::close(file_);
    file_ = -1;
    lose();
}

} // namespace loomp::record
