"""Functions that only compiled code calls: the executable of which test calls each. A committed list (called.txt), made
from executables by `check --write-called`, so that the check itself needs none."""

import os
import pathlib
import re
import subprocess
from collections import defaultdict

LIST = "tests/reach/called.txt"
_COMPILER = re.compile(r"_(gcc|clang)$")


def read(root):
    """{function: test}; a test of the repository is a file in it, others are SUITE:NAME of the conformance suites."""
    called = {}
    for line in (root / LIST).read_text().splitlines():
        if line and not line.startswith("#"):
            function, test = line.split(None, 1)
            called[function] = test
    return called


def _undefined(executables):
    """{function: executables that leave it to a library}"""
    found = defaultdict(set)
    executables = [str(path) for path in executables]
    for first in range(0, len(executables), 100):
        table = subprocess.run(["nm", "-D", "-u", "-A", *executables[first : first + 100]],
                               text=True, capture_output=True, check=False)  # fmt: skip
        for line in table.stdout.splitlines():
            file, _, symbol = line.rpartition(" ")
            found[symbol.partition("@")[0]].add(file[: file.rindex(":")])
    return found


def _of_repository(root, build):
    """{executable: source} of the programs that a build has made of tests/programs, tests/stress and tests/device."""
    sources = {}
    for path in sorted((build / "tests").glob("*")):
        label, _, stem = _COMPILER.sub("", path.name).partition("_")
        if path.is_file() and os.access(path, os.X_OK):
            for source in (root / "tests" / label).glob(stem + ".*"):
                sources[str(path)] = source.relative_to(root).as_posix()
    # The cases of devices compile these when they run.
    for source in (root / "tests/device/programs").glob("*.c"):
        path = build / "made/device" / f"{source.stem}.host"
        if path.exists():
            sources[str(path)] = source.relative_to(root).as_posix()
    return sources


def _of_conformance(cache):
    """{executable: SUITE:NAME} of the conformance suites' executables: gcc's suite by each compiler, and LLVM's."""
    tests = {}
    for suite in sorted((cache / "built").iterdir()):
        for path in suite.glob("*/test.exe"):
            tests[str(path)] = f"{suite.name}:{path.parent.name.rpartition('-')[0]}"
        if suite.name.startswith("libomp-") and suite.name.endswith("-loomp"):
            for path in suite.rglob("Output/*.tmp"):
                name = path.parent.parent.relative_to(suite) / path.name.removesuffix(".tmp")
                tests[str(path)] = f"{suite.name.removesuffix('-loomp')}:{name}"
    return tests


def write(root, build, cache, wanted):
    """Lists the functions of `wanted` that executables call, with one test each: one of the repository, if there is."""
    found = [(_undefined(tests), tests)
             for tests in (_of_repository(root, pathlib.Path(build)),
                           _of_conformance(pathlib.Path(cache)) if cache else {})]  # fmt: skip
    lines = [
        "# Functions that no test's source names, since compilers call them: an executable of which test calls each.",
        "# Made by `tests/reach/check --write-called BUILD CONFORMANCE_CACHE`.",
    ]
    for function in sorted(wanted):
        for calls, tests in found:
            if calls.get(function):
                lines.append(f"{function} {min(tests[file] for file in calls[function])}")
                break
    (root / LIST).write_text("\n".join(lines) + "\n")
    return len(lines) - 2
