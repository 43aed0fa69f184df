// OMP_AFFINITY_FORMAT: the line that a thread prints about its processors (OpenMP 5.2, 18.3.8 and
// 21.2.5).
#pragma once

#include <string>

namespace loomp::core {

class Worker;
struct Member;
struct Team;

/// The values of a format's fields.
struct AffinityValues {
    int team_num = 0;
    int num_teams = 1;
    int nesting_level = 0;
    int thread_num = 0;
    int num_threads = 1;
    int ancestor_tnum = -1; ///< the parent's number; -1: there is none
    std::string host;
    long process_id = 0;
    long native_thread_id = 0;
    std::string thread_affinity; ///< "0-3,5"
};

/// Replaces %[[[0].]width]letter and %[[[0].]width]{name}; an unknown field becomes "undefined".
std::string expand_affinity_format(const std::string &format, const AffinityValues &values);

/// Returns the calling thread's values.
AffinityValues current_affinity_values();

/// Expands `format` for the calling thread; null or empty: affinity-format-var.
std::string format_affinity(const char *format);
/// Returns affinity-format-var; omp_set_affinity_format() changes it.
std::string affinity_format();
void set_affinity_format(const char *format);

/// Prints the calling thread's line in one write: on stderr, or on stdout if the program was built
/// for libomp, which uses stdout.
void display_affinity(const char *format);

/// OMP_DISPLAY_AFFINITY.
extern bool displays_affinity;
/// Decides whether the threads print their lines; the primary thread calls it when its team's
/// places are known. All of them print if anything but a thread's own numbers differs from the last
/// printed team of this primary thread.
void decide_affinity_display(Worker &primary, Team &team);
/// Prints a member's line, if decide_affinity_display() decided so.
void display_affinity_of_region(const Member &member);

} // namespace loomp::core
