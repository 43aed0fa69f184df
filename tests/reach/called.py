"""Functions that only compiled code calls, each with the test whose executable calls it. Programs
of tests/programs and tests/stress are read where the release tree has built them. Those of devices
and of the conformance suites, which other cases build, are in a committed list (called.txt), made
by `check --write-called`."""

import os
import re
import subprocess
import sys

LIST = "tests/reach/called.txt"
_COMPILER = re.compile(r"_(gcc|clang)$")


def read(root):
    """{function: test} of the list; a test of the repository is a file in it, others are SUITE:NAME of the conformance suites."""
    called = {}
    for line in (root / LIST).read_text().splitlines():
        if line and not line.startswith("#"):
            function, test = line.split(None, 1)
            called[function] = test
    return called


def _tests(of):
    """{function: test} of {executable: test}, for the functions that executables leave to a library: the first test."""
    found = {}
    executables = list(of)
    for first in range(0, len(executables), 100):
        table = subprocess.run(["nm", "-D", "-u", "-A", *executables[first : first + 100]],
                               text=True, capture_output=True, check=False)  # fmt: skip
        for line in table.stdout.splitlines():
            file, _, symbol = line.rpartition(" ")
            function, test = symbol.partition("@")[0], of[file[: file.rindex(":")]]
            found[function] = min(test, found.get(function, test))
    return found


def by_programs(root, build):
    """{function: test} of the programs that a build has made of tests/programs and tests/stress, by gcc and by clang."""
    sources = {}
    for path in sorted((build / "tests").glob("*")):
        label, _, stem = _COMPILER.sub("", path.name).partition("_")
        if path.is_file() and os.access(path, os.X_OK):
            for source in (root / "tests" / label).glob(stem + ".*"):
                sources[str(path)] = source.relative_to(root).as_posix()
    if not any(path.endswith("_clang") for path in sources):
        print(f"left out: {build} has no programs that clang has built")
        sys.exit(77)
    return _tests(sources)


def _of_devices(root, build):
    """{executable: source} of the programs that cases of devices compile when they run."""
    sources = {}
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
    found = {**_tests(_of_conformance(cache)), **_tests(_of_devices(root, build))}
    lines = [
        "# Functions that only programs of devices and of the conformance suites call: an executable of which test calls each.",
        "# Made by `tests/reach/check --write-called CONFORMANCE_CACHE`.",
        *(f"{function} {found[function]}" for function in sorted(wanted) if function in found),
    ]
    (root / LIST).write_text("\n".join(lines) + "\n")
    return len(lines) - 2
