"""The needs of each compiler, and its command line."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from .leaving import last_line, left_out

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
# Spell an old style that gcc accepts as it is.
CLANG_LENIENT = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
]
# Ask for gcc's dumps, offload compilers and passes: no host program built by clang depends on it.
GCC_ONLY = re.compile(
    r"-fdump-|-foffload|-fvect-cost-model|-fipa-pta|-fno-ipa-|-fno-extern-tls-init"
)


def named(name):
    """Returns what scripts/compiler has for a name: the newest gcc, clang or libomp of those loomp is for."""
    shown = subprocess.run([REPOSITORY / "scripts/compiler", name], text=True, capture_output=True, check=False)
    if shown.returncode:
        left_out(last_line(shown.stderr).removeprefix("loomp: "))
    return shown.stdout.strip()


class Compiler:
    """The two families share this: their command lines differ in the common flags only."""

    def __init__(self, drivers, common):
        self.drivers = drivers
        self.languages = tuple(drivers)
        self.common = common
        self.identity = _identity(drivers["c"], self.headers())

    def command(self, language, sources, flags, output):
        # gcc's driver alone would build a .c file as C, even under the name g++.
        before, after = (["-x", "c++"], ["-x", "none"]) if language == "c++" else ([], [])
        return [self.drivers[language], *self.common, *flags, *before, *sources, *after,
                "-o", output, "-lm"]  # fmt: skip


class Gcc(Compiler):
    """gcc, g++ and gfortran of one version; programs link with libgomp.so.1."""

    soname = "libgomp.so.1"
    own_runtime = "libgomp"
    must_build = True  # the suite is gcc's own

    def __init__(self, version, root, _cache):
        super().__init__(
            self.driver_names(version),
            ["-fopenmp", "-fmessage-length=0", "-fdiagnostics-color=never", *_includes(root)],
        )

    @staticmethod
    def driver_names(version):
        return {"c": f"gcc-{version}", "c++": f"g++-{version}", "fortran": f"gfortran-{version}"}

    def headers(self):
        """gcc's own omp.h, and gfortran's module."""
        return [
            subprocess.run([driver, "-print-file-name=" + name], capture_output=True, text=True, check=True).stdout.strip()
            for driver, name in ((self.drivers["c"], "include/omp.h"), (self.drivers["fortran"], "finclude/omp_lib.mod"))
        ]

    @staticmethod
    def lacks_atomics(_output):
        return False

    def offload_targets(self):
        """Asks the compiler what it would offload to, as libgomp's own driver does."""
        shown = subprocess.run(
            [self.drivers["c"], "-v"], capture_output=True, text=True, check=True
        ).stderr
        match = re.search(r"^OFFLOAD_TARGET_NAMES=(.*)", shown, re.MULTILINE)
        return tuple(match.group(1).split(":")) if match else ()


class Clang(Compiler):
    """clang and clang++ of one version; programs link with libomp.so.5."""

    soname = "libomp.so.5"
    own_runtime = "libomp"
    must_build = False  # what clang refuses says nothing about a runtime

    def __init__(self, version, root, cache):
        self.header_folder = _omp_header(version, cache)
        super().__init__(
            self.driver_names(version),
            ["-fopenmp=libomp", *CLANG_LENIENT, "-fno-color-diagnostics", "-isystem",
             self.header_folder, *_includes(root), "-L", _link_directory(cache)],
        )  # fmt: skip

    @staticmethod
    def driver_names(version):
        return {"c": f"clang-{version}", "c++": f"clang++-{version}"}

    def headers(self):
        return [os.path.join(self.header_folder, "omp.h")]

    @staticmethod
    def lacks_atomics(output):
        """Whether linking failed for want of libatomic, to which clang leaves the wide ones."""
        return "undefined reference to `__atomic_" in output

    def offload_targets(self):
        return ()

    def command(self, language, sources, flags, output):
        kept = [flag for flag in flags if not GCC_ONLY.match(flag)]
        return super().command(language, sources, kept, output)


def installed(name):
    """(family, version) of the compiler called `name`, such as gcc-12 or clang-19."""
    match = re.fullmatch(r"(gcc|clang)-(\d+)", name)
    if not match:
        sys.exit(f"conformance: no compiler '{name}': write gcc-N or clang-N, such as gcc-12")
    family = {"gcc": Gcc, "clang": Clang}[match.group(1)]
    for driver in family.driver_names(match.group(2)).values():
        if not shutil.which(driver):
            left_out(f"{driver} is not installed")
    return family, match.group(2)


def _includes(root):
    return ["-I", os.path.join(root, "include"), "-I", os.path.join(root, "libgomp")]


def _identity(driver, headers):
    """An executable that is built with another version, or another omp.h, is another one."""
    shown = subprocess.run([driver, "--version"], capture_output=True, check=True).stdout
    for header in headers:
        if os.path.exists(header):
            shown += pathlib.Path(header).read_bytes()
    return hashlib.sha256(shown).hexdigest()[:16]


def _link_directory(cache):
    """A directory in which -lomp finds libomp.so.5 without its -dev package."""
    where = os.path.join(cache, "link")
    os.makedirs(where, exist_ok=True)
    link = os.path.join(where, "libomp.so")
    if not os.path.islink(link):
        os.symlink(named("libomp"), link)
    return where


def _omp_header(version, cache):
    """A directory with clang's omp.h. The libomp-N-dev of two versions cannot both be installed, so
    the header is taken out of the package. (gcc's has smaller locks: it must not be used here.)
    """
    where = os.path.join(cache, "headers", "clang-" + version)
    os.makedirs(where, exist_ok=True)
    unpacked = REPOSITORY / f"build/llvm-{version}/include/omp.h"  # by scripts/setup
    for found in (unpacked, f"/usr/lib/llvm-{version}/lib/clang/{version}/include/omp.h"):
        if os.path.exists(found):
            mine = os.path.join(where, f".omp.h-{os.getpid()}")
            shutil.copy(found, mine)
            os.rename(mine, os.path.join(where, "omp.h"))
            return where
    if os.path.exists(os.path.join(where, "omp.h")):
        return where
    package = f"libomp-{version}-dev"
    with tempfile.TemporaryDirectory() as scratch:
        # apt reads as an unprivileged user when it can; let it.
        os.chmod(scratch, 0o777)
        done = subprocess.run(
            ["apt-get", "download", package], cwd=scratch, capture_output=True, text=True
        )
        packages = [name for name in os.listdir(scratch) if name.endswith(".deb")]
        if done.returncode or not packages:
            left_out(f"cannot download {package} for its omp.h: {last_line(done.stderr)}")
        subprocess.run(["dpkg-deb", "-x", packages[0], "tree"], cwd=scratch, check=True)
        for folder, _, names in os.walk(os.path.join(scratch, "tree")):
            if "omp.h" in names:
                shutil.copy(os.path.join(folder, "omp.h"), where)
                return where
    left_out(f"{package} holds no omp.h")
