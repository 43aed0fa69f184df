#include "runtime/core/memory/growing_array.h"

#include <cstdlib>

#include "platform/diagnostics.h"
#include "platform/pages.h"
#include "runtime/core/memory/task_budget.h"

namespace loomp::core {

namespace {
/// Storage of at least this many bytes has pages of its own.
constexpr std::size_t kMapped = std::size_t{1} << 20;
} // namespace

void Storage::resize(std::size_t size) {
    if (size >= kMapped)
        size = round_up(size, page_size());
    void *to = nullptr;
    if (size >= kMapped) {
        to = size_ >= kMapped ? grow_pages(bytes_, size_, size) : map_pages(size);
        if (to != nullptr)
            prefer_huge_pages(to, size);
    } else if (size != 0) {
        to = std::calloc(size, 1);
    }
    if (to == nullptr && size != 0)
        fatal("out of memory: %zu bytes for a persistent graph", size);
    if (size_ < kMapped || size < kMapped) { // not moved
        if (size_ != 0 && size != 0)
            std::memcpy(to, bytes_, std::min(size_, size));
        if (size_ >= kMapped)
            unmap_pages(bytes_, size_);
        else
            std::free(bytes_);
    }
    take_from_tasks(size_);
    (void)reserve_for_tasks(size);
    bytes_ = to;
    size_ = size;
}

} // namespace loomp::core
