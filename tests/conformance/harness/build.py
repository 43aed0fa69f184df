"""Recipe -> executable, once: it stays in the cache until the compiler or the recipe changes."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from .leaving import last_line

COMPILE_TIMEOUT = 300
OUTPUT_KEPT = 4000

# Something is wrong with the sources or the options. Otherwise a compiler may have been short of time or of memory.
REFUSED = re.compile(
    r"^\S+:\d+.*\berror: .*|^.*undefined reference.*|^.*error: (?:unknown argument|unrecognized command.line option).*",
    re.MULTILINE,
)
KILLED = re.compile(r"unable to execute command: (?:Killed|Terminated)|\b(?:Killed|Terminated) signal terminated program")
CRASHED = re.compile(r"PLEASE submit a bug report|internal compiler error")


@dataclass
class Built:
    executable: str  # empty when the build failed
    output: str
    refusal: str  # why another try would fail, too: empty when the compiler was short of time or of memory

    @property
    def reason(self):
        """Why there is no executable."""
        return self.refusal or last_line(self.output)


# Includes the header of each language, and calls what is declared there.
HEADER_SAMPLES = {
    "c": ("sample.c", "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n"),
    "c++": ("sample.cpp", "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n"),
    "fortran": ("sample.f90", "use omp_lib\nif (omp_get_max_threads() < 1) stop 1\nend\n"),
}


class Builder:
    def __init__(self, compiler, name, cache):
        self.compiler = compiler
        self.directory = os.path.join(cache, "built", name)
        os.makedirs(self.directory, exist_ok=True)

    def build(self, test, recipe):
        """The executable of `test`, from the cache when it is there."""
        sources = [test.path, *recipe.sources]
        command = self.compiler.command(test.language, sources, recipe.flags, "test.exe")
        key = hashlib.sha256("\0".join([self.compiler.identity, *command]).encode()).hexdigest()[
            :16
        ]
        stem = test.name.replace("/", "_").replace(":", "_")
        home = os.path.join(self.directory, f"{stem}-{key}")
        record = os.path.join(home, "build.json")
        facts = _read(record)
        if facts is None or not (facts["ok"] or facts.get("refusal")):
            shutil.rmtree(home, ignore_errors=True)
            self._make(command, home)
            facts = _read(record)
        executable = os.path.join(home, "test.exe") if facts["ok"] else ""
        return Built(executable, facts["output"], facts.get("refusal", ""))

    def check_headers(self):
        """Ends the run if no program of a language could be compiled: each test might be taken as not applicable."""
        for language in self.compiler.languages:
            name, text = HEADER_SAMPLES[language]
            with tempfile.TemporaryDirectory(dir=self.directory, prefix=".making-") as scratch:
                with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
                    file.write(text)
                command = self.compiler.command(language, [name], [], "sample.exe")
                ok, output = _compile(command, scratch)
            if not ok:
                why = refusal(output) or last_line(output)
                sys.exit(f"conformance: {command[0]} compiles no program that takes OpenMP's header: {why}")

    def _make(self, command, home):
        # A directory of its own: Fortran leaves .mod files, and nothing half-built may be found.
        scratch = tempfile.mkdtemp(dir=self.directory, prefix=".making-")
        try:
            ok, output = _compile(command, scratch)
            if not ok and self.compiler.lacks_atomics(output):
                ok, output = _compile([*command, "-latomic"], scratch)
            for left in os.scandir(scratch):
                if left.is_dir(follow_symlinks=False):
                    shutil.rmtree(left.path)  # such as gcc 16's of modules
                elif left.name != "test.exe":
                    os.unlink(left.path)
            with open(os.path.join(scratch, "build.json"), "w", encoding="utf-8") as file:
                facts = {"ok": ok, "command": command, "output": output[-OUTPUT_KEPT:]}
                json.dump({**facts, "refusal": "" if ok else refusal(output)}, file)
            os.rename(scratch, home)
        except OSError:
            # Another run may have built the same in the meantime.
            if not os.path.exists(os.path.join(home, "build.json")):
                raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _read(record):
    """Returns what is known of an earlier build; None when there was none."""
    try:
        with open(record, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def refusal(output):
    """Why a compiler has refused a program, by all of its output; empty if it has not."""
    error = REFUSED.search(output)
    if KILLED.search(output):
        return ""
    if CRASHED.search(output):
        return "the compiler crashes" + (f": {error.group()}" if error else "")
    return "the compiler refuses it: " + error.group() if error else ""


def _compile(command, where):
    environment = dict(os.environ, LC_ALL="C", LANG="C")
    try:
        done = subprocess.run(
            command, cwd=where, env=environment, stdin=subprocess.DEVNULL, text=True,
            errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=COMPILE_TIMEOUT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False, f"the compiler took more than {COMPILE_TIMEOUT} s"
    return done.returncode == 0, done.stdout
