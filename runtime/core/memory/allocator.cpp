#include "runtime/core/memory/allocator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include "platform/atomic.h"
#include "platform/common.h"
#include "platform/diagnostics.h"
#include "platform/made_once.h"
#include "platform/pages.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/memory/driver_memory.h"

namespace loomp::core {

namespace {

// omp_memspace_handle_t
constexpr std::uintptr_t kHighBandwidthSpace = 3;
constexpr std::uintptr_t kLastSpace = 5;              ///< only in LLVM 23's omp.h
constexpr std::uintptr_t kDefaultSpaceOfOpenMP6 = 99; ///< from LLVM 22's omp.h
/// The memory spaces from LLVM's llvm_omp_target_host_mem_space on: host, shared and device memory.
/// The allocators have the same numbers.
constexpr std::uintptr_t kFirstOfDrivers = 100, kLastOfDrivers = 102;
constexpr std::uintptr_t kManagedSpaceOfGnu = 200; ///< ompx_gnu_managed_mem_space

// omp_allocator_handle_t: libgomp's own
constexpr AllocatorHandle kPinnedOfGnu = 200;  ///< ompx_gnu_pinned_mem_alloc
constexpr AllocatorHandle kManagedOfGnu = 201; ///< ompx_gnu_managed_mem_alloc

// omp_alloctrait_key_t
enum Key : int {
    kSyncHint = 1,
    kAlignment,
    kAccess,
    kPoolSize,
    kFallback,
    kFallbackData,
    kPinned,
    kPartition,
    kFirstOfOpenMP6,
    kLastOfOpenMP6 = 14
};

// omp_alloctrait_value_t
constexpr std::uintptr_t kDefaultValue = ~std::uintptr_t{0};
constexpr std::uintptr_t kFirstSyncHint = 3, kLastSyncHint = 6;
constexpr std::uintptr_t kFirstAccess = 7, kLastAccess = 10;
constexpr std::uintptr_t kAccessAllOfOpenMP6 = 19;
constexpr std::uintptr_t kFirstPartition = 15, kLastPartition = 18;
enum class Fallback : std::uintptr_t { default_mem = 11, null, abort, allocator };

constexpr std::size_t kNaturalAlignment = 16;
constexpr std::size_t kUnlimited = ~std::size_t{0};
constexpr std::size_t kMostBytes = (std::size_t{1} << 48) - 1; ///< no address space has more

/// An allocator's properties, which never change.
struct Traits {
    std::size_t alignment = kNaturalAlignment;
    std::size_t pool_size = kUnlimited;
    Fallback fallback = Fallback::default_mem;
    AllocatorHandle fallback_data = kDefaultMemAlloc;
    bool pinned = false;
    std::optional<DriverMemory> of_drivers; ///< set if the memory space requires it

    bool is_limited() const { return pool_size != kUnlimited; }
    std::optional<DriverMemory> driver_memory() const {
        if (!of_drivers && pinned)
            return DriverMemory::host;
        return of_drivers;
    }
};

struct Allocator : Traits {
    explicit Allocator(const Traits &traits) : Traits(traits) {}
    /// Bytes in use of a limited pool. Relaxed: the bytes come from the system, which orders their
    /// reuse.
    alignas(kFalseSharing) Atomic<std::size_t> used{0};

    bool charge(std::size_t bytes) {
        if (!is_limited())
            return true;
        std::size_t now = used.load(std::memory_order_relaxed);
        do {
            if (bytes > pool_size - now)
                return false;
        } while (!used.compare_exchange_weak(now, now + bytes, std::memory_order_relaxed));
        return true;
    }
    void refund(std::size_t bytes) {
        if (is_limited())
            used.fetch_sub(bytes, std::memory_order_relaxed);
    }
};

/// The source of a block with a header.
enum class Source : std::size_t { malloc, pinned_pages, driver_host, driver_shared };

/// Precedes every block.
struct alignas(kNaturalAlignment) Header {
    char *base; ///< the address from the source
    std::size_t size;
    AllocatorHandle handle;
    std::size_t total : 48; ///< bytes at `base`; addresses have no more bits
    std::size_t device : 12;
    Source source : 3;
    std::size_t is_charged : 1; ///< the handle's pool counts it
};
static_assert(sizeof(Header) == kBlockRecord && kBlockRecord % kNaturalAlignment == 0);

/// Returns the bytes that a block takes of a pool. No request above kMostBytes can succeed.
std::size_t cost_of(std::size_t size) { return std::min(size, kMostBytes) + kBlockRecord; }

Header &header_of(void *block) { return static_cast<Header *>(block)[-1]; }

/// Returns null for predefined allocators.
Allocator *custom(AllocatorHandle handle) {
    return handle > kLastPredefined ? reinterpret_cast<Allocator *>(handle) : nullptr;
}

bool set_trait(Traits &a, int key, std::uintptr_t value) {
    const bool is_default = value == kDefaultValue;
    const auto among = [value](std::uintptr_t first, std::uintptr_t last) {
        return value >= first && value <= last;
    };
    switch (key) {
    // These traits are hints about the threads that use the memory, the way of use, and the best
    // location. All threads can use all memory.
    case kSyncHint:
        return is_default || among(kFirstSyncHint, kLastSyncHint);
    case kAccess:
        return is_default || among(kFirstAccess, kLastAccess) || value == kAccessAllOfOpenMP6;
    case kAlignment:
        if (is_default)
            return true;
        if (value == 0 || (value & (value - 1)) != 0)
            return false;
        a.alignment = std::max(value, kNaturalAlignment);
        return true;
    case kPoolSize:
        a.pool_size = value;
        return true;
    case kFallback:
        if (is_default)
            return true;
        a.fallback = static_cast<Fallback>(value);
        return among(static_cast<std::uintptr_t>(Fallback::default_mem),
                     static_cast<std::uintptr_t>(Fallback::allocator));
    case kFallbackData:
        a.fallback_data = value == kNullAllocator || is_default ? kDefaultMemAlloc : value;
        return true;
    case kPinned:
        a.pinned = value == 1;
        return is_default || value <= 1;
    case kPartition:
        return is_default || among(kFirstPartition, kLastPartition);
    default:
        // These traits concern devices, or promise properties that all memory here has.
        return key >= kFirstOfOpenMP6 && key <= kLastOfOpenMP6;
    }
}

/// LLVM's spaces and allocators share these numbers.
std::optional<DriverMemory> of_llvm(std::uintptr_t number) {
    if (number < kFirstOfDrivers || number > kLastOfDrivers)
        return std::nullopt;
    return static_cast<DriverMemory>(number - kFirstOfDrivers);
}

std::optional<DriverMemory> driver_memory_of_space(std::uintptr_t space) {
    return space == kManagedSpaceOfGnu ? DriverMemory::shared : of_llvm(space);
}

Traits traits_of(AllocatorHandle handle) {
    if (const Allocator *a = custom(handle))
        return *a;
    Traits traits;
    traits.pinned = handle == kPinnedOfGnu;
    traits.of_drivers = handle == kManagedOfGnu ? DriverMemory::shared : of_llvm(handle);
    return traits;
}

/// Memory and its source; `base` is null if there is none.
struct Taken {
    void *base;
    Source source;
    int device = 0;
};

/// Returns memory that the host can write. Returns nullopt if the caller shall use the system's
/// memory: there is no device, or the driver has no more of the host's kind.
std::optional<Taken> take_from_driver(DriverMemory kind, std::size_t total, Content content) {
    const Drivers *from = drivers();
    if (from == nullptr)
        return std::nullopt;
    int device = Drivers::kNoDevice;
    void *base = from->allocate(kind, total, device);
    if (base == nullptr && (device == Drivers::kNoDevice || kind == DriverMemory::host))
        return std::nullopt;
    if (base != nullptr && content == Content::zero)
        std::memset(base, 0, total);
    return Taken{base, kind == DriverMemory::host ? Source::driver_host : Source::driver_shared,
                 device};
}

/// Returns zeroed pages that stay in RAM; null if there are no more, or if no more can be pinned
/// (RLIMIT_MEMLOCK).
void *map_pinned_pages(std::size_t size) {
    void *pages = map_pages(size);
    if (pages == nullptr || pin_pages(pages, size))
        return pages;
    unmap_pages(pages, size);
    return nullptr;
}

/// Returns the system's memory.
Taken take_from_system(const Traits &traits, std::size_t total, Content content) {
    if (traits.pinned)
        return {map_pinned_pages(total), Source::pinned_pages};
    return {content == Content::zero ? std::calloc(1, total) : std::malloc(total), Source::malloc};
}

/// Returns a device's own block, or null if the device has no more memory. Returns nullopt if there
/// is no device.
std::optional<void *> take_device_block(std::size_t alignment, std::size_t size,
                                        AllocatorHandle handle, bool is_charged, Content content) {
    const Drivers *from = drivers();
    if (from == nullptr)
        return std::nullopt;
    int device = Drivers::kNoDevice;
    void *base = from->allocate(DriverMemory::device, size + alignment - kNaturalAlignment, device);
    if (device == Drivers::kNoDevice)
        return std::nullopt;
    if (base == nullptr)
        return nullptr;
    void *block =
        reinterpret_cast<void *>(round_up(reinterpret_cast<std::uintptr_t>(base), alignment));
    if (content == Content::zero && !from->zero(block, size, device)) {
        from->free(DriverMemory::device, base, device);
        return nullptr;
    }
    note_device_block(block, {base, size, handle, device, is_charged});
    return block;
}

/// Returns a block. The pool, if there is one, has been charged for it.
void *take(std::size_t alignment, std::size_t size, AllocatorHandle handle, Content content) {
    const Traits traits = traits_of(handle);
    const std::size_t overhead = sizeof(Header) + alignment - kNaturalAlignment;
    if (size > kMostBytes - overhead)
        return nullptr;
    const std::optional<DriverMemory> kind = traits.driver_memory();
    if (kind == DriverMemory::device)
        if (const auto block =
                take_device_block(alignment, size, handle, traits.is_limited(), content);
            block)
            return *block;
    const std::size_t total = size + overhead;
    std::optional<Taken> of_driver;
    if (kind)
        of_driver = take_from_driver(*kind, total, content);
    const Taken taken = of_driver ? *of_driver : take_from_system(traits, total, content);
    if (taken.base == nullptr)
        return nullptr;
    const std::uintptr_t block =
        round_up(reinterpret_cast<std::uintptr_t>(taken.base) + sizeof(Header), alignment);
    Header *header = reinterpret_cast<Header *>(block) - 1;
    header->base = static_cast<char *>(taken.base);
    header->size = size;
    header->handle = handle;
    header->total = total & kMostBytes;
    header->device = static_cast<unsigned>(taken.device & Drivers::kLastDevice);
    header->source = taken.source;
    header->is_charged = traits.is_limited();
    return header + 1;
}

[[noreturn]] LOOMP_COLD void out_of_memory(std::size_t size, AllocatorHandle handle) {
    const Allocator *a = custom(handle);
    if (a != nullptr && a->is_limited())
        fatal("out of memory: %zu bytes from an allocator that has %zu of %zu in use; give it a "
              "larger pool_size or another fallback",
              size, a->used.load(std::memory_order_relaxed), a->pool_size);
    fatal("out of memory: %zu bytes from an OpenMP allocator", size);
}

/// Resizes the malloc() block if only its size changes; returns null if that is impossible.
void *resize(Header &header, std::size_t size) {
    Allocator *a = custom(header.handle);
    const bool natural = header.base == reinterpret_cast<char *>(&header) &&
                         (a == nullptr || a->alignment == kNaturalAlignment);
    if (!natural || header.source != Source::malloc || size > kMostBytes - sizeof(Header))
        return nullptr;
    const std::size_t old_size = header.size;
    if (a != nullptr && size > old_size && !a->charge(size - old_size))
        return nullptr;
    auto *moved = static_cast<Header *>(std::realloc(header.base, size + sizeof(Header)));
    if (moved == nullptr) {
        if (a != nullptr && size > old_size)
            a->refund(size - old_size);
        return nullptr;
    }
    if (a != nullptr && size < old_size)
        a->refund(old_size - size);
    moved->base = reinterpret_cast<char *>(moved);
    moved->size = size;
    moved->total = (size + sizeof(Header)) & kMostBytes;
    return moved + 1;
}

bool copy_content(void *to, const void *from, std::size_t size) {
    const std::optional<DeviceBlock> there = device_block(to), here = device_block(from);
    if (!there && !here) {
        std::memcpy(to, from, size);
        return true;
    }
    return drivers()->copy(to, there ? there->device : Drivers::kNoDevice, from,
                           here ? here->device : Drivers::kNoDevice, size);
}

} // namespace

bool is_space_of_host(std::uintptr_t space) {
    // The location of high-bandwidth memory is unknown.
    if (space == kHighBandwidthSpace)
        return settings().interface != ProgramInterface::llvm;
    return space <= kLastSpace || space == kDefaultSpaceOfOpenMP6;
}

AllocatorHandle predefined_allocator(std::uintptr_t space) {
    if (space == kDefaultSpaceOfOpenMP6)
        return kDefaultMemAlloc;
    return space == 0 || !is_space_of_host(space) ? kNullAllocator : space + 1;
}

AllocatorHandle make_allocator(std::uintptr_t space, int count, const AllocatorTrait *traits) {
    if (!is_space_of_host(space) && !driver_memory_of_space(space))
        return kNullAllocator;
    Traits settled;
    settled.of_drivers = driver_memory_of_space(space);
    for (int i = 0; i < count; ++i)
        if (!set_trait(settled, traits[i].key, traits[i].value))
            return kNullAllocator;
    // The result is null, kNullAllocator, if there is no memory.
    return reinterpret_cast<AllocatorHandle>(new (std::nothrow) Allocator(settled));
}

void destroy_allocator(AllocatorHandle handle) { delete custom(handle); }

namespace {

MadeOnce<AllocatorHandle> initial;

AllocatorHandle make_initial_allocator() {
    const Settings &s = settings();
    if (s.allocator_traits.empty())
        return s.default_allocator;
    std::vector<AllocatorTrait> traits;
    traits.reserve(s.allocator_traits.size());
    for (const auto &[key, value] : s.allocator_traits)
        traits.push_back({key, value});
    const AllocatorHandle made = make_allocator(static_cast<std::uintptr_t>(s.allocator_space),
                                                static_cast<int>(traits.size()), traits.data());
    if (made != kNullAllocator)
        return made;
    warn("OMP_ALLOCATOR=%s: there is no such memory, or none left; using omp_default_mem_alloc",
         s.allocator.c_str());
    return kDefaultMemAlloc;
}

} // namespace

AllocatorHandle initial_allocator() { return initial.get(make_initial_allocator); }

void *allocate(std::size_t alignment, std::size_t size, AllocatorHandle handle, Content content) {
    if (size == 0)
        return nullptr;
    // A circle of allocators that fall back on each other behaves like null_fb.
    for (int hops = 0; hops < 64; ++hops) {
        Allocator *a = custom(handle);
        if (a == nullptr)
            return take(std::max(alignment, kNaturalAlignment), size, handle, content);
        if (LOOMP_LIKELY(a->charge(cost_of(size)))) {
            if (void *block = take(std::max(alignment, a->alignment), size, handle, content))
                return block;
            a->refund(cost_of(size));
        }
        switch (a->fallback) {
        case Fallback::default_mem:
            handle = kDefaultMemAlloc;
            break;
        case Fallback::null:
            return nullptr;
        case Fallback::abort:
            out_of_memory(size, handle);
        case Fallback::allocator:
            handle = a->fallback_data;
            break;
        }
    }
    return nullptr;
}

void *allocate_or_abort(std::size_t alignment, std::size_t size, AllocatorHandle handle) {
    void *block = allocate(alignment, size, handle);
    if (LOOMP_UNLIKELY(block == nullptr && size != 0))
        out_of_memory(size, handle);
    return block;
}

void *reallocate(void *block, std::size_t size, AllocatorHandle handle) {
    const std::optional<DeviceBlock> of_device = device_block(block);
    Header *header = of_device ? nullptr : &header_of(block);
    const AllocatorHandle was = of_device ? of_device->handle : header->handle;
    if (handle == kNullAllocator)
        handle = was;
    if (header != nullptr && handle == was)
        if (void *resized = resize(*header, size))
            return resized;
    void *moved = allocate(1, size, handle);
    if (moved == nullptr)
        return nullptr;
    if (!copy_content(moved, block, std::min(size, of_device ? of_device->size : header->size))) {
        deallocate(moved);
        return nullptr;
    }
    deallocate(block);
    return moved;
}

void deallocate(void *block) {
    if (block == nullptr)
        return;
    if (const auto device_block = forget_device_block(block); device_block) {
        if (device_block->is_charged)
            custom(device_block->handle)->refund(cost_of(device_block->size));
        drivers()->free(DriverMemory::device, device_block->base, device_block->device);
        return;
    }
    const Header header = header_of(block);
    if (header.is_charged)
        custom(header.handle)->refund(cost_of(header.size));
    switch (header.source) {
    case Source::malloc:
        std::free(header.base);
        break;
    case Source::pinned_pages:
        unmap_pages(header.base, header.total);
        break;
    case Source::driver_host:
        drivers()->free(DriverMemory::host, header.base, header.device);
        break;
    case Source::driver_shared:
        drivers()->free(DriverMemory::shared, header.base, header.device);
        break;
    }
}

} // namespace loomp::core
