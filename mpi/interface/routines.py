#!/usr/bin/env python3
"""Compares the routines of MPI libraries, in each binding, with those that loomp's layers take over.

usage: mpi/interface/routines.py [--check] LIBRARY=FILE,LAYER...

LIBRARY is openmpi or mpich, FILE its library for C, LAYER loomp's layer for it. Writes docs/mpi-routines.md and a part of
docs/mpi.md. With --check it only says how these differ from the libraries.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "mpi/interface"))
import generate  # noqa: E402

LISTS, PAGE, MANUAL = "mpi/interface/routines.txt", "docs/mpi-routines.md", "docs/mpi.md"
BEGIN, END = "<!-- mpi/interface/routines.py writes this part -->\n", "<!-- end of that part -->\n"
BINDINGS = ("C", "large counts", "`mpif.h`", "`mpi_f08`")
TITLES = {"openmpi": "Open MPI 4.1", "mpich": "MPICH 4.0"}
# Fortran's names that are no routines, or are further names of one.
NO_ROUTINE = re.compile(r".*(_dup_fn|_copy_fn|_delete_fn|^dup_fn|conversion_fn_null)$|t_.*")
OTHER_NAME = re.compile(r"^(sizeof)_.*|^(.*)_cptr$|^delete(_error_\w+)$")
TAKEN, BY_C, LEFT, ABSENT = "yes", "by C", "no", ""


class Routines:
    """MPI's routines: `taken` by section, `watched`, and the lists of others by kind and reason."""

    def __init__(self):
        self.lists, self.later, kind = [], set(), None
        for line in (ROOT / LISTS).read_text(encoding="utf-8").splitlines():
            if heading := re.fullmatch(r"\[(watched|need not be|not): (.*)\]", line):
                kind, reason = heading.groups()
                self.lists.append((kind, reason, []))
            elif not line.startswith("#"):
                for word in line.split():
                    name, _, since = word.partition("@")
                    self.lists[-1][2].append(name)
                    if since:
                        self.later.add(name)
        self.watched = {name for kind, _, names in self.lists if kind == "watched" for name in names}
        self.others = {name for kind, _, names in self.lists if kind != "watched" for name in names}
        self.taken = {section: [f.name for f in functions if "layer" in f.words and f.name not in self.watched]
                      for section, functions in generate.read_table().items()}  # fmt: skip
        self.taken_names = {name for names in self.taken.values() for name in names}
        self.by_lower = {name.lower(): name for name in self.taken_names | self.watched | self.others}


def symbols(file, kinds):
    text = subprocess.run(["nm", "-D", file], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines() if len(line.split()) > 1 and line.split()[-2] in kinds}


class Library:
    """The names of a library, and those that its layer replaces: its gate's names are weak."""

    def __init__(self, name, file, layer):
        self.name, folder = name, Path(file).parent
        self.own = symbols(layer, "T")
        self.c = symbols(file, "TW")
        if name == "openmpi":
            self.fortran = symbols(folder / "libmpi_mpifh.so", "TW") | symbols(folder / "libmpi_usempi_ignore_tkr.so", "TW")
            self.f08 = symbols(folder / "libmpi_usempif08.so", "TW")
            self.calls = symbols(folder / "libmpi_usempif08.so", "U")
        else:
            self.fortran = self.f08 = symbols(folder / "libmpichfort.so", "TW")
            self.calls = symbols(folder / "libmpichfort.so", "U")

    def routines(self, known):
        """Its routines, in C's spelling as far as that is known."""
        names = {found[1] for name in self.c if (found := re.fullmatch(r"MPI_([A-Z][a-z0-9]\w*?)(_c)?", name))}
        for name in self.fortran | self.f08:
            if found := re.fullmatch(r"mpi_(\w*[a-z0-9])_", name):
                name = re.sub(r"_f08(ts)?(_large)?$", "", found[1])
                if other := OTHER_NAME.fullmatch(name):
                    name = other[1] or other[2] or f"remove{other[3]}"
                if not NO_ROUTINE.fullmatch(name):
                    names.add(known.get(name, name))
        return names

    def names(self, routine):
        """For each binding, the library's names of it that a layer must replace; BY_C if there are only others."""
        lower = routine.lower()
        yield {f"MPI_{routine}"} & self.c
        yield {f"MPI_{routine}_c"} & self.c
        if self.name == "openmpi":
            yield {f"mpi_{lower}_", f"mpi_{lower}_cptr_"} & self.fortran
            # Functions that convert logical values go past the first name.
            yield {own for own, called in ((f"ompi_{lower}_f", f"ompi_{lower}_f"), (f"ompi_{lower}_cptr_f",) * 2,
                                           (f"mpi_{lower}_f08_", f"pmpi_{lower}_")) if called in self.calls}  # fmt: skip
            return
        there = {f"mpi_{lower}_"} & self.fortran
        yield BY_C if there and f"MPI_{routine}" in self.calls else there
        there = {name for name in self.f08 if re.fullmatch(f"mpi_{lower}_f08(ts)?(_large)?_", name)}
        by_name = {name for name in there if "f08ts" not in name}
        yield BY_C if there and not by_name else by_name

    def cells(self, routine, is_watched, faults):
        for binding, names in zip(BINDINGS, self.names(routine), strict=True):
            if names == BY_C or not names:
                yield names or ABSENT
            elif names <= self.own:
                yield TAKEN
            else:
                yield LEFT
                if not is_watched:
                    faults.append(f"{self.name}: the layer has no {', '.join(sorted(names - self.own))} ({binding})")


def kept_cells(library):
    """Another library's cells as the page has them."""
    first = 1 + 4 * list(TITLES).index(library)
    path = ROOT / PAGE
    rows = [line.split("|")[1:-1] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| `")] if path.exists() else []
    return {row[0].strip(" `"): [cell.strip() for cell in row[first : first + 4]] for row in rows}


def page_text(routines, cells):
    text = "# MPI's routines in each binding\n\n" + (
        f"`mpi/interface/routines.py` writes this page from the libraries' symbols and {LISTS}.\n"
        "The tables say whether the layer replaces a routine. `by C`: the library's Fortran routine calls the C function, which\n"
        "the layer replaces. An empty cell: the library has no such routine. [mpi.md](mpi.md) says how the calls behave.\n")  # fmt: skip

    def table(names):
        heads = [f"{TITLES[library]}: {binding}" for library in TITLES for binding in BINDINGS]
        rows = [["`MPI_`", *heads], ["---"] * (1 + len(heads))]
        rows += [[f"`{name}`", *(cell for library in TITLES for cell in cells[library].get(name, [ABSENT] * 4))] for name in names]
        return "\n" + "".join("| " + " | ".join(row) + " |\n" for row in rows)

    for section, names in routines.taken.items():
        text += f"\n## Taken over: {section.replace('_', ' ')}\n" + table(names)
    for kind, reason, names in routines.lists:
        title = {"watched": "Watched", "not": "Not taken over", "need not be": "Need not be taken over"}[kind]
        text += f"\n## {title}\n\n{reason}\n"
        text += table(names) if kind == "watched" else "\n" + ", ".join(f"`{name}`" for name in names) + "\n"
    text += "\n## Tool interface\n\nThe layer leaves all routines `MPI_T_` as they are.\n"
    return text


def manual_part(routines):
    rows = ["| group | `MPI_` |\n| --- | --- |\n"]
    rows += [f"| {section.replace('_', ' ')} | {', '.join(f'`{name}`' for name in names)} |\n" for section, names in routines.taken.items()
             if section != "start"]
    rows += ["\nThese calls wait too, and hold their thread:\n\n| reason | `MPI_` |\n| --- | --- |\n"]
    rows += [f"| {reason} | {', '.join(f'`{name}`' for name in names)} |\n" for kind, reason, names in routines.lists if kind == "not"]
    return "".join(rows)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if not arguments or "--help" in arguments:
        print(__doc__.strip())
        return 0 if "--help" in arguments else 2
    routines, faults = Routines(), []
    libraries = [Library(name, *files.split(",")) for name, files in (argument.split("=") for argument in arguments)]
    cells = {library: kept_cells(library) for library in TITLES}
    faults += [f"{name} is taken over, and {LISTS} says that it is not" for name in sorted(routines.taken_names & routines.others)]
    for library in libraries:
        there = library.routines(routines.by_lower)
        known = routines.taken_names | routines.watched | routines.others
        faults += [f"{library.name} has {name}, which is neither in {generate.TABLE} nor in {LISTS}" for name in sorted(there - known)]
        replaced = {found[1] for name in library.own if (found := re.fullmatch(r"MPI_([A-Z][a-z]\w*?)(_c)?", name))}
        faults += [f"{library.name}: the layer replaces {name}, and {LISTS} says that it does not"
                   for name in sorted(replaced & routines.others)]  # fmt: skip
        cells[library.name] = {name: list(library.cells(name, name in routines.watched, faults))
                               for name in [*routines.taken_names, *routines.watched]}  # fmt: skip
    manual = (ROOT / MANUAL).read_text(encoding="utf-8")
    before, rest = manual.split(BEGIN)
    texts = {PAGE: page_text(routines, cells), MANUAL: before + BEGIN + manual_part(routines) + END + rest.split(END)[1]}
    for path, text in texts.items():
        if "--check" not in sys.argv:
            (ROOT / path).write_text(text, encoding="utf-8")
        elif not (ROOT / path).exists() or (ROOT / path).read_text(encoding="utf-8") != text:
            faults.append(f"{path} is not what the libraries and {LISTS} make: run mpi/interface/routines.py")
    for fault in faults:
        print(f"FAILED {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
