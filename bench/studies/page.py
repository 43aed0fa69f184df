"""docs/studies.md: a row for each published figure, from one file of results."""

import json

from . import report
from .lab import ROOT

RESULTS = ROOT / "bench" / "studies" / "results.json"
PAGE = ROOT / "docs" / "studies.md"

_HEAD = """# The papers' experiments

This page compares published figures with ours. `bench/study publish` writes it from `bench/studies/results.json`; change neither by
hand. Each command repeats its rows and prints the verdict. The published machines have 16 to 64 cores a process, and ours is named
with each experiment: trends can be compared, times cannot.

"""


def publish(studies, out):
    RESULTS.write_text(json.dumps(add(studies, load(), out), indent=1, sort_keys=True) + "\n", encoding="utf-8")


def add(studies, results, out):
    """`results` with those in `out`; the newer one of a study stays."""
    for study in studies:
        found = report.load(study, out)
        if found and "tiny" not in found["conditions"] and found["dated"] >= results.get(study.name, found)["dated"]:
            results[study.name] = {key: value for key, value in found.items() if key != "plotted"}
    return results


def load():
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def write(studies):
    PAGE.write_text(text(studies, load()), encoding="utf-8")


def text(studies, results):
    done = [study for study in studies if study.name in results]
    same = sum(results[study.name]["same"] for study in done)
    left = ", ".join(f"`{study.name}`" for study in studies if study not in done)
    return (_HEAD + f"{same} of {len(done)} experiments follow the published trend." +
            (f" Not measured here: {left}." if left else "") + "\n" + "".join(_section(study, results[study.name]) for study in done))


def _cell(value):
    return str(value).replace("|", "\\|")


def _section(study, found):
    trend = "same" if found["same"] else "**other**"
    rows = "".join(f"| {_cell(what)} | {_cell(published)} | {_cell(where)} | {_cell(here)} | {trend} |\n"
                   for what, published, where, here in found["compared"])
    notes = "".join(f"{text}.\n" for text in (*(f"Form: {form}" for form in found["forms"]), *(f"Left out: {remark}" for remark in found["remarks"])))
    return (f"\n## {study.title}\n\n{found['said']}.\n\n"
            f"    bench/study {study.name}        # {found['seconds']} s, {found['dated'][:10]}\n\n"
            f"{study.source}. {study.note + ' ' if study.note else ''}Measured on {found['machine']}; {found['conditions']}, load {found['load']} before.\n{notes}\n"
            f"| | published | where | here | trend |\n|---|---|---|---|---|\n{rows}")
