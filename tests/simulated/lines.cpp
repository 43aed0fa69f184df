#include "tests/simulated/lines.h"

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loomp::simulated {

namespace {

constexpr std::int64_t kOwn = 1;
constexpr std::int64_t kFirst = 5; ///< nobody has it

struct Line {
    int writer = -1; ///< it alone has the line; -1: `readers` have it
    std::bitset<kMostThreads> readers;
    std::int64_t free_at = 0; ///< the end of its last transfer
};

Distances distances;
LineCounts counts;

struct AtCode {
    std::uint64_t transfers = 0;
    std::int64_t time = 0;
};
std::unordered_map<const void *, AtCode> &by_code() {
    static std::unordered_map<const void *, AtCode> all;
    return all;
}

std::unordered_map<std::uintptr_t, Line> &lines() {
    static std::unordered_map<std::uintptr_t, Line> all;
    return all;
}

std::int64_t between(int one, int other) {
    if (one / distances.share_cache == other / distances.share_cache)
        return distances.in_cache;
    return one / distances.share_socket == other / distances.share_socket
               ? distances.in_socket
               : distances.between_sockets;
}

/// The distances of all that have the line.
struct Holders {
    std::int64_t nearest = 0, farthest = 0; ///< 0: nobody

    Holders(const Line &line, int thread) {
        if (line.writer >= 0) {
            add(between(thread, line.writer));
            return;
        }
        for (auto at = line.readers._Find_first(); at < kMostThreads;
             at = line.readers._Find_next(at))
            if (static_cast<int>(at) != thread)
                add(between(thread, static_cast<int>(at)));
    }

  private:
    void add(std::int64_t distance) {
        nearest = nearest == 0 ? distance : std::min(nearest, distance);
        farthest = std::max(farthest, distance);
    }
};

} // namespace

void set_distances(const Distances &changed) { distances = changed; }
LineCounts line_counts() { return counts; }

std::int64_t access_line(int thread, const void *address, bool writes, std::int64_t time,
                         const void *code) {
    Line &line = lines()[reinterpret_cast<std::uintptr_t>(address) / 64];
    ++counts.accesses;
    const bool has = line.writer == thread ||
                     (line.writer < 0 && line.readers.test(static_cast<std::size_t>(thread)));
    if (has && (!writes || line.writer == thread))
        return kOwn;
    const Holders holders(line, thread);
    const std::int64_t length = holders.nearest == 0 ? kFirst
                                : writes             ? holders.farthest
                                                     : holders.nearest;
    const std::int64_t begin = std::max(time, line.free_at);
    if (holders.nearest != 0) {
        ++counts.transfers;
        line.free_at = begin + (writes ? length : distances.in_cache / 10);
        AtCode &at = by_code()[code];
        ++at.transfers;
        at.time += begin + length - time;
    }
    if (writes) {
        line.writer = thread;
        line.readers.reset();
    } else {
        if (line.writer >= 0)
            line.readers.set(static_cast<std::size_t>(line.writer));
        line.readers.set(static_cast<std::size_t>(thread));
        line.writer = -1;
    }
    return begin + length - time;
}

void print_transfers(unsigned long most) {
    std::vector<std::pair<const void *, AtCode>> list(by_code().begin(), by_code().end());
    std::sort(list.begin(), list.end(),
              [](const auto &a, const auto &b) { return a.second.time > b.second.time; });
    for (std::size_t i = 0; i < std::min<std::size_t>(most, list.size()); ++i)
        std::printf("      %p: %llu transfers, %lld ns\n", list[i].first,
                    static_cast<unsigned long long>(list[i].second.transfers),
                    static_cast<long long>(list[i].second.time));
}

} // namespace loomp::simulated
