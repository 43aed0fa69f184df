"""./test --changed: the cases that can break by what differs from where the branch left main, or is not committed.

RULES maps a file's path to the steps that can break. Steps that would exceed two minutes in total
are named but not run. LOOMP_CHECK_FILES selects the sources for the steps that examine sources.
"""

import os
import re
import subprocess

from . import times, trees

ROOT = trees.ROOT
BUDGET = 110
# Seconds per file and the files, for steps that examine each source separately.
PER_FILE = {"format": 0.1, "tidy": 1, "codegen": 2}
EXAMINED = {
    "format": r"\.(c|h|cpp)$",
    "tidy": r"^(platform|runtime|mpi|profiler|cli)/.*(?<!_test)\.cpp$",
    "codegen": r"^(platform|runtime/(core|abi|ompt|target))/.*(?<!_test)\.cpp$",
}

RUNTIME = ["unit", "programs", "exports", "ompt", "conformance ^conformance_gcc$", "stress", "generated", "faults",
           "cli"]
# The sources that tests/weak compiles and checks.
WEAK = r"platform/(fence|futex|spinlock)\.|runtime/core/(queues/deque|dependences/(exclusion|linking|successors)" \
    r"|regions/lock|scheduling/(completion|throttle|waiting)|task/task)"
# The first pattern that matches the beginning of a path selects what can break, the most likely
# first.
RULES = [
    (r"(?:platform|runtime)/.*?([^/]+_test)\.cpp$", [r"unit ^unit_\1(_|$)"]),
    (r"profiler/.*?([^/]+_test)\.cpp$", [r"analysis ^analysis_\1$"]),
    (r"runtime/core/.*topology|runtime/core/.*places", ["unit", "programs", "exports", "cli", "conformance ^conformance_gcc$"]),
    (r"runtime/target/|runtime/abi/llvm/(target|device)|tests/device(_races)?/", ["device", "programs", "exports"]),
    (WEAK, ["unit", "weak", *RUNTIME[1:]]),
    (r"runtime/ompt/|runtime/core/suspension/|platform/valgrind", ["sanitizers"] + RUNTIME),
    (r"platform/|runtime/(core|abi|ompt)/", RUNTIME),
    (r"mpi/", ["mpi ^mpi_(openmpi|mpich)_(?!apps|enclave|vlasov|hpccg|lulesh|cholesky)", "record", "cli"]),
    (r"profiler/recorder/", ["record", "analysis", "view", "python", "ompt"]),
    (r"runtime/alpi/", ["unit ^unit_(alpi|after_fork|task_table)_test", "programs ^programs_rt_(alpi|no_memory)_", "cli", "device",
                    "exports", "install"]),
    (r"runtime/cuda/", ["device", "exports", "install"]),
    (r"runtime/debugger/", ["gdb", "sanitizers"]),
    (r"runtime/audit/", ["cli", "python", "sanitizers"]),
    (r"cli/", ["cli", "record", "install", "first_hour", "sanitizers", "check"]),
    (r"profiler/check/", ["check", "analysis"]),
    (r"profiler/view/", ["view", "analysis"]),
    (r"profiler/python/", ["python"]),
    (r"profiler/commands/", ["cli", "record", "install", "first_hour"]),
    (r"profiler/", ["analysis", "record", "view", "python"]),
    (r"include/", ["unit", "programs", "install", "record"]),
    (r"apps/(daxpy|lulesh)/", [r"apps [.]\1", "device"]),
    (r"apps/(cholesky|enclave|hpccg|vlasov)/", [r"apps [.]\1"]),
    (r"apps/", ["apps"]),
    (r"examples/", ["install _examples$", "device ^device_cuda_example$"]),
    (r"tests/programs/([^/]+)\.(?:c|cpp|f90)$", [r"programs ^programs_\1_"]),
    (r"tests/stress/(\w+)\.(?:c|cpp)$", [r"stress ^stress_\1(_|$)"]),
    (r"tests/model/", ["model"]),
    (r"tests/simulated/", ["simulated"]),
    (r"tests/weak/", ["weak"]),
    (r"tests/record/", ["record"]),
    (r"tests/conformance/harness/|tests/conformance/test", ["harness", "conformance"]),
    (r"tests/(runner|times)/|tests/(left-out|test_distributions)|scripts/distributions", ["harness"]),
    (r"tests/(shell/|case$|python_cases)", ["harness", "cli", "install", "ompt"]),
    (r"tests/(simgrid)/", ["analysis"]),
    (r"tests/(unit|analysis|programs|stress|exports|cli|install|first_hour|gdb|ompt|faults|view|python|sanitizers|check|demo|study"
     r"|conformance|counts|real-programs|generated)/", [r"\1"]),
    (r"tests/codegen/", ["codegen"]),
    (r"tests/fuzz/", ["analysis"]),  # the fuzzers have a tree of their own
    (r"tests/mutants/", ["mutants"]),
    (r"tests/reach/", ["reach"]),
    (r"tests/mpi/", ["mpi ^mpi_(openmpi|mpich)_(?!apps|enclave|vlasov|hpccg|lulesh|cholesky)"]),
    (r"tests/(limited|within|absent|says|stacks\.py|CMakeLists\.txt|cases\.cmake|tsan\.supp)", ["unit", "programs", "harness"]),
    (r"demo$|scripts/demo/", ["demo", "real-programs"]),
    (r"bench/cluster/", ["demo", "mpi cluster"]),
    (r"scripts/check-tidy|scripts/own_code\.cpp|\.clang-tidy", ["tidy"]),
    (r"scripts/check-format|\.clang-format", ["format"]),
    (r"test$", ["harness"]),
    (r"bench/(instructions|bench\.|tasks|dependences)", ["counts"]),
    (r"bench/(study|studies|harness|metg|persistent)", ["study"]),
    (r"scripts/", ["install", "cli"]),
    (r"cmake/|CMake", ["unit", "programs", "exports", "install"]),
    (r"README\.md|docs/", ["first_hour"]),
]  # fmt: skip


def steps_of(path):
    """(step, pattern of its cases) for each step that a path can break, the most likely first."""
    found = [(step, "") for step, pattern in EXAMINED.items() if re.search(pattern, path)]
    if path.startswith("runtime/core/") and not path.endswith("_test.cpp"):
        found.append(("study", "^study_patches_apply$"))
    if re.match(r"(platform|runtime|mpi|profiler|cli)/|LAYERS$|scripts/check-layers$", path):
        found.append(("layers", ""))
    if re.match(r"(demo|test)$|bench/[^.]+$|scripts/|tests/test_help", path):
        found.append(("harness", "^harness_help$"))
    for pattern, steps in RULES:
        match = re.match(pattern, path)
        if match:
            found += [tuple((match.expand(step) + " ").split(" ", 1)) for step in steps]
            break
    return [(step, pattern.strip()) for step, pattern in found]


def merged(paths):
    """{step: the pattern of its cases, empty for all}, the most likely to break first."""
    chosen, rank = {}, {}
    for path in paths:
        for place, (step, pattern) in enumerate(steps_of(path)):
            chosen.setdefault(step, set()).add(pattern)
            rank[step] = min(rank.get(step, place), place)
    return {step: "" if "" in chosen[step] else "|".join(sorted(chosen[step]))
            for step in sorted(chosen, key=lambda step: rank[step])}  # fmt: skip


def cost(step, pattern, paths, listed):
    """The usual seconds of a step's cases."""
    if step in PER_FILE and not any(re.match(r"scripts/|tests/codegen/|\.clang", path) for path in paths):
        return PER_FILE[step] * sum(bool(re.search(EXAMINED[step], path)) for path in paths)
    return sum(seconds for name, (of, seconds) in listed.items() if of == step and re.search(pattern, name))


def within(steps, paths, listed, budget=BUDGET):
    """Splits the steps: {step: pattern} of those that fit, and the names of the others."""
    chosen, left = {}, []
    for step, pattern in sorted(steps.items(), key=lambda each: cost(*each, paths, listed)):
        seconds = cost(step, pattern, paths, listed)
        if seconds <= budget:
            chosen[step] = pattern
            budget -= seconds
        else:
            left.append(step)
    return chosen, left


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"loomp: git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.split("\0")[:-1]


def changed_files():
    mains = [name for name in ("main", "origin/main")
             if subprocess.run(["git", "rev-parse", "-q", "--verify", name], cwd=ROOT, capture_output=True).returncode == 0]  # fmt: skip
    if not mains:
        raise SystemExit("loomp: ./test --changed compares with the branch main, and there is none: git fetch origin main")
    files = git("diff", "-z", "--name-only", "--no-renames", "--merge-base", mains[0])
    return sorted({*files, *git("ls-files", "-z", "--others", "--exclude-standard")})


def choose():
    """The names of the cases to run; prints their steps, and the steps that are left out."""
    paths = changed_files()
    chosen, left = within(merged(paths), paths, times.read("release"))
    if not chosen and not left:
        return None
    print(f"test: the change can break: {' '.join(chosen) or 'no test'}")
    if left:
        print(f"beyond two minutes, and not run: {' '.join(left)}")
    examined = [path for path in paths if (ROOT / path).exists()]
    os.environ["LOOMP_CHECK_FILES"] = " ".join(examined)
    return [case.full_name for case in trees.cases("release")
            if case.label in chosen and re.search(chosen[case.label], case.name) and not case.nightly]  # fmt: skip
