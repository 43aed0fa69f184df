#include "runtime/target/library_lifetime.h"

#include <unistd.h>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/common.h"
#include "platform/locks_at_fork.h"

namespace loomp::target {

namespace {

constexpr unsigned kClosed = 1U << 31;
Atomic<unsigned> word{0}; ///< how many threads are inside, and kClosed
Atomic<int> images{0};
Atomic<bool> forked{false};

/// The calling thread's state.
struct Own {
    unsigned entries = 0;
    bool has_closed = false;
};
LOOMP_THREAD_LOCAL Own own;
LOOMP_NOINLINE Own &get_own() { return own; }

const core::LocksAtFork at_fork([] {
    // The child has no other thread.
    word.store(get_own().entries, std::memory_order_relaxed);
    forked.store(images.load(std::memory_order_relaxed) != 0, std::memory_order_relaxed);
});

void close_gate() {
    Own &mine = get_own();
    mine.has_closed = true;
    word.fetch_or(kClosed, std::memory_order_relaxed);
    // acquire: what those who have left did in libomptarget.
    while ((word.load(std::memory_order_acquire) & ~kClosed) > mine.entries)
        core::pause_for(50'000);
}

} // namespace

Entry::Entry()
    // acquire: the thread that opened the gate had registered libomptarget's images before.
    : is_open_((word.fetch_add(1, std::memory_order_acquire) & kClosed) == 0 ||
               get_own().entries != 0) {
    if (is_open_)
        ++get_own().entries;
    else
        word.fetch_sub(1, std::memory_order_relaxed);
}

Entry::~Entry() {
    if (!is_open_)
        return;
    --get_own().entries;
    // release: publishes what this thread did inside.
    word.fetch_sub(1, std::memory_order_release);
}

void add_image() {
    if (images.fetch_add(1, std::memory_order_relaxed) == 0)
        // release: see Entry().
        word.fetch_and(~kClosed, std::memory_order_release);
}

void remove_image() {
    if (images.fetch_sub(1, std::memory_order_relaxed) == 1)
        close_gate();
}

bool is_closed_here() {
    // relaxed: a thread that enters after this look finds the gate closed (Entry).
    if (LOOMP_LIKELY((word.load(std::memory_order_relaxed) & kClosed) == 0))
        return false;
    const Own &mine = get_own();
    if (mine.entries == 0 && !mine.has_closed)
        stay_outside();
    return mine.has_closed;
}

void stay_outside() {
    for (;;)
        pause();
}

bool is_forked() { return forked.load(std::memory_order_relaxed); }

} // namespace loomp::target
