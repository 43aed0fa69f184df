"""build/demo/index.html: the scenes with their tables and pictures, in one file."""

import os
from html import escape

from scene import is_number

_STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #222; --muted: #555; --line: #ddd; --panel: #f4f4f4; --wrong: #b00020; --link: #1a5fb4 }
@media (prefers-color-scheme: dark) { :root { --ground: #14171b; --ink: #e8ebee; --muted: #a3adb8; --line: #343b43; --panel: #1d2126; --wrong: #ff8095; --link: #82b7ff } }
body { font: 15px/1.45 sans-serif; max-width: 900px; margin: 2em auto; padding: 0 1em; color: var(--ink); background: var(--ground); overflow-wrap: anywhere }
a { color: var(--link) } .scroll { overflow-x: auto }
table { border-collapse: collapse; margin: 1em 0 }
td, th { padding: .25em .8em; border-bottom: 1px solid var(--line); text-align: left; overflow-wrap: normal }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.verdict { font-weight: bold } .wrong { color: var(--wrong) } .missing { color: var(--muted) }
figure { margin: 1.5em 0 } figcaption { color: var(--muted); margin-top: .4em } svg { min-width: 640px; max-width: 100%; height: auto }
pre { background: var(--panel); padding: .6em; white-space: pre-wrap }
"""
_LOOMP = ("loomp is an OpenMP runtime: it takes the place of gcc's (libgomp) and clang's (libomp) under programs that are built "
          "already, and lets a task that waits for an MPI call leave its thread to other tasks. Each scene ran just now, on this "
          "machine; results are checked, times are only shown, and other work on the machine shows in them.")


def _table(scene):
    head = "".join(f"<th>{escape(name)}</th>" for name in scene.head)
    rows = ("".join(f'<td{" class=number" if is_number(text) else ""}>{escape(text)}</td>' for text in row) for row in scene.rows)
    return f'<div class="scroll"><table><tr>{head}</tr>\n' + "".join(f"<tr>{row}</tr>\n" for row in rows) + "</table></div>\n"


def _figure(picture, folder):
    links = ", ".join(f'<a href="{escape(os.path.relpath(path, folder))}.html">{escape(title)}</a>'
                      for title, path in picture.traces.items())
    more = f" All of it, from loomp view: {links}." if links else ""
    return f"<figure><div class=scroll>{picture.svg}</div><figcaption>{escape(picture.caption)}{more}</figcaption></figure>\n"


def write(path, scenes, about):
    """`scenes`: {number: Scene}; `about`: the machine, in words."""
    parts = []
    for number, scene in scenes.items():
        look = "missing" if scene.missing else "wrong" if scene.problems else "verdict"
        parts.append(f"<h2>{number}. {escape(scene.title)}</h2>\n"
                     f'<p class="verdict {look}">{escape(scene.outcome)}</p>\n<p>{escape(scene.about)}</p>\n')
        if scene.rows:
            parts.append(_table(scene))
        notes = [line for line in (*scene.notes, *scene.problems[1:]) if line]
        if notes:
            parts.append(f"<pre>{escape(chr(10).join(notes))}</pre>\n")
        parts += [_figure(picture, os.path.dirname(path)) for picture in scene.pictures]
    with open(path, "w", encoding="utf-8") as page:
        page.write(f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width, initial-scale=1'><title>loomp: the demo</title><style>{_STYLE}</style>\n"
                   f"<h1>loomp: the demo</h1>\n<p>{escape(_LOOMP)}</p>\n<p>{escape(about)}</p>\n" + "".join(parts))
