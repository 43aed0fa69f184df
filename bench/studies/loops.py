"""LULESH's loops as tasks: thesis table 8.1."""

from .study import THESIS, Study, verdict

# The thesis' average work of a task in us, by our labels, with its own names; 55,296 elements a task.
PUBLISHED_81 = {
    "stresses": ("InitStressTerms", 1028.95), "integrate stresses": ("IntegrateStress1", 14786.62), "gather stress": ("IntegrateStress2", 5549.58),
    "hourglass control": ("HourglassControl", 22436.32), "hourglass forces": ("FBHourglassForce1", 18344.26),
    "gather hourglass": ("FBHourglassForce2", 5478.5), "clear forces": ("ForceForNodes", 246.13), "accelerate": ("Acceleration", 726.41),
    "velocities": ("Velocity", 483.58), "positions": ("Position", 440.9), "kinematics": ("Kinematics", 7210.77),
    "expansion": ("LagrangeElements", 281.53), "velocity differences": ("MonotonicQGradients", 4256.46),
    "viscosities": ("MonotonicQRegion", 3089.27), "bound volumes": ("ApplyMaterialProperties", 68.18), "take state": ("EvalEOS1", 1988.75),
    "compression": ("EvalEOS2", 676.42), "least compression": ("EvalEOS3", 249.7), "largest compression": ("EvalEOS4", 124.25),
    "clear work": ("EvalEOS5", 80.25), "put state": ("EvalEOS6", 961.96), "guess energy": ("Energy1", 595.48),
    "correct by half step": ("Energy2", 1077.53), "add work": ("Energy3", 209.08), "correct by full step": ("Energy4", 1274.39),
    "viscosity": ("Energy5", 905.58), "bulk": ("Pressure1", 315.06), "pressure": ("Pressure2", 548.12), "sound speed": ("SoundSpeed", 590.05),
    "courant": ("CourantConstraint", 639.95), "expansion limit": ("HydroConstraint", 210.4), "volumes": ("UpdateVolumes", 143.54)}


def run_loops(lab):
    edge, grain = lab.size((8, 2), (96, 16), (384, 1024))  # 96^3 / 16 = 384^3 / 1024 elements a task
    trace = lab.record("lulesh", f"--mode task -s {edge} -i {lab.size(2, 3, 16)} -tel {grain} -tnl {grain} --eos loop --persistent no")
    by_name = {kind["name"]: kind for kind in lab.report(trace)["kinds"]}
    return [{"loop": loop, "thesis": name, "published_us": published, "tasks": by_name[loop]["count"], "mean_us": by_name[loop]["mean_us"],
             "median_us": by_name[loop]["median_us"]} for loop, (name, published) in PUBLISHED_81.items()]


def rank_correlation(rows, one, other):
    """Spearman's: 1 if both columns have one order."""
    def places(column):
        ordered = sorted(row[column] for row in rows)
        return [ordered.index(row[column]) for row in rows]
    a, b = places(one), places(other)
    middle = (len(rows) - 1) / 2
    return (sum((x - middle) * (y - middle) for x, y in zip(a, b)) /
            (sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)) ** 0.5)


def compare_loops(rows):
    return [(f"{row['loop']} ({row['thesis']}), median", f"{row['published_us']:,.0f} us (mean)", f"{THESIS}, table 8.1", f"{row['median_us']:,.0f} us")
            for row in sorted(rows, key=lambda row: -row["published_us"])]


def say_loops(rows):
    alike = rank_correlation(rows, "published_us", "median_us")
    times = [row["published_us"] / row["median_us"] for row in rows]
    return verdict(alike > 0.8, f"the order of {len(rows)} loops by their tasks' time correlates by {alike:.2f} with the published one; the published "
                   f"times are {min(times):.1f} to {max(times):.0f} times as long as ours",
                   "24 threads there share the memory that most loops are bound by", "vectors and caches differ")


def draw_loops(rows, figure):
    axes = figure.subplots()
    axes.loglog([row["published_us"] for row in rows], [row["median_us"] for row in rows], "o", markersize=4)
    axes.set(xlabel="published, us a task", ylabel="here, us a task")


STUDIES = [
    Study("loops-lulesh", "LULESH: the time of each loop's tasks", f"{THESIS}, table 8.1", run_loops, compare_loops, say_loops, draw_loops,
          "Recorded by loomp trace. Tasks have as many elements as the published ones."),
]
