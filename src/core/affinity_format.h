// OMP_AFFINITY_FORMAT: what a thread says about where it runs (OpenMP 5.2, 18.3.9, 21.2.5).
#pragma once

#include <string>

namespace loomp::core {

class Worker;

/// Expands `format` for the calling thread; null or empty: the affinity-format ICV.
std::string format_affinity(const char *format);
/// The ICV; changed by omp_set_affinity_format().
std::string affinity_format();
void set_affinity_format(const char *format);

/// Prints the line on stderr when the thread enters a region and the line is not the last one.
void display_affinity_if_changed(Worker &worker, int place);
void display_affinity(const char *format);

} // namespace loomp::core
