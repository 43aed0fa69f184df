"""Urgent cells first (apps/enclave): the variants of the ARCHER2 report (2023) on each runtime,
with unequal subdomains; on more threads and ranks than there are processors, by simulation."""

import os
import re
import statistics
import tempfile
from pathlib import Path

from harness import mpi

from .study import Study, bars, chart, lines, median_of, verdict

EXAHYPE = "Weinzierl and others, Upscaling ExaHyPE (ARCHER2-eCSE04-2, 2023)"
LOOMP = ("loomp/gcc", "loomp/clang")
ALL = (*LOOMP, "libgomp/gcc", "libomp/clang")

# The ways by name: options, settings, and the runtimes that can.
WAYS = {
    "bsp": ("--mode bsp", {}, ALL),
    "bsp, copies": ("--mode bsp --storage copies", {}, ALL),
    "tasks": ("--mode tasks", {}, ALL),
    "tasks, copies": ("--mode tasks --storage copies", {}, ALL),
    "tasks, producers first": ("--mode tasks", {"LOOMP_PRODUCERS_FIRST": "true"}, LOOMP),
    "hold-back": ("--mode hold-back", {}, ALL),
    "backfill": ("--mode backfill", {}, ALL),
    "fused": ("--mode fused --batch 8", {}, LOOMP),
    "queues": ("--mode queues --batch 8", {}, LOOMP),
    "joined": ("--mode joined --batch 8", {}, ALL),
    "joined, forks": ("--mode joined --batch 8 --forks", {}, ALL),
    "joined-late": ("--mode joined-late --batch 8", {}, ALL),
}


def figures(out):
    lines = dict(line.split(":", 1) for line in out.splitlines() if ":" in line)
    seconds = float(lines["time"].split()[0])
    return seconds, float(lines["updates/s"].split()[0]), float(lines["skeletons done"].split()[0]), lines["checksum"].strip()


def run_ways(lab):
    meshes = {
        "made (skew 3)": "--case gauge-wave --dimensions 3 --across 3 --skew 3 "
                         + lab.size("--depth 1 --end 0.004", "--depth 2 --end 0.02", "--depth 3 --across 9 --end 0.002"),
        "natural (levels)": "--case vortex --levels 1 "
                            + lab.size("--depth 1 --end 0.2", "--depth 2 --across 9 --end 0.3", "--depth 3 --across 9 --end 0.3"),
    }
    cases = [(mesh, way, runtime) for mesh in meshes for way, (_, _, able) in WAYS.items() for runtime in able if runtime in lab.setups]
    samples, sums = {case: [] for case in cases}, {}
    # The ways alternate, so that a slow minute of the machine affects all of them.
    for _ in range(lab.reps):
        for mesh, way, runtime in cases:
            options, settings, _ = WAYS[way]
            environment = lab.setup(runtime).environment(lab.threads, settings)
            program = lab.app("enclave", runtime.split("/")[1])
            out, _ = lab.call([program, *meshes[mesh].split(), *options.split()], environment)
            *measured, checksum = figures(out)
            if sums.setdefault(mesh, checksum) != checksum:
                raise RuntimeError(f"{mesh}, {way}, {runtime}: another result")
            samples[mesh, way, runtime].append(measured)
    rows = []
    for (mesh, way, runtime), measured in samples.items():
        seconds, updates, urgent = (statistics.median(column) for column in zip(*measured))
        rows.append({"imbalance": mesh, "way": way, "runtime": runtime, "time_s": seconds, "volumes_per_s": updates,
                     "skeletons_share": urgent / seconds})
    return rows


def over_bsp(rows, mesh, way, runtime="loomp/gcc"):
    plain = median_of(rows, "time_s", imbalance=mesh, way="bsp", runtime=runtime)
    other = median_of(rows, "time_s", imbalance=mesh, way=way, runtime=runtime)
    return "not measured" if plain is None or other is None else f"{plain / other:.2f}x"


def meshes_of(rows):
    return list(dict.fromkeys(row["imbalance"] for row in rows))


def compare_ways(rows):
    published = {"tasks": "about 2x at moderate core counts", "backfill": "the best", "joined, forks": "slightly better than without"}
    found = [(f"{way} over bsp, {mesh}, {runtime}", published.get(way, "not published"), f"{EXAHYPE}, performance data and its figures",
              over_bsp(rows, mesh, way, runtime))
             for mesh in meshes_of(rows) for way in WAYS if way != "bsp" for runtime in ALL]
    return [row for row in found if row[3] != "not measured"]


def say_ways(rows):
    made = meshes_of(rows)[0]
    ours = [row for row in rows if row["runtime"].startswith("loomp") and row["imbalance"] == made]
    best = min(ours, key=lambda row: row["time_s"])
    gain = over_bsp(rows, made, best["way"], best["runtime"])
    return verdict(best["way"] != "bsp",
                   f"where subdomains are unequal, {best['way']} is best, {gain} of bsp with {best['runtime'].split('/')[1]}",
                   "who is done takes enclaves of the others", "subdomains were equal enough")


def draw_ways(rows, figure):
    for axes, mesh in zip(figure.subplots(1, 2, sharey=False), meshes_of(rows)):
        bars(axes, [{**row, "what": f"{row['way']}\n{row['runtime']}"} for row in rows if row["imbalance"] == mesh], "what", "time_s")
        axes.tick_params(axis="x", rotation=90, labelsize=5)
        axes.set(title=mesh, ylabel="time, s")


# --- Many threads, many ranks -------------------------------------------------------------------------

# One task for all enclaves of a subdomain replaces bsp, which has no task that another thread could
# begin.
SIMULATED = {"bsp": "--mode joined-late --batch 1000000", "tasks": "--mode tasks", "hold-back": "--mode hold-back",
             "queues": "--mode queues --batch 4"}
LATENCY_US, BYTES_PER_NS = 2, 12.5  # of a cluster's network: 100 Gbit/s
RECORDED = 4  # ranks, in a ring along the one dimension


def record(lab, options, threads, ranks=0):
    """A trace in which pieces of work take their processor time, because threads and ranks share
    few processors."""
    folder = Path(tempfile.mkdtemp(dir=lab.scratch)) / "trace"
    # A thread without work should yield its processor to the others.
    environment = lab.setup("loomp/gcc").environment(threads, {"OMP_WAIT_POLICY": "passive", **({**mpi.ENVIRONMENT, **mpi.YIELDING} if ranks
                                                                                               else {})})
    environment.pop("OMP_PROC_BIND", None)
    lab.call([*(mpi.launch(ranks) if ranks else []), lab.loomp, "trace", "-q", "--cpu-time", "-o", folder, lab.app("enclave", "gcc", ranks),
              *options.split()], environment)
    return folder


def simulated(lab, folder, *options):
    out, _ = lab.call([lab.loomp, "simulate", folder, *options], None)
    return float(re.search(r"^makespan, simulated +(\S+) s", out, re.M)[1])


def run_cores(lab):
    """Each way with one thread per requested core: the threads share processors, and the simulation
    gives each its own."""
    mesh = "--case gauge-wave --across 3 --skew 3 " + lab.size("--dimensions 2 --depth 3 --end 0.001", "--dimensions 2 --depth 4 --end 0.0002",
                                                               "--dimensions 3 --depth 3 --across 9 --end 0.002")
    rows = []
    for cores in lab.size((2, 4), (2, 8, 32, 128), (16, 32, 64, 128)):
        for mode, options in SIMULATED.items():
            folder = record(lab, f"{mesh} {options}", cores)
            rows.append({"cores": cores, "mode": mode, "time_s": simulated(lab, folder, "-t", cores)})
    for row in rows:
        row["over_bsp"] = median_of(rows, "time_s", cores=row["cores"], mode="bsp") / row["time_s"]
    return rows


def gain_on(rows, mode, cores):
    return median_of(rows, "over_bsp", mode=mode, cores=cores)


def compare_cores(rows):
    cores = sorted({row["cores"] for row in rows})
    return [(f"{mode} over bsp, by cores", "about 2x at moderate core counts", f"{EXAHYPE}, performance data and its figures",
             ", ".join(f"{n}: {gain_on(rows, mode, n):.2f}x" for n in cores)) for mode in SIMULATED if mode != "bsp"]


def say_cores(rows):
    most = max(row["cores"] for row in rows)
    best = max((row for row in rows if row["mode"] != "bsp"), key=lambda row: row["over_bsp"])
    return verdict(best["over_bsp"] > 1.1,
                   f"by simulation, enclaves gain most with {best['mode']} on {best['cores']} cores, {best['over_bsp']:.2f}x of bsp; on {most} "
                   f"cores queues take {1 / gain_on(rows, 'queues', most):.2f} of its time",
                   "who is done takes enclaves of the largest subdomain, as long as it has any", "too few enclaves are in a subdomain")


def run_many(lab):
    """Strong and weak scaling, from four ranks with as many cells each as on the requested number
    of ranks."""
    lab.need_open_mpi()
    deepest = lab.size(4, 7, 8)
    rows = []
    for level in range(lab.size(2, 4, 5)):  # each cuts a rank's part into three
        ranks = RECORDED * 3 ** level
        folder = record(lab, "--case gauge-wave --dimensions 1 --across 3 --mode tasks"
                             f" --depth {deepest - level} --end {0.2 * 3.0 ** (level - deepest):g}", 1, RECORDED)

        def continued(more, folder=folder):
            return simulated(lab, folder, "--latency", LATENCY_US, "--bandwidth", BYTES_PER_NS,
                             *(("--ranks", more, "--scaling", "weak") if more != RECORDED else ()))
        rows.append({"kind": "strong", "ranks": ranks, "cells_a_rank": 3 ** (deepest - level) // RECORDED, "time_s": continued(ranks)})
        if level == 0:
            rows += [{"kind": "weak", "ranks": RECORDED * 3 ** more, "cells_a_rank": 3 ** deepest // RECORDED,
                      "time_s": continued(RECORDED * 3 ** more)} for more in range(lab.size(2, 4, 5))]
    return rows


def efficiency(rows, kind, ranks):
    first, last = (median_of(rows, "time_s", kind=kind, ranks=n) for n in (RECORDED, ranks))
    return first / last / (ranks / RECORDED if kind == "strong" else 1)


def compare_many(rows):
    ranks = sorted({row["ranks"] for row in rows})
    return [(f"efficiency, {kind}, by ranks", "not published", EXAHYPE,
             ", ".join(f"{n}: {efficiency(rows, kind, n):.2f}" for n in ranks)) for kind in ("strong", "weak")]


def say_many(rows):
    most = max(row["ranks"] for row in rows)
    strong, weak = (efficiency(rows, kind, most) for kind in ("strong", "weak"))
    return (f"No trend is published: by simulation, {most} ranks keep {100 * strong:.0f}% of the efficiency of {RECORDED} strongly, with "
            f"{rows[-1]['cells_a_rank']} cells each at last, and {100 * weak:.0f}% weakly")


def draw_many(rows, figure):
    axes = figure.subplots()
    lines(axes, [{**row, "efficiency": efficiency(rows, row["kind"], row["ranks"])} for row in rows], "ranks", "efficiency", "kind")
    axes.set(xlabel="ranks (simulated)", ylabel="efficiency", xscale="log")


# --- The report's mesh --------------------------------------------------------------------------------

# The keys are the report's names. The last two divide a kernel into parts, as loops and as tasks.
SCHEDULINGS = {
    "bulk-synchronous": "", "native": "", "backfill": "", "fuse-immediately-20": "", "fuse-late-20": "",
    "fuse-or-process-immediately-20": "", "native, loops in kernels": "--kernels loops", "native, tasks in kernels": "--kernels tasks"}
PUBLISHED_SCHEDULINGS = {
    "native": "faster, about 2x at moderate core counts", "backfill": "the best", "native, loops in kernels": "slower than native",
    "native, tasks in kernels": "marginally faster than native"}
NEEDED_GB = 18  # of 19,683 cells


def run_report(lab):
    """A step. On few cores, or little memory, 6,561 cells in a plane."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2 ** 30
    whole = "--dimensions 3 --depth 3 --across 9 --end 0.0001"
    mesh = lab.size("--dimensions 2 --depth 1 --across 3 --end 0.004", "--dimensions 2 --depth 4 --across 9 --end 0.00005",
                    whole if free > NEEDED_GB else "--dimensions 2 --depth 4 --across 9 --end 0.0005")
    rows, sums = [], set()
    for name, more in SCHEDULINGS.items():
        out, _ = lab.call([lab.app("enclave", "gcc"), "--case", "gauge-wave", *mesh.split(), "--scheduling", name.split(",")[0], *more.split()],
                          lab.setup("loomp/gcc").environment(lab.threads, {}))
        seconds, updates, urgent, checksum = figures(out)
        sums.add(checksum)
        rows.append({"scheduling": name, "mesh": mesh, "time_s": seconds, "volumes_per_s": updates, "skeletons_share": urgent / seconds})
    if len(sums) > 1:
        raise RuntimeError(f"{mesh}: results differ: {sums}")
    return rows


def over_plain(rows, name):
    return median_of(rows, "time_s", scheduling="bulk-synchronous") / median_of(rows, "time_s", scheduling=name)


def compare_report(rows):
    return [(f"{name} over bulk-synchronous", PUBLISHED_SCHEDULINGS.get(name, "below backfill"), f"{EXAHYPE}, performance data and its figures", f"{over_plain(rows, name):.2f}x")
            for name in SCHEDULINGS if name != "bulk-synchronous"]


def say_report(rows):
    gains = {name: over_plain(rows, name) for name in SCHEDULINGS}
    best_name = max(gains, key=gains.get)
    loops, tasks = (gains[f"native, {way} in kernels"] / gains["native"] for way in ("loops", "tasks"))
    return verdict(gains["native"] > 1 and loops < tasks,
                   f"{best_name} is best, {gains[best_name]:.2f}x of bulk-synchronous, native {gains['native']:.2f}x; loops in kernels take native to "
                   f"{loops:.2f}x, tasks in kernels to {tasks:.2f}x", "threads that are done take enclaves of others",
                   "a subdomain for each of two threads is half of the mesh, so that there is little to balance")


STUDIES = [
    Study("enclave-report", "Schedulings by the report's names, on its mesh", f"{EXAHYPE}, performance data", run_report, compare_report, say_report,
          chart(bars, "scheduling", "time_s", ylabel="time, s"),
          "CCZ4's gauge wave, 9^3 volumes a patch, one run each: 19,683 cells, or 6,561 on few cores or little memory."),
    Study("enclave-ways", "Enclave tasking: who advances which cells when, where subdomains are unequal", f"{EXAHYPE}",
          run_ways, compare_ways, say_ways, draw_ways,
          "the report has 19,683 cells of 9^3 volumes on 128 cores, and no table of times"),
    Study("enclave-cores", "Enclave tasking on up to 128 cores", f"{EXAHYPE}", run_cores, compare_cores, say_cores,
          chart(lines, "cores", "over_bsp", "mode", xlabel="cores (simulated)", ylabel="time of bsp over that of the mode", xscale="log"),
          "loomp simulate computed it from runs with as many threads, a subdomain each, which shared this machine's processors. No machine here "
          "has the processors."),
    Study("enclave-ranks", "Enclave tasking over 108 ranks and more", f"{EXAHYPE}", run_many, compare_many, say_many, draw_many,
          f"loomp simulate computed it from {RECORDED} ranks on this machine that have as many cells each, {LATENCY_US} us and {BYTES_PER_NS} bytes "
          "a ns; a ring of ranks, one thread each."),
]
