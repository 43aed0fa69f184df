#include "profiler/view/columns.h"

#include <stdexcept>
#include <utility>
#include <zlib.h>

namespace loomp::analysis {

namespace {

constexpr int kLevel = 6;

std::string deflated(std::string_view bytes) {
    uLongf size = compressBound(bytes.size());
    std::string result(size, '\0');
    if (compress2(reinterpret_cast<Bytef *>(result.data()), &size,
                  reinterpret_cast<const Bytef *>(bytes.data()), bytes.size(), kLevel) != Z_OK)
        throw std::runtime_error("zlib cannot compress the page's data");
    result.resize(size);
    return result;
}

} // namespace

void Columns::begin(std::string name, Coding coding) {
    entries_.push_back({std::move(name), coding, 0, 0});
    before_ = 0;
}

void Columns::put(std::int64_t value) {
    Entry &entry = entries_.back();
    const std::int64_t coded =
        entry.coding == Coding::differences ? value - std::exchange(before_, value) : value;
    std::uint64_t rest =
        (static_cast<std::uint64_t>(coded) << 1) ^ static_cast<std::uint64_t>(coded >> 63);
    const std::size_t begin = bytes_.size();
    for (; rest >= 0x80; rest >>= 7)
        bytes_ += static_cast<char>((rest & 0x7f) | 0x80);
    bytes_ += static_cast<char>(rest);
    ++entry.count;
    entry.bytes += bytes_.size() - begin;
}

std::string Columns::text() const { return base64(deflated(bytes_)); }

std::string base64(std::string_view bytes) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) -> unsigned {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
        };
        const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
        text += kDigits[word >> 18];
        text += kDigits[word >> 12 & 63];
        text += i + 1 < bytes.size() ? kDigits[word >> 6 & 63] : '=';
        text += i + 2 < bytes.size() ? kDigits[word & 63] : '=';
    }
    return text;
}

} // namespace loomp::analysis
