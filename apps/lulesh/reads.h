// The reads of the tasks of one kind from other tiles: by task, a list of marks' numbers, for a
// depend clause with an iterator; if loomp is under the program, a dependence set made of that list
// once, which costs the creator of a task one call.
#pragma once

#include "common/dependence_set.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace lulesh {

class Reads {
  public:
    // `lists` by task; both outlive this object. `marks` are those of `arrays` arrays, one after
    // another, and a task reads the same places of each.
    Reads(std::vector<double> &marks, std::vector<const std::vector<int> *> lists, bool sets,
          std::size_t arrays)
        : marks_(marks.data()), lists_(std::move(lists)) {
        if (arrays > 1)
            name_each(marks.size() / arrays, arrays);
        for (std::size_t task = 0; sets && task < lists_.size(); ++task) {
            apps::DependenceSet &set = sets_.emplace_back();
            for (const int mark : *lists_[task])
                set.add_in(&marks_[mark]);
        }
    }

    // The numbers of list() are places in this.
    double *marks() const { return marks_; }
    const int *list(std::size_t task) const { return lists_[task]->data(); }
    std::size_t size(std::size_t task) const { return lists_[task]->size(); }
    // Right before the task's construct, which names the rest: so many of list() it has to name.
    int name(std::size_t task) const {
        if (sets_.empty() || lists_[task]->empty())
            return int(size(task));
        sets_[task].name_for_next_task();
        return 0;
    }

  private:
    void name_each(std::size_t size, std::size_t arrays) {
        own_.resize(lists_.size());
        for (std::size_t task = 0; task < lists_.size(); ++task) {
            for (std::size_t array = 0; array < arrays; ++array)
                for (const int mark : *lists_[task])
                    own_[task].push_back(int(array * size) + mark);
            lists_[task] = &own_[task];
        }
    }

    double *marks_;
    std::vector<const std::vector<int> *> lists_;
    std::vector<std::vector<int>> own_;     // lists of several arrays
    std::vector<apps::DependenceSet> sets_; // none where lists are used
};

} // namespace lulesh
