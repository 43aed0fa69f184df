"""Checks outputs of the trace of `labels odd`: odd_names.py FILE..."""
import json
import re
import sys

LONGEST = 20 * 1024
NAMES = ["(blank)", "Latin\ufffd", "a [31m b", '"q"\\<b>&amp;', "L" * LONGEST]
LIMITS = {".txt": 1000, ".dot": 16383}  # a line's width for people; Graphviz refuses longer names


def unquoted(text, ending):
    """The text without the format's way to write quotes and the like."""
    if ending == ".csv":
        return text.replace('""', '"')
    if ending in (".dot", ".html"):
        return text.replace('\\"', '"').replace("\\\\", "\\").replace("\\u003c", "<")
    return text


def strings(value):
    """All strings of a JSON value."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, str):
        yield value


def problems(file):
    """What is wrong with the file."""
    ending = file[file.rindex("."):]
    with open(file, encoding="utf-8", newline="") as opened:  # invalid UTF-8 is an exception
        text = opened.read()
    if re.search("[\x00-\x09\x0b-\x1f\x7f]", text) and ending != ".html":
        yield "control characters"
    limit = LIMITS.get(ending)
    if limit and max(map(len, text.splitlines())) > limit:
        yield "long lines"
    found = set(strings(json.loads(text))) if ending == ".json" else unquoted(text, ending)
    for name in NAMES:
        expected = name[:400] if limit and len(name) > limit else name
        if expected not in found:
            yield f"no {expected[:20]}"


if __name__ == "__main__":
    print("\n".join(f"{file}: {problem}" for file in sys.argv[1:] for problem in problems(file)) or "ok")
