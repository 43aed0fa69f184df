#include "profiler/simulation/collective_time.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <string>

namespace loomp::analysis {

CollectiveKind collective_kind(std::string_view function) {
    std::string name;
    for (const char letter : function)
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    if (has("alltoall"))
        return CollectiveKind::all_to_all;
    if (has("gather") || has("scatter"))
        return CollectiveKind::parts;
    if (has("reduce") || has("bcast"))
        return CollectiveKind::reduction;
    return CollectiveKind::tree;
}

CollectiveKind collective_kind_of(const Trace &trace, Index request) {
    const Index call = trace.requests[request].start_call;
    return call == kNone ? CollectiveKind::tree
                         : collective_kind(label_of(trace, trace.calls[call].function));
}

double collective_time(CollectiveKind kind, Index ranks, double latency, double transfer) {
    if (ranks < 2)
        return 0;
    const auto levels = static_cast<double>(std::bit_width(ranks - 1));
    const double others = static_cast<double>(ranks - 1) / static_cast<double>(ranks) * transfer;
    const double tree = levels * (latency + transfer);
    switch (kind) {
    case CollectiveKind::reduction:
        return std::min(tree, 2 * levels * latency + 2 * others);
    case CollectiveKind::parts:
        return levels * latency + others;
    case CollectiveKind::all_to_all:
        return std::min(levels * (latency + transfer / 2),
                        static_cast<double>(ranks - 1) * latency + others);
    case CollectiveKind::tree:
        break;
    }
    return tree;
}

} // namespace loomp::analysis
