// Under ThreadSanitizer: the memory of tasks, and the orders that Archer does not report to it.
//
// A descriptor holds variables of the program, and is reused for the next task once its task has
// completed. The runtime's own synchronisation orders the two tasks, but the detector does not see
// it and would report a race between them. So under a detector a block is kept until a barrier of
// its team has ended, which orders all earlier accesses before all later ones.
//
// Archer reports a task's creation when it happens, but gcc's code fills the data environment of
// some tasks later. Archer also knows nothing of doacross loops. The detector has functions for
// such orders: all accesses before a release of an address happen before those that follow a later
// acquisition of it.
#include <cstdlib>
#include <dlfcn.h>

#include "platform/locks_at_fork.h"
#include "platform/spinlock.h"
#include "runtime/ompt/ompt.h"

namespace loomp::ompt {

namespace {

core::SpinLock lock; ///< guards the list
const core::LocksAtFork at_fork([](core::LocksAtFork::Each each) { each(lock); });
Task *kept = nullptr;

std::uint32_t barriers_of(const Team &team) {
    return team.barrier.generation.load(std::memory_order_acquire);
}

bool keep_block(Task &task) {
    const Team &team = *task.team;
    if (team.size == 1)
        return false;
    // A task that is gone keeps the number of barriers before its end.
    task.barriers_seen = barriers_of(team);
    const core::SpinGuard guard(lock);
    task.next = kept;
    kept = &task;
    return true;
}

} // namespace

void give_blocks_back(Team &team, bool region_ends) {
    Worker &worker = *Worker::current();
    const std::uint32_t barriers = barriers_of(team);
    const core::SpinGuard guard(lock);
    for (Task **link = &kept; *link != nullptr;) {
        Task &task = **link;
        if (task.team != &team || (!region_ends && task.barriers_seen == barriers)) {
            link = &task.next;
            continue;
        }
        *link = task.next;
        // Any worker can own the block, because the runtime never frees this memory.
        task.home = static_cast<std::uint16_t>(worker.index);
        task.created = 0;
        worker.task_blocks.free_local(&task, task.size_class);
    }
}

namespace {

// Set before the first worker exists, and only read afterwards.
using Annotation = void (*)(const char *file, int line, const volatile void *address);
Annotation release = nullptr;
Annotation acquire = nullptr;
core::ToolHooks next; ///< the hooks that those below call

void data_filled(Task &task) { release("", 0, &task); }

/// Only code with kCleanup has filled the data late. Nothing else acquires a task's address.
void task_begin(Task *below, Task &task, const void *frame) {
    next.task_begin(below, task, frame);
    if (task.has(core::kCleanup))
        acquire("", 0, &task);
}

/// The addresses of iterations. Those with one address are ordered, too: a race between them may
/// remain unreported.
constexpr std::size_t kIterations = 1024;
std::uint64_t *iterations = nullptr;

const void *address_of(const std::int64_t *iteration, unsigned count) {
    auto key = reinterpret_cast<std::uintptr_t>(Worker::current()->member->team);
    for (unsigned i = 0; i < count; ++i)
        key = (key ^ static_cast<std::uintptr_t>(iteration[i])) * 0x9e3779b97f4a7c15;
    return &iterations[(key >> 32) % kIterations];
}

/// Called before others can see that the source is reached, and after a sink has seen it.
void doacross(bool source, const std::int64_t *iteration, unsigned count) {
    next.doacross(source, iteration, count);
    (source ? release : acquire)("", 0, address_of(iteration, count));
}

} // namespace

bool runs_with_thread_sanitizer() {
    // `loomp check` puts its own library in the place of ThreadSanitizer's.
    return dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr &&
           dlsym(RTLD_DEFAULT, "loomp_check_take") == nullptr;
}

void hook_race_detector(core::ToolHooks &hooks) {
    if (!runs_with_thread_sanitizer())
        return;
    hooks.keep_block = keep_block;
    release = reinterpret_cast<Annotation>(dlsym(RTLD_DEFAULT, "AnnotateHappensBefore"));
    acquire = reinterpret_cast<Annotation>(dlsym(RTLD_DEFAULT, "AnnotateHappensAfter"));
    iterations = static_cast<std::uint64_t *>(std::calloc(kIterations, sizeof *iterations));
    if (release == nullptr || acquire == nullptr || iterations == nullptr)
        return;
    next = hooks;
    hooks.data_filled = data_filled;
    hooks.task_begin = task_begin;
    hooks.doacross = doacross;
}

} // namespace loomp::ompt
