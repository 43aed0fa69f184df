"""The result of a run: lines for people, a sum, and the verdict."""

import fnmatch
import re
from dataclasses import dataclass

from . import trees

LEFT_OUT = trees.ROOT / "tests/left-out.txt"
# Limit of repetitions in a whole run, for programs of others that sometimes fail.
RETRIES = 12
SHOWN = 12  # lines of a failure's output


@dataclass(frozen=True)
class Permission:
    """A line of tests/left-out.txt."""

    pattern: str
    reason: str

    def holds_for(self, outcome):
        return fnmatch.fnmatchcase(outcome.case.full_name, self.pattern)


def distribution():
    """Debian's code name, such as bookworm."""
    try:
        with open("/etc/os-release", encoding="utf-8") as file:
            found = re.search(r'^VERSION_CODENAME="?(\w+)', file.read(), re.MULTILINE)
    except FileNotFoundError:
        found = None
    return found[1] if found else ""


def permissions(path=LEFT_OUT, here=None):
    """Those of tests/left-out.txt that apply to this distribution."""
    here = distribution() if here is None else here
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r"(?:([\w ]+): )?(\S+) \| (\S.*)", line)
        if not match:
            raise SystemExit(f"tests: {path}:{number}: write `[DISTRIBUTION...:] CASE | REASON`")
        if not match[1] or here in match[1].split():
            found.append(Permission(match[2], match[3]))
    return found


def summary_of(step, outcomes):
    """The lines with a step's result."""
    passed = sum(outcome.state == "passed" for outcome in outcomes)
    failed = [outcome for outcome in outcomes if outcome.state == "failed"]
    left = [outcome for outcome in outcomes if outcome.state == "left out"]
    seconds = sum(outcome.seconds for outcome in outcomes)
    note = f", {len(left)} left out" if left else ""
    yield f"test: {step:22}{passed:6} passed, {len(failed)} failed{note}  ({seconds:.0f} s)"
    for outcome in outcomes:
        counted = re.findall(r"^\d+ passed, \d+ failed.*$", outcome.output, re.MULTILINE)
        if counted and outcome.state == "passed" and outcome.case.label == "conformance":
            yield f"    {outcome.case.full_name}: {counted[-1]}, as expected"
    for outcome in failed:
        yield f"    {_failure(outcome)}"
        yield from (f"        {line}" for line in _telling(outcome.output))


def _failure(outcome):
    return f"{outcome.case.full_name}: {outcome.why}; repeat: ./test {outcome.case.full_name}"


def _telling(output):
    """The most informative lines of a failure's log: those that name a failure, with the indented
    lines below. A line that is repeated appears once, so it does not hide the others."""
    chosen, below = [], False
    lines = [line for line in output.splitlines()
             if line.strip() and not re.match(r"failed with status \d+$|repeat: ", line)]  # fmt: skip
    for line in lines:
        below = below and line.startswith("  ")
        if below or re.search(r"^FAIL|^PASSES NOW|^TOO FEW|^NO SUCH|^hung: |^loomp: |Failure$|[Ee]rror|\bfailed\b|Sanitizer|^left out", line):
            chosen.append(line)
            below = True
    chosen = list(dict.fromkeys(chosen))
    return [line[:300] for line in (chosen[:SHOWN] or lines[-SHOWN:])]


@dataclass
class Verdict:
    passed: int
    failed: int
    lines: list

    @property
    def well(self):
        return self.failed == 0 and self.passed > 0


def judge(outcomes, missing, allowed, whole, unknown=()):
    """The sum of a run.

    missing: listed cases that no tree has. allowed: permissions to leave cases out. whole: all
    cases should run, so an unused permission is a failure, too.
    """
    lines = []
    passed = sum(outcome.state == "passed" and not outcome.case.makes for outcome in outcomes)
    failed = sum(outcome.state == "failed" for outcome in outcomes)
    used = {}  # permission: the outcomes that it permits
    for outcome in outcomes:
        if outcome.state != "left out":
            continue
        permission = next((each for each in allowed if each.holds_for(outcome)), None)
        if permission:
            used.setdefault(permission, []).append(outcome)
        else:
            failed += 1
            lines.append(f"FAIL left out: {outcome.case.full_name}: {outcome.why}")
    for permission, left in used.items():
        lines.append(f"left out: {permission.pattern}, cases: {len(left)} (permitted: {permission.reason})")
    for name in missing:
        failed += 1
        lines.append(f"FAIL not run: {name}: tests/times lists it, and no such case exists")
    for name in unknown:
        failed += 1
        lines.append(f"FAIL nothing ran for {name}: ./test --list names the cases")
    for permission in allowed if whole else ():
        if permission not in used:
            failed += 1
            lines.append(f"FAIL tests/left-out.txt permits {permission.pattern}, which was not left out")
    for outcome in outcomes:  # again, because a reader may see the last lines only
        if outcome.state == "failed":
            lines += [f"FAIL {_failure(outcome)}"] + [f"    {line}" for line in _telling(outcome.output)]
    retries = [(outcome.case.full_name, why) for outcome in outcomes for why in outcome.retries]
    lines += [f"retried: {name}: {why}" for name, why in retries]
    if len(retries) > RETRIES:
        failed += 1
        lines.append(f"FAIL {len(retries)} retries, at most {RETRIES} are permitted")
    if passed == 0 and failed == 0:
        failed = 1
        lines.append("FAIL nothing ran")
    return Verdict(passed, failed, lines)
