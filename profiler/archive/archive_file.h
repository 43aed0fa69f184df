// The files of an OTF2 archive that tools write: an anchor file that lists the contents, and files
// of records. Record files are divided into chunks of one size.
//
// Damage ends a file at that place; nothing in it is trusted.
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

/// Throws std::runtime_error with the reason.
Anchor read_anchor(std::span<const std::byte> file);

/// Reads the records of a file in order.
class RecordFile {
  public:
    /// Chunk size 0 means that the whole file is one chunk.
    RecordFile(std::span<const std::byte> file, std::uint64_t chunk_size);

    /// The type of the next record, whose content begins at bytes(). Empty at the file's end or at
    /// damage.
    std::optional<std::uint8_t> next();
    Bytes &bytes() { return bytes_; }
    /// Stops reading. damage() then returns `what`, unless damage was found earlier.
    void stop(const char *what);
    /// The reason why the file ended too early; null if it has not.
    const char *damage() const { return damage_; }
    /// The beginning of the record that next() tried to read last.
    std::size_t position() const { return position_; }

  private:
    bool open_chunk(std::size_t begin);

    std::span<const std::byte> file_;
    std::uint64_t chunk_size_;
    std::size_t begin_ = 0; ///< the chunk's begin
    std::size_t size_ = 0;
    std::size_t position_ = 0;
    Bytes bytes_; ///< what is left of the chunk
    bool ended_ = false;
    const char *damage_ = nullptr;
};

} // namespace loomp::analysis::archive
