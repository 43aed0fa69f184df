"""Whether libloomp.so exports what its lists (export_lists.py) say, and nothing else, by each linker."""

import fcntl
import re
import shutil
import subprocess
from pathlib import Path

import export_lists

NEEDED = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libpthread.so.0", "libdl.so.2"}
# loomp's own, and libgomp's Fortran names for 8-byte integers, which libomp has not.
OURS = re.compile(r"(__tsan_)?loomp_|alpi_|omp_\w+_8_@VERSION$")


def listed():
    """{list: the set of its name@version}, and libgomp's GOMP_* under libomp's version, for gcc's objects linked with it"""
    lists = export_lists.listed(Path(__file__).resolve().parents[2])
    names = {symbol.partition("@")[0] for symbol in lists["libgomp"]}
    return lists | {"gomp_aliases": {f"{name}@VERSION" for name in names if name.startswith("GOMP_")}}


def exported(library):
    """The set of name@version that `library` defines."""
    table = subprocess.run(["objdump", "-T", library], check=True, text=True, capture_output=True)
    found = set()
    for line in table.stdout.splitlines():
        fields = line.split()
        # Undefined names, version nodes, and thread-local variables that gold lists as local.
        if len(fields) < 6 or "*UND*" in fields or "*ABS*" in fields or fields[1] == "l":
            continue
        found.add(f"{fields[-1]}@{fields[-2].strip('()')}")
    return found


def needed(library):
    header = subprocess.run(["objdump", "-p", library], check=True, text=True, capture_output=True)
    return set(re.findall(r"NEEDED\s+(\S+)", header.stdout))


def none(check, what, culprits):
    check.expect(what, not culprits, " ".join(sorted(culprits)))


def complete(check, library):
    found, lists = exported(library), listed()
    check.expect("there are the lists of both runtimes and of what is shared",
                 {"libgomp", "libomp", "libomptarget", "openmp"} <= lists.keys(), lists.keys())  # fmt: skip
    for name, wanted in lists.items():
        check.expect(f"{name} has names", wanted)
        none(check, f"all {len(wanted)} names of {name} are exported", wanted - found)


def nothing_beyond(check, library):
    wanted = set().union(*listed().values())
    none(check, "nothing beyond the lists is exported, a C++ library's say",
         {symbol for symbol in exported(library) - wanted if not OURS.match(symbol)})  # fmt: skip


def needs_little(check, library):
    found = needed(library)
    check.expect("it needs the C library", "libc.so.6" in found, found)
    none(check, "it needs no library beyond the C library's own", found - NEEDED)


def case_complete(check):
    complete(check, check.build / "lib/libloomp.so")


def case_nothing_beyond(check):
    nothing_beyond(check, check.build / "lib/libloomp.so")


def case_needed_libraries(check):
    needs_little(check, check.build / "lib/libloomp.so")


def case_libraries_over_the_runtime(check):
    library = check.build / "lib/libloomp-cuda.so"
    found = exported(library)
    check.expect("it exports names", found)
    none(check, "nothing beyond", {symbol for symbol in found if not symbol.startswith("loomp_cuda_")})
    none(check, "it needs loomp and the C library only", needed(library) - NEEDED - {"libloomp.so"})


def case_other_names_have_no_alpi(check):
    """Another runtime's ALPI, which a program is linked with, comes before libloomp.so."""
    def alpi_of(library):
        return {symbol for symbol in exported(check.build / "lib" / library) if symbol.startswith("alpi_")}

    check.expect("libloomp.so has it", alpi_of("libloomp.so"))
    for name in ("libgomp.so.1", "libomp.so.5", "libiomp5.so"):
        none(check, name, alpi_of(f"compat/{name}"))


def link(check, linker):
    """The library, linked by another linker."""
    with open(check.made / ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one at a time builds in a folder
        done = subprocess.run(["cmake", "--build", check.build, "--target", f"loomp_by_{linker}"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
    check.expect("it is linked", done.returncode == 0, done.stdout)
    return check.build / "tests/linkers" / linker / "libloomp.so"


# each: bfd gold lld mold
def case_linker(check):
    linker = check.word
    if not shutil.which(f"ld.{linker}"):
        check.left_out(f"ld.{linker} is not installed")
    library = link(check, linker)
    complete(check, library)
    nothing_beyond(check, library)
    needs_little(check, library)
    none(check, "it exports what libloomp.so does", exported(library) ^ exported(check.build / "lib/libloomp.so"))
