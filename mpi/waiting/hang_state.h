// The state of a rank that seems to hang, as ranks of a node exchange it (meeting.h): the calls in
// which its tasks wait, with ranks of MPI_COMM_WORLD, so that another rank can compare them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace loomp::mpi {

/// Values of ranks and tags that are no numbers.
inline constexpr int kAny = -1;
inline constexpr int kNotKnown = -2;

struct PendingCall {
    enum class Kind : std::uint8_t { receive, send, collective, other };
    Kind kind = Kind::other;
    int peer = kNotKnown; ///< a rank of MPI_COMM_WORLD
    int tag = kNotKnown;
    std::uint64_t members = 0; ///< identifies the communicator by its name and ranks; 0: unknown
    std::int64_t since = 0;    ///< nanoseconds of the monotonic clock; 0: before the rank was idle
    bool is_outside = false;   ///< outside tasks
    /// Its call waits for so many requests, and this one may be complete; 0: it is pending.
    int one_of = 0;
    std::string name;   ///< "MPI_Recv"
    std::string comm;   ///< the communicator's name, or words for it; empty if it is unknown
    std::string place;  ///< ", at FILE:LINE, in FUNCTION"
    std::string detail; ///< more words; mostly empty
};

/// A message that has arrived and that no call receives.
struct ArrivedMessage {
    int from = 0; ///< a rank of MPI_COMM_WORLD
    int tag = 0;
    std::uint64_t members = 0;
    std::string comm;
};

/// The ranks of MPI_COMM_WORLD in a communicator.
struct Members {
    std::uint64_t members = 0;
    std::vector<int> ranks;
};

struct RankState {
    int rank = 0;
    std::int64_t idle_since = 0; ///< nanoseconds of the monotonic clock
    bool others_pend = false;    ///< operations that are not MPI's may end its waits
    std::vector<PendingCall> calls;
    int more_calls = 0; ///< those that are left out
    std::vector<ArrivedMessage> arrived;
    std::vector<Members> members;    ///< those of the communicators of its collectives
    std::vector<std::string> events; ///< events that nobody fulfils
    std::vector<std::string> locks;  ///< locks that nobody releases
};

/// Writes and reads states as bytes, for processes of one node.
class StateWriter {
  public:
    template <class T> void add(const T &value) {
        bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    void add(const std::string &text) {
        add(static_cast<std::uint32_t>(text.size()));
        bytes_ += text;
    }
    /// Adds the fields of an object in turn.
    template <class... T> void fields(const T &...values) { (add(values), ...); }
    template <class T, class F> void list(const std::vector<T> &list, F add_one) {
        add(static_cast<std::uint32_t>(list.size()));
        for (const T &one : list)
            add_one(one);
    }
    const std::string &bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

class StateReader {
  public:
    explicit StateReader(std::string_view bytes) : bytes_(bytes) {}
    /// False as soon as something is missing; what is read then is empty.
    bool is_good() const { return good_; }

    template <class T> void get(T &value) {
        if (const char *from = take(sizeof value))
            std::memcpy(&value, from, sizeof value);
    }
    void get(std::string &text) {
        std::uint32_t size = 0;
        get(size);
        if (const char *from = take(size))
            text.assign(from, size);
    }
    template <class... T> void fields(T &...values) { (get(values), ...); }
    template <class T, class F> void list(std::vector<T> &list, F get_one) {
        std::uint32_t size = 0;
        get(size);
        for (std::uint32_t i = 0; i < size && good_; ++i)
            get_one(list.emplace_back());
    }

  private:
    const char *take(std::size_t size) {
        good_ = good_ && size <= bytes_.size();
        if (!good_)
            return nullptr;
        const char *from = bytes_.data();
        bytes_.remove_prefix(size);
        return from;
    }
    std::string_view bytes_;
    bool good_ = true;
};

/// The fields of a state in their order, for a writer or a reader.
template <class Io, class State> void exchange(Io &io, State &state) {
    io.fields(state.rank, state.idle_since, state.others_pend);
    io.list(state.calls, [&io](auto &call) {
        io.fields(call.kind, call.peer, call.tag, call.members, call.since, call.is_outside,
                  call.one_of, call.name, call.comm, call.place, call.detail);
    });
    io.fields(state.more_calls);
    io.list(state.arrived, [&io](auto &message) {
        io.fields(message.from, message.tag, message.members, message.comm);
    });
    io.list(state.members, [&io](auto &one) {
        io.fields(one.members);
        io.list(one.ranks, [&io](auto &rank) { io.fields(rank); });
    });
    io.list(state.events, [&io](auto &text) { io.fields(text); });
    io.list(state.locks, [&io](auto &text) { io.fields(text); });
}

inline std::string bytes_of(const RankState &state) {
    StateWriter to;
    exchange(to, state);
    return to.bytes();
}

/// False: the bytes are no state.
inline bool read_state(std::string_view bytes, RankState &state) {
    StateReader from(bytes);
    exchange(from, state);
    return from.is_good();
}

} // namespace loomp::mpi
