"""Scene 3: LULESH over 8 ranks, in tasks and in parallel loops."""

import gantt
from runtimes import Runtime
from scene import Picture, Scene
from stage import value, verdict

RANKS = 8
RECORDED_STEPS = 20
SIZE = 10  # elements along an edge of each rank's cube; the program knows LULESH's energies for 5 and 10
TILES = "-tel 4 -tnl 4 -rpf 1 -rpe 1"
FORMS = {"loops": "--mode for", "tasks": "--mode task " + TILES}


def row(stage, form, runtime, size, threads, results):
    times, problem, shown = [], "", ""
    for _ in range(1 if stage.quick else min(2, stage.repeats)):
        stage.progress.step(f"LULESH: {form} on {runtime.name}")
        command = [stage.app("lulesh", "gcc", "openmpi"), "-s", str(size), *FORMS[form].split()]
        result = stage.run_ranks(RANKS, command, runtime, threads)
        wrong = verdict(result)
        checksum = value(result, "checksum")
        if not wrong and results.setdefault("checksum", checksum) != checksum:
            wrong = f"checksum {checksum}, not {results['checksum']} as before"
        if wrong:
            problem = problem or f"LULESH in {form} on {runtime.name}: {wrong}"
            continue
        times.append(float(value(result, "time").split()[0]))
        shown = value(result, "Final Origin Energy")
    return {"form": form, "runtime": runtime.name, "s": stage.median(times),
            "energy": shown, "problem": problem}


def recorded(stage, size, threads):
    """Reports and traces of both forms over a few steps."""
    reports, traces = {}, {}
    for form, options in FORMS.items():
        stage.progress.step(f"LULESH: recording {form}")
        # A graph that is replayed has no labels of tasks after its first step.
        named = ["--persistent", "reexecute"] if form == "tasks" else []
        command = [stage.app("lulesh", "gcc", "openmpi"), "-s", str(size), "-i", str(RECORDED_STEPS), *options.split(), *named]
        traces[form] = stage.record(f"lulesh-{form}", command, stage.ours, threads, RANKS)
        reports[form] = stage.report(traces[form])
    return reports, traces


def waits(report):
    """Seconds in MPI calls of all ranks, without start and end, and those of them that hold threads."""
    rows = [row for row in report["mpi"] if row["name"] not in ("MPI_Init_thread", "MPI_Finalize")]
    return sum(row["time_s"] for row in rows), sum(row["on_thread_s"] for row in rows)


def overlap(report):
    """Of the time that messages and collectives take, the share in which their rank computes."""
    rows = report["communication"]
    whole = sum(row["in_flight_s"] + row["collectives_in_flight_s"] for row in rows)
    covered = sum((row["in_flight_s"] + row["collectives_in_flight_s"]) * (row["overall_overlap"] or 0)
                  for row in rows)
    return covered / whole if whole else 0


def play(stage):
    scene = Scene(f"LULESH over {RANKS} ranks: tasks with MPI calls in them against parallel loops",
                  about="LULESH, a blast wave on a mesh, as parallel loops with messages between them, and as tasks that "
                  "send and receive where the data are ready. All forms must come to the same energy.",
                  head=("form", "runtime", "time, s", "origin energy"))
    stage.need_open_mpi()
    stage.make_apps()
    size, threads, results, rows = 5 if stage.quick else SIZE, max(1, stage.threads // RANKS), {}, []
    for form, runtime in (("loops", Runtime("libgomp")), ("tasks", Runtime("libgomp")),
                          ("loops", stage.ours), ("tasks", stage.ours)):
        done = row(stage, form, runtime, size, threads, results)
        rows.append(done)
        scene.rows.append((form, runtime.name, f"{done['s']:.2f}" if done["s"] else "-",
                           "NO: " + done["problem"] if done["problem"] else done["energy"]))
        if done["problem"]:
            scene.problems.append(done["problem"])
    scene.figures["runs"] = rows
    if not scene.problems:
        scene.verdict = (f"energy as LULESH's own in every form, bit for bit the same; {size}^3 elements "
                         f"and {threads} thread{'s' if threads > 1 else ''} a rank")
        if RANKS > stage.threads:
            scene.notes.append(f"{RANKS} ranks share {stage.threads} processors: times say what the forms "
                               "cost, not what overlap gains")
    reports, traces = recorded(stage, size, threads)
    for form, report in reports.items():
        inside, held = waits(report)
        scene.figures[form] = {"in_mpi_s": inside, "holding_s": held, "overlap": overlap(report)}
        scene.notes.append(f"{form}, {RECORDED_STEPS} steps: {inside:.2f} s in MPI calls, which hold threads "
                           f"for {held:.2f} s; {100 * overlap(report):.0f}% of communication overlapped")
    scene.pictures = [Picture(
        gantt.draw({"tasks on loomp": gantt.of_tasks(stage.export(traces["tasks"]))}, "rank"),
        f"The tasks of {RECORDED_STEPS} steps on each rank, the six kinds that take longest and the others; grey "
        "is where the rank waits, or another rank has the processor.",
        {f"{form} on loomp": trace for form, trace in traces.items()})]
    return scene
