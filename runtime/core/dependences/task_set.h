// Sets of tasks that later ones depend on.
#pragma once

#include <cstdint>

#include "platform/common.h"
#include "runtime/core/dependences/dependence.h"

namespace loomp::core {

/// `memory`, if there is any; otherwise the program ends with a message.
void *checked_for_dependences(void *memory);

/// A small growing set of TaskRefs: one inline, more on the heap. It keeps room for as many as it
/// had before, but of those that have completed it remembers no more than of those that have not.
class TaskSet {
  public:
    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const TaskRef *begin() const { return capacity_ ? many_ : &one_; }
    const TaskRef *end() const { return begin() + size_; }
    void clear() {
        size_ = 0;
        if (LOOMP_UNLIKELY(capacity_ > kKeptRoom))
            free_storage();
    }
    bool is_one_inline() const { return size_ == 1 && capacity_ == 0; }
    const TaskRef &one() const { return one_; }
    LOOMP_INLINE void add(TaskRef ref) {
        if (LOOMP_LIKELY(size_ == 0 && capacity_ == 0)) {
            one_ = ref;
            size_ = 1;
        } else if (LOOMP_LIKELY(size_ < capacity_)) {
            many_[size_++] = ref;
        } else {
            add_slow(ref);
        }
    }
    LOOMP_INLINE void set(TaskRef ref) {
        if (LOOMP_LIKELY(capacity_ == 0)) {
            one_ = ref;
        } else {
            if (LOOMP_UNLIKELY(capacity_ > kKeptRoom))
                trim();
            many_[0] = ref;
        }
        size_ = 1;
    }
    void add_all(const TaskSet &other) {
        for (const TaskRef &ref : other)
            add(ref);
    }
    void swap(TaskSet &other);
    void free_storage();
    /// Forgets the latest tasks as long as they have completed; true if none is left. A task that
    /// is forgotten is never looked at again, so the price of all calls is that of add().
    bool forget_completed_last();
    /// The most that there is room for.
    std::uint32_t capacity() const { return capacity_ == 0 ? 1 : capacity_; }

  private:
    static constexpr std::uint32_t kKeptRoom = 16; ///< a set that shrinks keeps no more
    LOOMP_NOINLINE void add_slow(TaskRef ref);
    LOOMP_NOINLINE void trim();
    void resize(std::uint32_t capacity);
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0; ///< 0: inline
    union {
        TaskRef one_ = {};
        TaskRef *many_;
    };
};

} // namespace loomp::core
