"""Scene 4: Debian's GROMACS, unmodified, on libgomp and on loomp, with a box of water that the
scene makes."""

import filecmp
import os
import re
import shutil
import subprocess
import tempfile
from statistics import median

from runtimes import Missing, Runtime, environment, run
from scene import Scene

STEPS = 300
TOPOLOGY = """\
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
Water
[ molecules ]
"""
# Rigid SPC/E water, particle-mesh Ewald, velocities and thermostat with fixed seeds: mdrun uses threads for all of it,
# and nothing may differ from run to run.
PARAMETERS = """\
dt = 0.002
nstenergy = 10
nstxout = 50
nstvout = 50
coulombtype = PME
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 300
gen-vel = yes
gen-seed = 20240229
ld-seed = 20240229
"""
# Edge in nm of the equilibrated box that comes with GROMACS. Only a whole number of copies of it is
# without a seam, where molecules would clash.
COPY = 1.86206


def _prepare(folder, *arguments):
    done = subprocess.run(["gmx", "-quiet", "-nobackup", *arguments], cwd=folder, text=True, errors="replace",
                          env=environment(Runtime("stock"), 1), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"gmx {arguments[0]} failed:\n{done.stdout}")


def make_water_box(folder):
    """A cube of 2 x 2 x 2 copies, 1728 molecules, as the file `run.tpr` in `folder`."""
    for name, text in (("topol.top", TOPOLOGY), ("run.mdp", PARAMETERS)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    size = f"{2 * COPY:.5f}"
    _prepare(folder, "solvate", "-cs", "spc216", "-box", size, size, size, "-o", "box.gro", "-p", "topol.top")
    _prepare(folder, "grompp", "-f", "run.mdp", "-c", "box.gro", "-p", "topol.top", "-o", "run.tpr")
    return os.path.join(folder, "run.tpr")


class Simulation:
    """A reproducible mdrun, with its files in `folder`, which is made; `problem` is empty or says what went wrong."""

    def __init__(self, tpr, folder, runtime, threads, steps, command=("gmx", "-quiet", "mdrun", "-ntmpi", "1")):
        os.mkdir(folder)
        done = run([*command, "-s", tpr, "-ntomp", str(threads), "-reprod", "-nsteps", str(steps), "-noconfout"],
                   runtime, threads, folder)
        speed = re.search(r"^Performance:\s+(\S+)", done.output, re.M)
        self.folder = folder
        self.problem = done.problem or ("" if speed else "no performance line")
        self.ns_per_day = float(speed.group(1)) if speed else 0.0

    def same_results(self, other):
        """True if energies, positions and velocities of both are equal to the last bit."""
        return all(filecmp.cmp(os.path.join(self.folder, name), os.path.join(other.folder, name), shallow=False)
                   for name in ("ener.edr", "traj.trr"))


def play(stage):
    scene = Scene("GROMACS from Debian, unmodified: a box of water",
                  about="The molecular dynamics program as Debian ships it, in parallel loops: loomp is for all of OpenMP, and "
                  "changes no result. ns/day is simulated time a day, so more is better.",
                  head=("runtime", "ns/day"))
    if shutil.which("gmx") is None:
        raise Missing("no gmx (Debian package gromacs)")
    speeds, first = {Runtime("libgomp"): [], stage.ours: []}, None
    with tempfile.TemporaryDirectory(prefix="loomp-gromacs-") as folder:
        stage.progress.step("GROMACS: making the water box")
        tpr = make_water_box(folder)
        for repeat in range(stage.repeats):
            for runtime, found in speeds.items():
                stage.progress.step("GROMACS: mdrun")
                done = Simulation(tpr, os.path.join(folder, f"{runtime.name}-{repeat}"), runtime, stage.threads,
                                  20 if stage.quick else STEPS)
                if done.problem or first and not done.same_results(first):
                    scene.problems.append(f"GROMACS on {runtime.name}: {done.problem or 'other energies or coordinates'}")
                    return scene
                first = first or done
                found.append(done.ns_per_day)
    scene.rows = [(runtime.name, f"{median(found):.2f}") for runtime, found in speeds.items()]
    scene.verdict = "energies and coordinates are identical to the last bit"
    return scene
