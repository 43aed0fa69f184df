"""How messages of LULESH overlap with tasks, by grain: thesis figure 6.13."""

import statistics

from .study import THESIS, Study, best, chart, lines, verdict

GRAPHS = {"made anew": "--persistent no", "re-executed": "--persistent reexecute"}


def run_overlap(lab):
    size = f"-s {lab.size(4, 20, 128)} -i {lab.size(2, 15, 64)} --eos loop"
    rows = []
    for grain in lab.size((2,), (4, 16, 64), (128, 384, 1152, 2176, 4608)):
        for graph, kept in GRAPHS.items():
            found = lab.benchmark("overlap", "--apps", "lulesh", "--presets", "none", "--build", lab.build, "--threads", max(1, lab.threads // 8),
                                  "--reps", lab.reps, "--lulesh", f"{size} -tel {grain} -tnl {grain} {kept}", "--only", "tasks, no preset")["lulesh"]
            runs = found["tasks, no preset"]
            rows.append({"graph": graph, "tasks_per_loop": grain, "makespan_s": lab.middle(run["makespan"] for run in runs) / 1e3,
                         "messages_percent": statistics.median(run["messages"] for run in runs),
                         "sums_percent": statistics.median(run["sums"] for run in runs),
                         "in_flight_s": statistics.median(run["in flight"] for run in runs) / 1e3})
    return rows


def compare_overlap(rows):
    published = {"made anew": "50% on average, without (a), (b), (c) and (p)", "re-executed": "above 80% at each grain"}
    return [(f"overlap of messages, of the time step, {row['tasks_per_loop']} tasks a loop, graph {row['graph']}", published[row["graph"]],
             f"{THESIS}, figure 6.13", f"{row['messages_percent']:.0f}%, {row['sums_percent']:.0f}%") for row in rows]


def say_overlap(rows):
    least = min(row["messages_percent"] for row in rows)
    fastest = best(rows, "makespan_s")
    return verdict(least > 80, f"messages overlap by {least:.0f}% or more at each grain; the fastest run has {fastest['tasks_per_loop']} tasks a loop, "
                   f"graph {fastest['graph']}", "tasks that need no message run meanwhile",
                   "ranks share few processors and have few tasks beside their messages")


STUDIES = [
    Study("overlap-grain", "Overlap of messages by grain, LULESH on 8 ranks", f"{THESIS}, figure 6.13", run_overlap, compare_overlap, say_overlap,
          chart(lines, "tasks_per_loop", "messages_percent", "graph", xlabel="tasks a loop", ylabel="overlap of messages, %"),
          "On the test cluster (bench/overlap): 1 ms, 1 Gbit/s. Ranks share this machine's processors."),
]
