// The files of an OTF2 archive, as far as any tool writes them: an anchor file that says what there
// is, and files of records, which are divided into chunks of one size.
//
// All is read from memory and nothing taken for granted: what does not fit ends a file there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "profiler/archive/archive_bytes.h"

namespace loomp::analysis::archive {

struct Anchor {
    std::uint64_t event_chunk = 0;
    std::uint64_t definition_chunk = 0;
    std::uint64_t locations = 0;
    std::string creator;
};

/// Throws std::runtime_error, saying what is wrong with it.
Anchor read_anchor(std::span<const std::byte> file);

/// The records of a file, one after the other.
class RecordFile {
  public:
    /// A chunk size of 0: of that of the file.
    RecordFile(std::span<const std::byte> file, std::uint64_t chunk_size);

    /// The type of the next record, whose content begins at bytes(); nothing at the file's end,
    /// and where it is damaged.
    std::optional<std::uint8_t> next();
    Bytes &bytes() { return bytes_; }
    /// Nothing is read any more; damage() is `what`, unless it has been said already.
    void stop(const char *what);
    /// Why the file ended before it said so; null if it did say so, or has not ended.
    const char *damage() const { return damage_; }
    /// Where the record begins that next() has looked for last.
    std::size_t position() const { return position_; }

  private:
    bool open_chunk(std::size_t begin);

    std::span<const std::byte> file_;
    std::uint64_t chunk_size_;
    std::size_t begin_ = 0; ///< of the chunk
    std::size_t size_ = 0;
    std::size_t position_ = 0;
    Bytes bytes_; ///< what is left of the chunk
    bool ended_ = false;
    const char *damage_ = nullptr;
};

} // namespace loomp::analysis::archive
