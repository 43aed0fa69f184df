// Names that processes of a job hold in a node, for others of the job to find.
//
// A name exists in the system until its process ends (unix(7), abstract). A look for a name does
// not wait, so it finds out about processes that never answer.
//
// Invariant: all processes of a job that look for a name find the same, if they look while its
// process lives, and after it took the name. A process therefore holds a name, too, that another
// process took earlier: the others find it.
#pragma once

#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace loomp {

/// FNV-1a of `bytes`, continued from the hash `before`.
inline std::uint64_t hash_of(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325) {
    for (const char byte : bytes)
        before = (before ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    return before;
}

/// The hash of one of the process's namespaces, continued from the hash `before`.
inline std::uint64_t hash_of_space(const char *space, std::uint64_t before) {
    char target[64];
    const ssize_t length = readlink(space, target, sizeof target);
    return hash_of({target, length < 0 ? 0 : static_cast<std::size_t>(length)}, before);
}

/// Distinguishes the names of a job from those of others, by the launcher's text for it. Containers
/// with networks of their own do not see each other's names.
inline std::uint64_t job_number(std::string_view text) {
    return hash_of_space("/proc/self/ns/net", hash_of(text));
}
/// A job that the launcher does not name has the number of the launching process, which may belong
/// to another process in another container.
inline std::uint64_t job_number(pid_t launcher) {
    return hash_of_space("/proc/self/ns/pid", job_number(std::to_string(launcher)));
}

/// An abstract address (unix(7)): the user's, then a job's number, a text and a number.
class NodeAddress {
  public:
    NodeAddress(std::uint64_t job, const char *text, int number) {
        address_.sun_family = AF_UNIX;
        // Names without a file begin with a zero.
        const int length = std::snprintf(address_.sun_path + 1, sizeof address_.sun_path - 1,
                                         "loomp/%d/%" PRIx64 "/%.24s/%d",
                                         static_cast<int>(getuid()), job, text, number);
        length_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                         static_cast<std::size_t>(length));
    }
    const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&address_); }
    socklen_t length() const { return length_; }

  private:
    sockaddr_un address_ = {};
    socklen_t length_ = 0;
};

/// The address at which a process that seems to hang answers `loomp stuck`: who connects gets the
/// report, and then the end of the connection. A process that makes progress has none.
inline NodeAddress hang_address(int process) { return {0, "hang", process}; }

/// True if the process at the other end of a connection has this user.
inline bool is_of_this_user(int connection) {
    ucred other = {};
    socklen_t size = sizeof other;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 &&
           other.uid == getuid();
}

/// One of this process's names: the job's, then a text and a number. It is held until the process
/// ends. Thread safety: one thread at a time.
class NodeName {
  public:
    /// Takes the name, before the other functions are called. is_held() is false if the system has
    /// no such names, or no room for the two sockets.
    void take(std::uint64_t job, const char *text, int number) {
        job_ = job;
        asking_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const int holder = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const NodeAddress own(job, text, number);
        is_held_ = asking_ >= 0 && holder >= 0 &&
                   (bind(holder, own.get(), own.length()) == 0 || errno == EADDRINUSE);
        if (!is_held_ && holder >= 0)
            close(holder);
        if (!is_held_)
            stop_looking();
    }
    bool is_held() const { return is_held_; }

    /// True if a process of the job holds this name. Called while is_held(), before stop_looking().
    bool is_taken(const char *text, int number) const {
        const NodeAddress other(job_, text, number);
        // A name that nobody has is refused.
        return connect(asking_, other.get(), other.length()) == 0 || errno != ECONNREFUSED;
    }
    void stop_looking() {
        if (asking_ >= 0)
            close(asking_);
        asking_ = -1;
    }

  private:
    std::uint64_t job_ = 0;
    int asking_ = -1;
    bool is_held_ = false;
};

} // namespace loomp
