#include "enclave/simulation.h"

#include "common/omp_decls.h"
#include "common/ranks.h"
#include "enclave/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace enclave {

namespace ranks = apps::ranks;

namespace {

// A step that is shorter than this share of the run would never come to its end.
constexpr double kVanishing = 1e-9;

Shape shape_of(const Run &run) {
    return {run.depth,       run.problem.dimensions, run.across,
            run.problem.low, run.problem.edge,       run.problem.periodic};
}

// By the threads that will advance them.
void start_all(const Partition &partition, Field &field, std::vector<double> &speeds) {
    const std::vector<Piece> &subdomains = partition.subdomains();
    const int count = static_cast<int>(subdomains.size());
#pragma omp parallel for schedule(static, 1)
    for (int s = 0; s < count; ++s) {
        for (int cell = subdomains[s].first; cell < subdomains[s].last; ++cell) {
            field.start(cell, 0);
            speeds[cell - partition.own().first] = field.speed(cell);
        }
    }
}

// Over all ranks; infinite if any is NaN.
double largest(const std::vector<double> &speeds) {
    double most = 0;
    for (const double speed : speeds)
        most =
            std::isfinite(speed) ? std::max(most, speed) : std::numeric_limits<double>::infinity();
    return ranks::most(most);
}

// A volume of the patch with a value that is none, and which unknown; of the first of all patches
// for which `speeds` has none. Said by the rank that has it.
void tell_of_not_a_number(const Run &run, const Field &field, const Piece &own,
                          const std::vector<double> &speeds, double time) {
    int cell = own.first;
    while (cell < own.last && std::isfinite(speeds[cell - own.first]))
        ++cell;
    const double none = std::numeric_limits<double>::infinity();
    const double first = ranks::least(cell < own.last ? cell : none);
    if (first != cell || cell == own.last)
        return;
    const Frame frame = field.frame(cell);
    for (int volume = 0; volume < frame.volumes(); ++volume) {
        const Point at = frame.centre(volume);
        for (int u = 0; u < run.problem.unknowns; ++u) {
            const double value = field.values(cell)[u * frame.stride() + volume];
            if (std::isfinite(value))
                continue;
            std::fprintf(stderr,
                         "enclave: t = %g: cell %d, at (%g, %g, %g): %s is %g; a smaller "
                         "--courant may help\n",
                         time, cell, at[0], at[1], at[2], run.problem.unknown_names[u], value);
            return;
        }
    }
    const Point at = frame.centre(0);
    std::fprintf(stderr,
                 "enclave: t = %g: cell %d, at (%g, %g, %g): the speed of signals is not a number; "
                 "a smaller --courant may help\n",
                 time, cell, at[0], at[1], at[2]);
}

void tell_of_vanishing_step(const Problem &problem, double time, double length, double speed) {
    if (ranks::first())
        std::fprintf(stderr,
                     "enclave: t = %g: the time step vanishes: %g long, for signals of speed %g; "
                     "the run is %g long\n",
                     time, length, speed, problem.end);
}

} // namespace

Result simulate(const Run &run) {
    const Problem &problem = run.problem;
    const Mesh mesh(shape_of(run));
    const Partition partition(mesh, ranks::rank(), ranks::count(), run.subdomains, run.skew);
    const Piece &own = partition.own();
    Field field(problem, mesh, partition);
    Halos halos(partition, field);
    Traversal traversal(run.mode, run.batch, partition, field, halos);

    Result result;
    result.cells = mesh.size();
    result.jumps = mesh.jumps();
    result.skeletons = static_cast<int>(ranks::sum(partition.skeletons()));
    std::vector<double> speeds(static_cast<std::size_t>(own.size()));
    start_all(partition, field, speeds);
    halos.exchange(0);
    const std::vector<Total> before = totals(problem, field, own);
    result.range_before = range_of(problem, field, own);

    double time = 0;
    double speed = largest(speeds);
    result.shortest_step = problem.end;
    ranks::barrier();
    const double start = omp_get_wtime();
    for (;;) {
        if (std::isinf(speed)) {
            tell_of_not_a_number(run, field, own, result.steps == 0 ? speeds : traversal.speeds(),
                                 time);
            result.failed = true;
            return result;
        }
        if (time == problem.end)
            break;
        result.speed = std::max(result.speed, speed);
        double length = problem.courant * mesh.volume_width() / (problem.dimensions * speed);
        if (!(length > kVanishing * problem.end)) {
            tell_of_vanishing_step(problem, time, length, speed);
            result.failed = true;
            return result;
        }
        const bool last = time + length >= problem.end;
        if (last)
            length = problem.end - time;
        else
            result.shortest_step = std::min(result.shortest_step, length);
        if (result.steps == 0 && run.spoilt >= own.first && run.spoilt < own.last)
            field.spoil(run.spoilt);
        traversal.run({time, length, result.steps % 2});
        time = last ? problem.end : time + length;
        ++result.steps;
        speed = largest(traversal.speeds());
    }
    ranks::barrier();
    result.cost.seconds = omp_get_wtime() - start;
    result.cost.tasks = traversal.tasks();

    result.updates =
        static_cast<double>(mesh.size()) * result.steps * field.frame(own.first).volumes();
    result.error = mean_error(problem, field, own, time);
    result.range = range_of(problem, field, own);
    if (problem.constraint != Problem::kNoConstraint)
        result.violation = largest_magnitude(field, own, problem.constraint);
    result.drift = drift(before, totals(problem, field, own));
    result.checksum = checksum_of(field, own);
    return result;
}

} // namespace enclave
