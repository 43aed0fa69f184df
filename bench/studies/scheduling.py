"""Throttling, priorities, persistence and the inflation of work: thesis sections 5.2.2, 5.2.3, 5.2.4, 6.2.2 and 6.2.3.2."""

from .discovery import lulesh
from .study import A64FX, THESIS, Study, bars, chart, lines, median_of, ratio, verdict

# --- Throttling ---------------------------------------------------------------------------------------


def limits(lab):
    return {"64 a thread, as GCC": 64 * lab.threads, "256, as LLVM": 256, "10,000": 10000, "none": 0}


def run_throttling(lab):
    grain, set_to = lab.size(4, 192, 1872), limits(lab)
    cases = {name: {"app": "lulesh", "options": lulesh(lab, grain), "setup": "loomp/clang", "env": {"LOOMP_MAX_TASKS": str(limit)}}
             for name, limit in set_to.items()}
    return [{"limit": name, "tasks": set_to[name], "time_s": done["time_s"], "discovery_s": done["discovery_s"]}
            for name, done in lab.run_in_turns(cases).items()]


def compare_throttling(rows):
    free = median_of(rows, "time_s", limit="none")
    return [(f"time with a limit of {row['limit']} over none", "GCC, whose limit is fixed, gains nothing by tasks; MPC-OMP, "
             "whose limit is 10,000,000, gains 1.25x", f"{THESIS}, 5.2.2, 6.2.1", ratio(row["time_s"], free))
            for row in rows if row["limit"] != "none"]


def say_throttling(rows):
    free = median_of(rows, "time_s", limit="none")
    first = rows[0]
    return verdict(first["time_s"] > 1.05 * free,
                   f"with a limit of {first['limit']} the run takes {first['time_s'] / free:.2f} of the time without",
                   "a limit hides the graph from the scheduler",
                   "so many tasks are enough for so few threads; loomp counts all unfinished tasks, and a creator that waits runs others")


# --- Persistence --------------------------------------------------------------------------------------


def run_persistence(lab):
    data = lab.benchmark("persistent", "--threads", lab.threads, "--reps", lab.reps, "--runtimes", "loomp,libomp,libgomp",
                         "--loomp", lab.build / "lib" / "compat", "--shape", lab.size("8 8 5 50", "64 64 40 500", "256 64 40 500"))
    return data["rows"]


def compare_persistence(rows):
    ours = [row for row in rows if row["runtime"] == "loomp/clang"]
    first = median_of(ours, "first_ns", way="re-execute")
    return [("first iteration / a later one, re-executed", "34x", f"{THESIS}, 6.2.3.3 (LULESH)",
             ratio(first, median_of(ours, "later_ns", way="re-execute"), "{:.0f}x")),
            ("the same, anew / re-executed", "5x", f"{THESIS}, 6.2.4.4 (Cholesky)",
             ratio(median_of(ours, "later_ns", way="anew"), median_of(ours, "later_ns", way="re-execute"), "{:.0f}x")),
            ("whole time with a barrier / anew", "1.02x (70.80 s / 69.17 s)", f"{THESIS}, table 6.4 (LULESH)",
             ratio(median_of(ours, "whole_ns", way="re-execute"), median_of(ours, "whole_ns", way="anew"))),
            ("whole time without a barrier / with", "future work", f"{THESIS}, 6.3",
             ratio(median_of(ours, "whole_ns", way="re-execute, no barrier"), median_of(ours, "whole_ns", way="re-execute")))]


def say_persistence(rows):
    ours = [row for row in rows if row["runtime"] == "loomp/clang"]
    gain = median_of(ours, "first_ns", way="re-execute") / median_of(ours, "later_ns", way="re-execute")
    barrier = median_of(ours, "whole_ns", way="re-execute") / median_of(ours, "whole_ns", way="re-execute, no barrier")
    return verdict(gain > 5, f"a later iteration is discovered {gain:.0f} times faster than the first one, and with a barrier the whole "
                   f"takes {barrier:.2f} of the time without", "only private data are made anew, not tasks and edges",
                   "the first iteration costs little itself")


# --- Priorities, table 5.1 ----------------------------------------------------------------------------

MANY = "OMP_MAX_TASK_PRIORITY=2147483647"


def run_priorities(lab):
    rows = []
    # libomp does not finish with priorities.
    for mode, runtimes, more in (("no-priority", "loomp,libomp,libgomp", ()), ("with-priority", "loomp,libgomp", ("--env", MANY))):
        data = lab.benchmark("run", "--cases", "^priorities/", "--threads", lab.threads, "--reps", lab.reps, "--quick",
                             "--runtimes", runtimes, "--loomp", lab.build / "lib" / "compat", *more)
        rows += [{"mode": mode, "runtime": runtime, "ns_per_task": figure["ns"]}
                 for row in data["rows"] for runtime, figure in row["figures"].items()]
    return rows


def slowdown(rows, runtime):
    return ratio(median_of(rows, "ns_per_task", mode="with-priority", runtime=runtime),
                 median_of(rows, "ns_per_task", mode="no-priority", runtime=runtime))


def compare_priorities(rows):
    plain = {runtime: median_of(rows, "ns_per_task", mode="no-priority", runtime=runtime)
             for runtime in ("loomp/clang", "loomp/gcc", "libomp/clang", "libgomp/gcc")}
    return [("with priorities / without, loomp/clang", "2.64x (33.57 s / 12.70 s), MPC-OMP", f"{THESIS}, table 5.1",
             slowdown(rows, "loomp/clang")),
            ("with priorities / without, libgomp/gcc", "0.98x (3.93 s / 3.99 s)", f"{THESIS}, table 5.1",
             slowdown(rows, "libgomp/gcc")),
            ("without, loomp / libomp", "1.79x (12.70 s / 7.10 s), MPC-OMP", f"{THESIS}, table 5.1",
             ratio(plain["loomp/clang"], plain["libomp/clang"])),
            ("without, loomp / libgomp", "3.18x (12.70 s / 3.99 s), MPC-OMP", f"{THESIS}, table 5.1",
             ratio(plain["loomp/gcc"], plain["libgomp/gcc"]))]


def say_priorities(rows):
    ours = (median_of(rows, "ns_per_task", mode="with-priority", runtime="loomp/clang") /
            median_of(rows, "ns_per_task", mode="no-priority", runtime="loomp/clang"))
    return verdict(ours > 1.05, f"random priorities cost loomp {ours:.2f}x and libgomp {slowdown(rows, 'libgomp/gcc')}, where MPC-OMP pays "
                   "2.64x and GCC nothing", "every task must be put in order; a loomp task is created at a fraction of the cost of MPC-OMP's "
                   "to begin with", "queues are short here, as tasks run soon")


# --- Early sends, table 5.3 ---------------------------------------------------------------------------

PUBLISHED_53 = {"tasks, no preset": (28.05, 7.67), "tasks, SA": (27.04, 5.71), "tasks, FA": (27.25, 6.62)}


def run_early_sends(lab):
    data = lab.benchmark("overlap", "--apps", "cholesky", "hpccg", "--build", lab.build,
                         "--reps", 1 if lab.quick else min(lab.reps, 3), "--threads", max(1, lab.threads // 2),
                         "--cholesky", f"--n {lab.size(512, 2048, 16384)} --tile {lab.size(128, 128, 512)}",
                         "--hpccg", f"--nx {lab.size(16, 48, 216)} --ny {lab.size(16, 48, 216)} --nz {lab.size(16, 48, 216)} "
                         f"--t1 16 --t2 2 --iterations {lab.size(4, 15, 128)}")
    figures = data["cholesky"]["tasks, no preset"][0]
    # Runs without tasks have a makespan only.
    return [{"app": app, "way": way, **{key.replace(" ", "_"): sorted(run[key] for run in runs)[len(runs) // 2] if key in runs[0] else ""
                                        for key in figures}} for app, ways in data.items() for way, runs in ways.items()]


def compare_early_sends(rows):
    found = []
    base_make, base_idle = PUBLISHED_53["tasks, no preset"]
    for way in ("tasks, SA", "tasks, FA"):
        make, idle = PUBLISHED_53[way]
        found.append((f"Cholesky, {way} over no preset: makespan, idle", f"{make / base_make:.2f}x, {idle / base_idle:.2f}x",
                      f"{THESIS}, table 5.3",
                      ", ".join(ratio(median_of(rows, key, app="cholesky", way=way),
                                      median_of(rows, key, app="cholesky", way="tasks, no preset")) for key in ("makespan", "idle"))))
    found.append(("HPCCG, overlap of communication", "at most 23%", f"{THESIS}, 6.2.4.3",
                  f"{median_of(rows, 'messages', app='hpccg', way='tasks, no preset'):.0f}% of messages"))
    return found


def say_early_sends(rows):
    none, sa, fa = (median_of(rows, "idle", app="cholesky", way=way) for way in ("tasks, no preset", "tasks, SA", "tasks, FA"))
    bulk = median_of(rows, "makespan", app="cholesky", way="bulk-synchronous")
    tasks = median_of(rows, "makespan", app="cholesky", way="tasks, no preset")
    return verdict(min(sa, fa) < none, f"idle time of Cholesky is {sa / none:.2f} (SA) and {fa / none:.2f} (FA) of that without priorities, "
                   f"and tasks take {tasks / bulk:.2f} of the bulk-synchronous form's time, on two ranks with a wire of 1 ms between "
                   "them", "sends that others wait for, and what leads to them, come first",
                   "with two ranks and few tiles depth-first order sends early by itself, as the thesis saw on LULESH (6.2.4.1)")


# --- Inflation of work --------------------------------------------------------------------------------


def run_inflation(lab):
    rows = []
    for threads in sorted({1, lab.threads}):
        for grain in lab.size((2, 4), (4, 16, 64, 192, 512), (48, 192, 512, 1024, 1872, 4608)):
            times = lab.report(lab.record("lulesh", lulesh(lab, grain), threads=threads))["times"][0]
            rows.append({"threads": threads, "grain": grain, "work_s": times["work_s"], "idle_s": times["idle_s"],
                         "overhead_s": times["overhead_s"]})
    for row in rows:
        row["inflation"] = row["work_s"] / min(other["work_s"] for other in rows)
    return rows


def compare_inflation(rows):
    most = max(row["threads"] for row in rows)
    mine = [row["inflation"] for row in rows if row["threads"] == most]
    return [(f"work at the dearest grain over that at the cheapest, {most} threads", "1.4x, falling to 1.1x with finer tasks",
             f"{THESIS}, figure 6.8 (d)", f"{max(mine) / min(mine):.2f}x"),
            (f"work on {most} threads over work on 1, finest tasks", "inflates slightly with threads", f"{A64FX}, 4.2",
             ratio(rows[-1]["work_s"], median_of(rows, "work_s", threads=1, grain=rows[-1]["grain"])))]


def say_inflation(rows):
    most = [row for row in rows if row["threads"] == max(row["threads"] for row in rows)]
    finest = most[-1]
    cheapest = min(most, key=lambda row: row["work_s"])
    return verdict(cheapest not in (most[0], finest), f"on {finest['threads']} threads work is shortest with {cheapest['grain']} tasks a loop; with "
                   f"{most[0]['grain']} it takes {most[0]['work_s'] / cheapest['work_s']:.2f} times that, with {finest['grain']} "
                   f"{finest['work_s'] / cheapest['work_s']:.2f} times", "finer tasks keep data in caches, until the graph is not known "
                   "far enough ahead", "what one thread or two take from memory does not slow the other")


STUDIES = [
    Study("work-inflation", "LULESH: how long the same work takes, by grain and threads", f"{THESIS}, figure 6.8 (d); {A64FX}, 4.2",
          run_inflation, compare_inflation, say_inflation,
          chart(lines, "grain", "inflation", "threads", xlabel="tasks a loop", ylabel="work over the shortest"),
          "Recorded by loomp trace, one run each."),
    Study("throttling", "Limits on unfinished tasks, on LULESH", f"{THESIS}, 5.2.2", run_throttling, compare_throttling,
          say_throttling, chart(bars, "limit", "time_s", ylabel="time, s")),
    Study("persistence", "Persistent graphs with a barrier between iterations and without", f"{THESIS}, 6.2.3.2, 6.3",
          run_persistence, compare_persistence, say_persistence,
          chart(bars, "what", "whole_ns", what=lambda row: f"{row['runtime'].split('/')[0]}, {row['way']}",
                only=lambda row: row["runtime"].endswith("clang"), ylabel="whole time, ns a task"),
          "A 1D stencil of fine tasks (bench/persistent)."),
    Study("priorities", "Random priorities: a million tasks from every thread", f"{THESIS}, table 5.1", run_priorities,
          compare_priorities, say_priorities,
          chart(bars, "what", "ns_per_task", what=lambda row: f"{row['runtime']}, {row['mode']}", ylabel="ns a task"),
          "100,000 tasks a call; libomp does not end with priorities."),
    Study("early-sends", "Strategies for early sends, Cholesky and HPCCG over a wire", f"{THESIS}, tables 5.2 and 5.3, figure 6.15",
          run_early_sends, compare_early_sends, say_early_sends,
          chart(bars, "way", "makespan", apps=("cholesky", "hpccg"), ylabel="makespan, ms"),
          "2 ranks on the test cluster (bench/overlap): 1 ms, 1 Gbit/s."),
]
