#include "tests/simulated/memory.h"

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)

namespace loomp::simulated {
void *next_place(std::size_t) { return nullptr; }
} // namespace loomp::simulated

#else

namespace loomp::simulated {

namespace {

constexpr std::uintptr_t kHeaps = std::uintptr_t{1} << 44;
constexpr std::uintptr_t kMappings = std::uintptr_t{1} << 45;
constexpr std::size_t kHeapSize = std::size_t{1} << 38; ///< address space
constexpr std::size_t kPiece = 16;
constexpr std::size_t kSmall = 1024; ///< up to this size, classes are multiples of kPiece

std::uintptr_t mapped_until = kMappings;

/// Precedes each block.
struct Header {
    Header *next; ///< of the free ones
    std::uint16_t size_class;
    std::uint16_t heap;
    std::uint32_t shift; ///< the block begins so many pieces after the header
};
static_assert(sizeof(Header) == kPiece);

std::size_t class_of(std::size_t size) {
    return size <= kSmall
               ? (size + kPiece - 1) / kPiece
               : kSmall / kPiece + static_cast<std::size_t>(std::bit_width((size - 1) / kSmall));
}
std::size_t size_of(std::size_t size_class) {
    return size_class <= kSmall / kPiece ? size_class * kPiece
                                         : kSmall << (size_class - kSmall / kPiece);
}

/// The process has one thread. Free blocks stay in their class.
struct Heap {
    char *unused = nullptr;
    char *end = nullptr;
    Header *free[kSmall / kPiece + 40] = {};
};
Heap heaps[2];

extern "C" char __executable_start, etext; // NOLINT: the linker's

/// The program and the core have a heap of their own, because libraries of another version
/// allocate differently.
unsigned heap_for(const void *caller) {
    return caller >= &__executable_start && caller < &etext ? 0 : 1;
}

void *allocate(std::size_t size, const void *caller) {
    const unsigned number = heap_for(caller);
    Heap &heap = heaps[number];
    if (size > kHeapSize / 4)
        return nullptr;
    const std::size_t size_class = class_of(size);
    if (Header *block = heap.free[size_class]) {
        heap.free[size_class] = block->next;
        return block + 1;
    }
    if (heap.unused == nullptr) {
        void *at = reinterpret_cast<void *>(kHeaps + number * kHeapSize);
        heap.unused = static_cast<char *>(
            mmap(at, kHeapSize, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0));
        if (heap.unused != at)
            std::abort();
        heap.end = heap.unused + kHeapSize;
    }
    const std::size_t whole = sizeof(Header) + size_of(size_class);
    if (static_cast<std::size_t>(heap.end - heap.unused) < whole)
        return nullptr;
    auto *block = reinterpret_cast<Header *>(heap.unused);
    heap.unused += whole;
    *block = {nullptr, static_cast<std::uint16_t>(size_class), static_cast<std::uint16_t>(number),
              0};
    return block + 1;
}

Header *header_of(void *block) {
    Header *header = static_cast<Header *>(block) - 1;
    return header - header->shift;
}

void *or_no_memory(void *block) {
    if (block == nullptr)
        errno = ENOMEM;
    return block;
}

void *allocate_aligned(std::size_t alignment, std::size_t size, const void *caller) {
    if (alignment <= kPiece)
        return or_no_memory(allocate(size, caller));
    auto *block = static_cast<char *>(or_no_memory(allocate(size + alignment, caller)));
    if (block == nullptr)
        return nullptr;
    const std::size_t shift = -reinterpret_cast<std::uintptr_t>(block) & (alignment - 1);
    if (shift != 0)
        (reinterpret_cast<Header *>(block + shift) - 1)->shift =
            static_cast<std::uint32_t>(shift / kPiece);
    return block + shift;
}

/// From the block on.
std::size_t usable(void *block) {
    const Header *header = header_of(block);
    const auto begin = reinterpret_cast<const char *>(header + 1);
    return size_of(header->size_class) -
           static_cast<std::size_t>(static_cast<const char *>(block) - begin);
}

} // namespace

void *next_place(std::size_t size) {
    constexpr std::size_t kStep = std::size_t{1} << 21; // huge pages are whole
    void *place = reinterpret_cast<void *>(mapped_until);
    mapped_until += (size + 2 * kStep - 1) / kStep * kStep; // with a gap
    return place;
}

} // namespace loomp::simulated

using namespace loomp::simulated;

#define CALLER __builtin_return_address(0)

extern "C" {

void *malloc(std::size_t size) noexcept { return or_no_memory(allocate(size, CALLER)); }
void *calloc(std::size_t count, std::size_t size) noexcept {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes))
        return or_no_memory(nullptr);
    void *block = or_no_memory(allocate(bytes, CALLER));
    return block != nullptr ? std::memset(block, 0, bytes) : nullptr;
}
void free(void *block) noexcept {
    if (block == nullptr)
        return;
    Header *header = header_of(block);
    Heap &heap = heaps[header->heap];
    header->next = heap.free[header->size_class];
    heap.free[header->size_class] = header;
}
void *realloc(void *block, std::size_t size) noexcept {
    if (block != nullptr && size <= usable(block))
        return block;
    void *larger = or_no_memory(allocate(size, CALLER));
    if (block != nullptr && larger != nullptr) {
        std::memcpy(larger, block, usable(block));
        std::free(block);
    }
    return larger;
}
void *aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return allocate_aligned(alignment, size, CALLER);
}
void *memalign(std::size_t alignment, std::size_t size) noexcept {
    return allocate_aligned(alignment, size, CALLER);
}
int posix_memalign(void **block, std::size_t alignment, std::size_t size) noexcept {
    *block = allocate_aligned(alignment, size, CALLER);
    return *block != nullptr ? 0 : ENOMEM;
}
std::size_t malloc_usable_size(void *block) noexcept {
    return block != nullptr ? usable(block) : 0;
}

} // extern "C"

#endif
