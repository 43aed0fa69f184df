#include "mpi/waiting/meeting.h"

#include <algorithm>
#include <cstdint>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace loomp::mpi {

namespace {

constexpr const char *kHost = "hang";
constexpr const char *kLooks = "looks";
/// Ranks become idle one after the other: a report waits until none has come for so long.
constexpr std::int64_t kSettled = 300'000'000;
/// Seconds that no call of all ranks outside tasks takes.
constexpr double kSlow = 60;
/// The ranks of a job get a signal within this time.
constexpr std::int64_t kOneSignal = 3'000'000'000;
constexpr std::size_t kMostBytes = 1 << 26; ///< of a message

int make_socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

void close_socket(int &socket) {
    if (socket >= 0)
        close(std::exchange(socket, -1));
}

} // namespace

void Meeting::come(RankState state) {
    own_ = std::move(state);
    is_there_ = true;
    changed_ = 0;
    if (place_.job != 0 && lookers_.empty()) {
        lookers_.emplace_back();
        lookers_.back().take(place_.job, kLooks, place_.rank);
    }
}

void Meeting::leave() {
    is_there_ = false;
    close_socket(listener_);
    close_socket(host_.socket);
    for (Connection &guest : guests_)
        close_socket(guest.socket);
    guests_.clear();
    has_asked_ = has_answer_ = false;
}

void Meeting::find_host() {
    if (place_.job == 0 || listener_ >= 0 || host_.socket >= 0)
        return;
    const NodeAddress address(place_.job, kHost, 0);
    const int socket = make_socket();
    if (socket < 0)
        return;
    if (bind(socket, address.get(), address.length()) == 0 && listen(socket, 1024) == 0) {
        listener_ = socket;
        return;
    }
    close(socket);
    host_ = {};
    host_.socket = make_socket();
    has_asked_ = has_answer_ = false;
    // The host may leave meanwhile: another look finds out.
    if (host_.socket >= 0 && connect(host_.socket, address.get(), address.length()) != 0)
        close_socket(host_.socket);
    if (host_.socket >= 0)
        send(host_, Word::state, bytes_of(own_));
}

void Meeting::send(Connection &to, Word word, const std::string &bytes) {
    const auto size = static_cast<std::uint32_t>(bytes.size());
    to.unsent.append(reinterpret_cast<const char *>(&size), sizeof size);
    to.unsent += static_cast<char>(word);
    to.unsent += bytes;
    flush(to);
}

void Meeting::flush(Connection &to) {
    while (!to.unsent.empty()) {
        const ssize_t length = ::send(to.socket, to.unsent.data(), to.unsent.size(), MSG_NOSIGNAL);
        if (length <= 0)
            return; // later, or the connection has ended, which receive() finds
        to.unsent.erase(0, static_cast<std::size_t>(length));
    }
}

bool Meeting::receive(Connection &from) {
    char bytes[16384];
    for (;;) {
        const ssize_t length = recv(from.socket, bytes, sizeof bytes, 0);
        if (length <= 0)
            return length < 0; // at 0, the other side has left
        from.received.append(bytes, static_cast<std::size_t>(length));
    }
}

template <class Handle> bool Meeting::receive_all(Connection &from, Handle handle) {
    const bool is_open = receive(from);
    std::uint32_t size = 0;
    constexpr std::size_t kHead = sizeof size + 1;
    while (from.received.size() >= kHead) {
        std::copy_n(from.received.data(), sizeof size, reinterpret_cast<char *>(&size));
        if (size > kMostBytes)
            return false;
        if (from.received.size() < kHead + size)
            break;
        handle(static_cast<Word>(from.received[kHead - 1]), from.received.substr(kHead, size));
        from.received.erase(0, kHead + size);
    }
    return is_open;
}

void Meeting::serve(std::int64_t now) {
    for (int guest;
         (guest = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        guests_.emplace_back().socket = guest;
        if (!is_of_this_user(guest))
            shutdown(guest, SHUT_RDWR);
    }
    for (std::size_t i = 0; i < guests_.size();) {
        Connection &guest = guests_[i];
        const bool is_open = receive_all(guest, [&](Word word, const std::string &bytes) {
            if (word == Word::state && read_state(bytes, guest.state)) {
                guest.has_state = true;
                changed_ = now;
            } else if (word != Word::state) {
                answer(guest, word == Word::question_for_signal, now);
            }
        });
        flush(guest);
        if (is_open) {
            ++i;
            continue;
        }
        changed_ = now;
        close_socket(guest.socket);
        guests_.erase(guests_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

bool Meeting::has_printed_for_signal(std::int64_t now) const {
    return printed_for_signal_ != 0 && now - printed_for_signal_ < kOneSignal;
}

void Meeting::answer(Connection &to, bool for_signal, std::int64_t now) {
    send(to, Word::answer,
         for_signal && has_printed_for_signal(now) ? std::string() : describe_known(now));
    if (for_signal)
        printed_for_signal_ = now;
}

JobOfRanks Meeting::job() const {
    JobOfRanks job = {place_.size, place_.on_node, {}, {}};
    if (lookers_.empty() || !lookers_.front().is_held())
        return job;
    for (const auto &[rank, text] : place_.named) {
        if (lookers_.front().is_taken(kFinishing, rank))
            job.finishing.push_back(rank);
        else if (rank != place_.rank && !lookers_.front().is_taken(text, rank))
            job.ended.push_back(rank);
    }
    return job;
}

std::vector<RankState> Meeting::states() const {
    std::vector<RankState> all = {own_};
    for (const Connection &guest : guests_)
        if (guest.has_state)
            all.push_back(guest.state);
    std::sort(all.begin(), all.end(),
              [](const RankState &one, const RankState &other) { return one.rank < other.rank; });
    return all;
}

std::string Meeting::describe_known(std::int64_t now) const {
    return hang_report(states(), job(), now);
}

std::string Meeting::look(std::int64_t now, double quick, double overdue) {
    find_host();
    if (host_.socket >= 0) {
        flush(host_);
        const bool is_open = receive_all(host_, [&](Word word, const std::string &bytes) {
            if (word == Word::printed)
                printed_for_signal_ = now;
            reported_ = reported_ || word == Word::reported || word == Word::reported_all;
            reported_all_ = reported_all_ || word == Word::reported_all;
            has_answer_ = has_answer_ || word == Word::answer;
            if (word == Word::answer)
                answer_ = bytes;
        });
        if (!is_open)
            close_socket(host_.socket);
        return {};
    }
    if (listener_ >= 0)
        serve(now);
    changed_ = changed_ == 0 ? now : changed_;
    if (now - changed_ < kSettled || reported_all_)
        return {};
    const std::vector<RankState> all = states();
    const JobOfRanks ranks = job();
    std::size_t known = all.size();
    for (const int rank : ranks.finishing)
        known += std::none_of(all.begin(), all.end(),
                              [rank](const RankState &state) { return state.rank == rank; })
                     ? 1
                     : 0;
    const bool has_all = known + ranks.ended.size() >= static_cast<std::size_t>(ranks.size);
    double shortest = 1e9;
    double longest = 0;
    bool others_pend = false;
    bool in_tasks = false;
    bool outside = false;
    for (const RankState &state : all) {
        const double idle = static_cast<double>(now - state.idle_since) * 1e-9;
        shortest = std::min(shortest, idle);
        longest = std::max(longest, idle);
        others_pend = others_pend || state.others_pend;
        in_tasks = in_tasks || !state.events.empty() || !state.locks.empty();
        for (const PendingCall &call : state.calls)
            (call.is_outside ? outside : in_tasks) = true;
    }
    // Outside tasks, ranks may wait for long while another one computes, or while data moves, which
    // nobody sees.
    const bool is_hopeless =
        has_all && !others_pend && shortest >= quick && (!outside || is_explained(all, ranks));
    const bool is_late = longest >= (in_tasks ? overdue : std::max(overdue, kSlow)) &&
                         (in_tasks || has_all) && !reported_;
    if (!is_hopeless && !is_late)
        return {};
    reported_ = true;
    reported_all_ = is_hopeless;
    for (Connection &guest : guests_)
        send(guest, is_hopeless ? Word::reported_all : Word::reported, {});
    return hang_report(all, ranks, now);
}

bool Meeting::describe(std::int64_t now, bool for_signal, std::string &text) {
    if (for_signal && has_printed_for_signal(now)) {
        text.clear();
        return true;
    }
    if (host_.socket >= 0 && !has_answer_) {
        if (!std::exchange(has_asked_, true))
            send(host_, for_signal ? Word::question_for_signal : Word::question, {});
        return false;
    }
    if (host_.socket >= 0) {
        has_asked_ = has_answer_ = false;
        text = std::move(answer_);
        return true;
    }
    text = describe_known(now);
    if (for_signal) {
        printed_for_signal_ = now;
        for (Connection &guest : guests_)
            send(guest, Word::printed, {});
    }
    return true;
}

} // namespace loomp::mpi
