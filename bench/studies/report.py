"""Writes a study's results: NAME.csv, NAME.svg and NAME.png, NAME.json (its sentences), and the
page of all."""

import csv
import json
from html import escape

_STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .25em .8em; border-bottom: 1px solid #ddd; text-align: left }
.said { font-weight: bold } .source { color: #555 } img { max-width: 100% } figure { margin: 1em 0 } figcaption { color: #555; font-size: 13px } code { background: #f4f4f4; padding: 0 .3em }
"""


def load_pyplot():
    """matplotlib's pyplot, or None."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot
        return matplotlib.pyplot
    except ImportError:
        return None


def write_data(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def draw(study, rows, out, pyplot):
    figure = pyplot.figure(figsize=(9, 3.6))
    study.draw(rows, figure)
    figure.tight_layout()
    for kind in ("svg", "png"):
        figure.savefig(out / f"{study.name}.{kind}", dpi=120)
    pyplot.close(figure)


def write(study, rows, lab, seconds, pyplot):
    """The files of one study; `lab.commands` lists its commands."""
    write_data(lab.out / f"{study.name}.csv", rows)
    if pyplot:
        draw(study, rows, lab.out, pyplot)
    (lab.out / f"{study.name}.commands.txt").write_text("\n".join(lab.commands) + "\n", encoding="utf-8")
    (lab.out / f"{study.name}.json").write_text(json.dumps({
        "compared": study.compare(rows), "said": study.say(rows), "seconds": seconds, "plotted": bool(pyplot),
        "remarks": lab.remarks, "conditions": f"{lab.threads} threads, medians of {lab.reps} runs"}, indent=1), encoding="utf-8")


def _section(study, out):
    found = json.loads((out / f"{study.name}.json").read_text(encoding="utf-8"))
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>\n" for line in found["compared"])
    here = (f'<code>bench/study {study.name}</code>, data: <a href="{study.name}.csv">{study.name}.csv</a>, what ran: '
            f'<a href="{study.name}.commands.txt">commands</a>')
    picture = (f'<figure><a href="{study.name}.svg"><img src="{study.name}.png" alt="{escape(study.title)}"></a>'
               f"<figcaption>{here}</figcaption></figure>\n" if found["plotted"] else "")
    remarks = "".join(f"<p>Left out: {escape(text)}.</p>\n" for text in found.get("remarks", []))
    return (f'<h2 id="{study.name}">{escape(study.title)}</h2>\n<p class="source">{escape(study.source)}. {escape(study.note)}</p>\n'
            f'<p class="said">{escape(found["said"])}.</p>\n{picture}{remarks}'
            f"<table><tr><th></th><th>published</th><th>where</th><th>here</th></tr>\n{rows}</table>\n"
            f'<p class="source">The figures in the column "here": {here}; {escape(found["conditions"])}, {found["seconds"]:.0f} s.</p>\n')


def write_page(studies, out, machine, missing):
    """Writes index.html with all studies that have data in `out`; `missing`: {name: why it was not
    run}."""
    done = [study for study in studies if (out / f"{study.name}.json").exists()]
    listed = "".join(f'<li><a href="#{study.name}">{escape(study.title)}</a></li>\n' for study in done)
    left = "".join(f"<p>Not run: {escape(name)}: {escape(why)}.</p>\n" for name, why in missing.items())
    (out / "index.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>loomp: the studies</title><style>{_STYLE}</style>\n<h1>loomp: the studies</h1>\n"
        "<p>The experiments of R. Pereira's thesis (2023), chapters 5 and 6, and of the paper on A64FX (2024), in sizes for this "
        f"machine: {escape(machine)}. Published figures are of other machines and runtimes: trends can be compared, times cannot."
        f"</p>\n<ul>{listed}</ul>\n{left}" + "".join(_section(study, out) for study in done), encoding="utf-8")
