"""Whether a file of `loomp export` is as Perfetto's importer of Chrome's JSON needs it (the Trace Event
Format): perfetto.py FILE prints "ok" or what is wrong.

Its trace processor, which would say so itself, is fetched from Google's servers by the package of PyPI.
What it drops without a word are slices of a thread that overlap and do not nest, and arrows whose ends are in
no slice.
"""
import bisect
import collections
import json
import sys

NEEDED = {"X": {"name", "pid", "tid", "ts", "dur"}, "M": {"name", "pid", "args"},
          "s": {"name", "cat", "id", "pid", "tid", "ts"}, "f": {"name", "cat", "id", "bp", "pid", "tid", "ts"}}


def problems(events):
    slices = collections.defaultdict(list)
    arrows = collections.defaultdict(list)
    for event in events:
        missing = NEEDED.get(event.get("ph"), {"ph of X, M, s or f"}) - event.keys()
        if missing:
            yield f"{event} lacks {missing}"
        elif event["ph"] == "X":
            # Nanoseconds, as integers: ends and beginnings are to be compared.
            begin = round(event["ts"] * 1000)
            slices[event["pid"], event["tid"]].append((begin, begin + round(event["dur"] * 1000)))
        elif event["ph"] in "sf":
            arrows[event["cat"], event["id"]].append(event)
    for thread, of in slices.items():
        of.sort(key=lambda slice: (slice[0], -slice[1]))
        around = []
        for begin, end in of:
            while around and around[-1] <= begin:
                around.pop()
            if around and end > around[-1]:
                yield f"{thread}: a slice from {begin} to {end} ns reaches out of the one around it"
            around.append(end)
    for name, ends in arrows.items():
        if sorted(end["ph"] for end in ends) != ["f", "s"]:
            yield f"arrow {name} has the ends {[end['ph'] for end in ends]}"
        for end in ends:
            thread, at = (end["pid"], end["tid"]), round(end["ts"] * 1000)
            place = bisect.bisect_right(slices[thread], (at, float("inf")))
            if not any(until >= at for _, until in slices[thread][:place]):
                yield f"{end} is in no slice of its thread"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(problems(json.load(file)["traceEvents"]))
    print("\n".join(found[:10]) or "ok")


main()
