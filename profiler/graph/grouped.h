// Indices of elements, grouped by activities (profiler/graph/synchronisations.h), tasks or threads.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "profiler/trace/counting_sort.h"
#include "profiler/trace/trace.h"

namespace loomp::analysis {

class Grouped {
  public:
    Grouped() = default;
    /// Element `i` belongs to `group(i)`, which is below `groups`; `less` orders those of a group.
    template <class Group, class Less>
    Grouped(std::vector<Index> elements, std::size_t groups, Group group, Less less)
        : elements_(std::move(elements)), begins_(counting_sort(elements_, groups, group, less)) {}

    std::span<const Index> of(Index group) const {
        return begins_.empty() ? std::span<const Index>()
                               : std::span(elements_).subspan(begins_[group],
                                                              begins_[group + 1] - begins_[group]);
    }

  private:
    std::vector<Index> elements_;
    std::vector<Index> begins_; ///< one more than groups
};

} // namespace loomp::analysis
