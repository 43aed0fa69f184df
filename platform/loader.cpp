#include "platform/loader.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>

#include "platform/atomic.h"
#include "platform/threads.h"

namespace loomp::core {

namespace {

/// The loader's own record of its state; null: it is unknown. The symbol _r_debug may be a copy in
/// the program, which the loader does not update.
const r_debug *state = nullptr;

// All accesses are relaxed: the child begins with what the forking thread has read and written.
// At the last fork(); several threads that fork all write the same.
Atomic<bool> had_threads{false};
Atomic<bool> was_changing{false};
// This process, or one before it, was forked from several threads; one of them changed the list.
Atomic<bool> left_threads{false};
Atomic<bool> left_change{false};

bool has_threads() {
    if (__libc_single_threaded != 0)
        return false;
    // The flag stays 0 after all other threads have ended. The folder has a link for each thread,
    // beside its own two.
    struct stat threads = {};
    return stat("/proc/self/task", &threads) != 0 || threads.st_nlink != 3;
}

void before() {
    had_threads.store(has_threads(), std::memory_order_relaxed);
    was_changing.store(state == nullptr || state->r_state != r_debug::RT_CONSISTENT,
                       std::memory_order_relaxed);
}

void in_child() {
    if (!had_threads.load(std::memory_order_relaxed))
        return;
    left_threads.store(true, std::memory_order_relaxed);
    if (was_changing.load(std::memory_order_relaxed))
        left_change.store(true, std::memory_order_relaxed);
}

void find_state() {
    link_map *program = nullptr;
    void *const handle = dlopen(nullptr, RTLD_LAZY);
    if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &program) != 0)
        return;
    for (const ElfW(Dyn) *entry = program->l_ld; entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_DEBUG)
            state = reinterpret_cast<const r_debug *>(entry->d_un.d_ptr);
}

/// Runs when the library is loaded, because a program may fork before it uses OpenMP. A child that
/// loads the library later has the lock, because dlopen() took it.
[[gnu::constructor]] void watch() {
    find_state();
    handle_forks(before, nullptr, in_child);
}

} // namespace

bool can_list_libraries() { return !left_threads.load(std::memory_order_relaxed); }

void *open_if_loaded(const char *name) {
    if (left_change.load(std::memory_order_relaxed))
        return nullptr;
    return dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
}

void *open_library(const char *name) {
    return can_list_libraries() ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : open_if_loaded(name);
}

} // namespace loomp::core
