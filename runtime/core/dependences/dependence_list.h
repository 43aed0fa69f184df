// A list of dependences in the frame of the construct that names them; on the heap if it is long.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "platform/common.h"
#include "platform/diagnostics.h"
#include "runtime/core/dependences/dependence.h"

namespace loomp::core {

class DependenceList {
  public:
    DependenceList() = default;
    LOOMP_INLINE ~DependenceList() {
        if (LOOMP_UNLIKELY(items_ != inline_))
            std::free(items_);
    }
    DependenceList(const DependenceList &) = delete;
    DependenceList &operator=(const DependenceList &) = delete;

    const Dependence *data() const { return items_; }
    std::size_t size() const { return size_; }

  protected:
    static constexpr std::size_t kInline = 16;

    /// Makes room for `count` items, while there is none.
    void reserve(std::size_t count) {
        if (LOOMP_UNLIKELY(count > kInline))
            items_ = static_cast<Dependence *>(
                or_fatal(std::malloc(count * sizeof(Dependence)),
                         "out of memory: a task with %zu dependences", count));
    }
    void add(const Dependence &item) { items_[size_++] = item; }

    Dependence inline_[kInline];
    Dependence *items_ = inline_;
    std::size_t size_ = 0;
};

} // namespace loomp::core
