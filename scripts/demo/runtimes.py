"""Runs a program on a chosen OpenMP runtime, and checks that it really ran there."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The caller's settings that would make the two runtimes' runs differ.
_SETTINGS = re.compile(r"(OMP|GOMP|KMP|LOOMP|OPENBLAS|GMX)_|LD_(LIBRARY_PATH|PRELOAD|DEBUG)")
_LOADED = re.compile(r"calling init: (\S*/lib(?:gomp|omp|iomp5)(?:-\d+)?\.so\S*)\s*$", re.M)


class Missing(Exception):
    """Raised if something is not installed; the message names the package."""


@dataclass(frozen=True)
class Runtime:
    """A name, and the folder whose libraries replace the stock ones (None: the stock ones)."""

    name: str
    folder: str | None = None


@dataclass
class Run:
    """The result of one run. `problem` is empty, or one line with the error."""

    output: str
    problem: str


def newest(compiler):
    """The newest version of a compiler that loomp supports, by scripts/compiler."""
    done = subprocess.run([os.path.join(ROOT, "scripts/compiler"), compiler], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Missing(f"no {compiler} is installed (scripts/setup)")
    return done.stdout.strip()


def environment(runtime, threads):
    """The caller's environment without settings of any runtime, for `runtime`."""
    result = {name: value for name, value in os.environ.items() if not _SETTINGS.match(name)}
    result["OMP_NUM_THREADS"] = str(threads)
    if runtime.folder:
        result["LD_LIBRARY_PATH"] = runtime.folder
    return result


def _wrong_library(runtime, traces):
    """One line if the processes loaded another OpenMP library than the runtime's, else ''."""
    loaded = set()
    for name in os.listdir(traces):
        with open(os.path.join(traces, name), errors="replace") as trace:
            loaded.update(_LOADED.findall(trace.read()))
    if not loaded:
        return "no OpenMP library was loaded"
    others = sorted(library for library in loaded if runtime.folder and os.path.dirname(library) != runtime.folder)
    return f"{others[0]} was loaded, not {runtime.folder}'s" if others else ""


def _end(process):
    """Ends a process with its group, and returns its output. The process gets some time to end its
    children: ranks are in their own groups, and mpirun ends them."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def run(command, runtime, threads, folder=None, limit=150, extra=None):
    """Runs `command` and checks its exit status, its time and the library it loaded."""
    traces = tempfile.mkdtemp(prefix="loomp-loaded-")
    env = {**environment(runtime, threads), **(extra or {}),
           "LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": os.path.join(traces, "libs")}
    process = subprocess.Popen(
        command, cwd=folder, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, problem = process.communicate(timeout=limit)[0], ""
    except subprocess.TimeoutExpired:
        output, problem = _end(process), f"not finished after {limit} s"
    if not problem and process.returncode < 0:
        problem = f"ended by {signal.Signals(-process.returncode).name}"
    elif not problem and process.returncode > 0:
        problem = f"exit status {process.returncode}"
    problem = problem or _wrong_library(runtime, traces)
    shutil.rmtree(traces)
    return Run(output, problem)
