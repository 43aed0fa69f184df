"""Builds generated programs, many to a compilation unit, runs them, and compares what they print with the prediction."""

import os
import select
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import programs

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import stacks  # noqa: E402

IN_A_UNIT = 25
ENVIRONMENT = {"OMP_CANCELLATION": "true", "OMP_MAX_ACTIVE_LEVELS": "9", "OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive",
               "OMP_SCHEDULE": "dynamic,2"}  # fmt: skip
CRASHES = ("internal compiler error", "frontend command failed")
KEPT = ("PATH", "HOME", "TMPDIR", "LD_PRELOAD")


class Compiler:
    def __init__(self, name):
        self.name = name
        self.command = [name, "-std=gnu11", "-O1", "-g1", "-w", "-fopenmp", f"-I{HERE}"]
        if name.startswith("clang"):
            found = subprocess.run([ROOT / "scripts/compiler", "openmp-dev"], text=True, capture_output=True, check=False)
            folder = Path(found.stdout.strip())
            if (folder / "include/omp.h").exists():
                self.command += ["-isystem", folder / "include", f"-L{folder}/lib"]

    def build(self, drawn, path):
        """Returns None if the compiler itself crashes. An error in a program ends the run."""
        source = path.with_suffix(".c")
        source.write_text(programs.unit(drawn), encoding="utf-8")
        done = subprocess.run([*self.command, source, "-o", path], text=True, capture_output=True, check=False)
        if done.returncode and not any(word in done.stderr for word in CRASHES):
            raise SystemExit(f"{self.name} does not compile {source}:\n{done.stderr[:3000]}")
        return None if done.returncode else path


def run(executable, numbers, threads, library="", rounds=1, patience=20):
    """{number: the lines that the program prints}. A program that hangs or crashes has the last line; the others follow in
    a new process."""
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment |= ENVIRONMENT | {"OMP_NUM_THREADS": str(threads)} | ({"LD_LIBRARY_PATH": str(library)} if library else {})
    found = {number: [] for number in numbers}
    left = list(numbers)
    while left:
        number, end = run_once([executable, str(rounds), *map(str, left)], environment, found, patience)
        if number is None:
            break
        found[number].append(end)
        left = left[left.index(number) + 1 :]
    return found


def run_once(command, environment, found, patience):
    """Runs programs until one hangs or crashes: (its number, what happens), or (None, "")."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
        printed, end = b"", ""
        while not end:
            if not select.select([process.stdout], [], [], patience)[0]:
                end = "hangs" + ("" if patience < 3 else f"\n{stacks.of_process(process.pid)}")
                process.kill()
            elif piece := os.read(process.stdout.fileno(), 65536):
                printed += piece
            else:
                end = f"ends with status {process.wait()}"
        process.stdout.close()
        process.wait()
        errors.seek(0)
        end += "\n" + errors.read().decode(errors="replace")[:1000].rstrip()
    *lines, last = printed.decode().split("\n")
    for line in lines:
        number, _, sums = line.partition(" ")
        found[int(number)].append(sums.strip())
    if process.returncode == 0:
        return None, ""
    number, _, sums = last.partition(" ")
    return int(number), f"{sums} {end.rstrip()}"


class Session:
    def __init__(self, seed, folder, libraries, patience=20, rounds=1):
        """libraries: {name: a folder with the runtime library, or empty for the compiler's own}"""
        self.seed, self.folder, self.libraries, self.patience, self.rounds = seed, folder, libraries, patience, rounds

    def units(self, compiler, numbers):
        """Builds the programs with these numbers: (executable, its programs, those with which the compiler crashes)."""
        groups = [numbers[at : at + IN_A_UNIT] for at in range(0, len(numbers), IN_A_UNIT)]

        def build(group):
            drawn, left_out = [programs.Program(self.seed, number) for number in group], []
            path = self.folder / f"{compiler.name}-{group[0]}"
            executable = compiler.build(drawn, path)
            if not executable:
                left_out = [p for p in drawn if not compiler.build([p], path)]
                drawn = [p for p in drawn if p not in left_out]
                executable = compiler.build(drawn, path)
            return executable, drawn, left_out

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            yield from pool.map(build, groups)

    def differences(self, executable, drawn, threads, library):
        """[(program, what it prints)] of those that do not print the prediction."""
        found = run(executable, [p.number for p in drawn], threads, library, self.rounds, self.patience)
        wrong = []
        for p in drawn:
            expected = " ".join(map(str, p.expected(threads)))
            other = [line for line in found[p.number] if line != expected]
            if other or not found[p.number]:
                wrong.append((p, explained(p, threads, (other or ["does not run"])[0])))
        return wrong

    def shrink(self, compiler, number, threads, library, before=()):
        """A smaller program that still differs: statements are dropped as long as it does."""
        dropped = set()

        def differs(without):
            p = programs.Program(self.seed, number, frozenset(without))
            drawn = [*(programs.Program(self.seed, other) for other in before), p]
            executable = compiler.build(drawn, self.folder / "smaller")
            return executable and any(wrong is p for wrong, _ in self.differences(executable, drawn, threads, library))

        if not differs(dropped):
            return None
        paths = programs.Program(self.seed, number).paths
        for path in sorted(paths, key=lambda path: path.count(".")):  # the outermost first
            if any(path == gone or path.startswith(gone + ".") for gone in dropped):
                continue
            if differs(dropped | {path}):
                dropped.add(path)
        return programs.Program(self.seed, number, frozenset(dropped))


def explained(program, threads, line):
    """The line, and the first value in it that differs."""
    for site, (expected, got) in enumerate(zip(program.expected(threads), line.split())):
        if got != str(expected):
            return f"site {site}: {got} for {expected}: {line}" if got.isdigit() else line
    return line
