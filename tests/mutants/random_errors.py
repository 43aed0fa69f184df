"""Small errors, chosen by a seed, in C++ sources: one token or one statement is changed."""

import random
import re
from dataclasses import dataclass

from overlay import ROOT

# The core's protocols: what decides when a task runs, waits, ends, and is freed.
FOLDERS = ["base", "dependences", "persistent", "progress", "queues", "regions", "scheduling", "suspension",
           "task", "team"]  # fmt: skip

SWAPS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \+= ", " -= "), (r" -= ", " += "), (r"\+\+(?=\w)", "--"), (r"--(?=\w)", "++"),
    (r" && ", " || "), (r" \|\| ", " && "), (r"\bif \((.*)\)( \{)?$", r"if (!(\1))\2"), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"\bfetch_add\b", "fetch_sub"), (r"\bfetch_sub\b", "fetch_add"), (r"(?<=[ (])1(?=[;,) ])", "2"), (r"(?<=[ (])0(?=[;,) ])", "1"),
    (r"memory_order_(release|acquire|acq_rel|seq_cst)", "memory_order_relaxed"), (r" \? (.+) : (.+);", r" ? \2 : \1;"),
]  # fmt: skip
# A call, or an assignment, that is a statement of its own and on one line.
STATEMENT = re.compile(r"^(\s+)(?!return|break|continue|using|static|const|auto|case|default)[\w:>.*()\[\]-]+(\(.*\)| = .*);$")
IGNORED = re.compile(r"^\s*(//|#|\*)|static_assert|LOOMP_ASSERT|\bassert\(")


@dataclass(frozen=True)
class Error:
    """Line `line` (from 1) of `path` becomes `new`."""

    path: str
    line: int
    old: str
    new: str

    @property
    def name(self):
        return f"{self.path}:{self.line}: {self.old.strip()}  ->  {self.new.strip() or '(nothing)'}"


def of_line(path, number, line, swaps=tuple(SWAPS)):
    """All errors that can be made in a line."""
    if IGNORED.search(line) or '"' in line:
        return
    code = line.split(" //")[0]
    for pattern, new in swaps:
        for match in re.finditer(pattern, code):
            changed = line[: match.start()] + match.expand(new) + line[match.end() :]
            yield Error(path, number, line, changed)
    if STATEMENT.match(code):
        yield Error(path, number, line, "")


def sources():
    return [path for folder in FOLDERS for path in sorted((ROOT / "runtime/core" / folder).glob("*.*"))
            if path.suffix in (".h", ".cpp") and not path.stem.endswith("_test")]  # fmt: skip


def draw(by_file, seed):
    """All errors in some order: a file by chance, then one of its errors."""
    chance = random.Random(seed)
    drawn = set()
    while len(drawn) < sum(len(errors) for errors in by_file.values()):
        error = chance.choice(by_file[chance.choice(sorted(by_file))])
        if error.name not in drawn:
            drawn.add(error.name)
            yield error


def sample(count, seed):
    """`count` errors: a file by chance, then a line of it, so that long files are not chosen more often."""
    chance = random.Random(seed)
    by_file = {}
    for path in sources():
        name = str(path.relative_to(ROOT))
        found = [list(of_line(name, number, line))
                 for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)]  # fmt: skip
        by_file[name] = [errors for errors in found if errors]
    files = sorted(name for name, lines in by_file.items() if lines)
    chosen = {}
    while len(chosen) < count:
        error = chance.choice(chance.choice(by_file[chance.choice(files)]))
        chosen[error.name] = error
    return list(chosen.values())
