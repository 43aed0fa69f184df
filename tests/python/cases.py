"""The Python package, installed, on recorded traces; and wheels that bring a libgomp of their own.

package.py runs in Debian's Python, and in one that has Arrow, too; wheels.py in one that has scikit-learn (scripts/setup).
"""
import os
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEBIANS = "/usr/bin/python3"


def prepare(check):
    installed(check)
    traces(check)


def installed(check):
    """The folder that Python finds the installed package in."""
    def make(prefix):
        subprocess.run(["cmake", "--install", check.build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    found = list(check.once("prefix", make).rglob("loomp/__init__.py"))
    return found[0].parents[1]


def traces(check):
    """Two recordings of one program."""
    def make(folder):
        folder.mkdir()
        gcc = subprocess.run([ROOT / "scripts/compiler", "gcc"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
        subprocess.run([gcc, "-O1", "-g", "-fopenmp", HERE.parent / "record/graph.c", "-o", folder / "graph"], check=True)
        for name in ("one", "two"):
            subprocess.run([check.build / "bin/loomp", "trace", "-o", folder / name, "-t", "2", folder / "graph"], check=True)
    folder = check.once("traces", make)
    return folder / "one", folder / "two"


def environment(check, name):
    """The Python of build/NAME."""
    folder = ROOT / "build" / name
    if not (folder / "done").exists():
        check.left_out(f"build/{name} is not there: scripts/setup test makes it")
    return folder / "bin/python3"


def package(check, part):
    """Runs a part of package.py, and counts its checks."""
    python = environment(check, "python-venv") if check.word == "arrow" else DEBIANS
    done = subprocess.run([python, "-B", HERE / "package.py", part, *traces(check), check.build / "bin/loomp"],
                          check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "PYTHONPATH": str(installed(check))})  # fmt: skip
    print(done.stdout, end="")
    counted = re.search(r"^(\d+) passed, (\d+) failed\n\Z", done.stdout, re.MULTILINE)
    check.expect(f"{part} has its sum, and its status", counted and (done.returncode == 0) == (counted[2] == "0"), done)
    if counted:
        check.passed += int(counted[1])
        check.failed += int(counted[2])


# each: debian arrow
def case_tables(check):
    package(check, "tables")


# each: debian arrow
def case_metrics(check):
    package(check, "metrics")


# each: debian arrow
def case_metg(check):
    package(check, "metg")


# each: debian arrow
def case_formats(check):
    package(check, "formats")


# each: debian arrow
def case_passes(check):
    package(check, "passes")


# each: debian arrow
def case_arrow_tables(check):
    package(check, "arrow" if check.word == "arrow" else "without_arrow")


def prefix_of(python, **more):
    """The folder of the Python that a command is."""
    done = subprocess.run([*python, "-c", "import sys; print(sys.prefix)"], check=False, text=True, stdout=subprocess.PIPE,
                          env={name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"} | more)  # fmt: skip
    return done.stdout.strip()


def case_command(check):
    """`loomp python` starts the package's Python, whichever is the first in PATH."""
    library = Path(os.path.realpath(subprocess.run([DEBIANS, "-c", "import os; print(os.path.dirname(os.__file__))"], check=True,
                                                   text=True, stdout=subprocess.PIPE).stdout.strip()))  # fmt: skip
    (check.scratch / "bin").mkdir()
    (check.scratch / "lib").mkdir()
    (check.scratch / "lib" / library.name).symlink_to(library)
    for name in ("python", "python3"):
        shutil.copy(os.path.realpath(DEBIANS), check.scratch / "bin" / name)
    path = f"{check.scratch}/bin:{os.environ['PATH']}"
    check.expect("another Python is the first", prefix_of(["python"], PATH=path) == str(check.scratch))
    found = prefix_of([check.build / "bin/loomp", "python"], PATH=path)
    check.expect("the command starts the package's", found == prefix_of([DEBIANS]), found)


def case_command_in_a_virtual_environment(check):
    folder = environment(check, "python-venv").parents[1]
    found = prefix_of([check.build / "bin/loomp", "python"], VIRTUAL_ENV=str(folder))
    check.expect("it starts the environment's Python", found == str(folder), found)


def case_wheels(check):
    """Wheels bring a libgomp of their own, and run on loomp."""
    python = environment(check, "wheels-venv")
    loomp = check.build / "bin/loomp"
    done = subprocess.run([loomp, "run", "--quiet", python, "-B", HERE / "wheels.py", loomp, "--verbose"],
                          check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "OMP_NUM_THREADS": "3"})  # fmt: skip
    print(done.stdout, end="")
    check.expect("wheels.py succeeds", done.returncode == 0, done.returncode)
    tests = re.findall(r"^(test_\w+) .*\.\.\. (\w+)$", done.stdout, re.MULTILINE)
    check.expect("its tests ran", len(tests) >= 5, tests)
    for name, outcome in tests:
        check.expect(name, outcome == "ok", outcome)
