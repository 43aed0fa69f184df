"""Scene 1: programs of fine tasks, each one binary, on the runtime of their compiler and on loomp."""

import json
from statistics import median

import gantt
from runtimes import Runtime, run
from scene import Picture, Scene
from stage import STOCK, value, verdict

# The programs use standard OpenMP only: their use of loomp's extensions is off.
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
EVIDENCE = {"history": "residuals as the serial solver's", "residual": "residual small", "as LULESH": "energy as LULESH's"}


def measure(stage, scene, name, arguments, kind, checksums):
    """Adds the row of a program by a compiler, and returns how many times as fast it is on loomp;
    if a result is wrong, a problem and None."""
    times, shown, tasks = {Runtime(STOCK[kind]): [], stage.ours: []}, "", 0
    for _ in range(stage.repeats):
        for runtime, found in times.items():
            stage.progress.step(f"fine tasks: {name}, {kind}")
            result = run([stage.app(name, kind), *arguments.split()], runtime, stage.threads)
            checksum = value(result, "checksum")
            problem = verdict(result)
            if not problem and checksums.setdefault(name, checksum) != checksum:
                problem = f"checksum {checksum}, not {checksums[name]} as before"
            if problem:
                scene.problems.append(f"{name} by {kind} on {runtime.name}: {problem}")
                return None
            found.append(float(value(result, "time").split()[0]))
            tasks = int(value(result, "tasks").split()[0].replace(",", ""))
            shown = next((text for key, text in EVIDENCE.items() if value(result, key).startswith("ok")), "own checks")
    stock, ours = map(median, times.values())
    each = [f"{1e6 * stage.threads * seconds / tasks:.1f}" for seconds in (stock, ours)]
    scene.rows.append((name, STOCK[kind], f"{stock:.3f}", f"{ours:.3f}", f"{stock / ours:.2f}", *each, shown))
    return stock / ours


def record(stage, scene):
    """Adds the picture of one program over time on libomp and on loomp, at one scale."""
    command, traces = [stage.app("cholesky", "clang"), *RECORDED.split()], {}
    scene.notes = ["", "where the threads' time goes from the first task of cholesky to the last, by loomp report:"]
    for runtime in (Runtime("libomp"), stage.ours):
        stage.progress.step("fine tasks: recording cholesky")
        # The median of three recordings, because another program may have disturbed a single one.
        times = {}
        for number in range(1 if stage.quick else 3):
            folder = stage.record(f"cholesky-{runtime.name}-{number}", command, runtime, stage.threads)
            times[folder] = json.loads(stage.call("report", "--json", folder))["times"][0]
        folder = sorted(times, key=lambda of: times[of]["total_s"])[len(times) // 2]
        stage.call("export", folder, "-o", folder + ".json")
        traces[f"on {runtime.name}"] = folder
        shares = [f"{100 * times[folder][f'{name}_s'] / times[folder]['total_s']:.0f}% {name}" for name in ("work", "overhead", "idle")]
        scene.notes.append(f"  on {runtime.name}: {', '.join(shares)}")
    svg = gantt.draw({title: gantt.of_tasks(folder + ".json") for title, folder in traces.items()})
    scene.pictures = [Picture(svg, "Tiled Cholesky in tasks of a few microseconds, one binary, at one scale. The stronger the "
                              "colour, the more of the time is work; what stays grey is the runtime's work or idle time.", traces)]


def play(stage):
    scene = Scene("Fine tasks: unmodified programs, on the stock runtimes and on loomp",
                  about="Three solvers cut into tasks of a few microseconds, where the time to create and start a task "
                  "decides. Each is compiled once with gcc and once with clang, and run on the compiler's own runtime and on "
                  "loomp. The time a task is that of all threads: the task's own work is in it.",
                  head=("program", "stock", "stock, s", "loomp, s", "speed-up", "stock, us a task",
                        "loomp, us a task", "checked"))
    stage.make_apps(PROGRAMS)
    checksums = {}
    gains = [measure(stage, scene, name, arguments, kind, checksums)
             for name, arguments in (QUICK if stage.quick else PROGRAMS).items() for kind in STOCK]
    if not scene.problems:
        scene.verdict = (f"same binaries, same results bit for bit; {min(gains):.1f} to "
                         f"{max(gains):.1f} times as fast on loomp, {stage.threads} threads")
        record(stage, scene)
    return scene
