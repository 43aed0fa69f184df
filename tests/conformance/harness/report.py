"""Verdicts -> text, JSON, a log per failure, and comparisons with expectations and other runs."""

import json
import os
import shutil

from .execute import HANG, NOT_APPLICABLE, PASS, Verdict


def read_expected(path):
    """`test-name | reason` per line -> {name: reason}; # begins a comment. A reason that begins with
    `sometimes:` or `sometimes hangs:` is of a test that also passes."""
    expected = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            name, bar, reason = (part.strip() for part in line.partition("|"))
            if not bar or not reason:
                raise SystemExit(f"conformance: {path}:{number}: write `test-name | reason`")
            expected[name] = reason
    return expected


def hanging(expected):
    """The tests whose hangs are explained."""
    return {name for name, reason in expected.items() if reason.startswith("sometimes hangs:")}


def write_json(path, facts, verdicts):
    with open(path, "w", encoding="utf-8") as file:
        tests = {name: verdict.as_dict() for name, verdict in sorted(verdicts.items())}
        json.dump({**facts, "tests": tests}, file, indent=1)
        file.write("\n")


def read_json(path):
    with open(path, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    return {name: Verdict(**facts) for name, facts in tests.items()}


def write_logs(directory, verdicts):
    """One file per failure; those of an earlier run go."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for name, verdict in verdicts.items():
        if verdict.failed():
            log = os.path.join(directory, name.replace("/", "_").replace(":", "_") + ".log")
            with open(log, "w", encoding="utf-8") as file:
                file.write(f"{name}: {describe(verdict)}\n{verdict.output}\n")


def describe(verdict):
    return f"{verdict.status}: {verdict.why}" if verdict.why else verdict.status


def summarize(verdicts, expected):
    """Prints the result, last `N passed, N failed`. Returns whether all is as expected."""
    passed = [name for name, verdict in verdicts.items() if verdict.status == PASS]
    failed = sorted(name for name, verdict in verdicts.items() if verdict.failed())
    skipped = sum(verdict.status == NOT_APPLICABLE for verdict in verdicts.values())
    unexpected = [name for name in failed if name not in expected]
    for name in failed:
        reason = f" (expected: {expected[name]})" if name in expected else ""
        print(f"FAILED {name}: {describe(verdicts[name])}{reason}")
        if name in unexpected and verdicts[name].status == HANG:
            lines = verdicts[name].output.splitlines()
            print("\n".join(line for line in lines if line.startswith("hung: ")))
    for name in sorted(set(expected) & set(passed)):
        if expected[name].startswith(("sometimes:", "sometimes hangs:")):
            continue
        print(f"PASSES NOW {name}: take it off the list of expected failures")
    hung = sum(verdict.status == HANG for verdict in verdicts.values())
    print(f"{skipped} not applicable, {hung} hung, {len(unexpected)} unexpected failures")
    print(f"{len(passed)} passed, {len(failed)} failed", flush=True)
    return not unexpected


def compare(first, second):
    """Prints the tests whose status differs between two JSON files; returns how many do."""
    left, right = read_json(first), read_json(second)
    missing = Verdict("absent")
    differing = 0
    for name in sorted(set(left) | set(right)):
        one, other = left.get(name, missing), right.get(name, missing)
        if one.status != other.status:
            differing += 1
            print(f"{name}: {describe(one)} -> {describe(other)}")
    print(f"{differing} tests differ")
    return differing
