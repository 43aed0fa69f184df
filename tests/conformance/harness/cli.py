"""The command line."""

import argparse
import concurrent.futures
import os
import re
import sys
import time

from . import compilers, expected, kinds, report, runtimes, suite
from .build import Builder
from .directives import read_recipe
from .execute import FAIL, NOT_APPLICABLE, Executor, Verdict
from .expected import Expected
from .selectors import Selectors

# The level at which each test is built: what libgomp's own driver takes for C and C++, and one of
# the several it takes for Fortran.
DEFAULT_FLAGS = ["-O2"]
# Seconds for a test whose hangs are explained: one that does not hang is done in the first.
EXPLAINED_TIMEOUT = 20
# Runs on the compiler's own runtime in which an expected crash has to occur there.
CRASH_TRIES = 5


def main():
    options = _parse()
    name = options.compiler or compilers.named("gcc")
    family, version = compilers.installed(name)
    cache = options.cache or suite.cache_root()
    root = suite.extract(cache, name)
    compiler = family(version, root, cache)
    runtime = runtimes.find(options.runtime, compiler.soname, cache)
    path = options.expected or (expected.list_for(name) if runtime.label == "loomp" else None)
    listed = expected.read(path, name) if path else Expected()

    started = time.monotonic()
    session = _Session(options, name, cache, root, compiler, runtime, listed)
    verdicts = session.run()
    seconds = round(time.monotonic() - started, 1)
    label = f"{name}-{runtime.label}"
    logs = options.logs or os.path.join(cache, "logs", label)
    report.write_logs(logs, verdicts)
    print(f"{name} on {runtime.label}: {seconds} s; output of failures: {logs}")
    again = ["tests/conformance/run", "--compiler", name, *_given(options)]
    return 0 if report.summarize(verdicts, listed, again, whole=not options.filter) else 1


def _given(options):
    """The options that decide what becomes of one test."""
    for name in ("runtime", "expected", "cache"):
        value = getattr(options, name)
        if value and value != "loomp":
            yield from ("--" + name, value)
    for name, value in options.env:
        yield from ("--env", f"{name}={value}")


class _Session:
    """One pass over the suite: several tests at a time, each built (or found) and then run. Those
    whose hangs are explained mostly wait: they run beside the others."""

    def __init__(self, options, name, cache, root, compiler, runtime, listed):
        self.options = options
        self.listed = listed
        self.hanging = listed.hanging()
        self.root = root
        self.compiler = compiler
        self.builder = Builder(compiler, name, cache)
        self.executor = Executor(runtime, options.timeout, dict(options.env))
        self.impatient = Executor(runtime, min(options.timeout, EXPLAINED_TIMEOUT), dict(options.env))
        own = runtimes.find(compiler.own_runtime, compiler.soname, cache)
        self.own = Executor(own, options.timeout, dict(options.env))
        offload = compiler.offload_targets()
        self.selectors = {name: Selectors(name, offload) for name in compiler.languages}

    def run(self):
        self.builder.check_headers()
        pattern = re.compile(self.options.filter or "")
        chosen = [
            test
            for test in suite.tests(self.root, self.compiler.languages)
            if pattern.search(test.name)
        ]
        verdicts = {}
        pools = concurrent.futures.ThreadPoolExecutor
        with pools(self.options.jobs) as pool, pools(len(self.hanging) or 1) as beside:
            waiting = {
                (beside if test.name in self.hanging else pool).submit(self._one, test): test
                for test in chosen
            }
            for done in concurrent.futures.as_completed(waiting):
                test = waiting[done]
                verdicts[test.name] = done.result()
                self._show_progress(len(verdicts), len(chosen))
        unknown = set().union(*(each.unknown for each in self.selectors.values()))
        if unknown:
            print("conditions this harness does not know, taken as false:", *sorted(unknown))
        return dict(sorted(verdicts.items()))

    def _one(self, test):
        recipe = read_recipe(test.path, DEFAULT_FLAGS, self.selectors[test.language])
        if recipe.skip:
            return Verdict(NOT_APPLICABLE, recipe.skip)
        built = self.builder.build(test, recipe)
        if not built.executable:
            counts = self.compiler.must_build or not built.refusal or test.name in self.listed.failures
            if not counts:
                return Verdict(NOT_APPLICABLE, built.reason, built.output)
            return Verdict(FAIL, built.reason, built.output, kinds.NOT_COMPILED)
        executor = self.impatient if test.name in self.hanging else self.executor
        verdict = executor.run(built.executable, recipe)
        if self.listed.allows(test.name, verdict.kind) and verdict.kind == kinds.CRASH:
            self._compare_crash(verdict, built.executable, recipe)
        return verdict

    def _compare_crash(self, verdict, executable, recipe):
        """A crash is expected only if the compiler's own runtime crashes, too, within a few tries."""
        for tries in range(1, CRASH_TRIES + 1):
            if self.own.run(executable, recipe).kind == kinds.CRASH:
                verdict.why += f"; on {self.compiler.own_runtime} too" + (f", in try {tries}" if tries > 1 else "")
                return
        verdict.kind = kinds.CRASH_HERE_ONLY
        verdict.why += f"; not on {self.compiler.own_runtime}, in {CRASH_TRIES} tries"

    def _show_progress(self, done, total):
        if sys.stderr.isatty():
            print(
                f"\r{done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True
            )
        elif done % 200 == 0:
            print(f"{done}/{total}", file=sys.stderr, flush=True)


def _parse():
    parser = argparse.ArgumentParser(
        prog="tests/conformance/run",
        description="Run GCC's libgomp test-suite on an OpenMP runtime.",
    )
    parser.add_argument("--compiler", help="gcc-N or clang-N (the newest gcc)")
    parser.add_argument("--runtime", default="loomp",
                        help="loomp, libgomp, libomp, or a directory (loomp)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--timeout", type=float, default=60, help="seconds a test may run (60)")
    parser.add_argument("--filter", metavar="RE", help="only tests whose name matches")
    parser.add_argument("--expected", metavar="FILE", help="the list of expected failures (loomp's)")
    parser.add_argument("--env", metavar="NAME=VALUE", type=_pair, action="append", default=[],
                        help="set in every test's environment")  # fmt: skip
    parser.add_argument("--logs", metavar="DIR", help="where outputs of failures go")
    parser.add_argument(
        "--cache", metavar="DIR", help="sources and executables (~/.cache/loomp/conformance)"
    )
    return parser.parse_args()


def _pair(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError("write NAME=VALUE")
    return name, value
