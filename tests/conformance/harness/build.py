"""Recipe -> executable, once: it stays in the cache until the compiler or the recipe changes."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

COMPILE_TIMEOUT = 300


@dataclass
class Built:
    executable: str  # empty when the build failed
    output: str

    @property
    def reason(self):
        """Why there is no executable."""
        if _refused(self.output):
            return "the compiler refuses it"
        return (self.output.splitlines() or ["the compiler says nothing"])[-1]


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
        if facts is None or not (facts["ok"] or _refused(facts["output"])):
            shutil.rmtree(home, ignore_errors=True)
            self._make(command, home)
            facts = _read(record)
        executable = os.path.join(home, "test.exe") if facts["ok"] else ""
        return Built(executable, facts["output"])

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
                json.dump({"ok": ok, "command": command, "output": output[-4000:]}, file)
            os.rename(scratch, home)
        except OSError:
            # Another run may have built the same in the meantime.
            if not os.path.exists(os.path.join(home, "build.json")):
                raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _read(record):
    """What is known of an earlier build; None when there was none."""
    try:
        with open(record, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def _refused(output):
    """Whether something is wrong with the sources; otherwise the compiler may have been short of
    time or of memory, and another try may succeed."""
    return re.search(r"^\S+:\d+.*\berror: |undefined reference", output, re.MULTILINE) is not None


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
