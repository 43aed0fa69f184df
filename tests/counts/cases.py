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
# Instructions of a task with this many dependences, by the compiler of the program.
TASK = {
    "loomp/clang": {"0": 278, "1": 595, "3": 970, "8": 2216},
    "loomp/gcc": {"0": 248, "1": 565, "3": 905, "8": 2091},
}
# One round of wake.c: one call wakes the thread, one lets it sleep again.
WAKE = {"instructions": 1353, "futex calls": 2}
# More than a tenth above that is a failure. The second thread's part of the tasks depends on the
# system's scheduling, so the least of several runs counts.
ROOM = 1.1
RUNS = 4
PASSIVE = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}


def need_valgrind(check):
    if not shutil.which("valgrind"):
        check.left_out("valgrind is not installed")


def compiler(name):
    done = subprocess.run([ROOT / "scripts/compiler", name], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def case_instructions_of_a_task(check):
    need_valgrind(check)
    least = {}
    for _ in range(RUNS):
        for setup, row in task_rows(check).items():
            for dependences, found in row.items():
                least[setup, dependences] = min(found, least.get((setup, dependences), found))
        if all(least.get((setup, dependences), most * 2) <= most * ROOM
               for setup, usual in TASK.items() for dependences, most in usual.items()):  # fmt: skip
            break
    for setup, usual in TASK.items():
        for dependences, most in usual.items():
            found = least.get((setup, dependences))
            print(f"{setup}, {dependences} dependences: {found} instructions, usually {most}")
            check.expect(f"{setup}: a task with {dependences} dependences takes at most {most * ROOM:.0f} instructions",
                         found is not None and found <= most * ROOM, found)  # fmt: skip


def task_rows(check):
    """The instructions of a task by setup and count of dependences, from one run."""
    table = check.scratch / "table.json"
    done = subprocess.run(
        [ROOT / "bench/instructions", "--runtimes", "loomp", "--json", table, "--loomp", check.build / "lib/compat",
         "--cache", check.made / "bench"], capture_output=True, text=True, check=False)  # fmt: skip
    if not check.expect("bench/instructions runs", done.returncode == 0, done.stdout + done.stderr):
        return {}
    return {row["setup"]: row["instructions"] for row in json.loads(table.read_text(encoding="utf-8"))["rows"]}


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
        found = (after - before) / (many - few)
        print(f"{what} of a wake-up: {found:.1f}, usually {WAKE[what]}")
        check.expect(f"a wake-up takes at most {WAKE[what] * ROOM:.1f} {what}", found <= WAKE[what] * ROOM, found)
