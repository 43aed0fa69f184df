"""./test --nightly: the cases that take longer, which can be interrupted and go on where they were.

It builds the trees that only it runs (trees.NIGHTLY) and the other ones that there are.

build/nightly.json has what became of each case so far, for the sources as they are. A run begins with the cases that
have no entry, and repeats those that have not passed; when all have, it says so. Other sources, or `--again`, begin anew.
"""

import hashlib
import json
import subprocess
import time

from . import trees, verdict

STATE = trees.ROOT / "build/nightly.json"


def sources():
    """A word for the sources as they are: another one after each change."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=trees.ROOT, capture_output=True, check=True).stdout

    return hashlib.sha256(git("rev-parse", "HEAD") + git("diff", "HEAD")).hexdigest()[:16]


def load(now):
    """{case: what became of it}; nothing of other sources."""
    state = json.loads(STATE.read_text(encoding="utf-8")) if STATE.exists() else {}
    return state["cases"] if state.get("sources") == now else {}


def save(now, state):
    new = STATE.with_suffix(".new")
    new.write_text(json.dumps({"sources": now, "cases": state}, indent=1) + "\n", encoding="utf-8")
    new.replace(STATE)


def run(session, minutes, again):
    """Runs what is left, for so many minutes; the exit status."""
    now = sources()
    state = {} if again else load(now)
    until = time.monotonic() + 60 * minutes
    for tree in trees.TREES:
        if tree != "release" and (tree in trees.NIGHTLY or (trees.folder(tree) / "CTestTestfile.cmake").exists()):
            session.build(tree)
    known = [case for tree in trees.TREES
             if tree not in session.failed_builds and (trees.folder(tree) / "CTestTestfile.cmake").exists()
             for case in trees.cases(tree) if case.nightly or tree in trees.NIGHTLY]  # fmt: skip
    state = {name: found for name, found in state.items() if name in {case.full_name for case in known}}
    left = [case for case in known if state.get(case.full_name, {}).get("state") != "passed"]
    left.sort(key=lambda case: case.full_name in state)  # those that failed come last
    print(f"nightly: {len(known)} cases, {len(left)} of them left", flush=True)
    for case in left:
        if time.monotonic() >= until:
            break
        log = session.logs / f"nightly-{case.full_name.replace('/', '-')}.log"
        log.unlink(missing_ok=True)
        outcomes = trees.run(case.tree, [case], log=log)
        session.report(case.full_name, outcomes)
        mine = next(outcome for outcome in outcomes if outcome.case.name == case.name)
        state[case.full_name] = {"state": mine.state, "seconds": mine.seconds, "why": mine.why}
        save(now, state)
    refused = 0  # cases left out without a permission count as failures
    if any(outcome.case.label != "build" for outcome in session.outcomes):
        result = verdict.judge(session.outcomes, [], verdict.permissions(), whole=False)
        refused = sum(line.startswith("FAIL left out") for line in result.lines)
        for line in result.lines:
            print(line)
    left = [case.full_name for case in known if case.full_name not in state]
    failed = [name for name, found in state.items() if found["state"] == "failed"]
    print(f"nightly: {len(left)} cases are left: ./test --nightly goes on" if left else
          "nightly: all cases have run; ./test --nightly --again begins anew")
    for name in failed:
        print(f"FAIL {name}: {state[name]['why']}")
    for tree in sorted(session.failed_builds):
        print(f"FAIL {tree}: it does not build: build/logs/build-{tree}.log")
    passed = sum(found["state"] == "passed" for found in state.values())
    failures = len(failed) + refused + len(session.failed_builds)
    print(f"{passed} passed, {failures} failed")
    return 1 if failures or not passed else 0
