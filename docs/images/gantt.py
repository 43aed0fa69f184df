"""Draws the threads of traces over time, one below the other, at one scale: the picture of README.

    loomp python docs/images/gantt.py "on libomp=A" "on loomp=B" -o docs/images/gantt.svg

Each pixel has the colour of the kind of task that takes most of it, as strong as the share of the pixel
that tasks take. What stays grey is idle time or work of the runtime.
"""
import argparse

import numpy as np

import loomp

WIDTH, LEFT, ROW, GAP = 760, 70, 34, 6
COLOURS = ["#3b6fb6", "#e08a1e", "#4c9a52", "#b5493f", "#7b5aa6", "#50a3a4"]


def shares(begin, end, first, scale):
    """Of each pixel, the share that the intervals take."""
    edges = first + np.arange(WIDTH + 1) / scale
    before = np.zeros(WIDTH + 1)
    order = np.argsort(begin)
    begin, end = begin[order], end[order]
    whole = np.concatenate([[0], np.cumsum(end - begin)])
    index = np.searchsorted(begin, edges, side="right")
    before = whole[index] - np.where(index > 0, np.maximum(0, end[index - 1] - edges), 0)
    return np.diff(before) * scale


def draw(path, name, top, scale, kinds):
    """The lines of SVG, and where the next trace begins."""
    trace = loomp.read(path)
    tasks, segments = trace.tasks, trace.segments
    segments = segments[~tasks["implicit"][segments["task"]]]
    first = segments["begin"].min()
    length = (segments["end"].max() - first) / 1e6
    lines = [f'<text x="0" y="{top + 13}" font-weight="bold">{name}: {length:.1f} ms</text>']
    top += 20
    for thread in np.unique(segments["thread"]):
        lines += [f'<text x="0" y="{top + 22}">thread {trace.threads["number"][thread]}</text>',
                  f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{ROW}" fill="#ececec"/>']
        mine = segments[segments["thread"] == thread]
        names = np.array([kinds.setdefault(trace.kinds[k][0], len(kinds))
                          for k in tasks["kind"][mine["task"]]], dtype=int)
        taken = np.array([shares(mine["begin"][names == kind], mine["end"][names == kind], first, scale)
                          if (names == kind).any() else np.zeros(WIDTH) for kind in range(len(kinds))])
        most, all_of_it = taken.argmax(axis=0), np.minimum(1, taken.sum(axis=0))
        looks = [(most[x], round(float(all_of_it[x]), 1)) for x in range(WIDTH)]
        begin = 0
        for x in range(1, WIDTH + 1):
            if x == WIDTH or looks[x] != looks[begin]:
                kind, strength = looks[begin]
                if strength > 0:
                    lines.append(f'<rect x="{LEFT + begin}" y="{top}" width="{x - begin}" height="{ROW}" '
                                 f'fill="{COLOURS[kind % len(COLOURS)]}" fill-opacity="{strength}"/>')
                begin = x
        top += ROW + GAP
    return lines, top + 8


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="+", metavar="NAME=DIR")
    parser.add_argument("-o", required=True, metavar="FILE")
    options = parser.parse_args()
    named = [text.rsplit("=", 1) for text in options.traces]
    longest = 0
    for _, path in named:
        trace = loomp.read(path)
        mine = trace.segments[~trace.tasks["implicit"][trace.segments["task"]]]
        longest = max(longest, mine["end"].max() - mine["begin"].min())
    kinds, top, lines = {}, 0, []
    for name, path in named:
        more, top = draw(path, name, top, WIDTH / longest, kinds)
        lines += more
    legend = "".join(f'<rect x="{LEFT + 110 * i}" y="{top}" width="12" height="12" '
                     f'fill="{COLOURS[i % len(COLOURS)]}"/><text x="{LEFT + 110 * i + 17}" y="{top + 11}">'
                     f'{kind}</text>' for kind, i in kinds.items())
    with open(options.o, "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH}" height="{top + 16}" '
                  'font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="white"/>\n'
                  + "\n".join(lines) + "\n" + legend + "\n</svg>\n")


if __name__ == "__main__":
    main()
