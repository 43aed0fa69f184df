// The place where the ranks of a node that seem to hang meet, and compare the calls in which their
// tasks wait. It does not use MPI, so it works while MPI hangs.
//
// The first rank that comes takes an abstract address of the job (platform/node_names.h) and is the
// host; the others connect and send their states. A rank leaves as soon as one of its threads has
// worked. If the host leaves, the others meet again. So the states at the meeting are those of
// ranks that are idle now. The host prints the report for all.
//
// Owner: one thread at a time, which calls look() about ten times a second. No call waits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/waiting/hang_report.h"
#include "mpi/waiting/hang_state.h"
#include "platform/node_names.h"

namespace loomp::mpi {

/// This rank and its job.
struct PlaceInJob {
    std::uint64_t job = 0; ///< 0: other ranks cannot be found
    int rank = 0;
    int size = 1;
    int on_node = 1;
    /// Ranks of this node that have a name (start/layered_ranks.h), and the name's text.
    std::vector<std::pair<int, const char *>> named = {};
};

/// The address text of ranks that have called MPI_Finalize.
inline constexpr const char *kFinishing = "final";

class Meeting {
  public:
    explicit Meeting(PlaceInJob place) : place_(std::move(place)) {}
    ~Meeting() { leave(); }
    Meeting(const Meeting &) = delete;
    Meeting &operator=(const Meeting &) = delete;

    void come(RankState state);
    void leave();
    bool is_there() const { return is_there_; }

    /// Sends and receives what is there. Returns a report that this rank is to print; mostly empty.
    /// `quick`, `overdue`: seconds of idleness after which a job in which nothing moves, or any
    /// rank, is reported.
    std::string look(std::int64_t now, double quick, double overdue);

    /// Gets the report of all ranks that are there. False: it has not come from the host.
    /// `for_signal`: empty if another rank prints it.
    bool describe(std::int64_t now, bool for_signal, std::string &text);
    /// Gets the report of what this rank knows.
    std::string describe_known(std::int64_t now) const;

  private:
    /// Connections have messages: a length, one of these, and bytes.
    enum class Word : char {
        state,
        question,
        question_for_signal,
        answer,
        printed,
        reported,
        reported_all
    };
    struct Connection {
        int socket = -1;
        std::string received;
        std::string unsent;
        RankState state;
        bool has_state = false;
    };

    void find_host();
    bool receive(Connection &from);
    /// False: the connection has ended.
    template <class Handle> bool receive_all(Connection &from, Handle handle);
    static void send(Connection &to, Word word, const std::string &bytes);
    /// Sends what the socket takes.
    static void flush(Connection &to);
    void serve(std::int64_t now);
    void answer(Connection &to, bool for_signal, std::int64_t now);
    JobOfRanks job() const;
    std::vector<RankState> states() const;
    /// True if the host has just printed the report, or given it to another rank to print.
    bool has_printed_for_signal(std::int64_t now) const;

    const PlaceInJob place_;
    RankState own_;
    bool is_there_ = false;
    int listener_ = -1; ///< the host's
    std::vector<Connection> guests_;
    Connection host_; ///< a guest's
    bool has_asked_ = false;
    bool has_answer_ = false;
    std::string answer_;
    std::int64_t changed_ = 0; ///< when a rank has come or left
    std::int64_t printed_for_signal_ = 0;
    /// A report has been printed for this rank among others; one without doubt, of all ranks.
    bool reported_ = false;
    bool reported_all_ = false;
    std::vector<NodeName> lookers_; ///< one, once a rank looks for names
};

} // namespace loomp::mpi
