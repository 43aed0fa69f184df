#include "lulesh/verify.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace lulesh {

namespace {

// The results of whole runs of LULESH 2.0.3. It does not print the sum of all elements' energies:
// a copy that does gave these.
struct Known {
    int edge;
    int iterations;
    const char *energy;
    double sum;
};

constexpr Known kKnown[] = {
    {5, 72, "7.853665e+03", 2.903836342e+04},   {10, 231, "2.720531e+04", 2.417462105e+05},
    {12, 297, "3.782734e+04", 4.179221283e+05}, {15, 400, "5.702894e+04", 8.153756152e+05},
    {20, 575, "9.668856e+04", 1.930714400e+06}, {25, 752, "1.454737e+05", 3.753194382e+06},
    {30, 932, "2.025075e+05", 6.462869849e+06}};

// The largest difference of energies at places that one gets from each other by exchanging axes.
double asymmetry_of_axes(const Domain &domain) {
    const int edge = domain.setup.edge;
    double most = 0;
    for (int k = 0; k < edge; ++k)
        for (int j = 0; j <= k; ++j)
            for (int i = 0; i <= j; ++i) {
                const auto energy = [&](int x, int y, int z) {
                    return domain.energy[(z * edge + y) * edge + x];
                };
                for (const double other : {energy(i, k, j), energy(j, i, k), energy(j, k, i),
                                           energy(k, i, j), energy(k, j, i)}) {
                    const double difference = std::fabs(other - energy(i, j, k));
                    if (!(difference <= most))
                        most = difference;
                }
            }
    return most;
}

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

void verify(const Domain &domain, const std::vector<double> &energies, int edge, bool complete,
            apps::Report &report) {
    const std::string energy = scientific(domain.energy[0]);
    const Known *known = nullptr;
    if (complete)
        for (const Known &row : kKnown)
            if (row.edge == edge)
                known = &row;
    if (known != nullptr)
        report.check("as LULESH", domain.step.cycle == known->iterations && energy == known->energy,
                     std::to_string(known->iterations) + " iterations, " + known->energy);
    if (known != nullptr) {
        constexpr double kRounding = 1e-8;
        const double sum = std::accumulate(energies.begin(), energies.end(), 0.0);
        report.check("all energies", std::fabs(sum / known->sum - 1) <= kRounding,
                     apps::format("%.9e, LULESH's %.9e", sum, known->sum));
    }
    report.check("finite", std::isfinite(domain.energy[0]), energy);
    constexpr double kBound = 1e-8;
    report.check("symmetry", asymmetry_of_axes(domain), kBound);
}

} // namespace lulesh
