"""The environment of experiments: the machine's size, programs of apps/ on a chosen runtime,
recordings, and the benchmarks in the parent folder."""

import filecmp
import functools
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from harness import build, mpi, runtimes

from .study import Missing

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
RESEARCH = ROOT / "build" / "research"
MANY = 16  # from this many cores on, sizes are the papers', as far as memory allows
SKIPPED = 77
COPIED = ("CMakeLists.txt", "CMakePresets.json", "cmake", "include", "mpi", "platform", "runtime")  # for patched builds


class Lab:
    def __init__(self, args):
        self.build = args.build
        self.out = args.out
        self.reps = args.reps
        self.threads = args.threads
        self.quick = args.quick
        self.middle = {"median": statistics.median, "min": min}[args.by]
        self.loomp = args.build / "bin" / "loomp"
        self.cache = build.DEFAULT_CACHE
        self.scratch = Path(tempfile.mkdtemp(prefix="loomp-study-"))
        self.commands = []
        self.remarks = []  # omissions of a study
        self.sizes = {}  # how an application was cut: {options: tasks a tile and step}
        made = runtimes.setups(["loomp", "libomp", "libgomp"], build.compilers(), args.build / "lib" / "compat",
                               self.cache)
        self.setups = {setup.name: setup for setup in made}

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def begin(self):
        """Before each study."""
        for noted in (self.commands, self.remarks, self.sizes):
            noted.clear()

    def forms(self):
        """The forms of LULESH that the study ran, in which grain, graph and dependences vary."""
        return [f"lulesh {options}, {min(counts):.1f} to {max(counts):.1f} tasks a tile and step (the thesis: 93.6)"
                for options, counts in self.sizes.items()]

    def note_form(self, app, options, out):
        found = re.search(r"^tasks a tile, step: +([0-9.]+)", out, re.M)
        if app == "lulesh" and found:
            form = re.sub(r" *(-tel|-tnl|--persistent|--dependences) \S+", "", options)
            self.sizes.setdefault(form, []).append(float(found[1]))

    def remark(self, text):
        if text not in self.remarks:
            self.remarks.append(text)

    def size(self, tiny, few, many):
        """The class of a size: for a test of the studies, for few cores, or for many."""
        return tiny if self.quick else many if self.threads >= MANY else few

    def largest_lulesh(self):
        """The longest edge that two thirds of the free memory hold: our lulesh takes 1,400 bytes an element."""
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return int((free * 2 / 3 / 1400) ** (1 / 3))

    def lulesh_edge(self):
        """256 like in the thesis, if memory is sufficient; on few cores a mesh that exceeds all
        caches (0.5 GB)."""
        return self.size(8, 72, max(72, min(256, self.largest_lulesh())))

    def app(self, name, compiler, ranks=0):
        program = self.build / "bin" / (f"{name}-openmpi-{compiler}" if ranks else f"{name}-{compiler}")
        if not program.exists():
            raise Missing(f"{program} is not there: scripts/build release")
        return program

    def call(self, command, env, limit=600):
        """Standard output and error of a command that succeeds."""
        words = [str(word) for word in command]
        self.commands.append(" ".join(words))
        try:
            done = subprocess.run(words, env=env, text=True, capture_output=True, timeout=limit)
        except subprocess.TimeoutExpired as error:
            raise RuntimeError(f"{' '.join(words)}: not finished after {limit} s") from error
        if done.returncode != 0:
            last = (done.stderr or done.stdout).strip().split("\n")[-1]
            raise RuntimeError(f"{' '.join(words)}: status {done.returncode}: {last}")
        return done.stdout, done.stderr

    def setup(self, name):
        if name not in self.setups:
            raise Missing(f"no {name} here")
        return self.setups[name]

    def run(self, app, options, setup, threads=None, env=None, library=None, reps=None):
        """An application's own figures on the runtime of `setup`, the middle (--by) of several runs; from `library`, if
        given."""
        return self.run_in_turns({"": {"app": app, "options": options, "setup": setup, "threads": threads, "env": env,
                                       "library": library}}, reps)[""]

    def run_in_turns(self, cases, reps=None):
        """{case: figures} of several run()s, whose parameters `cases` has. They alternate, so that a slow minute of the
        machine affects all of them."""
        samples = {case: [] for case in cases}
        for _ in range(reps or self.reps):
            for case, parameters in cases.items():
                samples[case].append(self._run_once(**parameters))
        return {case: {key: self.middle(sample[key] for sample in mine) for key in mine[0]} for case, mine in samples.items()}

    def _run_once(self, app, options, setup, threads=None, env=None, library=None):
        setup = self.setup(setup)
        environment = setup.environment(threads or self.threads, env or {})
        if library:
            environment["LD_LIBRARY_PATH"] = str(library)
        out, errors = self.call([self.app(app, setup.compiler.name), *options.split(), "--no-check"], environment)
        self.note_form(app, options, out)
        return figures(out, errors)

    def run_ranks(self, app, options, ranks, threads, env=None, reps=None):
        self.need_open_mpi()
        environment = self.setup("loomp/gcc").environment(threads, {**mpi.ENVIRONMENT, **mpi.YIELDING, **(env or {})})
        del environment["OMP_PROC_BIND"]
        samples = []
        for _ in range(reps or self.reps):
            out, errors = self.call([*mpi.launch(ranks), self.loomp, "run", self.app(app, "gcc", ranks),
                                     *options.split(), "--no-check"], environment)
            samples.append(figures(out, errors)["time_s"])
        return self.middle(samples)

    def need_open_mpi(self):
        if shutil.which("mpirun.openmpi") is None:
            raise Missing("no mpirun.openmpi (Debian package openmpi-bin)")

    def record(self, app, options, setup="loomp/clang", threads=None, ranks=0, env=None, library=None, more=()):
        """The folder of a trace; over `ranks` of Open MPI, if given."""
        if ranks:
            self.need_open_mpi()
        folder = Path(tempfile.mkdtemp(dir=self.scratch)) / "trace"
        setup = self.setup("loomp/gcc" if ranks else setup)
        environment = setup.environment(threads or self.threads, {
            **(mpi.ENVIRONMENT if ranks else {}), **(mpi.YIELDING if ranks else {}), **(env or {})})
        if ranks:
            del environment["OMP_PROC_BIND"]
        stock = ["--stock"] if library or setup.runtime != "loomp" else []
        if library:
            environment["LD_LIBRARY_PATH"] = str(library)
        out, _ = self.call([*(mpi.launch(ranks) if ranks else []), self.loomp, "trace", "-q", *stock, *more, "-o", folder,
                            self.app(app, setup.compiler.name, ranks), *options.split(), "--no-check"], environment)
        self.note_form(app, options, out)
        return folder

    def cache_misses(self, app, options, setup, library=None, env=None):
        """{name: count} for one run, with its threads in sequence: misses of the first-level caches
        and of the last level, in valgrind's model of 32 KiB and 1 MiB."""
        if shutil.which("valgrind") is None:
            raise Missing("no counters of caches on this machine, and no valgrind (scripts/setup study)")
        setup = self.setup(setup)
        environment = setup.environment(self.threads, {"OMP_WAIT_POLICY": "passive", **(env or {})})
        if library:
            environment["LD_LIBRARY_PATH"] = str(library)
        counted = Path(tempfile.mkdtemp(dir=self.scratch)) / "cachegrind"
        self.call(["valgrind", "--tool=cachegrind", "--cache-sim=yes", "--fair-sched=yes", "--D1=32768,8,64",
                   "--LL=1048576,16,64", f"--cachegrind-out-file={counted}", self.app(app, setup.compiler.name),
                   *options.split(), "--no-check"], environment)
        lines = counted.read_text().splitlines()
        names = next(line for line in lines if line.startswith("events:")).split()[1:]
        found = dict(zip(names, map(int, lines[-1].split()[1:])))
        return {"first": found["D1mr"] + found["D1mw"], "last": found["DLmr"] + found["DLmw"]}

    def report(self, folder):
        return json.loads(self.call([self.loomp, "report", "--json", folder], None)[0])

    def simulate(self, folder, *options):
        """The simulated makespan in s."""
        out, _ = self.call([self.loomp, "simulate", folder, *options], None)
        return float(re.search(r"^makespan, simulated +([0-9.]+) s", out, re.M)[1])

    def benchmark(self, name, *options):
        """The JSON output of a benchmark in the parent folder."""
        written = Path(tempfile.mkdtemp(dir=self.scratch)) / "out.json"
        command = [BENCH / name, *options, "--json", written]
        words = [sys.executable, *(str(word) for word in command)]
        self.commands.append(" ".join(words[1:]))
        done = subprocess.run(words, text=True, capture_output=True)
        if done.returncode == SKIPPED:
            raise Missing(done.stdout.strip().split("\n")[-1].removeprefix("skipped: "))
        if not written.exists():
            last = (done.stderr or done.stdout).strip().split("\n")[-1]
            raise RuntimeError(f"bench/{name}: status {done.returncode}: {last}")
        return json.loads(written.read_text())

    @functools.cache
    def research(self, names=""):
        """The folder of loomp's libraries, built with these patches of studies/research/; each
        changes the runtime."""
        tree, built = RESEARCH / "tree", RESEARCH / "build"
        refresh(tree)
        env = {**os.environ, **{name: compiler for name, compiler in (
            ("CC", build.named("gcc")), ("CXX", build.named("g++"))) if name not in os.environ}}
        patches = [BENCH / "studies" / "research" / f"{name}.patch" for name in names.split()]
        for command in (["git", "apply", f"--directory={tree.relative_to(ROOT)}", *patches] if patches else ["true"],
                        ["cmake", "--preset", "release", "-S", tree, "-B", built, "-DLOOMP_BUILD_CLI=OFF",
                         "-DLOOMP_BUILD_APPS=OFF", "-DLOOMP_BUILD_TESTS=OFF"],
                        ["cmake", "--build", built, "--target", "loomp"]):
            done = subprocess.run([str(word) for word in command], cwd=ROOT, env=env, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                raise RuntimeError(f"a build with {names or 'no patch'} fails: {done.stdout.strip()[-300:]}")
        libraries = RESEARCH / "lib" / (names.replace(" ", "+") or "none")
        shutil.rmtree(libraries, ignore_errors=True)
        shutil.copytree(built / "lib", libraries, symlinks=True)
        return libraries / "compat"


def refresh(tree):
    """Makes `tree` a copy of the runtime's build inputs. An unchanged file is not built again."""
    wanted = [path.relative_to(ROOT) for top in COPIED
              for path in (ROOT / top, *(ROOT / top).rglob("*")) if path.is_file()]
    for path in wanted:
        if not (tree / path).exists() or not filecmp.cmp(ROOT / path, tree / path, shallow=False):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tree / path)
    for path in tree.rglob("*"):
        if path.is_file() and path.relative_to(tree) not in wanted:
            path.unlink()


def figures(out, errors):
    """An application's times in s, its tasks, and the counts of LOOMP_STATS. runtime_s is the
    creator's discovery time in the runtime, without the code between and without waits."""
    found = {}
    for line in out.splitlines():
        key, _, value = line.partition(":")
        if key in ("time", "discovery", "tasks", "dependences"):
            number = float(value.split()[0])
            found[key + "_s" if key in ("time", "discovery") else key] = number
    for key in ("edges made", "redirects"):
        counted = re.search(rf"^ +{key} +([0-9,]+)", errors, re.M)
        if counted:
            found[key.replace(" made", "")] = float(counted[1].replace(",", ""))
    within = re.search(r"^ +discovery +([0-9.,]+) ms +in the runtime", errors, re.M)
    if within:
        found["runtime_s"] = float(within[1].replace(",", "")) / 1e3
    found.setdefault("discovery_s", 0.0)
    return found
