"""Ranks and threads: thesis figure 5.6, table 6.5 and section 6.2.4, A64FX paper figures 3 to 5."""

import statistics

from .study import A64FX, THESIS, Missing, Study, chart, lines, median_of, ratio, verdict

# --- Ranks times threads ------------------------------------------------------------------------------

APPS = {"cholesky": ("--n {0} --tile {1}", ((256, 64), (2048, 128), (16384, 256))),
        "hpccg": ("--nx {0} --ny {0} --nz {0} --t1 {1} --iterations 20", ((12, 4), (64, 16), (216, 48)))}


def run_ranks_threads(lab):
    rows, ranks = [], 1
    while ranks <= lab.threads:
        threads = lab.threads // ranks
        for app, (options, sizes) in APPS.items():
            for form in ("for", "task"):
                seconds = lab.run_ranks(app, f"--mode {form} " + options.format(*lab.size(*sizes)), ranks, threads)
                rows.append({"app": app, "form": form, "ranks": ranks, "threads": threads, "time_s": seconds})
        ranks *= 2
    return rows


def spread(rows, app, form):
    mine = [row for row in rows if row["app"] == app and row["form"] == form]
    least = min(mine, key=lambda row: row["time_s"])
    return f"{least['ranks']} x {least['threads']}, the worst {max(row['time_s'] for row in mine) / least['time_s']:.2f}x"


def compare_ranks_threads(rows):
    return [(f"best ranks x threads, {app}, {form}", "4 x 12 and 2 x 24; 1 x 48 is worst", f"{A64FX}, figure 4, 5.1",
             spread(rows, app, form)) for app in APPS for form in ("for", "task")]


def say_ranks_threads(rows):
    one = {(row["app"], row["form"]): row["time_s"] for row in rows if row["ranks"] == 1}
    most = max(row["ranks"] for row in rows)
    shares = {app: median_of(rows, "time_s", app=app, form="task", ranks=most) / one[app, "task"] for app in APPS}
    return verdict(any(share < 1 for share in shares.values()),
                   "as tasks, " + ", ".join(f"{app} on {most} ranks takes {share:.2f} of its time on 1 rank" for app, share in
                                            shares.items()),
                   "a rank for each group of processors that share memory is best",
                   "published, one rank across four memory groups is worst; here all processors are of one, and ranks only add messages")


# --- Strong scaling over threads ----------------------------------------------------------------------


def run_threads(lab):
    rows = []
    edge, order = lab.size(12, 64, 216), lab.size(256, 2048, 16384)
    for app, options in (("cholesky", f"--mode task --n {order} --tile {lab.size(64, 128, 256)}"),
                         ("hpccg", f"--mode task --nx {edge} --ny {edge} --nz {edge} --t1 {lab.size(8, 64, 96)} --iterations 20"),
                         ("lulesh", f"--mode task -s {lab.lulesh_edge()} -i {lab.size(2, 4, 16)} -tel 96 -tnl 96 --persistent no")):
        if lab.quick:
            options = options.replace("96", "4")
        trace = lab.record(app, options)
        counts = sorted({1, lab.threads, *(n for n in (2, 4, 8, 12, 24, 48) if n <= lab.threads)})
        for threads in counts:
            rows.append({"app": app, "threads": threads, "how": "measured",
                         "time_s": lab.run(app, options, "loomp/clang", threads=threads)["time_s"]})
        for threads in (1, 2, 4, 8, 12, 24, 48):
            rows.append({"app": app, "threads": threads, "how": "simulated",
                         "time_s": lab.simulate(trace, "-t", threads)})
    for row in rows:
        alone = median_of(rows, "time_s", app=row["app"], how=row["how"], threads=1)
        row["efficiency"] = alone / row["threads"] / row["time_s"]
    return rows


def at(rows, app, threads, how="simulated"):
    value = median_of(rows, "efficiency", app=app, threads=threads, how=how)
    return "not measured" if value is None else f"{100 * value:.0f}% ({how})"


def compare_threads(rows):
    most = max(row["threads"] for row in rows if row["how"] == "measured")
    return [(f"{app}: efficiency on {threads} threads", text, f"{A64FX}, figure 3, 4.2", at(rows, app, threads, how))
            for app, text in (("cholesky", "above 90% (MPC-OMP), above 60% (others), to 48"),
                              ("hpccg", "degrades linearly to 38 cores, then faster"), ("lulesh", "degrades linearly to 48"))
            for threads, how in ((most, "measured"), (12, "simulated"), (48, "simulated"))]


def say_threads(rows):
    far = {app: median_of(rows, "efficiency", app=app, threads=48, how="simulated") for app in ("cholesky", "hpccg", "lulesh")}
    return verdict(all(value < 1 for value in far.values()),
                   "efficiency falls with the threads, to " + ", ".join(f"{100 * value:.0f}% ({app})" for app, value in far.items()) +
                   " on 48", "what is parallel, and how fast tasks are created, bounds them; sizes on few cores are small and end sooner, "
                   "and the simulation knows nothing of shared memory")


# --- LULESH 264^3 -------------------------------------------------------------------------------------

WHOLE, PART = 264, 88  # edges of the mesh, and of what each of 27 ranks has of it
PUBLISHED_STEPS, PUBLISHED_EDGE = 1024, 256
PUBLISHED_S = {"loops": 3926, "tasks": 2065}  # -s 256 -i 1024 on 16 threads a rank, 8 ranks


def run_264(lab):
    """The whole mesh if memory holds it, else one rank's part of it, beyond these processors simulated."""
    fits = lab.largest_lulesh() >= WHOLE
    edge, steps = (lab.size(8, WHOLE, WHOLE) if fits else lab.size(8, PART, PART)), lab.size(2, 4, 16)
    ways = {0: f"--mode for -s {edge} -i {steps}"}
    for grain in lab.size((4,), (64, 256, 1024), (256, 1024, 4096)):
        ways[grain] = f"--mode task -s {edge} -i {steps} -tel {grain} -tnl {grain} --eos loop --persistent no"
    # The ways alternate, so that a slow minute of the machine affects all of them.
    samples = {grain: [] for grain in ways}
    for _ in range(lab.reps):
        for grain, options in ways.items():
            samples[grain].append(lab.run("lulesh", options, "loomp/clang", reps=1)["time_s"])
    rows = []
    for grain, options in ways.items():
        form = {"edge": edge, "form": "tasks" if grain else "loops", "tasks_per_loop": grain}
        rows.append({**form, "threads": lab.threads, "how": "measured", "time_s": lab.middle(samples[grain])})
        if grain:
            trace = lab.record("lulesh", options)
            rows += [{**form, "threads": threads, "how": "simulated", "time_s": lab.simulate(trace, "-t", threads)}
                     for threads in (1, 2, 4, 8, 16, 24)]
    for row in rows:
        row["ns_per_element_step"] = 1e9 * row["time_s"] / row["edge"] ** 3 / steps
    return rows


def best_264(rows, **wanted):
    return min(row["ns_per_element_step"] for row in rows if all(row[key] == value for key, value in wanted.items()))


def compare_264(rows):
    here = max(row["threads"] for row in rows if row["how"] == "measured")
    published = {form: 1e9 * seconds / PUBLISHED_EDGE ** 3 / PUBLISHED_STEPS for form, seconds in PUBLISHED_S.items()}
    return [("tasks on 16 threads, an element and step", f"{published['tasks']:.0f} ns", f"{THESIS}, table 6.5, 8 ranks of 256^3",
             f"{best_264(rows, form='tasks', how='simulated', threads=16):.0f} ns (simulated)"),
            ("parallel loops over the best tasks", f"{published['loops'] / published['tasks']:.2f}x on 16 threads",
             f"{THESIS}, table 6.5, 8 ranks of 256^3",
             ratio(best_264(rows, form="loops"), best_264(rows, form="tasks", how="measured")) + f" on {here} (measured)")]


def say_264(rows):
    gain = best_264(rows, form="loops") / best_264(rows, form="tasks", how="measured")
    far = best_264(rows, form="tasks", how="simulated", threads=1) / best_264(rows, form="tasks", how="simulated", threads=16)
    edge = rows[0]["edge"]
    what = ("all of 264^3 was run" if edge == WHOLE else f"memory does not hold 264^3 (24 GiB): {edge}^3 was run, "
            "what one of 27 ranks has of it")
    return verdict(gain > 1, f"{what}; parallel loops take {gain:.2f} of the best tasks' time, and tasks are {far:.1f} times as fast on 16 "
                   "threads by simulation", "tasks leave data in caches, as published; the simulation knows of no memory that is "
                   "shared, and of no messages", "two threads do not use up the memory's bandwidth, which tasks save")


# --- Scaling over ranks -------------------------------------------------------------------------------


def scaled(lab, app, ranks, kind):
    """An application's options for weak or strong scaling; a rank's tasks keep their count or their
    length."""
    edge = {"lulesh": lab.size(4, 8, 64), "hpccg": lab.size(8, 32, 128)}[app]
    steps = lab.size(2, 8, 64)
    if app == "lulesh":
        side = round(ranks ** (1 / 3))
        size = edge if kind == "weak" else max(2, 2 * edge // side)
        tiles = 4 if kind == "weak" else max(1, 8 // side)
        return f"--mode task -s {size} -i {steps} -tel {tiles} -tnl {tiles} -rpf 1 -rpe 1 --persistent no"
    depth = edge * ranks // 2 if kind == "weak" else 4 * edge
    return f"--mode task --nx {edge} --ny {edge} --nz {depth} --t1 8 --t2 1 --iterations {steps}"


CONTINUED = {"weak": (32, 128, 512), "strong": (16, 32, 128)}  # of HPCCG, to what no machine here has


def run_scaling(lab):
    rows = []
    for app, counts in (("lulesh", lab.size((1, 8), (1, 8, 27), (1, 8, 27, 64))),
                        ("hpccg", lab.size((1, 3), (1, 2, 4, 8), (1, 2, 4, 8, 16, 32)))):
        for kind in ("weak", "strong"):
            for ranks in counts:
                trace = lab.record(app, scaled(lab, app, ranks, kind), threads=1, ranks=ranks, more=("--cpu-time",))
                whole = lab.report(trace)
                rows.append({"app": app, "kind": kind, "ranks": ranks, "how": "a processor a rank",
                             "time_s": lab.simulate(trace), "recorded_s": whole["summary"]["makespan_s"]})
            # Ranks of LULESH do not form a line.
            for more in CONTINUED[kind] if app == "hpccg" else ():
                if more > ranks:
                    rows.append({"app": app, "kind": kind, "ranks": more, "how": f"continued from {ranks} ranks",
                                 "time_s": lab.simulate(trace, "--ranks", more, "--scaling", kind), "recorded_s": ""})
    for row in rows:
        alone = median_of(rows, "time_s", app=row["app"], kind=row["kind"], ranks=1)
        row["efficiency"] = alone / row["time_s"] / (row["ranks"] if row["kind"] == "strong" else 1)
    return rows


def kept(rows, app, kind, ranks, since=1):
    """Efficiency on this many ranks against that on `since`; None if there is no such row."""
    last, first = (median_of(rows, "efficiency", app=app, kind=kind, ranks=of) for of in (ranks, since))
    return last / first if last and first else None


def shown(rows, app, kind, ranks, since=1):
    share = kept(rows, app, kind, ranks, since)
    return "not simulated" if share is None else f"{100 * share:.0f}% ({since} to {ranks} ranks, simulated)"


def most_ranks(rows, app, kind):
    return max(row["ranks"] for row in rows if row["app"] == app and row["kind"] == kind)


def compare_scaling(rows):
    far = most_ranks(rows, "lulesh", "weak")
    return [("LULESH, weak, tasks", "99% (2,065 s on 8 ranks, 2,089 s on 1,000)", f"{THESIS}, table 6.5",
             shown(rows, "lulesh", "weak", far, 8)),
            ("LULESH, strong, tasks", "98% on 27 ranks (2,065 s on 8, 627 s), 57% on 1,000", f"{THESIS}, table 6.5",
             shown(rows, "lulesh", "strong", far, 8)),
            *((f"HPCCG, weak, tasks, {ranks} ranks", "above 80% to 128 ranks" if ranks <= 128 else "-", f"{A64FX}, figure 5, 5.2",
               shown(rows, "hpccg", "weak", ranks)) for ranks in (8, 128, 512)),
            *((f"HPCCG, strong, tasks, {ranks} ranks", "above 80% to 8 ranks, then degrading", f"{A64FX}, figure 5, 5.2",
               shown(rows, "hpccg", "strong", ranks)) for ranks in (8, 128))]


def say_scaling(rows):
    most = {kind: most_ranks(rows, "hpccg", kind) for kind in CONTINUED}
    weak, strong = (kept(rows, "hpccg", kind, most[kind]) for kind in ("weak", "strong"))
    first = min(row["ranks"] for row in rows if row["app"] == "hpccg" and row["ranks"] > 1)
    beyond = kept(rows, "hpccg", "weak", most["weak"], max((row["ranks"] for row in rows if row["app"] == "hpccg" and
                                                            row["how"] == "a processor a rank"), default=first))
    return verdict(weak > strong, f"HPCCG keeps {100 * weak:.0f}% weakly on {most['weak']} ranks and {100 * strong:.0f}% strongly on "
                   f"{most['strong']}, by simulation; of what its largest recorded run has, it keeps {100 * beyond:.0f}% weakly",
                   "in strong scaling tasks become too fine for what they cost; ranks shared the processors while they were recorded, "
                   "so that creation and waits look dearer than on processors of their own",
                   "ranks shared the processors while they were recorded, and waits look dearer than they would be")


# --- Messages in the graph ----------------------------------------------------------------------------

FORMS = {"parallel loops": "--mode for", "tasks, taskwait around messages": "--mode task --messages between",
         "tasks, messages in the graph": "--mode task --persistent no"}
ON_WIRE = {"bulk-synchronous": "parallel loops", "tasks, messages between": "tasks, taskwait around messages",
           "tasks, no preset": "tasks, messages in the graph"}
WIRE = "a wire of 1 ms, 1 Gbit/s"
PUBLISHED_TASKWAIT = 131.0 / 121.9


def run_integration(lab):
    lab.need_open_mpi()
    size = f"-s {lab.size(4, 20, 128)} -i {lab.size(2, 30, 64)} --eos loop"
    tiles = "-tel {0} -tnl {0}".format(lab.size(2, 8, 256))
    threads = max(1, lab.threads // 8)
    samples = {form: [] for form in FORMS}
    for _ in range(lab.reps):
        for form, options in FORMS.items():
            samples[form].append(lab.run_ranks("lulesh", f"{size} {options}" + (f" {tiles}" if "task" in options else ""), 8, threads,
                                               reps=1))
    rows = [{"between": "this machine's memory", "form": form, "time_s": lab.middle(times), "overlap_percent": ""}
            for form, times in samples.items()]
    try:
        data = lab.benchmark("overlap", "--apps", "lulesh", "--presets", "none", "--build", lab.build, "--threads", threads,
                             "--reps", lab.reps, "--lulesh", f"{size} {tiles}")["lulesh"]
    except Missing as why:
        lab.remark(f"{WIRE}: {why}")
        return rows
    return rows + [{"between": WIRE, "form": form, "time_s": lab.middle(run["makespan"] for run in data[way]) / 1e3,
                    "overlap_percent": "" if form == "parallel loops" else statistics.median(run["messages"] for run in data[way])}
                   for way, form in ON_WIRE.items()]


def of_taskwait(rows, between):
    """The run's time with a taskwait around messages, relative to that without."""
    waiting, within = (median_of(rows, "time_s", between=between, form=form) for form in list(FORMS)[1:])
    return waiting / within


def places(rows):
    return list(dict.fromkeys(row["between"] for row in rows))


def compare_integration(rows):
    found = [(f"time with taskwait around messages / without, 8 ranks, {between}", f"{PUBLISHED_TASKWAIT:.2f}x (131.0 s / 121.9 s)",
              f"{THESIS}, 6.2.4.1", f"{of_taskwait(rows, between):.2f}x") for between in places(rows)]
    return found + [(f"overlap of messages, in the graph, {row['between']}", "above 80%", f"{THESIS}, 6.2.4.1",
                     f"{row['overlap_percent']:.0f}%") for row in rows
                    if row["form"] == "tasks, messages in the graph" and row["overlap_percent"] != ""]


def say_integration(rows):
    gains = {between: of_taskwait(rows, between) for between in places(rows)}
    return verdict(max(gains.values()) > 1.02,
                   "a taskwait around messages costs " + " and ".join(f"{gain:.2f}x over {between}" for between, gain in gains.items()) +
                   f" (published: {PUBLISHED_TASKWAIT:.2f}x)",
                   "tasks that do not need the messages run meanwhile; where there is no latency to hide, a task for each message is what "
                   "remains of the difference",
                   "8 ranks share the processors, so another rank computes while one waits, and a task for each message costs more than "
                   "it hides")


def draw_integration(rows, figure):
    which = places(rows)
    for axes, between in zip(figure.subplots(1, len(which), squeeze=False)[0], which):
        mine = [row for row in rows if row["between"] == between]
        axes.barh([row["form"].replace(", ", ",\n") for row in mine], [row["time_s"] for row in mine], color="#3b6fb6")
        axes.invert_yaxis()
        axes.set(title=between, xlabel="time, s", xlim=(0, None))
        axes.tick_params(axis="y", labelsize=8)


# --- Progression --------------------------------------------------------------------------------------


def run_progression(lab):
    lab.need_open_mpi()
    rows = []
    for bound in ("infinite", "1000us", "50us"):
        data = lab.benchmark("mpi-latency", "--only", "wakeup", "--libraries", "openmpi", "--quick", "--loomp", lab.build,
                             "--threads", lab.threads, "--env", f"LOOMP_PROGRESS_BOUND={bound}")
        for found in data:
            ways = {"between tasks" if bound == "infinite" else f"between tasks, helper after {bound}": found["task"]}
            if bound == "infinite":
                ways["detach clause, polling thread, libomp"] = found["detach"]
            for way, samples in ways.items():
                ordered = sorted(samples or [])
                rows.append({"way": way, "tasks_us": found["busy_us"],
                             "median_us": ordered[len(ordered) // 2] / 1e3 if ordered else None,
                             "p99_us": ordered[int(0.99 * (len(ordered) - 1))] / 1e3 if ordered else None})
    return rows


def compare_progression(rows):
    return [("a polling thread (MPI_Detach) over polling between tasks, median of waiting, tasks of "
             f"{tasks} us", "much slower with MPC-OMP, no difference with LLVM (times of whole runs, figure only)",
             f"{A64FX}, figures 4 and 5", ratio(median_of(rows, "median_us", way="detach clause, polling thread, libomp", tasks_us=tasks),
                                                median_of(rows, "median_us", way="between tasks", tasks_us=tasks)))
            for tasks in dict.fromkeys(row["tasks_us"] for row in rows)]


def say_progression(rows):
    tasks = rows[0]["tasks_us"]
    own = median_of(rows, "median_us", way="between tasks", tasks_us=tasks)
    thread = median_of(rows, "median_us", way="detach clause, polling thread, libomp", tasks_us=tasks)
    if own is None or thread is None:
        return "Not measured: one of the ways failed"
    return verdict(thread > own, f"with tasks of {tasks} us beside it, a task goes on {own:.0f} us after its message was sent when threads poll "
                   f"between tasks, and {thread:.0f} us after with a thread that polls (medians)",
                   "that thread competes for the processors of the tasks", "threads poll between tasks only, and tasks are long")


def draw_progression(rows, figure):
    axes = figure.subplots()
    names = [f"{row['way']}\n{row['tasks_us']} us" for row in rows]
    axes.barh(names, [row["p99_us"] or 0 for row in rows], color="#c9c9c9", label="99th percentile")
    axes.barh(names, [row["median_us"] or 0 for row in rows], color="#3b6fb6", label="median")
    axes.set_xscale("log")
    axes.set_xlabel("from a message's sending to the task that waits for it, us")
    axes.tick_params(axis="y", labelsize=7)
    axes.legend(fontsize=8)


STUDIES = [
    Study("ranks-threads", "Ranks times threads on one machine, Cholesky and HPCCG", f"{A64FX}, figure 4; {THESIS}, figure 5.6",
          run_ranks_threads, compare_ranks_threads, say_ranks_threads,
          chart(lines, "ranks", "time_s", "form", apps=APPS, xlabel="ranks (ranks x threads: all processors)", ylabel="time, s")),
    Study("scaling-threads", "Strong scaling over threads", f"{A64FX}, figure 3", run_threads, compare_threads, say_threads,
          chart(lines, "threads", "efficiency", "what", what=lambda row: f"{row['app']}, {row['how']}", xlabel="threads",
                ylabel="efficiency"),
          "Beyond this machine's processors by loomp simulate, from one recorded run: no machine here has them."),
    Study("lulesh-264", "LULESH 264^3", f"{THESIS}, table 6.5", run_264, compare_264, say_264,
          chart(lines, "threads", "ns_per_element_step", "what", what=lambda row: f"{row['tasks_per_loop']} tasks a loop",
                only=lambda row: row["how"] == "simulated", xlabel="threads (simulated)", ylabel="ns an element and step"),
          "If memory does not hold the mesh, it is one rank's part over 27 ranks. loomp simulate computed the threads."),
    Study("scaling-ranks", "Weak and strong scaling over ranks, LULESH and HPCCG", f"{THESIS}, table 6.5; {A64FX}, figure 5",
          run_scaling, compare_scaling, say_scaling,
          chart(lines, "ranks", "efficiency", "kind", apps=("lulesh", "hpccg"), xlabel="ranks (simulated)", ylabel="efficiency"),
          "All of it by loomp simulate, from runs whose ranks shared this machine (--cpu-time): no machine here has the processors. "
          "If the data say so, HPCCG's largest run is continued to hundreds of ranks (--ranks N --scaling): its ranks are alike in a "
          "line, and LULESH's are not. Parallel loops cannot be simulated."),
    Study("integration", "MPI in the task graph, or taskwait around it, LULESH on 8 ranks", f"{THESIS}, 6.2.4.1", run_integration,
          compare_integration, say_integration, draw_integration,
          "Over this machine's memory, and on the test cluster (bench/overlap). On fewer processors than ranks work takes longer by the "
          "clock, so there is more to overlap messages with."),
    Study("progression", "How messages are progressed", f"{A64FX}, 3.2, figures 4 and 5", run_progression, compare_progression,
          say_progression, draw_progression),
]
