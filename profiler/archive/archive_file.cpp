#include "profiler/archive/archive_file.h"

#include <algorithm>
#include <stdexcept>

namespace loomp::analysis::archive {

namespace {

// The types of records that divide files.
enum : std::uint8_t { kEndOfChunk = 0, kEndOfFile = 2, kChunk = 3 };
enum : std::uint8_t { kBigEndian = 0x23, kLittleEndian = 0x42 };
constexpr std::uint8_t kAnchorFormat = 3;
enum : std::uint8_t { kPosix = 1, kSion = 2 };
constexpr std::uint8_t kUncompressed = 1;

constexpr const char *kCutOff = "it is cut off there";

/// Returns whether a chunk begins here. Its header sets the byte order of its numbers.
bool read_header(Bytes &bytes) {
    const std::uint8_t type = bytes.byte();
    const std::uint8_t order = bytes.byte();
    bytes.set_big_endian(order == kBigEndian);
    return type == kChunk && (order == kBigEndian || order == kLittleEndian);
}

} // namespace

Anchor read_anchor(std::span<const std::byte> file) {
    Bytes bytes(file);
    if (!read_header(bytes) || bytes.text() != "OTF2")
        throw std::runtime_error("no OTF2 archive, or one that is damaged at its very beginning");
    const std::uint8_t format = bytes.byte();
    if (format > kAnchorFormat)
        throw std::runtime_error("an OTF2 archive of format " + std::to_string(format) +
                                 ", and this loomp reads formats up to " +
                                 std::to_string(kAnchorFormat) + ": a newer one is needed");
    bytes.skip(4); // format of the trace and version of the library; both may only add to it
    Anchor anchor;
    anchor.event_chunk = bytes.full64();
    anchor.definition_chunk = bytes.full64();
    const std::uint8_t substrate = bytes.byte();
    const std::uint8_t compression = bytes.byte();
    anchor.locations = bytes.full64();
    bytes.skip(8); // the number of definitions
    bytes.text();  // the machine's name
    anchor.creator = bytes.text();
    if (bytes.failed())
        throw std::runtime_error("cut off: the " + std::to_string(file.size()) +
                                 " bytes of an OTF2 archive's first file are too few");
    if (substrate == kSion)
        throw std::runtime_error("an OTF2 archive in SIONlib's files, which loomp does not read: "
                                 "record it with OTF2's POSIX substrate");
    if (substrate != kPosix || format == 0)
        throw std::runtime_error("a damaged OTF2 archive: its first file says what cannot be");
    if (compression != kUncompressed)
        throw std::runtime_error("a compressed OTF2 archive, which loomp does not read: record it "
                                 "without compression");
    return anchor;
}

RecordFile::RecordFile(std::span<const std::byte> file, std::uint64_t chunk_size)
    : file_(file), chunk_size_(chunk_size == 0 ? file.size() + 1 : chunk_size) {
    if (file.empty())
        stop("it is missing or empty");
    else
        open_chunk(0);
}

bool RecordFile::open_chunk(std::size_t begin) {
    if (begin >= file_.size()) {
        stop(kCutOff);
        return false;
    }
    position_ = begin;
    begin_ = begin;
    size_ = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_size_, file_.size() - begin));
    bytes_ = Bytes(file_.subspan(begin_, size_));
    const bool good = read_header(bytes_);
    bytes_.skip(16); // the numbers of its first and last record
    if (good && !bytes_.failed())
        return true;
    stop(good ? kCutOff : "what is there is no part of an OTF2 archive");
    return false;
}

std::optional<std::uint8_t> RecordFile::next() {
    while (!ended_) {
        position_ = begin_ + size_ - bytes_.left();
        if (bytes_.left() == 0) {
            stop(kCutOff);
            break;
        }
        const std::uint8_t type = bytes_.byte();
        if (type == kEndOfChunk) {
            // Sizes are below the file's, so this sum cannot overflow.
            open_chunk(begin_ + size_);
        } else if (type == kEndOfFile) {
            ended_ = true;
        } else {
            return type;
        }
    }
    return {};
}

void RecordFile::stop(const char *what) {
    ended_ = true;
    const bool beyond = bytes_.failed() && begin_ + size_ == file_.size() && size_ < chunk_size_;
    if (damage_ == nullptr)
        damage_ = beyond ? kCutOff : what;
}

} // namespace loomp::analysis::archive
