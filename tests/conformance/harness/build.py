"""Recipe -> executable, once: it stays in the cache until the compiler or the recipe changes."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

COMPILE_TIMEOUT = 300


@dataclass
class Built:
    executable: str  # empty when the build failed
    output: str


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
        if not os.path.exists(record):
            self._make(command, home)
        with open(record, encoding="utf-8") as file:
            facts = json.load(file)
        executable = os.path.join(home, "test.exe") if facts["ok"] else ""
        return Built(executable, facts["output"])

    def _make(self, command, home):
        # A directory of its own: Fortran leaves .mod files, and nothing half-built may be found.
        scratch = tempfile.mkdtemp(dir=self.directory, prefix=".making-")
        try:
            ok, output = _compile(command, scratch)
            if not ok and self.compiler.lacks_atomics(output):
                ok, output = _compile([*command, "-latomic"], scratch)
            for name in os.listdir(scratch):
                if name != "test.exe":
                    os.unlink(os.path.join(scratch, name))
            with open(os.path.join(scratch, "build.json"), "w", encoding="utf-8") as file:
                json.dump({"ok": ok, "command": command, "output": output[-4000:]}, file)
            os.rename(scratch, home)
        except OSError:
            # Another run may have built the same in the meantime.
            if not os.path.exists(os.path.join(home, "build.json")):
                raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


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
