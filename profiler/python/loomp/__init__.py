"""Traces of `loomp trace` in Python.

    import loomp
    trace = loomp.read("loomp-trace")
    tasks = trace.tasks[~trace.tasks["implicit"]]
    print(len(tasks), "tasks;", loomp.breakdown(trace)["idle"].sum() / 1e9, "s idle")

A trace's tables (threads, tasks, segments, dependences, calls, changes, requests, messages, holdings of mutexes,
named_regions) are structured NumPy arrays: the trace's own memory, not copies, and read-only. Rows refer to each other by
position; NONE stands for no row, NEVER for a time that is not in the trace. Times are nanoseconds.
`trace.counts` has a row for each task and a column for each of `trace.counters`.
`to_arrow(trace, "tasks")` gives a table of Arrow's. docs/metrics.md defines the metrics;
`loomp.metg` has the one that compares several traces.
"""
import glob
import os
import sys

try:
    from . import _native
except ImportError as problem:
    built_for = [os.path.basename(file).split(".")[1] for file in
                 glob.glob(os.path.join(os.path.dirname(__file__), "_native.*.so"))]
    raise ImportError(f"loomp's package is built for {', '.join(built_for) or 'no Python'}; this is Python "
                      f"{sys.version.split()[0]}: {problem}") from problem
from ._native import (NEVER, NONE, CriticalPath, Graph, Trace, breakdown, code, communication_inflation,
                      critical_path, discovery, function_table, graph, iterations, kind_table, overlap,
                      ratios, tables, work_inflation, write_page, write_perfetto)
from ._native import read as _read
from .arrow import to_arrow
from .passes import Passes

__all__ = ["NEVER", "NONE", "CriticalPath", "Graph", "Passes", "Trace", "breakdown", "code",
           "communication_inflation", "critical_path", "discovery", "function_table", "graph", "iterations",
           "kind_table", "overlap", "ratios", "read", "tables", "to_arrow", "work_inflation", "write_page",
           "write_perfetto"]


def read(trace):
    """The trace in a folder of `loomp trace`, or in an OTF2 archive. RuntimeError if there is none."""
    path = os.fspath(trace)
    anchor = os.path.join(path, "traces.otf2") if os.path.isdir(path) else path
    if not os.path.exists(anchor):
        raise RuntimeError(f"{anchor}: no such file; `loomp report` makes an archive of a recording that has none")
    return _read(os.fsencode(anchor))  # it need not be UTF-8
