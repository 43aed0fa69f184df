"""The command line of ./test, after everything is installed and release is built."""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from runner import changed, nightly, session, times, trees


def parse(words):
    parser = argparse.ArgumentParser(
        prog="./test",
        description="Installs what is missing, builds loomp, and runs its tests: all, or those that are named.",
        epilog="NAME is a case (unit_deque_test, tsan/unit_deque_test), a step (unit), or a build tree (tsan).",
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
    return parser.parse_args(words)


def print_list():
    for tree in trees.TREES:
        if not (trees.folder(tree) / "CTestTestfile.cmake").exists():
            print(f"{tree}: not built yet; ./test {tree} builds it")
            continue
        for case in trees.cases(tree):
            print(f"{case.step:16} {case.full_name}{'  (nightly)' if case.nightly else ''}")


def named(names):
    """(trees, whether a case is chosen) for words of the command line."""
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
    """Ends the program if a name means nothing. Trees that are not built yet are not looked into."""
    known = set(trees.TREES) | {"build"}
    for tree in wanted:
        if (trees.folder(tree) / "CTestTestfile.cmake").exists():
            for case in trees.cases(tree):
                known |= {case.full_name, case.label if tree == "release" else case.full_name}
        else:
            known |= {name for name in names if name.startswith(f"{tree}/")}
    for name in names:
        if name not in known:
            sys.exit(f"loomp: no test '{name}': ./test --list names them")


def main(words):
    options = parse(words)
    if options.list:
        print_list()
        return 0
    running = session.Session()
    if not running.build("release"):
        return running.finish([], whole=False)
    if options.nightly:
        return nightly.run(running, options.minutes, options.again)
    names, steps = options.names, None
    if options.changed:
        names = changed.choose()
        if not names:
            print("0 failed: nothing has changed that a test reads\n1 passed, 0 failed")
            return 0
    if names:
        wanted, selected = named(names)
        check_names(names, wanted)
        steps = set(names)
    else:
        wanted, selected = trees.TREES, lambda case: not case.nightly
    running.run(wanted, selected)
    if options.record_times:
        for tree in wanted:
            if tree not in running.failed_builds:
                known = [case for case in trees.cases(tree) if not case.nightly]
                times.record(tree, known, [each for each in running.outcomes if each.case.tree == tree])
    whole = not names
    return running.finish(running.missing(wanted, steps), whole)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
