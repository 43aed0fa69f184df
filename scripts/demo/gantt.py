"""Draws threads over time as SVG.

A pixel has the colour of the kind of task with the most time in it. The colour's strength is the
tasks' share of the pixel. Grey is idle time or work of the runtime.
"""

import json
from collections import defaultdict
from html import escape

WIDTH, LEFT, ROW, GAP = 760, 90, 34, 6
COLOURS = ("#3b6fb6", "#e08a1e", "#4c9a52", "#b5493f", "#7b5aa6", "#50a3a4")
OTHERS = "#8a8a8a"


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


def legend(colours, top):
    """A key for each colour, as many in a line as fit, and the position after it."""
    lines, x = [], LEFT
    for kind, colour in colours.items():
        width = 40 + 7 * len(kind)
        if x > LEFT and x + width > LEFT + WIDTH:
            x, top = LEFT, top + 20
        lines += [f'<rect x="{x}" y="{top}" width="12" height="12" fill="{colour}"/>',
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
    scale = WIDTH / (max(map(length, named.values())) or 1)
    colours = colours_of(named)
    lines, shapes, top = [], defaultdict(str), 0
    for name, threads in named.items():
        lines.append(f'<text x="0" y="{top + 13}" font-weight="bold">{escape(name)}: {length(threads) / 1000:.1f} ms</text>')
        top += 20
        ranks = {rank for rank, _ in threads}
        for (rank, thread), tasks in threads.items():
            label = f"rank {rank}.{thread}" if len(ranks) > 1 else f"thread {thread}"
            lines += [f'<text x="0" y="{top + 22}">{label}</text>',
                      f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{ROW}" fill="#ececec"/>']
            add_row(shapes, tasks, top, scale, colours)
            top += ROW + GAP
        top += 8
    lines += [f'<path d="{path}" fill="{colour}" fill-opacity="{strength}"/>' for (colour, strength), path in shapes.items()]
    keys, height = legend({"others" if colour == OTHERS else kind: colour for kind, colour in colours.items()}, top)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH} {height}" '
            f'width="{LEFT + WIDTH}" height="{height}" font-family="sans-serif" font-size="13">\n'
            '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(lines + keys) + "\n</svg>\n")
