// OMP_AFFINITY_FORMAT: what a thread says about where it runs (OpenMP 5.2, 18.3.8 and 21.2.5).
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

/// Of the calling thread.
AffinityValues current_affinity_values();

/// Expands `format` for the calling thread; null or empty: affinity-format-var.
std::string format_affinity(const char *format);
/// affinity-format-var; changed by omp_set_affinity_format().
std::string affinity_format();
void set_affinity_format(const char *format);

/// Prints the calling thread's line: on stdout for a program that was built for libomp, which does
/// so, else on stderr, in one write.
void display_affinity(const char *format);

/// OMP_DISPLAY_AFFINITY.
extern bool displays_affinity;
/// By the primary, when its team's places are known: whether the threads are to print their lines.
/// So they are, all of them, when anything but a thread's own numbers differs from what the
/// primary's team printed last.
void decide_affinity_display(Worker &primary, Team &team);
/// Prints the line of a member, if that was decided.
void display_affinity_of_region(const Member &member);

} // namespace loomp::core
