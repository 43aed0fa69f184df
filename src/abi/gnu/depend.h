// GNU ABI: the array that carries a depend clause.
#pragma once

#include <cstddef>

#include "core/dependence.h"

namespace loomp::abi::gnu {

/// A decoded depend clause. Lives in the frame of the construct.
class DependClause {
  public:
    explicit DependClause(void **depend);
    ~DependClause();
    DependClause(const DependClause &) = delete;
    DependClause &operator=(const DependClause &) = delete;

    const core::Dependence *data() const { return items_; }
    std::size_t size() const { return size_; }

  private:
    void add(void *address, core::Access access) { items_[size_++] = {address, access, false}; }
    void add_object(void *object);

    static constexpr std::size_t kInline = 16;
    core::Dependence inline_[kInline];
    core::Dependence *items_ = inline_;
    std::size_t size_ = 0;
};

} // namespace loomp::abi::gnu
