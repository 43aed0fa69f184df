"""Converts samples to medians, ratios and verdicts: a table for people, JSON for plots."""

import statistics

from .runtimes import PEERS_OF_GOALS

COLUMNS = ["loomp/clang", "loomp/gcc", "libomp/clang", "iomp5/clang", "libgomp/gcc"]
ANCHOR_THREADS = 2  # thread count of the project's bounds in ns


def figure(samples, floors, by):
    ordered = sorted(samples)
    quarter = len(ordered) // 4
    middle = statistics.median(ordered)
    return {
        "ns": min(floors) if by == "min" else middle,
        "median": middle,
        "min": min(floors),
        "max": ordered[-1],
        "spread": (ordered[-1 - quarter] - ordered[quarter]) / 2 / middle,
        "n": len(ordered),
        "samples": samples,
    }


def compare(case, threads, figures, failures):
    """One row: loomp's figures, the peers' and the goals of the case."""
    peers = {name: f["ns"] for name, f in figures.items() if not name.startswith("loomp")}
    ours = {name: f for name, f in figures.items() if name.startswith("loomp")}
    row = dict(case=case["case"], unit=case["unit"], threads=threads)
    row.update(figures=figures, failures=failures, best_peer=None, ratio={}, limit=None)
    if peers:
        row["best_peer"] = min(peers, key=peers.get)
        row["ratio"] = {name: f["ns"] / peers[row["best_peer"]] for name, f in ours.items()}
    named = [ns for name, ns in peers.items() if name.split("/")[0] in PEERS_OF_GOALS]
    if case["peer_max"] and named:
        row["limit"] = case["peer_max"] * min(named)
    row["peer_max"] = case["peer_max"] or None
    row["anchor"] = case["anchor_ns"] if case["anchor_ns"] and threads == ANCHOR_THREADS else None
    row["above_limit"] = above(ours, row["limit"])
    row["above_anchor"] = above(ours, row["anchor"])
    row["failed"] = sorted(name for name in failures if name.startswith("loomp"))
    return row


def above(ours, bound):
    """loomp's binaries that exceed `bound`: surely, or within the spread of their samples."""
    if bound is None:
        return {}
    return {
        name: "spread" if f["min"] <= bound else "sure"
        for name, f in ours.items()
        if f["ns"] > bound
    }


def number(ns):
    return f"{ns:,.0f}" if ns >= 100 else f"{ns:.1f}"


def cell(row, name):
    if name in row["failures"]:
        return "failed"
    if name not in row["figures"]:
        return "n/a"
    f = row["figures"][name]
    spread = f"±{100 * f['spread']:.0f}%" if f["spread"] < 10 else "±>999%"
    return f"{number(f['ns'])} {spread}"


def verdict(row):
    words = []
    for kind, found in (("ABOVE", row["above_limit"]), ("anchor", row["above_anchor"])):
        if found:
            names = (n.split("/")[1] + ("?" if s == "spread" else "") for n, s in found.items())
            words.append(f"{kind} {','.join(names)}")
    if row["failed"]:
        words.append("FAILED " + ",".join(n.split("/")[1] for n in row["failed"]))
    goals = row["limit"] is not None or row["anchor"] is not None
    measured = any(name.startswith("loomp") for name in row["figures"])
    return "; ".join(words) or ("ok" if goals and measured else "")


def table(rows):
    names = [n for n in COLUMNS if any(n in r["figures"] or n in r["failures"] for r in rows)]
    ours = [n for n in names if n.startswith("loomp")]
    head = ["case", "thr", "per", *names, "best peer"]
    head += [f"{n.split('/')[1]} ratio" for n in ours] + ["limit", "anchor", ""]
    lines = [head]
    for row in rows:
        line = [row["case"], str(row["threads"]), row["unit"], *(cell(row, n) for n in names)]
        line.append((row["best_peer"] or "-").split("/")[0])
        line += [f"{row['ratio'][n]:.2f}" if n in row["ratio"] else "-" for n in ours]
        line += [number(row[k]) if row[k] is not None else "-" for k in ("limit", "anchor")]
        lines.append(line + [verdict(row)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    left = {0, 2, 3 + len(names), len(head) - 1}
    text = []
    for i, line in enumerate(lines):
        if i > 0 and line[0].split("/")[0] != lines[i - 1][0].split("/")[0]:
            text.append("")
        cells = (c.ljust(w) if j in left else c.rjust(w) for j, (c, w) in enumerate(zip(line, widths)))
        text.append("  ".join(cells).rstrip())
    return "\n".join(text)


def summary(rows):
    judged = [r for r in rows if r["ratio"] and (r["limit"] or r["anchor"])]
    sure = [r for r in judged if "sure" in r["above_limit"].values()]
    near = [r for r in judged if r["above_limit"] and r not in sure]
    anchors = [r for r in judged if r["above_anchor"]]
    failed = [r for r in rows if r["failed"]]
    if not judged and not failed:
        return "loomp was not measured: no ratios, no verdicts"
    met = sum(1 for r in judged if r["limit"] and not r["above_limit"])
    return (
        f"goals against the peers: {met} met, {len(sure)} above, {len(near)} above within the "
        f"spread; {len(anchors)} above their anchor; {len(failed)} failed"
    )
