"""The plasma of apps/vlasov over ranks: figures 4 and 5 of Richard and others (2019), and what the paper claims of priorities
and of recursive tasks."""

import statistics

from harness import mpi

from .lab import BENCH
from .study import Missing, Study, bars, lines, median_of, verdict

VLASOV = "Richard and others, Vlasov (IWOMP 2019)"
PRIORITIES = {"OMP_MAX_TASK_PRIORITY": "3"}
LATENCY_US, RATE_MBIT = 100, 1000

# --- Ways to make the tasks ---------------------------------------------------------------------------

# By name: options, and the runtimes that can.
WAYS = {
    "loops": ("--mode for", ("loomp/gcc",)),
    "flat": ("--submission flat", ("loomp/gcc", "loomp/clang", "libomp/clang", "libgomp/gcc")),
    "flat, no priorities": ("--submission flat --no-priorities", ("loomp/gcc",)),
    "taskloop": ("--submission taskloop", ("loomp/gcc", "loomp/clang", "libomp/clang", "libgomp/gcc")),
    "taskloop, no priorities": ("--submission taskloop --no-priorities", ("loomp/gcc", "libgomp/gcc")),
    "transparent": ("--submission transparent", ("loomp/gcc",)),
    "transparent, kept": ("--submission transparent --persistent replay", ("loomp/gcc",)),
    "flat, kept": ("--submission flat --persistent replay", ("loomp/gcc",)),
    "blocking MPI": ("--messages blocking", ("loomp/gcc", "loomp/clang")),
    "blocking MPI, kept": ("--messages blocking --persistent replay", ("loomp/gcc",)),
}


def on_cluster(lab, runtime, command):
    """A command on two nodes of the test cluster, on a runtime: standard output."""
    environment = lab.setup(runtime).environment(max(1, lab.threads // 2), {**mpi.ENVIRONMENT, **mpi.YIELDING, **PRIORITIES})
    environment.pop("OMP_PROC_BIND", None)
    cluster = BENCH / "cluster"
    try:
        return lab.call([cluster / "run", "--latency", LATENCY_US, "--rate", RATE_MBIT, cluster / "mpirun", "openmpi", 2, *command],
                        environment)[0]
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
    # In turn, so that a slow minute of the machine meets all of them.
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
        rows.append(row)
    return rows


def traced(lab, runtime, options):
    """The recorder's r_comm and r_act, means of the ranks; none on libgomp, which tells no tool of tasks."""
    if runtime.startswith("libgomp"):
        return {"r_comm": None, "r_act": None, "overlap": None}
    folder = lab.scratch / f"vlasov{len(lab.commands)}"
    stock = [] if runtime.startswith("loomp") else ["--stock"]
    program = lab.app("vlasov", runtime.split("/")[1], ranks=2)
    on_cluster(lab, runtime, [lab.loomp, "trace", "-q", *stock, "-o", folder, program, *options.split()])
    ranks = lab.report(folder)["communication"]
    return {name: statistics.mean(rank[name] or 0.0 for rank in ranks) for name in ("r_comm", "r_act", "overlap")}


def of(rows, way, runtime="loomp/gcc", column="time_s"):
    return median_of(rows, column, way=way, runtime=runtime)


def slower(rows, other, way, runtime="loomp/gcc"):
    """By how much `other` is slower than `way`, as text."""
    a, b = of(rows, other, runtime), of(rows, way, runtime)
    return "not measured" if a is None or b is None else f"{100 * (a / b - 1):+.1f}%"


def shares(rows, way, runtime="loomp/gcc"):
    comm, act = of(rows, way, runtime, "r_comm"), of(rows, way, runtime, "r_act")
    return "not measured" if comm is None or act is None else f"{comm:.2f} / {act:.2f}"


def compare_ways(rows):
    lines_ = [("without priorities, loops in tasks: slower by", "5.7%", f"{VLASOV}, figure 4b", slower(rows, "taskloop, no priorities", "taskloop")),
              ("the same on libgomp", "not measured", f"{VLASOV}, 4.2", slower(rows, "taskloop, no priorities", "taskloop", "libgomp/gcc")),
              ("flat tasks over loops in tasks: slower by", "9.7%", f"{VLASOV}, figure 4c", slower(rows, "flat", "taskloop")),
              ("transparent tasks over loops in tasks: slower by", "asked for, not possible", f"{VLASOV}, 4.2", slower(rows, "transparent", "taskloop")),
              ("r_comm / r_act, loops in tasks", "0.09 / 0.96 on 1 node, 0.64 / 0.60 on 64", f"{VLASOV}, 4.2", shares(rows, "taskloop"))]
    lines_ += [(f"r_comm / r_act, {way}", "not measured", f"{VLASOV}, 4.2", shares(rows, way)) for way in ("flat", "transparent", "blocking MPI")]
    best = min((row["time_s"] for row in rows if row["runtime"].startswith("loomp")), default=None)
    for peer in ("libomp/clang", "libgomp/gcc"):
        theirs = of(rows, "taskloop", peer)
        lines_.append((f"the paper's technique on {peer} over loomp's best", "not measured", f"{VLASOV}, 4.1",
                       "not measured" if theirs is None else f"{theirs / best:.2f}x"))
    return lines_


def say_ways(rows):
    priorities = of(rows, "taskloop, no priorities") / of(rows, "taskloop") - 1
    recursive = of(rows, "flat") / of(rows, "taskloop") - 1
    best = min((row for row in rows if row["runtime"].startswith("loomp")), key=lambda row: row["time_s"])
    return verdict(priorities > 0 and recursive > 0,
                   f"without priorities {100 * priorities:+.1f}%, flat tasks {100 * recursive:+.1f}%; the best way is {best['way']}, "
                   f"{1e3 * best['time_s']:.0f} ms",
                   "messages start and end early, and fewer dependences are named",
                   "not explained by traces yet; few threads share a node here, and times of one way differ by up to 60%")


def draw_ways(rows, figure):
    axes = figure.subplots()
    bars(axes, [{**row, "what": f"{row['way']}\n{row['runtime']}"} for row in rows], "what", "time_s")
    axes.tick_params(axis="x", rotation=80, labelsize=6)
    axes.set_ylabel("time, s")


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


def draw_tiles(rows, figure):
    axes = figure.subplots()
    lines(axes, rows, "tile", "over_best", "ranks")
    axes.set(xlabel="points along a tile's edge", ylabel="time over that of the best tile, by ranks")


STUDIES = [
    Study("vlasov-ways", "A plasma's ghosts over a slow network: priorities, recursive and transparent tasks", f"{VLASOV}, figure 4",
          run_ways, compare_ways, say_ways, draw_ways,
          f"2 nodes of the test cluster, {LATENCY_US} us and {RATE_MBIT} Mbit/s; the paper has 64 nodes of 48 cores"),
    Study("vlasov-tiles", "A plasma's tiles: their size and the number of ranks", f"{VLASOV}, figure 5",
          run_tiles, compare_tiles, say_tiles, draw_tiles),
]
