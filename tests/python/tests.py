"""What the package says of two traces of tests/record/graph.c: tests.py TRACE TRACE LOOMP [arrow]

With `arrow`, Arrow's tables, too, else that they need pyarrow. The last line is the sum.
"""
import gc
import os
import re
import subprocess
import sys
import tempfile

import numpy

import loomp

passed = failed = 0
DEPENDENCES = 49 * (16 * 3 - 2)


def expect(what, condition, seen=""):
    global passed, failed
    if condition:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {what}: {seen}")


def raises(kind, text, call):
    try:
        call()
    except kind as error:
        return text in str(error)
    return False


def tables(trace):
    explicit = ~trace.tasks["implicit"]
    expect("all tasks", explicit.sum() == 801, explicit.sum())
    expect("all dependences", len(trace.dependences) == DEPENDENCES, len(trace.dependences))
    expect("dependences lead forwards", (trace.tasks["ended"][trace.dependences["from"]] <=
                                         trace.segments["begin"][trace.task_segments[trace.dependences["to"]]]).all())
    places = {(label.split()[-1], os.path.basename(source)) for label, source in trace.kinds
              if source.endswith(tuple("0123456789"))}
    expect("kinds by their place", places and all(label == source and source.startswith("graph.c:")
                                                  for label, source in places), trace.kinds)
    address = trace.tasks.__array_interface__["data"][0]
    expect("arrays are the trace's memory", trace.tasks.__array_interface__["data"][0] == address
           and trace.tasks["created"].base is not None)
    expect("and cannot be written", raises(ValueError, "read-only", lambda: trace.tasks["rank"].__setitem__(0, 1)))
    kept = loomp.read(sys.argv[1]).tasks
    gc.collect()
    expect("and outlive what they came from", (kept["id"] == trace.tasks["id"]).all())


def metrics(trace, other):
    report = subprocess.run([sys.argv[3], "report", sys.argv[1]], capture_output=True, text=True).stdout
    begin, end = trace.makespan
    times = loomp.breakdown(trace)
    expect("a row for each thread", len(times) == len(trace.threads))
    total = sum(int(times[name].sum()) for name in ("work", "overhead", "idle"))
    expect("the breakdown adds up", total == len(trace.threads) * (end - begin), (total, end - begin))
    explicit = ~trace.tasks["implicit"][trace.segments["task"]]
    lengths = (trace.segments["end"] - trace.segments["begin"])[explicit]
    expect("work is what segments say", times["work"].sum() == lengths.sum(), lengths.sum())
    expect("and the report", f"{times['work'].sum() / 1e9:.6f}" in report, report)
    middle = (begin + end) // 2
    halves = [loomp.breakdown(trace, window=window) for window in ((begin, middle), (middle, end))]
    expect("windows add up", (halves[0]["work"] + halves[1]["work"] == times["work"]).all())
    path = loomp.critical_path(loomp.graph(trace))
    expect("the critical path is the report's", f"{path.length / 1e9:.6f} s of {path.work / 1e9:.6f}" in report, (path.length, report))
    expect("bounds are in order", path.lower_bound(2) <= path.upper_bound(2))
    expect("kinds add up", loomp.kind_table(trace)["work"].sum() == lengths.sum())
    expect("one thread creates", loomp.discovery(trace)["tasks"].tolist() == [801], loomp.discovery(trace))
    expect("50 iterations", set(loomp.iterations(trace)[~trace.tasks["implicit"]]) == set(range(50)))
    expect("no messages", loomp.overlap(trace, 0)["messages"] == 0 and len(trace.messages) == 0)
    same = loomp.work_inflation(trace, other)
    expect("tasks of two runs are paired", len(same["pairs"]) == 801 and same["only_observed"] == 0, same)
    expect("with their times", numpy.isclose(same["ratio"], same["pairs"]["observed_time"].sum() / same["pairs"]["reference_time"].sum()))
    with tempfile.TemporaryDirectory() as folder:
        loomp.write_page(trace, f"{folder}/page.html", name="by Python")
        with open(f"{folder}/page.html", encoding="utf-8") as page:
            expect("pages are written", re.search("<title>by Python", page.read()))
        loomp.write_perfetto(trace, f"{folder}/trace.json")
        expect("and exports", os.path.getsize(f"{folder}/trace.json") > 10000)
    expect("a file that cannot be written is named", raises(RuntimeError, "/nowhere/x", lambda: loomp.write_page(trace, "/nowhere/x")))
    expect("a missing trace is named", raises(RuntimeError, "nowhere", lambda: loomp.read("nowhere")))
    expect("what is no trace is refused", raises(RuntimeError, "", lambda: loomp.read(__file__)))


def passes(trace):
    ran = []
    mine = loomp.Passes()

    @mine.add
    def idle_share(trace, breakdown, span):
        ran.append("idle_share")
        return breakdown["idle"].sum() / (span * len(trace.threads))

    @mine.add
    def span(trace):
        ran.append("span")
        return trace.makespan[1] - trace.makespan[0]

    @mine.add(name="worst", needs=["idle_share", "span"])
    def named(trace, share, span):
        ran.append("worst")
        return share * span

    results = mine.run(trace, "worst")
    expect("passes run once, each after its needs", ran == ["span", "idle_share", "worst"], ran)
    expect("and get their results", results["worst"] == results["idle_share"] * results["span"], results)
    expect("and nothing else runs", set(results) == {"breakdown", "span", "idle_share", "worst"}, set(results))
    expect("metrics are passes", loomp.Passes().run(trace, "critical_path")["critical_path"].length > 0)
    mine.add(lambda trace, missing: 0, name="lonely")
    expect("a pass that is missing is named, and who needs it",
           raises(KeyError, "no pass 'missing', which lonely needs", lambda: mine.run(trace, "lonely")))
    mine.add(lambda trace, right: 0, name="left")
    mine.add(lambda trace, left: 0, name="right")
    expect("a cycle is named", raises(ValueError, "left", lambda: mine.run(trace, "left")))


def arrow(trace):
    import pyarrow.compute

    tasks = loomp.to_arrow(trace, "tasks")
    expect("Arrow has all rows", tasks.num_rows == len(trace.tasks))
    expect("and columns", tasks.column_names == list(trace.tasks.dtype.names), tasks.column_names)
    expect("what is not in the trace is null", tasks["parent"].null_count == (trace.tasks["parent"] == loomp.NONE).sum())
    expect("values are the same", pyarrow.compute.sum(tasks["rank"]).as_py() == int(trace.tasks["rank"].sum()))
    expect("kinds have their names", loomp.to_arrow(trace, "kinds")["label"].to_pylist() == [label for label, _ in trace.kinds])
    for name in ("threads", "segments", "dependences", "calls", "changes", "requests", "messages"):
        expect(f"a table of {name}", loomp.to_arrow(trace, name).num_rows == len(getattr(trace, name)))


def main():
    trace, other = loomp.read(sys.argv[1]), loomp.read(f"{sys.argv[2]}/traces.otf2")
    tables(trace)
    metrics(trace, other)
    passes(trace)
    if "arrow" in sys.argv:
        arrow(trace)
    else:
        expect("without pyarrow, that is said", raises(ImportError, "pyarrow", lambda: loomp.to_arrow(trace, "tasks")))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
