"""Generated programs print what the generator predicts: see README.md beside this file."""

import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


def found(name):
    """Returns what scripts/compiler finds, or nothing."""
    done = subprocess.run([HERE.parents[1] / "scripts/compiler", name], text=True, capture_output=True, check=False)
    return done.stdout.strip()


def run(check, *options, **more):
    return subprocess.run([HERE / "run", "--loomp", check.build / "lib/compat", *map(str, options)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)  # fmt: skip


def programs_agree(check, *options):
    compiler = found(check.word)
    if not compiler:
        check.left_out(f"{check.word} is not installed")
    if check.word == "clang" and not Path(found("openmp-dev"), "include/omp.h").exists():
        check.left_out(f"{compiler} has no omp.h in {found('openmp-dev')}; scripts/setup test brings it")
    done = run(check, "--compilers", compiler, *options)
    print(done.stdout, end="")
    counted = re.search(r"^(\d+) passed, (\d+) failed\n\Z", done.stdout, re.MULTILINE)
    if check.expect("it has its sum", counted and (done.returncode == 0) == (counted[2] == "0"), done.returncode):
        check.passed += int(counted[1])
        check.failed += int(counted[2])


# each: gcc clang
# usual: 20
def case_programs(check):
    programs_agree(check, "--count", 120, "--runtimes", "loomp", "--threads", "4,1")


# each: gcc clang
# usual: 300
# nightly
def case_a_thousand(check):
    programs_agree(check, "--seed", 2, "--count", 1000)


# usual: 10
def case_a_fault_is_found(check):
    """omp_in_final() is replaced by a wrong one; --shrink leaves little more than a call of it."""
    gcc, library = found("gcc"), check.scratch / "libwrong.so"
    subprocess.run([gcc, "-shared", "-fPIC", "-x", "c", "-", "-o", library], text=True, check=True,
                   input="int omp_in_final(void) { return 1; }")  # fmt: skip
    options = ("--compilers", gcc, "--runtimes", "loomp", "--threads", 4)
    wrong = {**os.environ, "LD_PRELOAD": str(library)}
    done = run(check, *options, "--count", 10, env=wrong)
    failed = re.findall(r"^FAIL program (\d+), \S+, 4 threads: site \d+: 1 for 0", done.stdout, re.MULTILINE)
    if check.expect("programs differ", done.returncode == 1 and failed, done.stdout):
        length, number = min((len(run(check, "--only", each).stdout.splitlines()), each) for each in failed)
        smaller = run(check, *options, "--shrink", number, env=wrong).stdout.splitlines()
        check.expect("a smaller program shows it", any("omp_in_final()" in line for line in smaller), "\n".join(smaller))
        check.expect("it is much smaller", len(smaller) < min(70, length), f"{len(smaller)} of {length}")
