// A program or a library on disk, as the dynamic linker sees it.
#pragma once

#include <elf.h>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loomp::cli {

/// A 64-bit ELF file in memory. Every offset is checked against its size, because the file is a
/// user's.
class ElfFile {
  public:
    explicit ElfFile(const std::filesystem::path &path);
    ~ElfFile();
    ElfFile(const ElfFile &) = delete;
    ElfFile &operator=(const ElfFile &) = delete;

    /// Null if it is no such file; the other functions may not be called then.
    const Elf64_Ehdr *header() const;
    /// The dynamic linker that it needs; empty for a static program.
    std::string interpreter() const;
    /// The room that its thread-local data takes.
    std::size_t thread_data() const;
    /// True if it defines one of these functions itself.
    bool defines(std::span<const std::string_view> names) const;

    /// The entries of its dynamic section that name something, as pairs of tag and text: DT_NEEDED,
    /// DT_RPATH and so on. Empty if it has no sections.
    std::vector<std::pair<Elf64_Sxword, std::string_view>> dynamic_names() const;
    /// The versions that it needs of the library `file`, except those that it can do without.
    std::vector<std::string_view> versions_needed(std::string_view file) const;
    std::vector<std::string_view> versions_defined() const;

  private:
    template <typename T> std::span<const T> at(std::size_t offset, std::size_t count) const {
        if (bytes_ == nullptr || offset > size_ || count > (size_ - offset) / sizeof(T) ||
            offset % alignof(T) != 0)
            return {};
        return {reinterpret_cast<const T *>(bytes_ + offset), count};
    }
    std::span<const Elf64_Shdr> sections() const;
    /// A section with the strings that it refers to; empty strings if they are damaged.
    struct Section {
        const Elf64_Shdr *head = nullptr;
        std::span<const char> strings;
    };
    Section find_section(Elf64_Word type) const;

    const char *bytes_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace loomp::cli
