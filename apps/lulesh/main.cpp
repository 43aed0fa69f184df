#include "common/dependence_set.h"
#include "common/kept_graph.h"
#include "common/omp_decls.h"
#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"
#include "lulesh/offload.h"
#include "lulesh/run.h"
#include "lulesh/time_step.h"
#include "lulesh/verify.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace lulesh;
namespace ranks = apps::ranks;
namespace kept_graph = apps::kept_graph;

struct Input {
    std::string mode = "task";
    std::string persistent = "auto";
    std::string dependences = "auto";
    Setup setup{30, 11, 1, 1, ranks::rank(), {{0, 0, 0}, 1}};
    Pieces pieces{1, 1, ranks::Request::Calls::persistent};
    int iterations = 0;
    int element_tasks = 0;
    int node_tasks = 0;
    std::string eos = "tile";
    std::string messages = "tasks";
    int offload = 0;
    bool ahead = false;
    bool sends_first = false;
    bool no_check = false;

    bool tasks() const { return mode == "task"; }
};

void parse(int argc, char **argv, Input &input) {
    Setup &setup = input.setup;
    apps::Options options("lulesh",
                          "The Sedov blast wave on hexahedra, as LULESH 2.0 computes it.");
    options.add("mode", &input.mode, {"for", "task"}, "parallel loops, or dependent tasks");
    options.add("-s", &setup.edge, 1, "elements along an edge of a rank's cube");
    options.add("-i", &input.iterations, 0, "iterations at most; 0: up to the end time");
    options.add("-r", &setup.regions, 1, "regions, each of another material");
    options.add("-b", &setup.balance, 0, "power by which the regions' sizes differ; 0: none");
    options.add("-c", &setup.cost, 0, "additional cost of the costly regions");
    options.add("-tel", &input.element_tasks, 0,
                "tasks of a loop over elements; 0: 16, or as many as there are elements");
    options.add("-tnl", &input.node_tasks, 0, "tasks of a loop over nodes; 0: likewise");
    options.add(
        "eos", &input.eos, {"tile", "loop"},
        "the equations of state: a task an element tile, or a task a loop, region and tile");
    options.add("-rpf", &input.pieces.of_face, 1,
                "messages for a face between ranks, in a direction");
    options.add("-rpe", &input.pieces.of_edge, 1, "messages for an edge, likewise");
    options.add(
        "persistent", &input.persistent, {"auto", "no", "reexecute", "replay"},
        "keep the graph of the first step for the others, on loomp; auto: replay where possible");
    options.add("dependences", &input.dependences, {"auto", "list", "set", "each"},
                "on other tiles: a list in a depend clause, or a set of loomp's");
    options.add("messages", &input.messages, {"tasks", "between"},
                "ranks exchange in tasks, or when all tasks before are done");
    options.add("offload", &input.offload, 0,
                "target tasks of each of two loops, which a device runs; 0: none does");
    options.add_flag("ahead", &input.ahead,
                     "create steps beyond the last one, and cancel them on all ranks");
    options.add_flag("priority-sends", &input.sends_first,
                     "give the tasks that send a priority of 1");
    options.add_flag("no-check", &input.no_check, "print no verdict");
    options.parse(argc, argv);
    if (input.element_tasks == 0)
        input.element_tasks = setup.edge < 3 ? setup.edge * setup.edge * setup.edge : 16;
    if (input.node_tasks == 0)
        input.node_tasks = setup.edge == 1 ? 8 : 16;
    if (input.ahead)
        input.pieces.calls = ranks::Request::Calls::blocking;
    // A step that waits has no graph.
    if (input.persistent == "auto")
        input.persistent = kept_graph::can_be_kept() && input.messages == "tasks" ? "replay" : "no";
}

// "OPTION VALUE: WHAT", if the value is larger than the largest that makes sense.
std::string too_many(const char *option, int value, double largest, const char *what) {
    if (value <= largest)
        return "";
    return apps::format("%s %d: %.0f %s", option, value, largest, what);
}

std::string too_large(int edge) {
    constexpr int kLargestEdge = 645; // corners are counted by int
    constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
    const double needed = bytes_of(edge) / kGiB;
    const double there_is = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE)) / kGiB;
    if (edge > kLargestEdge)
        return apps::format("-s %d: at most %d is possible", edge, kLargestEdge);
    if (needed > there_is)
        return apps::format("-s %d: the mesh takes %.1f GiB, this machine has %.1f", edge, needed,
                            there_is);
    return "";
}

// The weights of the regions, r to the power of -b, are added up by int.
std::string too_heavy(const Setup &setup) {
    constexpr double kMost = 2147483647;
    double sum = 0;
    for (int r = 1; r <= setup.regions && sum <= kMost; ++r)
        sum += std::pow(r, setup.balance);
    if (sum <= kMost)
        return "";
    return "-r " + std::to_string(setup.regions) + " -b " + std::to_string(setup.balance) +
           ": the weights of the regions are beyond 2^31 together";
}

// Returns what is wrong with the options, taken together; empty if nothing is.
std::string objection(const Input &input) {
    const double edge = input.setup.edge;
    const Pieces &pieces = input.pieces;
    std::vector<std::string> objections = {
        too_large(input.setup.edge), too_heavy(input.setup),
        too_many("-c", input.setup.cost, 1e6, "is the largest cost"),
        too_many("-rpf", pieces.of_face, edge * edge, "elements of a face are to be sent"),
        too_many("-rpe", pieces.of_edge, edge, "nodes of an edge are to be sent")};
    if (input.tasks()) {
        const double along = edge + 1;
        objections.push_back(too_many("-tel", input.element_tasks, edge * edge * edge,
                                      "elements make at most as many tasks"));
        objections.push_back(too_many("-tnl", input.node_tasks, along * along * along,
                                      "nodes make at most as many tasks"));
        objections.push_back(too_many("--offload", input.offload, input.element_tasks,
                                      "tasks of a loop over elements make at most as many"));
    } else if (input.offload > 0) {
        objections.emplace_back("--offload needs --mode task");
    }
    if (input.offload > 0 && !Offload::available())
        objections.emplace_back(
            "--offload needs a program that is built for devices (OFFLOAD of build.sh)");
    if (input.persistent != "no" && !kept_graph::can_be_kept())
        objections.emplace_back("--persistent needs loomp");
    for (const char *needed : {"set", "each"})
        if (input.dependences == needed && !apps::DependenceSet::available())
            objections.push_back(std::string("--dependences ") + needed + " needs loomp");
    if (input.messages == "between" && (input.persistent != "no" || input.ahead))
        objections.emplace_back("--messages between: steps that wait are neither kept nor ahead");
    if (input.ahead && !(input.tasks() && ranks::can_stop_ahead()))
        objections.emplace_back("--ahead needs --mode task, loomp and MPI");
    if (largest_tag(pieces) > ranks::largest_tag())
        objections.push_back("-rpf and -rpe: this MPI library's tags end at " +
                             std::to_string(ranks::largest_tag()));
    for (std::string &text : objections)
        if (!text.empty())
            return text;
    return "";
}

// Returns a rank's place in a cube of cubes; side is 0 if so many ranks make none.
Place place_of(int rank, int ranks) {
    int side = 1;
    while (side * side * side < ranks)
        ++side;
    if (side * side * side != ranks)
        return {{0, 0, 0}, 0};
    return {{rank % side, rank / side % side, rank / (side * side)}, side};
}

void set_up(Domain &domain) {
    set_masses(domain);
    Exchange masses = exchange_masses(domain);
    carry_out(masses);
    add_all(masses);
    set_blast(domain);
    domain.step.length = ranks::least(domain.step.length); // they differ by rounding
}

void describe(const Input &input, const Domain &domain, int threads, apps::Report &report) {
    const Setup &setup = input.setup;
    report.program(apps::format("lulesh --mode %s -s %d -i %d -r %d -b %d -c %d",
                                input.mode.c_str(), setup.edge, input.iterations, setup.regions,
                                setup.balance, setup.cost),
                   threads);
    if (ranks::count() > 1)
        report.text("ranks",
                    apps::format("%d, -rpf %d, -rpe %d; the first one's part:", ranks::count(),
                                 input.pieces.of_face, input.pieces.of_edge));
    report.text("mesh", apps::format("%d elements, %d nodes", domain.elements, domain.nodes));
}

apps::Cost run_tasks(const Input &input, Domain &domain, Frontier &frontier, apps::Report &report) {
    const double start = omp_get_wtime();
    const Eos eos = input.eos == "loop" ? Eos::loop : Eos::tile;
    const Tiles tiles = cut(domain, input.element_tasks, input.node_tasks, eos);
    const double cutting = omp_get_wtime() - start;
    report.text("tiling", apps::format("-tel %zu, -tnl %zu, %lld tiles named, of %lld, in %.6f s",
                                       tiles.elements.size(), tiles.nodes.size(),
                                       (long long)tiles.kept, (long long)tiles.looked_at, cutting));
    if (eos == Eos::loop)
        report.text("material",
                    apps::format("a task a loop, region and tile, %zu tiles of %d regions",
                                 tiles.materials.size(), domain.setup.regions));
    Tasking how;
    if (input.persistent == "replay")
        how.keep = kept_graph::Keep::everything;
    else if (input.persistent == "reexecute")
        how.keep = kept_graph::Keep::tasks;
    how.ahead = input.ahead;
    how.messages_between = input.messages == "between";
    how.offload = input.offload;
    how.send_priority = input.sends_first ? 1 : 0;
    how.arrays = input.dependences == "each" ? 3 : 1;
    how.sets = input.dependences != "list" && how.arrays == 1 && apps::DependenceSet::available();
    report.text("dependences by", how.sets         ? "sets"
                                  : how.arrays > 1 ? "lists, each array"
                                                   : "lists");
    report.text("graph", how.keep == kept_graph::Keep::everything ? "kept, replayed"
                         : how.keep == kept_graph::Keep::tasks    ? "kept"
                                                                  : "made anew");
    const apps::Cost cost = run_task(domain, frontier, tiles, how, input.iterations);
    const double tile_steps = double(tiles.elements.size()) * std::max(domain.step.cycle, 1);
    report.text("tasks a tile, step", apps::format("%.1f", double(cost.tasks) / tile_steps));
    return cost;
}

int run(int argc, char **argv) {
    Input input;
    parse(argc, argv, input);
    input.setup.place = place_of(ranks::rank(), ranks::count());
    if (input.setup.place.side == 0)
        return apps::refuse("lulesh",
                            std::to_string(ranks::count()) +
                                " ranks: the ranks' cubes make a cube, so 1, 8, 27 or another "
                                "cube is needed",
                            1);
    const std::string why = objection(input);
    if (!why.empty())
        return apps::refuse("lulesh", why, 2);

    const int threads = apps::warm_up_threads();
    Domain domain(input.setup);
    set_up(domain);
    Frontier frontier(domain, input.pieces);

    apps::Report report;
    describe(input, domain, threads, report);
    report.cost(input.tasks() ? run_tasks(input, domain, frontier, report)
                              : run_for(domain, frontier, input.iterations));
    const std::vector<std::int64_t> counts(std::size_t(ranks::count()), domain.elements);
    std::vector<double> energies(ranks::first() ? counts.size() * counts.front() : 0);
    ranks::gather(domain.energy.get(), energies.data(), counts);
    if (ranks::first()) {
        report.text("checksum", apps::checksum(energies.data(), energies.size()));
        tell_result(domain, report);
    }
    if (input.no_check)
        return 0;
    if (ranks::first())
        verify(domain, energies, input.setup.edge * input.setup.place.side, ended(domain.step),
               report);
    return report.finish();
}

} // namespace

int main(int argc, char **argv) { return ranks::run_program(argc, argv, run); }
