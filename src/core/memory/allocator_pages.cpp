#include "core/memory/allocator_pages.h"

#include <bit>
#include <cstdint>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/common.h"
#include "core/base/pages.h"

namespace loomp::core {

namespace {

// The system's interface to NUMA policies, as in <linux/mempolicy.h>; libnuma would be one more
// library to load for two calls.
constexpr int kPreferred = 1;
constexpr int kInterleave = 3;
constexpr unsigned long kAllowedNodes = 1u << 2;
constexpr std::size_t kMaxNodes = 1024;
constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);

struct NodeSet {
    unsigned long words[kMaxNodes / kWordBits] = {};

    void add(std::size_t node) { words[node / kWordBits] |= 1ul << (node % kWordBits); }
    bool has(std::size_t node) const { return (words[node / kWordBits] >> node % kWordBits) & 1; }
    std::size_t count() const {
        std::size_t total = 0;
        for (unsigned long word : words)
            total += static_cast<std::size_t>(std::popcount(word));
        return total;
    }
};

NodeSet allowed_nodes() {
    NodeSet nodes;
    if (syscall(SYS_get_mempolicy, nullptr, nodes.words, kMaxNodes, nullptr, kAllowedNodes) != 0)
        nodes = NodeSet{};
    return nodes;
}

/// A wish: where the system refuses it, the pages go where they would have gone anyway.
void place(char *pages, std::size_t size, int policy, const NodeSet &nodes) {
    (void)syscall(SYS_mbind, pages, size, policy, nodes.words, kMaxNodes, 0);
}

void place_on(char *pages, std::size_t size, std::size_t node) {
    NodeSet one;
    one.add(node);
    place(pages, size, kPreferred, one);
}

void place_blocked(char *pages, std::size_t size, std::size_t page, const NodeSet &nodes) {
    const std::size_t count = nodes.count();
    if (count == 0)
        return;
    const std::size_t block = round_up((size + count - 1) / count, page);
    std::size_t done = 0;
    for (std::size_t node = 0; node < kMaxNodes && done < size; ++node)
        if (nodes.has(node)) {
            const std::size_t length = size - done < block ? size - done : block;
            place_on(pages + done, length, node);
            done += length;
        }
}

} // namespace

bool has_several_nodes() { return allowed_nodes().count() > 1; }

void *map_pages(std::size_t size, Partition partition, bool pinned) {
    const std::size_t page = page_size();
    if (size > SIZE_MAX - page)
        return nullptr;
    size = round_up(size, page);
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    char *pages = static_cast<char *>(memory);
    unsigned cpu = 0, node = 0;
    switch (partition) {
    case Partition::environment:
        break;
    case Partition::nearest:
        if (getcpu(&cpu, &node) == 0 && node < kMaxNodes)
            place_on(pages, size, node);
        break;
    case Partition::blocked:
        place_blocked(pages, size, page, allowed_nodes());
        break;
    case Partition::interleaved:
        place(pages, size, kInterleave, allowed_nodes());
        break;
    }
    // After placing: locking is what makes the pages.
    if (pinned && mlock(memory, size) != 0) {
        munmap(memory, size);
        return nullptr;
    }
    return memory;
}

void unmap_pages(void *pages, std::size_t size) { munmap(pages, round_up(size, page_size())); }

} // namespace loomp::core
