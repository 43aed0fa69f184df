"""Verdicts -> text, a log per failure, and comparisons with expectations."""

import collections
import os
import re
import shlex

from .execute import NOT_APPLICABLE, PASS
from .kinds import HANG


def write_logs(directory, verdicts):
    """One file per failure. Tests that did not run now keep theirs."""
    os.makedirs(directory, exist_ok=True)
    for name, verdict in verdicts.items():
        log = os.path.join(directory, name.replace("/", "_").replace(":", "_") + ".log")
        if verdict.failed():
            with open(log, "w", encoding="utf-8") as file:
                file.write(f"{name}: {describe(verdict)}\n{verdict.output}\n")
        elif os.path.exists(log):
            os.remove(log)


def describe(verdict):
    return f"{verdict.kind or verdict.status}: {verdict.why}" if verdict.why else verdict.kind or verdict.status


def repeat(again, name):
    """The command line that runs one test once more."""
    pattern = "^" + re.sub(r"[.+*?()\[\]]", r"\\\g<0>", name) + "$"
    return shlex.join([*again, "--filter", pattern])


def summarize(verdicts, listed, again, whole):
    """Prints the result: first all that differs from `listed`, so that a report that is cut keeps it; then the expected
    failures; last `N passed, N failed`. Returns whether nothing differs. `again` is the command that repeats the run;
    `whole`: all tests were chosen."""
    passed = [name for name, verdict in verdicts.items() if verdict.status == PASS]
    failed = sorted(name for name, verdict in verdicts.items() if verdict.failed())
    skipped = sum(verdict.status == NOT_APPLICABLE for verdict in verdicts.values())
    unexpected = [name for name in failed if not listed.allows(name, verdicts[name].kind)]
    for name in unexpected:
        _print_failure(name, verdicts[name], listed.failures.get(name))
        print(f"    repeat: {repeat(again, name)}")
    cured = [name for name in passed if name in listed.failures and not listed.failures[name].sometimes]
    for name in cured:
        print(f"PASSES NOW {name}: take it off the list of expected failures")
        print(f"    repeat: {repeat(again, name)}")
    unknown = []
    if whole:
        for name in sorted(set(listed.failures) & set(verdicts) - set(passed) - set(failed)):
            print(f"not applicable, though its failure is listed: {name}: {verdicts[name].why}")
        unknown = sorted(name for name in set(listed.failures) - set(verdicts) if not listed.failures[name].newer)
        for name in unknown:
            print(f"NO SUCH TEST in the suite: {name}: take it off the list of expected failures")
    ran = len(passed) + len(failed)
    least = listed.minimum if whole else 1
    if ran < least:
        print(f"TOO FEW: {ran} tests ran, of at least {least}; {skipped} are not applicable{_main_reason(verdicts)}")
    for name in sorted(set(failed) - set(unexpected)):
        _print_failure(name, verdicts[name], listed.failures[name])
    hung = sum(verdict.kind == HANG for verdict in verdicts.values())
    print(f"{skipped} not applicable, {hung} hung, {len(unexpected)} unexpected failures, {len(cured)} pass unexpectedly")
    print(f"{len(passed)} passed, {len(failed)} failed", flush=True)
    return not unexpected and not cured and not unknown and ran >= least


def _print_failure(name, verdict, expected):
    if expected is None:
        note = ""
    elif expected.kind == verdict.kind:
        note = f" (expected: {expected.reason})"
    else:
        note = f" (ANOTHER KIND than the expected {expected.kind}: {expected.reason})"
    print(f"FAILED {name}: {describe(verdict)}{note}")
    if verdict.kind == HANG and (expected is None or expected.kind != HANG):
        print("\n".join(line for line in verdict.output.splitlines() if line.startswith("hung: ")))


def _main_reason(verdicts):
    reasons = collections.Counter(v.why.partition(":")[0] for v in verdicts.values() if v.status == NOT_APPLICABLE)
    return ", mostly: " + reasons.most_common(1)[0][0] if reasons else ""
