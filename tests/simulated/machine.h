// The simulated machine: processors that run one thread at a time, a clock, futexes. One seed
// decides everything that a real machine leaves open: which thread runs next, how long it runs,
// when a wake-up is spurious, which sleeper wakes first, whether a thread can be made.
//
// The headers in seam/platform replace those of platform/: every access to shared data, to the
// clock and to the system is a point at which another thread may continue (step()). The threads are
// fibers of the process's only thread, so a run with a seed is the same every time.
//
// Plain accesses are no such points. A data race shows under ThreadSanitizer: each simulated
// thread is a fiber of its own there.
//
// threads.cpp has the part that programs need for threads of the system (LOOMP_SYSTEM_THREADS), on
// which the same programs run with the library itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::simulated {

/// How threads take turns.
enum class Policy : std::uint8_t {
    random,     ///< each switch point leaves the thread with one chance; the next one is any
    priorities, ///< probabilistic concurrency testing: the thread with the highest priority runs;
                ///< at `depth - 1` random points the running thread falls behind all others
    bounded,    ///< a thread runs until it waits; all schedules with a few preemptions (bounded.h)
    parallel    ///< each thread has a processor and a clock; the one that is furthest behind runs.
                ///< Accesses and calls of the system cost time (lines.h)
};

struct Setup {
    std::uint64_t seed = 1;
    Policy policy = Policy::random;
    unsigned mean = 20;               ///< random: switch points between switches, on average
    unsigned depth = 3;               ///< priorities
    std::uint64_t expected = 20'000;  ///< priorities: the points lie among so many steps
    std::uint64_t limit = 20'000'000; ///< steps; a run that takes more makes no progress
    unsigned spurious = 0;            ///< one of so many sleeps ends at once; 0: none
    unsigned refused_threads = 0;     ///< one of so many threads cannot be made; 0: none
    unsigned late_wakes = 0;          ///< after one of so many wake-ups the sleeper is up late
    unsigned refused_stacks = 0;      ///< one of so many stacks cannot be mapped; 0: none
    bool may_lack_stacks = false;     ///< for that or other reasons, see kNoStacks
    unsigned jumps = 0;               ///< one of so many looks at the clock finds it far ahead
    int processors = 2;               ///< that the program may use
    bool processors_change = false;   ///< another number at each look
    bool trace = false;               ///< prints each switch
};

/// How a run ended.
struct Outcome {
    std::uint64_t steps = 0;
    std::uint64_t switches = 0;
    std::uint64_t threads = 0;
    std::uint64_t digest = 0; ///< of the sequence of threads and of their accesses
    std::int64_t nanoseconds = 0;
};

/// Whether a run needs a new process, whose environment has its settings from the start.
extern const bool needs_new_process;

/// Runs `program()` as the machine's first thread until it returns. A run in which nobody can
/// continue, or that makes no progress, prints what each thread waits for and ends the process with
/// kHang. At most one run in a process.
Outcome run(const Setup &setup, void (*program)());

inline constexpr int kWrong = 3; ///< exit status: a check of the program failed
inline constexpr int kHang = 4;  ///< exit status
/// Exit status: a hang in a run in which stacks were refused, or in which there are few and
/// creators wait. Tasks that wait for dependences or events may need more stacks than there are
/// (docs/tasks-and-threads.md).
inline constexpr int kNoStacks = 5;

/// The number of processors that the runtime finds while the program is loaded: this variable's, or
/// two. Later looks find the setup's.
inline constexpr const char *kProcessorsAtStart = "SIMULATED_PROCESSORS";

/// Called by give_up() after its first line; null: nothing is.
extern void (*when_given_up)();

/// Prints a line and what each thread does, and ends the process.
[[noreturn]] void give_up(int status, const char *why);

extern std::uint64_t steps_until_switch;
void switch_point();

/// Another thread may run here. Outside of run() nothing happens.
#if defined(LOOMP_SYSTEM_THREADS)
inline void step() { asm volatile("" ::: "memory"); }
#elif defined(__SANITIZE_THREAD__) // it watches the caller, and not the machine
void step_watched();
inline void step() { step_watched(); }
#else
inline __attribute__((always_inline)) void step() {
    if (__builtin_expect(--steps_until_switch == 0, 0))
        switch_point();
}
#endif

extern bool accesses_are_watched;
void watch_access(const void *address, bool writes);

/// An access to shared data, before which another thread may run.
inline __attribute__((always_inline)) void access(const void *address, bool writes) {
    if (__builtin_expect(static_cast<int>(accesses_are_watched), 0))
        watch_access(address, writes);
    else
        step();
}

/// Policy::parallel: calls of the system since the run began.
struct SystemCounts {
    std::uint64_t sleeps = 0;
    std::uint64_t wakes = 0;      ///< calls
    std::uint64_t woken = 0;      ///< threads
    std::uint64_t interrupts = 0; ///< of other threads
    std::uint64_t pauses = 0;
};
SystemCounts system_counts();
/// A fence in all threads by a call of the system, which interrupts those that run.
void fence_all();

/// The thread waits for another one and runs in a loop meanwhile: others run first.
void pause();
void yield();

/// Whether run() has been called.
bool has_begun();

/// A number below `end` from the run's seed.
std::uint64_t any_below(std::uint64_t end);
/// True once in `one_of` times; never for 0.
bool happens(unsigned one_of);

/// Sleeps while *word == expected, until woken by a matching bit or until `time`; 0: no time.
void sleep_on(const void *word, bool still_expected, std::uint32_t bits, std::int64_t time);
int wake(const void *word, int count, std::uint32_t bits);
/// Sleeps until `time`.
void sleep_until(std::int64_t time);
std::int64_t now();

int start(void *(*function)(void *), void *argument, unsigned long *handle);
void join(unsigned long handle);
/// The functions of pthread_atfork(). They may be set before a run.
void handle_forks(void (*before)(), void (*in_parent)(), void (*in_child)());
/// Forks; the child has the calling thread alone, runs `program(argument)` and ends. The parent
/// waits for its end. Returns whether it ended well.
bool run_in_child(void (*program)(void *), void *argument);
/// How many forks of the program led to this process.
unsigned forks();
int own_number();
unsigned long own_handle();
struct Bounds {
    char *lowest;
    std::size_t size;
};
Bounds own_stack();
int processors();
bool refuses_stacks();
/// Returns whether this run's machine refuses any.
bool stacks_are_refused();
/// The value for the calling thread's end, and the function that gets it.
void at_end(void (*function)(void *), void *value);

} // namespace loomp::simulated
