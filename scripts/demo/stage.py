"""Shared parts of the scenes: the builds, the programs of apps/, made once, and loomp's commands on
traces."""

import os
import re
import shutil
import subprocess
import sys

from runtimes import ROOT, Missing, Runtime, environment, run

sys.path.append(os.path.join(ROOT, "bench"))

from harness import mpi  # noqa: E402  (after the path to it)

STOCK = {"gcc": "libgomp", "clang": "libomp"}


def verdict(result):
    """'' if an application's run is correct by its own checks, else one line."""
    lines = result.output.split("\n")
    wrong = [line for line in lines if "WRONG" in line]
    if wrong:
        return " ".join(wrong[0].split())
    if result.problem:
        return f"{result.problem} ({result.output.strip().split(chr(10))[-1]})"
    return "" if "PASS" in lines else "no verdict"


def value(result, key):
    found = re.search(rf"^{re.escape(key)}:\s+(.*)$", result.output, re.M)
    return found.group(1) if found else ""


class Stage:
    """A command whose options are its attributes."""

    def __init__(self, options, progress):
        vars(self).update(vars(options))
        self.progress = progress
        self.loomp = os.path.join(options.build, "bin/loomp")
        self.ours = Runtime("loomp", os.path.join(options.build, "lib/compat"))
        self.apps = options.apps or os.path.join(options.out, "apps")
        self._given = options.apps is not None

    def app(self, name, kind, ranks="serial"):
        return os.path.join(self.apps, f"{name}-{kind}" if ranks == "serial" else f"{name}-{ranks}-{kind}")

    def make_apps(self, apps, kinds=tuple(STOCK), ranks="serial"):
        """Builds programs of apps/ with all kinds of compilers at once, if they are older than
        their sources."""
        if self._given or _newer([self.app(name, kind, ranks) for name in apps for kind in kinds], os.path.join(ROOT, "apps")):
            return
        self.progress.step("building the applications")
        makers = [subprocess.Popen([os.path.join(ROOT, "apps/build.sh"), kind, self.apps, ranks], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env={**environment(Runtime("stock"), 1), "APPS": " ".join(apps)}) for kind in kinds]
        outputs = [maker.communicate()[0] for maker in makers]
        for maker, output in zip(makers, outputs):
            if maker.returncode != 0:
                raise RuntimeError(f"building the applications failed:\n{output}")

    def need_open_mpi(self):
        if None in (shutil.which("mpirun.openmpi"), shutil.which("mpicc.openmpi"), shutil.which("pkg-config")):
            raise Missing("no Open MPI (Debian packages openmpi-bin and libopenmpi-dev)")

    def run_ranks(self, launch, command, runtime, threads, limit=150, extra=None):
        """`command` on ranks that `launch` starts; on loomp through `loomp run`, which supports
        MPI."""
        first = [self.loomp, "run"] if runtime.folder else []
        return run([*launch, *first, *command], runtime, threads, limit=limit,
                   extra={**mpi.ENVIRONMENT, **mpi.YIELDING, **(extra or {})})

    def record(self, name, command, runtime, threads, launch=()):
        """Records `command` into the folder traces/`name`, and makes its page; returns the folder."""
        folder = os.path.join(self.out, "traces", name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        stock = [] if runtime.folder else ["--stock"]
        done = run([*launch, self.loomp, "trace", "-q", "-o", folder, *stock, *command], runtime, threads,
                   extra={**mpi.ENVIRONMENT, **mpi.YIELDING})
        if done.problem:
            raise RuntimeError(f"recording {name}: {done.problem}\n{done.output}")
        self.call("view", folder, "-o", folder + ".html")
        return folder

    def call(self, *arguments):
        """The output of a loomp command on a trace. Raises RuntimeError if it fails."""
        done = subprocess.run([self.loomp, *arguments], text=True, capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"loomp {arguments[0]}: {done.stderr.strip()}")
        return done.stdout


def _newer(files, folder):
    """True if all files are newer than the contents of the folder."""
    sources = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
    return all(map(os.path.exists, files)) and min(map(os.path.getmtime, files)) > max(map(os.path.getmtime, sources))
