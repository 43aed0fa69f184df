// Locates the tasks of a stopped process, or of its core file, for debuggers.
// runtime/debugger/libloomp.so-gdb.py, which is installed next to the library, reads it.
//
// One exported object, `loomp_debugger`, has addresses and offsets as numbers, so that a library
// without symbols and debug information suffices. Tasks record only one thing for debuggers: the
// suspension that left a stack last (Stack::left_by), which is one store. It is never cleared, so
// the reader must check that the stack is still left:
//    - no thread's worker is on it, or on one whose creators wait on it (Stack::work_first_call);
//    - no thread's stack pointer lies in it.
// The saved context has Boost.Context's layout: see the script.
#pragma once

#include <cstdint>

namespace loomp::core {

/// Changes only append fields at the end; other changes need another version.
struct DebuggerTable {
    std::uint64_t version;
    const void *last_stack_made; ///< address of a pointer; stack_made_before links the others
    const void *workers;         ///< address of an array of pointers, which ends at the first null
    std::uint64_t stack_made_before, stack_base, stack_top, stack_left_by, stack_immediate;
    std::uint64_t immediate_creator, immediate_creator_stack;
    std::uint64_t worker_task, worker_stack, worker_native_stack_left_by, worker_os_thread;
    std::uint64_t suspension_sp, suspension_task, suspension_looks_for_work;
    /// The address of a rendezvous's word, stored before a suspension that waits for it. The word
    /// has the suspension's address.
    std::uint64_t suspension_after_word;
    std::uint64_t task_flags, implicit_flag;
    std::uint64_t poller_last_poll; ///< nanoseconds of the monotonic clock
    /// Events of detach clauses: address of a pointer; event_made_before links the others. An event
    /// is not settled if its word is odd. Nobody has fulfilled it although its task has ended if,
    /// in the task's word at task_detach, detach_lost is all there is of detach_both.
    const void *last_event_made;
    std::uint64_t event_made_before, event_word, event_task;
    std::uint64_t task_detach, detach_lost, detach_both;
    /// Places of the address of a task's code: an array, by the task's word at task_invoke. The
    /// offset, 4 bytes, counts from the end of the task's task_size bytes.
    const void *code_places;
    const void *code_places_used; ///< address of their count
    std::uint64_t code_place_size, code_place_offset, task_invoke, task_size;
};

} // namespace loomp::core

extern "C" __attribute__((visibility("default"))) const loomp::core::DebuggerTable loomp_debugger;
