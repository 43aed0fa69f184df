"""Running a program on a chosen OpenMP runtime, and knowing that it really ran there."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

# Settings of the caller's that would make the two runtimes' runs differ.
_SETTINGS = re.compile(r"(OMP|GOMP|KMP|LOOMP|OPENBLAS|GMX)_")
_LOADER = ("LD_LIBRARY_PATH", "LD_PRELOAD", "LD_DEBUG", "LD_DEBUG_OUTPUT")
_LOADED = re.compile(r"calling init: (\S*/lib(?:gomp|omp|iomp5)(?:-\d+)?\.so\S*)\s*$", re.M)


@dataclass(frozen=True)
class Runtime:
    """A name, and the folder whose libraries stand in for the stock ones (None: the stock ones)."""

    name: str
    folder: str | None = None


@dataclass
class Run:
    """What came of one run. `problem` is empty, or one line that says what went wrong."""

    output: str
    seconds: float
    problem: str


def environment(runtime, threads):
    """The caller's environment without settings of any runtime, for `runtime`."""
    result = {
        name: value
        for name, value in os.environ.items()
        if not _SETTINGS.match(name) and name not in _LOADER
    }
    result["OMP_NUM_THREADS"] = str(threads)
    if runtime.folder:
        result["LD_LIBRARY_PATH"] = runtime.folder
    return result


def _wrong_library(runtime, traces):
    """One line when the processes loaded another OpenMP library than the runtime's, else ''."""
    loaded = set()
    for name in os.listdir(traces):
        with open(os.path.join(traces, name), errors="replace") as trace:
            loaded.update(_LOADED.findall(trace.read()))
    if not loaded:
        return "no OpenMP library was loaded"
    for library in sorted(loaded):
        inside = runtime.folder and os.path.dirname(library) == runtime.folder
        if runtime.folder and not inside:
            return f"{library} was loaded, not {runtime.folder}'s"
    return ""


def end(process):
    """Ends a process with its group, and has what it printed. It gets a while to end what it started:
    ranks are in groups of their own, and mpirun ends them."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        output, _ = process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    return output


def run(command, runtime, threads, folder=None, limit=150, extra=None):
    """Runs `command` and checks its exit status, its time and the library it loaded."""
    traces = tempfile.mkdtemp(prefix="loomp-loaded-")
    env = environment(runtime, threads)
    env.update(extra or {})
    env["LD_DEBUG"] = "libs"
    env["LD_DEBUG_OUTPUT"] = os.path.join(traces, "libs")
    start = time.monotonic()
    process = subprocess.Popen(
        command, cwd=folder, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit)
        problem = ""
    except subprocess.TimeoutExpired:
        output = end(process)
        problem = f"not finished after {limit} s"
    seconds = time.monotonic() - start
    if not problem and process.returncode < 0:
        problem = f"ended by {signal.Signals(-process.returncode).name}"
    elif not problem and process.returncode > 0:
        problem = f"exit status {process.returncode}"
    wrong = _wrong_library(runtime, traces)
    shutil.rmtree(traces)
    return Run(output, seconds, problem or wrong)
