// Memory for task descriptors and other small, short-lived blocks of the runtime: each worker has
// free lists by size class. A block that another worker frees returns to its home worker in a
// batch.
//
// Invariant: a block never leaves its size class nor returns to the system, so a descriptor stays
// readable for ever (type-stable memory, see runtime/core/task/task.h). Thread safety: only its
// worker uses a cache; `returned_` is the one shared word.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "platform/common.h"

namespace loomp::core {

inline constexpr unsigned kBlockGranule = 64;
inline constexpr unsigned kSmallClasses = 17; ///< classes 0..16: up to 1 KiB in granules
inline constexpr unsigned kClasses = 48;      ///< then powers of two

/// Returns the smallest class whose blocks hold `size` bytes.
unsigned size_class_of_large(std::size_t size);
LOOMP_INLINE unsigned size_class_of(std::size_t size) {
    const std::size_t granules = (size + kBlockGranule - 1) / kBlockGranule;
    if (LOOMP_LIKELY(granules < kSmallClasses))
        return static_cast<unsigned>(granules);
    return size_class_of_large(size);
}
std::size_t size_of_large_class(unsigned size_class);
LOOMP_INLINE std::size_t size_of_class(unsigned size_class) {
    return LOOMP_LIKELY(size_class < kSmallClasses) ? std::size_t{size_class} * kBlockGranule
                                                    : size_of_large_class(size_class);
}

struct FreeBlock {
    FreeBlock *next;
};

class BlockCache {
  public:
    void *allocate(unsigned size_class) {
        FreeBlock *block = free_[size_class];
        if (LOOMP_LIKELY(block != nullptr)) {
            FreeBlock *next = block->next;
            free_[size_class] = next;
            prefetch_for_write(next);
            prefetch_for_write(reinterpret_cast<char *>(next) + kCacheLine);
            prefetch_for_write(reinterpret_cast<char *>(next) + 2 * kCacheLine);
            return block;
        }
        return allocate_slow(size_class);
    }
    /// Frees a block of this cache.
    void free_local(void *p, unsigned size_class) {
        auto *block = static_cast<FreeBlock *>(p);
        block->next = free_[size_class];
        free_[size_class] = block;
    }
    /// Frees a block of `home`, another worker's cache. Returns true if this sent a batch of blocks
    /// home.
    bool free_remote(void *p, unsigned size_class, BlockCache &home);
    /// Sends unsent batches home; called before the worker sleeps or leaves.
    void flush();
    std::size_t bytes_reserved() const { return reserved_; }
    /// Returns how many blocks were made: the maximum that were in use or on their way home at
    /// once.
    std::uint64_t blocks_made() const { return made_; }
    /// Returns whether tasks exceeded their limit since the last clear.
    bool over_budget() const { return over_budget_; }
    void note_over_budget() { over_budget_ = true; }
    void clear_over_budget() { over_budget_ = false; }

  private:
    struct Batch {
        BlockCache *home = nullptr;
        unsigned size_class = 0;
        FreeBlock *first = nullptr;
        FreeBlock *last = nullptr;
        unsigned count = 0;
    };
    LOOMP_NOINLINE void *allocate_slow(unsigned size_class);
    LOOMP_NOINLINE void new_chunk();
    void reserve(std::size_t bytes);
    void send(Batch &batch);

    FreeBlock *free_[kClasses] = {};
    char *chunk_ = nullptr;
    char *chunk_end_ = nullptr;
    bool over_budget_ = false;
    Relaxed<std::size_t> reserved_ = 0;
    Relaxed<std::uint64_t> made_ = 0;
    Batch batch_;
    /// Stacks of blocks that others returned, one per class: any worker pushes (release), the owner
    /// takes the whole stack (acquire). Pushes and one exchange cannot suffer from ABA.
    alignas(kFalseSharing) Atomic<FreeBlock *> returned_[kClasses] = {};
};

} // namespace loomp::core
