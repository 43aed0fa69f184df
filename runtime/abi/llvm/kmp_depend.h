// LLVM ABI: the arrays that carry a depend clause.
#pragma once

#include "platform/common.h"
#include "runtime/abi/llvm/kmp.h"
#include "runtime/core/dependences/dependence_list.h"

namespace loomp::abi::llvm {

/// A decoded depend clause, from the two arrays that the compiler passes. It lives in the frame of
/// the construct.
class DependClause : public core::DependenceList {
  public:
    DependClause(std::int32_t count, const KmpDependInfo *infos, std::int32_t more_count,
                 const KmpDependInfo *more) {
        size_ = static_cast<std::size_t>(count) + static_cast<std::size_t>(more_count);
        reserve(size_);
        core::Dependence *item = items_;
        for (std::int32_t i = 0; i < count; ++i)
            *item++ = decoded(infos[i]);
        for (std::int32_t i = 0; i < more_count; ++i)
            *item++ = decoded(more[i]);
    }

    /// Recognises omp_all_memory: clang sets a flag, Intel's compiler passes an address.
    static bool names_all_memory(const KmpDependInfo &info) {
        return (info.flags & 0x80) != 0 || info.address == -1;
    }
    static core::Access access(std::uint8_t flags) {
        if ((flags & 2) != 0 || (flags & 0x80) != 0)
            return core::Access::inout;
        if ((flags & 4) != 0)
            return core::Access::mutexinoutset;
        if ((flags & 8) != 0)
            return core::Access::inoutset;
        return core::Access::in;
    }

  private:
    static core::Dependence decoded(const KmpDependInfo &info) {
        return {reinterpret_cast<const void *>(info.address), access(info.flags),
                names_all_memory(info)};
    }
};

/// A depend clause in the compiler's layout, for runtime/core/creation/submission.h.
struct Clause {
    std::int32_t count;
    const KmpDependInfo *infos;
    std::int32_t more_count;
    const KmpDependInfo *more;

    bool empty() const { return count + more_count == 0; }
    DependClause decoded() const { return {count, infos, more_count, more}; }
    LOOMP_INLINE bool is(const auto &items, std::uint32_t size) const {
        if (more_count != 0 || size != static_cast<std::uint32_t>(count))
            return false;
        for (std::uint32_t i = 0; i < size; ++i)
            if (items[i].address != reinterpret_cast<const void *>(infos[i].address) ||
                items[i].access != DependClause::access(infos[i].flags) ||
                items[i].all_memory != DependClause::names_all_memory(infos[i]))
                return false;
        return true;
    }
};

} // namespace loomp::abi::llvm
