"""The source of the tests, and the list of them.

The sources are GCC's own. They are taken out of Debian's source package into the cache, never into
the repository.
"""

import glob
import os
import shutil
import sys
import tarfile
import tempfile
from dataclasses import dataclass

from .leaving import left_out

ARCHIVES = "/usr/src/gcc-{0}/gcc-{0}*.tar.xz"
OLDEST = 12
WANTED = (
    "include/",
    "libgomp/libgomp_g.h",
    "libgomp/testsuite/libgomp.c/",
    "libgomp/testsuite/libgomp.c++/",
    "libgomp/testsuite/libgomp.c-c++-common/",
    "libgomp/testsuite/libgomp.fortran/",
    # A few OpenMP tests include an OpenACC one, or one of gfortran's.
    "libgomp/testsuite/libgomp.oacc-c++/",
    "libgomp/testsuite/libgomp.oacc-c-c++-common/",
    "libgomp/testsuite/libgomp.oacc-fortran/",
    "gcc/testsuite/gfortran.fortran-torture/execute/math.f90",
)
LANGUAGES = {
    "c": (("libgomp.c", (".c",)), ("libgomp.c-c++-common", (".c",))),
    "c++": (("libgomp.c++", (".C",)), ("libgomp.c-c++-common", (".c",))),
    "fortran": (
        (
            "libgomp.fortran",
            tuple("." + letter + kind for letter in "fF" for kind in ("", "90", "95", "03", "08")),
        ),
    ),
}


@dataclass(frozen=True)
class Test:
    name: str  # path under testsuite/; `:c++` appended where a common test is built as C++
    path: str
    language: str


def cache_root():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "loomp", "conformance")


def _archive(compiler):
    """The sources of `compiler`'s own version, for gcc's; else the oldest that are there, so that
    figures of other compilers stay comparable."""
    name, _, version = compiler.rpartition("-")
    versions = [version] if name == "gcc" else []
    versions += [str(v) for v in range(OLDEST, OLDEST + 20)]
    for each in versions:
        found = max(glob.glob(ARCHIVES.format(each)), default=None)
        if found:
            return found
    left_out(f"the suite is missing: neither gcc-{versions[0]}-source nor another version's is installed")


def extract(cache, compiler):
    """Makes sure the suite is in the cache; returns the root of its source tree."""
    archive = _archive(compiler)
    root = os.path.join(cache, "suite", os.path.basename(archive).split(".tar")[0])
    if all(os.path.exists(os.path.join(root, wanted)) for wanted in WANTED):
        return root
    if os.path.isdir(root):  # of an earlier version of this list, and so may be what is built
        for old in (root, os.path.join(cache, "built")):
            shutil.rmtree(old, ignore_errors=True)
    print(f"taking the test-suite out of {archive}", file=sys.stderr, flush=True)
    os.makedirs(os.path.dirname(root), exist_ok=True)
    scratch = tempfile.mkdtemp(dir=os.path.dirname(root))
    try:
        unpack(archive, WANTED, scratch)
        _write_config(scratch)
        os.rename(scratch, root)
    except OSError:
        # Another run may have been faster; then its tree is as good as ours.
        if not os.path.isdir(root):
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return root


def unpack(archive, wanted, target):
    """The files of an archive whose paths below its one folder begin with one of `wanted`, into the folder `target`."""
    with tarfile.open(archive) as tar:
        for member in tar:
            inside = member.name.partition("/")[2]
            if member.isfile() and inside.startswith(wanted) and ".." not in inside:
                path = os.path.join(target, inside)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with tar.extractfile(member) as source, open(path, "wb") as copy:
                    shutil.copyfileobj(source, copy)


def _write_config(root):
    """One test asks the config.h of a libgomp build whether threads can be bound."""
    with open(os.path.join(root, "libgomp", "config.h"), "w", encoding="utf-8") as config:
        config.write("#define HAVE_PTHREAD_AFFINITY_NP 1\n")


def tests(root, languages):
    """Every test file of the given languages, in a stable order."""
    top = os.path.join(root, "libgomp", "testsuite")
    found = []
    for language in languages:
        for folder, endings in LANGUAGES[language]:
            for where, _, names in os.walk(os.path.join(top, folder)):
                for name in names:
                    if not name.endswith(endings):
                        continue
                    path = os.path.join(where, name)
                    label = os.path.relpath(path, top)
                    if language == "c++" and folder.endswith("common"):
                        label += ":c++"
                    found.append(Test(label, path, language))
    return sorted(found, key=lambda test: test.name)
