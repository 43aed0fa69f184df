"""The command line."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import sys
import time

from . import compilers, report, runtimes, suite
from .build import Builder
from .directives import read_recipe
from .execute import NOT_APPLICABLE, NOT_BUILT, Executor, Verdict
from .selectors import Selectors

# The level at which each test is built: what libgomp's own driver takes for C and C++, and one of
# the several it takes for Fortran.
DEFAULT_FLAGS = ["-O2"]
# Seconds for a test whose hangs are explained: one that does not hang is done in the first.
EXPLAINED_TIMEOUT = 20


def main():
    options = _parse()
    if options.compare:
        report.compare(*options.compare)
        return 0
    cache = options.cache or suite.cache_root()
    root = suite.extract(cache, options.compiler)
    compiler = compilers.find(options.compiler, root, cache)
    runtime = runtimes.find(options.runtime, compiler.soname, cache)
    expected_file = options.expected or _own_expectations(options.compiler, runtime)
    expected = report.read_expected(expected_file) if expected_file else {}

    started = time.monotonic()
    hanging = report.hanging(expected)
    verdicts = _Session(options, cache, root, compiler, runtime, hanging).run()
    seconds = round(time.monotonic() - started, 1)
    label = f"{options.compiler}-{runtime.label}"
    logs = options.logs or os.path.join(cache, "logs", label)
    report.write_logs(logs, verdicts)
    print(f"{options.compiler} on {runtime.label}: {seconds} s; output of failures: {logs}")
    if options.json:
        facts = {"compiler": options.compiler, "runtime": options.runtime, "seconds": seconds}
        report.write_json(options.json, facts, verdicts)
    return 0 if report.summarize(verdicts, expected) else 1


def _own_expectations(compiler, runtime):
    """What loomp is known not to pass; of other runtimes nothing is expected."""
    if runtime.label != "loomp":
        return ""
    folder = pathlib.Path(__file__).resolve().parents[1]
    for name in (compiler, compiler.split("-")[0]):
        if (folder / f"expected-{name}.txt").exists():
            return folder / f"expected-{name}.txt"
    return ""


class _Session:
    """One pass over the suite: several tests at a time, each built (or found) and then run. The
    `hanging` ones, whose hangs are explained, mostly wait: they run beside the others."""

    def __init__(self, options, cache, root, compiler, runtime, hanging=()):
        self.options = options
        self.hanging = hanging
        self.root = root
        self.compiler = compiler
        self.builder = Builder(compiler, options.compiler, cache)
        self.executor = Executor(runtime, options.timeout, dict(options.env))
        self.impatient = Executor(runtime, min(options.timeout, EXPLAINED_TIMEOUT), dict(options.env))
        offload = compiler.offload_targets()
        self.selectors = {name: Selectors(name, offload) for name in compiler.languages}

    def run(self):
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
            status = NOT_BUILT if self.compiler.must_build else NOT_APPLICABLE
            return Verdict(status, built.reason, 0.0, built.output)
        executor = self.impatient if test.name in self.hanging else self.executor
        return executor.run(built.executable, recipe)

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
    parser.add_argument("--compiler", default=compilers.named("gcc"), help="gcc-N or clang-N (%(default)s)")
    parser.add_argument("--runtime", default="loomp",
                        help="loomp, libgomp, libomp, or a directory (loomp)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--timeout", type=float, default=60, help="seconds a test may run (60)")
    parser.add_argument("--filter", metavar="RE", help="only tests whose name matches")
    parser.add_argument("--json", metavar="FILE", help="write every verdict there")
    parser.add_argument(
        "--expected", metavar="FILE", help="explained failures, `test-name | reason` (loomp's)"
    )
    parser.add_argument("--env", metavar="NAME=VALUE", type=_pair, action="append", default=[],
                        help="set in every test's environment")  # fmt: skip
    parser.add_argument("--logs", metavar="DIR", help="where outputs of failures go")
    parser.add_argument(
        "--cache", metavar="DIR", help="sources and executables (~/.cache/loomp/conformance)"
    )
    parser.add_argument(
        "--compare", nargs=2, metavar=("A.json", "B.json"), help="print what differs, run nothing"
    )
    return parser.parse_args()


def _pair(text):
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError("write NAME=VALUE")
    return name, value
