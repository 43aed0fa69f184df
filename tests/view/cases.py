"""The page of `loomp view` in a headless Chromium, a session for each case.

A case compares what the page shows with the trace that it was made of, and uses mouse and keys. Pictures of each view go
to BUILD_DIR/made/view/pictures.
"""
import contextlib
import json
import re
import subprocess
from pathlib import Path

from browser import Browser, Failed, chromium
from colours import distance, themes, too_alike

SHIFT = 8
LARGE = 1_000_000
HERE = Path(__file__).resolve().parent
WEB = HERE.parents[1] / "profiler/view/web"


def near(a, b, within=1e-6):
    return abs(a - b) <= within * max(1, abs(b))


class Page(Browser):
    """The page's own names for what it shows."""

    def __init__(self, pictures):
        super().__init__()
        self.pictures = pictures

    def picture(self, name, whole=False):
        self.screenshot(self.pictures / f"{name}.png", whole)

    def view(self):
        begin, end = self.evaluate("[loomp.scale.begin, loomp.scale.end]")
        return begin, end

    def span(self):
        begin, end = self.view()
        return end - begin

    def selected(self):
        return self.evaluate("loomp.state.selected")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def column(self, table, number):
        return self.evaluate(f"[...document.querySelectorAll('#{table} tbody td:nth-child({number})')].map((e) => e.textContent)")

    def point_of(self, segment):
        """Returns where the middle of a segment is in the window."""
        left, top, _, _ = self.place("#gantt")
        x, y = self.evaluate(f"""(({{scale, gantt, model: {{segments: s}}}}) =>
            [scale.x((s.begin[{segment}] + s.end[{segment}]) / 2), gantt.middle(s.thread[{segment}])])(loomp)""")
        return left + x, top + y

    def colour_at(self, x, y):
        """A position in the Gantt chart, in its own coordinates."""
        return self.evaluate(f"""(() => {{
            const copy = new OffscreenCanvas(1, 1).getContext('2d', {{willReadFrequently: true}});
            copy.drawImage(document.querySelector('#gantt'), -{x}, -{y});
            return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)]; }})()""")


@contextlib.contextmanager
def shown(check, file):
    """The page in a browser; no problem of its own may turn up there."""
    if chromium() is None:
        check.left_out("no Chromium is installed")
    pictures = check.made / "pictures"
    pictures.mkdir(exist_ok=True)
    page = Page(pictures)
    try:
        page.loaded_in = page.open(file)
        page.frame()
        yield page
        check.expect("nothing to complain of in the console", not page.complaints, page.complaints)
        check.expect("no request to anybody", not page.requests, page.requests)
    except Failed as problem:
        check.expect("the page does what it is told", False, f"{problem}; the console says: {page.complaints}")
    finally:
        page.close()


def made_page(check, *arguments):
    """The page of a made-up trace (pages.cpp)."""
    def make(path):
        program, *options = arguments
        subprocess.run([check.build / "tests/view_pages", program, *options, path], check=True)
    return check.once(f"{arguments[0]}.html", make)


def small_page(check):
    return shown(check, made_page(check, "small"))


def case_shows_the_trace(check):
    with small_page(check) as page:
        sums = page.evaluate("""loomp.model.threads.map(({busy, overhead}, i) => {
            const [begin, end] = loomp.model.makespan;
            const {work, overhead: late} = loomp.model.summary.threads[i];
            return [busy.within(begin, end), work, overhead.within(begin, end), late]; })""")
        check.expect("the page's work is the report's, to the nanosecond", all(a == b for a, b, _, _ in sums), sums)
        check.expect("and its overhead", all(c == d for _, _, c, d in sums), sums)
        overlaps = page.evaluate("""loomp.model.summary.tables.ranks.rows.map(({values: [, , flight, overlap]}, i) => {
            const {parts, flight: all} = loomp.model.overlap;
            return [loomp.charts.overlapWithin(i, ...loomp.model.makespan), overlap, all.subarray(i * parts, (i + 1) * parts).reduce((a, b) => a + b), flight]; })""")
        check.expect("the overlap over all time is the report's", all(near(a, b) for a, b, _, _ in overlaps), overlaps)
        check.expect("and the time in flight", all(c == d for _, _, c, d in overlaps), overlaps)
        length = page.evaluate("loomp.model.path.end.reduce((sum, end, i) => sum + end - loomp.model.path.begin[i], 0)")
        check.expect("the critical path's pieces add up", length == page.evaluate("loomp.model.summary.path.length"), length)
        kinds = page.column("kinds", 1)
        check.expect("all kinds are in the table", sorted(kinds) == sorted(
            ["stencil.cc:41", "halo.cc:25", "halo.cc:17", 'residual<"x">&</script>']), kinds)
        check.expect("with their numbers", page.column("kinds", 3)[0].replace("\u202f", "") == "1920", page.column("kinds", 3))
        check.expect("findings, the most gain first", page.evaluate(
            "[...document.querySelectorAll('#findings h3')].map((e) => e.firstChild.textContent)") ==
            ["Late sends", "Tasks too fine"], page.text("#findings"))
        check.expect("names are text and no markup", page.text("#name") == "stencil <b>&amp; halos", page.text("#name"))
        check.expect("and titles", page.evaluate("document.title") == "stencil <b>&amp; halos - loomp", page.evaluate("document.title"))


def case_zooms_and_pans(check):
    with small_page(check) as page:
        left, top, width, height = page.place("#gantt")
        x, y = round(left + 0.7 * width), round(top + height / 2)
        whole = page.span()
        under = page.evaluate(f"loomp.scale.time({x - left})")
        page.wheel(x, y, -600)
        check.expect("the wheel zooms in", page.span() < 0.5 * whole, page.view())
        check.expect("and leaves what is under the pointer", near(page.evaluate(f"loomp.scale.time({x - left})"), under), page.view())
        begin, end = page.view()
        page.drag(x, y, x - 100, y)
        moved = page.view()
        check.expect("dragging moves the view", near(moved[0] - begin, 100 * (end - begin) / page.evaluate("loomp.scale.width"), 0.02), (begin, moved))
        check.expect("and keeps its length", near(moved[1] - moved[0], end - begin), moved)
        page.wheel(x, y, 100, SHIFT)
        check.expect("the wheel with shift moves", page.view()[0] > moved[0] and near(page.span(), end - begin), page.view())
        page.evaluate("document.querySelector('#gantt').focus()")
        for key, change in (("+", lambda old, new: new[1] - new[0] < old[1] - old[0]),
                            ("s", lambda old, new: new[1] - new[0] > old[1] - old[0]),
                            ("d", lambda old, new: new[0] > old[0]), ("ArrowLeft", lambda old, new: new[0] < old[0])):
            before = page.view()
            page.key(key)
            check.expect(f"the key {key}", change(before, page.view()), (before, page.view()))
        for _ in range(60):
            page.key("w")
        check.expect("one cannot zoom in without end", page.span() >= 50, page.span())
        page.picture("deepest")
        page.press("#whole")
        run = page.evaluate("loomp.model.run[1] - loomp.model.run[0]")
        check.expect("the whole run", near(page.span(), 1.02 * run), (page.span(), run))
        left, top, width, height = page.place("#overview")
        page.press("#zoom-in")
        page.click(left + width / 2, top + height / 2)
        middle = sum(page.view()) / 2
        check.expect("the overview goes there", abs(middle / page.evaluate("loomp.model.length") - 0.5) < 0.1, page.view())
        page.key("0")


def case_selects(check):
    with small_page(check) as page:
        # One in the middle of the run, with predecessors.
        segment = page.evaluate("""loomp.model.segments.task.findIndex((task, i) => i > 60 &&
            loomp.model.predecessors(task).length === 3 && loomp.model.successors(task).length === 3)""")
        task = page.evaluate(f"loomp.model.segments.task[{segment}]")
        page.evaluate(f"(({{begin: b, end: e}}, i) => loomp.scale.show(b[i] - 2e5, e[i] + 2e5))(loomp.model.segments, {segment})")
        page.frame()
        x, y = page.point_of(segment)
        page.mouse("mouseMoved", x, y)
        page.frame()
        check.expect("pointing at a task tells of it", "stencil.cc:41" in page.text("#tooltip"), page.text("#tooltip"))
        left, top, _, _ = page.place("#gantt")
        edge = (x - left, y - top - page.evaluate("loomp.gantt.lane") / 2 + 1)
        before = page.colour_at(*edge)
        page.click(x, y)
        check.expect("a click selects", page.selected() == task, page.selected())
        check.expect("which is seen", page.colour_at(*edge) != before, before)
        details = page.text("#details")
        for what in ("stencil.cc:41", "/src/stencil.cc:41", "created", "ready", "start", "end", "Predecessors (3)", "Successors (3)", "thread"):
            check.expect(f"the details have {what}", what in details, details)
        page.mouse("mouseMoved", x, y + 300)
        page.picture("selected")
        predecessor = page.evaluate(f"loomp.model.predecessors({task})[0]")
        page.press("#details h3.before + ul button")
        check.expect("its predecessors can be gone to", page.selected() == predecessor, page.selected())
        page.key("n")
        successors = page.evaluate(f"loomp.model.successors({predecessor})")
        check.expect("the key n goes to a successor", page.selected() in successors, (page.selected(), successors))
        page.key("p")
        check.expect("p to a predecessor", page.selected() not in successors, page.selected())
        page.key(".")
        page.key(",")
        page.key("f")
        check.expect("f zooms to it", page.span() < 5e5, page.span())
        page.key("Escape")
        check.expect("Escape selects nothing", page.selected() == -1 and "No task selected" in page.text("#details"), page.selected())
        page.key("0")
        sender = page.evaluate("loomp.model.messages.sendTask[3]")
        page.evaluate(f"loomp.select({sender}, true)")
        page.frame()
        check.expect("a task's messages are listed", "8\u202fKiB" in page.text("#details"), page.text("#details"))
        page.press("#details h3.message + ul button")
        check.expect("and lead to the other side", page.selected() == page.evaluate("loomp.model.messages.receiveTask[3]"), page.selected())
        page.picture("message")
        page.key("Escape")
        page.key("0")


def case_finds(check):
    with small_page(check) as page:
        page.key("/")
        page.type("halo")
        check.expect("search counts what it finds", page.text("#matches").startswith("160"), page.text("#matches"))
        page.picture("search")
        page.key("Enter")
        first = page.selected()
        check.expect("Enter goes to a match", page.evaluate(f"loomp.model.label({first})").startswith("halo"), first)
        page.key("Enter")
        second = page.selected()
        check.expect("and on to the next", second != first and page.evaluate(f"loomp.model.begin({second}) >= loomp.model.begin({first})"), second)
        page.press("#match-before")
        check.expect("and back", page.selected() == first, page.selected())
        page.press("#search")
        page.key("Escape")
        check.expect("Escape empties it", page.evaluate("loomp.gantt.matching === null && document.querySelector('#search').value === ''"))
        page.press("#search")
        page.type("#" + page.evaluate("loomp.model.id(7)"))
        check.expect("tasks are found by number", page.text("#matches") == "1 task", page.text("#matches"))
        page.evaluate("document.querySelector('#search').select()")
        page.type("no such kind")
        check.expect("and nothing is told of", page.text("#matches") == "0 tasks", page.text("#matches"))
        page.press("#match-after")
        page.key("Escape")
        page.press("#legend button")
        check.expect("the legend finds a kind", page.text("#matches").startswith("1\u202f920"), page.text("#matches"))
        page.press("#legend button")
        check.expect("and pressed again, all", page.text("#matches") == "", page.text("#matches"))


def case_colours(check):
    with small_page(check) as page:
        segment = page.evaluate("loomp.model.segments.task.findIndex((task, i) => loomp.model.tasks.iteration[task] === 20)")
        page.evaluate(f"(({{begin: b, end: e}}, i) => loomp.scale.show(b[i] - 1e5, e[i] + 1e5))(loomp.model.segments, {segment})")
        page.evaluate("loomp.toggle('messages', false)")
        page.frame()
        seen = set()
        for name in ("kind", "iteration", "rank", "duration"):
            page.evaluate(f"""(() => {{ const e = document.querySelector('#colour'); e.value = '{name}';
                e.dispatchEvent(new Event('change')); }})()""")
            page.frame()
            x, y = page.evaluate(f"""(({{scale, gantt, model: {{segments: s}}}}) => [scale.x(s.begin[{segment}]) + 3,
                gantt.top(s.thread[{segment}]) + gantt.lane / 3])(loomp)""")
            wanted = page.evaluate(f"loomp.gantt.colours[loomp.gantt.keys[{segment}]]")
            got = page.colour_at(round(x), round(y))
            check.expect(f"tasks have their colour by {name}", all(abs(a - b) <= 2 for a, b in zip(got, wanted)), (got, wanted))
            seen.add(tuple(wanted))
            page.evaluate("loomp.showWhole()")
            page.frame()
            page.picture(f"by-{name}")
            page.evaluate(f"(({{begin: b, end: e}}, i) => loomp.scale.show(b[i] - 1e5, e[i] + 1e5))(loomp.model.segments, {segment})")
        check.expect("which differ", len(seen) >= 3, seen)
        check.expect("iterations are those of the program", page.evaluate("loomp.model.tasks.iteration.reduce((a, b) => Math.max(a, b))") == 39)
        page.evaluate("loomp.colourBy('kind'); loomp.toggle('messages', true); loomp.showWhole()")
        page.frame()


def case_the_legend_names_the_colours_of_kinds(check):
    """Tasks are drawn as the legend has it beside the name of their kind; names are those of the trace."""
    with small_page(check) as page:
        page.evaluate("loomp.colourBy('kind'); loomp.toggle('messages', false)")
        page.frame()
        legend = dict(page.evaluate("""[...document.querySelectorAll('#legend button')].map((e) => [e.textContent.trim(),
            getComputedStyle(e.firstElementChild).backgroundColor])"""))
        # The longest segment of each kind.
        kinds = page.evaluate("""(({kinds, tasks, segments: s}) => {
            const longest = new Map();
            s.task.forEach((task, i) => {
                const kind = tasks.kind[task], length = (j) => s.end[j] - s.begin[j];
                if (kinds[kind] && (!longest.has(kind) || length(i) > length(longest.get(kind))))
                    longest.set(kind, i);
            });
            return [...longest].map(([kind, i]) => [kinds[kind].label, i]);
        })(loomp.model)""")
        check.expect("the trace has several kinds", len(kinds) >= 3, kinds)
        for label, segment in kinds:
            page.evaluate(f"(({{begin: b, end: e}}, i) => loomp.scale.show(b[i] - 1e3, e[i] + 1e3))(loomp.model.segments, {segment})")
            page.frame()
            x, y = page.evaluate(f"""(({{scale, gantt, model: {{segments: s}}}}) => [(scale.x(s.begin[{segment}])
                + scale.x(s.end[{segment}])) / 2, gantt.top(s.thread[{segment}]) + gantt.lane / 3])(loomp)""")
            drawn = page.colour_at(round(x), round(y))
            beside = [text for text, colour in legend.items()
                      if all(abs(a - b) <= 2 for a, b in zip(drawn, map(int, re.findall(r"\d+", colour)[:3])))]  # fmt: skip
            check.expect(f"the legend has the colour of {label} beside its name", any(label in text for text in beside),
                         (label, drawn, legend))  # fmt: skip


def case_colours_differ_without_red_and_green(check):
    """Kinds differ from each other, from the charts' colours and from the ground, in both themes."""
    # The formula's own examples (Sharma, Wu and Dalal, 2005), as near as 8 bits come to them.
    check.expect("black and white are 100 apart", near(distance("#000000", "#ffffff"), 100, 1e-3), distance("#000000", "#ffffff"))
    kinds = re.findall(r"#\w{6}", re.search(r"const CATEGORIES = .*", (WEB / "colours.js").read_text()).group())
    check.expect("there are several", len(kinds) >= 8, kinds)
    for theme, colours in themes((WEB / "style.css").read_text()).items():
        chart = {name: colours[name] for name in ("work", "overhead", "code")}
        shown = {**{f"kind {i}": colour for i, colour in enumerate(kinds)}, **chart}
        check.expect(f"colours of kinds and charts, {theme}", not too_alike(shown), too_alike(shown))
        for ground in ("lane", "idle", "call"):
            alike = [name for name, colour in shown.items() if distance(colour, colours[ground]) < 15]
            check.expect(f"they differ from {ground}, {theme}", not alike, alike)
        devices = {name: colours[name] for name in ("kernel", "copy-to", "copy-from", "lane")}
        check.expect(f"devices, {theme}", not too_alike(devices), too_alike(devices))


def case_further_kinds_have_stripes(check):
    with small_page(check) as page:
        page.evaluate("loomp.toggle('messages', false)")
        segment = page.evaluate("loomp.model.segments.task.findIndex((task, i) => loomp.model.segments.thread[i] > 0)")
        page.evaluate(f"(({{begin: b, end: e}}, i) => loomp.scale.show(b[i] - 1e3, e[i] + 1e3))(loomp.model.segments, {segment})")
        for stripes in (0, 1, 2, 3):
            page.evaluate(f"loomp.gantt.colours.forEach((colour) => {{ colour.stripes = {stripes}; }}); loomp.redraw()")
            page.frame()
            x, top = page.evaluate(f"""(({{scale, gantt, model: {{segments: s}}}}) => [(scale.x(s.begin[{segment}])
                + 3 * scale.x(s.end[{segment}])) / 4, gantt.top(s.thread[{segment}])])(loomp)""")
            rows = [tuple(page.colour_at(round(x), round(top) + y)) for y in range(2, 8)]
            check.expect(f"pattern {stripes}", sum(colour != rows[0] for colour in rows) in (stripes, 6 - stripes), rows)


def case_overlays(check):
    with small_page(check) as page:
        data = "document.querySelector('#gantt').toDataURL()"
        page.key("0")
        for name in ("path", "messages", "calls"):
            before = page.evaluate(data)
            page.press(f"#show-{name}")
            after = page.evaluate(data)
            check.expect(f"{name} can be shown or not", before != after)
            if name == "path":
                page.picture("critical-path")
                page.evaluate("loomp.scale.show(3e6, 4e6)")
                page.frame()
                page.picture("critical-path-zoomed")
                page.key("0")
            page.press(f"#show-{name}")
            check.expect(f"and {name} again", page.evaluate(data) == before)
        page.press("#rank")
        page.evaluate("(() => { const e = document.querySelector('#rank'); e.value = '1'; e.dispatchEvent(new Event('change')); })()")
        page.frame()
        for chart in ("breakdown", "overlap"):
            left, top, width, height = page.place(f"#{chart}")
            page.mouse("mouseMoved", left + width / 2, top + height / 2)
            page.frame()
            check.expect(f"the chart of {chart} tells its figures", "%" in page.text("#tooltip") or "nothing in flight" in page.text("#tooltip"), page.text("#tooltip"))
        page.picture("charts")
        page.press("#show-keys")
        check.expect("the keys can be looked up", "zoom" in page.text("#keys") and not page.evaluate("document.querySelector('#keys').hidden"))
        page.picture("keys")
        page.press("#show-keys")


def case_devices(check):
    """Each rank's device has two lanes below its threads, and a copy and a kernel an iteration."""
    with small_page(check) as page:
        page.evaluate("loomp.toggle('messages', false)")
        names = page.evaluate("loomp.gantt.lanes.map(({thread, device}) => thread < 0 ? loomp.model.deviceLaneName(device) : loomp.model.threadName(thread))")
        check.expect("devices are below the threads of their rank", names == [
            f"rank {rank} {lane}" for rank in (0, 1) for lane in ("thread 0", "thread 1", "thread 2", "thread 3", "device 0 (1)", "device 0 (2)")], names)
        for what, name, seen in ((1, "copy to device stencil.cc:50", "64\u202fKiB, 4\u202f\u00b5s"), (0, "kernel stencil.cc:50", "10\u202f\u00b5s")):
            work = page.evaluate(f"loomp.model.deviceWork.what.findIndex((of, i) => of === {what} && loomp.model.deviceLanes[loomp.model.deviceWork.lane[i]].rank === 1)")
            page.evaluate(f"(({{begin: b, end: e}}, i) => loomp.scale.show(b[i] - 2e4, e[i] + 2e4))(loomp.model.deviceWork, {work})")
            page.frame()
            left, top, _, _ = page.place("#gantt")
            x, y = page.evaluate(f"(({{begin: b, end: e, lane}}, i) => [loomp.scale.x((b[i] + e[i]) / 2), loomp.gantt.topOfDevice(lane[i]) + loomp.gantt.lane / 2])(loomp.model.deviceWork, {work})")
            wanted = page.evaluate(f"loomp.theme['{'copy-to' if what else 'kernel'}']")
            got = page.colour_at(round(x), round(y))
            check.expect(f"a {name} has its colour", all(abs(a - b) <= 2 for a, b in zip(got, wanted)), (got, wanted))
            page.mouse("mouseMoved", left + x, top + y)
            page.frame()
            task = page.evaluate(f"loomp.model.deviceWork.task[{work}]")
            told = page.text("#tooltip")
            check.expect("pointing at it tells what it is, how much, how long and of which task",
                   name in told and seen in told and f"#{page.evaluate(f'loomp.model.id({task})')}, stencil.cc:41" in told, told)
            page.click(left + x, top + y)
            check.expect("a click selects its task", page.selected() == task, (page.selected(), task))
            check.expect("whose details have it", "On device 0 (2)" in page.text("#details") and "64\u202fKiB" in page.text("#details"), page.text("#details"))
        page.picture("devices", whole=True)
        page.key("Escape")
        page.press("#search")
        page.type("halo.cc:17")
        page.frame()
        check.expect("work of tasks that are not looked for is grey", all(abs(a - b) <= 2 for a, b in zip(
            page.colour_at(round(x), round(y)), page.evaluate("loomp.theme.dim"))), page.colour_at(round(x), round(y)))
        page.key("Escape")
        rows = page.evaluate("[...document.querySelectorAll('#devices tbody tr')].map((e) => [...e.children].map((d) => d.textContent))")
        check.expect("a table of devices", [row[:2] + row[3:4] for row in rows] == [["rank 0 device 0", "40", "40"], ["rank 1 device 0", "40", "40"]], rows)
        check.expect("and a legend", "copy to the device" in page.text("#legend") and "copy from the device" not in page.text("#legend"), page.text("#legend"))
        page.evaluate("loomp.toggle('messages', true); loomp.showWhole()")
        page.frame()


def case_sorts_tables(check):
    with small_page(check) as page:
        for column in (3, 6, 10):
            header = f"#kinds th:nth-child({column}) button"
            values = []
            for _ in range(2):
                page.press(header)
                values.append([float("".join(c for c in text if c.isdigit() or c == ".")) for text in page.column("kinds", column)])
            check.expect(f"column {column} sorts downwards, then upwards", values[0] == sorted(values[0], reverse=True)
                   and values[1] == sorted(values[1]), values)
        page.press("#kinds th:nth-child(1) button")
        names = page.column("kinds", 1)
        check.expect("names sort as names", names == sorted(names), names)
        check.expect("which is told to screen readers", page.evaluate("document.querySelector('#kinds th').getAttribute('aria-sort')") == "ascending")
        page.press("#kinds tbody tr:nth-child(2) button")
        check.expect("a kind's name finds its tasks", page.text("#matches") != "", page.text("#matches"))
        page.key("Escape")
        page.picture("tables", whole=True)


def case_dark(check):
    background = "getComputedStyle(document.documentElement).backgroundColor"
    with small_page(check) as page:
        light = page.evaluate(background)
        page.dark(True)
        page.picture("dark", whole=True)
        check.expect("a browser that prefers the dark has a dark page", page.evaluate(background) != light, light)
        page.dark(False)
        check.expect("and a light one again", page.evaluate(background) == light, light)


def case_a_million_tasks(check):
    """Figures for people; it fails only if a figure would be unusable on any machine."""
    file = made_page(check, "large", str(LARGE))
    size = file.stat().st_size / 1e6
    with shown(check, file) as page:
        page.picture("large")
        frames = {}
        for name, step in (("zooming", "s.zoom(i < 50 ? 0.87 : 1 / 0.87)"), ("panning", "i === 0 ? s.show(3e8, 3.2e8) : s.pan(0.02 * s.span)")):
            frames[name] = page.evaluate(f"""(async () => {{
                const s = loomp.scale, frame = () => new Promise((done) => requestAnimationFrame(done)), times = [];
                for (let i = 0, last = await frame(); i < 100; ++i) {{
                    {step};
                    const now = await frame();
                    times.push(now - last);
                    last = now;
                }}
                times.sort((a, b) => a - b);
                return {{perSecond: 1e5 / times.reduce((a, b) => a + b), median: times[50], worst: times[99]}};
            }})()""")
        page.picture("large-zoomed")
        print(f"view: {page.evaluate('loomp.model.tasks.length')} tasks, {size:.1f} MB, loaded in {page.loaded_in:.1f} s; " + ", ".join(
            f"{name} {f['perSecond']:.0f} frames/s (median {f['median']:.0f} ms, worst {f['worst']:.0f} ms)" for name, f in frames.items()))
        check.expect("a page of a million tasks has less than 30 MB", size < 30, size)
        check.expect("and loads in a few seconds", page.loaded_in < 10, page.loaded_in)
        check.expect("and moves", all(f["perSecond"] > 10 for f in frames.values()), frames)


LOOPS = """
#include <unistd.h>
static double a[100000];
int main(void) {
    usleep(100000);
    for (int step = 0; step < 10; step++)
#pragma omp parallel for schedule(dynamic, 1000)
        for (int i = 0; i < 100000; i++)
            a[i] += i;
    return 0;
}
"""

# The first task kills the program when the others exist, which wait for it.
KILLED = """
#include <sched.h>
#include <signal.h>
static volatile int created;
int main(void) {
    int x;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : x)
        {
            while (!created)
                sched_yield();
            raise(SIGKILL);
        }
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : x)
            {
            }
        }
        created = 1;
    }
    return 0;
}
"""


def run(*words):
    return subprocess.run(words, text=True, capture_output=True, timeout=60)


def record(check, source, name, dies=False):
    """The path of a recording of a program on two threads."""
    def make(path):
        gcc = subprocess.run([HERE.parents[1] / "scripts/compiler", "gcc"], check=True, text=True,
                             stdout=subprocess.PIPE).stdout.strip()
        subprocess.run([gcc, "-O1", "-g", "-fopenmp", source, "-o", "program"], check=True)
        subprocess.run([check.build / "bin/loomp", "trace", "-o", path, "-t", "2", "./program"], check=not dies)
    return check.once(name, make)


def record_graph(check):
    return record(check, HERE.parent / "record/graph.c", "trace of <graph>")


def case_a_program_with_loops_only(check):
    Path("loops.c").write_text(LOOPS, encoding="utf-8")
    trace = record(check, "loops.c", "loops.trace")
    done = run(check.build / "bin/loomp", "view", trace, "-o", "loops.html")
    check.expect("there is a page", done.returncode == 0 and not done.stderr, done)
    with shown(check, check.scratch / "loops.html") as page:
        page.picture("loops", whole=True)
        constructs = page.column("constructs", 1)
        check.expect("regions and loops by their places", any(c.startswith("parallel loops.c:") for c in constructs)
                     and any(c.startswith("loop loops.c:") for c in constructs), constructs)
        check.expect("as often as there were", page.column("constructs", 3)[0] == "10", page.column("constructs", 3))
        run_of = page.evaluate("[loomp.model.run[1] - loomp.model.run[0], loomp.model.makespan[1] - loomp.model.makespan[0], loomp.model.length]")
        check.expect("it shows the run, with what is serial", run_of[0] == run_of[1] == run_of[2] > 1e8, run_of)
        covered = page.evaluate("loomp.model.threads[0].doings.within(0, loomp.model.length) / loomp.model.length")
        check.expect("all of it is the first thread's", near(covered, 1), covered)
        sums = page.evaluate("loomp.model.summary.threads.map(({run}) => run.reduce((a, b) => a + b))")
        check.expect("the table adds up to it", all(total == run_of[0] for total in sums), (sums, run_of))
        check.expect("no tables of tasks", page.evaluate("document.querySelector('#kinds').hidden"))
        check.expect("findings about its regions", "Serial code" in page.text("#findings"), page.text("#findings"))


def case_a_recorded_program(check):
    done = run(check.build / "bin/loomp", "view", record_graph(check), "-o", "recorded.html")
    check.expect("loomp view writes a page, and names it",
                 (done.returncode, done.stdout, done.stderr) == (0, "recorded.html is the page: open it in a browser\n", ""), done)
    with shown(check, check.scratch / "recorded.html") as page:
        page.picture("recorded", whole=True)
        check.expect("named for the trace", page.text("#name") == "trace of <graph>", page.text("#name"))
        check.expect("with all tasks", page.evaluate("loomp.model.tasks.length") == 801)
        check.expect("and dependences", page.evaluate("loomp.model.tasks.predecessor.length") == 49 * (16 * 3 - 2))
        iterations = page.evaluate("loomp.model.tasks.iteration.reduce((a, b) => Math.max(a, b))")
        check.expect("in 50 iterations", iterations == 49, iterations)
        check.expect("and nothing was cut off", page.evaluate("document.querySelector('#unfinished').hidden"))


def case_a_run_that_was_cut_off(check):
    Path("killed.c").write_text(KILLED, encoding="utf-8")
    trace = record(check, "killed.c", "killed.trace", dies=True)
    done = run(check.build / "bin/loomp", "view", trace, "-o", "killed.html")
    check.expect("there is a page", done.returncode == 0, done)
    with shown(check, check.scratch / "killed.html") as page:
        page.picture("killed")
        text = page.text("#unfinished pre")
        check.expect("it says so first", not page.evaluate("document.querySelector('#unfinished').hidden")
                     and text.startswith("the run was cut off: rank 0 was killed"), text)
        check.expect("with the tasks' states", ": 2 not begun; 1 in their code" in text, text)
        figures = page.text("#figures")
        check.expect("with the report's tasks", "tasks3not begun2" in figures, figures)


def case_a_task_of_many_pieces(check):
    pieces = 200_000  # too many arguments for a call
    with shown(check, made_page(check, "pieces", str(pieces))) as page:
        page.evaluate("loomp.select(0)")
        check.expect("it is selected", page.selected() == 0, page.selected())
        times = page.evaluate("[loomp.model.begin(0), loomp.model.end(0), loomp.model.work(0)]")
        check.expect("with its times", times == [0, 10 * pieces - 5, 5 * pieces], times)
        widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        check.expect("and its long name does not widen the page", widths[0] <= widths[1], widths)


def case_wrong_arguments(check):
    for arguments, named in ((("nowhere",), "nowhere"), ((record_graph(check), "-o", "/nowhere/x.html"), "/nowhere/x.html")):
        done = run(check.build / "bin/loomp", "view", *arguments)
        check.expect(f"loomp says what is wrong with {named}", done.returncode == 1 and done.stderr.startswith("loomp: view: ")
                     and named in done.stderr and done.stderr.count("\n") == 1, done)
