// Memory from the system, in pages, by loomp's own names. A build that simulates the machine can
// put its own in their place. Mappings, guards and advice are multiples of a page: 4 KiB on most
// machines, 16 or 64 KiB on some with aarch64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace loomp::core {

/// Returns a power of two. Signal handlers may call it. The C library knows it from the process's
/// start. It is no static object here: that would stay half made in the child of fork(), if another
/// thread was making it.
inline std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// Zeroed pages; null: the system has no more. `more_flags`: of mmap().
inline void *map_pages(std::size_t size, int more_flags = 0) {
    void *pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
}

/// Address space for stacks, which get pages when they touch them; null: there is no more. A huge
/// page would hold one stack's few frames, so there are none.
inline void *map_stacks(std::size_t size) {
    void *pages = map_pages(size, MAP_NORESERVE | MAP_STACK);
    if (pages != nullptr)
        madvise(pages, size, MADV_NOHUGEPAGE); // EINVAL from a kernel without huge pages
    return pages;
}

inline void unmap_pages(void *pages, std::size_t size) { munmap(pages, size); }

/// Moves them if necessary; null: the system has no more. The added ones are zero.
inline void *grow_pages(void *pages, std::size_t size, std::size_t new_size) {
    void *moved = mremap(pages, size, new_size, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? nullptr : moved;
}

inline void prefer_huge_pages(void *pages, std::size_t size) {
    madvise(pages, size, MADV_HUGEPAGE);
}

/// Gives the contents back to the system: the pages are zero when they are touched again.
inline void discard_pages(void *pages, std::size_t size) { madvise(pages, size, MADV_DONTNEED); }

/// Keeps them in RAM. False: the system refuses (RLIMIT_MEMLOCK).
inline bool pin_pages(void *pages, std::size_t size) { return mlock(pages, size) == 0; }

/// Makes them a guard without a mapping of its own. False: the kernel is older than Linux 6.13.
inline bool install_guard(void *pages, std::size_t size) {
#if defined(MADV_GUARD_INSTALL)
    return madvise(pages, size, MADV_GUARD_INSTALL) == 0;
#else
    return madvise(pages, size, 102) == 0;
#endif
}

/// PROT_NONE, PROT_READ or PROT_READ | PROT_WRITE. False: the system refuses.
inline bool protect_pages(void *pages, std::size_t size, int protection) {
    return mprotect(pages, size, protection) == 0;
}

/// The same, for a library that is not linked with the C library.
inline bool protect_pages_without_libc(void *pages, std::size_t size, int protection) {
#if defined(__x86_64__)
    long result = SYS_mprotect;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(pages), "S"(size), "d"(static_cast<long>(protection))
                 : "rcx", "r11", "memory");
    return result == 0;
#elif defined(__aarch64__)
    register long call asm("x8") = SYS_mprotect;
    register void *first asm("x0") = pages;
    register std::size_t bytes asm("x1") = size;
    register long wanted asm("x2") = protection;
    asm volatile("svc 0" : "+r"(first) : "r"(call), "r"(bytes), "r"(wanted) : "memory");
    return first == nullptr;
#else
    return pages == nullptr && size == 0 && protection == 0; // the caller has to do without
#endif
}

/// The NUMA domain of the page at an address, by the kernel's number; negative if it has none yet.
inline int domain_of_page(const void *address) {
    void *page =
        reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(address) & ~(page_size() - 1));
    int domain = -1;
    return syscall(SYS_move_pages, 0, 1ul, &page, nullptr, &domain, 0) == 0 ? domain : -1;
}

} // namespace loomp::core
