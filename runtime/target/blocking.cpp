#include "runtime/target/blocking.h"

#include "platform/atomic.h"

#include "runtime/target/cuda.h"

namespace loomp::target {

namespace {

/// libomptarget caches smaller blocks for the next use.
constexpr std::int64_t kLargeAllocation = 8 * 1024;
/// libomptarget combines smaller firstprivate variables.
constexpr std::int64_t kLargePrivate = 1024;
/// Smaller uploads return at once, because the driver buffers them.
constexpr std::int64_t kLargeUpload = 64 * 1024;

constexpr int kMostDevices = 64;
Atomic<bool> used[kMostDevices];

struct Item {
    const void *begin;
    std::int64_t size;
    std::int64_t type;

    Item(const Mapping &mapping, std::int32_t i)
        : begin(mapping.begins[i]), size(mapping.sizes[i]), type(mapping.types[i]) {}
    bool has(MapType bit) const { return (type & bit) != 0; }
    bool moves_nothing() const { return has(kMapLiteral) || size == 0 || begin == nullptr; }
    bool is_present(std::int64_t device) const {
        return library()->is_present(begin, static_cast<int>(device)) != 0;
    }
    bool upload_blocks() const { return size > kLargeUpload && !cuda::is_pinned(begin); }
    bool download_blocks() const { return !cuda::is_pinned(begin); }
};

void add_private(Blocks &blocks, const Item &item) {
    if (item.size <= kLargePrivate)
        return;
    const bool large = item.size > kLargeAllocation;
    blocks.call |= large || (item.has(kMapTo) && item.upload_blocks());
    blocks.completion |= large;
}

void add_mapped(Blocks &blocks, const Item &item, std::int64_t device) {
    const bool present = item.is_present(device);
    const bool copied = !present || item.has(kMapAlways);
    const bool large = !present && item.size > kLargeAllocation;
    blocks.call |= large || (copied && item.has(kMapTo) && item.upload_blocks()) ||
                   (copied && item.has(kMapFrom) && item.download_blocks());
    blocks.completion |= large;
}

} // namespace

Blocks kernel_blocks(std::int64_t device, const Mapping &mapping) {
    if (!is_used(device))
        return {true, true};
    const cuda::InContext context(device);
    Blocks blocks;
    for (std::int32_t i = 0; i < mapping.count && !(blocks.call && blocks.completion); ++i) {
        const Item item(mapping, i);
        if (item.moves_nothing())
            continue;
        if (item.has(kMapPrivate))
            add_private(blocks, item);
        else
            add_mapped(blocks, item, device);
    }
    return blocks;
}

Blocks data_blocks(DataConstruct construct, std::int64_t device, const Mapping &mapping) {
    if (!is_used(device))
        return {true, true};
    const cuda::InContext context(device);
    Blocks blocks;
    for (std::int32_t i = 0; i < mapping.count; ++i) {
        const Item item(mapping, i);
        if (item.moves_nothing())
            continue;
        switch (construct) {
        case DataConstruct::begin:
            if (!item.is_present(device))
                blocks.call |=
                    item.size > kLargeAllocation || (item.has(kMapTo) && item.upload_blocks());
            else
                blocks.call |= item.has(kMapAlways) && item.has(kMapTo) && item.upload_blocks();
            break;
        case DataConstruct::end:
            blocks.call |= item.has(kMapFrom) && item.download_blocks();
            blocks.completion |= item.size > kLargeAllocation;
            break;
        case DataConstruct::update:
            blocks.call |= (item.has(kMapTo) && item.upload_blocks()) ||
                           (item.has(kMapFrom) && item.download_blocks());
            break;
        }
    }
    return blocks;
}

bool is_used(std::int64_t device) {
    return device >= 0 && device < kMostDevices && used[device].load(std::memory_order_relaxed);
}

void note_used(std::int64_t device) {
    if (!is_used(device) && device >= 0 && device < kMostDevices)
        used[device].store(true, std::memory_order_relaxed);
}

} // namespace loomp::target
