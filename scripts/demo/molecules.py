"""Scene 4: Debian's GROMACS, unmodified, on libgomp and on loomp."""

import os
import shutil
import tempfile

import gromacs
from runtimes import Runtime
from scene import Missing, Scene

STEPS = 300


def play(stage):
    scene = Scene("GROMACS from Debian, unmodified: a box of water",
                  about="The molecular dynamics program as Debian ships it, in parallel loops: loomp is for all of OpenMP, and "
                  "changes no result. ns/day is simulated time a day, so more is better.",
                  head=("runtime", "ns/day", "energies and coordinates"))
    if shutil.which("gmx") is None:
        raise Missing("no gmx (Debian package gromacs)")
    with tempfile.TemporaryDirectory(prefix="loomp-gromacs-") as folder:
        stage.progress.step("GROMACS: making the water box")
        simulate(stage, gromacs.make_water_box(folder), folder, scene)
    return scene


def simulate(stage, tpr, folder, scene):
    runtimes = (Runtime("libgomp"), stage.ours)
    speeds = {runtime.name: [] for runtime in runtimes}
    first = None
    for repeat in range(stage.repeats):
        for runtime in runtimes:
            stage.progress.step("GROMACS: mdrun")
            done = gromacs.simulate(tpr, os.path.join(folder, f"{runtime.name}-{repeat}"), runtime,
                                    stage.threads, 20 if stage.quick else STEPS)
            if done.problem:
                scene.problems.append(f"GROMACS on {runtime.name}: {done.problem}")
                continue
            speeds[runtime.name].append(done.ns_per_day)
            if first is None:
                first = done
            elif not done.same_results(first):
                scene.problems.append(
                    f"GROMACS on {runtime.name}: {gromacs.energies(done)} kJ/mol, not "
                    f"{gromacs.energies(first)} as before, or other coordinates")
    energy = gromacs.energies(first) if first else "unknown"
    for runtime in runtimes:
        of = stage.median(speeds[runtime.name])
        scene.rows.append((runtime.name, f"{of:.2f}" if of else "-",
                           "see above" if scene.problems else f"identical, {energy} kJ/mol"))
    scene.figures["ns_per_day"] = speeds
    if not scene.problems:
        scene.verdict = "energies and coordinates are identical to the last bit"
