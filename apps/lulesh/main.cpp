#include "common/omp_decls.h"
#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"
#include "common/timeline.h"
#include "lulesh/run.h"
#include "lulesh/time_step.h"
#include "lulesh/verify.h"

#include <cstdio>

namespace {

using namespace lulesh;
namespace ranks = apps::ranks;

int run(int argc, char **argv) {
    std::string mode = "for";
    std::string timeline;
    Setup setup{30, 11, 1, 1, ranks::rank(), {{0, 0, 0}, 1}};
    Course course{0, 0, 0};
    bool no_check = false;
    apps::Options options("lulesh",
                          "The Sedov blast wave on hexahedra, as LULESH 2.0 computes it.");
    options.add("mode", &mode, {"for"}, "parallel loops");
    options.add("-s", &setup.edge, 1, "elements along an edge of a rank's cube");
    options.add("-i", &course.iterations, 0, "iterations at most; 0: up to the end time");
    options.add("-r", &setup.regions, 1, "regions, each of another material");
    options.add("-b", &setup.balance, 0, "power by which the regions' sizes differ; 0: none");
    options.add("-c", &setup.cost, 0, "additional cost of the costly regions");
    options.add("timeline", &timeline, {}, "write when ranks work and communicate to TEXT.RANK");
    options.add_flag("no-check", &no_check, "print no verdict");
    options.parse(argc, argv);

    apps::Report report;
    char text[160];
    const int threads = apps::warm_up_threads();
    Domain domain(setup);
    set_masses(domain);
    set_blast(domain);

    std::snprintf(text, sizeof text, "lulesh --mode %s -s %d -i %d -r %d -b %d -c %d", mode.c_str(),
                  setup.edge, course.iterations, setup.regions, setup.balance, setup.cost);
    report.text("program", text);
    apps::report_runtime(report, threads);
    std::snprintf(text, sizeof text, "%d elements, %d nodes", domain.elements, domain.nodes);
    report.text("mesh", text);

    apps::timeline::begin(timeline);
    const apps::Cost cost = run_for(domain, course);
    apps::timeline::end();
    report.cost(cost);
    report.text("checksum", apps::checksum(domain.energy.get(), std::size_t(domain.elements)));
    if (no_check)
        return 0;
    verify(domain, setup.edge * setup.place.side, ended(domain.step), report);
    return report.finish();
}

} // namespace

int main(int argc, char **argv) {
    ranks::start(&argc, &argv);
    const int status = run(argc, argv);
    ranks::finish();
    return status;
}
