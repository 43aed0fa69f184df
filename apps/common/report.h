// The output of every application: aligned `key: value` lines, the same keys in all of them, so
// that people and scripts read them alike; then one PASS or FAIL line, which decides the exit
// status. With several ranks the first one prints, and a check that fails on any of them decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace apps {

// The cost of a run to a rank; the flops are those of all ranks, 0 if nobody counts them. tasks,
// dependences and discovery stay zero in forms without tasks.
struct Cost {
    double seconds = 0;
    double flops = 0;
    long tasks = 0;
    long dependences = 0;
    // From before the first task's creation to after the last one's, on the creating thread.
    double discovery_seconds = 0;
};

class Report {
  public:
    // The code to run, and the threads and the library that it runs on.
    void program(const std::string &what, int threads);
    void text(const char *key, const std::string &value);
    // All ranks call it, as they call finish().
    void cost(const Cost &own);
    // A measured quantity that must not exceed its bound; NaN fails.
    void check(const char *key, double value, double bound);
    void check(const char *key, bool holds, const std::string &detail);
    // Prints the verdict and returns the exit status.
    int finish() const;

  private:
    bool failed_ = false;
};

// Writes text like printf(), at most 400 characters.
[[gnu::format(printf, 1, 2)]] std::string format(const char *pattern, ...);

// The checksum of the bits of all values: equal for equal results only.
std::string checksum(const double *values, std::size_t count);

// The sum of all ranks' numbers, modulo 2^64. All ranks call it.
std::string checksum(std::uint64_t own);

// Path of the OpenMP library that this process runs on.
std::string openmp_library();

// Starts the threads, so that the first timed region does not pay for them; returns how many.
int warm_up_threads();

} // namespace apps
