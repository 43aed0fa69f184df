"""Scene 3: tiled Cholesky on two ranks with a slow wire between them, in parallel loops and in tasks."""

import os
import subprocess
from collections import defaultdict

import gantt
from runtimes import ROOT, Runtime
from scene import Picture, Scene
from stage import mpi, value, verdict

RANKS = 2
CLUSTER = os.path.join(ROOT, "bench/cluster")
WIRE = [os.path.join(CLUSTER, "run"), "--latency", "1000", "--rate", "1000"]
SIZE = "--n 4096 --tile 128"
QUICK = "--n 512 --tile 64"
# MA-2: the tasks that lead to a message run early (docs/mpi.md).
FORMS = {"loops": ("--mode for", {}), "tasks": ("--mode task --priority-sends", {"LOOMP_PRIORITY_PRESET": "ma-2"})}


def launcher():
    """The command that starts ranks: on nodes with a wire between them, or on this machine, and the reason why there are none."""
    done = subprocess.run([*WIRE, "true"], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return [*WIRE, os.path.join(CLUSTER, "mpirun"), "openmpi", str(RANKS)], ""
    return mpi.launch(RANKS), done.stdout.strip().removeprefix("skipped: ")


def read_timeline(path):
    """The kernels of each thread, as gantt.draw() takes them, and the share of the threads' time that they take."""
    threads, work, possible = defaultdict(list), 0.0, 0.0
    for rank in range(RANKS):
        with open(f"{path}.{rank}", encoding="utf-8") as lines:
            for kind, *fields in (line.rstrip("\n").split("\t") for line in lines):
                if kind == "run":
                    possible += int(fields[2]) * (float(fields[4]) - float(fields[3]))
                elif kind == "work":
                    begin, end = float(fields[1]), float(fields[2])
                    work += end - begin
                    threads[rank, int(fields[0])].append((1e6 * begin, 1e6 * end, fields[3]))
    return gantt.from_first(threads), work / possible


def measure(stage, scene, launch, threads):
    """{(form, runtime): {seconds: timeline}} of runs whose factors agree; if one does not, a problem of the scene."""
    ways = {(form, runtime): {} for form, runtime in (("loops", Runtime("libgomp")), ("loops", stage.ours), ("tasks", stage.ours))}
    timeline, first = os.path.join(stage.out, "timeline"), ""
    for repeat in range(stage.repeats):
        for (form, runtime), found in ways.items():
            stage.progress.step(f"over a wire: {form} on {runtime.name}")
            mode, extra = FORMS[form]
            command = [stage.app("cholesky", "gcc", "openmpi"), *mode.split(), *(QUICK if stage.quick else SIZE).split(),
                       "--timeline", timeline, *(["--no-check"] if repeat else [])]
            result = stage.run_ranks(launch, command, runtime, threads, extra=extra)
            checksum = value(result, "checksum")
            # Later runs are compared with the first, which the program checks itself.
            problem = result.problem if repeat else verdict(result)
            first = first or checksum
            if problem or checksum != first:
                scene.problems.append(f"{form} on {runtime.name}: {problem or f'checksum {checksum}, not {first} as before'}")
                return {}
            found[float(value(result, "time").split()[0])] = read_timeline(timeline)
    return ways


def play(stage):
    stage.need_open_mpi()
    stage.make_apps(["cholesky"], ["gcc"], "openmpi")
    launch, why = launcher()
    scene = Scene(f"Cholesky on {RANKS} ranks " + ("of this machine" if why else "over a wire of 1 ms and 1 Gbit/s") +
                  ": tasks with MPI calls in them, and parallel loops",
                  about="Two ranks factor a matrix. In parallel loops they exchange tiles between the loops; as dependent tasks, each "
                  "tile is sent by a task as soon as it is done, and received by another. All runs must have the same factor.",
                  head=("form", "runtime", "time, s", "threads compute"))
    threads = max(1, stage.threads // RANKS)
    ways, shown, times = measure(stage, scene, launch, threads), {}, {}
    if scene.problems:
        return scene
    for (form, runtime), found in ways.items():
        time = sorted(found)[len(found) // 2]
        drawn, share = found[time]
        shown[f"{form} on {runtime.name}"], times[form] = drawn, min(time, times.get(form, time))
        scene.rows.append((form, runtime.name, f"{time:.2f}", f"{100 * share:.0f}% of the time"))
    gain = times["loops"] / times["tasks"]
    scene.verdict = "the same factor bit for bit; " + (
        f"without a wire ({why}), messages take almost no time, and tasks have no waits to fill" if why else
        f"in tasks {gain:.2f} times as fast as in the faster loops" + (": threads compute while messages travel" if gain > 1 else ""))
    stage.progress.step("over a wire: recording tasks")
    mode, _ = FORMS["tasks"]
    trace = stage.record("cholesky-ranks", [stage.app("cholesky", "gcc", "openmpi"), *mode.split(), *QUICK.split(), "--no-check"],
                         stage.ours, threads, launch)
    scene.pictures = [Picture(gantt.draw(shown), "The kernels on each rank at one scale. What stays grey is the wait for "
                              "messages.", {"a smaller matrix in tasks": trace})]
    return scene
