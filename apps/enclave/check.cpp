#include "enclave/check.h"

#include <cmath>
#include <cstdio>

namespace enclave {

namespace {

// How much of a sum rounding may lose in a run.
constexpr double kRounding = 1e-12;

// The error's dependence on the width of volumes.
void judge_order(const Run &run, const Result &result, apps::Report &report) {
    Run coarse = run;
    --coarse.depth;
    const Result other = simulate(coarse);
    if (other.failed) {
        report.check("order", false, "the coarse mesh failed");
        return;
    }
    const double order = std::log(other.error / result.error) / std::log(3.0);
    char text[120];
    std::snprintf(text, sizeof text, "%.3f (%.2f to %.2f), error %.3e after %.3e", order,
                  run.problem.least_order, run.problem.most_order, result.error, other.error);
    report.check("order", order >= run.problem.least_order && order <= run.problem.most_order,
                 text);
}

} // namespace

void tell(const Result &result, apps::Report &report) {
    char text[120];
    std::snprintf(text, sizeof text, "%d, %d of them skeletons", result.cells, result.skeletons);
    report.text("cells", text);
    std::snprintf(text, sizeof text, "%d, the shortest %.6e, for signals of speed %.6g",
                  result.steps, result.shortest_step, result.speed);
    report.text("time steps", text);
    report.cost(result.cost);
    std::snprintf(text, sizeof text, "%.3e volumes", result.updates / result.cost.seconds);
    report.text("updates/s", text);
    std::snprintf(text, sizeof text, "%.6e", result.error);
    report.text("error", text);
    report.text("checksum", result.checksum);
}

void judge(const Run &run, const Result &result, apps::Report &report) {
    report.check("curve", result.jumps == 0, std::to_string(result.jumps) + " jumps (0)");
    if (run.problem.conserves && run.problem.periodic)
        report.check("conservation", result.drift, kRounding);
    judge_order(run, result, report);
}

} // namespace enclave
