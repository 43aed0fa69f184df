// All schedules of a program with at most so many preemptions (iterative context bounding,
// Musuvathi and Qadeer, PLDI 2007).
//
// Without a preemption, a thread runs until it sleeps, pauses or ends. Then the one runs that has
// waited longest. A schedule is a list of deviations from that: at an access another thread runs
// first; at the end of a turn another one than the next runs; a sleeper's time limit ends early;
// another sleeper than the first one is woken. With two threads these are all schedules with so
// many preemptions.
//
// The process forks at each such choice: the child deviates, and has one deviation less; the parent
// waits for its end and continues.
//
// An access is a choice only if in some run of the search two threads access these eight bytes, and
// one of them writes or wakes. With two threads no schedule is lost: otherwise the access has the
// same effect before the preemption, and that schedule is searched, because its preemption is at
// the thread's next access. If the other accessed the bytes during the preemption, it would do so
// in that schedule, too. So a search is repeated until it finds no more such bytes. With three
// threads, a preemption that is put off until after a pause changes which of the others has waited
// longest, so some schedules need one deviation more than their preemptions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::simulated {

struct Deviation {
    std::uint64_t moment = 0; ///< choices and accesses before it
    unsigned alternative = 0; ///< of those that the moment has; 0: none
};
inline constexpr unsigned kMostDeviations = 8;

/// A schedule, or its begin.
struct Deviations {
    Deviation list[kMostDeviations];
    unsigned count = 0;
    void add(const Deviation &deviation) { list[count++] = deviation; }
};

/// The processes of a search share it.
struct Search {
    unsigned bound = 0;
    std::uint64_t most = 0;
    unsigned passes = 0;
    std::uint64_t schedules = 0; ///< of the last pass
    std::uint64_t all = 0;       ///< of all passes
    std::uint64_t choices = 0;   ///< of the schedule without deviations
    bool was_cut = false;        ///< by `most`
    bool has_grown = false;      ///< bytes were found that were not known to be shared
    int failure = 0;             ///< the wait status of the first schedule that failed
    Deviations failed;
    static constexpr std::size_t kPlaces = std::size_t{1} << 14;
    std::uintptr_t shared[kPlaces] = {}; ///< a hash table of addresses, divided by eight
};

/// Searches with `bound` deviations, and before that with fewer. `run_one` runs the program under
/// Policy::bounded, in processes of their own without messages, and returns or ends the process.
/// `most`: schedules; 0: no limit.
const Search &search_all(unsigned bound, std::uint64_t most, void (*run_one)());

/// Called by the program: from here on there are choices, and before there are none.
void begin_choices();
/// There are no choices as long as it lives.
class NoChoices {
  public:
    NoChoices();
    NoChoices(const NoChoices &) = delete;
    NoChoices &operator=(const NoChoices &) = delete;
    ~NoChoices();

  private:
    bool before_;
};
/// The run that begins now has this schedule.
void repeat_schedule(const Deviations &schedule);
/// After that run: returns whether it had all these deviations.
bool schedule_was_met();
/// Reads what print() prints: MOMENT:ALTERNATIVE,...; returns whether that is a schedule.
bool read(const char *text, Deviations &schedule);
void print(const Deviations &schedule);

// The machine's.

/// Returns whether the access is a choice.
bool is_choice(int thread, const void *address, bool writes);
/// Counts an access that is none.
void skip_moment();
/// Returns which of so many alternatives the run takes, from 1; 0: none.
unsigned deviate(unsigned alternatives);

} // namespace loomp::simulated
