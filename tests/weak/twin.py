#!/usr/bin/env python3
"""What tests/weak changes (twins.txt): sources that are copied with another text, and operations that get a weaker order.

    twin.py list                     prints PIECE TWIN FILES for each piece (TWIN is -) and each of its twins; FILES are the
                                     piece's changed ones, joined by commas, or -
    twin.py write PIECE FOLDER       writes the piece's changed files
    twin.py run PIECE TWIN PROGRAM   runs the twin
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHANGES = HERE / "twins.txt"


class Change:
    def __init__(self, paragraph):
        lines = paragraph.splitlines()
        header = [line for line in lines if line[0] not in "-+"]
        keys = dict(line.partition(": ")[::2] for line in header)
        expected = {"piece", "what", "in"} | ({"twin", "fails", "order"} if "twin" in keys else set())
        if set(keys) != expected or not (HERE / f"{keys['piece']}.cpp").exists():
            sys.exit(f"loomp: {CHANGES}: expected the lines {', '.join(sorted(expected))} here, and a piece that exists:\n{paragraph}")
        self.piece, self.path, self.twin = keys["piece"], keys["in"], keys.get("twin")
        self.fails, self.order = keys.get("fails"), keys.get("order")
        self.old = [line[1:] for line in lines[len(header) :] if line[0] == "-"]
        self.new = [line[1:] for line in lines[len(header) :] if line[0] == "+"]

    def place(self, lines):
        """The index of its first line."""
        places = [i for i in range(len(lines)) if lines[i : i + len(self.old)] == self.old]
        if len(places) != 1:
            sys.exit(f"FAIL {CHANGES}: the lines of {self.piece} {self.twin or ''} stand {len(places)} times in {self.path}")
        return places[0]

    def lines_of_operation(self):
        """Its first and last line, from 1."""
        if self.path == "membarrier":
            return 1, 1
        first = self.place((ROOT / self.path).read_text(encoding="utf-8").splitlines()) + 1
        return first, first + len(self.old) - 1


def read():
    lines = [line for line in CHANGES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [Change(paragraph) for paragraph in "\n".join(lines).strip().split("\n\n")]


def print_list():
    changes = read()
    for piece in sorted(path.stem for path in HERE.glob("*.cpp") if path.stem != "model"):
        own = [change for change in changes if change.piece == piece]
        twins = [change.twin for change in own if change.twin]
        if not twins or len(set(twins)) < len(twins):
            sys.exit(f"loomp: {CHANGES}: no twins of {piece}, or one twice")
        print(piece, "-", ",".join(sorted({change.path for change in own if not change.twin})) or "-")
        for twin in twins:
            print(piece, twin, "-")


def write(piece, folder):
    texts = {}
    for change in read():
        if change.piece != piece or change.twin:
            continue
        lines = texts.setdefault(change.path, (ROOT / change.path).read_text(encoding="utf-8").splitlines())
        first = change.place(lines)
        if len(change.new) != len(change.old):
            sys.exit(f"loomp: {CHANGES}: lines of {change.path} would have other numbers")
        lines[first : first + len(change.old)] = change.new
    for path, lines in texts.items():
        target = Path(folder) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(piece, name, program):
    change = next((change for change in read() if change.piece == piece and change.twin == name), None)
    if change is None:
        sys.exit(f"FAIL {CHANGES}: no twin {name} of {piece}")
    first, last = change.lines_of_operation()
    os.execv(program, [program, "--weaken", change.path, str(first), str(last), change.order, change.fails])


def main():
    words = sys.argv[1:]
    if words == ["list"]:
        print_list()
    elif len(words) == 3 and words[0] == "write":
        write(*words[1:])
    elif len(words) == 4 and words[0] == "run":
        run(*words[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
