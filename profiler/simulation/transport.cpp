#include "profiler/simulation/transport.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

#include "profiler/trace/cpu_clock.h"

namespace loomp::analysis {

namespace {

constexpr double kLow = 0.25;
constexpr double kLeast = 0;

Time quantile(std::vector<Time> &times, double part) {
    if (times.empty())
        return 0;
    const auto place =
        times.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(times.size() - 1));
    std::nth_element(times.begin(), place, times.end());
    return *place;
}

void pair_requests(const Trace &trace, Transport &found) {
    found.peer.assign(trace.requests.size(), kNone);
    found.collective.assign(trace.requests.size(), kNone);
    for (const Message &message : trace.messages) {
        found.peer[message.send] = message.receive;
        found.peer[message.receive] = message.send;
    }
    for (Index i = 0; i < trace.collectives.size(); ++i)
        for (const Index request : trace.collectives[i])
            found.collective[request] = i;
}

/// The time from which both sides of the request were in progress.
Time met(const Trace &trace, const Transport &found, Index request) {
    const Request &sent = trace.requests[request];
    if (found.collective[request] != kNone) {
        Time latest = sent.started;
        for (const Index other : trace.collectives[found.collective[request]])
            latest = std::max(latest, trace.requests[other].started);
        return latest;
    }
    const Index peer = found.peer[request];
    return peer == kNone ? sent.started : std::max(sent.started, trace.requests[peer].started);
}

void measure_sizes(const Trace &trace, Transport &found) {
    std::array<std::vector<Time>, 65> times;
    std::array<std::array<std::size_t, 2>, 65> early{};
    for (const Message &message : trace.messages) {
        const Request &send = trace.requests[message.send];
        const Request &receive = trace.requests[message.receive];
        if (receive.completed == kNever)
            continue;
        const auto size = static_cast<std::size_t>(std::bit_width(send.bytes));
        times[size].push_back(
            std::max<Time>(0, receive.completed - std::max(send.started, receive.started)));
        if (send.started < receive.started) {
            ++early[size][0];
            early[size][1] += send.completed < receive.started ? 1 : 0;
        }
    }
    constexpr std::size_t kFew = 20; // if one in this many completes early, it is no rendezvous
    for (std::size_t size = 0; size < times.size(); ++size)
        found.by_size[size] = {quantile(times[size], has_cpu_clocks(trace) ? kLeast : kLow),
                               early[size][0] > 0 && early[size][1] * kFew < early[size][0]};
}

void measure_durations(const Trace &trace, Transport &found) {
    found.duration.assign(trace.requests.size(), 0);
    for (Index request = 0; request < trace.requests.size(); ++request)
        if (trace.requests[request].completed != kNever)
            found.duration[request] =
                std::max<Time>(0, trace.requests[request].completed - met(trace, found, request));
}

} // namespace

const Transfers &Transport::of_size(std::uint64_t bytes) const {
    return by_size[static_cast<std::size_t>(std::bit_width(bytes))];
}

namespace {

/// How long the last rank of a collective waited for it, after all others had arrived. The minimum
/// over all collectives with that size and number of ranks.
class LastToCome {
  public:
    explicit LastToCome(const Trace &trace) : trace_(trace) {
        for (const std::vector<Index> &collective : trace.collectives) {
            const Index last =
                *std::max_element(collective.begin(), collective.end(), [&](Index a, Index b) {
                    return trace.requests[a].started < trace.requests[b].started;
                });
            const Request &request = trace.requests[last];
            if (request.completed == kNever)
                continue;
            const auto known = waits_.emplace(name(last, collective.size()), kNever).first;
            known->second = std::min(known->second, request.completed - request.started);
        }
    }
    Time waits(Index part, std::size_t ranks) const {
        const auto found = waits_.find(name(part, ranks));
        return found == waits_.end() ? kNever : found->second;
    }

  private:
    std::pair<std::size_t, std::size_t> name(Index part, std::size_t ranks) const {
        return {static_cast<std::size_t>(std::bit_width(trace_.requests[part].bytes)), ranks};
    }
    const Trace &trace_;
    std::map<std::pair<std::size_t, std::size_t>, Time> waits_;
};

/// If threads waited for processors, requests in flight waited, too. A message then takes the time
/// of the fastest of its size. A collective takes one such message for each level of a tree over
/// its ranks, or the wait of its last rank if that is less.
void forget_waits_for_processors(const Trace &trace, Transport &found) {
    Time least = kNever; // the least of any size: for collectives with a size that no message has
    std::array<bool, 65> seen{};
    for (const Message &message : trace.messages) {
        const auto size =
            static_cast<std::size_t>(std::bit_width(trace.requests[message.send].bytes));
        seen[size] = true;
        least = std::min(least, found.by_size[size].time);
    }
    const LastToCome last(trace);
    for (Index request = 0; request < trace.requests.size(); ++request) {
        Time &duration = found.duration[request];
        const auto size = static_cast<std::size_t>(std::bit_width(trace.requests[request].bytes));
        if (const Index peer = found.peer[request]; peer != kNone) {
            duration = std::min(
                duration,
                found.of_size(std::max(trace.requests[request].bytes, trace.requests[peer].bytes))
                    .time);
        } else if (const Index collective = found.collective[request]; collective != kNone) {
            const std::size_t ranks = trace.collectives[collective].size();
            duration = std::min(duration, last.waits(request, ranks));
            if (least != kNever)
                duration = std::min(duration, static_cast<Time>(std::bit_width(ranks - 1)) *
                                                  (seen[size] ? found.by_size[size].time : least));
        }
    }
}

} // namespace

Transport measure_transport(const Trace &trace) {
    Transport found;
    pair_requests(trace, found);
    measure_sizes(trace, found);
    measure_durations(trace, found);
    if (has_cpu_clocks(trace))
        forget_waits_for_processors(trace, found);
    return found;
}

} // namespace loomp::analysis
