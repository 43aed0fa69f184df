"""The studies with tiny sizes and the files they leave: those that take seconds and build nothing, and the rest by made-up
figures."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from studies import discovery, enclave, grain, loops, overlap, page, plasma, ranks, report, scheduling
from studies.lab import COPIED, figures
from studies.study import Missing, verdict

STUDIES = [*grain.STUDIES, *loops.STUDIES, *discovery.STUDIES, *scheduling.STUDIES, *ranks.STUDIES, *overlap.STUDIES, *plasma.STUDIES, *enclave.STUDIES]


def study(*words, **more):
    done = subprocess.run([str(ROOT / "bench/study"), *map(str, words)], text=True, capture_output=True, check=False, **more)
    return done.returncode, done.stdout, done.stderr


def case_list(check):
    status, said, errors = study("--list")
    check.expect("the list has every experiment", status == 0 and all(s.name in said for s in STUDIES), said + errors)
    status, _, errors = study("no-such")
    check.expect("a name that there is not", status == 2 and "no experiment 'no-such'" in errors, errors)
    status, _, errors = study()
    check.expect("no name at all", status == 2 and "--list names them" in errors, errors)
    check.expect("names are unique", len({s.name for s in STUDIES}) == len(STUDIES))


# each: grain-lulesh loops-lulesh grain-hpccg grain-cholesky iterations throttling work-inflation scaling-threads persistence lulesh-264 enclave-ways enclave-report enclave-cores
def case_short(check):
    name, folder = check.word, check.scratch
    status, said, errors = study(name, "--quick", "--reps", 1, "--build", check.build, "--out", folder)
    check.expect("it succeeds", status == 0, said + errors)
    page = (folder / "index.html").read_text(encoding="utf-8")
    found = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as data:
        rows = list(csv.DictReader(data))
    check.expect("it has data", rows and all(None not in row.values() for row in rows), rows)
    check.expect("it is compared", found["compared"] and all(len(line) == 4 for line in found["compared"]), found)
    check.expect("each published figure has its source",
                 all(("figure" in line[2] or "table" in line[2] or "." in line[2]) for line in found["compared"]), found)
    check.expect("it says one thing", "published" in found["said"] and found["said"] in said, found["said"])
    for needed in (f"bench/study {name}<", f'"{name}.csv"', f'"{name}.commands.txt"'):
        check.expect(f"the page has {needed}", needed in page)
    check.expect("it says what it ran", (folder / f"{name}.commands.txt").stat().st_size > 20)
    drawn = [(folder / f"{name}.{kind}").exists() for kind in ("svg", "png")]
    if not has_matplotlib():
        check.expect("nothing is drawn without matplotlib", drawn == [False, False], drawn)
        check.left_out("matplotlib is not installed")
    check.expect("it is drawn", drawn == [True, True], drawn)
    pictures = re.findall(rf'<figure>(?:(?!</figure>).)*{name}\.png.*?</figure>', page, re.S)
    check.expect("the picture names its data and its command", len(pictures) == 1 and f"bench/study {name}<" in pictures[0]
                 and f'href="{name}.csv"' in pictures[0], pictures)


def case_several_on_one_page(check):
    names = ("throttling", "iterations")
    status, said, errors = study(*names, "--quick", "--reps", 1, "--build", check.build, "--out", check.scratch)
    check.expect("they succeed", status == 0, said + errors)
    page = (check.scratch / "index.html").read_text(encoding="utf-8")
    for name in names:
        check.expect(f"{name} is listed", f'href="#{name}"' in page)
        check.expect(f"{name} has a section", f'<h2 id="{name}">' in page)
        found = json.loads((check.scratch / f"{name}.json").read_text(encoding="utf-8"))
        check.expect(f"{name} says one thing", found["said"] in said and said.count(found["said"]) == 1, said)


def case_all_continues(check):
    """Started again, `all` measures what has no result newer than the library, under the same conditions."""
    build, folder = check.build, check.scratch
    newer = time.strftime(report.DATE, time.localtime(time.time() + 3600))
    for made in STUDIES:
        (folder / f"{made.name}.json").write_text(json.dumps({
            "dated": "2000-01-01 00:00:00" if made.name == "throttling" else newer, "machine": "", "seconds": 1, "same": True, "said": "said",
            "compared": [], "forms": [], "remarks": [], "plotted": False, "load": 0,
            "conditions": f"2 threads, medians of {3 if made.name == 'work-inflation' else 1} runs, tiny sizes"}))
    status, said, errors = study("all", "--quick", "--reps", 1, "--threads", 2, "--build", build, "--out", folder)
    left = [line for line in said.splitlines() if "after the library was built" in line]
    check.expect("it succeeds", status == 0, said + errors)
    check.expect("results that are newer are left as they are", len(left) == len(STUDIES) - 2 and left[0].startswith(STUDIES[0].name), said)
    for name in ("throttling", "work-inflation"):
        check.expect(f"{name}, older or otherwise measured, is measured", f"\n{name} (" in said and f"{name}: form: lulesh" in said, said)
    (folder / "throttling.svg").unlink(missing_ok=True)
    status, said, errors = study("throttling", "--plot", "--out", folder)
    if not has_matplotlib():
        check.expect("nothing is drawn without matplotlib", status == 1 and "no plots" in errors, errors)
        check.left_out("matplotlib is not installed")
    check.expect("its plot is drawn again from its data", status == 0 and (folder / "throttling.svg").exists(), said + errors)


def case_page(check):
    """docs/studies.md is what bench/studies/results.json gives; the newer result of a study is kept."""
    check.expect("the page is that of the file: bench/study page", page.PAGE.read_text(encoding="utf-8") == page.text(STUDIES, page.load()))
    check.expect("the file has no other studies", set(page.load()) <= {s.name for s in STUDIES}, set(page.load()))
    status, _, errors = study("page", "throttling")
    check.expect("page measures nothing", status == 2 and "name no experiment beside them" in errors, errors)

    def result(dated, conditions="2 threads"):
        return {"dated": dated, "conditions": conditions, "said": dated, "plotted": True}
    first, second, third = STUDIES[:3]
    for made, dated, conditions in ((first, "2026-02-01 00:00:00", "2 threads"), (second, "2026-01-01 00:00:00", "2 threads"),
                                    (third, "2026-02-01 00:00:00", "2 threads, tiny sizes")):
        (check.scratch / f"{made.name}.json").write_text(json.dumps(result(dated, conditions)))
    kept = {made.name: result("2026-01-15 00:00:00") for made in (first, second, third)}
    dates = {name: found["dated"][:7] + found["dated"][8:10] for name, found in page.add(STUDIES, kept, check.scratch).items()}
    check.expect("the newer result is kept, and none of tiny sizes", dates == {first.name: "2026-0201", second.name: "2026-0115",
                                                                            third.name: "2026-0115"}, dates)


def has_matplotlib():
    """The Python of bench/study has it."""
    python = (ROOT / "bench/study").read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("#!")
    return subprocess.run([python, "-c", "import matplotlib"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def case_missing_tools(check):
    """Without MPI, a line reports it, and the other studies continue."""
    build, folder = check.build, check.scratch
    tools = folder / "tools"
    tools.mkdir()
    for name in ("sh", "bash", "env", "sed", "sort", "dirname", "readlink", "basename", "uname", "cut", "tr", "head", "ls", "gcc",
                 "clang", "as", "ld", "grep"):
        if shutil.which(name):
            (tools / name).symlink_to(shutil.which(name))
    status, said, errors = study("scaling-ranks", "integration", "ranks-threads", "progression", "throttling", "--quick", "--reps", 1, "--build", build, "--out", folder,
                                 env={**os.environ, "PATH": str(tools)})
    for name in ("scaling-ranks", "integration", "ranks-threads", "progression"):
        told = [line for line in said.splitlines() if line.startswith(name + ":")]
        check.expect(f"without MPI {name} says so in a line", len(told) == 1 and told[0].startswith(f"{name}: not run: no "), said + errors)
    check.expect("and the rest goes on", any(line.startswith("throttling") for line in said.splitlines()), said)
    check.expect("and is no failure", status == 0, errors)
    page = (folder / "index.html").read_text(encoding="utf-8")
    check.expect("the page says so, too", "Not run: scaling-ranks: no mpirun.openmpi" in page)


def case_without_namespaces(check):
    """No test cluster: an experiment that takes it alone is not run, one that also does without goes on."""
    build, folder = check.build, check.scratch
    refusing = folder / "unshare"
    refusing.write_text("#!/bin/sh\nexit 1\n")
    refusing.chmod(0o755)
    status, said, errors = study("early-sends", "--quick", "--reps", 1, "--build", build, "--out", folder,
                                 env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    told = [line for line in said.splitlines() if line.startswith("early-sends:")]
    check.expect("without namespaces early-sends says so in a line", status == 0 and len(told) == 1 and
           re.match("early-sends: not run: no [A-Za-z]", told[0]), said + errors)

    def no_cluster(*_, **__):
        raise Missing("no test cluster")
    remarks = []
    rows = ranks.run_integration(SimpleNamespace(
        need_open_mpi=lambda: None, size=lambda tiny, *_: tiny, threads=2, reps=1, middle=min, build=build, run_ranks=lambda *_, **__: 1.0,
        benchmark=no_cluster, remark=remarks.append))
    check.expect("without the cluster the forms are compared on this machine", len(rows) == 3, rows)
    check.expect("and what is left out is told", remarks == ["a wire of 1 ms, 1 Gbit/s: no test cluster"], remarks)
    check.expect("and one sentence is said", "1.00x over this machine's memory" in ranks.say_integration(rows), ranks.say_integration(rows))
    check.expect("and compared", len(ranks.compare_integration(rows)) == 1, ranks.compare_integration(rows))


def case_plasma_on_many_ranks(check):
    folder = check.scratch
    status, said, errors = study("vlasov-ranks", "--quick", "--reps", 1, "--build", check.build, "--out", folder)
    check.expect("vlasov-ranks succeeds", status == 0, said + errors)
    if "not run: " in said:
        check.left_out(said.strip())
    with open(folder / "vlasov-ranks.csv", newline="", encoding="utf-8") as data:
        rows = list(csv.DictReader(data))
    check.expect("strong and weak, from four ranks on", [(row["kind"], row["ranks"]) for row in rows] == [
        ("strong", "4"), ("strong", "8"), ("weak", "4"), ("weak", "8")], rows)
    check.expect("each rank computes, and has messages under way", all(
        0 < float(row["r_act"]) < 1 and 0 < float(row["r_comm"]) < 1 and 0 < float(row["r_in_flight"]) <= 1 for row in rows), rows)
    check.expect("one thing is said", "by simulation, 8 ranks keep" in said, said)


def case_enclaves_on_many_ranks(check):
    folder = check.scratch
    status, said, errors = study("enclave-ranks", "--quick", "--reps", 1, "--build", check.build, "--out", folder)
    check.expect("enclave-ranks succeeds", status == 0, said + errors)
    if "not run: " in said:
        check.left_out(said.strip())
    with open(folder / "enclave-ranks.csv", newline="", encoding="utf-8") as data:
        rows = list(csv.DictReader(data))
    check.expect("strong and weak enclaves, from four ranks on", [(row["kind"], row["ranks"]) for row in rows] == [
        ("strong", "4"), ("weak", "4"), ("weak", "12"), ("strong", "12")], rows)
    check.expect("weakly each rank has as much", float(rows[2]["time_s"]) >= float(rows[1]["time_s"]) > 0, rows)
    check.expect("one thing is said of enclaves", "by simulation, 12 ranks keep" in said, said)


def case_orders_of_a_plasma(check):
    """Checks what is said of priorities, with made-up figures: the paper's order makes borders slow, ours does not."""
    def row(way, time, border, runtime="loomp/gcc"):
        return {"way": way, "runtime": runtime, "time_s": time, "least_s": time, "r_comm": 0.25, "r_act": 0.5, "overlap": 0.5,
                "alone_s": time / 2, "border_us": border}
    rows = [row(order[submission], time, border) for submission in plasma.PAPER
            for order, time, border in ((plasma.PAPER, 0.5, 20.0), (plasma.NONE, 0.4, 11.0), (plasma.REUSE, 0.32, 12.0))]
    rows.append(row(plasma.PAPER["taskloop"], 0.64, None, "libomp/clang"))
    said = plasma.say_ways(rows)
    check.expect("what the orders cost, and why", "-20.0% against the paper's and +25.0%" in said and
           "takes 20.0 us, 11.0 without priorities, 12.0 with reuse" in said, said)
    compared = {line[0]: line[3] for line in plasma.compare_ways(rows)}
    check.expect("both ways to tell", compared["no priorities against the paper's priorities, taskloop: slower by"] ==
           "-20.0% measured, -20.0% on processors of their own", compared)
    check.expect("the other runtime", compared["the paper's technique on libomp/clang over loomp's best"] == "2.00x", compared)


def case_misses_of_caches(check):
    """The processor's own counts if there are any; else valgrind's, and without it none."""
    counted = {"kinds": [{"PAPI_L2_DCM": 3, "PAPI_L3_TCM": 1}, {"PAPI_L2_DCM": 4, "PAPI_L3_TCM": 1}]}
    check.expect("PAPI's", discovery.misses(None, None, counted, 4) == {
        "nearer_misses": 7, "last_misses": 2, "counted_by": "PAPI, caches of level 2 and 3"})
    remarks = []

    def no_valgrind(*_):
        raise Missing("no valgrind")
    lab = SimpleNamespace(size=lambda tiny, *_: tiny, cache_misses=no_valgrind, remark=remarks.append)
    found = discovery.misses(lab, None, {"kinds": [{"name": "stresses"}]}, 4)
    check.expect("nobody's", found["counted_by"] == "nobody" and remarks == ["no misses of caches: no valgrind"], (found, remarks))


def case_patches_apply(check):
    """The changes of the runtime that studies measure."""
    used = {*discovery.HASHES.values(), *(names for names, _ in discovery.OPTIMISATIONS.values()), "discover-first"} - {""}
    folder = ROOT / "bench/studies/research"
    check.expect("each patch is used", {name for names in used for name in names.split()} == {path.stem for path in folder.glob("*")}, used)
    for names in used:
        done = subprocess.run(["git", "apply", "--check", *(folder / f"{name}.patch" for name in names.split())], cwd=ROOT,
                              capture_output=True, text=True, check=False)
        check.expect(names, done.returncode == 0, done.stderr)


def case_copied_tree(check):
    """The copy that patches are applied to has each folder that is always built."""
    lists = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    always = set(re.findall(r"^add_subdirectory\((\w+)", lists, re.M))
    check.expect("it has each folder", always and always <= set(COPIED), always)


def case_verdicts(check):
    check.expect("the same", verdict(True, "f", "s", "o") == "Same trend as published: f; s")
    check.expect("another", verdict(False, "f", "s", "o") == "Other trend than published: f; o")


def case_figures_of_a_run(check):
    found = figures("time:            0.25 s\ntasks:           970\ndiscovery:       0.1 s\n",
                    "loomp: statistics\n  edges made                      1,255\n  discovery                    2.500 ms  in the runtime\n")
    check.expect("an application's figures", found == {"time_s": 0.25, "tasks": 970.0, "discovery_s": 0.1, "edges": 1255.0,
                                                 "runtime_s": 0.0025}, found)
