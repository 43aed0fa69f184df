// Finds out that a sequence repeats itself while it grows: what a producer creates without a wait
// in between, say, whose iterations nobody marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loomp::core {

/// Where an element differs from the one a period before, the distance to its latest equal is the
/// next candidate: an element that is unique in its iteration gives the right one at once.
/// Owner: one thread.
class PeriodFinder {
  public:
    void add(std::uint64_t element);
    void clear();
    std::size_t size() const { return elements_.size(); }
    /// How many elements at the end, at least `least` and as few whole periods as that takes,
    /// repeat those right before them, where the end is whole periods from the beginning. 0: none
    /// do.
    std::size_t repeated(std::size_t least) const;

  private:
    std::size_t run_with(std::size_t period) const;

    std::vector<std::uint64_t> elements_;
    std::unordered_map<std::uint64_t, std::size_t> latest_;
    std::size_t period_ = 0; ///< 0: no candidate
    std::size_t run_ = 0;    ///< elements at the end that equal those a period before
};

} // namespace loomp::core
