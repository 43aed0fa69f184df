"""build/demo/index.html: the scenes with their tables and pictures, in one file."""

import os
from html import escape

from scene import is_number

_STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 900px; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 }
td, th { padding: .25em .8em; border-bottom: 1px solid #ddd; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.verdict { font-weight: bold } .wrong { color: #b00020 } .missing { color: #777 }
figure { margin: 1.5em 0 } figcaption { color: #555; margin-top: .4em } svg { max-width: 100%; height: auto }
pre { background: #f4f4f4; padding: .6em; white-space: pre-wrap }
"""
_LOOMP = ("loomp is an OpenMP runtime: it takes the place of gcc's (libgomp) and clang's (libomp) under programs that are built "
          "already, and lets a task that waits for an MPI call leave its thread to other tasks. Each scene ran just now, on this "
          "machine; results are checked, times are only shown, and other work on the machine shows in them.")


def _table(scene):
    head = "".join(f"<th>{escape(name)}</th>" for name in scene.head)
    rows = ("".join(f'<td{" class=number" if is_number(text) else ""}>{escape(text)}</td>' for text in row) for row in scene.rows)
    return f"<table><tr>{head}</tr>\n" + "".join(f"<tr>{row}</tr>\n" for row in rows) + "</table>\n"


def _figure(picture, folder):
    links = ", ".join(f'<a href="{escape(os.path.relpath(path, folder))}.html">{escape(title)}</a>'
                      for title, path in picture.traces.items())
    more = f" All of it, from loomp view: {links}." if links else ""
    return f"<figure>{picture.svg}<figcaption>{escape(picture.caption)}{more}</figcaption></figure>\n"


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
        page.write(f"<!doctype html><meta charset=utf-8><title>loomp: the demo</title><style>{_STYLE}</style>\n"
                   f"<h1>loomp: the demo</h1>\n<p>{escape(_LOOMP)}</p>\n<p>{escape(about)}</p>\n" + "".join(parts))
