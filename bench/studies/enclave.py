"""Urgent cells first (apps/enclave): the variants of the ARCHER2 report (2023) on each runtime, where subdomains are unequal."""

import statistics

from .study import Study, bars, median_of, verdict

EXAHYPE = "Weinzierl and others, Upscaling ExaHyPE (ARCHER2-eCSE04-2, 2023)"
LOOMP = ("loomp/gcc", "loomp/clang")
ALL = (*LOOMP, "libgomp/gcc", "libomp/clang")

# By name: options, settings, and the runtimes that can.
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
    # In turn, so that a slow minute of the machine meets all of them.
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


STUDIES = [
    Study("enclave-ways", "Enclave tasking: who advances which cells when, where subdomains are unequal", f"{EXAHYPE}",
          run_ways, compare_ways, say_ways, draw_ways,
          "the report has 19,683 cells of 9^3 volumes on 128 cores, and no table of times"),
]
