#include "profiler/recording/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace loomp::analysis {

MappedFile::MappedFile(const std::filesystem::path &path) {
    // Nonblocking, because the name may be a pipe's.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status = {};
    if (file < 0 || fstat(file, &status) != 0) {
        problem_ = std::strerror(errno);
    } else if (!S_ISREG(status.st_mode)) {
        problem_ = "not a regular file";
    } else if (status.st_size == 0) {
        problem_ = "empty";
    } else {
        const auto size = static_cast<std::size_t>(status.st_size);
        void *data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data == MAP_FAILED) {
            problem_ = std::strerror(errno);
        } else {
            data_ = static_cast<const std::byte *>(data);
            size_ = size;
            mapped_ = true;
        }
    }
    if (file >= 0)
        close(file);
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, false)), problem_(std::move(other.problem_)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
    std::swap(problem_, other.problem_);
    return *this;
}

MappedFile::~MappedFile() {
    if (mapped_)
        munmap(const_cast<std::byte *>(data_), size_);
}

} // namespace loomp::analysis
