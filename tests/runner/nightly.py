"""./test --nightly: the cases that take longer. A run can be interrupted and continued.

It builds the trees that only it runs (trees.NIGHTLY) and those that have been built before.

build/nightly.json has the results so far for the current sources. A run begins with the cases
without an entry, and repeats those that have not passed; when all have passed, it reports that.
Changed sources, or `--again`, start from the beginning.
"""

import hashlib
import json
import subprocess
import time

from . import trees, verdict

STATE = trees.ROOT / "build/nightly.json"


def sources():
    """A hash of the current sources, which every change alters."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=trees.ROOT, capture_output=True, check=True).stdout

    found = hashlib.sha256(git("rev-parse", "HEAD") + git("diff", "HEAD"))
    for name in sorted(git("ls-files", "-z", "--others", "--exclude-standard").decode().split("\0")[:-1]):
        found.update(name.encode() + (trees.ROOT / name).read_bytes())
    return found.hexdigest()[:16]


def load(now):
    """{case: its state, seconds and reason}; empty if the sources have changed."""
    state = json.loads(STATE.read_text(encoding="utf-8")) if STATE.exists() else {}
    return state["cases"] if state.get("sources") == now else {}


def save(now, state):
    new = STATE.with_suffix(".new")
    new.write_text(json.dumps({"sources": now, "cases": state}, indent=1) + "\n", encoding="utf-8")
    new.replace(STATE)


def run(session, minutes, again):
    """Runs the remaining cases for this many minutes; returns the exit status."""
    now = sources()
    state = {} if again else load(now)
    until = time.monotonic() + 60 * minutes
    for tree in trees.TREES:
        if tree != "release" and (tree in trees.NIGHTLY or (trees.folder(tree) / "CTestTestfile.cmake").exists()):
            session.build(tree)
    known = [case for tree in trees.TREES
             if tree not in session.failed_builds and (trees.folder(tree) / "CTestTestfile.cmake").exists()
             for case in trees.cases(tree) if (case.nightly or tree in trees.NIGHTLY) and not case.makes]  # fmt: skip
    state = {name: found for name, found in state.items() if name in {case.full_name for case in known}}
    left = [case for case in known if state.get(case.full_name, {}).get("state") != "passed"]
    left.sort(key=lambda case: case.full_name in state)  # those that failed come last
    print(f"nightly: {len(known)} cases, {len(left)} of them left", flush=True)
    allowed = verdict.permissions()
    while left and time.monotonic() < until:
        first = left[0]  # grouped with those that need equal preparation
        group = [case for case in left if case is first or case.takes and (case.tree, case.takes) == (first.tree, first.takes)]
        left = [case for case in left if case not in group]
        name = first.full_name if len(group) == 1 else f"{first.tree} {first.label}"
        log = session.logs / f"nightly-{name.replace('/', '-').replace(' ', '-')}.log"
        log.unlink(missing_ok=True)
        outcomes = trees.run(first.tree, group, log=log)
        session.report(name, outcomes)
        for outcome in outcomes:
            refused = outcome.state == "left out" and not any(each.holds_for(outcome) for each in allowed)
            state[outcome.case.full_name] = {"state": "failed" if refused else outcome.state, "seconds": outcome.seconds,
                                             "why": f"left out: {outcome.why}" if refused else outcome.why}  # fmt: skip
        save(now, state)
    failures = len(session.failed_builds)
    for line in verdict.judge(session.outcomes, [], allowed, whole=False).lines:
        if not line.startswith("FAIL"):
            print(line)
        elif line.endswith("are permitted"):
            failures += 1
            print(line)
    left = [case.full_name for case in known if case.full_name not in state]
    print(f"nightly: {len(left)} cases are left: ./test --nightly goes on" if left else
          "nightly: all cases have run; ./test --nightly --again begins anew")
    failed = [name for name, found in state.items() if found["state"] == "failed"]
    for name in failed:
        print(f"FAIL {name}: {state[name]['why']}")
    for tree in sorted(session.failed_builds):
        print(f"FAIL {tree}: it does not build: build/logs/build-{tree}.log")
    passed = sum(found["state"] == "passed" for found in state.values())
    failures += len(failed)
    print(f"{passed} passed, {failures} failed")
    return 1 if failures or not passed else 0
