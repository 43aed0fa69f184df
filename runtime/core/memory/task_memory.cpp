#include "runtime/core/memory/task_memory.h"

#include <bit>
#include <cstdlib>

#include "platform/diagnostics.h"
#include "platform/pages.h"
#include "runtime/core/memory/task_budget.h"

namespace loomp::core {
namespace {
constexpr std::size_t kFirstChunk = std::size_t{256} << 10; ///< most workers need no more
constexpr std::size_t kChunk = std::size_t{2} << 20;
constexpr unsigned kBatch = 32;
constexpr std::size_t kSmallLimit = (kSmallClasses - 1) * kBlockGranule;

void *map_or_end(std::size_t size) {
    void *p = map_pages(size);
    if (p == nullptr)
        fatal("out of memory: %zu bytes for tasks could not be mapped", size);
    return p;
}

/// Maps a chunk on a huge page's boundary, so that the system may use a huge page. Large graphs
/// visit their descriptors in no order, and small pages would cost a translation miss each.
char *map_chunk() {
    char *p = static_cast<char *>(map_or_end(2 * kChunk));
    char *chunk = reinterpret_cast<char *>(round_up(reinterpret_cast<std::uintptr_t>(p), kChunk));
    if (chunk != p)
        unmap_pages(p, static_cast<std::size_t>(chunk - p));
    unmap_pages(chunk + kChunk, static_cast<std::size_t>(p + kChunk - chunk));
    prefer_huge_pages(chunk, kChunk);
    return chunk;
}
} // namespace

unsigned size_class_of_large(std::size_t size) {
    // 1 KiB is the largest granule class; class kSmallClasses holds 2 KiB, and so on.
    const unsigned log = static_cast<unsigned>(std::bit_width(size - 1));
    return kSmallClasses + log - 11;
}

std::size_t size_of_large_class(unsigned size_class) {
    return std::size_t{2048} << (size_class - kSmallClasses);
}

void BlockCache::reserve(std::size_t bytes) {
    reserved_ = reserved_ + bytes;
    if (LOOMP_UNLIKELY(!reserve_for_tasks(bytes)))
        over_budget_ = true;
}

/// Drops the rest of the old chunk (under 1 KiB). Chunks are small while tasks exceed their limit.
void BlockCache::new_chunk() {
    const bool small = reserved_ == 0 || over_task_budget();
    const std::size_t size = small ? kFirstChunk : kChunk;
    chunk_ = small ? static_cast<char *>(map_or_end(size)) : map_chunk();
    chunk_end_ = chunk_ + size;
    reserve(size);
}

void *BlockCache::allocate_slow(unsigned size_class) {
    // acquire: this thread may overwrite the contents of blocks that others freed.
    if (returned_[size_class].load(std::memory_order_relaxed) != nullptr) {
        FreeBlock *batch = returned_[size_class].exchange(nullptr, std::memory_order_acquire);
        free_[size_class] = batch->next;
        return batch;
    }
    made_ = made_ + 1;
    const std::size_t size = size_of_class(size_class);
    if (size > kSmallLimit) {
        const std::size_t mapped = round_up(size, page_size());
        reserve(mapped);
        return map_or_end(mapped);
    }
    if (LOOMP_UNLIKELY(static_cast<std::size_t>(chunk_end_ - chunk_) < size))
        new_chunk();
    // Makes creators wait for freed blocks before they take the rest of the chunk, too. A program
    // that never waits then grows by some hundred bytes at a time, not by chunks, and stays near
    // the limit.
    if (LOOMP_UNLIKELY(over_task_budget()))
        over_budget_ = true;
    void *block = chunk_;
    chunk_ += size;
    return block;
}

bool BlockCache::free_remote(void *p, unsigned size_class, BlockCache &home) {
    auto *block = static_cast<FreeBlock *>(p);
    if (batch_.home != &home || batch_.size_class != size_class) {
        flush();
        batch_ = {&home, size_class, nullptr, block, 0};
    }
    block->next = batch_.first;
    batch_.first = block;
    if (++batch_.count != kBatch)
        return false;
    flush();
    return true;
}

void BlockCache::flush() {
    if (batch_.first != nullptr)
        send(batch_);
    batch_ = {};
}

void BlockCache::send(Batch &batch) {
    Atomic<FreeBlock *> &stack = batch.home->returned_[batch.size_class];
    FreeBlock *head = stack.load(std::memory_order_relaxed);
    do
        batch.last->next = head;
    // release: the owner may reuse the blocks after it has taken them.
    while (!stack.compare_exchange_weak(head, batch.first, std::memory_order_release,
                                        std::memory_order_relaxed));
}

} // namespace loomp::core
