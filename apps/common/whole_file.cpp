#include "common/whole_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>
#include <vector>

namespace apps {

namespace {

// The end of a sealed file.
struct Seal {
    static constexpr std::uint64_t kMark = 0x6c6165732d74736c; // "lst-seal"
    std::uint64_t mark;
    std::uint64_t sum;
};

std::int64_t length(std::istream &file) {
    file.seekg(0, std::ios::end);
    return file.tellg();
}

// The checksum of the first `bytes` bytes: FNV-1a, eight at a time, so any change of one of these
// is seen.
std::uint64_t checksum(std::istream &file, std::int64_t bytes) {
    constexpr std::int64_t kWords = 1 << 13;
    std::uint64_t sum = 0xcbf29ce484222325u ^ static_cast<std::uint64_t>(bytes);
    std::vector<std::uint64_t> words(kWords);
    file.seekg(0);
    while (bytes > 0 && file) {
        const std::int64_t part = std::min(bytes, kWords * 8);
        words[static_cast<std::size_t>((part - 1) / 8)] = 0; // where the last word ends
        file.read(reinterpret_cast<char *>(words.data()), part);
        for (std::int64_t word = 0; word < (part + 7) / 8; ++word)
            sum = (sum ^ words[static_cast<std::size_t>(word)]) * 0x100000001b3u;
        bytes -= part;
    }
    return sum;
}

} // namespace

std::string try_room(const std::string &path, std::size_t bytes) {
    const std::string name = unfinished(path);
    const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return name + ": " + std::strerror(errno);
    const int error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
    close(file);
    if (error == 0)
        return "";
    give_up(path);
    return name + ": " + std::strerror(error);
}

bool keep_room(const std::string &name, std::size_t bytes) {
    const int file = open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    // Its length stays what the writer knows. If the file system cannot, all is as before.
    const bool kept = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0 ||
                      errno == EOPNOTSUPP || errno == ENOSYS;
    close(file);
    return kept;
}

bool seal(const std::string &path) {
    std::fstream file(unfinished(path), std::ios::in | std::ios::out | std::ios::binary);
    const Seal made = {Seal::kMark, checksum(file, length(file))};
    file.seekp(0, std::ios::end);
    file.write(reinterpret_cast<const char *>(&made), sizeof made);
    return static_cast<bool>(file.flush());
}

std::string broken_seal(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    const std::int64_t bytes = length(file) - static_cast<std::int64_t>(sizeof(Seal));
    Seal found{};
    if (!file.is_open())
        return path + ": " + std::strerror(errno);
    file.seekg(bytes);
    file.read(reinterpret_cast<char *>(&found), sizeof found);
    if (!file || found.mark != Seal::kMark)
        return path + ": no restart file, or one that was cut";
    if (found.sum != checksum(file, bytes) || !file)
        return path + ": damaged: its bytes are not those that were written";
    return "";
}

bool put_in_place(const std::string &path) {
    const std::string name = unfinished(path);
    const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool stored = fsync(file) == 0;
    close(file);
    return stored && std::rename(name.c_str(), path.c_str()) == 0;
}

void give_up(const std::string &path) { std::remove(unfinished(path).c_str()); }

} // namespace apps
