"""Writes a study's results: NAME.csv, NAME.svg and NAME.png, NAME.json (its sentences), and the
page of all."""

import csv
import json
import time
from html import escape

from .study import same_trend

DATE = "%Y-%m-%d %H:%M:%S"

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


def read_data(path):
    """Rows as the study's run() had them: numbers are numbers again."""
    def value(text):
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        return text
    with open(path, newline="", encoding="utf-8") as data:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(data)]


def conditions(args):
    """What a result depends on beside the machine and the build."""
    return f"{args.threads} threads, {'medians' if args.by == 'median' else 'minima'} of {args.reps} runs" + (", tiny sizes" if args.quick else "")


def load(study, out):
    """The study's last result in `out`, as write() left it; None if there is none, or one without a date (earlier forms)."""
    path = out / f"{study.name}.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found if "dated" in found else None


def draw(study, rows, out, pyplot):
    figure = pyplot.figure(figsize=(9, 3.6))
    study.draw(rows, figure)
    figure.tight_layout()
    for kind in ("svg", "png"):
        figure.savefig(out / f"{study.name}.{kind}", dpi=120)
    pyplot.close(figure)


def write(study, rows, lab, seconds, pyplot, machine, under, load):
    """The files of one study, measured on `machine` under conditions(), with this load before; `lab.commands` lists its commands."""
    write_data(lab.out / f"{study.name}.csv", rows)
    if pyplot:
        draw(study, rows, lab.out, pyplot)
    (lab.out / f"{study.name}.commands.txt").write_text("\n".join(lab.commands) + "\n", encoding="utf-8")
    (lab.out / f"{study.name}.json").write_text(json.dumps({
        "dated": time.strftime(DATE), "machine": machine, "conditions": under, "load": round(load, 1), "seconds": round(seconds),
        "same": same_trend(study.say(rows)), "said": study.say(rows), "compared": study.compare(rows), "forms": lab.forms(),
        "remarks": lab.remarks, "plotted": bool(pyplot)}, indent=1), encoding="utf-8")


def _section(study, out):
    found = load(study, out)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>\n" for line in found["compared"])
    here = (f'<code>bench/study {study.name}</code>, data: <a href="{study.name}.csv">{study.name}.csv</a>, what ran: '
            f'<a href="{study.name}.commands.txt">commands</a>')
    picture = (f'<figure><a href="{study.name}.svg"><img src="{study.name}.png" alt="{escape(study.title)}"></a>'
               f"<figcaption>{here}</figcaption></figure>\n" if found["plotted"] else "")
    remarks = "".join(f"<p>Form: {escape(text)}.</p>\n" for text in found["forms"])
    remarks += "".join(f"<p>Left out: {escape(text)}.</p>\n" for text in found["remarks"])
    return (f'<h2 id="{study.name}">{escape(study.title)}</h2>\n<p class="source">{escape(study.source)}. {escape(study.note)}</p>\n'
            f'<p class="said">{escape(found["said"])}.</p>\n{picture}{remarks}'
            f"<table><tr><th></th><th>published</th><th>where</th><th>here</th></tr>\n{rows}</table>\n"
            f'<p class="source">The figures in the column "here": {here}; {escape(found["conditions"])}, {found["seconds"]} s, {found["dated"]}.</p>\n')


def write_page(studies, out, machine, missing):
    """Writes index.html with all studies that have data in `out`; `missing`: {name: why it was not
    run}."""
    done = [study for study in studies if load(study, out)]
    listed = "".join(f'<li><a href="#{study.name}">{escape(study.title)}</a></li>\n' for study in done)
    left = "".join(f"<p>Not run: {escape(name)}: {escape(why)}.</p>\n" for name, why in missing.items())
    (out / "index.html").write_text(
        f"<!doctype html><meta charset=utf-8><title>loomp: the studies</title><style>{_STYLE}</style>\n<h1>loomp: the studies</h1>\n"
        "<p>The experiments of R. Pereira's thesis (2023), chapters 5 and 6, and of the paper on A64FX (2024), in sizes for this "
        f"machine: {escape(machine)}. Published figures are of other machines and runtimes: trends can be compared, times cannot."
        f"</p>\n<ul>{listed}</ul>\n{left}" + "".join(_section(study, out) for study in done), encoding="utf-8")
