// Several files in one input of a fuzzer: their lengths, 4 bytes each, then their contents. Any
// bytes are an input: a length is cut down to what there is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace loomp::fuzz {

template <std::size_t N> std::string join(const std::array<std::string, N> &files) {
    std::string joined;
    for (const std::string &file : files) {
        const auto size = static_cast<std::uint32_t>(file.size());
        joined.append(reinterpret_cast<const char *>(&size), sizeof size);
    }
    for (const std::string &file : files)
        joined += file;
    return joined;
}

template <std::size_t N>
std::array<std::span<const std::byte>, N> split(std::span<const std::byte> input) {
    std::array<std::span<const std::byte>, N> files;
    std::array<std::uint32_t, N> sizes{};
    const std::size_t head = std::min(input.size(), sizeof sizes);
    if (head > 0)
        std::memcpy(sizes.data(), input.data(), head);
    input = input.subspan(head);
    for (std::size_t i = 0; i < N; ++i) {
        files[i] = input.first(std::min<std::size_t>(sizes[i], input.size()));
        input = input.subspan(files[i].size());
    }
    return files;
}

// An archive: anchor, definitions, a location's own definitions, events of even locations, of odd.
inline constexpr std::size_t kArchiveFiles = 5;
// A recording: of two processes, what profiler/format/format.h names info, communicators, labels,
// and two threads' records.
inline constexpr std::size_t kProcessFiles = 5;
inline constexpr std::size_t kRecordingFiles = 2 * kProcessFiles;

} // namespace loomp::fuzz
