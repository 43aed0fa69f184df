// OTF2's encodings, read from memory that may be damaged.
//
// A "full" number has as many bytes as its type. A compressed number begins with a byte that says
// how many follow: 0 for the number 0, 255 for the type's greatest. A record begins with its
// length: one byte, or 255 and a full number of 8 bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

namespace loomp::analysis::archive {

/// A position in some bytes. A read beyond their end, or of something that is no number, returns 0,
/// and so does every later read. failed() reports it, so one check at the end of a record is
/// enough.
class Bytes {
  public:
    Bytes() = default;
    explicit Bytes(std::span<const std::byte> bytes)
        : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    bool failed() const { return failed_; }
    std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
    /// Later numbers begin with their most significant byte, if `big`.
    void set_big_endian(bool big) { big_ = big; }

    std::uint8_t byte() {
        if (!need(1))
            return 0;
        return static_cast<std::uint8_t>(*next_++);
    }
    std::uint64_t full64() { return take(8); }
    std::uint64_t number64() { return number<std::uint64_t>(); }
    std::uint32_t number32() { return number<std::uint32_t>(); }
    /// Reads a string up to its terminating zero.
    std::string_view text() {
        const void *zero = left() == 0 ? nullptr : std::memchr(next_, 0, left());
        if (zero == nullptr) {
            fail();
            return {};
        }
        const auto *begin = reinterpret_cast<const char *>(next_);
        const std::string_view found(begin, static_cast<const char *>(zero) - begin);
        next_ += found.size() + 1;
        return found;
    }
    void skip(std::uint64_t count) {
        if (need(count))
            next_ += count;
    }
    /// The next record without its length; the position is behind it.
    Bytes record() {
        std::uint64_t length = byte();
        if (length == 0xff)
            length = full64();
        Bytes found;
        found.big_ = big_;
        found.failed_ = !need(length);
        if (!found.failed_) {
            found.next_ = next_;
            found.end_ = next_ += length;
        }
        return found;
    }

  private:
    void fail() {
        failed_ = true;
        next_ = end_;
    }
    bool need(std::uint64_t count) {
        if (count <= left())
            return true;
        fail();
        return false;
    }
    template <class Number> Number number() {
        const std::uint8_t size = byte();
        if (size == 0)
            return 0;
        if (size == 0xff)
            return std::numeric_limits<Number>::max();
        if (size > sizeof(Number)) {
            fail();
            return 0;
        }
        return static_cast<Number>(take(size));
    }
    /// A number of 1 to 8 bytes.
    std::uint64_t take(unsigned size) {
        if (!need(size))
            return 0;
        std::uint64_t value = 0;
        if (std::endian::native == std::endian::little && !big_ && left() >= 8) {
            std::memcpy(&value, next_, 8);
            value &= ~std::uint64_t{0} >> (64 - 8 * size);
        } else {
            for (unsigned i = 0; i < size; ++i)
                value |= static_cast<std::uint64_t>(next_[i]) << 8 * (big_ ? size - 1 - i : i);
        }
        next_ += size;
        return value;
    }

    const std::byte *next_ = nullptr;
    const std::byte *end_ = nullptr;
    bool big_ = false;
    bool failed_ = false;
};

} // namespace loomp::analysis::archive
