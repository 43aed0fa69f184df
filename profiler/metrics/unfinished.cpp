#include "profiler/metrics/unfinished.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace loomp::analysis {

namespace {

bool is_send(const Request &request) {
    return request.kind == RequestKind::send || request.kind == RequestKind::synchronous_send;
}

class Finder {
  public:
    explicit Finder(const Trace &trace) : trace_(trace), recorded_from_(trace.ranks, 0) {
        // A task or request may have ended in a time of which nothing is known.
        for (const Unrecorded &gap : trace.unrecorded) {
            Time &from = recorded_from_[trace.threads[gap.thread].rank];
            from = std::max(from, gap.time.end);
        }
    }

    std::optional<Unfinished> find() {
        for (Index rank = 0; rank < trace_.ranks; ++rank)
            if (trace_.cut_off[rank]) {
                found_.ranks.push_back(rank);
                found_.last_progress = std::max(found_.last_progress, trace_.runs[rank].end);
            }
        if (found_.ranks.empty())
            return {};
        for (Index task = 0; task < trace_.tasks.size(); ++task)
            count(task);
        find_calls();
        find_sends();
        return std::move(found_);
    }

  private:
    bool counts(Index rank, Time since) const {
        return trace_.cut_off[rank] && since != kNever && since >= recorded_from_[rank];
    }

    bool is_in_call(Index task) const {
        const auto calls = trace_.calls_of(task);
        return std::any_of(calls.begin(), calls.end(), [](const Call &call) { return call.open; });
    }

    void count(Index index) {
        const Task &task = trace_.tasks[index];
        if (task.implicit || task.ended != kNever || task.rank == kNone ||
            !counts(task.rank, task.created))
            return;
        if (task.completes_later)
            ++found_.for_events;
        else if (trace_.segments_of(index).empty())
            ++found_.not_begun;
        else if (is_in_call(index))
            ++found_.in_calls;
        else
            ++found_.others;
    }

    /// A request that the call waits for: one of its own, or one that its task started before.
    Index open_request(const Call &call) const {
        Index found = kNone;
        for (const Call &earlier : trace_.calls_of(call.task))
            for (const Change &change : trace_.changes_of(earlier))
                if (!change.completes && earlier.begin <= call.begin &&
                    trace_.requests[change.request].completed == kNever)
                    found = change.request;
        return found;
    }

    void find_calls() {
        std::map<std::pair<Index, Index>, OpenCalls> groups; // by function and kind of task
        for (Index i = 0; i < trace_.calls.size(); ++i) {
            const Call &call = trace_.calls[i];
            const Task &task = trace_.tasks[call.task];
            if (!call.open || !counts(task.rank, call.begin))
                continue;
            const Index kind = task.implicit ? kNone : task.kind;
            ++groups
                  .try_emplace({call.function, kind},
                               OpenCalls{call.function, kind, 0, i, open_request(call)})
                  .first->second.count;
        }
        for (const auto &[key, group] : groups)
            found_.calls.push_back(group);
        std::stable_sort(found_.calls.begin(), found_.calls.end(),
                         [](const OpenCalls &a, const OpenCalls &b) { return a.count < b.count; });
    }

    /// Sends and receives of equal envelopes belong together in the order of their starts. The
    /// trace has the messages whose receive is complete.
    void find_sends() {
        std::vector<bool> matched(trace_.requests.size(), false);
        for (const Message &message : trace_.messages)
            matched[message.send] = matched[message.receive] = true;
        std::vector<Index> sends;
        std::vector<Index> receives;
        for (Index i = 0; i < trace_.requests.size(); ++i) {
            const Request &request = trace_.requests[i];
            if (request.kind == RequestKind::collective || matched[i] || request.cancelled ||
                request.communicator == kNone || !counts(request.rank, request.started))
                continue;
            if (!is_send(request)) {
                if (request.completed == kNever)
                    receives.push_back(i);
            } else if (request.peer != kNone && request.started >= recorded_from_[request.peer]) {
                sends.push_back(i);
            }
        }
        const auto by_start = [&](Index a, Index b) {
            return trace_.requests[a].started < trace_.requests[b].started;
        };
        std::stable_sort(receives.begin(), receives.end(), by_start);
        std::stable_sort(sends.begin(), sends.end(), by_start);
        for (const Index receive : receives)
            add(receive);
        std::vector<Index> lonely;
        for (const Index send : sends)
            if (!take_receive(send))
                lonely.push_back(send);
        for (const Index send : lonely)
            found_.sends.push_back({send, near_miss(send)});
        std::stable_partition(found_.sends.begin(), found_.sends.end(), [&](const LonelySend &one) {
            return trace_.requests[one.send].completed == kNever;
        });
    }

    /// Receiving rank, communicator, sending rank (kNone: any) and tag (kAnyTag: any).
    using Envelope = std::tuple<Index, Index, Index, std::int32_t>;
    using Waiting = std::set<std::pair<Time, Index>>; ///< receives by start

    Envelope envelope(Index receive) const {
        const Request &request = trace_.requests[receive];
        return {request.rank, request.communicator, request.peer, request.tag};
    }
    void add(Index receive) {
        const Time started = trace_.requests[receive].started;
        waiting_[envelope(receive)].insert({started, receive});
        of_rank_[trace_.requests[receive].rank].insert({started, receive});
    }

    /// The first receive that the send's message fits, which no longer waits.
    bool take_receive(Index send) {
        const Request &request = trace_.requests[send];
        const std::pair<Time, Index> none(kNever, kNone);
        std::pair<Time, Index> first = none;
        for (const Index from : {request.rank, kNone})
            for (const std::int32_t tag : {request.tag, kAnyTag})
                if (const auto found =
                        waiting_.find({request.peer, request.communicator, from, tag});
                    found != waiting_.end() && !found->second.empty())
                    first = std::min(first, *found->second.begin());
        if (first == none)
            return false;
        waiting_[envelope(first.second)].erase(first);
        of_rank_[request.peer].erase(first);
        return true;
    }

    /// A receive of the other rank that waits for this one, with another tag or communicator.
    Index near_miss(Index send) const {
        constexpr std::size_t kMost = 1000; // looked at; there may be many sends
        const Request &request = trace_.requests[send];
        const auto rank = of_rank_.find(request.peer);
        if (rank == of_rank_.end())
            return kNone;
        Index found = kNone;
        std::size_t looked_at = 0;
        for (const auto &[started, receive] : rank->second) {
            if (++looked_at > kMost)
                break;
            const Request &other = trace_.requests[receive];
            if (other.peer != request.rank && other.peer != kNone)
                continue;
            if (other.communicator == request.communicator)
                return receive;
            if (found == kNone)
                found = receive;
        }
        return found;
    }

    const Trace &trace_;
    std::vector<Time> recorded_from_; ///< by rank
    std::map<Envelope, Waiting> waiting_;
    std::map<Index, Waiting> of_rank_; ///< those that no send has taken
    Unfinished found_;
};

} // namespace

std::optional<Unfinished> unfinished_of(const Trace &trace) { return Finder(trace).find(); }

} // namespace loomp::analysis
