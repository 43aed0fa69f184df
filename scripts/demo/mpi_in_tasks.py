"""Scene 2: blocking MPI calls in tasks, on two ranks with one thread each."""

import os
import re
import subprocess

from runtimes import Runtime
from scene import Scene
from stage import HERE, STOCK, BuildFailed, named

LIMIT_S = 5


def compile_exchange(kind, program):
    flags = subprocess.run(["pkg-config", "--cflags", "ompi-c"], text=True, check=True,
                           stdout=subprocess.PIPE).stdout.split()
    libraries = subprocess.run(["pkg-config", "--libs", "ompi-c"], text=True, check=True,
                               stdout=subprocess.PIPE).stdout.split()
    # clang told of -fopenmp when it links asks for libomp.so, which only its development package has.
    runtime = ["-fopenmp"] if kind == "gcc" else [named("libomp")]
    source = os.path.join(HERE, "programs/exchange.c")
    for command in ([named(kind), "-O1", "-g", "-fopenmp", *flags, "-c", source, "-o", program + ".o"],
                    [named(kind), program + ".o", "-o", program, *libraries, *runtime]):
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise BuildFailed(f"{' '.join(command)} failed:\n{done.stdout}")


def sums(result):
    return [figure for _, figure in sorted(re.findall(r"^rank (\d): sum (\d+)$", result.output, re.M))]


def play(stage):
    scene = Scene("Blocking MPI calls in tasks: 2 ranks, 1 thread each",
                  about="Each rank creates tasks that receive before the tasks that send. A runtime that lets a blocking "
                  "call keep the only thread never comes to the sends; on loomp the waiting task leaves the thread.",
                  head=("compiler", "runtime", "outcome"))
    stage.need_open_mpi()
    folder = os.path.join(stage.out, "exchange")
    os.makedirs(folder, exist_ok=True)
    for kind in STOCK:
        program = os.path.join(folder, f"exchange-{kind}")
        stage.progress.step(f"MPI in tasks: {kind}")
        compile_exchange(kind, program)
        stock = stage.run_ranks(2, [program], Runtime(STOCK[kind]), 1,
                                limit=1 if stage.quick else LIMIT_S)
        ours = stage.run_ranks(2, [program], stage.ours, 1, limit=60)
        hangs = stock.problem.startswith("not finished")
        scene.rows.append((kind, STOCK[kind], "hangs: " + stock.problem if hangs else
                           stock.problem or "ends, sums " + " and ".join(sums(stock))))
        if ours.problem:
            scene.problems.append(f"exchange by {kind} on loomp: {ours.problem}")
        elif sums(ours) != ["8000", "4000"]:
            scene.problems.append(f"exchange by {kind} on loomp: sums {sums(ours)}, not 8000 and 4000")
        scene.rows.append((kind, "loomp", ours.problem or
                           f"ends in {ours.seconds:.1f} s, sums " + " and ".join(sums(ours))))
    if not scene.problems:
        scene.verdict = ("the stock runtimes hang, " if hangs else "") + (
            "loomp ends: a task that waits leaves its thread")
        scene.notes = explain(stage, os.path.join(folder, "exchange-gcc"))
    return scene


def explain(stage, program):
    """What held up the stock runtimes, by loomp: its trace of the run that ended, played again with calls
    that hold their threads."""
    trace = stage.record("exchange", [program], stage.ours, 1, ranks=2)
    done = subprocess.run([stage.loomp, "simulate", "--blocking-mpi", trace], text=True,
                          capture_output=True)
    lines = [line.removeprefix("loomp: simulate:").strip() for line in done.stderr.splitlines()]
    waits = [line for line in lines if line.startswith("rank")]
    return ["", "what hangs, by loomp simulate --blocking-mpi:"] + ["  " + line for line in waits]
