"""The list of expected failures: which tests fail on loomp, in which way, and why; and how many have to run."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from . import kinds

FOLDER = Path(__file__).resolve().parents[1]
FORM = "`test-name | [sometimes|newer] kind | reason`"
# A line that begins so is of that version only.
_VERSION = re.compile(r"((?:gcc|clang|libomp)-\d+): *")


@dataclass(frozen=True)
class Failure:
    kind: str
    reason: str
    sometimes: bool = False  # the test also passes
    newer: bool = False  # not each version of the suite has the test


@dataclass
class Expected:
    minimum: int = 1  # tests that have to run, when all are chosen
    failures: dict = field(default_factory=dict)  # name -> Failure

    def allows(self, name, kind):
        failure = self.failures.get(name)
        return failure is not None and failure.kind == kind

    def hanging(self):
        """The tests whose hangs are explained."""
        return {name for name, failure in self.failures.items() if failure.sometimes and failure.kind == kinds.HANG}

    def crashing(self):
        return {name for name, failure in self.failures.items() if failure.kind == kinds.CRASH}


def list_for(compiler):
    """Returns the list of a compiler's version, else that of its family, if it has a minimum for this version; else
    None."""
    for name in (compiler, compiler.split("-")[0]):
        path = FOLDER / f"expected-{name}.txt"
        if path.exists() and re.search(rf"^({compiler}: )?minimum:", path.read_text(encoding="utf-8"), re.MULTILINE):
            return path
    return None


def read(path, compiler):
    """A line for each test: FORM, and one `minimum: N` for the compiler's version. # begins a comment."""
    minimum = None
    failures = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            where = f"conformance: {path}:{number}:"
            version = _VERSION.match(line)
            if version and version.group(1) != compiler:
                continue
            line = _VERSION.sub("", line, count=1)
            stated = re.fullmatch(r"minimum: ([1-9]\d*)", line)
            if stated and minimum is None:
                minimum = int(stated.group(1))
                continue
            name, failure = _failure(line, where)
            if name in failures:
                raise SystemExit(f"{where} a second line for {name}")
            failures[name] = failure
    if minimum is None:
        raise SystemExit(f"conformance: {path}: no line `minimum: N`, the count of tests that have to run")
    return Expected(minimum, failures)


def _failure(line, where):
    parts = [part.strip() for part in line.split("|", 2)]
    if len(parts) != 3 or not all(parts):
        raise SystemExit(f"{where} write {FORM}")
    name, words, reason = parts[0], parts[1].split(), parts[2]
    sometimes, newer = words[0] == "sometimes", words[0] == "newer"
    kind = " ".join(words[sometimes or newer :])
    if kind not in kinds.EXPECTABLE:
        raise SystemExit(f"{where} no kind \"{kind}\": expected one of {', '.join(kinds.EXPECTABLE)}")
    return name, Failure(kind, reason, sometimes, newer)
