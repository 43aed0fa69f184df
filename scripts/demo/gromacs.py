"""Debian's GROMACS on a water box of our own making."""

import filecmp
import os
import re
import subprocess

from runtimes import Runtime, environment, run

_TOPOLOGY = """\
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"

[ system ]
Water

[ molecules ]
"""

# Rigid SPC/E water, particle-mesh Ewald, velocities and thermostat with fixed seeds: everything that
# mdrun does with threads, and nothing that may differ from run to run.
_PARAMETERS = """\
integrator      = md
dt              = 0.002
nsteps          = 10000
nstcalcenergy   = 10
nstenergy       = 10
nstlog          = 1000
nstxout         = 50
nstvout         = 50
cutoff-scheme   = Verlet
coulombtype     = PME
rlist           = 0.9
rcoulomb        = 0.9
rvdw            = 0.9
tcoupl          = v-rescale
tc-grps         = System
tau-t           = 0.5
ref-t           = 300
gen-vel         = yes
gen-temp        = 300
gen-seed        = 20240229
ld-seed         = 20240229
"""

# What two runs on the same input must have in common, byte for byte.
_RESULTS = ("ener.edr", "traj.trr")


def _prepare(arguments, folder):
    done = subprocess.run(
        ["gmx", "-quiet", "-nobackup", *arguments], cwd=folder, text=True, errors="replace",
        env=environment(Runtime("stock"), 1), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise RuntimeError(f"gmx {arguments[0]} failed:\n{done.stdout}")


# Edge in nm of the equilibrated box that comes with GROMACS. Only a whole number of copies of it is
# without a seam, where molecules would clash.
_COPY = 1.86206


def make_water_box(folder):
    """A cube of 2 x 2 x 2 copies, 1728 molecules, as the file `run.tpr` in `folder`."""
    with open(os.path.join(folder, "topol.top"), "w") as topology:
        topology.write(_TOPOLOGY)
    with open(os.path.join(folder, "run.mdp"), "w") as parameters:
        parameters.write(_PARAMETERS)
    size = f"{2 * _COPY:.5f}"
    _prepare(["solvate", "-cs", "spc216", "-box", size, size, size, "-o", "box.gro",
              "-p", "topol.top"], folder)
    _prepare(["grompp", "-f", "run.mdp", "-c", "box.gro", "-p", "topol.top", "-o", "run.tpr"],
             folder)
    return os.path.join(folder, "run.tpr")


class Simulation:
    """One mdrun; what it left behind, and its speed."""

    def __init__(self, folder, run_result):
        self.folder = folder
        self.problem = run_result.problem
        self.ns_per_day = 0.0
        if self.problem:
            return
        with open(os.path.join(folder, "md.log"), errors="replace") as log:
            text = log.read()
        speed = re.search(r"^Performance:\s+(\S+)", text, re.M)
        if speed:
            self.ns_per_day = float(speed.group(1))
        else:
            self.problem = "no performance line in md.log"

    def same_results(self, other):
        """Whether energies, positions and velocities of both are equal to the last bit."""
        return all(
            filecmp.cmp(os.path.join(self.folder, name), os.path.join(other.folder, name),
                        shallow=False) for name in _RESULTS)


def simulate(tpr, folder, runtime, threads, steps, command=("gmx",), options=("-ntmpi", "1"),
             extra=None):
    """`command mdrun` in `folder` (made here), reproducibly."""
    os.mkdir(folder)
    result = run([*command, "-quiet", "mdrun", "-s", tpr, *options, "-ntomp", str(threads), "-reprod",
                  "-nsteps", str(steps), "-noconfout"], runtime, threads, folder, extra=extra)
    return Simulation(folder, result)


def energies(simulation):
    """The last frame's potential energy in kJ/mol, as text."""
    done = subprocess.run(
        ["gmx", "-quiet", "energy", "-f", "ener.edr", "-o", "potential.xvg", "-xvg", "none"],
        cwd=simulation.folder, input="Potential\n\n", text=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=environment(Runtime("stock"), 1))
    if done.returncode != 0:
        return "unknown"
    with open(os.path.join(simulation.folder, "potential.xvg")) as values:
        return values.read().split()[-1]
