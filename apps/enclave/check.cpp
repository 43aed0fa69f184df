#include "enclave/check.h"

#include <cmath>

namespace enclave {

namespace {

// How much of a sum rounding may lose in a run.
constexpr double kRounding = 1e-12;
// How far rounding may move a point, in widths of a volume.
constexpr double kCentre = 1e-9;
// The viscosity of the scheme makes all waves flatter. A cell's centre may meet their crests later
// on; an unstable run exceeds them by far.
constexpr double kGrowth = 1.1;

// The error's dependence on the width of volumes; where some cells are finer than others, whether
// it pays.
void judge_error(const Run &run, const Result &result, apps::Report &report) {
    Run coarse = run;
    if (run.levels > 0)
        coarse.levels = 0;
    else
        --coarse.depth;
    coarse.output = coarse.restart = "";
    coarse.progress = false;
    const Result other = simulate(coarse);
    if (other.failed) {
        report.check("order", false, "the coarse mesh failed");
        return;
    }
    if (run.levels > 0) {
        report.check("finer cells", result.error < other.error,
                     apps::format("%.3e, without fine cells %.3e", result.error, other.error));
        return;
    }
    const double order = std::log(other.error / result.error) / std::log(3.0);
    report.check("order", order >= run.problem.least_order && order <= run.problem.most_order,
                 apps::format("%.3f (%.2f to %.2f), error %.3e after %.3e", order,
                              run.problem.least_order, run.problem.most_order, result.error,
                              other.error));
}

// A wave keeps the amplitude that the scheme's viscosity leaves. That is Rusanov's, half the speed
// of signals that the solver measured times the width of volumes, less that of steps in time.
void judge_amplitude(const Run &run, const Result &result, apps::Report &report) {
    constexpr double kTolerance = 0.05;
    const Problem &problem = run.problem;
    const double width = problem.edge / (cells_across(run.depth) * run.across);
    const double step = problem.end / result.steps;
    const double viscosity =
        0.5 * (result.speed * width - problem.wave_speed * problem.wave_speed * step);
    const double expected =
        std::exp(-viscosity * problem.wave_number * problem.wave_number * problem.end);
    const double measured = result.range / result.range_before;
    report.check("amplitude left", std::fabs(measured - expected) <= kTolerance,
                 apps::format("%.4f (%.4f to within %.2f, of viscosity %.4e)", measured, expected,
                              kTolerance, viscosity));
}

} // namespace

void tell(const Result &result, apps::Report &report) {
    report.text("cells", apps::format("%d, %d of them skeletons", result.cells, result.skeletons));
    if (result.levels > 0)
        report.text("levels", apps::format("%d finer ones, %d changes of the mesh", result.levels,
                                           result.adaptations));
    report.text("time steps", apps::format("%d, the shortest %.6e, for signals of speed %.6g",
                                           result.steps, result.shortest_step, result.speed));
    report.cost(result.cost);
    report.text("skeletons done",
                apps::format("%.6f s from the steps' begins", result.urgent_seconds));
    report.text("updates/s", apps::format("%.3e volumes", result.updates / result.cost.seconds));
    report.text("error", apps::format("%.6e", result.error));
    report.text("checksum", result.checksum);
}

void judge_run(const Problem &problem, const Result &result, apps::Report &report) {
    report.check("curve", result.jumps == 0, std::to_string(result.jumps) + " jumps (0)");
    // The exact solution moves with the points where it is taken: no error shows that they are off.
    report.check("centres", result.off_centre, kCentre);
    report.check("range", result.range <= kGrowth * result.range_before,
                 apps::format("%.4e after %.4e (at most %g times that)", result.range,
                              result.range_before, kGrowth));
    if (problem.conserves && problem.periodic)
        report.check("conservation", result.drift, kRounding);
    if (problem.constraint != Problem::kNoConstraint)
        report.check("constraints", result.violation, problem.most_violated);
}

void judge(const Run &run, const Result &result, apps::Report &report) {
    if (run.problem.check_equations != nullptr)
        run.problem.check_equations(report);
    if (run.problem.wave_number > 0 && run.levels == 0)
        judge_amplitude(run, result, report);
    judge_error(run, result, report);
}

} // namespace enclave
