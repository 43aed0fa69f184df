// What a debugger is told: where the tasks of a stopped process, or of its core file, are found.
// runtime/debugger/libloomp.so-gdb.py, which is installed beside the library, reads it.
//
// One exported object, `loomp_debugger`, has addresses and offsets as numbers, so that a library
// without symbols and debug information will do. Of what a task does nothing is written down for
// debuggers but which suspension left a stack last (Stack::left_by): one store. Nobody takes it
// back, so it is up to the reader to find out that the stack is left still:
//   - no thread's worker is on it, or on one whose creators wait on it (Stack::work_first_call);
//   - no thread's stack pointer lies in it.
// The saved context has Boost.Context's layout: see the script.
#pragma once

#include <cstdint>

namespace loomp::core {

/// Changes by addition only, at the end; else with another version.
struct DebuggerTable {
    std::uint64_t version;
    const void *last_stack_made; ///< of a pointer; from there on by stack_made_before
    const void *workers;         ///< of an array of pointers, up to the first null
    std::uint64_t stack_made_before, stack_base, stack_top, stack_left_by, stack_immediate;
    std::uint64_t immediate_creator, immediate_creator_stack;
    std::uint64_t worker_task, worker_stack, worker_native_stack_left_by, worker_os_thread;
    std::uint64_t suspension_sp, suspension_task, suspension_looks_for_work;
    /// Before a suspension that waits for a rendezvous: its word's address. The word has the
    /// suspension's.
    std::uint64_t suspension_after_word;
    std::uint64_t task_flags, implicit_flag;
    std::uint64_t poller_last_poll; ///< nanoseconds of the monotonic clock
};

} // namespace loomp::core

extern "C" __attribute__((visibility("default"))) const loomp::core::DebuggerTable loomp_debugger;
