"""Compiles each benchmark program once per compiler, into a cache keyed by its inputs."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
DEFAULT_CACHE = BENCH.parent / "build" / "bench"
SUBJECTS = ["tasks", "priorities", "dependences", "forkjoin", "barriers", "loops", "locks",
            "reductions", "extensions", "sets"]
FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", f"-I{BENCH.parent / 'include'}"]


def note(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def named(compiler):
    """The path from scripts/compiler for a name, or the name itself if nothing is installed."""
    shown = subprocess.run([BENCH.parent / "scripts/compiler", compiler], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return shown.stdout.strip() or compiler


LIBOMP = Path(named("libomp"))


class Compiler:
    """One compiler: its command line, and the runtime name that its binaries need."""

    def __init__(self, name, command, soname, openmp, link):
        self.name = name
        self.command = command
        self.soname = soname
        self.openmp = openmp
        self.link = link

    def version(self):
        out = subprocess.run([self.command, "--version"], capture_output=True, text=True)
        return out.stdout.splitlines()[0] if out.returncode == 0 else None

    def build(self, subject, cache, main="bench"):
        """The path of the program, compiled if the cache has none of these sources; or None.
        `main`: the source that supplies main(), None if the subject does."""
        sources = [BENCH / f"{name}.c" for name in (subject, main) if name]
        flags = FLAGS + self.openmp
        key = hashlib.sha256(" ".join([self.version()] + flags + self.link).encode())
        for path in sources + [BENCH / "bench.h"]:
            key.update(path.read_bytes())
        program = cache / f"{self.name}-{key.hexdigest()[:12]}" / subject
        if program.exists():
            return program
        program.parent.mkdir(parents=True, exist_ok=True)
        objects = []
        # Compiles objects first. The runtime is linked by its path without OpenMP's flag, because
        # the compiler would look for a development package.
        for source in sources:
            obj = program.parent / f"{source.stem}.{os.getpid()}.o"
            objects.append(obj)
            if not self._run([self.command, *flags, "-c", source, "-o", obj]):
                return None
        partial = program.with_suffix(f".{os.getpid()}")
        made = self._run([self.command, *objects, *self.link, "-ldl", "-o", partial])
        for obj in objects:
            obj.unlink()
        if made:
            partial.rename(program)
        return program if made else None

    def _run(self, command):
        command = [str(part) for part in command]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            note(f"failed: {' '.join(command)}\n{done.stderr.strip()}")
        return done.returncode == 0


def compilers():
    """The installed compilers by name; each missing one is reported in one line."""
    clang = os.environ.get("BENCH_CLANG", named("clang"))
    gcc = os.environ.get("BENCH_GCC", named("gcc"))
    found = {}
    for compiler in (
        Compiler("clang", clang, "libomp.so.5", ["-fopenmp=libomp"], [str(LIBOMP)]),
        Compiler("gcc", gcc, "libgomp.so.1", ["-fopenmp"], ["-fopenmp"]),
    ):
        if not shutil.which(compiler.command):
            note(f"{compiler.command} is not installed: its binaries are left out")
        elif compiler.name == "clang" and not LIBOMP.exists():
            note(f"{LIBOMP} is missing (Debian package libomp5-N): clang binaries are left out")
        else:
            found[compiler.name] = compiler
    return found
