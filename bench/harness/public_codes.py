"""Public codes that loomp is compared with, at known versions: fetched and built in build/public, never
part of the repository."""

import os
import subprocess
from pathlib import Path

from .build import BENCH, note

CACHE = BENCH.parent / "build" / "public"
# name -> (repository, version)
SOURCES = {
    "tampi": ("https://github.com/bsc-pm/tampi", "v4.1"),
    "mpi-detach": ("https://github.com/RWTH-HPC/mpi-detach",
                   "b3a37e6de06f6449ac276e6de896076950470ded"),
}


def fetch(name, repositories=None):
    """The source's folder, or None, with a word. `repositories`: a folder with a git repository
    of that name, in place of the public one."""
    url, version = SOURCES[name]
    if repositories:
        url = str((Path(repositories) / name).resolve())
    target = CACHE / name
    if not target.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        partial = CACHE / f".{name}.{os.getpid()}"
        if not (_run(["git", "clone", "-q", url, partial], CACHE, f"{name}-fetch") and
                _run(["git", "checkout", "-q", version], partial, f"{name}-fetch")):
            note(f"{name} is left out: {url} {version} cannot be had; see {CACHE}/{name}-fetch.log")
            return None
        partial.rename(target)
    return target


def build_tampi(source):
    """Where TAMPI's library for Open MPI is installed, or None, with a word."""
    installed = CACHE / "tampi-openmpi"
    if not (installed / "lib" / "libtampi-c.so").exists():
        built = CACHE / "tampi-build"
        built.mkdir(exist_ok=True)
        configure = [source / "configure", f"--prefix={installed}", "--disable-static",
                     "--with-max-cpus=64", "CXX=g++-12", "CC=gcc-12", "MPICXX=mpicxx.openmpi"]
        if not (_run(["./bootstrap"], source, "tampi-build") and
                _run(configure, built, "tampi-build") and
                _run(["make", "-j2", "install"], built, "tampi-build")):
            note(f"TAMPI's own library is left out: it does not build (autoconf, automake and libtool "
                 f"are needed); see {CACHE}/tampi-build.log")
            return None
    return installed


def _run(command, folder, log):
    """Whether it succeeds; what it says is added to a log."""
    with open(CACHE / f"{log}.log", "a", encoding="utf-8") as out:
        try:
            return subprocess.run(command, cwd=folder, stdout=out, stderr=out, check=False,
                                  env={**os.environ, "OMPI_CXX": "g++-12", "OMPI_CC": "gcc-12"}
                                  ).returncode == 0
        except FileNotFoundError as error:
            print(error, file=out)
            return False
