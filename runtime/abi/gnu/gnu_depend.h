// GNU ABI: the array that carries a depend clause.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/common.h"
#include "runtime/core/dependences/dependence_list.h"

namespace loomp::abi::gnu {

/// A decoded depend clause. It lives in the frame of the construct.
///
/// There are two layouts. The old one is: total, number of out, addresses (out, then in). The new
/// one starts with a zero: total, out, mutexinoutset, in, addresses in this order, then depend
/// objects. An inoutset is always in an object, since gcc 13. omp_all_memory is an out or inout of
/// a null address.
class DependClause : public core::DependenceList {
  public:
    LOOMP_INLINE explicit DependClause(void **depend) {
        const auto total = reinterpret_cast<std::uintptr_t>(depend[0]);
        if (LOOMP_UNLIKELY(total - 1 >= kInline)) {
            decode(depend);
            return;
        }
        const auto out = reinterpret_cast<std::uintptr_t>(depend[1]);
        void **address = depend + 2;
        core::Dependence *item = inline_;
        core::Dependence *const first_in = inline_ + out;
        while (item != first_in)
            *item++ = inout(*address++);
        while (item != inline_ + total)
            *item++ = {*address++, core::Access::in, false};
        size_ = total;
    }

  private:
    LOOMP_NOINLINE void decode(void **depend);
    static core::Dependence inout(void *address) {
        return {address, core::Access::inout, address == nullptr};
    }
    void add_object(void *object);
};

/// Waits for the dependences of a clause; null: there is none.
LOOMP_MAY_SWITCH void wait_for_clause(void **depend);

/// A depend clause in the compiler's layout, for runtime/core/creation/submission.h; `depend` is
/// null if there is none.
struct Clause {
    void **depend;

    bool empty() const { return depend == nullptr; }
    DependClause decoded() const { return DependClause(depend); }
    /// Compares only the short form.
    LOOMP_INLINE bool is(const auto &items, std::uint32_t count) const {
        if (depend == nullptr)
            return count == 0;
        const auto total = reinterpret_cast<std::uintptr_t>(depend[0]);
        const auto outs = reinterpret_cast<std::uintptr_t>(depend[1]);
        if (total != count || total == 0)
            return false;
        for (std::uint32_t i = 0; i < count; ++i)
            if (items[i].address != depend[2 + i] ||
                items[i].access != (i < outs ? core::Access::inout : core::Access::in))
                return false;
        return true;
    }
};

} // namespace loomp::abi::gnu
