// The list of a task's successors.
//
// One word: bits 63..48 the low bits of the block's serial, bits 47..0 the head of the list, with
// value kClosed when the task has completed. Producers push with compare-and-swap, the completer
// closes with one exchange.
//
// Why a stale TaskRef is harmless: push_edge() reads the word (acquire), then compares the tag and
// then `serial` with the reference's. The serial is stored before the word is opened for the next
// use (release), so a word of a later use shows a later serial. If the block is reused between the
// check and the compare-and-swap, the tag differs and it fails.
#pragma once

#include <cstdint>

#include "platform/atomic.h"
#include "runtime/core/dependences/dependence.h"
#include "runtime/core/task/task.h"

namespace loomp::core {

namespace successors {
inline constexpr std::uint64_t kClosed = 1; ///< no Edge lives at address 1
inline constexpr std::uint64_t kPointerMask = (1ull << 48) - 1;
inline std::uint64_t tag(std::uint64_t serial) { return serial << 48; }
inline Edge *head(std::uint64_t word) { return reinterpret_cast<Edge *>(word & kPointerMask); }
} // namespace successors

/// For assertions only: no edge leads from the task.
inline bool has_no_edges(const Task &task) {
    return (task.successors.load(std::memory_order_relaxed) & successors::kPointerMask) <=
           successors::kClosed;
}

/// Opens the successors list of a block's new use, before the map names the task. A task without
/// dependences never has successors; its list stays closed from the block's last use.
inline void open_successors(Task &task) {
    const std::uint64_t serial = task.serial.load(std::memory_order_relaxed) + 1;
    LOOMP_ASSERT(has_no_edges(task));
    // release: see has_completed().
    task.serial.store(serial, std::memory_order_release);
    // release: see above.
    task.successors.store(successors::tag(serial), std::memory_order_release);
}

/// Returns whether the task that `ref` names is complete, so that no edge is made to it. A `ref`
/// that names no task (runtime/core/dependences/graph_builder.h) is never complete.
bool has_completed(const TaskRef &ref);
inline bool has_completed(const TaskRef &ref) {
    if (ref.task == nullptr)
        return false;
    // acquire: what a completed task wrote is visible to a thread that is not ordered after it by
    // an edge. The word may show the task unfinished, and the serial afterwards the next use.
    const std::uint64_t word = ref.task->successors.load(std::memory_order_acquire);
    return (word >> 48) != (ref.serial & 0xffff) ||
           ref.task->serial.load(std::memory_order_acquire) != ref.serial ||
           (word & successors::kPointerMask) == successors::kClosed;
}

/// Closes the successors list of a completed task and releases each successor: `ready(Task&)` is
/// called for those that have nothing left to wait for.
/// Thread safety: once per task, by the thread that completes it.
template <class F> LOOMP_INLINE void release_successors(Task &task, F ready) {
    LOOMP_ASSERT((task.successors.load(std::memory_order_relaxed) & successors::kPointerMask) !=
                 successors::kClosed);
    // acq_rel: the edges pushed are read; the task's effects are published to threads that find it
    // closed.
    const std::uint64_t word = task.successors.exchange(
        successors::tag(task.serial.load(std::memory_order_relaxed)) | successors::kClosed,
        std::memory_order_acq_rel);
    for (Edge *edge = successors::head(word); edge != nullptr;) {
        Task *successor = edge->successor;
        // Read before the decrement: afterwards the successor may complete and its block be reused.
        edge = edge->next;
        // Each edge lies in another successor's block, in nobody's cache: fetched while the atomic
        // operation, which later reads do not overtake, waits for this one's line.
        __builtin_prefetch(edge);
        if (successor->predecessors.remove())
            ready(*successor);
    }
}

} // namespace loomp::core
