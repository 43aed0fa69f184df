"""Checks that a file of `loomp export` suits Perfetto's importer of Chrome's JSON (the Trace Event
Format): perfetto.py FILE prints "ok" or what is wrong.

Its trace processor, which would say so itself, is fetched from Google's servers by the package of PyPI.
It drops without a word slices of a thread that overlap and do not nest, and arrows whose ends are in no
slice.
"""
import bisect
import collections
import json
import sys

NEEDED = {"X": {"name", "pid", "tid", "ts", "dur"}, "M": {"name", "pid", "args"},
          "s": {"name", "cat", "id", "pid", "tid", "ts"}, "f": {"name", "cat", "id", "bp", "pid", "tid", "ts"},
          "b": {"name", "cat", "id", "pid", "ts"}, "e": {"name", "cat", "id", "pid", "ts"},
          "C": {"name", "pid", "ts", "args"}}


def problems(events):
    slices = collections.defaultdict(list)
    arrows = collections.defaultdict(list)
    states = collections.defaultdict(list)
    counters = collections.defaultdict(list)
    for event in events:
        missing = NEEDED.get(event.get("ph"), {"ph of X, M, s, f, b, e or C"}) - event.keys()
        if missing:
            yield f"{event} lacks {missing}"
        elif event["ph"] == "X":
            # Nanoseconds, as integers: ends and beginnings are to be compared.
            begin = round(event["ts"] * 1000)
            slices[event["pid"], event["tid"]].append((begin, begin + round(event["dur"] * 1000)))
        elif event["ph"] in "sf":
            arrows[event["cat"], event["id"]].append(event)
        elif event["ph"] in "be":
            states[event["pid"], event["cat"], event["id"]].append(event)
        elif event["ph"] == "C":
            counters[event["pid"], event["name"]].append(event)
    yield from problems_of_states(states)
    for name, of in counters.items():
        if any(a["ts"] >= b["ts"] for a, b in zip(of, of[1:])):
            yield f"counter {name} goes back in time"
        if any(value < 0 for event in of for value in event["args"].values()) or any(of[-1]["args"].values()):
            yield f"counter {name} is below 0, or not 0 at the end"
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


def problems_of_states(states):
    """Each task is a pair of nestable asynchronous events, and its states are pairs in it, one after the other."""
    for name, of in states.items():
        pairs = list(zip(of[::2], of[1::2]))
        if len(of) % 2 or any((begin["ph"], end["ph"], begin["name"]) != ("b", "e", end["name"]) for begin, end in pairs):
            yield f"{name} has no pairs of beginnings and ends"
            continue
        times = [(round(begin["ts"] * 1000), round(end["ts"] * 1000)) for begin, end in pairs]
        whole, parts = times[0], times[1:]
        if any(begin > end for begin, end in times) or any(a[1] > b[0] for a, b in zip(parts, parts[1:])):
            yield f"the states of {name} are not in order: {times}"
        if any(begin < whole[0] or end > whole[1] for begin, end in parts):
            yield f"the states of {name} reach out of it: {times}"
        if not {begin["name"] for begin, _ in pairs[1:]} <= {"waits for predecessors", "ready", "running", "suspended"}:
            yield f"{name} has states that there are not"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(problems(json.load(file)["traceEvents"]))
    print("\n".join(found[:10]) or "ok")


main()
