#!/usr/bin/env python3
"""Compares what a command printed with the document's sample of it: sample.py FILE LINE OUTPUT...

The sample is the lines of the code block below the command, up to the next command. Numbers with a point vary, and so do
spaces; all else is the same. A line `...` stands for any lines. Prints the first line that is missing; ends with status 1 then.
"""
import re
import sys


def masked(line):
    return " ".join(re.sub(r"\d*\.\d+", "~", line).split())


def sample(lines, number):
    """The lines below the command of that number, from 1, as a list of parts between `...`."""
    parts = [[]]
    for line in lines[number:]:
        text = line.strip()
        if text and not line.startswith("    ") or text.startswith("$ "):
            break
        if text == "...":
            parts.append([])
        elif text:
            parts[-1].append(text)
    return parts


def main(file, number, *outputs):
    with open(file, encoding="utf-8") as document:
        parts = sample(document.read().splitlines(), int(number))
    printed = [masked(line) for output in outputs for line in open(output, encoding="utf-8") if line.strip()]
    place = 0
    for part in parts:
        wanted = [masked(line) for line in part]
        starts = [at for at in range(place, len(printed) + 1) if printed[at : at + len(wanted)] == wanted]
        if not starts:
            print(f"{file}:{number}: not printed: {part}\nbut {printed[place:]}")
            return 1
        place = starts[0] + len(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
