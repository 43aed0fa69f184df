"""tests/times/TREE.txt: `STEP CASE SECONDS`, a line for each case of a tree.

The list has two purposes. The usual time of a case defines its time limit (tests/limited). A listed
case that does not run is a failure.
"""

from . import trees

FOLDER = trees.ROOT / "tests/times"
HEADING = """\
# The cases of this build tree and the seconds that each usually takes: STEP CASE SECONDS. `./test --record-times` adds
# what is new and removes what is gone.
"""


def read(tree):
    """{case: (step, seconds)}"""
    found = {}
    path = FOLDER / f"{tree}.txt"
    if path.exists():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line and not line.startswith("#"):
                words = line.split()
                if len(words) != 3:
                    raise SystemExit(f"tests: {path}:{number}: write `STEP CASE SECONDS`")
                found[words[1]] = (words[0], float(words[2]))
    return found


def listed():
    """The trees that have a list."""
    return [path.stem for path in sorted(FOLDER.glob("*.txt"))]


def missing(tree, known, steps=None):
    """The names of listed cases that the tree no longer has, in the given steps."""
    names = {case.name for case in known}
    return [name for name, (step, _) in read(tree).items() if name not in names and (steps is None or step in steps)]


def record(tree, known, outcomes):
    """Rewrites the list: a case that passed gets its time if it has none, or if the time differs by
    half."""
    listed = read(tree)
    seconds = {case.name: listed[case.name][1] for case in known if case.name in listed}
    for outcome in outcomes:
        name = outcome.case.name
        measured = round(outcome.seconds, 1)
        if outcome.state == "passed" and (name not in seconds or abs(seconds[name] - measured) > max(1, seconds[name] / 2)):
            seconds[name] = measured
    lines = sorted(f"{case.label} {case.name} {seconds[case.name]:g}\n" for case in known if case.name in seconds)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{tree}.txt").write_text(HEADING + "".join(lines), encoding="utf-8")
