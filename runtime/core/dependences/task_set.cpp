#include "runtime/core/dependences/task_set.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "platform/diagnostics.h"
#include "runtime/core/dependences/successors.h"

namespace loomp::core {

void *checked_for_dependences(void *memory) {
    return or_fatal(memory, "out of memory: table of task dependences");
}

void TaskSet::resize(std::uint32_t capacity) {
    many_ = static_cast<TaskRef *>(
        checked_for_dependences(std::realloc(many_, std::size_t{capacity} * sizeof(TaskRef))));
    capacity_ = capacity;
}

void TaskSet::add_slow(TaskRef ref) {
    if (capacity_ == 0) {
        constexpr std::uint32_t first = 4;
        const TaskRef one = one_;
        many_ = nullptr;
        resize(first);
        many_[0] = one;
    } else {
        size_ =
            static_cast<std::uint32_t>(std::remove_if(many_, many_ + size_, has_completed) - many_);
        if (size_ > capacity_ / 2) {
            if (capacity_ > std::numeric_limits<std::uint32_t>::max() / 2)
                fatal("more than %u unfinished tasks depend on one address", size_);
            resize(capacity_ * 2);
        }
    }
    many_[size_++] = ref;
}

void TaskSet::trim() { resize(kKeptRoom); }

bool TaskSet::forget_completed_last() {
    while (size_ != 0 && has_completed(*(end() - 1)))
        --size_;
    return size_ == 0;
}

void TaskSet::swap(TaskSet &other) {
    // The bytes are the value: no member points into its own object.
    alignas(TaskSet) char mine[sizeof(TaskSet)];
    std::memcpy(mine, static_cast<void *>(this), sizeof mine);
    std::memcpy(static_cast<void *>(this), static_cast<void *>(&other), sizeof mine);
    std::memcpy(static_cast<void *>(&other), mine, sizeof mine);
}

void TaskSet::free_storage() {
    if (capacity_ != 0)
        std::free(many_);
    size_ = capacity_ = 0;
}

} // namespace loomp::core
