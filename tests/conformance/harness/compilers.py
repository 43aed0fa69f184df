"""What each compiler needs, and how its command line looks."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

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
    """What scripts/compiler has for a name: the newest gcc, clang or libomp of those loomp is for."""
    shown = subprocess.run([REPOSITORY / "scripts/compiler", name], text=True,
                           stdout=subprocess.PIPE)  # fmt: skip
    if shown.returncode:
        sys.exit(1)  # it has said why
    return shown.stdout.strip()


class Compiler:
    """What the two families share: their command lines differ in the common flags only."""

    def __init__(self, drivers, common):
        self.drivers = drivers
        self.languages = tuple(drivers)
        self.common = common
        self.identity = _identity(drivers["c"])

    def command(self, language, sources, flags, output):
        # gcc's driver alone would build a .c file as C, even under the name g++.
        before, after = (["-x", "c++"], ["-x", "none"]) if language == "c++" else ([], [])
        return [self.drivers[language], *self.common, *flags, *before, *sources, *after,
                "-o", output, "-lm"]  # fmt: skip


class Gcc(Compiler):
    """gcc, g++ and gfortran of one version; programs link with libgomp.so.1."""

    soname = "libgomp.so.1"
    must_build = True  # the suite is gcc's own

    def __init__(self, version, root, _cache):
        drivers = {"c": "gcc-", "c++": "g++-", "fortran": "gfortran-"}
        super().__init__(
            {language: driver + version for language, driver in drivers.items()},
            ["-fopenmp", "-fmessage-length=0", "-fdiagnostics-color=never", *_includes(root)],
        )

    @staticmethod
    def lacks_atomics(_output):
        return False

    def offload_targets(self):
        """As libgomp's own driver does: asks the compiler what it would offload to."""
        shown = subprocess.run(
            [self.drivers["c"], "-v"], capture_output=True, text=True, check=True
        ).stderr
        match = re.search(r"^OFFLOAD_TARGET_NAMES=(.*)", shown, re.MULTILINE)
        return tuple(match.group(1).split(":")) if match else ()


class Clang(Compiler):
    """clang and clang++ of one version; programs link with libomp.so.5."""

    soname = "libomp.so.5"
    must_build = False  # what clang refuses says nothing about a runtime

    def __init__(self, version, root, cache):
        super().__init__(
            {"c": "clang-" + version, "c++": "clang++-" + version},
            ["-fopenmp=libomp", *CLANG_LENIENT, "-fno-color-diagnostics", "-isystem",
             _omp_header(version, cache), *_includes(root), "-L", _link_directory(cache)],
        )  # fmt: skip

    @staticmethod
    def lacks_atomics(output):
        """Whether linking failed for want of libatomic, to which clang leaves the wide ones."""
        return "undefined reference to `__atomic_" in output

    def offload_targets(self):
        return ()

    def command(self, language, sources, flags, output):
        kept = [flag for flag in flags if not GCC_ONLY.match(flag)]
        return super().command(language, sources, kept, output)


def find(name, root, cache):
    """The compiler called `name`, such as gcc-12 or clang-19."""
    match = re.fullmatch(r"(gcc|clang)-(\d+)", name)
    if not match:
        sys.exit(f"conformance: no compiler '{name}': write gcc-N or clang-N, such as gcc-12")
    if not shutil.which(name):
        sys.exit(f"conformance: {name} is not installed: apt-get install {name}")
    return {"gcc": Gcc, "clang": Clang}[match.group(1)](match.group(2), root, cache)


def _includes(root):
    return ["-I", os.path.join(root, "include"), "-I", os.path.join(root, "libgomp")]


def _identity(driver):
    shown = subprocess.run([driver, "--version"], capture_output=True, text=True, check=True)
    return hashlib.sha256(shown.stdout.encode()).hexdigest()[:16]


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
    if os.path.exists(os.path.join(where, "omp.h")):
        return where
    installed = f"/usr/lib/llvm-{version}/lib/clang/{version}/include/omp.h"
    os.makedirs(where, exist_ok=True)
    if os.path.exists(installed):
        shutil.copy(installed, where)
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
            sys.exit(f"conformance: cannot download {package} for its omp.h:\n{done.stderr}")
        subprocess.run(["dpkg-deb", "-x", packages[0], "tree"], cwd=scratch, check=True)
        for folder, _, names in os.walk(os.path.join(scratch, "tree")):
            if "omp.h" in names:
                shutil.copy(os.path.join(folder, "omp.h"), where)
                return where
    sys.exit(f"conformance: {package} holds no omp.h")
