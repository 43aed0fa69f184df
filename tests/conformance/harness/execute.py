"""Executable -> verdict, with a time limit on the whole process group."""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
import stacks

OUTPUT_KEPT = 8000
FILE_LIMIT = 256 << 20
# The runtime's own settings must come from the test, not from whoever runs it.
PRIVATE = re.compile(r"(OMP|GOMP|KMP|OPENMP|LIBOMP\w*)_")

PASS, FAIL, HANG, NOT_BUILT, NOT_APPLICABLE = "pass", "fail", "hang", "not-built", "not-applicable"


@dataclass
class Verdict:
    status: str
    why: str = ""
    seconds: float = 0.0
    output: str = ""

    def failed(self):
        return self.status in (FAIL, HANG, NOT_BUILT)

    def as_dict(self):
        return asdict(self)


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
            started = time.monotonic()
            with open(log, "wb") as sink:
                process = subprocess.Popen(
                    [executable], cwd=where, env={**self.environment, **recipe.environment},
                    stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT,
                    start_new_session=True,
                )  # fmt: skip
            code, hung = self._wait(process, self.timeout * recipe.timeout_factor)
            seconds = round(time.monotonic() - started, 3)
            with open(log, "rb") as source:
                output = source.read(1 << 20).decode(errors="replace")
        status, why = judge(code, output, recipe)
        kept = output[-OUTPUT_KEPT:] + hung if status != PASS else ""
        return Verdict(status, why, seconds, kept)

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
    """What an exit code and an output are worth."""
    if code is None:
        return HANG, "killed after the time limit"
    if recipe.may_fail and code != 0:
        return PASS, "expected to fail here"
    if recipe.should_fail and code == 0:
        return FAIL, "ended with 0, which it should not"
    if not recipe.should_fail and code != 0:
        return FAIL, _explain(code, output)
    if recipe.output and not re.search(recipe.output, output, re.DOTALL):
        return FAIL, "its output is not what the test expects"
    return PASS, ""


def _explain(code, output):
    missing = re.search(r"version `(\S+)' not found|undefined symbol: (\w+)", output)
    if code in (1, 127) and missing:
        return "the runtime lacks " + (missing.group(1) or missing.group(2))
    if code < 0:
        return signal.Signals(-code).name
    return f"exit status {code}"
