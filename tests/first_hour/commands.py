#!/usr/bin/env python3
"""The commands in Markdown files, in order: commands.py FILE... prints FILE:LINE, a tab and a command each.

Lines of code blocks (indented or between fences) that begin with `$ `, or with a word of COMMANDS after
assignments to variables, without the explanation after two spaces; and code within text that begins so and names what it
works on.
"""
import re
import sys

COMMANDS = r"(?:\w+=\S+ +)*(?:loomp|mpirun|cmake|python3|gcc|tests/\S+|\./demo|\./test|build/\S+/(?:loomp|mpirun|pip))\b(?!:)"
COMPLETE = r"\./app|\bDIR\b|\binfo\b|\bscript\.py\b| -c "


def commands(path):
    fenced = False
    paragraph = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.startswith("```"):
            fenced = not fenced
            continue
        if fenced or line.startswith("    "):
            text = line.strip()
            prompt = text.startswith("$ ")
            text = text[2:] if prompt else text
            if prompt or re.match(COMMANDS, text):
                yield number, re.split(r"\s{2,}", text)[0]
            continue
        # Code within text may go on in the next line.
        paragraph = [] if line.strip() == "" else paragraph + [(number, line.strip())]
        joined = " ".join(text for _, text in paragraph)
        before = " ".join(text for _, text in paragraph[:-1])
        for code in re.finditer(r"`([^`]+)`", joined):
            if code.end() > len(before) and re.match(COMMANDS, code[1]) and re.search(COMPLETE, code[1]):
                yield number, code[1]


for file in sys.argv[1:]:
    for line_number, command in commands(file):
        print(f"{file}:{line_number}\t{command}")
