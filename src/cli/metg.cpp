#include "cli/metg.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fmt/core.h>

#include "analysis/archive/archive.h"
#include "analysis/metrics/metg.h"
#include "cli/trace.h"

namespace loomp::cli {

namespace {

using namespace analysis;

constexpr int kFailure = 1;

struct Row {
    std::string folder;
    GrainPoint point;
};

void print(std::vector<Row> rows, const std::vector<double> &efficiencies) {
    std::sort(rows.begin(), rows.end(),
              [](const Row &a, const Row &b) { return a.point.grain > b.point.grain; });
    fmt::print("{:>12} {:>10} {:>12} {:>8} {:>14}  {}\n", "grain, us", "efficiency", "tasks",
               "threads", "makespan, s", "trace");
    std::vector<GrainPoint> points;
    for (const auto &[folder, of] : rows) {
        fmt::print("{:>12.3f} {:>9.1f}% {:>12} {:>8} {:>14.6f}  {}\n", of.grain / 1e3,
                   100 * of.efficiency, of.tasks, of.threads,
                   seconds(static_cast<double>(of.makespan)), folder);
        points.push_back(of);
    }
    fmt::print("\n");
    for (const double efficiency : efficiencies) {
        const auto found = analysis::metg(points, efficiency / 100);
        if (!found)
            fmt::print("METG({:g} %): none of these runs is as efficient\n", efficiency);
        else
            fmt::print("METG({:g} %): {}{:.3f} us\n", efficiency, found->at_most ? "at most " : "",
                       found->grain / 1e3);
    }
}

} // namespace

int metg(const MetgOptions &options) {
    std::vector<Row> rows;
    for (const std::string &folder : options.folders) {
        if (folder.find_first_not_of("0123456789.") == std::string::npos &&
            !std::filesystem::exists(folder)) {
            fmt::print(
                stderr,
                "loomp: metg: there is no trace {}; if it is another efficiency: --efficiency "
                "50,95\n",
                folder);
            return kFailure;
        }
        const std::filesystem::path archive = find_archive("metg", folder);
        if (archive.empty())
            return kFailure;
        try {
            const Trace trace = read_archive(archive);
            for (const std::string &problem : trace.problems)
                fmt::print(stderr, "loomp: metg: {}: {}\n", folder, problem);
            rows.push_back({folder, grain_point(trace)});
        } catch (const std::exception &problem) {
            fmt::print(stderr, "loomp: metg: {}\n", problem.what());
            return kFailure;
        }
    }
    print(std::move(rows), options.efficiencies);
    return 0;
}

} // namespace loomp::cli
