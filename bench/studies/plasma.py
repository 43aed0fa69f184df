"""The plasma of apps/vlasov over ranks: figures 3 to 5 of Richard and others (2019), and the
paper's claims about priorities and recursive tasks."""

import re
import statistics

from harness import mpi

from .lab import BENCH
from .study import Missing, Study, bars, chart, lines, median_of, verdict

VLASOV = "Richard and others, Vlasov (IWOMP 2019)"
PRIORITIES = {"OMP_MAX_TASK_PRIORITY": "4"}
LATENCY_US, RATE_MBIT = 100, 1000

# --- Ways to make the tasks ---------------------------------------------------------------------------

ALL = ("loomp/gcc", "loomp/clang", "libomp/clang", "libgomp/gcc")
# The ways by name: options, and the runtimes that can.
WAYS = {
    "loops": ("--mode for", ("loomp/gcc",)),
    **{f"{submission}, {order}": (f"--submission {submission} --priorities {priorities}", runtimes)
       for priorities, order in (("paper", "the paper's priorities"), ("none", "no priorities"), ("reuse", "priorities with reuse"))
       for submission, runtimes in (("flat", ALL if priorities == "paper" else ALL[:1]),
                                    ("taskloop", ALL if priorities == "paper" else ALL[::3] if priorities == "none" else ALL[:1]),
                                    ("transparent", ALL[:1]))},
    "transparent, kept": ("--submission transparent --persistent replay", ("loomp/gcc",)),
    "flat, kept": ("--submission flat --persistent replay", ("loomp/gcc",)),
    "blocking MPI": ("--messages blocking", ("loomp/gcc", "loomp/clang")),
    "blocking MPI, kept": ("--messages blocking --persistent replay", ("loomp/gcc",)),
}
PAPER = {submission: f"{submission}, the paper's priorities" for submission in ("flat", "taskloop", "transparent")}
NONE = {submission: f"{submission}, no priorities" for submission in PAPER}
REUSE = {submission: f"{submission}, priorities with reuse" for submission in PAPER}
ORDERED = {*PAPER.values(), *NONE.values(), *REUSE.values()}


def on_cluster(lab, runtime, command, nodes=2):
    """Runs a command on as many nodes of the test cluster, one rank each, on a runtime; returns
    standard output."""
    environment = lab.setup(runtime).environment(max(1, lab.threads // nodes), {**mpi.ENVIRONMENT, **mpi.YIELDING, **PRIORITIES})
    environment.pop("OMP_PROC_BIND", None)
    cluster = BENCH / "cluster"
    try:
        return lab.call([cluster / "run", "--nodes", nodes, "--latency", LATENCY_US, "--rate", RATE_MBIT, cluster / "mpirun", "openmpi",
                         nodes, *command], environment)[0]
    except RuntimeError as error:
        if "skipped: " in str(error):
            raise Missing(str(error).split("skipped: ")[1]) from error
        raise


def run_ways(lab):
    lab.need_open_mpi()
    edge, steps = lab.size(64, 1024, 4096), lab.size(3, 40, 100)
    size = f"--nx {edge} --nv {edge} --dt {0.5 / edge:g} --steps {steps} --tile {lab.size(16, 64, 64)} --no-check"
    cases = [(way, options, runtime) for way, (options, runtimes) in WAYS.items() for runtime in runtimes if runtime in lab.setups]
    samples, rows = {case: [] for case in cases}, []
    # The ways alternate, so that a slow minute of the machine affects all of them.
    for _ in range(lab.reps):
        for way, options, runtime in cases:
            program = lab.app("vlasov", runtime.split("/")[1], ranks=2)
            start = [lab.loomp, "run"] if runtime.startswith("loomp") else []
            out = on_cluster(lab, runtime, [*start, program, *size.split(), *options.split()])
            seconds = next(float(line.split()[1]) for line in out.splitlines() if line.startswith("time:"))
            samples[way, options, runtime].append(seconds)
    for (way, options, runtime), times in samples.items():
        row = {"way": way, "runtime": runtime, "time_s": statistics.median(times), "least_s": min(times)}
        row.update(traced(lab, runtime, size + " " + options))
        row.update(alone(lab, runtime, size + " " + options) if way in ORDERED and runtime == "loomp/gcc" else
                   {"alone_s": None, "border_us": None})
        rows.append(row)
    return rows


def record(lab, runtime, options, *more, nodes=2):
    """A trace of a run on the test cluster."""
    folder = lab.scratch / f"vlasov{len(lab.commands)}"
    stock = [] if runtime.startswith("loomp") else ["--stock"]
    program = lab.app("vlasov", runtime.split("/")[1], ranks=nodes)
    on_cluster(lab, runtime, [lab.loomp, "trace", "-q", *stock, *more, "-o", folder, program, *options.split()], nodes)
    return folder


def traced(lab, runtime, options):
    """The recorder's r_comm and r_act, means of the ranks; none on libgomp, which reports no tasks
    to tools."""
    if runtime.startswith("libgomp"):
        return {"r_comm": None, "r_act": None, "overlap": None}
    ranks = lab.report(record(lab, runtime, options))["communication"]
    return {name: statistics.mean(rank[name] or 0.0 for rank in ranks) for name in ("r_comm", "r_act", "overlap")}


def alone(lab, runtime, options):
    """The predicted time if ranks and wire have their own processors, and the time of a tile's
    border."""
    folder = record(lab, runtime, options, "--cpu-time")
    border = next(kind["median_us"] for kind in lab.report(folder)["kinds"] if "borders" in kind["name"])
    return {"alone_s": lab.simulate(folder), "border_us": border}


def of(rows, way, runtime="loomp/gcc", column="time_s"):
    return median_of(rows, column, way=way, runtime=runtime)


def slower(rows, other, way, runtime="loomp/gcc", column="time_s"):
    """The slowdown of `other` against `way`, as text."""
    a, b = of(rows, other, runtime, column), of(rows, way, runtime, column)
    return "not measured" if a is None or b is None else f"{100 * (a / b - 1):+.1f}%"


def shares(rows, way, runtime="loomp/gcc"):
    comm, act = of(rows, way, runtime, "r_comm"), of(rows, way, runtime, "r_act")
    return "not measured" if comm is None or act is None else f"{comm:.2f} / {act:.2f}"


def compare_ways(rows):
    lines_ = []
    for submission, published in (("taskloop", "5.7%"), ("flat", "not measured"), ("transparent", "asked for, not possible")):
        for name, order in (("the paper's priorities", PAPER), ("priorities with reuse", REUSE)):
            lines_.append((f"no priorities against {name}, {submission}: slower by", published if order is PAPER else "not measured",
                           f"{VLASOV}, figure 4b", slower(rows, NONE[submission], order[submission]) + " measured, " +
                           slower(rows, NONE[submission], order[submission], column="alone_s") + " on processors of their own"))
    lines_ += [("the same on libgomp, taskloop, the paper's priorities", "not measured", f"{VLASOV}, 4.2",
                slower(rows, NONE["taskloop"], PAPER["taskloop"], "libgomp/gcc")),
               ("flat tasks over loops in tasks, the paper's priorities: slower by", "9.7%", f"{VLASOV}, figure 4c",
                slower(rows, PAPER["flat"], PAPER["taskloop"])),
               ("the same, priorities with reuse", "not measured", f"{VLASOV}, figure 4c", slower(rows, REUSE["flat"], REUSE["taskloop"])),
               ("transparent tasks over loops in tasks, priorities with reuse: slower by", "asked for, not possible", f"{VLASOV}, 4.2",
                slower(rows, REUSE["transparent"], REUSE["taskloop"])),
               ("r_comm / r_act, loops in tasks, the paper's priorities", "0.09 / 0.96 on 1 node, 0.64 / 0.60 on 64", f"{VLASOV}, 4.2",
                shares(rows, PAPER["taskloop"]))]
    lines_ += [(f"r_comm / r_act, {way}", "not measured", f"{VLASOV}, 4.2", shares(rows, way))
               for way in (*REUSE.values(), "blocking MPI")]
    best = min((row["time_s"] for row in rows if row["runtime"].startswith("loomp")), default=None)
    for peer in ("libomp/clang", "libgomp/gcc"):
        theirs = of(rows, PAPER["taskloop"], peer)
        lines_.append((f"the paper's technique on {peer} over loomp's best", "not measured", f"{VLASOV}, 4.1",
                       "not measured" if theirs is None else f"{theirs / best:.2f}x"))
    return lines_


def say_ways(rows):
    priorities, reuse = (of(rows, NONE["taskloop"]) / of(rows, order["taskloop"]) - 1 for order in (PAPER, REUSE))
    recursive = of(rows, PAPER["flat"]) / of(rows, PAPER["taskloop"]) - 1
    best = min((row for row in rows if row["runtime"].startswith("loomp")), key=lambda row: row["time_s"])
    none, paper, near = (of(rows, order["taskloop"], column="border_us") for order in (NONE, PAPER, REUSE))
    return verdict(priorities > 0 and recursive > 0,
                   f"loops in tasks without priorities {100 * priorities:+.1f}% against the paper's and {100 * reuse:+.1f}% against those "
                   f"with reuse, flat tasks {100 * recursive:+.1f}%; the best way is {best['way']}, {1e3 * best['time_s']:.0f} ms",
                   "messages start and end early, and fewer dependences are named",
                   f"the paper's order computes all centres first, and a border's tile has left the cache by then: it takes {paper:.1f} us, "
                   f"{none:.1f} without priorities, {near:.1f} with reuse (medians); the paper's threads have 5 tiles on 64 nodes, ours have "
                   "many; times of one way differ by up to 60%, as two ranks and the wire share few processors")


def draw_ways(rows, figure):
    axes = figure.subplots()
    bars(axes, [{**row, "what": f"{row['way']}\n{row['runtime']}"} for row in rows], "what", "time_s")
    axes.tick_params(axis="x", rotation=80, labelsize=6)
    axes.set_ylabel("time, s")


# --- Many ranks ---------------------------------------------------------------------------------------

RECORDED = 4  # ranks, in a ring along v: two of them are neither first nor last


def run_many(lab):
    """Each number of ranks is predicted from a run of four with as many tiles each."""
    lab.need_open_mpi()
    tile, columns, rows_of_all = lab.size(16, 64, 64), lab.size(2, 8, 128), lab.size(8, 128, 128)
    steps, edge = lab.size(3, 20, 100), tile * columns
    strong = [ranks for ranks in (4, 8, 16, 32, 64, 128) if ranks <= rows_of_all]
    weak_rows, rows = max(1, rows_of_all // 8), []
    for ranks in strong:
        share = rows_of_all // ranks  # rows of tiles a rank
        options = (f"--nx {edge} --nv {tile * share * RECORDED} --dt {0.5 / edge:g} --steps {steps} --tile {tile} --ranks-x 1 --no-check "
                   "--submission taskloop")
        folder = record(lab, "loomp/gcc", options, "--cpu-time", nodes=RECORDED)
        rows.append({"kind": "strong", "ranks": ranks, "tiles_a_rank": share * columns, **continued(lab, folder, ranks)})
        if share == weak_rows:
            rows += [{"kind": "weak", "ranks": more, "tiles_a_rank": share * columns, **continued(lab, folder, more)} for more in strong]
    for row in rows:
        first = median_of(rows, "time_s", kind=row["kind"], ranks=RECORDED)
        row["efficiency"] = first / row["time_s"] / (row["ranks"] / RECORDED if row["kind"] == "strong" else 1)
    return rows


def continued(lab, folder, ranks):
    """The time on this many ranks, with r_comm and related figures."""
    out = lab.call([lab.loomp, "simulate", folder, "--latency", LATENCY_US, "--bandwidth", RATE_MBIT / 8000,
                    *(("--ranks", ranks, "--scaling", "weak") if ranks != RECORDED else ())], None)[0]
    shares_ = re.search(r"^communication .*\nall +(\S+) +(\S+) +(\S+) +(\S+)$", out, re.M)
    return {"time_s": float(re.search(r"^makespan, simulated +(\S+) s", out, re.M)[1]),
            **dict(zip(("r_comm", "r_in_flight", "r_act", "overlap"), map(float, shares_.groups())))}


def on_ranks(rows, kind, ranks, column):
    return median_of(rows, column, kind=kind, ranks=ranks)


def compare_many(rows):
    ranks = sorted({row["ranks"] for row in rows})

    def all_of(kind, *columns):
        return ", ".join(f"{n}: " + " / ".join(f"{on_ranks(rows, kind, n, column):.2f}" for column in columns) for n in ranks)
    return [("efficiency, strong, by ranks", "scales well to 64 nodes, less well on 128", f"{VLASOV}, figure 3a", all_of("strong", "efficiency")),
            ("efficiency, weak, by ranks", "not measured", f"{VLASOV}, figure 3a", all_of("weak", "efficiency")),
            ("r_comm / r_act, strong, by ranks", "0.09 / 0.96 on 1 node, 0.64 / 0.60 on 64", f"{VLASOV}, 4.2",
             all_of("strong", "r_comm", "r_act")),
            ("share of time with requests in flight, strong, by ranks", "30% in the reduction alone on 64 nodes", f"{VLASOV}, 4.2",
             all_of("strong", "r_in_flight"))]


def say_many(rows):
    most = max(row["ranks"] for row in rows)
    strong, weak = (on_ranks(rows, kind, most, "efficiency") for kind in ("strong", "weak"))
    acts = [on_ranks(rows, "strong", n, "r_act") for n in (RECORDED, most)]
    return verdict(acts[1] < acts[0] and strong < weak,
                   f"by simulation, {most} ranks keep {100 * strong:.0f}% of the efficiency of {RECORDED} strongly and {100 * weak:.0f}% weakly; "
                   f"threads compute for {acts[0]:.2f} of the time on {RECORDED} and {acts[1]:.2f} on {most}",
                   "the fewer tiles a rank has, the less there is to compute while messages and the sum over all ranks are on their way",
                   "what ranks exchange is little beside what they compute")


def draw_many(rows, figure):
    left, right = figure.subplots(1, 2)
    lines(left, rows, "ranks", "efficiency", "kind")
    left.set(xlabel="ranks (simulated)", ylabel="efficiency")
    lines(right, [{"ranks": row["ranks"], "share": row[name], "what": name} for row in rows if row["kind"] == "strong"
                  for name in ("r_comm", "r_in_flight", "r_act")], "ranks", "share", "what")
    right.set(xlabel="ranks, strong (simulated)", ylabel="of the time")


# --- Tile sizes and ranks -----------------------------------------------------------------------------


def run_tiles(lab):
    edge, steps = lab.size(64, 512, 8192), lab.size(3, 60, 100)
    rows, ranks = [], 1
    while ranks <= max(2, lab.threads):
        for tile in lab.size((8, 16), (16, 32, 64, 128), (32, 64, 128, 256)):
            options = f"--nx {edge} --nv {edge} --dt {0.5 / edge:g} --steps {steps} --tile {tile}"
            seconds = lab.run_ranks("vlasov", options, ranks, max(1, lab.threads // ranks), PRIORITIES)
            rows.append({"ranks": ranks, "tile": tile, "time_s": seconds})
        ranks *= 2
    for row in rows:
        row["over_best"] = row["time_s"] / min(other["time_s"] for other in rows if other["ranks"] == row["ranks"])
    return rows


def best_tiles(rows):
    return {row["ranks"]: row["tile"] for row in rows if row["over_best"] == 1}


def compare_tiles(rows):
    smallest = min(row["tile"] for row in rows)
    return [("best tile, by ranks", "64 on most of 1 to 128 nodes; larger on few, smaller on many", f"{VLASOV}, figure 5",
             ", ".join(f"{ranks}: {tile}" for ranks, tile in best_tiles(rows).items())),
            (f"tiles of {smallest} over the best, 1 rank", "above 1, up to 2 and more", f"{VLASOV}, figure 5",
             f"{median_of(rows, 'over_best', ranks=1, tile=smallest):.2f}x")]


def say_tiles(rows):
    best = best_tiles(rows)
    smallest = min(row["tile"] for row in rows)
    cost = median_of(rows, "over_best", ranks=1, tile=smallest)
    return verdict(cost > 1, f"on one rank tiles of {smallest} take {cost:.2f} of the time of the best, which are of {best[1]}",
                   "a small tile is mostly ghosts, and its rows are short for vectors")


STUDIES = [
    Study("vlasov-ways", "A plasma's ghosts over a slow network: priorities, recursive and transparent tasks", f"{VLASOV}, figure 4",
          run_ways, compare_ways, say_ways, draw_ways,
          f"2 nodes of the test cluster, {LATENCY_US} us and {RATE_MBIT} Mbit/s; the paper has 64 nodes of 48 cores"),
    Study("vlasov-ranks", "A plasma over up to 128 ranks", f"{VLASOV}, figure 3", run_many, compare_many, say_many, draw_many,
          f"loomp simulate computed it from {RECORDED} ranks on as many nodes of the test cluster that have as many tiles each as on the number of "
          f"ranks that is asked for, {LATENCY_US} us and {RATE_MBIT} Mbit/s; ranks are cut along v only, and each has one thread or its share "
          "of the processors. No machine here has the processors."),
    Study("vlasov-tiles", "A plasma's tiles: their size and the number of ranks", f"{VLASOV}, figure 5",
          run_tiles, compare_tiles, say_tiles,
          chart(lines, "tile", "over_best", "ranks", xlabel="points along a tile's edge",
                ylabel="time over that of the best tile, by ranks")),
]
