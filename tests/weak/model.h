// Runs a piece of the runtime, from its own sources, under relacy: in many executions, each with
// another order of the threads' steps and with every value that the memory orders permit a load to
// return (up to two stores old).
//
// The pieces are compiled with another platform/atomic.h (seam), so that each atomic access is a
// step of the model. Each plain access is checked for a data race by relacy's clocks: the compiler
// calls the model for it as it calls ThreadSanitizer. Plain accesses are no steps. Memory of an
// execution is used once, so an access to freed memory is found. The C library's and the kernel's
// functions that the pieces call are the model's (model.cpp: __wrap_*): futexes, membarrier, the
// clock, memory.
//
// An execution fails if check() or an assertion of the runtime does, at a data race, at an access
// to freed memory or to an atomic object that its thread cannot know to exist yet, if all threads
// sleep, or if it does not end.
//
// The model's orders differ from C++'s in this: a futex's wake-up orders nothing but by the full
// fences at both system calls; two seq_cst fences, or a membarrier, order everything, plain
// accesses included; a thread's later stores to an object belong to the release sequence of an
// earlier one (as before C++20); a seq_cst load is not ordered after a seq_cst fence of another
// thread. The rule for a load after a seq_cst fence and an earlier seq_cst store is the standard's
// (relacy lacks it).
#pragma once

#include <cstddef>
#include <span>

namespace loomp::weak {

enum class Search {
    random, ///< `executions`, each from its number as seed
    bound,  ///< all with at most `executions` switches from a thread that could continue
};

/// A test: `before` runs, then the threads, then `after`; the first and last see everything.
struct Scenario {
    const char *name;
    int threads; ///< 2 or 3; 2 with Search::bound
    void (*before)();
    void (*thread)(int number);
    void (*after)();
    Search search;
    unsigned executions;
};

/// The file's scenarios; each file defines it.
extern const std::span<const Scenario> scenarios;

/// The number of the running thread.
int thread_number();
/// One of [0, count).
unsigned choose(unsigned count);
void check_at(bool holds, const char *text, const char *file, int line);
/// Memory that this execution has allocated and not freed: how many blocks.
int blocks_in_use();

/// The running thread waits until another one calls wake(). Neither orders anything.
void sleep_until_woken();
void wake(int thread);

#define WEAK_CHECK(holds) ::loomp::weak::check_at((holds), #holds, __FILE__, __LINE__)

} // namespace loomp::weak
