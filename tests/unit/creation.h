// Tasks created as front ends create them, through the one door for new tasks.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/core/creation/submission.h"
#include "support.h"

namespace loomp::core::test {

/// A depend clause, as the door for new tasks wants it.
struct Listed {
    const std::vector<Dependence> &items;
    bool empty() const { return items.empty(); }
    const std::vector<Dependence> &decoded() const { return items; }
    bool is(const auto &first, std::size_t count) const {
        bool same = count == items.size();
        for (std::size_t i = 0; same && i < count; ++i) {
            const Dependence item = first[i];
            same = item.address == items[i].address && item.access == items[i].access &&
                   item.all_memory == items[i].all_memory;
        }
        return same;
    }
};

/// Does what a front end does for a task whose private data are `body`; `code` names the construct.
template <class F>
void create(F body, const std::vector<Dependence> &dependences, const void *code,
            std::int32_t priority = 0) {
    Worker &worker = *Worker::current();
    Task &task = core::create(worker, sizeof(F), kTied, {code, kNoSelf});
    new (task.payload()) F(std::move(body));
    task.invoke = [](Task &self) { (*static_cast<F *>(self.payload()))(); };
    set_priority(task, priority);
    submit(task, Listed{dependences});
}

} // namespace loomp::core::test
