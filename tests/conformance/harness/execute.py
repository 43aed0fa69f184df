"""Executable -> verdict, with a time limit on the whole process group."""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
import stacks

from . import kinds

OUTPUT_KEPT = 8000
FILE_LIMIT = 256 << 20
# The runtime's settings must come from the test, not from the user's environment.
PRIVATE = re.compile(r"(LOOMP|OMP|GOMP|KMP|OPENMP|LIBOMP\w*)_")

PASS, FAIL, NOT_APPLICABLE = "pass", "fail", "not-applicable"


@dataclass
class Verdict:
    status: str
    why: str = ""
    output: str = ""
    kind: str = ""  # of a failure: one of kinds

    def failed(self):
        return self.status == FAIL


class Executor:
    def __init__(self, runtime, timeout, extra_environment):
        self.timeout = timeout
        self.environment = {
            name: value for name, value in os.environ.items() if not PRIVATE.match(name)
        }
        self.environment.update(runtime.environment())
        self.environment.update(LC_ALL="C", LANG="C")
        # libgomp's own makefile does the same: many tests run a team per level of nesting.
        if (os.cpu_count() or 1) > 8:
            self.environment["OMP_NUM_THREADS"] = "8"
        self.environment.update(extra_environment)

    def run(self, executable, recipe):
        """Runs one executable in an empty directory and judges it by its recipe."""
        with tempfile.TemporaryDirectory(prefix="conformance-") as where:
            log = os.path.join(where, ".output")
            with open(log, "wb") as sink:
                process = subprocess.Popen(
                    [executable], cwd=where, env={**self.environment, **recipe.environment},
                    stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT,
                    start_new_session=True,
                )  # fmt: skip
            code, hung = self._wait(process, self.timeout * recipe.timeout_factor)
            with open(log, "rb") as source:
                output = source.read(1 << 20).decode(errors="replace")
        kind, why = judge(code, output, recipe)
        kept = output[-OUTPUT_KEPT:] + hung if kind else ""
        return Verdict(FAIL if kind else PASS, why, kept, kind)

    @staticmethod
    def _wait(process, limit):
        """The exit code (negative: a signal), or None and the stacks. The whole group ends."""
        try:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (FILE_LIMIT, FILE_LIMIT))
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        except ProcessLookupError:
            pass
        try:
            return process.wait(limit), ""
        except subprocess.TimeoutExpired:
            return None, "\n" + stacks.of_process(process.pid)
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def judge(code, output, recipe):
    """(kind, why) of a failure by its exit code (None: killed) and output; no kind: it passes."""
    if code is None:
        return kinds.HANG, "killed after the time limit"
    kind, why = kinds.of_end(code, output) if code else ("", "")
    lost = kind in (kinds.CRASH, kinds.UNKNOWN)  # no test wants such an end
    if recipe.may_fail and code and not lost:
        return "", "expected to fail here"
    if recipe.should_fail and not code:
        return kinds.WRONG_VALUE, "ended with 0, which it should not"
    if code and (not recipe.should_fail or lost):
        return kind, why
    if recipe.output and not re.search(recipe.output, output, re.DOTALL):
        return kinds.OUTPUT, "its output is not what the test expects"
    return "", ""
