"""The cost of discovering task graphs, and the effect of its parts: thesis tables 6.2, 6.3 and 6.4,
figure 6.6, and METG. The patches of research/ remove parts; a study builds loomp with them."""

from .study import THESIS, Missing, Study, bars, chart, lines, median_of, ratio, verdict

# --- Table 6.2 ----------------------------------------------------------------------------------------

WAYS = {"spmv-scalars": "redundant, per scalar", "spmv-tiles": "redundant, tiled",
        "spmv-filtered": "filtered, tiled", "spmv-set": "dependence set"}


def run_redundant(lab):
    # An iteration of the scalar form takes long on the peers: few processes.
    data = lab.benchmark("run", "--cases", "^sets/spmv", "--threads", lab.threads, "--reps", min(lab.reps, 3), "--quick",
                         "--runtimes", "loomp,libomp,libgomp", "--loomp", lab.build / "lib" / "compat")
    return [{"runtime": runtime, "way": WAYS[row["case"].split("/")[1]], "ns_per_task": figure["ns"]}
            for row in data["rows"] for runtime, figure in row["figures"].items()]


def of_way(rows, way, runtime="loomp/clang"):
    return median_of(rows, "ns_per_task", way=way, runtime=runtime)


def compare_redundant(rows):
    found = []
    for runtime in dict.fromkeys(row["runtime"] for row in rows):
        filtered = of_way(rows, "filtered, tiled", runtime)
        found += [(f"per scalar / filtered, {runtime}", "7900x (158 s / 0.02 s)", f"{THESIS}, table 6.2, discovery",
                   ratio(of_way(rows, "redundant, per scalar", runtime), filtered, "{:.0f}x")),
                  (f"tiled / filtered, {runtime}", "1650x (33 s / 0.02 s)", f"{THESIS}, table 6.2, discovery",
                   ratio(of_way(rows, "redundant, tiled", runtime), filtered, "{:.0f}x"))]
    return found


def say_redundant(rows):
    filtered, tiled, scalar = (of_way(rows, way) for way in ("filtered, tiled", "redundant, tiled", "redundant, per scalar"))
    return verdict(scalar > 5 * filtered and tiled > 2 * filtered,
                   f"redundant dependences cost {tiled / filtered:.0f} (tiled) and {scalar / filtered:.0f} times (per scalar) "
                   "what filtered ones do on loomp", "the factors differ as the matrix does: blocks of 500 rows, not of 16,384",
                   "loomp recognises quickly what a task names twice")


def draw_redundant(rows, figure):
    axes = figure.subplots()
    runtimes = list(dict.fromkeys(row["runtime"] for row in rows))
    for i, runtime in enumerate(runtimes):
        values = [of_way(rows, way, runtime) or 0 for way in WAYS.values()]
        axes.bar([x + i / (len(runtimes) + 1) for x in range(len(values))], values, 1 / (len(runtimes) + 1), label=runtime)
    axes.set_xticks(range(len(WAYS)), WAYS.values(), fontsize=8)
    axes.set_yscale("log")
    axes.set_ylabel("discovery, ns a task")
    axes.legend(fontsize=8)


# --- Figure 6.6 ---------------------------------------------------------------------------------------

# The thesis' four by name, and loomp's own.
HASHES = {"loomp": "", "xor-6-2": "hash-xor-6-2", "xor-0-32": "hash-xor-0-32", "div-8": "hash-div-8", "lookup2": "hash-lookup2"}


def lulesh(lab, grain, more="--persistent no", few=4):
    """Options of LULESH as tasks, cut as in the thesis; `few` is the count of steps on few cores."""
    return f"--mode task -s {lab.lulesh_edge()} -i {lab.size(2, few, 16)} -tel {grain} -tnl {grain} --eos loop {more}"


def run_hashes(lab):
    cases = {(grain, name): {"app": "lulesh", "options": lulesh(lab, grain), "setup": "loomp/clang", "library": lab.research(patch),
                             "env": {"LOOMP_STATS": "1"}}
             for grain in lab.size((4,), (64, 128, 192, 256, 384, 512), (256, 512, 1024, 1168, 1520, 2048))
             for name, patch in HASHES.items()}
    return [{"hash": name, "grain": grain, "tasks": int(done["tasks"]), "discovery_s": done["runtime_s"],
             "discovery_us_per_task": 1e6 * done["runtime_s"] / done["tasks"], "time_s": done["time_s"]}
            for (grain, name), done in lab.run_in_turns(cases).items()]


def swing(rows, name):
    """The ratio of the highest to the lowest discovery cost of a task among a hash's grains."""
    values = [row["discovery_us_per_task"] for row in rows if row["hash"] == name]
    return max(values) / min(values)


def compare_hashes(rows):
    return [(f"dearest grain / cheapest, a task, {name}", text, f"{THESIS}, figure 6.6", f"{swing(rows, name):.2f}x")
            for name, text in (("xor-6-2", "peaks at some grains, e.g. 1,168 and 1,520"), ("xor-0-32", "GOMP's"), ("div-8", "Nanos6's, MPC-OMP's"),
                               ("lookup2", "no peaks"), ("loomp", "-"))]


def say_hashes(rows):
    apart = {name: sum(row["discovery_s"] for row in rows if row["hash"] == name) for name in HASHES}
    worst = max(apart, key=apart.get)
    return verdict(apart[worst] > 1.1 * apart["lookup2"],
                   "over all grains, of the discovery with lookup2, " +
                   ", ".join(f"{name} takes {apart[name] / apart['lookup2']:.2f}" for name in HASHES if name != "lookup2"), "some hashes meet strides that they cannot spread",
                   "tables of loomp grow with what is in them and look at neighbours within a cache line, so that the hash decides "
                   "little; those of MPC-OMP had lists of what collides")


# --- Table 6.4 ----------------------------------------------------------------------------------------

# (a), one mark for arrays that are written together, is an option of our lulesh; lists name all,
# like in the thesis.
WITHOUT_A, WITH_A = "--dependences each", "--dependences list"
OPTIMISATIONS = {
    "none": ("keep-duplicate-edges no-redirects", f"--persistent no {WITHOUT_A}"), "(b)": ("no-redirects", f"--persistent no {WITHOUT_A}"),
    "(c)": ("keep-duplicate-edges", f"--persistent no {WITHOUT_A}"), "(b)+(c)": ("", f"--persistent no {WITHOUT_A}"),
    "(a)": ("keep-duplicate-edges no-redirects", f"--persistent no {WITH_A}"), "(a)+(b)": ("no-redirects", f"--persistent no {WITH_A}"),
    "(a)+(c)": ("keep-duplicate-edges", f"--persistent no {WITH_A}"), "(a)+(b)+(c)": ("", f"--persistent no {WITH_A}"),
    "(a)+(b)+(c)+(p)": ("", f"--persistent reexecute {WITH_A}"), "(a)+(b)+(c), by sets": ("", "--persistent no --dependences set"),
    "(a)+(b)+(c), replayed": ("", "--persistent replay --dependences set")}
PUBLISHED_64 = {"none": (56320296, 76.67, 77.48), "(b)": (21926084, 67.53, 71.83),
                "(c)": (30246767, 71.91, 73.19), "(b)+(c)": (24837165, 71.73, 72.95),
                "(a)": (58168382, 71.79, 73.40), "(a)+(b)": (31144779, 66.60, 69.39), "(a)+(c)": (36239253, 56.38, 69.43),
                "(a)+(b)+(c)": (27633254, 55.56, 69.17), "(a)+(b)+(c)+(p)": (19177294, 5.97, 70.80)}


def run_optimisations(lab):
    grain = lab.size(4, 192, 1872)
    cases = {name: {"app": "lulesh", "options": lulesh(lab, grain, how, 10), "setup": "loomp/clang", "library": lab.research(patches),
                    "env": {"LOOMP_STATS": "1"}} for name, (patches, how) in OPTIMISATIONS.items()}
    return [{"optimisations": name, "grain": grain, "tasks": int(done["tasks"]), "edges": int(done["edges"]), "discovery_s": done["runtime_s"],
             "first_to_last_s": done["discovery_s"], "time_s": done["time_s"]} for name, done in lab.run_in_turns(cases).items()]


def compare_optimisations(rows):
    found = []
    for name, (edges, discovery, time) in PUBLISHED_64.items():
        row = next(row for row in rows if row["optimisations"] == name)
        found.append((name, f"{edges:,} edges, {discovery} s of discovery, {time} s", f"{THESIS}, table 6.4",
                      f"{row['edges']:,} edges, {row['discovery_s']:.4f} s of discovery, {row['time_s']:.3f} s"))
    return found


def say_optimisations(rows):
    discovery = {row["optimisations"]: row["discovery_s"] for row in rows}
    edges = {row["optimisations"]: row["edges"] for row in rows}
    gain = discovery["(a)+(b)+(c)"] / discovery["(a)+(b)+(c)+(p)"]
    whole = discovery["(a)+(b)+(c)"] / discovery["none"]

    def left(without, with_it):
        return edges[with_it] / max(1, edges[without])
    return verdict(gain > 2 and left("none", "(a)+(b)+(c)") < 0.7,
                   f"(a), (b) and (c) together leave {left('none', '(a)+(b)+(c)'):.2f} of the edges (published: 0.49) and {whole:.2f} of the "
                   f"time of discovery (0.72), (b) alone {left('none', '(b)'):.2f} of the edges (0.39), and (p) makes discovery {gain:.1f} "
                   "times faster (9.3)",
                   "after (a) there is little for (b) and (c) to do, as our lulesh names what tiles share once and uses no inoutset",
                   "after (a) there is little for (b) and (c) to do, as our lulesh names what tiles share once and uses no inoutset, and few "
                   "iterations share the first one's cost")


def draw_optimisations(rows, figure):
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, column, label in ((left, "discovery_s", "discovery, s"), (right, "time_s", "execution, s")):
        axes.barh([row["optimisations"] for row in rows], [row[column] for row in rows], color="#3b6fb6")
        axes.set_xlabel(label)
    left.invert_yaxis()
    left.tick_params(axis="y", labelsize=8)


# --- Table 6.3 ----------------------------------------------------------------------------------------

PUBLISHED_63 = {("coarse", "concurrent"): (3.5, 1477, 73), ("fine", "concurrent"): (766.6, 1589, 91), ("fine", "first"): (1.2, 1077, 53)}
COUNTERS = ("PAPI_L2_DCM", "PAPI_L3_TCM")


def misses(lab, library, whole, grain):
    """Cache misses and their source: the processor through PAPI, in the recorded run, or valgrind's
    model in a shorter one."""
    columns = whole["kinds"][0] if whole["kinds"] else {}
    if all(columns.get(name) is not None for name in COUNTERS):
        second, third = (sum(kind[name] for kind in whole["kinds"]) for name in COUNTERS)
        return {"nearer_misses": second, "last_misses": third, "counted_by": "PAPI, caches of level 2 and 3"}
    options = f"--mode task -s {lab.size(8, 24, 48)} -i {lab.size(1, 2, 2)} -tel {grain} -tnl {grain} --eos loop --persistent no"
    try:
        found = lab.cache_misses("lulesh", options, "loomp/clang", library)
    except Missing as why:
        lab.remark(f"no misses of caches: {why}")
        return {"nearer_misses": "", "last_misses": "", "counted_by": "nobody"}
    return {"nearer_misses": found["first"], "last_misses": found["last"], "counted_by": "cachegrind, 32 KiB and 1 MiB, a smaller mesh"}


def run_concurrent(lab):
    rows = []
    grains = {"coarse": lab.size(2, 64, 1872), "fine": lab.size(4, 512, 4608)}
    for grain, discovered in PUBLISHED_63:
        library = lab.research("discover-first" if discovered == "first" else "")
        trace = lab.record("lulesh", lulesh(lab, grains[grain]), library=library,
                           more=("--counters", ",".join(COUNTERS)))
        whole = lab.report(trace)
        times = whole["times"][0]
        rows.append({"grain": grain, "discovered": discovered, "tasks_per_loop": grains[grain],
                     "work_s": times["work_s"], "idle_s": times["idle_s"], "overhead_s": times["overhead_s"],
                     "makespan_s": whole["summary"]["makespan_s"], **misses(lab, library, whole, grains[grain])})
    return rows


def compare_concurrent(rows):
    found = [(f"{grain} tasks, discovery {'before' if discovered == 'first' else 'beside'} execution: idle, work",
              f"{idle} s, {work:,} s", f"{THESIS}, table 6.3",
              f"{median_of(rows, 'idle_s', grain=grain, discovered=discovered):.3f} s, "
              f"{median_of(rows, 'work_s', grain=grain, discovered=discovered):.3f} s")
             for (grain, discovered), (idle, work, _) in PUBLISHED_63.items()]
    return found + [(f"misses of the last cache, fine, discovery before execution / beside ({rows[0]['counted_by']})", "0.58x (53 B / 91 B)",
                     f"{THESIS}, table 6.3", share(rows, "last_misses")),
                    ("misses of the cache before, likewise", "0.86x (84 B / 98 B)", f"{THESIS}, table 6.3", share(rows, "nearer_misses"))]


def share(rows, column):
    beside, before = (median_of(rows, column, grain="fine", discovered=when) for when in ("concurrent", "first"))
    return ratio(before, beside) if before else "not counted"


def say_concurrent(rows):
    beside = median_of(rows, "work_s", grain="fine", discovered="concurrent")
    before = median_of(rows, "work_s", grain="fine", discovered="first")
    return verdict(before < 0.95 * beside,
                   f"with fine tasks work takes {before / beside:.2f} of the time when the whole graph is known before "
                   f"(published: 0.68), with {share(rows, 'last_misses')} the misses of the last cache (0.58x)",
                   "known successors let threads go on with data that they have in their caches",
                   "there discovery starved 24 cores, so that depth-first order could not work; here no thread waits for it")


def draw_concurrent(rows, figure):
    axes = figure.subplots()
    names = [f"{row['grain']}, {row['discovered']}" for row in rows]
    bottom = [0.0] * len(rows)
    for part in ("work_s", "overhead_s", "idle_s"):
        axes.bar(names, [row[part] for row in rows], bottom=bottom, label=part[:-2])
        bottom = [b + row[part] for b, row in zip(bottom, rows)]
    axes.set_ylabel("time of threads, s")
    axes.legend(fontsize=8)


# --- METG ---------------------------------------------------------------------------------------------

def run_metg(lab):
    data = lab.benchmark("metg", "--patterns", "trivial" if lab.quick else "stencil_1d", "--threads", lab.threads,
                         "--repeats", lab.reps, "--seconds", 0.01 if lab.quick else 0.05,
                         "--runtimes", "loomp,libomp,libgomp", "--loomp", lab.build / "lib" / "compat")
    return [{"pattern": row["pattern"], "level": row["level"], "runtime": runtime,
             "metg_us": None if ns is None else ns / 1000} for row in data["rows"] for runtime, ns in row["ns"].items()]


def compare_metg(rows):
    return [(f"METG({row['level']}), {row['pattern']}, {row['runtime']}",
             "65 us (LULESH, MPC-OMP)" if row["level"] == 95 else "-", f"{THESIS}, 6.2.3.3",
             "not reached" if row["metg_us"] is None else f"{row['metg_us']:.1f} us") for row in rows]


def say_metg(rows):
    found = {row["runtime"]: row["metg_us"] for row in rows if row["level"] == 95}
    ours = found.get("loomp/clang")
    theirs = found.get("libomp/clang")
    shown = ", ".join(f"{us:.0f} us on {runtime}" if us is not None else f"never on {runtime}" for runtime, us in found.items())
    return verdict(ours is not None and (theirs is None or ours < theirs), f"METG(95) is {shown}")


STUDIES = [
    Study("redundant-dependences", "Irregular dependences: named one by one, tiled, filtered", f"{THESIS}, table 6.2",
          run_redundant, compare_redundant, say_redundant, draw_redundant,
          "A smaller matrix, 27 points on a cube of 20^3, and the creation of tasks alone."),
    Study("hash-functions", "Hash functions of the table of dependences, on LULESH", f"{THESIS}, figure 6.6", run_hashes,
          compare_hashes, say_hashes,
          chart(lines, "grain", "discovery_us_per_task", "hash", xlabel="tasks a loop", ylabel="discovery, us a task"),
          "Patched builds, with the low bits of the named hashes first, as loomp's table looks at the high ones."),
    Study("discovery-optimisations", "Fewer edges and persistent graphs, on LULESH", f"{THESIS}, table 6.4",
          run_optimisations, compare_optimisations, say_optimisations, draw_optimisations,
          "Patched builds. (a): one mark for arrays that are written together; (b): no second edge between two tasks; (c): redirect nodes; (p): persistent graph. Discovery is what it takes "
          "of the creator in the runtime; first_to_last_s in the data is the time between the first creation and the last."),
    Study("concurrent-discovery", "Discovery beside execution, and before it, on LULESH", f"{THESIS}, table 6.3",
          run_concurrent, compare_concurrent, say_concurrent, draw_concurrent,
          "Patched builds, recorded by loomp trace. Misses of caches are PAPI's where the processor counts them; elsewhere valgrind's "
          "cachegrind counts those of a run on a smaller mesh, in a model with 32 KiB and 1 MiB, threads taking turns."),
    Study("metg", "The shortest tasks that are worth it", f"{THESIS}, 6.2.3.3", run_metg, compare_metg, say_metg,
          chart(bars, "what", "metg_us", what=lambda row: f"{row['runtime']} ({row['level']})", ylabel="METG, us")),
]
