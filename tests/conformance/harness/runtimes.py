"""Which library an executable finds when it starts."""

import os
import sys

from .compilers import REPOSITORY, named

OURS = str(REPOSITORY / "build" / "release" / "lib" / "compat")
# The names that programs ask for, and those that they are linked with.
NAMES = ("libgomp.so.1", "libomp.so.5", "libiomp5.so", "libomp.so")


class Runtime:
    def __init__(self, label, directory):
        self.label = label
        self.directory = directory  # empty: the system's own

    def environment(self):
        return {"LD_LIBRARY_PATH": self.directory} if self.directory else {}


def find(name, soname, cache):
    """`loomp` (as built here), `libgomp` (the system's), `libomp` (clang's, under every name), or
    a directory that holds `soname`."""
    if name == "libgomp":
        if soname != "libgomp.so.1":
            sys.exit(f"conformance: libgomp has no {soname}, which this compiler's programs need")
        return Runtime("libgomp", "")
    if name == "libomp":
        label = "libomp-" + named("llvm")
        return Runtime(label, under_every_name(named("libomp"), os.path.join(cache, label)))
    directory = OURS if name == "loomp" else os.path.abspath(name)
    # Without it the programs would silently find another library than the one meant.
    if not os.path.exists(os.path.join(directory, soname)):
        sys.exit(
            f"conformance: no {soname} in {directory}: build loomp first (scripts/build release), or name "
            "libgomp, libomp or a directory that holds one"
        )
    is_loomp = os.path.exists(os.path.join(directory, "libloomp.so"))
    return Runtime("loomp" if is_loomp else os.path.basename(directory), directory)


def under_every_name(library, directory):
    """Makes `directory` one with the library under each of NAMES, and returns it."""
    os.makedirs(directory, exist_ok=True)
    for name in NAMES:
        link = os.path.join(directory, name)
        if os.path.islink(link) and os.readlink(link) != library:
            os.remove(link)
        if not os.path.islink(link):
            os.symlink(library, link)
    return directory
