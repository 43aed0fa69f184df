// OMP_AFFINITY_FORMAT: what a thread says about where it runs (OpenMP 5.2, 18.3.8 and 21.2.5).
#pragma once

#include <string>

namespace loomp::core {

class Worker;

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

/// Prints the calling thread's line on stderr, in one write.
void display_affinity(const char *format);
/// The same where OMP_DISPLAY_AFFINITY is on, when a thread enters a region and its line is not the
/// one it last printed.
void display_affinity_if_changed(Worker &worker);

} // namespace loomp::core
