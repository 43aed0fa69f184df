"""Scene 3: tiled Cholesky on two ranks with a slow wire between them, in parallel loops and in tasks."""

import json
import os
import subprocess

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
    """The command that starts ranks, either on nodes with a wire between them or on this machine;
    and the reason if there are no nodes."""
    done = subprocess.run([*WIRE, "true"], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return [*WIRE, os.path.join(CLUSTER, "mpirun"), "openmpi", str(RANKS)], ""
    return mpi.launch(RANKS), done.stdout.strip().removeprefix("skipped: ")


def computing(stage, trace, seconds):
    """The share of a recorded run's time in which its threads are in loops or tasks."""
    report = json.loads(stage.call("report", "--json", trace))
    everything = report["run"][0]
    return (everything["worksharing_s"] + everything["tasks_s"]) / (report["summary"]["threads"] * seconds)


def measure(stage, scene, launch, threads):
    """{(form, runtime): seconds of each run} for runs whose factors agree; otherwise a problem of
    the scene."""
    ways = {(form, runtime): [] for form, runtime in (("loops", Runtime("libgomp")), ("loops", stage.ours), ("tasks", stage.ours))}
    first = ""
    for repeat in range(stage.repeats):
        for (form, runtime), found in ways.items():
            stage.progress.step(f"over a wire: {form} on {runtime.name}")
            mode, extra = FORMS[form]
            command = [stage.app("cholesky", "gcc", "openmpi"), *mode.split(), *(QUICK if stage.quick else SIZE).split(),
                       *(["--no-check"] if repeat else [])]
            result = stage.run_ranks(launch, command, runtime, threads, extra=extra)
            checksum = value(result, "checksum")
            # Later runs are compared with the first, which the program checks itself.
            problem = result.problem if repeat else verdict(result)
            first = first or checksum
            if problem or checksum != first:
                scene.problems.append(f"{form} on {runtime.name}: {problem or f'checksum {checksum}, not {first} as before'}")
                return {}
            found.append(float(value(result, "time").split()[0]))
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
    ways = measure(stage, scene, launch, threads)
    if scene.problems:
        return scene
    medians = {way: sorted(found)[len(found) // 2] for way, found in ways.items()}
    traces, shares = {}, {}
    for form, (mode, extra) in FORMS.items():
        stage.progress.step(f"over a wire: recording {form}")
        command = [stage.app("cholesky", "gcc", "openmpi"), *mode.split(), *(QUICK if stage.quick else SIZE).split(), "--no-check"]
        settings = ["env", *(f"{name}={setting}" for name, setting in extra.items())]
        traces[form] = stage.record(f"cholesky-ranks-{form}", command, stage.ours, threads, [*launch, *settings])
        shares[form] = computing(stage, traces[form], medians[form, stage.ours])
    scene.rows = [(form, runtime.name, f"{time:.2f}", f"{100 * shares[form]:.0f}% of the time" if runtime == stage.ours else "")
                  for (form, runtime), time in medians.items()]
    gain = min(time for (form, _), time in medians.items() if form == "loops") / medians["tasks", stage.ours]
    scene.verdict = "the same factor bit for bit; " + (
        f"without a wire ({why}), messages take almost no time, and tasks have no waits to fill" if why else
        f"in tasks {gain:.2f} times as fast as in the faster loops" + (": threads compute while messages travel" if gain > 1 else ""))
    stage.call("export", traces["tasks"], "-o", traces["tasks"] + ".json")
    scene.pictures = [Picture(gantt.draw({"tasks on loomp": gantt.of_tasks(traces["tasks"] + ".json")}), "The tasks on each rank. "
                              "The grey rest is the wait for messages, which is longer in loops (see their recording).", traces)]
    return scene
