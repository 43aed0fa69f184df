"""./test --nightly: the cases that take longer, which can be interrupted and go on where they were.

build/nightly.json has what became of each case so far. A run begins with the cases that have no entry; when all have
one, it says so, and `--again` begins anew.
"""

import json
import time

from . import trees, verdict

STATE = trees.ROOT / "build/nightly.json"


def load():
    return json.loads(STATE.read_text(encoding="utf-8")) if STATE.exists() else {}


def save(state):
    STATE.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")


def run(session, minutes, again):
    """Runs what is left, for so many minutes; the exit status."""
    state = {} if again else load()
    until = time.monotonic() + 60 * minutes
    known = [case for tree in trees.TREES if (trees.folder(tree) / "CTestTestfile.cmake").exists()
             for case in trees.cases(tree) if case.nightly]  # fmt: skip
    left = [case for case in known if case.full_name not in state]
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
        save(state)
    left = [case.full_name for case in known if case.full_name not in state]
    failed = [name for name, found in state.items() if found["state"] == "failed"]
    result = verdict.judge(session.outcomes, [], verdict.permissions(), whole=False)
    for line in result.lines:
        print(line)
    print(f"nightly: {len(left)} cases are left: ./test --nightly goes on" if left else
          "nightly: all cases have run; ./test --nightly --again begins anew")
    for name in failed:
        print(f"FAIL {name}: {state[name]['why']}")
    print(f"{len(state) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not state else 0
