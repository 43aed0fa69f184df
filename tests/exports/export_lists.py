"""The lists of what libloomp.so exports: libgomp.txt, from which the build makes versions, and those of this folder."""

import re

FOLDERS = ("runtime/abi/exports", "tests/exports")


def expanded(line):
    """Each name that a line stands for: {a,b} is one of its alternatives."""
    braces = re.search(r"\{([^{}]*)\}", line)
    if braces is None:
        return [line]
    before, after = line[: braces.start()], line[braces.end() :]
    return [name for alternative in braces[1].split(",") for name in expanded(before + alternative + after)]


def listed(root):
    """{list: the set of its name@version}"""
    return {path.stem: {name for line in path.read_text().splitlines() if line and not line.startswith("#")
                        for name in expanded(line)}
            for folder in FOLDERS for path in sorted((root / folder).glob("*.txt"))}  # fmt: skip
