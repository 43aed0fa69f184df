// The limit of task memory, which creators of tasks with dependences respect
// (runtime/core/scheduling/throttle.h). It is far above what a scheduler needs to see of a graph.
//
// It counts whole chunks that block caches reserve, large tables of dependences, and what is kept
// of repeated tasks, so single tasks have no counting cost.
//
// The limit is LOOMP_TASK_MEMORY, or a quarter of the memory that the machine and the process's
// control groups have left for the process, tasks included. Several processes of a job divide it.
// The limit is computed when tasks have taken 64 MiB, and again after each further 64 MiB.
//
// Thread safety: any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace loomp::core {

/// Counts bytes that a caller is about to reserve; caches keep theirs for ever. Returns false if
/// tasks exceed the limit.
bool reserve_for_tasks(std::size_t bytes);
/// Counts bytes that were returned to the system.
void take_from_tasks(std::size_t bytes);
/// Returns whether tasks may have that many more bytes, by the last computed limit.
bool fits_task_budget(std::size_t bytes);
/// Returns whether tasks exceed the last computed limit.
bool over_task_budget();
/// Returns the bytes that are reserved now.
std::size_t reserved_for_tasks();
/// Returns the last computed limit; 0: none yet.
std::size_t task_memory_bound();

/// Sets how many processes share the quarter; at least 1. Each is assumed to have as much task
/// memory as this one.
void share_task_memory(unsigned processes);
/// Returns how many processes share the quarter.
unsigned sharers_of_task_memory();

/// A vector whose memory counts.
template <class T> struct TaskMemoryAllocator {
    using value_type = T;
    TaskMemoryAllocator() = default;
    template <class Other> TaskMemoryAllocator(const TaskMemoryAllocator<Other> &) {}
    static constexpr std::size_t kSize =
        sizeof(T); // NOLINT(bugprone-sizeof-expression): also of pointers
    T *allocate(std::size_t count) {
        (void)reserve_for_tasks(count * kSize);
        return std::allocator<T>().allocate(count);
    }
    void deallocate(T *memory, std::size_t count) {
        take_from_tasks(count * kSize);
        std::allocator<T>().deallocate(memory, count);
    }
    bool operator==(const TaskMemoryAllocator &) const { return true; }
};
template <class T> using TaskVector = std::vector<T, TaskMemoryAllocator<T>>;

/// Returns the memory that the process can still get before the system swaps or kills.
std::size_t available_memory();

} // namespace loomp::core
