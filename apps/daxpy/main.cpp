#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"
#include "daxpy/triplets.h"
#include "daxpy/vectors.h"

#include <cmath>
#include <string>

namespace {

using namespace daxpy;
namespace ranks = apps::ranks;

constexpr double kFactor = 0.5;

// Small integers: sums are exact in any order.
double x_of(std::int64_t i) { return static_cast<double>(2 * (i % 17)); }
double y_of(std::int64_t i) { return static_cast<double>(i % 31); }

double largest_error(const double *y, std::int64_t size, int repeat) {
    double worst = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const double error = std::fabs(y[i] - (y_of(i) + repeat * kFactor * x_of(i)));
        if (!(error <= worst))
            worst = error;
    }
    return worst;
}

int run(int argc, char **argv) {
    int n = 1024;
    int count = 64;
    int repeat = 1;
    std::string memory = "pageable";
    apps::Options options("daxpy", "y += a x on a device: upload, compute, download, as tasks.");
    options.add("n", &n, 1, "elements of y that a triplet of tasks treats");
    options.add("triplets", &count, 1, "how many triplets there are");
    options.add("repeat", &repeat, 1, "how often all of it is done");
    options.add("memory", &memory, {"pageable", "pinned"}, "of the vectors on the host");
    options.parse(argc, argv);
    if (memory == "pinned" && !can_pin())
        options.fail("--memory pinned needs a device, and a program compiled for it");

    const Triplets triplets{count, n, repeat};
    const std::int64_t size = std::int64_t{count} * n;
    const Memory kind = memory == "pinned" ? Memory::pinned : Memory::pageable;
    Vector x(static_cast<std::size_t>(size), kind);
    Vector y(static_cast<std::size_t>(size), kind);
    for (std::int64_t i = 0; i < size; ++i) {
        x.get()[i] = x_of(i);
        y.get()[i] = y_of(i);
    }

    apps::Report report;
    const int threads = apps::warm_up_threads();
    report.program(apps::format("daxpy, n %d, %d triplets, %s memory", n, count, memory.c_str()),
                   threads);
    report.text("devices", std::to_string(device_count()));
    if (repeat > 1)
        report.text("repetitions", std::to_string(repeat));
    const apps::Cost cost = daxpy::run(triplets, kFactor, x.get(), y.get());
    report.cost(cost);
    report.text("time per triplet",
                apps::format("%.3f us", 1e6 * cost.seconds / (1.0 * count * repeat)));
    report.check("error", largest_error(y.get(), size, repeat), 0);
    return report.finish();
}

} // namespace

int main(int argc, char **argv) { return ranks::run_program(argc, argv, run); }
