"""Real programs, unmodified: their results on loomp match those on their own runtime.

Debian's own programs, and what Debian's other compilers make: clang 14 and 22, gfortran, flang.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "scripts/demo"))

import gromacs
from runtimes import Missing, Runtime, newest, run

OPENBLAS = "/usr/lib/x86_64-linux-gnu/openblas-{}/libopenblas.so.0"
THREADS = max(2, len(os.sched_getaffinity(0)))
LIBGOMP, LIBOMP = Runtime("libgomp"), Runtime("libomp")


def need(check, path, package):
    if not os.path.exists(path) and shutil.which(path) is None:
        check.left_out(f"{path} is not there: Debian package {package}")


def compiler(check, name):
    """The newest version that loomp supports of a compiler without a version in its name."""
    try:
        return newest(name)
    except Missing as why:
        check.left_out(str(why))


def runtimes(check, stock):
    return stock, Runtime("loomp", str(check.build / "lib/compat"))


def output(check, command, runtime):
    """Standard output of a program, which must succeed."""
    done = run([*map(str, command)], runtime, THREADS)
    check.expect(f"it succeeds on {runtime.name}", not done.problem, f"{done.problem}: {done.output}")
    return done.output.strip()


def same_output(check, command, stock=LIBGOMP):
    theirs, ours = (output(check, command, runtime) for runtime in runtimes(check, stock))
    check.expect("it prints the same", theirs == ours, f"on {stock.name}: {theirs}\non loomp: {ours}")


def build(check, *command, **environment):
    """Runs a compiler, which must succeed."""
    done = subprocess.run([*map(str, command)], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, **environment})  # fmt: skip
    check.expect(f"{command[0]} succeeds", done.returncode == 0, done.stdout)


def case_openblas(check):
    parallel, serial = OPENBLAS.format("openmp"), OPENBLAS.format("serial")
    need(check, parallel, "libopenblas0-openmp")
    need(check, serial, "libopenblas0-serial")
    build(check, compiler(check, "gcc"), "-O2", HERE / "openblas_check.c", "-o", "openblas_check", parallel,
          "-Wl,--enable-new-dtags,-rpath," + os.path.dirname(parallel), "-ldl", "-lm")
    same_output(check, ["./openblas_check", serial])


def case_fftw(check):
    need(check, "/usr/include/fftw3.h", "libfftw3-dev")
    build(check, compiler(check, "gcc"), "-O2", HERE / "fftw_check.c", "-o", "fftw_check", "-lfftw3_omp", "-lfftw3", "-lm")
    same_output(check, ["./fftw_check", THREADS])


def case_graphicsmagick(check):
    need(check, "gm", "graphicsmagick")
    output(check, ["gm", "convert", "-size", "1200x900", "gradient:#102040-#f0c080", "-swirl", "200", "source.miff"], LIBGOMP)
    pictures = []
    for runtime in runtimes(check, LIBGOMP):
        picture = Path(f"{runtime.name}.ppm")
        output(check, ["gm", "convert", "source.miff", "-implode", "0.4", "-rotate", "17", "-blur", "0x2", "-unsharp", "0x2",
                       "-resize", "900x700", "-modulate", "110,80,120", "-median", "2", "-edge", "1", "-negate", "-normalize",
                       picture], runtime)
        pictures.append(picture.read_bytes())
    check.expect("the pixels are the same", pictures[0] == pictures[1])


def same_simulation(check, threads, steps, **how):
    need(check, "gmx", "gromacs")

    def make(folder):
        folder.mkdir()
        gromacs.make_water_box(folder)
    box = check.once("box", make) / "run.tpr"
    theirs, ours = (gromacs.Simulation(str(box), runtime.name, runtime, threads, steps, **how)
                    for runtime in runtimes(check, LIBGOMP))
    for done in (theirs, ours):
        check.expect(f"it succeeds on {done.folder}", not done.problem, done.problem)
    check.expect("energies and coordinates are the same", ours.same_results(theirs))


def case_gmx(check):
    same_simulation(check, THREADS, 200)


def case_gmx_more_threads(check):
    """More than there are cores."""
    same_simulation(check, 2 * THREADS + 1, 50)


def case_gmx_mpi(check):
    """Two threads a rank even on two cores, or there would be nothing to see of OpenMP."""
    need(check, "gmx_mpi", "gromacs")
    need(check, "mpirun", "openmpi-bin")
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    same_simulation(check, 2, 50, command=("mpirun", *as_root, "--oversubscribe", "-n", "2", "gmx_mpi", "-quiet", "mdrun"))


# Two applications of this repository, as other versions of clang compile them.
# each: clang-14 clang-22
# usual: 80
def case_applications(check):
    cxx = check.word.replace("clang", "clang++")
    need(check, cxx, check.word)
    build(check, ROOT / "apps/build.sh", "clang", ".", APPS="hpccg cholesky", CXX=cxx, CXXFLAGS="-O2")
    for program, size in (("hpccg", "--nx 32 --ny 32 --nz 32"), ("cholesky", "--n 768 --tile 64")):
        checksums = set()
        for form in ("for", "task"):
            for runtime in runtimes(check, LIBOMP):
                said = output(check, [f"./{program}-clang", "--mode", form, *size.split()], runtime)
                check.expect(f"{program} --mode {form} passes on {runtime.name}", "PASS" in said.split("\n"), said)
                checksums.update(re.findall(r"^checksum:\s+(\S+)$", said, re.M) or [None])
        check.expect(f"{program} has one result", len(checksums) == 1 and None not in checksums, checksums)


# each: gfortran flang flang-22
def case_fortran(check):
    if check.word == "gfortran":
        name, options, stock = compiler(check, "gfortran"), [], LIBGOMP
    else:
        version = check.word.partition("-")[2] or compiler(check, "llvm")
        name, options, stock = f"flang-new-{version}", [f"-L{compiler(check, 'openmp-dev')}/lib"], LIBOMP
        if check.word == "flang-22":
            name = check.word
    need(check, name, name.replace("-new", ""))
    build(check, name, "-O2", HERE / "fortran_check.f90", "-o", "fortran_check", "-fopenmp", *options, "-lm")
    same_output(check, ["./fortran_check"], stock)
