// The dependences of all tasks of a graph: a large graph's take nine bytes each instead of sixteen.
// Read like arrays of Dependence. Thread safety: as an array's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/core/dependences/dependence.h"
#include "runtime/core/dependences/dependence_list.h"
#include "runtime/core/memory/growing_array.h"

namespace loomp::core {

class KeptDependences {
    static constexpr std::uint8_t kAllMemory = 1u << 7; ///< beside the access

  public:
    /// Some that follow each other.
    class Slice {
      public:
        Dependence operator[](std::size_t i) const {
            return {addresses_[i], static_cast<Access>(kinds_[i] & ~kAllMemory),
                    (kinds_[i] & kAllMemory) != 0};
        }

      private:
        friend class KeptDependences;
        Slice(const void *const *addresses, const std::uint8_t *kinds)
            : addresses_(addresses), kinds_(kinds) {}
        const void *const *addresses_;
        const std::uint8_t *kinds_;
    };

    std::size_t size() const { return addresses_.size(); }
    Slice from(std::size_t first) const {
        return {addresses_.data() + first, kinds_.data() + first};
    }
    void append(const Dependence *first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            addresses_.push_back(first[i].address);
            kinds_.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(first[i].access) |
                                                       (first[i].all_memory ? kAllMemory : 0u)));
        }
    }
    void erase_first(std::size_t count) {
        addresses_.erase_first(count);
        kinds_.erase_first(count);
    }
    void shrink_to_fit() {
        addresses_.shrink_to_fit();
        kinds_.shrink_to_fit();
    }

  private:
    GrowingArray<const void *> addresses_;
    GrowingArray<std::uint8_t> kinds_;
};

/// Some of them, for a function that takes an array.
class ListedDependences : public DependenceList {
  public:
    ListedDependences(KeptDependences::Slice slice, std::size_t count) {
        reserve(count);
        for (std::size_t i = 0; i < count; ++i)
            add(slice[i]);
    }
};

} // namespace loomp::core
