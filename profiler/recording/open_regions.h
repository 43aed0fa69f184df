// The program's named regions (include/loomp/record.h) of a task that several threads run in turn.
// When a task continues on a thread, the thread's events repeat the task's open regions.
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

    /// The name numbers of the regions that the explicit task is in just before `time` (the
    /// process' clock); the innermost last.
    std::vector<std::uint32_t> of_task(std::uint64_t task, std::uint64_t time) const;

    /// The count of unmatched calls and the name of the first; empty without any. Rings and killed
    /// processes are not checked.
    struct Misuse {
        std::size_t count = 0;
        std::string first;
    };
    const Misuse &without_begin() const { return without_begin_; }
    const Misuse &without_end() const { return without_end_; }

  private:
    /// A list of open regions; lists share their tails.
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
    std::unordered_map<std::uint64_t, std::vector<State>> states_; ///< one per explicit task
    Misuse without_begin_;
    Misuse without_end_;
};

/// The position in `open` of the region that ends; its size if there is none.
std::size_t ending(std::span<const std::uint32_t> open, const record::Record &end);

} // namespace loomp::analysis
