#include "common/kept_graph.h"
#include "common/omp_decls.h"
#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"
#include "common/timeline.h"
#include "lulesh/run.h"
#include "lulesh/time_step.h"
#include "lulesh/verify.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace lulesh;
namespace ranks = apps::ranks;

int refuse(const std::string &why) {
    if (ranks::first())
        std::fprintf(stderr, "lulesh: %s\n", why.c_str());
    return 2;
}

// Whether a loop over the mesh can be cut into so many tasks.
bool fits(int tasks, int along, const char *option, const char *what) {
    const long long all = 1LL * along * along * along;
    if (tasks <= all)
        return true;
    char text[160];
    std::snprintf(text, sizeof text, "%s %d: a loop over %lld %s is at most as many tasks", option,
                  tasks, all, what);
    refuse(text);
    return false;
}

// Of a cube of cubes; side 0: so many ranks are none.
Place place_of(int rank, int ranks) {
    int side = 1;
    while (side * side * side < ranks)
        ++side;
    if (side * side * side != ranks)
        return {{0, 0, 0}, 0};
    return {{rank % side, rank / side % side, rank / (side * side)}, side};
}

// The energies of all ranks' elements, one rank's after another's, on the first rank; nothing on
// the others.
std::vector<double> gather(Domain &domain) {
    double *own = domain.energy.get();
    const auto count = std::size_t(domain.elements);
    if (!ranks::first()) {
        ranks::send(own, domain.elements, 0, 0);
        return {};
    }
    std::vector<double> all(own, own + count);
    all.resize(count * std::size_t(ranks::count()));
    for (int rank = 1; rank < ranks::count(); ++rank)
        ranks::receive(all.data() + count * std::size_t(rank), domain.elements, rank, 0);
    return all;
}

int run(int argc, char **argv) {
    namespace kept_graph = apps::kept_graph;
    std::string mode = "task";
    std::string persistent = kept_graph::can_be_kept() ? "replay" : "no";
    std::string timeline;
    Setup setup{30, 11, 1, 1, ranks::rank(), {{0, 0, 0}, 1}};
    Pieces pieces{1, 1};
    int iterations = 0;
    int element_tasks = 16;
    int node_tasks = 16;
    bool no_check = false;
    apps::Options options("lulesh",
                          "The Sedov blast wave on hexahedra, as LULESH 2.0 computes it.");
    options.add("mode", &mode, {"for", "task"}, "parallel loops, or dependent tasks");
    options.add("-s", &setup.edge, 1, "elements along an edge of a rank's cube");
    options.add("-i", &iterations, 0, "iterations at most; 0: up to the end time");
    options.add("-r", &setup.regions, 1, "regions, each of another material");
    options.add("-b", &setup.balance, 0, "power by which the regions' sizes differ; 0: none");
    options.add("-c", &setup.cost, 0, "additional cost of the costly regions");
    options.add("-tel", &element_tasks, 1, "tasks of a loop over elements");
    options.add("-tnl", &node_tasks, 1, "tasks of a loop over nodes");
    options.add("-rpf", &pieces.of_face, 1, "messages for a face between ranks, in a direction");
    options.add("-rpe", &pieces.of_edge, 1, "messages for an edge, likewise");
    options.add("persistent", &persistent, {"no", "reexecute", "replay"},
                "keep the graph of the first step for the others, on loomp");
    options.add("timeline", &timeline, {}, "write when ranks work and communicate to TEXT.RANK");
    options.add_flag("no-check", &no_check, "print no verdict");
    options.parse(argc, argv);

    constexpr int kLargestEdge = 645; // corners are counted by int
    if (setup.edge > kLargestEdge)
        return refuse("-s " + std::to_string(setup.edge) + ": at most " +
                      std::to_string(kLargestEdge) + " is possible");
    setup.place = place_of(ranks::rank(), ranks::count());
    if (setup.place.side == 0) {
        refuse(std::to_string(ranks::count()) +
               " ranks: the ranks' cubes make a cube, so 1, 8, 27 or another cube is needed");
        return 1;
    }
    const bool tasks = mode == "task";
    if (persistent != "no" && !kept_graph::can_be_kept())
        return refuse("--persistent needs loomp");
    if (tasks && !fits(element_tasks, setup.edge, "-tel", "elements"))
        return 2;
    if (tasks && !fits(node_tasks, setup.edge + 1, "-tnl", "nodes"))
        return 2;

    const int faces = setup.edge * setup.edge;
    if (pieces.of_face > faces)
        return refuse("-rpf " + std::to_string(pieces.of_face) + ": a face has " +
                      std::to_string(faces) + " elements to send");
    if (pieces.of_edge > setup.edge)
        return refuse("-rpe " + std::to_string(pieces.of_edge) + ": an edge has " +
                      std::to_string(setup.edge) + " nodes to send");
    if (largest_tag(pieces) > ranks::largest_tag())
        return refuse("-rpf and -rpe: this MPI library's tags end at " +
                      std::to_string(ranks::largest_tag()));

    apps::Report report;
    char text[200];
    const int threads = apps::warm_up_threads();
    Domain domain(setup);
    set_masses(domain);
    Exchange masses = exchange_masses(domain);
    carry_out(masses);
    add_all(masses);
    set_blast(domain);
    domain.step.length = ranks::least(domain.step.length); // they differ by rounding
    Frontier frontier(domain, pieces);

    std::snprintf(text, sizeof text, "lulesh --mode %s -s %d -i %d -r %d -b %d -c %d", mode.c_str(),
                  setup.edge, iterations, setup.regions, setup.balance, setup.cost);
    report.text("program", text);
    apps::report_runtime(report, threads);
    if (ranks::count() > 1) {
        std::snprintf(text, sizeof text,
                      "%d, -rpf %d, -rpe %d; the first one's part:", ranks::count(), pieces.of_face,
                      pieces.of_edge);
        report.text("ranks", text);
    }
    std::snprintf(text, sizeof text, "%d elements, %d nodes", domain.elements, domain.nodes);
    report.text("mesh", text);

    apps::Cost cost;
    if (tasks) {
        const double start = omp_get_wtime();
        const Tiles tiles = cut(domain, element_tasks, node_tasks);
        const double cutting = omp_get_wtime() - start;
        std::snprintf(text, sizeof text, "-tel %zu, -tnl %zu, %lld tiles named, of %lld, in %.6f s",
                      tiles.elements.size(), tiles.nodes.size(), (long long)tiles.kept,
                      (long long)tiles.looked_at, cutting);
        report.text("tiling", text);
        report.text("graph", persistent == "replay" ? "kept, replayed"
                             : persistent == "no"   ? "made anew"
                                                    : "kept");
        const kept_graph::Keep keep = persistent == "replay" ? kept_graph::Keep::everything
                                      : persistent == "no"   ? kept_graph::Keep::nothing
                                                             : kept_graph::Keep::tasks;
        apps::timeline::begin(timeline);
        cost = run_task(domain, frontier, tiles, keep, iterations);
    } else {
        apps::timeline::begin(timeline);
        cost = run_for(domain, frontier, iterations);
    }
    apps::timeline::end();
    report.cost(cost);
    const std::vector<double> energies = gather(domain);
    if (ranks::first())
        report.text("checksum", apps::checksum(energies.data(), energies.size()));
    if (no_check)
        return 0;
    if (ranks::first())
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
