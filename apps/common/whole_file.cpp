#include "common/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace apps {

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
