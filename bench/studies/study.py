"""An experiment: its runs, the paper's figures, and their comparison."""

from collections.abc import Callable
from dataclasses import dataclass

THESIS = "R. Pereira's thesis (2023)"
A64FX = "Pereira and others, A64FX (IWAHPCE 2024)"


class Missing(Exception):
    """An experiment cannot run; the message names what is missing."""


@dataclass(frozen=True)
class Study:
    """`run(lab)` has rows, each a dict of the same columns; they are the data file. `compare(rows)`
    has (what, as published, where, here) for each published figure, and `say(rows)` one sentence:
    whether the trend matches, and why. `draw(rows, figure)` fills a figure of matplotlib's."""

    name: str
    title: str
    source: str
    run: Callable
    compare: Callable
    say: Callable
    draw: Callable
    note: str = ""


def median_of(rows, column, **wanted):
    """The column of the one row that has the wanted values; None if there is none."""
    found = [row[column] for row in rows if all(row[key] == value for key, value in wanted.items())]
    return found[0] if found else None


def best(rows, column="time_s"):
    return min(rows, key=lambda row: row[column])


def ratio(a, b, form="{:.2f}x"):
    return form.format(a / b) if a is not None and b else "not measured"


SAME, OTHER = "Same trend as published: ", "Other trend than published: "


def verdict(same, facts, why_same="", why_other=""):
    """A sentence: whether the trend matches the published one, the figures, and the reason."""
    why = why_same if same else why_other
    return f"{SAME if same else OTHER}{facts}{'; ' + why if why else ''}"


def same_trend(said):
    """Whether verdict() said so."""
    return said.startswith(SAME)


def lines(axes, rows, x, y, by, log=True):
    """A line of `y` over `x` for each value of `by`."""
    for name in dict.fromkeys(row[by] for row in rows):
        points = sorted((row[x], row[y]) for row in rows if row[by] == name and row[y] is not None)
        if points:
            axes.plot(*zip(*points), marker="o", markersize=3, label=str(name))
    if log:
        ticks = sorted({row[x] for row in rows})
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [str(tick) for tick in ticks], fontsize=8)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8)


def bars(axes, rows, x, y):
    axes.bar([str(row[x]) for row in rows], [row[y] or 0 for row in rows], color="#3b6fb6")
    axes.tick_params(axis="x", rotation=30, labelsize=8)


def chart(draw, *columns, what=None, only=None, apps=(None,), **labels):
    """A function for `Study.draw`: `draw` is lines or bars, of these columns. `what(row)` makes the column "what", `only(row)`
    chooses rows, and each of `apps` has axes of its own."""
    def into(rows, figure):
        shown = [{**row, "what": what(row)} if what else row for row in rows if only is None or only(row)]
        for axes, app in zip(figure.subplots(1, len(apps), squeeze=False)[0], apps):
            draw(axes, [row for row in shown if app in (None, row.get("app"))], *columns)
            axes.set(title=app, **labels)
    return into
