"""The demo's scenes with small sizes, and that they fail if a result is wrong."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DEMO = os.path.join(ROOT, "scripts/demo")
sys.path[:0] = [DEMO, os.path.join(ROOT, "tests/view")]

import fine_tasks
import gantt
import mpi_in_tasks
import over_a_wire
import page
import scene
import stage as stages
from browser import Browser, chromium
from colours import distance, too_alike
from runtimes import Run, Runtime


def demo(check, *arguments, apps=None):
    """Its status, what it printed, and its page, in the folder `out`."""
    done = subprocess.run(
        [os.path.join(DEMO, "scenes"), "--quick", "--repeats", "1", "--build", check.build, "--out", "out", "--apps",
         apps or check.build / "bin", *arguments], check=False, text=True, capture_output=True)  # fmt: skip
    with open("out/index.html", encoding="utf-8") as file:
        return done.returncode, done.stdout, done.stderr, file.read()


def scene_succeeds(check, number):
    """Plays one scene; has what it prints, and its page."""
    status, said, errors, html = demo(check, "--scene", str(number))
    check.expect("the demo succeeds", status == 0, said + errors)
    return said, html


def links_all(check, html):
    for name in os.listdir("out/traces"):
        if name.endswith(".html"):
            check.expect(f"the page links {name}", "traces/" + name in html or name.startswith("exchange"))


def needs_open_mpi(check):
    if shutil.which("mpirun.openmpi") is None:
        check.left_out("Open MPI is not installed")
    if not (check.build / "lib/libloomp-mpi-openmpi.so").exists():
        check.left_out("the build has no layer for Open MPI")


def scenes_module():
    loaded = importlib.machinery.SourceFileLoader("scenes", os.path.join(DEMO, "scenes"))
    scenes = importlib.util.module_from_spec(importlib.util.spec_from_loader("scenes", loaded))
    loaded.exec_module(scenes)
    return scenes


def main_says(check, scenes, *words):
    """The status of the demo in this process, and what it prints."""
    arguments, sys.argv = sys.argv, ["demo", "--quick", "--build", str(check.build), "--out", "out", *words]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = scenes.main()
    sys.argv = arguments
    return status, said.getvalue()


def case_fine_tasks(check):
    said, html = scene_succeeds(check, 1)
    check.expect("results agree", "same results bit for bit" in said, said)
    check.expect("the page has the program on both runtimes", "on libomp: " in html and "on loomp: " in html)
    links_all(check, html)


def case_mpi_in_tasks(check):
    needs_open_mpi(check)
    said, html = scene_succeeds(check, 2)
    check.expect("the stock runtimes hang", said.count("hangs: not finished after") == 2, said)
    check.expect("loomp says what hangs", "MPI_Recv in exchange.c:19 waits for rank 1" in said, said)
    links_all(check, html)


def case_over_a_wire(check):
    needs_open_mpi(check)
    nodes = subprocess.run([*over_a_wire.WIRE, "true"], check=False, stdout=subprocess.DEVNULL).returncode == 0
    said, html = scene_succeeds(check, 3)
    check.expect("the ranks are where they can be", ("over a wire of 1 ms" if nodes else "2 ranks of this machine") in said, said)
    check.expect("the factor is the same", "the same factor bit for bit" in said, said)
    check.expect("the page has tasks over time", "tasks on loomp: " in html and "potrf" in html)
    check.expect("the share of computing threads is told", said.count("% of the time") == 2, said)
    links_all(check, html)


def case_without_a_wire(check):
    """A machine that makes no nodes has the scene on its own ranks, and says why."""
    needs_open_mpi(check)
    with open("run", "w", encoding="utf-8") as script:
        script.write("#!/bin/sh\necho 'skipped: no test cluster: namespaces are not allowed here'\nexit 77\n")
    os.chmod("run", 0o755)
    wire, over_a_wire.WIRE = over_a_wire.WIRE, ["./run"]
    status, said = main_says(check, scenes_module(), "--scene", "3", "--repeats", "1", "--apps", str(check.build / "bin"))
    over_a_wire.WIRE = wire
    check.expect("the demo succeeds", status == 0, said)
    check.expect("the scene is of this machine", "2 ranks of this machine" in said and "the same factor" in said, said)
    check.expect("the reason is told", "no test cluster: namespaces are not allowed here" in said, said)


def case_gromacs(check):
    if shutil.which("gmx") is None:
        check.left_out("GROMACS is not installed")
    said, _ = scene_succeeds(check, 4)
    check.expect("GROMACS has the same energies", "identical to the last bit" in said, said)


def case_all_scenes_by_default(check):
    scenes = scenes_module()
    names = {number: f"The scene with number {number}" for number in scenes.SCENES}
    scenes.SCENES = {number: SimpleNamespace(__doc__="Scene: .", play=lambda _, title=title: scene.Scene(title, missing="no stage"))
                     for number, title in names.items()}  # fmt: skip
    status, said = main_says(check, scenes)
    check.expect("there are four", len(names) == 4, names)
    check.expect("the demo succeeds", status == 0, said)
    with open("out/index.html", encoding="utf-8") as file:
        html = file.read()
    for number, title in names.items():
        check.expect(f"scene {number} is printed", title in said, said)
        check.expect(f"scene {number} is on the page", title in html, html)
    check.expect("a scene that is not shown says so", said.count("not shown: no stage") == 4, said)


def case_wrong_energy(check):
    """An application that finds its energy wrong fails the demo, whatever its exit status."""
    apps = check.scratch / "apps"
    os.mkdir(apps)
    for name in fine_tasks.PROGRAMS:
        for kind in stages.STOCK:
            os.symlink(check.build / "bin" / f"{name}-{kind}", apps / f"{name}-{kind}")
    wrong = apps / "lulesh-gcc"
    os.remove(wrong)
    with open(wrong, "w", encoding="utf-8") as script:
        script.write("#!/bin/sh\necho 'as LULESH:       WRONG   72 iterations, 7.853665e+03'\n")
    os.chmod(wrong, 0o755)
    status, said, errors, _ = demo(check, "--scene", "1", apps=apps)
    check.expect("a wrong energy fails the demo", status == 1 and "not correct: scene 1" in errors, said + errors)
    check.expect("and is told", "NOT CORRECT: lulesh by gcc on libgomp: as LULESH: WRONG" in said, said)


def stub(check, **more):
    """A stage on which nothing runs but what `more` has."""
    build = str(check.build)
    options = SimpleNamespace(build=build, out=build, apps=build, repeats=1, threads=2, quick=True)
    stage = stages.Stage(options, SimpleNamespace(step=lambda *_: None))
    for name, function in more.items():
        setattr(stage, name, function)
    return stage


def case_missing_tools(check):
    scenes = scenes_module()
    stage = stub(check)
    which, shutil.which = shutil.which, lambda _: None
    for number, missing in ((2, "no Open MPI"), (3, "no Open MPI"), (4, "no gmx")):
        shown = scenes.play(number, stage)
        check.expect(f"scene {number} without its program is not shown", shown.missing.startswith(missing), shown)
        check.expect(f"scene {number} without its program is no failure", not shown.problems, shown)
    shutil.which = which


def case_hang_on_loomp(check):
    hung = Run("", "not finished after 5 s")
    stage = stub(check, need_open_mpi=lambda: None, run_ranks=lambda *_, **__: hung)
    stage.out = str(check.scratch)
    compile_exchange, mpi_in_tasks.compile_exchange = mpi_in_tasks.compile_exchange, lambda *_: None
    shown = mpi_in_tasks.play(stage)
    mpi_in_tasks.compile_exchange = compile_exchange
    check.expect("a hang on loomp is a problem, on the others none", len(shown.problems) == 2, shown.problems)


def case_other_results_over_a_wire(check):
    """Forms that differ in one bit are not correct, though the first passes."""
    outputs = iter(["checksum: 1\ntime: 1 s\nPASS\n", "checksum: 2\ntime: 1 s\nPASS\n"])
    stage = stub(check, run_ranks=lambda *_, **__: Run(next(outputs), ""))
    shown = scene.Scene("")
    over_a_wire.measure(stage, shown, [], 1)
    check.expect("the second differs", shown.problems == ["loops on loomp: checksum 2, not 1 as before"], shown)


def case_pictures(check):
    exported = "exported.json"
    with open(exported, "w", encoding="utf-8") as out:
        out.write('{"traceEvents":[\n{"ph":"X","cat":"task","name":"a<b","pid":0,"tid":1,"ts":10,"dur":5},\n'
                  '{"ph":"X","cat":"mpi","name":"MPI_Recv","pid":0,"tid":1,"ts":12,"dur":1},\n'
                  '{"ph":"X","cat":"task","name":"c","pid":0,"tid":0,"ts":20,"dur":10}]}\n')
    threads = gantt.of_tasks(exported)
    check.expect("tasks by thread, from the first", threads == {(0, 0): [(10, 20, "c")], (0, 1): [(0, 5, "a<b")]},
           threads)
    looks = gantt.pixels([(0, 5, "a"), (5, 6, "b")], gantt.WIDTH / 20)
    check.expect("a pixel has what takes most of it", looks[0] == ("a", 1) and looks[gantt.WIDTH // 4 + 5][0] == "b")
    check.expect("a pixel of nothing is empty", looks[-1] == ("", 0), looks[-1])
    svg = gantt.draw({"one": threads, "none": {}})
    check.expect("names are escaped", "a&lt;b" in svg and "a<b" not in svg)
    check.expect("each run has a time axis", svg.count('<path class="axis"') == 2 and svg.count(">0.01 ms</text>") == 2, svg)
    check.expect("the legend has what is grey", "idle or overhead" in svg, svg)
    kinds = dict(enumerate((*gantt.COLOURS, gantt.OTHERS)))
    check.expect("kinds differ without red and green", not too_alike(kinds), too_alike(kinds))
    check.expect("and from idle", all(distance(colour, "#ececec") >= 15 for colour in kinds.values()), kinds)
    wrong = scene.Scene("<t>", problems=["no <b>", "and more"])
    page.write("index.html", {1: wrong}, "")
    with open("index.html", encoding="utf-8") as file:
        html = file.read()
    check.expect("the page tells problems", "NOT CORRECT: no &lt;b&gt;" in html and "and more" in html, html)


def case_page_on_a_phone(check):
    if chromium() is None:
        check.left_out("no Chromium is installed")
    wide = scene.Scene("Wide", verdict="right", head=tuple(f"column {i}" for i in range(12)), rows=[("text", *"1" * 11)], notes=["x" * 500])
    wide.pictures = [scene.Picture(gantt.draw({"one": {(0, 0): [(0, 10, "a"), (12, 20, "b")]}}), "A caption.")]
    page.write("index.html", {1: wide}, "")
    browser = Browser(width=420)
    try:
        browser.call("Page.navigate", url=f"file://{os.getcwd()}/index.html")
        browser.wait("document.readyState === 'complete' && location.protocol === 'file:'")
        width = browser.evaluate("document.documentElement.scrollWidth")
        check.expect("nothing is wider than the window", width == 420, width)
        colours = "['body', '.gantt text', '.gantt .ground'].map((e) => getComputedStyle(document.querySelector(e))).flatMap((s) => [s.color, s.backgroundColor, s.fill])"
        light = browser.evaluate(colours)
        browser.dark(True)
        check.expect("a browser that prefers the dark has a dark page", browser.evaluate(colours) != light, light)
        text, ground = browser.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
        brightness = [sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(","))) for colour in (text, ground)]
        check.expect("with bright letters", brightness[0] > 600 and brightness[1] < 100, (text, ground))
    finally:
        browser.close()
