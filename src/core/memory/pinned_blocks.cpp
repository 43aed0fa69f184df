#include "core/memory/pinned_blocks.h"

#include <cstdint>
#include <mutex>
#include <new>

#include "core/base/locks_at_fork.h"
#include "core/memory/allocator_pages.h"

namespace loomp::core {

namespace {

constexpr std::size_t kUnit = 64;
constexpr std::size_t kPageSize = 4096; ///< a divisor of the system's
constexpr unsigned kUnits = kPageSize / kUnit;
static_assert(kUnits == 64, "a word has a bit for each");

/// The first unit of each page, which is a multiple of its size.
struct Page {
    std::uint64_t used = 1; ///< a bit for each unit
    Page *next = nullptr;
};
static_assert(sizeof(Page) <= kUnit);

std::mutex mutex; ///< of what follows
Page *pages = nullptr;
/// In a child of fork() no page of its parent's is pinned any more: it begins without.
const LocksAtFork at_fork([](LocksAtFork::Each) {},
                          [] {
                              new (&mutex) std::mutex;
                              pages = nullptr;
                          });

unsigned units_of(std::size_t size) { return static_cast<unsigned>((size + kUnit - 1) / kUnit); }
/// At the word's low end. A block has fewer units than a word has bits.
std::uint64_t bits_of(unsigned units) { return (std::uint64_t{1} << units) - 1; }

void *take_from(Page &page, unsigned units) {
    for (unsigned first = 1; first + units <= kUnits; ++first) {
        const std::uint64_t bits = bits_of(units) << first;
        if ((page.used & bits) == 0) {
            page.used |= bits;
            return reinterpret_cast<char *>(&page) + first * kUnit;
        }
    }
    return nullptr;
}

} // namespace

void *take_pinned_block(std::size_t size) {
    const unsigned units = units_of(size);
    const std::lock_guard<std::mutex> lock(mutex);
    for (Page *page = pages; page != nullptr; page = page->next)
        if (void *block = take_from(*page, units))
            return block;
    void *memory = map_pages(kPageSize, Partition::environment, true);
    if (memory == nullptr)
        return nullptr;
    pages = new (memory) Page{1, pages};
    return take_from(*pages, units);
}

void give_pinned_block_back(void *block, std::size_t size) {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(block) % kPageSize;
    auto *page = reinterpret_cast<Page *>(static_cast<char *>(block) - offset);
    const std::lock_guard<std::mutex> lock(mutex);
    page->used &= ~(bits_of(units_of(size)) << (offset / kUnit));
    if (page->used != 1)
        return;
    Page **at = &pages;
    while (*at != nullptr && *at != page)
        at = &(*at)->next;
    if (*at == page)
        *at = page->next;
    unmap_pages(page, kPageSize);
}

} // namespace loomp::core
