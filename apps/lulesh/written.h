// The marks of further arrays that the tasks of one kind write together with the first one: what a
// program names that has a dependence for each array, though one of them would do. Named by sets.
#pragma once

#include "common/dependence_set.h"

#include <cstddef>
#include <vector>

namespace lulesh {

class Written {
  public:
    // `marks` are those of `arrays` arrays, one after another; task t writes place t of each of
    // them. One array: there are no further ones. `marks` outlives this object.
    Written(std::vector<double> &marks, std::size_t tasks, std::size_t arrays)
        : further_(arrays - 1) {
        for (std::size_t task = 0; further_ > 0 && task < tasks; ++task) {
            apps::DependenceSet &set = sets_.emplace_back();
            for (std::size_t array = 1; array < arrays; ++array)
                set.add_out(&marks[array * (marks.size() / arrays) + task]);
        }
    }

    // Right before the task's construct, which names the first array's.
    void name(std::size_t task) const {
        if (further_ > 0)
            sets_[task].name_for_next_task();
    }
    std::size_t size() const { return further_; }

  private:
    std::size_t further_;
    std::vector<apps::DependenceSet> sets_;
};

} // namespace lulesh
