// A read-only file in memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace loomp::analysis {

class MappedFile {
  public:
    MappedFile() = default;
    /// Empty if it cannot be read or has no bytes.
    explicit MappedFile(const std::filesystem::path &path);
    /// Refers to bytes whose owner keeps them longer.
    explicit MappedFile(std::span<const std::byte> bytes)
        : data_(bytes.data()), size_(bytes.size()) {}
    MappedFile(MappedFile &&other) noexcept;
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;
    MappedFile &operator=(MappedFile &&other) noexcept;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    /// The system's reason why it is empty, such as "No such file or directory"; empty if it has
    /// been read.
    const std::string &problem() const { return problem_; }

  private:
    const std::byte *data_ = nullptr;
    std::size_t size_ = 0;
    bool mapped_ = false;
    std::string problem_;
};

} // namespace loomp::analysis
