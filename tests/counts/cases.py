"""Checks the cost of a task, in instructions, and of a wake-up, in instructions and system calls.

Counts do not depend on the machine's speed, so unlike times they have bounds. valgrind counts. A
run is subtracted from a longer one, which removes the costs of the start.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Instructions of a task with this many dependences, by threads and the compiler of the program.
TASK = {
    1: {
        "loomp/clang": {"0": 252, "1": 368, "3": 432, "8": 597},
        "loomp/gcc": {"0": 223, "1": 339, "3": 375, "8": 464},
    },
    2: {
        "loomp/clang": {"0": 278, "1": 595, "3": 970, "8": 2216},
        "loomp/gcc": {"0": 248, "1": 565, "3": 905, "8": 2091},
    },
}
# One round of wake.c: one call wakes the thread, one lets it sleep again.
WAKE = {"instructions": 1353, "futex calls": 2}
# More than that above it is a failure. The counts of one thread are exact. With two threads the part
# of the second depends on the system's scheduling, so the least of several runs counts.
ROOM = {1: 1.05, 2: 1.1}
RUNS = {1: 1, 2: 16}
PASSIVE = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}


def need_valgrind(check):
    if not shutil.which("valgrind"):
        check.left_out("valgrind is not installed")


def compiler(name):
    done = subprocess.run([ROOT / "scripts/compiler", name], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def case_instructions_of_a_task(check):
    need_valgrind(check)
    for threads, usual in TASK.items():
        missing = {(setup, dependences) for setup, row in usual.items() for dependences in row}
        least = {}
        for _ in range(RUNS[threads]):
            for name, found in task_rows(check, threads, {dependences for _, dependences in missing}).items():
                least[name] = min(found, least.get(name, found))
            missing = {(setup, n) for setup, n in missing
                       if least.get((setup, n), float("inf")) > usual[setup][n] * ROOM[threads]}  # fmt: skip
            if not missing:
                break
        for setup, row in usual.items():
            for dependences, instructions in row.items():
                found, most = least.get((setup, dependences)), instructions * ROOM[threads]
                name = f"{setup}, {threads} threads: a task with {dependences} dependences"
                print(f"{name}: {found} instructions, usually {instructions}")
                check.expect(f"{name} takes at most {most:.0f} instructions", found is not None and found <= most, found)


def task_rows(check, threads, dependences):
    """The instructions of a task by (setup, count of dependences), from one run."""
    table = check.scratch / "table.json"
    done = subprocess.run(
        [ROOT / "bench/instructions", "--runtimes", "loomp", "--threads", str(threads), "--dependences",
         ",".join(sorted(dependences)), "--json", table, "--loomp", check.build / "lib/compat", "--cache",
         check.made / "bench"], capture_output=True, text=True, check=False)  # fmt: skip
    if not check.expect("bench/instructions runs", done.returncode == 0, done.stdout + done.stderr):
        return {}
    rows = json.loads(table.read_text(encoding="utf-8"))["rows"]
    return {(row["setup"], n): found for row in rows for n, found in row["instructions"].items() if found is not None}


def counted(check, program, rounds):
    """(instructions, futex calls) of a run."""
    environment = {**os.environ, **PASSIVE, "LD_LIBRARY_PATH": str(check.build / "lib/compat")}
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--fair-sched=yes", "--trace-syscalls=yes", program,
         str(rounds)], capture_output=True, text=True, errors="replace", env=environment, check=False)  # fmt: skip
    total = re.search(r"Collected : (\d+)", done.stderr)
    if not check.expect(f"{rounds} rounds run", done.returncode == 0 and total, done.stderr[-500:]):
        return 0, 0
    return int(total[1]), len(re.findall(r"sys_futex", done.stderr))


def case_a_wake_up(check):
    need_valgrind(check)
    program = check.scratch / "wake"
    built = subprocess.run([compiler("gcc"), "-O2", "-fopenmp", ROOT / "tests/counts/wake.c", "-o", program], check=False)
    check.expect("wake.c compiles", built.returncode == 0)
    few, many = 20, 120
    less, more = counted(check, program, few), counted(check, program, many)
    for what, before, after in zip(WAKE, less, more):
        found, most = (after - before) / (many - few), WAKE[what] * ROOM[2]
        print(f"{what} of a wake-up: {found:.1f}, usually {WAKE[what]}")
        check.expect(f"a wake-up takes at most {most:.1f} {what}", found <= most, found)
