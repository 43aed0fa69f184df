"""The build trees and their cases, as ctest knows them."""

import json
import os
import subprocess
import tempfile
import xml.etree.ElementTree
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The presets whose trees have cases, in the order in which they are built and run.
TREES = ["release", "asserts", "tsan", "device-tsan", "asan", "ubsan", "fuzz", "aarch64"]
TREES = [tree for tree in TREES if f'"name": "{tree}"' in (ROOT / "CMakePresets.json").read_text(encoding="utf-8")]

# Descriptors of this run's lock. Its builds and cases hold them, too, so that no other run begins
# meanwhile.
LOCKS = []

# The trees that only --nightly builds; it runs all of their cases.
NIGHTLY = {"asserts", "ubsan"}


@dataclass(frozen=True)
class Case:
    """One case: `number` is ctest's in its tree; `label` is its step."""

    tree: str
    number: int
    name: str
    label: str
    beside: bool
    nightly: bool
    makes: bool  # it prepares data for others
    takes: tuple  # the cases that prepare its data

    @property
    def full_name(self):
        return self.name if self.tree == "release" else f"{self.tree}/{self.name}"

    @property
    def step(self):
        return self.label if self.tree == "release" else self.tree


@dataclass
class Outcome:
    """The end of a case: `state` is passed, failed, or left out (and `why`)."""

    case: Case
    state: str
    seconds: float
    output: str = ""
    why: str = ""
    retries: list = field(default_factory=list)


def folder(tree):
    return ROOT / "build" / tree


def cases(tree):
    """The cases of a configured tree."""
    shown = subprocess.run(
        ["ctest", "--test-dir", folder(tree), "--show-only=json-v1"], capture_output=True, text=True, check=True
    )
    found = []
    for number, test in enumerate(json.loads(shown.stdout)["tests"], 1):
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        labels = properties.get("LABELS", [])
        step = [label for label in labels if label not in ("beside", "nightly")]  # ctest sorts them
        if test["name"] in {case.name for case in found}:
            raise SystemExit(f"tests: the tree {tree} has two cases {test['name']}")
        if len(step) != 1:
            raise SystemExit(f"tests: {test['name']} of the tree {tree} has no label: add it by loomp_add_case()")
        found.append(
            Case(tree, number, test["name"], step[0], "beside" in labels, "nightly" in labels,
                 "FIXTURES_SETUP" in properties, tuple(properties.get("FIXTURES_REQUIRED", [])))
        )  # fmt: skip
    return found


def run(tree, chosen, at_a_time=1, log=None):
    """Runs cases of one tree, and their preparations; returns an Outcome for each. A case that
    ctest does not report has failed."""
    if not chosen:
        return []
    numbers = sorted(case.number for case in chosen)
    with tempfile.TemporaryDirectory(prefix="loomp-tests-") as scratch:
        report = os.path.join(scratch, "report.xml")
        command = [
            "ctest", "--test-dir", folder(tree), "-I", f"{numbers[0]},{numbers[0]},1," + ",".join(map(str, numbers)),
            "-j", str(at_a_time), "--output-junit", report, "--output-on-failure",
            "--test-output-size-passed", "4000000", "--test-output-size-failed", "4000000",
        ]  # fmt: skip
        with open(log or os.devnull, "ab") as output:
            # The caller's filter would leave tests out.
            environment = {name: value for name, value in os.environ.items() if not name.startswith("GTEST_")}
            subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                           stderr=subprocess.STDOUT, check=False, pass_fds=LOCKS)  # fmt: skip
        reported = _read(report)
    known = {case.name: case for case in cases(tree)}
    outcomes = [_outcome(known[name], test) for name, test in reported.items() if name in known]
    ran = {outcome.case.name for outcome in outcomes}
    for case in chosen:
        if case.name not in ran:
            outcomes.append(Outcome(case, "failed", 0.0, why="ctest did not run it"))
    return outcomes


def _read(report):
    """{name: its element}; none if ctest wrote no report."""
    try:
        root = xml.etree.ElementTree.parse(report).getroot()
    except (FileNotFoundError, xml.etree.ElementTree.ParseError):
        return {}
    return {test.get("name"): test for test in root.iter("testcase")}


def _outcome(case, test):
    """ctest's own result word: a case whose program is missing was not run, and has failed."""
    output = test.findtext("system-out") or ""
    seconds = float(test.get("time") or 0)
    retries = [line.partition(": ")[2] for line in output.splitlines() if line.startswith("retried: ")]
    skipped = test.find("skipped")
    if test.get("status") == "run":
        return Outcome(case, "passed", seconds, output, retries=retries)
    if skipped is not None and "SKIP_RETURN_CODE" in (skipped.get("message") or ""):
        said = [line for line in output.splitlines() if line.strip()]
        reasons = [line.partition(": ")[2] for line in said if line.startswith("left out: ")] or said
        return Outcome(case, "left out", seconds, output, reasons[-1] if reasons else "it says no reason")
    why = "failed" if test.get("status") == "fail" else "not run: its program is missing, or what prepares it failed"
    return Outcome(case, "failed", seconds, output, why, retries)
