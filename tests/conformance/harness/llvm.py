"""LLVM's own tests of libomp: fetched as Debian's source package, and run by LLVM's `lit`.

Their directives are lit's, and most check what they print with LLVM's FileCheck. This says which runtime they
are built with and find, and what lit found.
"""

import argparse
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from . import compilers, expected, kinds, report, runtimes, suite
from .build import refusal
from .execute import FAIL, NOT_APPLICABLE, PASS, PRIVATE, Verdict
from .expected import Expected
from .leaving import last_line, left_out

# Tests, and headers of libomp's inside that some of them include.
WANTED = ("openmp/runtime/test/", "openmp/runtime/src/")
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
STATUS = {"PASS": PASS, "FLAKYPASS": PASS, "TIMEOUT": FAIL, "UNSUPPORTED": NOT_APPLICABLE, "XFAIL": NOT_APPLICABLE,
          "SKIPPED": NOT_APPLICABLE, "EXCLUDED": NOT_APPLICABLE}  # fmt: skip


def main():
    options = _parse()
    version = compilers.named("llvm")
    cache = options.cache or suite.cache_root()
    runtime = runtimes.find(options.runtime, "libomp.so.5", cache)
    lit = _lit(version)
    if not os.path.exists(os.path.join(_header_folder(), "omp.h")):
        left_out(f"there is no omp.h in {_header_folder()}: scripts/setup puts it there")
    root = _extract(cache, version)
    label = f"libomp-{version}-{runtime.label}"
    where = os.path.join(cache, "built", label)
    _write_config(where, root, version, _linkable(runtime, cache))
    verdicts = _run(lit, where, options)
    suite_name = f"libomp-{version}"
    path = options.expected or (expected.list_for(suite_name) if runtime.label == "loomp" else None)
    listed = expected.read(path, suite_name) if path else Expected()
    if listed.crashing():
        sys.exit(f"conformance: {path}: no crash may be expected here: nothing repeats it on libomp")
    logs = os.path.join(cache, "logs", label)
    report.write_logs(logs, verdicts)
    print(f"LLVM {version}'s tests of libomp on {runtime.label}; output of failures: {logs}")
    again = ["tests/conformance/libomp"]
    for name in ("runtime", "expected", "cache"):
        value = getattr(options, name)
        if value and value != "loomp":
            again += ["--" + name, value]
    return 0 if report.summarize(verdicts, listed, again, whole=not options.filter) else 1


def _header_folder():
    return os.path.join(compilers.named("openmp-dev"), "include")


def _lit(version):
    """The command that starts lit: one that is installed, or the one of LLVM's tools."""
    if os.path.exists(_tool(version, "FileCheck")):
        if shutil.which("lit"):
            return ["lit"]
        for script in (f"/usr/lib/llvm-{version}/build/utils/lit/lit.py", _tool(version, "lit")):
            # The packages' Python need not be the one that is found first.
            for python in (sys.executable, "/usr/bin/python3"):
                if os.path.exists(script) and _has_psutil(python):
                    return [python, script]
    left_out(f"LLVM's tests take lit and FileCheck, which are not installed: apt-get install llvm-{version}-tools "
             "python3-psutil, or, if these have no lit, pip install lit psutil")  # fmt: skip


def _has_psutil(python):
    return subprocess.run([python, "-c", "import psutil"], capture_output=True, check=False).returncode == 0


def _tool(version, name):
    return f"/usr/lib/llvm-{version}/bin/{name}"


def _extract(cache, version):
    """Makes sure the tests are in the cache; returns the folder of libomp's part of the source tree."""
    root = os.path.join(cache, "suite", f"libomp-{version}")
    if os.path.isdir(root):
        return root
    os.makedirs(os.path.dirname(root), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(root)) as scratch:
        archive = _fetch(f"llvm-toolchain-{version}", scratch)
        print(f"taking the tests out of {os.path.basename(archive)}", file=sys.stderr, flush=True)
        suite.unpack(archive, WANTED, os.path.join(scratch, "tree"))
        os.rename(os.path.join(scratch, "tree", "openmp", "runtime"), root)
    return root


def _fetch(package, scratch):
    """The upstream archive of a source package, from where this machine's apt has Debian from. apt's own lists
    stay as they are."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages",
         "Origin: Debian"], capture_output=True, text=True, check=True).stdout  # fmt: skip
    signed = f"[signed-by={KEYRING}] " if os.path.exists(KEYRING) else ""
    os.makedirs(os.path.join(scratch, "lists", "partial"))
    sources = os.path.join(scratch, "sources.list")
    with open(sources, "w", encoding="utf-8") as file:
        for line in sorted(set(listed.splitlines())):
            file.write(f"deb-src {signed}{line}\n")
    apt = ["apt-get", "-q", "-o", f"Dir::Etc::SourceList={sources}", "-o", "Dir::Etc::SourceParts=/nonexistent",
           "-o", f"Dir::State::Lists={scratch}/lists", "-o", "Dir::Cache::pkgcache=",
           "-o", "Dir::Cache::srcpkgcache=", "-o", "APT::Sandbox::User=root"]  # fmt: skip
    print(f"fetching the source package {package}", file=sys.stderr, flush=True)
    output = ""
    for command in ([*apt, "update"], [*apt, "source", "--download-only", "--tar-only", package]):
        done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
        output += done.stdout + done.stderr
    found = glob.glob(os.path.join(scratch, "*.orig.tar.*"))
    if not found:
        errors = [line for line in output.splitlines() if line.startswith("E: ")]
        left_out(f"apt brings no source package {package}: {errors[0] if errors else last_line(output)}")
    return found[0]


def _linkable(runtime, cache):
    """A folder with the runtime under the name that is linked with, too."""
    if os.path.exists(os.path.join(runtime.directory, "libomp.so")):
        return runtime.directory
    library = os.path.realpath(os.path.join(runtime.directory, "libomp.so.5"))
    return runtimes.under_every_name(library, os.path.join(cache, "link", runtime.label))


def _write_config(where, root, version, library):
    """Writes what LLVM's build would tell lit of itself."""
    os.makedirs(where, exist_ok=True)
    known = {
        "test_c_compiler": f"clang-{version}", "test_cxx_compiler": f"clang++-{version}", "test_fortran_compiler": "",
        "test_compiler_features": ["clang", f"clang-{version}"], "test_compiler_has_omp_h": True,
        "test_filecheck": _tool(version, "FileCheck"), "test_not": _tool(version, "not"),
        "llvm_tools_dir": os.path.dirname(_tool(version, "not")), "test_openmp_flags": "-fopenmp",
        "test_extra_flags": "", "libomp_obj_root": where, "library_dir": library,
        "omp_header_directory": _header_folder(),
        "operating_system": "Linux", "hwloc_library_dir": "", "using_hwloc": False, "has_ompt": True,
        "has_ompx_taskgraph": False, "has_omp_taskgraph_experimental": False, "has_libm": True, "has_libatomic": True,
        "is_standalone_build": True, "has_omit_frame_pointer_flag": True, "target_arch": os.uname().machine,
        "compiler_frontend_variant": "GNU", "compiler_simulate_id": "", "enabled_languages": ["C", "CXX"],
    }  # fmt: skip
    with open(os.path.join(where, "lit.site.cfg"), "w", encoding="utf-8") as config:
        config.writelines(f"config.{name} = {value!r}\n" for name, value in known.items())
        # One test names no folder for omp.h; with libomp-N-dev on the machine clang would find it all the same.
        config.write(f"config.environment['CPATH'] = {known['omp_header_directory']!r}\n")
        config.write(f"lit_config.load_config(config, {os.path.join(root, 'test', 'lit.cfg')!r})\n")


def _run(lit, where, options):
    """{name: verdict}, by lit."""
    results = os.path.join(where, "results.json")
    if os.path.exists(results):
        os.remove(results)
    # lit's own names begin with the suite's.
    chosen = ["--filter", re.sub(r"^\^", "^[^:]* :: ", options.filter)] if options.filter else []
    environment = {name: value for name, value in os.environ.items() if not PRIVATE.match(name)}
    done = subprocess.run([*lit, "-q", f"-j{options.jobs}", f"--timeout={options.timeout}", "-o", results, *chosen, where],
                          env=environment, capture_output=True, text=True, check=False)  # fmt: skip
    if not os.path.exists(results):
        sys.exit(f"conformance: lit failed: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    with open(results, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    verdicts = {}
    for test in tests:
        code, output = test["code"], test.get("output") or ""
        status = STATUS.get(code, FAIL)
        kind, why = judge(code, output) if status == FAIL else ("", code if status == NOT_APPLICABLE else "")
        name = test["name"].partition(" :: ")[2]
        verdicts[name] = Verdict(status, why, output, kind)
    return dict(sorted(verdicts.items()))


def judge(code, output):
    """(kind, why) of a failure, by the first command that failed, as lit's own shell shows them."""
    if code == "TIMEOUT":
        return kinds.HANG, "killed after the time limit"
    for command, shown, status in _failed_commands(output):
        program = os.path.basename(command[0])
        if re.fullmatch(r"clang(\+\+)?(-\d+)?", program):
            return kinds.NOT_COMPILED, refusal(shown) or last_line(shown)
        if program == "FileCheck":
            return kinds.OUTPUT, "its output is not what the test expects"
        return kinds.of_end(status, shown)
    return kinds.UNKNOWN, f"lit says {code} and names no command that failed"


def _failed_commands(output):
    """(words, what it prints, exit status) of each command that failed."""
    for block in re.split(r"^# executed command: ", output, flags=re.MULTILINE)[1:]:
        failed = re.search(r"^# error: command failed with exit status: (-?\d+)", block, re.MULTILINE)
        if failed:
            line, _, rest = block.partition("\n")
            words = shlex.split(line)
            while words[0] == "env" or re.match(r"\w+=", words[0]):
                words = words[1:]
            shown = re.findall(r"^# \| ?(.*)$", rest, re.MULTILINE)
            yield words, "\n".join(shown), int(failed.group(1))


def _parse():
    parser = argparse.ArgumentParser(prog="tests/conformance/libomp",
                                     description="Run LLVM's own tests of libomp on an OpenMP runtime.")  # fmt: skip
    parser.add_argument("--runtime", default="loomp", help="loomp, libomp, or a directory (loomp)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at a time")
    parser.add_argument("--timeout", type=int, default=60, help="seconds a test may run (60)")
    parser.add_argument("--filter", metavar="RE", help="only tests whose name matches")
    parser.add_argument("--expected", metavar="FILE", help="the list of expected failures (loomp's)")
    parser.add_argument("--cache", metavar="DIR", help="the tests and what is built (~/.cache/loomp/conformance)")
    return parser.parse_args()
