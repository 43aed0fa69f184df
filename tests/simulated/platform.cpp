// The parts of platform/ that have sources: sleeping, waking and fences on the simulated machine;
// the program's interface; and the system's files.
#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <link.h>

#include "platform/fence.h"
#include "platform/futex.h"
#include "runtime/core/environment/program_interface.h"
#include "tests/simulated/bounded.h"
#include "tests/simulated/machine.h"

namespace loomp::core {

void futex_wait(Atomic<std::uint32_t> &word, std::uint32_t expected, std::uint32_t bits) {
    futex_wait_until(word, expected, 0, bits);
}

void futex_wait_until(Atomic<std::uint32_t> &word, std::uint32_t expected, std::int64_t time,
                      std::uint32_t bits) {
    // The kernel compares and goes to sleep in one step.
    const bool still = word.load(std::memory_order_relaxed) == expected;
    simulated::sleep_on(&word, still, bits, time);
}

int futex_wake(Atomic<std::uint32_t> &word, int count, std::uint32_t bits) {
    // It changes what a sleep on the word does, even if nobody writes the word.
    simulated::access(&word, true);
    return simulated::wake(&word, count, bits);
}

// Light fences need no instruction: the machine has no store buffers.
#if defined(__SANITIZE_THREAD__)
Atomic<bool> light_fence_is_full{true};
#else
Atomic<bool> light_fence_is_full{false};
#endif

void initialize_fences() {}

void heavy_fence() {
    atomic_fence(std::memory_order_seq_cst);
    simulated::fence_all();
}

/// While the program is loaded, it is one of libomp: the settings are read when it begins, and not
/// before the seed has set them.
ProgramInterface program_interface() {
    return simulated::has_begun() ? ProgramInterface::gnu : ProgramInterface::llvm;
}

} // namespace loomp::core

/// The machine has no files: the core reads which memory and which processors the system has.
extern "C" std::FILE *fopen(const char *name, const char *mode) {
    if (loomp::simulated::has_begun()) {
        errno = ENOENT;
        return nullptr;
    }
    static auto *const next = reinterpret_cast<decltype(&fopen)>(dlsym(RTLD_NEXT, "fopen"));
    return next(name, mode);
}

/// The loader holds its lock meanwhile, and the child of a process that forks there would wait for
/// it for ever.
extern "C" int dl_iterate_phdr(int (*visit)(dl_phdr_info *, std::size_t, void *), void *data) {
    static auto *const next =
        reinterpret_cast<decltype(&dl_iterate_phdr)>(dlsym(RTLD_NEXT, "dl_iterate_phdr"));
    const loomp::simulated::NoChoices whole;
    return next(visit, data);
}
