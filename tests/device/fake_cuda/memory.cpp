#include "memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace fake_cuda {

namespace {

struct Block {
    std::size_t size;
    bool of_program; ///< pinned where it is
};
struct Blocks {
    std::mutex mutex;
    std::map<std::uintptr_t, Block> by_start;
};
Blocks &blocks(Memory kind) {
    static auto *all = new Blocks[2];
    return all[static_cast<int>(kind)];
}
Count bytes_of(Memory kind) {
    return kind == Memory::device ? Count::device_bytes : Count::pinned_bytes;
}

bool lies_in(Memory kind, const void *from, std::size_t size) {
    Blocks &all = blocks(kind);
    const auto start = reinterpret_cast<std::uintptr_t>(from);
    const std::lock_guard<std::mutex> lock(all.mutex);
    auto next = all.by_start.upper_bound(start);
    if (next == all.by_start.begin())
        return false;
    --next;
    return start + size <= next->first + next->second.size;
}

} // namespace

void *allocate(Memory kind, std::size_t size) {
    const std::size_t limit = settings().fails_at_bytes;
    if (kind == Memory::device && limit != 0 && size >= limit)
        return nullptr;
    void *block = std::aligned_alloc(256, (size + 255) / 256 * 256);
    if (block == nullptr)
        return nullptr;
    // Nobody is to rely on what is in it.
    std::memset(block, 0xa5, size);
    Blocks &all = blocks(kind);
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.by_start[reinterpret_cast<std::uintptr_t>(block)] = {size, false};
    add(bytes_of(kind), static_cast<std::int64_t>(size));
    return block;
}

Result give_back(Memory kind, void *block) {
    Blocks &all = blocks(kind);
    {
        const std::lock_guard<std::mutex> lock(all.mutex);
        const auto found = all.by_start.find(reinterpret_cast<std::uintptr_t>(block));
        if (found == all.by_start.end() || found->second.of_program)
            return kInvalidValue;
        add(bytes_of(kind), -static_cast<std::int64_t>(found->second.size));
        all.by_start.erase(found);
    }
    std::free(block);
    return kSuccess;
}

void pin(void *from, std::size_t size) {
    Blocks &all = blocks(Memory::pinned);
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.by_start[reinterpret_cast<std::uintptr_t>(from)] = {size, true};
    add(Count::pinned_bytes, static_cast<std::int64_t>(size));
}

Result unpin(void *from) {
    Blocks &all = blocks(Memory::pinned);
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.by_start.find(reinterpret_cast<std::uintptr_t>(from));
    if (found == all.by_start.end() || !found->second.of_program)
        return kInvalidValue;
    add(Count::pinned_bytes, -static_cast<std::int64_t>(found->second.size));
    all.by_start.erase(found);
    return kSuccess;
}

bool is_pinned(const void *from, std::size_t size) { return lies_in(Memory::pinned, from, size); }
bool is_on_device(const void *from, std::size_t size) {
    return lies_in(Memory::device, from, size);
}

} // namespace fake_cuda
