#include "common/options.h"
#include "common/ranks.h"
#include "common/report.h"
#include "enclave/check.h"
#include "enclave/simulation.h"
#include "enclave/snapshot.h"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace enclave;
namespace ranks = apps::ranks;

const std::vector<std::string> kModes = {"bsp",   "tasks",  "hold-back", "backfill",
                                         "fused", "queues", "joined",    "joined-late"};

std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Problem &problem : problems())
        names.push_back(problem.name);
    return names;
}

Problem problem_of(const std::string &name) {
    const auto has_it = [&](const Problem &problem) { return problem.name == name; };
    return *std::find_if(problems().begin(), problems().end(), has_it);
}

// The mode and batch that the ARCHER2 report's name of a scheduling stands for; false if it is
// none.
bool schedule_by_report(const std::string &name, Tasking &tasking) {
    struct Row {
        const char *name;
        Mode mode;
        bool counted; // the name ends with a batch
    };
    constexpr Row kRows[] = {{"bulk-synchronous", Mode::bsp, false},
                             {"native", Mode::tasks, false},
                             {"backfill", Mode::backfill, false},
                             {"fuse-immediately-", Mode::joined, true},
                             {"fuse-late-", Mode::joined_late, true},
                             {"fuse-or-process-immediately-", Mode::queues, true}};
    for (const Row &row : kRows) {
        const std::string begin = row.name;
        if (row.counted ? name.compare(0, begin.size(), begin) != 0 : name != begin)
            continue;
        tasking.mode = row.mode;
        if (!row.counted)
            return true;
        const std::string count = name.substr(begin.size());
        if (count.empty() || count.size() > 6 ||
            count.find_first_not_of("0123456789") != std::string::npos)
            return false;
        tasking.batch = std::stoi(count);
        return tasking.batch >= 2;
    }
    return false;
}

int run(int argc, char **argv) {
    std::string name = "vortex";
    std::string scheduling;
    int dimensions = 0;
    int depth = -1;
    int across = 0;
    double end = 0;
    double courant = 0;
    double steep = 0;
    int subdomains = 0;
    bool check = false;
    Run run{};
    run.spoilt = -1;
    run.skew = 1;
    run.tasking = {Mode::tasks, 16, false, Storing::pointers, Kernels::serial, false};
    apps::Options options("enclave", "Finite volumes for hyperbolic equations on patches.");
    options.add("case", &name, names(), "equations and initial values");
    options.add("mode", &run.tasking.mode, kModes, "the tasks that advance the patches");
    options.add("depth", &depth, -1, "cut the cube this often into three; -1: as the case has it");
    options.add("levels", &run.levels, 0, "cut steep cells so often more, and join them again");
    options.add("steep", &steep, 0.0, "slope from which on a cell is cut; 0: as the case has it");
    options.add("adapt-every", &run.adapt_every, 0,
                "steps until the mesh changes; 0: --across, in which nothing leaves its cell");
    options.add("across", &across, 0, "volumes along a patch's edge; 0: as the case has it");
    options.add("dimensions", &dimensions, 0, "1 to 3, with more than one cell; 0: the case's");
    options.add("end", &end, 0.0, "time to run to; 0: the case's");
    options.add("courant", &courant, 0.0, "share of the longest stable time step; 0: the case's");
    options.add("subdomains", &subdomains, 0, "pieces of a rank's part; 0: one for each thread");
    options.add("skew", &run.skew, 1.0, "how many times larger the first of them is");
    options.add("batch", &run.tasking.batch, 2,
                "enclaves in one call: of the modes fused, queues (up to 256) and joined");
    options.add_flag("forks", &run.tasking.forks,
                     "such a call makes tasks of them again; of the modes joined");
    options.add("storage", &run.tasking.storing, {"pointers", "copies", "per-call"},
                "patches of tasks: in place, copies, or in place without memory that is kept");
    options.add("kernels", &run.tasking.kernels, {"serial", "loops", "tasks"},
                "in a patch: one after another, parallel loops, or several tasks");
    options.add("scheduling", &scheduling, {},
                "instead of --mode and --batch, by the report's names: bulk-synchronous, native, "
                "backfill, fuse-immediately-N, fuse-late-N, fuse-or-process-immediately-N");
    options.add_flag("pinned", &run.tasking.pinned,
                     "enclaves first by threads of the place that their patches are at; of the "
                     "mode queues");
    options.add("spoil", &run.spoilt, -1,
                "a value in this cell is NaN after the first step, to see what is said of that");
    options.add("output", &run.output, {},
                "write TEXT-00000.h5 and so on, and TEXT.xdmf (ParaView)");
    options.add("output-every", &run.output_every, 0.0,
                "time from one of these to the next; 0: at the start and at the end");
    options.add("restart", &run.restart, {}, "go on with the file TEXT");
    options.add_flag("progress", &run.progress, "tell on stderr, each second, how far it is");
    options.add_flag("check", &check, "also with cells three times as wide; compare, and judge");
    options.parse(argc, argv);
    if (!scheduling.empty() && !schedule_by_report(scheduling, run.tasking))
        options.fail("--scheduling '" + scheduling +
                     "': no name of the report's (--help), with N of at least 2");

    run.problem = problem_of(name);
    run.problem.dimensions = dimensions > 0 ? dimensions : run.problem.dimensions;
    run.problem.end = end > 0 ? end : run.problem.end;
    run.problem.courant = courant > 0 ? courant : run.problem.courant;
    run.problem.steep = steep > 0 ? steep : run.problem.steep;
    run.depth = depth >= 0 ? depth : run.problem.depth;
    run.across = across > 0 ? across : run.problem.across;
    run.adapt_every = run.adapt_every > 0 ? run.adapt_every : run.across;
    const std::string &mode = kModes[static_cast<std::size_t>(run.tasking.mode)];
    if (dimensions > 3)
        options.fail("--dimensions " + std::to_string(dimensions) + ": at most 3 are possible");
    if (run.problem.dimensions < run.problem.least_dimensions)
        options.fail("--dimensions " + std::to_string(dimensions) + ": " + name + " needs " +
                     std::to_string(run.problem.least_dimensions));
    if (run.depth + run.levels > kDeepest || run.across > kWidest)
        options.fail("--depth " + std::to_string(run.depth + run.levels) +
                     (run.levels > 0 ? " with --levels" : "") + ", --across " +
                     std::to_string(run.across) + ": at most " + std::to_string(kDeepest) +
                     " and " + std::to_string(kWidest) + " are possible");
    if (run.problem.courant > 1)
        options.fail("--courant: more than 1 is not stable");
    const bool by_kind = run.tasking.mode == Mode::fused || run.tasking.mode == Mode::queues;
    if (by_kind && (!can_fuse() || !can_queue() || run.tasking.batch > 256))
        options.fail(can_fuse() && can_queue() ? "--batch: at most 256 are possible"
                                               : "--mode " + mode + " needs loomp");
    if (run.tasking.pinned && run.tasking.mode != Mode::queues)
        options.fail("--pinned needs --mode queues");
    if ((!run.output.empty() || !run.restart.empty()) && !snapshots_available())
        options.fail("--output and --restart: this program was built without HDF5");
    if (run.output_every > 0 && run.output.empty())
        options.fail("--output-every needs --output");
    if (run.spoilt >= 0 && !run.restart.empty())
        options.fail("--spoil is for a run from the beginning: leave --restart out");
    if (run.output_every == 0)
        run.output_every = run.problem.end;
    // The mesh of the check is the smaller one.
    const double cells =
        cells_of(run.depth - (check && run.levels == 0 ? 1 : 0), run.problem.dimensions);
    if (cells < ranks::count())
        options.fail("cells: " + std::to_string(static_cast<int>(cells)) + ", ranks: " +
                     std::to_string(ranks::count()) + "; each rank needs a cell (--depth)");
    if (check && run.depth == 0 && run.levels == 0)
        options.fail("--check needs a --depth of at least 1");

    const int threads = apps::warm_up_threads();
    run.subdomains = subdomains > 0 ? subdomains : threads;
    apps::Report report;
    report.program(apps::format("enclave --case %s --mode %s, %d of 3^%d cells of %d^3 volumes",
                                name.c_str(), mode.c_str(), run.problem.dimensions, run.depth,
                                run.across),
                   threads);
    if (ranks::count() > 1)
        report.text("ranks", std::to_string(ranks::count()));
    const Result result = simulate(run);
    if (result.failed)
        return 1;
    tell(result, report);
    judge_run(run.problem, result, report);
    if (check)
        judge(run, result, report);
    return report.finish();
}

} // namespace

int main(int argc, char **argv) { return ranks::run_program(argc, argv, run); }
