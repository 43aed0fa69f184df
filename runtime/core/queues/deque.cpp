#include "runtime/core/queues/deque.h"

#include <cstdlib>
#include <new>

#include "platform/diagnostics.h"

namespace loomp::core {

namespace {
constexpr std::int64_t kFirstCapacity = 256;
}

TaskDeque::~TaskDeque() {
    Buffer *buffer = buffer_.load(std::memory_order_relaxed);
    while (buffer != nullptr) {
        Buffer *older = buffer->older;
        std::free(buffer);
        buffer = older;
    }
}

void TaskDeque::make_room(std::int64_t bottom) {
    // acquire: thieves have read the slots below the new top, so they may be overwritten.
    top_seen_ = top_.load(std::memory_order_acquire);
    if (bottom - top_seen_ < capacity_)
        return;
    Buffer *old = buffer_.load(std::memory_order_relaxed);
    const std::int64_t capacity = capacity_ == 0 ? kFirstCapacity : capacity_ * 2;
    void *memory =
        or_fatal(std::malloc(sizeof(Buffer) + static_cast<std::size_t>(capacity) * sizeof(Task *)),
                 "out of memory: a queue of %lld tasks", static_cast<long long>(capacity));
    auto *buffer = new (memory) Buffer{capacity, old};
    for (std::int64_t i = top_seen_; i < bottom; ++i)
        buffer->slot(i).store(old->slot(i).load(std::memory_order_relaxed),
                              std::memory_order_relaxed);
    capacity_ = capacity;
    // release: a thief that sees the buffer sees its contents.
    buffer_.store(buffer, std::memory_order_release);
}

} // namespace loomp::core
