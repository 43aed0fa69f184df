"""One run of the tests: builds the trees, runs the chosen cases, prints each step's result, and
gives the verdict.

Most cases leave processors idle: they wait, or use one. Work that only computes, and whose result
does not depend on time, runs in parallel with the least priority: the builds of the other trees,
and the cases marked `beside`. The cases of a tree come after those of release, and wait for its
build.
"""

import os
import subprocess
import threading
import time

from . import times, trees, verdict

# Steps whose cases use one processor each and measure no time, so two may run at once.
TWO_AT_A_TIME = {"analysis", "apps", "model", "weak", "exports"}


class Session:
    def __init__(self, logs=trees.ROOT / "build/logs", count_builds=False):
        self.logs = logs
        self.outcomes = []
        self.count_builds = count_builds
        self.built = {tree: threading.Event() for tree in trees.TREES}
        self.failed_builds = set()
        self.printing = threading.Lock()
        logs.mkdir(parents=True, exist_ok=True)

    def build(self, tree, niceness=0):
        began = time.monotonic()
        with open(self.logs / f"test-build-{tree}.log", "wb") as log:
            done = subprocess.run(["nice", "-n", str(niceness), trees.ROOT / "scripts/build", tree], cwd=trees.ROOT,
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False,
                                  pass_fds=trees.LOCKS)  # fmt: skip
        case = trees.Case("release", 0, f"build_{tree}", "build", False, False, not self.count_builds, ())
        output = (self.logs / f"test-build-{tree}.log").read_text(encoding="utf-8", errors="replace")
        state = "passed" if done.returncode == 0 else "failed"
        if state == "failed":
            self.failed_builds.add(tree)
        self.report(f"build {tree}", [trees.Outcome(case, state, time.monotonic() - began, output, "it does not build")])
        self.built[tree].set()
        return done.returncode == 0

    def report(self, step, outcomes):
        with self.printing:
            self.outcomes += outcomes
            for line in verdict.summary_of(step, outcomes):
                print(line, flush=True)

    def run_steps(self, tree, chosen):
        """The cases step by step."""
        for step in dict.fromkeys(case.label for case in chosen):
            mine = [case for case in chosen if case.label == step]
            name = step if tree == "release" else f"{tree} {step}"
            log = self.logs / f"test-{name.replace(' ', '-')}.log"
            log.unlink(missing_ok=True)
            self.report(name, trees.run(tree, mine, 2 if step in TWO_AT_A_TIME else 1, log))

    def run(self, wanted, selected):
        """Builds the trees `wanted`, and runs each case for which `selected(case)` is true. release
        is built already."""
        others = [tree for tree in wanted if tree != "release"]
        release = [case for case in trees.cases("release") if selected(case)] if "release" in wanted else []

        def run_beside():
            try:
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)  # this thread and what it starts
                for tree in others:
                    self.build(tree, niceness=19)
                self.run_steps("release", [case for case in release if case.beside])
            except BaseException as error:
                errors.append(error)
            finally:  # the other thread waits for the builds
                for tree in others:
                    if not self.built[tree].is_set():
                        self.failed_builds.add(tree)
                        self.built[tree].set()

        errors = []
        beside = threading.Thread(target=run_beside, daemon=True)
        beside.start()
        self.run_steps("release", [case for case in release if not case.beside])
        for tree in others:
            self.built[tree].wait()
            if tree not in self.failed_builds:
                self.run_steps(tree, [case for case in trees.cases(tree) if selected(case)])
        beside.join()
        if errors:
            raise errors[0]

    def missing(self, wanted, steps=None):
        """Listed cases that do not exist, also of trees that were not built."""
        found = []
        for tree in times.listed() if steps is None else wanted:
            if tree in trees.NIGHTLY and tree not in wanted:
                continue
            known = trees.cases(tree) if tree in wanted and tree not in self.failed_builds else []
            prefix = "" if tree == "release" else f"{tree}/"
            of = None if steps is None or tree in steps else steps
            found += [prefix + name for name in times.missing(tree, [each for each in known if not each.nightly], of)]
        return found

    def finish(self, missing, whole, unknown=()):
        """Prints the sum; the exit status."""
        result = verdict.judge(self.outcomes, missing, verdict.permissions(), whole, unknown)
        for line in result.lines:
            print(line)
        print(f"{result.passed} passed, {result.failed} failed", flush=True)
        return 0 if result.well else 1
