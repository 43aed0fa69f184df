#include "lulesh/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace lulesh {

namespace {

// The results of whole runs of LULESH 2.0.3.
struct Known {
    int edge;
    int iterations;
    const char *energy;
};

constexpr Known kKnown[] = {{5, 72, "7.853665e+03"},   {10, 231, "2.720531e+04"},
                            {12, 297, "3.782734e+04"}, {15, 400, "5.702894e+04"},
                            {20, 575, "9.668856e+04"}, {25, 752, "1.454737e+05"},
                            {30, 932, "2.025075e+05"}};

std::string scientific(double value) { return apps::format("%.6e", value); }

// How much the energies in the lowest plane differ from those mirrored at its diagonal, which
// rounding alone may do.
struct Asymmetry {
    double most = 0;
    double total = 0;
    double most_relative = 0;
};

Asymmetry asymmetry(const Domain &domain) {
    const int edge = domain.setup.edge;
    Asymmetry found;
    for (int j = 0; j < edge; ++j)
        for (int i = j + 1; i < edge; ++i) {
            const double mirrored = domain.energy[i * edge + j];
            const double difference = std::fabs(domain.energy[j * edge + i] - mirrored);
            found.total += difference;
            if (!(difference <= found.most))
                found.most = difference;
            if (mirrored != 0)
                found.most_relative = std::max(found.most_relative, difference / mirrored);
        }
    return found;
}

} // namespace

void tell_result(const Domain &domain, apps::Report &report) {
    report.text("iterations", std::to_string(domain.step.cycle));
    report.text("Final Origin Energy", scientific(domain.energy[0]));
    const Asymmetry found = asymmetry(domain);
    report.text("MaxAbsDiff", scientific(found.most));
    report.text("TotalAbsDiff", scientific(found.total));
    report.text("MaxRelDiff", scientific(found.most_relative));
}

void verify(const Domain &domain, int edge, bool complete, apps::Report &report) {
    const std::string energy = scientific(domain.energy[0]);
    const Known *known = nullptr;
    if (complete)
        for (const Known &row : kKnown)
            if (row.edge == edge)
                known = &row;
    if (known != nullptr)
        report.check("as LULESH", domain.step.cycle == known->iterations && energy == known->energy,
                     std::to_string(known->iterations) + " iterations, " + known->energy);
    report.check("finite", std::isfinite(domain.energy[0]), energy);
    constexpr double kBound = 1e-8;
    report.check("symmetry", asymmetry(domain).most, kBound);
}

} // namespace lulesh
