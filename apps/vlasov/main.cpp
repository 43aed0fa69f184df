#include "common/omp_decls.h"
#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"
#include "vlasov/advance_span.h"
#include "vlasov/convergence.h"
#include "vlasov/diagnostics.h"
#include "vlasov/exact_sum.h"
#include "vlasov/input_file.h"
#include "vlasov/plasma.h"
#include "vlasov/progress.h"
#include "vlasov/run.h"
#include "vlasov/snapshot.h"
#include "vlasov/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {

using namespace vlasov;
namespace ranks = apps::ranks;
namespace kept_graph = apps::kept_graph;

const std::vector<std::string> kSubmissions = {"flat", "taskloop", "transparent"};
const std::vector<std::string> kPriorities = {"none", "paper", "reuse"};
const std::vector<std::string> kMessages = {"serialized", "blocking"};

// The values that the command line gives; 0 if the case is to give them.
struct Input {
    std::string plasma = "landau";
    std::string mode = "task";
    Tasking how{Submission::flat, Messages::serialized, Priorities::reuse,
                kept_graph::Keep::nothing};
    std::string field = "ampere";
    std::string input;
    std::string output;
    std::string restart;
    int diagnostics_every = 10;
    int checkpoint_every = 0;
    bool progress = false;
    Grid grid;
    double dt = 0;
    double t_end = 0;
    double alpha = 0;
    int steps = 0;
    int ranks_x = 0;
    bool check = false;
    bool convergence = false;
    bool no_check = false;

    bool tasks() const { return mode == "task"; }
    bool keeps() const { return how.keep != kept_graph::Keep::nothing; }
    bool blocks() const { return how.messages == Messages::blocking; }
};

void parse(int argc, char **argv, Input &input) {
    std::vector<std::string> names;
    for (const Case &known : cases())
        names.emplace_back(known.name);
    Grid &grid = input.grid;
    apps::Options options("vlasov", "Plasmas in phase space (x, v): Vlasov-Poisson, "
                                    "semi-Lagrangian. 0: as the case has it.");
    options.add("case", &input.plasma, names, "the plasma");
    options.add("nx", &grid.nx, 0, "points along x");
    options.add("nv", &grid.nv, 0, "points along v");
    options.add("v-max", &grid.v_max, 0.0, "the box along v is from -X to X");
    options.add("alpha", &input.alpha, 0.0, "amplitude of the perturbation");
    options.add("dt", &input.dt, 0.0, "time step");
    options.add("t-end", &input.t_end, 0.0, "time to compute");
    options.add("steps", &input.steps, 0, "steps instead of that");
    options.add("tile", &grid.tile, 1, "points along a tile's edge");
    options.add("ghosts", &grid.ghosts, 3,
                "rows of ghosts: feet lie less than this - 2 cells away");
    options.add("field", &input.field, {"poisson", "ampere"}, "Poisson, or Poisson-Ampere");
    options.add("mode", &input.mode, {"for", "task"}, "parallel loops, or dependent tasks");
    options.add("submission", &input.how.submission, kSubmissions,
                "who creates tasks: one thread, loops in a task, tasks for rows of tiles (loomp)");
    options.add("priorities", &input.how.priorities, kPriorities,
                "MPI before centres before borders; reuse: but borders go with their centres where "
                "they wait for no message");
    options.add("messages", &input.how.messages, kMessages,
                "nonblocking calls one task at a time, or a task for each blocking call (loomp)");
    options.add("persistent", &input.how.keep, kept_graph::names(),
                "keep the graph of the first step for the others (loomp)");
    options.add("ranks-x", &input.ranks_x, 0, "ranks along x; 0: as square as possible");
    options.add_flag("check", &input.check, "measure the case's rates, and judge them");
    options.add_flag("convergence", &input.convergence,
                     "instead, measure the orders of interpolation and time scheme");
    options.add_flag("no-check", &input.no_check, "print no verdict");
    options.add("input", &input.input, {}, "a file of options, name = value (TOML)");
    options.add("output", &input.output, {}, "write TEXT.csv, and TEXT.h5 to go on with");
    options.add("diagnostics-every", &input.diagnostics_every, 0,
                "steps between rows of TEXT.csv; 0: none");
    options.add("checkpoint-every", &input.checkpoint_every, 0,
                "steps after which TEXT.h5 is written, too; 0: at the end only");
    options.add("restart", &input.restart, {}, "go on with the file TEXT");
    options.add_flag("progress", &input.progress, "tell on stderr, each second, how far it is");
    // The file first: the command line has the last word.
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string(argv[i]) == "--input")
            read_input(argv[i + 1], options);
    options.parse(argc, argv);
}

void fill_in(const Case &plasma, Input &input) {
    Grid &grid = input.grid;
    grid.length = 2 * M_PI / plasma.k;
    if (grid.nx == 0)
        grid.nx = plasma.nx;
    if (grid.nv == 0)
        grid.nv = plasma.nv;
    if (grid.v_max == 0)
        grid.v_max = plasma.v_max;
    if (input.alpha == 0)
        input.alpha = plasma.alpha;
    if (input.dt == 0)
        input.dt = plasma.dt;
    if (input.t_end == 0)
        input.t_end = plasma.t_end;
    const double steps = std::round(input.t_end / input.dt);
    if (input.steps == 0 && steps <= std::numeric_limits<int>::max())
        input.steps = static_cast<int>(steps);
}

std::string divided(const char *option, int points, int tile) {
    if (points % tile == 0)
        return "";
    return "--" + std::string(option) + " " + std::to_string(points) +
           ": not divisible into tiles of " + std::to_string(tile) + " points (--tile)";
}

std::string too_far(const Input &input) {
    const Grid &grid = input.grid;
    const double cells = input.dt * grid.v_max / grid.dx();
    if (cells < Advection::farthest(grid))
        return "";
    return apps::format(
        "--dt %g: f moves by %g cells along x in a step: less than %g is possible with %d ghosts "
        "(--dt, --ghosts)",
        input.dt, cells, Advection::farthest(grid), grid.ghosts);
}

// The box is periodic along v, too: f must be next to nothing at its ends.
std::string cut_off(const Case &plasma, const Grid &grid) {
    constexpr double kMost = 1e-3;
    constexpr int kLooks = 1000;
    double largest = 0;
    for (int look = 0; look < kLooks; ++look)
        largest = std::max(largest, plasma.profile(grid.v_max * look / kLooks));
    const double end = plasma.profile(grid.v_max);
    if (end < kMost * largest)
        return "";
    return apps::format(
        "--v-max %g: f is %g there, at most %g within: the box must hold the plasma", grid.v_max,
        end, largest);
}

// Returns what is wrong with the options, taken together; empty if nothing is.
std::string objection(const Case &plasma, const Input &input) {
    const Grid &grid = input.grid;
    std::vector<std::string> objections = {divided("nx", grid.nx, grid.tile),
                                           divided("nv", grid.nv, grid.tile)};
    if (grid.ghosts > grid.tile)
        objections.push_back("--ghosts " + std::to_string(grid.ghosts) +
                             ": more than the points of a tile, " + std::to_string(grid.tile) +
                             " (--tile)");
    if (grid.nv > kMostTerms)
        objections.push_back("--nv " + std::to_string(grid.nv) + ": at most " +
                             std::to_string(kMostTerms) + " is possible");
    objections.push_back(too_far(input));
    objections.push_back(cut_off(plasma, grid));
    if (input.steps == 0)
        objections.push_back(apps::format("--t-end %g: %g steps of %g; 1 to %d are possible (--dt)",
                                          input.t_end, std::round(input.t_end / input.dt), input.dt,
                                          std::numeric_limits<int>::max()));
    if (!input.tasks() && input.keeps())
        objections.emplace_back("--persistent needs --mode task");
    if (input.keeps() && !kept_graph::can_be_kept())
        objections.emplace_back("--persistent needs loomp");
    if (input.how.submission == Submission::transparent && !can_be_transparent())
        objections.emplace_back("--submission transparent needs loomp");
    if (input.blocks())
        objections.push_back(
            ranks::objection_to_blocking("--messages blocking", "--messages serialized"));
    if ((!input.output.empty() || !input.restart.empty()) && !snapshots_available())
        objections.emplace_back("--output and --restart: this program was built without HDF5");
    if (input.checkpoint_every > 0 && input.output.empty())
        objections.emplace_back("--checkpoint-every needs --output");
    for (std::string &text : objections)
        if (!text.empty())
            return text;
    return "";
}

int refuse(const std::string &why, int status) { return apps::refuse("vlasov", why, status); }

void describe(const Input &input, const Decomposition &decomposition, int threads,
              apps::Report &report) {
    const Grid &grid = input.grid;
    report.program(apps::format("vlasov --mode %s --case %s, %d x %d, %d steps of %g",
                                input.mode.c_str(), input.plasma.c_str(), grid.nx, grid.nv,
                                input.steps, input.dt),
                   threads);
    if (ranks::count() > 1)
        report.text("ranks", apps::format("%d x %d", decomposition.ranks_x, decomposition.ranks_v));
    report.text("tiles", apps::format("%d x %d of %d x %d points, %d ghosts, %s", grid.columns(),
                                      grid.rows(), grid.tile, grid.tile, grid.ghosts,
                                      Advection::instructions()));
    if (!input.tasks())
        return;
    const auto name = [](const std::vector<std::string> &names, auto choice) {
        return names[static_cast<std::size_t>(choice)];
    };
    report.text("tasks by", name(kSubmissions, input.how.submission) + ", priorities " +
                                name(kPriorities, input.how.priorities) + ", messages " +
                                name(kMessages, input.how.messages) +
                                ", graph kept: " + name(kept_graph::names(), input.how.keep));
}

int measure_orders() {
    apps::Report report;
    report.program("vlasov --convergence", apps::warm_up_threads());
    check_convergence(report);
    return report.finish();
}

int run(int argc, char **argv) {
    Input input;
    parse(argc, argv, input);
    if (input.convergence)
        return measure_orders();
    const Case &plasma = *find_case(input.plasma);
    fill_in(plasma, input);
    std::string why = objection(plasma, input);
    if (!why.empty())
        return refuse(why, 2);
    const Decomposition decomposition = decompose(input.grid, ranks::count(), input.ranks_x, why);
    if (!why.empty())
        return refuse(why, 2);

    const int threads = apps::warm_up_threads();
    apps::Report report;
    describe(input, decomposition, threads, report);
    const Solve solve = input.field == "poisson" ? Solve::poisson : Solve::ampere;
    Simulation simulation(
        {input.grid, decomposition, input.dt, solve, input.tasks() && input.blocks()});
    simulation.set([&](double x, double v) {
        return (1 + input.alpha * std::cos(plasma.k * x)) * plasma.profile(v);
    });
    const Identity identity{input.plasma, input.alpha, solve};
    Diagnostics diagnostics(input.output.empty() ? 0 : input.diagnostics_every);
    int first = 0;
    if (!input.restart.empty()) {
        std::vector<Diagnosis> rows;
        why = read_snapshot(input.restart, identity, simulation, rows, first);
        if (why.empty() && first > input.steps)
            why = input.restart + ": it is at step " + std::to_string(first) + ", beyond --steps " +
                  std::to_string(input.steps);
        if (!why.empty())
            return refuse(why, 1);
        diagnostics.set_rows(std::move(rows));
    }
    if (!input.output.empty())
        why = diagnostics.write_to(input.output + ".csv");
    if (ranks::most(why.empty() ? 0 : 1) != 0)
        return refuse(why, 1);
    Progress progress(input.progress, first, input.steps, input.dt);
    const auto look = [&](int step) {
        progress.tell(step);
        if (input.output.empty())
            return true;
        diagnostics.look(simulation, step);
        const bool due =
            input.checkpoint_every > 0 && step > first && step % input.checkpoint_every == 0;
        if (due || step == input.steps)
            why = write_snapshot(input.output + ".h5", identity, simulation, diagnostics.rows(),
                                 step);
        return why.empty();
    };
    const apps::Cost cost = input.tasks()
                                ? run_task(simulation, input.how, {first, input.steps, look})
                                : run_for(simulation, {first, input.steps, look});
    if (!simulation.stopped().empty())
        return refuse(simulation.stopped(), 1);
    if (why.empty())
        look(input.steps);
    if (!why.empty())
        return refuse(why, 1);
    simulation.look_at_end();
    diagnostics.complete(simulation);
    if (!diagnostics.error().empty())
        return refuse(diagnostics.error(), 1);
    report.cost(cost);
    const double points = 1.0 * input.grid.nx * input.grid.nv * (input.steps - first);
    report.text("speed", apps::format("%.1f million points/s", 1e-6 * points / cost.seconds));
    report.text("checksum", fingerprint(simulation));
    if (input.no_check)
        return 0;
    check_run(simulation.field().history(), report);
    check_points(simulation, input.steps - first, report);
    if (input.check) {
        check_field(report);
        check_mass(plasma, input.grid, simulation.field().history(), report);
        check_rates(plasma, simulation.field().history(), report);
    }
    return report.finish();
}

} // namespace

int main(int argc, char **argv) { return ranks::run_program(argc, argv, run); }
