"""Draws threads over time as SVG.

A pixel has the colour of the kind of task with the most time in it. The colour's strength is the
tasks' share of the pixel. Grey is idle time or work of the runtime.
"""

import json
import math
from collections import defaultdict
from html import escape

WIDTH, LEFT, ROW, GAP, AXIS = 760, 90, 34, 6, 20
# They differ on light and dark ground, also for eyes without red or green (tests/view/colours.py).
COLOURS = ("#236fd9", "#d9db47", "#4d8266", "#8b6023", "#bbafe1", "#29349e")
OTHERS = "#a3ada0"
STYLE = (".gantt text { fill: #222 } .gantt .ground { fill: #fff } .gantt .lane { fill: #ececec } .gantt .axis { stroke: #555 } "
         "@media (prefers-color-scheme: dark) { .gantt text { fill: #e8ebee } .gantt .ground { fill: #14171b } "
         ".gantt .lane { fill: #2a3037 } .gantt .axis { stroke: #a3adb8 } }")


def from_first(threads):
    """{(rank, thread): [(begin, end, kind), ...]}, in us from the first begin, in order."""
    first = min((task[0] for tasks in threads.values() for task in tasks), default=0)
    return {thread: sorted((begin - first, end - first, kind) for begin, end, kind in threads[thread])
            for thread in sorted(threads)}


def of_tasks(exported):
    """The tasks of a Perfetto file, in the form of from_first()."""
    threads = defaultdict(list)
    with open(exported, encoding="utf-8") as lines:
        for line in lines:
            # An event has its own line; the many other events are skipped.
            if line.startswith('{"ph":"X","cat":"task"'):
                event = json.loads(line.rstrip().rstrip(",").removesuffix("]}"))
                threads[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"], event["name"]))
    return from_first(threads)


def length(threads):
    return max((end for tasks in threads.values() for _, end, _ in tasks), default=0)


def pixels(tasks, scale):
    """For each pixel the kind with the most time, and the tasks' share of the pixel."""
    taken = [defaultdict(float) for _ in range(WIDTH)]
    for begin, end, kind in tasks:
        x, last = begin * scale, min(end * scale, WIDTH)
        while x < last:
            column = min(int(x), WIDTH - 1)
            step = min(column + 1, last)
            taken[column][kind] += step - x
            x = step if step > x else last
    return [(max(of, key=of.get), round(min(1, sum(of.values())), 1)) if of else ("", 0) for of in taken]


def add_row(shapes, tasks, top, scale, colours):
    """Adds a thread's boxes to shapes: {(colour, strength): path}."""
    looks, begin = pixels(tasks, scale), 0
    for x in range(1, WIDTH + 1):
        if x == WIDTH or looks[x] != looks[begin]:
            kind, strength = looks[begin]
            if strength > 0:
                shapes[colours[kind], strength] += f"M{LEFT + begin} {top}h{x - begin}v{ROW}h-{x - begin}z"
            begin = x


def axis(longest, top):
    """A time axis of `longest` us over the whole width, with 4 to 10 marks in ms."""
    size = 10 ** math.floor(math.log10(longest / 4))
    step = next(times * size for times in (5, 2, 1) if longest / (times * size) >= 4)
    marks = [(LEFT + WIDTH * i * step / longest, i * step / 1000) for i in range(int(longest / step) + 1)]
    return [f'<path class="axis" d="M{LEFT} {top}h{WIDTH}' + "".join(f"M{x:.1f} {top}v4" for x, _ in marks) + '"/>',
            *(f'<text x="{x:.1f}" y="{top + 15}" font-size="11" text-anchor="{"start" if x == LEFT else "middle"}">{time:g} ms</text>'
              for x, time in marks if x < LEFT + WIDTH - 20)]


def legend(colours, top):
    """A key for each colour, as many in a line as fit, and the position after it."""
    lines, x = [], LEFT
    for kind, colour in (*colours.items(), ("idle or overhead", None)):
        width = 40 + 7 * len(kind)
        if x > LEFT and x + width > LEFT + WIDTH:
            x, top = LEFT, top + 20
        fill = f'fill="{colour}"' if colour else 'class="lane"'
        lines += [f'<rect x="{x}" y="{top}" width="12" height="12" {fill}/>',
                  f'<text x="{x + 17}" y="{top + 11}">{escape(kind)}</text>']
        x += width
    return lines, top + 20


def colours_of(named):
    """A colour for each kind; those with the most time have their own, the others share one."""
    time = defaultdict(float)
    for threads in named.values():
        for tasks in threads.values():
            for begin, end, kind in tasks:
                time[kind] += end - begin
    first = sorted(sorted(time, key=time.get, reverse=True)[:len(COLOURS)])
    return {**dict(zip(first, COLOURS)), **{kind: OTHERS for kind in sorted(time.keys() - first)}}


def draw(named):
    """Draws the threads of several runs below each other, at one scale: {name: the result of
    from_first()}."""
    longest = max(map(length, named.values())) or 1
    scale = WIDTH / longest
    colours = colours_of(named)
    lines, shapes, top = [], defaultdict(str), 0
    for name, threads in named.items():
        lines.append(f'<text x="0" y="{top + 13}" font-weight="bold">{escape(name)}: {length(threads) / 1000:.1f} ms</text>')
        top += 20
        ranks = {rank for rank, _ in threads}
        for (rank, thread), tasks in threads.items():
            label = f"rank {rank}.{thread}" if len(ranks) > 1 else f"thread {thread}"
            lines += [f'<text x="0" y="{top + 22}">{label}</text>',
                      f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{ROW}" class="lane"/>']
            add_row(shapes, tasks, top, scale, colours)
            top += ROW + GAP
        lines += axis(longest, top - GAP + 2)
        top += AXIS + 8
    lines += [f'<path d="{path}" fill="{colour}" fill-opacity="{strength}"/>' for (colour, strength), path in shapes.items()]
    keys, height = legend({"others" if colour == OTHERS else kind: colour for kind, colour in colours.items()}, top)
    return (f'<svg class="gantt" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH} {height}" '
            f'width="{LEFT + WIDTH}" height="{height}" font-family="sans-serif" font-size="13">\n'
            f'<style>{STYLE}</style>\n<rect class="ground" width="100%" height="100%"/>\n' + "\n".join(lines + keys) + "\n</svg>\n")
