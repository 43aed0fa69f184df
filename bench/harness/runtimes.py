"""The runtimes under comparison: their paths, and how a program loads them."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .build import BENCH, LIBOMP, note

DEFAULT_LOOMP = BENCH.parent / "build" / "release" / "lib" / "compat"
NAMES = ["loomp", "libomp", "libgomp", "iomp5"]
PEERS_OF_GOALS = ["libomp", "libgomp"]
SETTINGS = ("OMP_", "KMP_", "GOMP_", "LIBOMP_", "LOOMP_", "LD_")


def environment(threads=None, **more):
    """A clean environment without settings of the caller's shell."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(SETTINGS)}
    if threads is not None:
        env["OMP_NUM_THREADS"] = str(threads)
    return {**env, **more}


@dataclass(frozen=True)
class Setup:
    """One runtime under one compiler's binaries."""

    runtime: str
    compiler: object
    directory: Path  # for LD_LIBRARY_PATH; None: the system's own
    library: Path

    @property
    def name(self):
        return f"{self.runtime}/{self.compiler.name}"

    def environment(self, threads, extra):
        library = {"LD_LIBRARY_PATH": str(self.directory)} if self.directory else {}
        return environment(threads, **{"OMP_PROC_BIND": "true", **extra, **library})

    def is_loaded(self, path):
        """`path` has OpenMP's functions. loomp's names are libraries without code before
        libloomp.so."""
        library = Path(self.library)
        return os.path.realpath(path) in map(os.path.realpath, (library, library.parent / "libloomp.so"))


def iomp5_path(cache):
    return cache / "iomp5" / "lib" / "libiomp5.so"


def fetch_iomp5(cache):
    """Puts Intel's runtime into a virtual environment in the cache."""
    venv = cache / "iomp5"
    if iomp5_path(cache).exists():
        return
    note(f"fetching intel-openmp into {venv}")
    for command in (
        [sys.executable, "-m", "venv", venv],
        [venv / "bin" / "pip", "install", "--quiet", "intel-openmp"],
    ):
        if subprocess.run([str(part) for part in command]).returncode != 0:
            note("could not fetch intel-openmp")
            return


def setups(wanted, compilers, loomp, cache):
    """The available setups, in the order in which they alternate."""
    found = []

    def add(runtime, compiler, directory, library, missing):
        if runtime not in wanted or compiler not in compilers:
            return
        if library.exists():
            found.append(Setup(runtime, compilers[compiler], directory, library))
        else:
            note(f"{runtime} is skipped for {compiler} binaries: {missing}")

    def alias(runtime, library):
        """A folder with `library` under the name that a clang binary needs."""
        directory = cache / "runtimes" / runtime
        if runtime in wanted and library.exists():
            directory.mkdir(parents=True, exist_ok=True)
            link = directory / "libomp.so.5"
            link.unlink(missing_ok=True)
            link.symlink_to(library)
        return directory

    iomp5 = iomp5_path(cache)
    no_loomp = f"nothing at {loomp} (build it, or say --loomp DIR)"
    add("loomp", "clang", loomp, loomp / "libomp.so.5", no_loomp)
    add("libomp", "clang", alias("libomp", LIBOMP), LIBOMP, f"no {LIBOMP}")
    add("iomp5", "clang", alias("iomp5", iomp5), iomp5, f"no {iomp5} (see --fetch-iomp5)")
    add("loomp", "gcc", loomp, loomp / "libgomp.so.1", no_loomp)
    if "gcc" in compilers:
        asked = [compilers["gcc"].command, "-print-file-name=libgomp.so.1"]
        libgomp = Path(subprocess.run(asked, capture_output=True, text=True).stdout.strip())
        if not libgomp.is_absolute():
            libgomp = Path("/usr/lib/x86_64-linux-gnu/libgomp.so.1")
        add("libgomp", "gcc", None, libgomp, f"no {libgomp}")
    return found
