"""The functions that loomp offers: what its libraries export, and what its headers declare."""

import pathlib
import re
import sys

from source_text import without_c_comments

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "exports"))

import export_lists

HEADERS = "include/loomp"
# Types and callbacks of tools; loomp's part of that interface is looked up by name, not exported.
NO_FUNCTIONS = {"omp-tools.h"}
# Those whose functions libloomp.so has. The others' are inline, or the MPI layers'.
OF_RUNTIME = {"loomp.h", "experimental.h", "dependences.h"}
# The libraries beside the runtime: their names for C. Fortran's lead to the same code.
LAYERS = ("runtime/alpi", "runtime/cuda", "mpi/adapters", "mpi/calls", "mpi/calls/generated", "mpi/forward", "mpi/start",
          "mpi/waiting", "profiler/recorder", "profiler/recorder/mpi", "profiler/recorder/mpi/generated")  # fmt: skip
_EXPORTED = re.compile(r'^(?:LOOMP_EXPORT|extern "C" LOOMP_SHARED)\s+[\w\s*]*?\b(\w+)\s*\(', re.MULTILINE)
# The version script has patterns for loomp's own names.
_OWN = re.compile(r"LOOMP_(?:EXPORT|API)\s+[\w\s:*]*?\b((?:loomp|ompt)_\w+)\s*\(")
_INLINE = re.compile(r"(?ms)^static inline [\w *]*?\b(\w+)\([^;{]*?\) \{\n(.*?)^\}")
_PROTOTYPE = re.compile(r"(?m)^(?:LOOMP_FUNCTION |static inline |const |unsigned |struct )*\w+(?: \**|\s+)(\w+)\(")


def exported_by_runtime(root):
    """Names of libloomp.so, without versions: those of the lists, and loomp's own."""
    names = {symbol.partition("@")[0] for symbols in export_lists.listed(root).values() for symbol in symbols}
    for folder in ("runtime/abi", "runtime/ompt", "runtime/core"):
        for path in (root / folder).rglob("*.cpp"):
            if not path.name.endswith("_test.cpp"):
                names.update(_OWN.findall(without_c_comments(path.read_text())))
    names.update(name for name, header in declared_by_headers(root).items() if header in OF_RUNTIME)
    return names


def exported_by_layers(root):
    """Names of the layers for MPI and of the recorder."""
    names = set()
    for folder in LAYERS:
        for path in sorted((root / folder).glob("*.cpp")):
            if "fortran" not in path.name:
                names.update(_EXPORTED.findall(without_c_comments(path.read_text())))
    return names


def declared_by_headers(root):
    """{name: header}, without those that macros call: their names end in an underscore"""
    found = {}
    for path in sorted((root / HEADERS).glob("*.h")):
        if path.name in NO_FUNCTIONS:
            continue
        text = without_c_comments(path.read_text())
        text = re.sub(r"(?m)^\s*#(.*\\\n)*.*$", "", text)
        for name in _PROTOTYPE.findall(text):
            if not name.endswith("_"):
                found.setdefault(name, path.name)
    return found


def called_by_headers(root):
    """{function: inline functions of the headers that call it, or look it up by name}"""
    callers = {}
    for path in sorted((root / HEADERS).glob("*.h")):
        for caller, body in _INLINE.findall(without_c_comments(path.read_text())):
            for name in set(re.findall(r"\bloomp_\w+", body)):
                callers.setdefault(name, set()).add(caller)
    return callers
