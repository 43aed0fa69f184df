"""What scenes share: the builds, programs of apps/ made once, and loomp's commands on traces."""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys

from runtimes import Runtime, environment, run
from scene import Missing

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "bench"))

from harness import mpi  # noqa: E402  (after the path to it)

APPS = ("cholesky", "hpccg", "lulesh")
STOCK = {"gcc": "libgomp", "clang": "libomp"}


class BuildFailed(Exception):
    """The message has the compiler's own."""


def named(compiler):
    """What scripts/compiler has for a name: the newest version of those that loomp is for."""
    done = subprocess.run([os.path.join(ROOT, "scripts/compiler"), compiler], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Missing(f"no {compiler} is installed (scripts/setup demo)")
    return done.stdout.strip()


def verdict(result):
    """'' if an application's run is correct by its own checks, else one line."""
    lines = result.output.split("\n")
    wrong = [line for line in lines if "WRONG" in line]
    if wrong:
        return " ".join(wrong[0].split())
    if result.problem:
        last = result.output.strip().split("\n")[-1]
        return f"{result.problem} ({last})" if last else result.problem
    return "" if "PASS" in lines else "no verdict"


def value(result, key):
    found = re.search(rf"^{re.escape(key)}:\s+(.*)$", result.output, re.M)
    return found.group(1) if found else ""


class Stage:
    def __init__(self, options, progress):
        self.build = options.build
        self.out = options.out
        self.repeats = options.repeats
        self.threads = options.threads
        self.quick = options.quick
        self.progress = progress
        self.loomp = os.path.join(options.build, "bin/loomp")
        self.ours = Runtime("loomp", os.path.join(options.build, "lib/compat"))
        self.apps = options.apps or os.path.join(options.out, "apps")
        self._made = options.apps is not None

    def median(self, values):
        return statistics.median(values) if values else None

    def has_open_mpi(self):
        return (shutil.which("mpirun.openmpi") is not None and shutil.which("pkg-config") is not None
                and subprocess.run(["pkg-config", "--exists", "ompi-c"]).returncode == 0)

    def make_apps(self):
        """The programs of apps/, by both compilers at once, where they are older than their sources; for
        ranks by gcc, and if MPI is there."""
        if self._made or self._up_to_date():
            return
        self.progress.step("building the applications")
        makers = []
        for kind in STOCK:
            ranks = ["serial"] + ["openmpi"] * (kind == "gcc" and self.has_open_mpi())
            makers.append((kind, subprocess.Popen(
                [os.path.join(ROOT, "apps/build.sh"), kind, self.apps, *ranks], text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env={**environment(Runtime("stock"), 1), "APPS": " ".join(APPS)})))
        outputs = [(kind, maker.communicate()[0], maker.returncode) for kind, maker in makers]
        for kind, output, status in outputs:
            if status != 0:
                raise BuildFailed(f"building the applications with {kind} failed:\n{output}")
        self._made = True

    def _up_to_date(self):
        wanted = [self.app(name, kind) for name in APPS for kind in STOCK]
        if self.has_open_mpi():
            wanted += [self.app(name, "gcc", "openmpi") for name in APPS]
        if not all(map(os.path.exists, wanted)):
            return False
        sources = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(ROOT, "apps"))
                   for name in names]
        return min(map(os.path.getmtime, wanted)) > max(map(os.path.getmtime, sources))

    def app(self, name, kind, ranks="serial"):
        middle = "" if ranks == "serial" else f"-{ranks}"
        return os.path.join(self.apps, f"{name}{middle}-{kind}")

    def need_open_mpi(self):
        if not self.has_open_mpi():
            raise Missing("no Open MPI (Debian packages openmpi-bin and libopenmpi-dev)")
        if not os.path.exists(os.path.join(self.build, "lib/libloomp-mpi-openmpi.so")):
            raise Missing(f"{self.build} was built without Open MPI: build loomp again")

    def run_ranks(self, ranks, command, runtime, threads, limit=150):
        """`command` on ranks of this machine; on loomp by `loomp run`, which knows of MPI."""
        first = [self.loomp, "run"] if runtime.folder else []
        return run([*mpi.launch(ranks), *first, *command], runtime, threads, limit=limit,
                   extra={**mpi.ENVIRONMENT, **mpi.YIELDING})

    def record(self, name, command, runtime, threads, ranks=0):
        """Records `command` into the folder traces/`name`, and makes its page; has the folder.

        With ranks, over Open MPI. Raises RuntimeError where the run or the page fails."""
        folder = os.path.join(self.out, "traces", name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        trace = [self.loomp, "trace", "-q", "-o", folder]
        if not runtime.folder:
            trace.append("--stock")
        done = run([*(mpi.launch(ranks) if ranks else []), *trace, *command], runtime, threads,
                   extra={**mpi.ENVIRONMENT, **mpi.YIELDING} if ranks else None)
        if done.problem:
            raise RuntimeError(f"recording {name}: {done.problem}\n{done.output}")
        self.call("view", folder, "-o", folder + ".html")
        return folder

    def call(self, *arguments):
        """A command of loomp on a trace; has what it prints."""
        done = subprocess.run([self.loomp, *arguments], text=True, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"loomp {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def export(self, folder):
        """The trace as a file for Perfetto."""
        self.call("export", folder, "-o", folder + ".json")
        return folder + ".json"

    def report(self, folder):
        return json.loads(self.call("report", "--json", folder))
