// Integrals over the whole box that a run is judged by, every so many steps:
//   electric energy 1/2 of the integral of E^2, kinetic energy 1/2 of that of v^2 f, mass,
//   L1 |f|, L2 the root of f^2, entropy -f ln f where f > 0
// Sums over v are exact, those over x in order: the same bits whatever the tiles, ranks and
// threads.
#pragma once

#include "vlasov/simulation.h"

#include <cstdio>
#include <string>
#include <vector>

namespace vlasov {

struct Diagnosis {
    double time, electric, kinetic, mass, l1, l2, entropy;
};
constexpr int kDiagnosisValues = 7;

class Diagnostics {
  public:
    // Nothing if `every` is 0.
    explicit Diagnostics(int every) : every_(every) {}
    ~Diagnostics();
    Diagnostics(const Diagnostics &) = delete;
    Diagnostics &operator=(const Diagnostics &) = delete;

    // Called before step `step`, and after the last one; by all ranks, in or outside of a parallel
    // region. The field is known as the steps before have found it: a row is whole one step later.
    void look(Simulation &simulation, int step);
    // When the field after the last step is known.
    void complete(const Simulation &simulation);

    // All whole rows; those of the run that is continued, too.
    const std::vector<Diagnosis> &rows() const { return rows_; }
    void set_rows(std::vector<Diagnosis> rows) { rows_ = std::move(rows); }

    // From now on, rows are written to `path` as well, as comma-separated values; the first rank
    // does. An error, empty: none.
    std::string write_to(const std::string &path);
    // Returns an error of the file; empty if there is none.
    std::string error() const;

  private:
    void write(const Diagnosis &row);

    int every_;
    int pending_ = -1; // the step whose row lacks the field
    Diagnosis next_{};
    std::vector<Diagnosis> rows_;
    std::string path_;
    std::FILE *file_ = nullptr;
    bool failed_ = false;
};

} // namespace vlasov
