"""Scene 2: blocking MPI calls in tasks, on two ranks with one thread each."""

import os
import re
import subprocess

from runtimes import Runtime, newest
from scene import Scene
from stage import STOCK, mpi

LIMIT_S = 5
SUMS = ["8000", "4000"]


def compile_exchange(kind, program):
    # If clang gets -fopenmp at the link, it needs libomp.so, which only its development package
    # has.
    runtime = "-fopenmp" if kind == "gcc" else newest("libomp")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "exchange.c")
    for words in (["-O1", "-g", "-fopenmp", "-c", source, "-o", program + ".o"],
                  [program + ".o", "-o", program, runtime]):
        done = subprocess.run(["mpicc.openmpi", *words], text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env={**os.environ, "OMPI_CC": newest(kind)})
        if done.returncode != 0:
            raise RuntimeError(f"mpicc.openmpi {' '.join(words)} failed:\n{done.stdout}")


def sums(result):
    return [figure for _, figure in sorted(re.findall(r"^rank (\d): sum (\d+)$", result.output, re.M))]


def play(stage):
    scene = Scene("Blocking MPI calls in tasks: 2 ranks, 1 thread each",
                  about="Each rank creates tasks that receive before the tasks that send. A runtime that lets a blocking "
                  "call keep the only thread never comes to the sends; on loomp the waiting task leaves the thread.",
                  head=("compiler", "runtime", "outcome"))
    stage.need_open_mpi()
    hangs = False
    for kind in STOCK:
        program = os.path.join(stage.out, f"exchange-{kind}")
        stage.progress.step(f"MPI in tasks: {kind}")
        compile_exchange(kind, program)
        limits = {Runtime(STOCK[kind]): 1 if stage.quick else LIMIT_S, stage.ours: 60}
        for runtime, limit in limits.items():
            done = stage.run_ranks(mpi.launch(2), [program], runtime, 1, limit=limit)
            ends = done.problem or f"ends, sums {' and '.join(sums(done))}"
            if runtime is stage.ours and (done.problem or sums(done) != SUMS):
                scene.problems.append(f"exchange by {kind} on loomp: {ends}, not sums {' and '.join(SUMS)}")
            elif done.problem.startswith("not finished"):
                hangs, ends = True, "hangs: " + done.problem
            scene.rows.append((kind, runtime.name, ends))
    if not scene.problems:
        scene.verdict = ("the stock runtimes hang, " if hangs else "") + "loomp ends: a task that waits leaves its thread"
        # Simulates loomp's trace of the completed run with calls that hold their threads.
        trace = stage.record("exchange", [program], stage.ours, 1, mpi.launch(2))
        done = subprocess.run([stage.loomp, "simulate", "--blocking-mpi", trace], text=True, capture_output=True, check=False)
        waits = re.findall(r"^loomp: simulate:\s+(rank .*)$", done.stderr, re.M)
        scene.notes = ["", "what hangs, by loomp simulate --blocking-mpi:", *("  " + line for line in waits)]
    return scene
