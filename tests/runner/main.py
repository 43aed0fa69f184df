"""The command line of ./test, after everything is installed and release is built."""

import argparse
import fcntl
import os
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from runner import changed, nightly, session, times, trees, verdict


def parse(words):
    parser = argparse.ArgumentParser(
        prog="./test",
        description="Installs what is missing, builds loomp, and runs its tests: all, or those that are named.",
        epilog="NAME is a case (unit_deque_test, tsan/unit_deque_test), a step (unit), or a build tree (tsan). "
               "Example: ./test --no-setup unit_deque_test",
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="print the steps and their cases")
    parser.add_argument("--changed", action="store_true",
                        help="run in two minutes what the changes since main, and those not committed, can break")  # fmt: skip
    parser.add_argument("--nightly", action="store_true", help="go on with the cases that take longer")
    parser.add_argument("--minutes", type=float, default=60, help="how long --nightly goes on (%(default)s)")
    parser.add_argument("--again", action="store_true", help="let --nightly begin anew")
    parser.add_argument("--record-times", action="store_true", help="write what the cases took to tests/times")
    parser.add_argument("--no-setup", action="store_true", help="install nothing")
    options = parser.parse_args(words)
    if options.nightly and (options.names or options.changed or options.record_times):
        parser.error("--nightly takes no names, and neither --changed nor --record-times")
    return options


def print_list():
    for tree in trees.TREES:
        if not (trees.folder(tree) / "CTestTestfile.cmake").exists():
            print(f"{tree}: not built yet; ./test {tree} builds it")
            continue
        try:
            cases = trees.cases(tree)
        except SystemExit as why:
            print(f"{tree}: built from other sources; ./test {tree} builds it anew ({why})")
            continue
        for case in cases:
            print(f"{case.step:16} {case.full_name}{'  (nightly)' if case.nightly or tree in trees.NIGHTLY else ''}")


def named(names):
    """(trees, a function that selects cases) for the words of the command line."""
    wanted = [tree for tree in trees.TREES
              if tree in names or any(name.startswith(f"{tree}/") for name in names)]  # fmt: skip
    if any(name not in trees.TREES and "/" not in name for name in names):
        wanted.insert(0, "release")
    wanted = list(dict.fromkeys(wanted))

    def selected(case):
        return (case.full_name in names or case.tree in names and not case.nightly
                or case.tree == "release" and case.label in names and not case.nightly)  # fmt: skip

    return wanted, selected


def check_names(names, wanted):
    """Ends the program if a name has no meaning. Trees that are not built yet are not searched."""
    known = set(trees.TREES) | {"build"}
    for tree in wanted:
        if tree == "release" and (trees.folder(tree) / "CTestTestfile.cmake").exists():
            for case in trees.cases(tree):
                known |= {case.full_name, case.label if tree == "release" else case.full_name}
        else:
            known |= {name for name in names if name.startswith(f"{tree}/")}
    for name in names:
        if name not in known:
            sys.exit(f"loomp: no test '{name}': ./test --list names them")


def only_run():
    """Holds a lock to the end of this run, because two runs would empty each other's folders."""
    path = trees.ROOT / "build/test.lock"
    path.parent.mkdir(exist_ok=True)
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("loomp: another ./test runs in this folder: wait for its end")
    trees.LOCKS.append(lock)


def main(words):
    options = parse(words)
    if options.list:
        print_list()
        return 0
    only_run()
    verdict.permissions()  # an error in the list is reported before the run
    running = session.Session(count_builds=options.names == ["build"])
    if not running.build("release"):
        return running.finish([], whole=False)
    if options.nightly:
        return nightly.run(running, options.minutes, options.again)
    names, steps = options.names, None
    if options.changed:
        names = changed.choose()
        if names is None:
            print("nothing has changed that a test reads\n0 passed, 0 failed")
            return 0
        if not names:
            print("FAIL none of the steps that the change can break fits into two minutes: name them\n0 passed, 1 failed")
            return 1
    if names:
        wanted, selected = named(names)
        check_names(names, wanted)
        steps = set(names)
    else:
        wanted, selected = [tree for tree in trees.TREES if tree not in trees.NIGHTLY], lambda case: not case.nightly
    running.run(wanted, selected)
    if options.record_times:
        for tree in wanted:
            if tree not in running.failed_builds:
                known = [case for case in trees.cases(tree) if not case.nightly]
                times.record(tree, known, [each for each in running.outcomes if each.case.tree == tree])
    ran = {word for outcome in running.outcomes if outcome.case.label != "build"
           for word in (outcome.case.full_name, outcome.case.tree, outcome.case.label)}  # fmt: skip
    unknown = [name for name in options.names if name not in ran and name != "build"]
    whole = not names
    return running.finish(running.missing(wanted, steps), whole, unknown)


def guarded(words):
    """Runs main(), and prints the sum in any case."""
    try:
        return main(words)
    except SystemExit as end:
        status = end.code
        if not status:
            return 0
        if isinstance(status, str):
            print(status, file=sys.stderr)
    except BrokenPipeError:  # stdout is closed
        os._exit(1)
    except KeyboardInterrupt:
        print("loomp: interrupted", file=sys.stderr)
    except Exception:
        traceback.print_exc()
    sys.stderr.flush()
    print("0 passed, 1 failed", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(guarded(sys.argv[1:]))
