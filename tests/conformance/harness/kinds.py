"""The ways in which a test can fail, as far as its end and its output tell them apart with certainty."""

import functools
import re
import signal
import sys

from .compilers import REPOSITORY

NOT_COMPILED = "not-compiled"  # the compiler or the linker makes no executable
NOT_STARTED = "not-started"  # the dynamic linker misses a symbol or a version
REFUSED = "refused"  # loomp says what it does not support, and aborts
CRASH = "crash"  # a signal that no test sends itself; memory found corrupt; the runtime's own checks
CRASH_HERE_ONLY = "crash-here-only"  # a crash that the compiler's own runtime does not have: never expected
UNKNOWN = "unknown"  # nothing tells which: never expected
HANG = "hang"  # killed after the time limit
OUTPUT = "output"  # ends as it should, but has not printed what it should
WRONG_VALUE = "wrong-value"  # the test's own checks: abort(), or an exit status that is not the right one

EXPECTABLE = (NOT_COMPILED, NOT_STARTED, REFUSED, CRASH, HANG, OUTPUT, WRONG_VALUE)

# They come from outside: from a user, or from a system that is short of memory.
KILLS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
# Before their abort(), glibc and the C++ library print these.
CORRUPT = re.compile(
    r"^(?:\S+: )?(?:malloc|calloc|realloc|free|munmap_chunk|malloc_consolidate)\(\): "
    r"|^(?:double free or corruption|corrupted |\*\*\* stack smashing|\*\*\* buffer overflow|Fatal glibc error)"
    r"|\bsysmalloc: Assertion"
    r"|^terminate called ",
    re.MULTILINE,
)
MISSING = re.compile(r"version `(\S+)' not found|undefined symbol: (\w+)")
# Messages of loomp before its abort() that are not about what the program asks for.
OWN_FAULT = re.compile(r"loomp: (?:internal error|out of memory|stack overflow)")


def of_end(code, output):
    """(kind, why) of a program that has failed: by its exit status, or minus the number of the signal."""
    missing = MISSING.search(output)
    if code in (1, 127) and missing:
        return NOT_STARTED, "the runtime lacks " + (missing.group(1) or missing.group(2))
    if code >= 0:
        return WRONG_VALUE, f"exit status {code}"
    name = signal.Signals(-code).name
    if -code in KILLS:
        return UNKNOWN, name + ", which no test sends itself"
    if code != -signal.SIGABRT:
        return CRASH, name
    # gfortran's library then prints where the program stands.
    last = output.partition("\nProgram received signal ")[0].rstrip("\n").rpartition("\n")[2]
    if OWN_FAULT.match(last):
        return CRASH, last
    if last.startswith("loomp: ") and _is_refusal(last):
        return REFUSED, last
    corrupt = CORRUPT.search(output)
    if corrupt:
        return CRASH, f"{name}: {corrupt.group().strip()}"
    return WRONG_VALUE, name


def _is_refusal(line):
    """Whether loomp says this before it aborts. A warning before the abort() of a test is no refusal."""
    return any(pattern.fullmatch(line) for pattern in refusals())


@functools.cache
def refusals():
    """A pattern for each message that loomp ends with, out of its sources: the formats of fatal()."""
    found = [
        _as_pattern(literal)
        for folder in ("platform", "runtime", "mpi")
        for path in sorted((REPOSITORY / folder).rglob("*.cpp"))
        for literal in re.findall(r'\bfatal\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', path.read_text(encoding="utf-8"))
    ]
    if not found:
        sys.exit(f"conformance: no call of fatal() in {REPOSITORY}/runtime: kinds.py reads loomp's messages there")
    return found


def _as_pattern(literal):
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal))
    parts = re.split(r"%[-+ #0-9.]*(?:hh?|ll?|[zjt])?[a-zA-Z]", text)
    return re.compile("loomp: " + ".*".join(re.escape(part) for part in parts))
