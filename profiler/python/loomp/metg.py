"""The minimum effective task granularity (Slaughter et al., "Task Bench", 2020): how short tasks may be.

    loomp python -m loomp.metg [--efficiency 50,95] TRACE...

The traces are runs of one program with tasks of several lengths. docs/metrics.md defines the metric.
"""
import argparse
import os
import re
import sys
from dataclasses import dataclass

import numpy

import loomp


@dataclass(frozen=True)
class GrainPoint:
    """A run: `grain` is nanoseconds of code per task, `efficiency` the share of the threads' time
    in code of tasks."""

    tasks: int
    threads: int
    makespan: int
    grain: float
    efficiency: float


@dataclass(frozen=True)
class Metg:
    """`grain` is in nanoseconds. `at_most`: no finer run fell below the efficiency, so the true
    value may be finer."""

    grain: float
    at_most: bool


def grain_point(trace, code):
    """The run's point, from the trace and its stretches of code (`loomp.code()`)."""
    implicit, stands_in = trace.tasks["implicit"], trace.threads["stands_in"]
    ran = numpy.unique(trace.segments["task"])
    tasks, threads = int((~implicit[ran]).sum()), int((~stands_in).sum())
    makespan = trace.makespan[1] - trace.makespan[0]
    if not tasks or not makespan:
        return GrainPoint(tasks, threads, makespan, 0.0, 0.0)
    of_program = code[~implicit[code["task"]] & ~stands_in[code["thread"]]]
    work = int((of_program["end"] - of_program["begin"]).sum())
    return GrainPoint(tasks, threads, makespan, work / tasks, work / (threads * makespan))


def metg(points, efficiency):
    """The finest grain with at least `efficiency`, interpolated towards the next finer run over the logarithm of the grain.

    None if no run is as efficient."""
    points = sorted((point for point in points if point.grain > 0), key=lambda point: point.grain)
    enough = next((i for i, point in enumerate(points) if point.efficiency >= efficiency), None)
    if enough is None:
        return None
    above = points[enough]
    if enough == 0:
        return Metg(above.grain, at_most=True)
    below = points[enough - 1]
    way = (efficiency - below.efficiency) / (above.efficiency - below.efficiency)
    return Metg(below.grain * (above.grain / below.grain) ** way, at_most=False)


def per_cent(text):
    """The numbers of a list such as 50,95."""
    numbers = []
    for word in text.split(","):
        try:
            numbers.append(float(word))
        except ValueError:
            numbers.append(0)
        if not 0 < numbers[-1] <= 100:
            sys.exit(f"loomp: metg: --efficiency: '{word}' is not a number above 0 and up to 100")
    return numbers


def points_of(traces):
    """(trace, GrainPoint) of each, the coarsest first."""
    rows = []
    for name in traces:
        if re.fullmatch(r"[0-9.]+", name) and not os.path.exists(name):
            sys.exit(f"loomp: metg: there is no trace {name}; if it is another efficiency: --efficiency 50,95")
        try:
            trace = loomp.read(name)
        except RuntimeError as problem:
            sys.exit(f"loomp: metg: {problem}")
        for problem in trace.problems:
            print(f"loomp: metg: {name}: {problem}", file=sys.stderr)
        rows.append((name, grain_point(trace, loomp.code(trace))))
    return sorted(rows, key=lambda row: row[1].grain, reverse=True)


def main():
    parser = argparse.ArgumentParser(prog="loomp python -m loomp.metg", description=__doc__.splitlines()[0])
    parser.add_argument("traces", nargs="+", metavar="TRACE", help="a folder of loomp trace, or an OTF2 archive")
    parser.add_argument("--efficiency", type=per_cent, default=[50, 95], metavar="LIST", help="per cent that are enough (50,95)")
    options = parser.parse_intermixed_args()
    rows = points_of(options.traces)
    lines = [f"{'grain, us':>12} {'efficiency':>10} {'tasks':>12} {'threads':>8} {'makespan, s':>14}  trace"]
    for name, point in rows:
        lines.append(f"{point.grain / 1e3:12.3f} {100 * point.efficiency:9.1f}% {point.tasks:12} {point.threads:8} "
                     f"{point.makespan / 1e9:14.6f}  {name}")
    lines.append("")
    for efficiency in options.efficiency:
        found = metg([point for _, point in rows], efficiency / 100)
        lines.append(f"METG({efficiency:g} %): " + (
            "none of these runs is as efficient" if found is None else
            f"{'at most ' if found.at_most else ''}{found.grain / 1e3:.3f} us"))
    write("\n".join(lines))


def write(text):
    """Prints the text. Lost output is an error."""
    try:
        print(text, flush=True)
    except OSError as problem:
        # Python would print what is left once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(f"loomp: metg: cannot write the output: {problem.strerror}")


if __name__ == "__main__":
    main()
