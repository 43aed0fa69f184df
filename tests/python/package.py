"""The package on two traces of tests/record/graph.c: package.py PART TRACE TRACE LOOMP

PART is one of the functions in PARTS. The last line is the sum.
"""
import csv
import gc
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy

import loomp

PART, TRACE, OTHER, LOOMP = sys.argv[1:]
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
    expect("no mutexes", trace.holdings.dtype.names == ("begin", "end", "task", "thread", "mutex")
           and len(trace.holdings) == 0, trace.holdings)
    address = trace.tasks.__array_interface__["data"][0]
    expect("arrays are the trace's memory", trace.tasks.__array_interface__["data"][0] == address
           and trace.tasks["created"].base is not None)
    expect("and cannot be written", raises(ValueError, "read-only", lambda: trace.tasks["rank"].__setitem__(0, 1)))
    kept = loomp.read(TRACE).tasks
    gc.collect()
    expect("and outlive what they came from", (kept["id"] == trace.tasks["id"]).all())


def metrics(trace):
    other = loomp.read(f"{OTHER}/traces.otf2")
    report = subprocess.run([LOOMP, "report", TRACE], capture_output=True, text=True).stdout
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
        latin = os.fsdecode(os.fsencode(folder) + b"/St\xf6rung.otf2")
        with open(latin, "wb") as file:
            file.write(b"no archive")
        expect("what is no trace is refused, by any name", raises(RuntimeError, "St\ufffdrung.otf2", lambda: loomp.read(latin)))
    full = "cannot write /dev/full: No space left on device"
    expect("a full disk is an error", raises(RuntimeError, full, lambda: loomp.write_page(trace, "/dev/full")))
    expect("of exports, too", raises(RuntimeError, full, lambda: loomp.write_perfetto(trace, "/dev/full")))
    expect("a file that cannot be written is named", raises(RuntimeError, "/nowhere/x", lambda: loomp.write_page(trace, "/nowhere/x")))
    expect("a missing trace is named", raises(RuntimeError, "nowhere", lambda: loomp.read("nowhere")))
    expect("what is no trace is refused", raises(RuntimeError, "", lambda: loomp.read(__file__)))


def metg(trace):
    from types import SimpleNamespace

    from loomp.metg import GrainPoint, Metg, grain_point, metg as metg_of

    def point(grain, efficiency):
        return GrainPoint(tasks=1, threads=1, makespan=1, grain=grain, efficiency=efficiency)

    # The worked example of docs/metrics.md.
    points = [point(40, 0.7), point(10, 0.3), point(160, 0.9)]
    half = metg_of(points, 0.5)
    expect("METG is between the finest run that is efficient and the next finer", numpy.isclose(half.grain, 20, 1e-9) and
           not half.at_most, half)
    expect("or a run's own", metg_of(points, 0.7).grain == 40, metg_of(points, 0.7))
    points = [point(40, 0.7), point(10, 0.6)]
    expect("it can only be bounded", metg_of(points, 0.5) == Metg(10, at_most=True), metg_of(points, 0.5))
    expect("or missing", metg_of(points, 0.95) is None and metg_of([], 0.5) is None)
    expect("a run without work does not count", metg_of([point(0, 1), *points], 0.5) == Metg(10, at_most=True))

    def trace_of(threads, stretches):
        """A trace of tasks 1, 2, ... that is all code, (begin, end, thread) each; task 0 is implicit."""
        code = numpy.array([(begin, end, task + 1, thread, 0) for task, (begin, end, thread) in enumerate(stretches)],
                           loomp.code(trace).dtype)
        implicit = numpy.zeros(len(stretches) + 1, trace.tasks.dtype)
        implicit["implicit"][0] = True
        of = SimpleNamespace(tasks=implicit, threads=numpy.array([(0, *each) for each in threads], trace.threads.dtype),
                             segments={"task": numpy.array([0, *code["task"]])}, makespan=(0, max(code["end"])))
        return grain_point(of, code)

    found = trace_of([(0, False), (1, False)], [(0, 3, 0), (4, 5, 0), (0, 2, 1)])
    expect("a point is code over threads times makespan", (found.tasks, found.grain, found.efficiency) == (3, 2, 0.6), found)
    found = trace_of([(0, False), (1, False), (2, True)], [(0, 10, 0), (0, 6, 1), (6, 9, 2)])
    expect("stand-ins are no threads of the program", (found.threads, found.efficiency) == (2, 0.8), found)
    found = grain_point(trace, loomp.code(trace))
    work, span = int(loomp.breakdown(trace)["work"].sum()), trace.makespan[1] - trace.makespan[0]
    expect("a recorded run's", found == GrainPoint(801, 2, span, work / 801, work / (2 * span)), found)
    with open("/dev/full", "w", encoding="utf-8") as full:
        lost = subprocess.run([LOOMP, "python", "-m", "loomp.metg", TRACE], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    expect("a full disk is an error", lost.returncode == 1 and
           lost.stderr == "loomp: metg: cannot write the output: No space left on device\n", lost)
    said = subprocess.run([LOOMP, "python", "-m", "loomp.metg", TRACE, OTHER, "--efficiency", "0.001,100"],
                          capture_output=True, text=True)
    expect("the command has a line for each trace", re.search(rf"% +801 +2 .* {TRACE}$", said.stdout, re.MULTILINE), said)
    expect("and for what is efficient enough", re.search(r"^METG\(0.001 %\): at most ", said.stdout, re.MULTILINE), said)
    expect("and for what none is", re.search(r"^METG\(100 %\): none ", said.stdout, re.MULTILINE), said)


def formats(trace):
    """JSON and CSV of the report have the figures of the package and of the text."""
    def report(*options):
        return subprocess.run([LOOMP, "report", TRACE, *options], capture_output=True, text=True).stdout

    text = report("--threads")
    parsed = json.loads(report("--json"))
    expect("JSON says what it is", (parsed["format"], parsed["version"], parsed["problems"]) == ("loomp report", 1, []), parsed)
    summary, run, times = parsed["summary"], parsed["run"], parsed["times"]
    expect("JSON: counts", [summary[name] for name in ("ranks", "threads", "tasks", "dependences", "messages")] ==
           [1, 2, 801, DEPENDENCES, 0] and text.startswith(f"ranks 1, threads 2, tasks 801, dependences {DEPENDENCES}, messages 0"), summary)
    begin, end = trace.makespan
    expect("JSON: the makespan, to the nanosecond", round(summary["makespan_s"] * 1e9) == end - begin, summary)
    expect("and the run around it", f"run {summary['run_s']:.6f} s: {summary['before_first_task_s']:.6f} s before the first task, "
           f"{summary['after_last_task_s']:.6f} s after the last" in text, (summary, text))
    places = [(None, None), (0, None), (0, 0), (0, 1)]
    expect("JSON: all, the rank and its threads", [(row["rank"], row["thread"]) for row in run] == places ==
           [(row["rank"], row["thread"]) for row in times], (run, times))
    native = loomp.breakdown(trace)
    expect("JSON: the breakdown is the package's", [[round(row[f"{name}_s"] * 1e9) for name in native.dtype.names]
                                                     for row in times[2:]] == [list(map(int, row)) for row in native.tolist()], times)
    # The text's lines of the same: "all" and "rank 0 thread 1", shares between the times.
    for rows, columns in (
            (run, [f"{{{name}_s:.6f}}" for name in ("total", "tasks", "mpi", "waiting", "worksharing", "regions", "serial", "outside")]),
            (times, ["{total_s:.6f}", *(f"{{{name}_s:.6f}} +[0-9.]+%" for name in ("work", "overhead", "idle"))]),
            (parsed["discovery"], ["{tasks}", "{time_s:.6f}", "{per_task_us:.3f}"])):
        for row in rows:
            if row["rank"] is not None and row["thread"] is None:
                continue
            place = "all" if row["rank"] is None else "rank {rank} thread {thread}"
            line = " +".join([place, *columns]).format(**row)
            expect(f"JSON: the text's line of {place.format(**row)}", re.search(f"^{line}$", text, re.MULTILINE), (line, text))
    kinds = loomp.kind_table(trace)
    expect("JSON: kinds are the package's", [(row["count"], round(row["work_s"] * 1e9), round(row["median_us"] * 1e3)) for row in parsed["kinds"]] ==
           [(int(row["count"]), int(row["work"]), int(row["median"])) for row in kinds], parsed["kinds"])
    expect("with their places", all(re.fullmatch(r".*graph\.c:\d+", row["source"]) and row["name"] in text for row in parsed["kinds"]), parsed["kinds"])
    path = loomp.critical_path(loomp.graph(trace))
    expect("JSON: the critical path", round(parsed["critical_path"]["length_s"] * 1e9) == path.length and
           f"average parallelism     {parsed['critical_path']['average_parallelism']:.2f}" in text, parsed["critical_path"])
    expect("JSON: efficiencies", re.search(r"^all +{parallel:.3f} +{load_balance:.3f} +{communication:.3f}$".format(**parsed["efficiencies"][0]),
                                           text, re.MULTILINE), parsed["efficiencies"])
    expect("Python: the same tables", loomp.tables(trace) == {name: table for name, table in parsed.items() if name not in
                                                              ("format", "version", "problems")}, loomp.tables(trace))
    rows = list(csv.DictReader(io.StringIO(report("--csv"))))
    expect("CSV: its columns", list(rows[0]) == ["table", "row", "name", "rank", "thread", "figure", "value"], rows[0])
    tables = {}
    for row in rows:
        values = tables.setdefault(row["table"], {}).setdefault(int(row["row"]), {})
        values.update({name: row[name] for name in ("name", "rank", "thread") if row[name] != ""})
        values[row["figure"]] = row["value"]
    for name, table in parsed.items():
        if name in ("format", "version", "problems"):
            continue
        wanted = [table] if isinstance(table, dict) else table
        same = [{key: "" if value is None else value if isinstance(value, str) else json.dumps(value) for key, value in row.items()
                 if value is not None or key not in ("name", "rank", "thread")} for row in wanted]
        found = [tables[name][number] for number in sorted(tables.get(name, {}))]
        expect(f"CSV: {name} as in JSON", [{key: number(value) for key, value in row.items()} for row in found] ==
               [{key: number(value) for key, value in row.items()} for row in same], (found, same))
    part = json.loads(report("--json", "--from", "0", "--to", "0.001", "--kinds", "1"))
    expect("JSON: of a part of the time", part["summary"]["to_s"] == 0.001 and "run" not in part and "critical_path" not in part and
           round(part["times"][0]["total_s"], 9) == 0.002 and len(part["kinds"]) == 1, part)


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


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
    for name in ("threads", "segments", "dependences", "calls", "changes", "requests", "messages", "holdings"):
        expect(f"a table of {name}", loomp.to_arrow(trace, name).num_rows == len(getattr(trace, name)))


def without_arrow(trace):
    expect("without pyarrow, that is said", raises(ImportError, "pyarrow", lambda: loomp.to_arrow(trace, "tasks")))


PARTS = {part.__name__: part for part in (tables, metrics, metg, formats, passes, arrow, without_arrow)}
PARTS[PART](loomp.read(TRACE))
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
