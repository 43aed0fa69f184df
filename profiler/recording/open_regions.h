// Which of the regions that the program names (include/loomp/record.h) a task is in, while it is
// recorded by one thread after the other: as a task goes on, its thread's events are to say that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/recording/recording.h"

namespace loomp::analysis {

class OpenRegions {
  public:
    explicit OpenRegions(const RecordedProcess &process);

    /// The numbers of the names of those that the explicit task is in just before `time`, by its
    /// process' clock; the innermost last.
    std::vector<std::uint32_t> of_task(std::uint64_t task, std::uint64_t time) const;

    /// Calls that make no sense, and the name of the first, empty without any. Not of what only the
    /// last is known of, nor of a process that was killed.
    struct Misuse {
        std::size_t count = 0;
        std::string first;
    };
    const Misuse &without_begin() const { return without_begin_; }
    const Misuse &without_end() const { return without_end_; }

  private:
    /// Regions that are open, as a list that others share the rest of.
    struct Node {
        std::uint32_t name;
        std::uint32_t outer;
    };
    struct State {
        std::uint64_t since;
        std::uint32_t innermost;
    };

    static constexpr std::uint32_t kEnd = ~std::uint32_t{0};

    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, std::vector<State>> states_; ///< of each explicit task
    Misuse without_begin_;
    Misuse without_end_;
};

/// The place in `open`, names of regions, of that which ends; its size: there is none.
std::size_t ending(std::span<const std::uint32_t> open, const record::Record &end);

} // namespace loomp::analysis
