"""Scene 1: programs of fine tasks, each one binary, on the runtime of their compiler and on loomp."""

import re

import gantt
from runtimes import Runtime, run
from scene import Picture, Scene
from stage import STOCK, value, verdict

# Standard OpenMP only: what they do with loomp's extensions elsewhere is off.
PROGRAMS = {
    "cholesky": "--mode task --n 1024 --tile 32 --repeat 4",
    "hpccg": "--mode task --nx 32 --ny 32 --nz 32 --t1 128 --iterations 100 --dependences list",
    "lulesh": "--mode task -s 15 -tel 32 -tnl 32 --persistent no",
}
QUICK = {
    "cholesky": "--mode task --n 256 --tile 32",
    "hpccg": "--mode task --nx 12 --ny 12 --nz 12 --t1 16 --iterations 10 --dependences list",
    "lulesh": "--mode task -s 5 -tel 8 -tnl 8 --persistent no",
}
RECORDED = "--mode task --n 1024 --tile 32 --no-check"


def evidence(result):
    """What a run was checked by."""
    found = re.findall(r"^(history|residual|as LULESH):\s+ok", result.output, re.M)
    return {"history": "residuals as the serial solver's", "residual": "residual small",
            "as LULESH": "energy as LULESH's"}.get(found[0] if found else "", "own checks")


def measure(stage, name, arguments, kind, checksums):
    """A row of the table, and its problems."""
    runtimes = (Runtime(STOCK[kind]), stage.ours)
    times = {runtime.name: [] for runtime in runtimes}
    problems, shown, tasks = [], "", 0
    for _ in range(stage.repeats):
        for runtime in runtimes:
            stage.progress.step(f"fine tasks: {name}, {kind}")
            result = run([stage.app(name, kind), *arguments.split()], runtime, stage.threads)
            wrong = verdict(result)
            if not wrong:
                checksum = value(result, "checksum")
                first = checksums.setdefault(name, checksum)
                wrong = "" if checksum == first else f"checksum {checksum}, not {first} as before"
            if wrong:
                problems.append(f"{name} by {kind} on {runtime.name}: {wrong}")
                continue
            times[runtime.name].append(float(value(result, "time").split()[0]))
            tasks = int(value(result, "tasks").split()[0].replace(",", ""))
            shown = evidence(result)
    stock, ours = (stage.median(each) for each in times.values())
    row = {"program": name, "compiler": kind, "stock": STOCK[kind], "tasks": tasks,
           "stock_s": stock, "loomp_s": ours, "detail": problems[0] if problems else shown}
    return row, problems


def text(row, threads):
    stock, ours = row["stock_s"], row["loomp_s"]
    if stock is None or ours is None:
        return (row["program"], row["stock"], "-", "-", "-", "-", "-", "NO: " + row["detail"])

    def each(seconds):
        return f"{1e6 * threads * seconds / row['tasks']:.1f}" if row["tasks"] else "-"

    return (row["program"], row["stock"], f"{stock:.3f}", f"{ours:.3f}", f"{stock / ours:.2f}",
            each(stock), each(ours), row["detail"])


def picture(stage):
    """The same program over time on libomp and on loomp, at one scale."""
    command = [stage.app("cholesky", "clang"), *RECORDED.split()]
    traces = {}
    for title, runtime in (("libomp", Runtime("libomp")), ("loomp", stage.ours)):
        stage.progress.step("fine tasks: recording cholesky")
        # Of three recordings the one in the middle: one alone may have met another program's work.
        folders = [stage.record(f"cholesky-{title}-{number}", command, runtime, stage.threads)
                   for number in range(1 if stage.quick else 3)]
        folders.sort(key=lambda folder: stage.report(folder)["summary"]["makespan_s"])
        traces[f"on {title}"] = folders[len(folders) // 2]
    threads = [gantt.of_tasks(stage.export(folder)) for folder in traces.values()]
    reports = {title: stage.report(folder) for title, folder in traces.items()}
    svg = gantt.draw(dict(zip(traces, threads)))
    first = Picture(svg, "Tiled Cholesky in tasks of a few microseconds, one binary, at one scale. "
                    "The stronger the colour, the more of the time is work; what stays grey is the "
                    "runtime's work or idle time.", traces)
    bars = Picture(gantt.draw_shares({title: times(report) for title, report in reports.items()}),
                   "Where the threads' time went, by loomp report: from the first task to the last.",
                   {})
    return [first, bars], {title: dict(times(report)) for title, report in reports.items()}


def times(report):
    whole = report["times"][0]
    return [(name, whole[f"{name}_s"]) for name in ("work", "overhead", "idle")]


def play(stage):
    scene = Scene("Fine tasks: unmodified programs, on the stock runtimes and on loomp",
                  about="Three solvers cut into tasks of a few microseconds, where the time to create and start a task "
                  "decides. Each is compiled once with gcc and once with clang, and run on the compiler's own runtime and on "
                  "loomp. The time a task is that of all threads: the task's own work is in it.",
                  head=("program", "stock", "stock, s", "loomp, s", "speed-up", "stock, us a task",
                        "loomp, us a task", "checked"))
    stage.make_apps()
    checksums, rows = {}, []
    for name, arguments in (QUICK if stage.quick else PROGRAMS).items():
        for kind in STOCK:
            row, problems = measure(stage, name, arguments, kind, checksums)
            rows.append(row)
            scene.rows.append(text(row, stage.threads))
            scene.problems += problems
    scene.figures["programs"] = rows
    gains = [row["stock_s"] / row["loomp_s"] for row in rows if row["stock_s"] and row["loomp_s"]]
    if gains:
        scene.verdict = (f"same binaries, same results bit for bit; {min(gains):.1f} to "
                         f"{max(gains):.1f} times as fast on loomp, {stage.threads} threads")
    scene.pictures, scene.figures["recorded"] = picture(stage)
    return scene
