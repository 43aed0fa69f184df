// `new` in loomp's libraries: without memory the process ends with one line. The C++ library's
// operator would throw, which nothing here catches.
//
// Each library links this archive, and hides it: the program's `new` stays its own.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace {

void *or_end(void *memory, std::size_t size) {
    if (memory == nullptr) {
        char line[80];
        const int length =
            std::snprintf(line, sizeof line, "loomp: out of memory: %zu bytes\n", size);
        (void)!write(STDERR_FILENO, line, static_cast<std::size_t>(length));
        std::abort();
    }
    return memory;
}

/// malloc() may return null for 0 bytes, and `new` may not.
std::size_t at_least_one(std::size_t size) { return std::max<std::size_t>(size, 1); }

void *aligned(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    // aligned_alloc() wants a multiple of the alignment.
    return std::aligned_alloc(step, (at_least_one(size) + step - 1) / step * step);
}

} // namespace

void *operator new(std::size_t size) { return or_end(std::malloc(at_least_one(size)), size); }
void *operator new[](std::size_t size) { return operator new(size); }
void *operator new(std::size_t size, std::align_val_t alignment) {
    return or_end(aligned(size, alignment), size);
}
void *operator new[](std::size_t size, std::align_val_t alignment) {
    return operator new(size, alignment);
}
void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
    return std::malloc(at_least_one(size));
}
void *operator new[](std::size_t size, const std::nothrow_t &none) noexcept {
    return operator new(size, none);
}
void *operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
    return aligned(size, alignment);
}
void *operator new[](std::size_t size, std::align_val_t alignment,
                     const std::nothrow_t &none) noexcept {
    return operator new(size, alignment, none);
}

void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
