"""The effect of the tasks' grain on an application: thesis figures 6.3, 6.5 and 6.7, A64FX paper
figure 2."""

from .study import A64FX, THESIS, Study, best, chart, lines, verdict

RUNTIMES = ("loomp/clang", "libomp/clang", "libgomp/gcc")


def sweep(lab, app, loops, tasks, grains, more=None):
    """Rows of the parallel loops (grain 0) and of tasks of each grain, on each runtime. `more`: {form: options} that only
    loomp runs."""
    forms = {("loops", 0): loops, **{("tasks", grain): tasks.format(grain=grain) for grain in grains}}
    ours = {(form, grain): options.format(grain=grain) for form, options in (more or {}).items() for grain in grains}
    cases = {(runtime, *form): {"app": app, "options": options, "setup": runtime} for runtime in RUNTIMES if runtime in lab.setups
             for form, options in (forms | (ours if runtime.startswith("loomp") else {})).items()}
    return [{"runtime": runtime, "form": form, "grain": grain, "tasks": int(done.get("tasks", 0)), "time_s": done["time_s"],
             "discovery_s": done["discovery_s"]} for (runtime, form, grain), done in lab.run_in_turns(cases).items()]


def of(rows, runtime, form):
    return [row for row in rows if row["runtime"] == runtime and row["form"] == form]


def gain(rows, runtime, form="tasks"):
    """Loops' time over that of the best tasks; None where not measured."""
    loops, tasks = of(rows, runtime, "loops"), of(rows, runtime, form)
    return best(loops)["time_s"] / best(tasks)["time_s"] if loops and tasks else None


def shown(value):
    return "not measured" if value is None else f"{value:.2f}x"


def draw(what):
    def into(rows, figure):
        tasks = [row for row in rows if row["form"] == "tasks"]
        left, right = figure.subplots(1, 2)
        lines(left, tasks, "grain", "time_s", "runtime")
        for loops in (row for row in rows if row["form"] == "loops"):
            left.axhline(loops["time_s"], linestyle=":", linewidth=1, color="grey")
        left.set(xlabel=what, ylabel="time, s (dotted: parallel loops)")
        lines(right, tasks, "grain", "discovery_s", "runtime")
        right.set(xlabel=what, ylabel="discovery, s")
    return into


REPLAYED, JOINED = "tasks, replayed", "tasks, all loops of a material in one"


def run_lulesh(lab):
    size = f"-s {lab.lulesh_edge()} -i {lab.size(3, 6, 16)}"
    grains = lab.size((2, 4), (4, 16, 64, 192, 512, 1024), (16, 64, 192, 512, 1024, 2048, 4608))
    cut = f"--mode task {size} -tel {{grain}} -tnl {{grain}}"
    return sweep(lab, "lulesh", f"--mode for {size}", f"{cut} --eos loop --persistent no", grains,
                 {REPLAYED: f"{cut} --eos loop --persistent replay", JOINED: f"{cut} --eos tile --persistent no"})


def compare_lulesh(rows):
    published = {"libomp/clang": "1.15x (86 s to 75 s), LLVM 16", "libgomp/gcc": "none, GCC 12",
                 "loomp/clang": "1.25x (86 s to 69 s), MPC-OMP"}
    found = [(f"best tasks over parallel loops, {runtime}", text, f"{THESIS}, figure 6.7, 6.2.2.4",
              shown(gain(rows, runtime))) for runtime, text in published.items()]
    return found + [("best replayed tasks over parallel loops, loomp/clang", "1.56x, with (a), (b), (c) and (p)", f"{THESIS}, figure 6.12",
                     shown(gain(rows, "loomp/clang", REPLAYED))),
                    ("best tasks over parallel loops, loomp/clang, all loops of a material in one task", "-", f"{THESIS}, 6.2",
                     shown(gain(rows, "loomp/clang", JOINED))),
                    ("grain of the best tasks, loomp/clang", "1,872 tasks a loop, of 24 threads", f"{THESIS}, figure 6.8",
                     f"{best(of(rows, 'loomp/clang', 'tasks'))['grain']} tasks a loop")]


def fine_cost(rows, runtime):
    """Time of the finest tasks over that of the best ones."""
    tasks = of(rows, runtime, "tasks")
    return max(tasks, key=lambda row: row["grain"])["time_s"] / best(tasks)["time_s"] if tasks else None


def say_lulesh(rows):
    ours, theirs = gain(rows, "loomp/clang"), gain(rows, "libomp/clang")
    fine = ", ".join(f"{runtime} {fine_cost(rows, runtime):.2f}x" for runtime in RUNTIMES if of(rows, runtime, "tasks"))
    facts = (f"against parallel loops the best tasks are {shown(ours)} on loomp and {shown(theirs)} on libomp; the finest "
             f"ones take, of the best ones' time, {fine}")
    return verdict(ours is not None and ours > 1 and fine_cost(rows, "loomp/clang") > 1, facts,
                   "tasks of a middle grain leave data in caches and no thread at a barrier, and the finest are bound by "
                   "discovery", "tasks do not gain on this machine")


SUMMED = "tasks, dot products in those that make their vectors"


def run_hpccg(lab):
    edge, steps = lab.size(12, 64, 216), lab.size(4, 30, 32)
    size = f"--nx {edge} --ny {edge} --nz {edge} --iterations {steps}"
    return sweep(lab, "hpccg", f"--mode for {size}", f"--mode task {size} --t1 {{grain}} --t2 1 --dependences list",
                 lab.size((2, 8), (2, 4, 16, 64, 256, 1024), (16, 48, 144, 512, 1536)),
                 {SUMMED: f"--mode task {size} --t1 {{grain}} --t2 1 --joined"})


def compare_hpccg(rows):
    return [("best tasks over parallel loops, loomp/clang", "1.1x (34.1 s to 30.6 s at 144 tasks a loop), 32 ranks",
             f"{THESIS}, 6.2.4.3", shown(gain(rows, "loomp/clang"))),
            (f"best {SUMMED}, over parallel loops, loomp/clang", "-", f"{THESIS}, 6.2.4.3", shown(gain(rows, "loomp/clang", SUMMED))),
            ("grain that is best", "the coarsest, as fast as the parallel loops", f"{A64FX}, 4.1",
             f"{best(of(rows, 'loomp/clang', 'tasks'))['grain']} tasks a loop")]


def say_hpccg(rows):
    fine = {runtime: fine_cost(rows, runtime) for runtime in RUNTIMES if of(rows, runtime, "tasks")}
    return verdict(all(value > 1.05 for value in fine.values()),
                   "the finest tasks take " + ", ".join(f"{value:.2f}x of the best ones' time on {runtime}"
                                                        for runtime, value in fine.items()),
                   "coarse tasks are as good as loops, and fine ones cost their management",
                   "the grains measured cost no management yet")


def run_cholesky(lab):
    order = lab.size(256, 2048, 16384)
    return sweep(lab, "cholesky", f"--mode for --n {order} --tile {lab.size(64, 128, 256)}",
                 f"--mode task --n {order} --tile {{grain}}", lab.size((64, 128), (32, 64, 128, 192, 256, 512, 1024),
                                                                        (64, 128, 176, 256, 320, 512, 1024)))


def compare_cholesky(rows):
    return [("best tile", "176 to 320 (n = 16,384, 12 threads)", f"{A64FX}, 4.1",
             ", ".join(f"{best(of(rows, runtime, 'tasks'))['grain']} ({runtime})" for runtime in RUNTIMES
                       if of(rows, runtime, "tasks")))]


def say_cholesky(rows):
    tasks = of(rows, "loomp/clang", "tasks")
    tile, largest, least = best(tasks)["grain"], max(row["grain"] for row in tasks), min(row["grain"] for row in tasks)
    return verdict(least < tile < largest, f"a tile of {tile} is best on loomp",
                   "larger ones leave too little to do at a time, smaller ones make the kernels slower",
                   "the least or the largest of those measured, so that the matrix is too small for this")


# --- More iterations: A64FX paper, figure 6 -----------------------------------------------------------


def run_iterations(lab):
    edge, counts, rows = lab.size(6, 24, 50), lab.size((2, 4), (20, 40, 80, 160, 320), (20, 40, 80, 160, 320)), []
    for runtime in RUNTIMES:
        if runtime not in lab.setups:
            continue
        for steps in counts:
            done = lab.run("lulesh", f"--mode task -s {edge} -i {steps} -tel 12 -tnl 12 --persistent no", runtime)
            rows.append({"runtime": runtime, "iterations": steps, "tasks": int(done["tasks"]), "time_s": done["time_s"],
                         "ms_per_iteration": 1e3 * done["time_s"] / steps})
    return rows


def growth(rows, runtime):
    """An iteration's time with the most iterations over that with the fewest: 1 if time grows linearly."""
    mine = [row for row in rows if row["runtime"] == runtime]
    return mine[-1]["ms_per_iteration"] / mine[0]["ms_per_iteration"] if mine else None


def compare_iterations(rows):
    return [(f"an iteration of the longest run over one of the shortest, {runtime}", text, f"{A64FX}, figure 6", shown(growth(rows, runtime)))
            for runtime, text in (("loomp/clang", "1, linear (MPC-OMP)"), ("libomp/clang", "1, linear (KMP)"),
                                  ("libgomp/gcc", "grows, quadratic (GOMP 13)"))]


def say_iterations(rows):
    found = {runtime: growth(rows, runtime) for runtime in RUNTIMES if growth(rows, runtime)}
    return verdict(found.get("libgomp/gcc", 0) > 1.5 > found.get("loomp/clang", 9),
                   "an iteration of the longest run takes " + ", ".join(f"{value:.2f}x ({runtime})" for runtime, value in found.items()) +
                   " of one of the shortest", "libgomp makes edges that others imply, more with each iteration",
                   "on libgomp as well time grows with the iterations and no faster: our lulesh names each tile once, and the paper's "
                   "named many that others imply")


STUDIES = [
    Study("grain-lulesh", "LULESH: grain of tasks, execution and discovery", f"{THESIS}, figures 6.5 and 6.7; {A64FX}, figure 2",
          run_lulesh, compare_lulesh, say_lulesh, draw("tasks a loop (-tel = -tnl)")),
    Study("grain-hpccg", "HPCCG: grain of tasks, execution and discovery", f"{THESIS}, figure 6.3; {A64FX}, figure 2",
          run_hpccg, compare_hpccg, say_hpccg, draw("tasks a loop (T1)")),
    Study("grain-cholesky", "Cholesky: size of tiles", f"{A64FX}, figure 2", run_cholesky, compare_cholesky, say_cholesky,
          draw("tile")),
    Study("iterations", "LULESH: more iterations, 12 tasks a loop", f"{A64FX}, figure 6", run_iterations, compare_iterations,
          say_iterations, chart(lines, "iterations", "time_s", "runtime", False, xlabel="iterations", ylabel="time, s")),
]
