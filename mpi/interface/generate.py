#!/usr/bin/env python3
"""Writes the code of MPI's functions in C++ from mpi/interface/functions.txt.

usage: mpi/interface/generate.py           writes all files; needs clang-format-19
       mpi/interface/generate.py --check   fails if a file is not what the table makes, but for white space
"""

import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = "mpi/interface/functions.txt"
LAYER, RECORDER, NUMBERS = "mpi/calls/generated", "profiler/recorder/mpi/generated", "profiler/format/functions.h"
CHECKER = "profiler/check/observer/mpi/generated"
FORTRAN = "mpi/interface/fortran_lists.h"
NEXT = "mpi/interface/next_calls.h"
# Functions that the layer passes on besides those of the table and their nonblocking forms.
ALSO_PASSED = (
    "Cancel", "Comm_create_errhandler", "Comm_get_errhandler", "Comm_idup", "Comm_set_errhandler", "Grequest_start", "Improbe",
    "Iprobe", "Op_create",
)  # fmt: skip
ALSO_PASSED_SINCE_4 = ("Op_create_c",)
# The calls that the layer makes of those that have no nonblocking form in the table.
MADE_OF = {
    "Sendrecv": "Isend", "Sendrecv_replace": "Isend", "Probe": "Iprobe", "Mprobe": "Improbe", "Wait": "Test", "Waitall": "Test",
    "Waitany": "Testany", "Waitsome": "Testsome",
}  # fmt: skip
HEADER = f"// Written by mpi/interface/generate.py from {TABLE}; change that table.\n"
PREAMBLE = {
    LAYER: '#include "mpi/calls/call_kinds.h"\n#include "platform/export.h"\n\nusing namespace loomp::mpi;\n\n',
    RECORDER: '#include "profiler/recorder/mpi/recorded_kinds.h"\n\nusing namespace loomp::record;\n\n',
    CHECKER: '#include "profiler/check/observer/mpi/checked_calls.h"\n\nusing namespace loomp::check;\n\n',
}
TAMPI_PREAMBLE = """#include "loomp/TAMPI.h"

#include "mpi/calls/bind_to_task.h"
#include "platform/export.h"

using namespace loomp::mpi;

"""
STAND_IN = re.compile(r"stand_in (\w+)(?: of (\S+))?(?: by (\w+))?")
ENVELOPE = "{peer, tag, comm}"
RECORDED_KINDS = {
    "send": ("Kind::send", ENVELOPE, "Contents{count, type}"),
    "synchronous_send": ("Kind::synchronous_send", ENVELOPE, "Contents{count, type}"),
    "receive": ("Kind::receive", ENVELOPE, "Contents{}"),
    "collective": ("Kind::collective", "{.comm = comm}"),
}
PARTITIONED_KINDS = {
    "partitioned_send": ("Kind::send", ENVELOPE, "Contents{count * parts, type}"),
    "partitioned_receive": ("Kind::receive", ENVELOPE, "Contents{}"),
}


@dataclass
class Function:
    """A function of the table; its name is without MPI_."""

    name: str
    parameters: list
    words: dict = field(default_factory=dict)

    def values(self, *without):
        """The arguments to pass on, but those of these roles."""
        names = [re.search(r"(\w+)(?:\[\])?$", parameter)[1] for parameter in self.parameters]
        return [name for name in names if name not in without]

    def form(self, word):
        """Its nonblocking or persistent form, which returns a request instead of a status; None if it has none."""
        if word not in self.words:
            return None
        parameters = [parameter for parameter in self.parameters if not parameter.endswith(" *status")]
        if word == "persistent" and "peer" not in self.values():
            parameters.append("MPI_Info info")
        return Function(self.words[word], [*parameters, "MPI_Request *request"], self.words)

    def sized(self, count, offset):
        parameters = [re.sub("COUNT", count, re.sub("OFFSET", offset, text)) for text in self.parameters]
        return Function(self.name, parameters, self.words)


def read_table():
    """{section: its functions}"""
    sections, lines = {}, iter((ROOT / TABLE).read_text(encoding="utf-8").splitlines())
    for line in lines:
        if section := re.fullmatch(r"\[(\w+)\]", line):
            functions = sections[section[1]] = []
        elif line.startswith("MPI_"):
            while not line.endswith(")"):
                line += " " + next(lines).strip()
            name, parameters = re.fullmatch(r"MPI_(\w+)\((.*)\)", line).groups()
            words = dict(re.fullmatch(r"(\S+) ?(.*)", word).groups() for word in next(lines).strip().split("; "))
            functions.append(Function(name, [text for text in parameters.split(", ") if text], words))
        elif line and not line.startswith("#"):
            sys.exit(f"{TABLE}: what is `{line}`?")
    return sections


def text_of(library, function, suffix, body):
    return f"LOOMP_EXPORT int {library}_{function.name}{suffix}({', '.join(function.parameters)}) {{ {body} }}\n"


def call(library, function, suffix, roles):
    """Returns what reports say of a call: its name and those of its arguments that have these
    roles."""
    fields = [f'.name = "{library}_{function.name}{suffix}"']
    fields += [f".{role} = {role}" for role in roles if role in function.values()]
    return "{" + ", ".join([*fields, ".from = LOOMP_CALLER"]) + "}"


def forward(kind, templates, first, values):
    return f"return {kind}<{', '.join(templates)}>({', '.join([*first, *values])});"


def layer_functions(function, suffix):
    kind, _, details = function.words.get("layer", "by_hand").partition(" ")
    about = call("MPI", function, suffix, ("comm", "peer", "tag"))
    nonblocking = function.form("nonblocking")

    def passed(*names):
        return [f"next::{name}{suffix}" for name in names]

    def own(*names):
        return [f"PMPI_{name}{suffix}" for name in names]

    if kind == "stand_in":
        waits, of, maker = STAND_IN.fullmatch(function.words["layer"]).groups()
        make = maker or f"next::{function.name}{suffix}"
        values = ["given_handler(handler)" if name == "handler" else name for name in function.values()]
        made = f"{make}({', '.join(values)})"
        if function.words.get("recorder") == "makes":
            made = f"inherited(comm, made, {made})"
        made = f"[&] {{ return {made}; }}"
        arguments = [call("MPI", function, suffix, ()), f"Waits::{waits}", made, *([of] if of else [])]
        body = f"return elsewhere({', '.join(arguments)});"
    elif kind == "tells":
        body = f"{details}(); return next::{function.name}{suffix}({', '.join(function.values())});"
    elif kind == "receive":
        body = forward(kind, passed(function.name, nonblocking.name), [about, "status"], function.values("status"))
    elif kind in ("send", "collective", "allreduce", "alltoallv", "alltoallw"):
        body = forward(kind, passed(function.name, nonblocking.name), [about], function.values())
    elif kind == "neighbours":
        body = forward(kind, passed(function.name, nonblocking.name, "Ineighbor_alltoallw"), [about], function.values())
    elif kind == "exchange":
        templates = passed(function.name, "Irecv") + own("Send_init") + passed("Isend")
        body = forward(kind, templates, [about], function.values())
    elif kind == "exchange_in_place":
        templates = passed(function.name, "Irecv") + own("Send_init") + passed("Isend") + own("Pack_size", "Pack")
        body = forward(kind, templates, [about], function.values())
    elif kind == "by_hand":
        return ""
    else:
        sys.exit(f"{TABLE}: {function.name}: the layer has no kind {kind}")
    text = text_of("MPI", function, suffix, body)
    # A nonblocking call stays one; the layer notes what its request is.
    if nonblocking and "peer" in function.values():
        start = "start_receive" if kind == "receive" else "start_send"
        about = call("MPI", nonblocking, suffix, ("comm", "peer", "tag"))
        body = forward(start, passed(nonblocking.name), [about, "request"], nonblocking.values("request"))
        text += text_of("MPI", nonblocking, suffix, body)
    return text


def recorder_functions(function, suffix):
    kind = function.words.get("recorder", "by_hand")
    if kind == "by_hand":
        return ""

    def recorded(form, helper, *arguments, last=None):
        first = [f"Function::{form.name}", f"LOOMP_NEXT({form.name}{suffix})", *arguments]
        passed = [last, *form.values(last)] if last else form.values()
        return text_of("MPI", form, suffix, f"return {helper}({', '.join(first + passed)});")

    if kind == "makes":
        return recorded(function, "make_communicator", last="made")
    if kind.removeprefix("start_") in ("exchange", "exchange_in_place"):
        sent = "{count, type}" if kind.endswith("in_place") else "{send_count, send_type}"
        helper, last = ("start_exchange", "request") if kind.startswith("start_") else ("exchange_halves", "status")
        return recorded(function, helper, "{target, send_tag, comm}", sent, ENVELOPE, last=last)
    if kind == "matched_receive":
        return recorded(function, kind) + recorded(function.form("nonblocking"), "start_matched_receive")
    if kind in PARTITIONED_KINDS:
        return recorded(function, "initialize", *PARTITIONED_KINDS[kind], last="request")
    if kind not in RECORDED_KINDS:
        sys.exit(f"{TABLE}: {function.name}: the recorder has no kind {kind}")
    request = RECORDED_KINDS[kind]
    if kind == "collective":
        size = f"[&] {{ return {function.words['bytes']}; }}" if "bytes" in function.words else "Contents{}"
        request = (*request, size)
    if kind == "receive":
        text = recorded(function, kind, ENVELOPE, last="status")
    elif kind == "collective":
        text = recorded(function, kind, "comm", size)
    else:
        text = recorded(function, "send", *request)
    text += recorded(function.form("nonblocking"), "start", *request, last="request")
    if persistent := function.form("persistent"):
        made = recorded(persistent, "initialize", *request, last="request")
        # MPI 4 has them first.
        text += f"#if MPI_VERSION >= 4\n{made}#endif\n" if kind == "collective" and not suffix else made
    return text


USED = {
    "send": "sends(peer, tag, comm) && in(buffer, count, type)",
    "receive": "receives(peer, tag, comm) && out(buffer, count, type)",
    "matched_receive": "out(buffer, count, type)",
    "exchange": "sends(target, send_tag, comm) && in(send_buffer, send_count, send_type), "
                "receives(peer, tag, comm) && out(buffer, count, type)",
    "exchange_in_place": "sends(target, send_tag, comm), receives(peer, tag, comm), out(buffer, count, type)",
}  # fmt: skip


def checker_functions(function, suffix):
    kind = function.words.get("recorder", "by_hand").removeprefix("synchronous_")
    if kind == "collective":
        used = "joins(comm)" + (f" && ({function.words['uses']})" if "uses" in function.words else "")
    elif kind.removeprefix("start_") in USED:
        used = USED[kind.removeprefix("start_")]
    else:
        return ""
    used = re.sub(r"\b(sends|receives|joins|in|out)\(", r"uses.\1(", used).replace("at(", "is_root(")

    def checked(form, helper, last=None):
        first = [f"{{Function::{form.name}, LOOMP_CALLER}}", f"LOOMP_NEXT({form.name}{suffix})"]
        first.append(f"[&](Uses &uses) {{ return {used}; }}")
        passed = [last, *form.values(last)] if last else form.values()
        return text_of("MPI", form, suffix, f"return {helper}({', '.join(first + passed)});")

    if kind.startswith("start_"):
        return checked(function, "start", "request")
    text = checked(function, "blocking")
    if nonblocking := function.form("nonblocking"):
        text += checked(nonblocking, "start", "request")
    if persistent := function.form("persistent"):
        made = checked(persistent, "initialize", "request")
        text += f"#if MPI_VERSION >= 4\n{made}#endif\n" if kind == "collective" and not suffix else made
    return text


def file_text(preamble, functions, make):
    now = [make(f.sized("int", "int"), "") for f in functions if "since" not in f.words]
    later = [make(f.sized("MPI_Count", "MPI_Aint"), "_c") for f in functions if re.search("COUNT|OFFSET", str(f.parameters))]
    later += [make(f.sized("int", "int"), "") for f in functions if "since" in f.words]
    text = "\n".join(filter(None, now))
    if any(later):
        text += "\n#if MPI_VERSION >= 4\n" + "\n".join(filter(None, later)) + "#endif\n"
    includes = "".join(f'#include "mpi/calls/{kind}.h"\n' for kind in ("allreduce", "alltoallv", "alltoallw", "neighbours") if f"{kind}<" in text)
    head, begin, rest = (includes + preamble).partition("\n\n")
    preamble = "\n".join(sorted(head.splitlines())) + begin + rest
    return HEADER + preamble + text if text else ""


def tampi_function(function):
    about = call("TAMPI", function.form("nonblocking"), "", ("peer", "tag"))
    form = Function(function.words["nonblocking"], function.parameters, function.words)
    status = "status" if "status" in function.values() else "MPI_STATUS_IGNORE"
    return text_of("TAMPI", form, "", forward("start_and_bind", [f"MPI_{form.name}"], [about, status], form.values("status")))


def numbers_text(sections):
    names = []
    for function in (function for functions in sections.values() for function in functions):
        if "recorder" in function.words:
            names += [function.name, *(function.words[word] for word in ("nonblocking", "persistent") if word in function.words)]

    def lines(words):
        return textwrap.fill(", ".join(words), 98, initial_indent="    ", subsequent_indent="    ")

    return f"""// The MPI functions that are recorded, by number.
{HEADER}#pragma once

#include <cstdint>

namespace loomp::record {{

// clang-format off
enum class Function : std::uint32_t {{
{lines(names)}
}};

inline constexpr const char *kFunctionNames[] = {{
{lines(f'"MPI_{name}"' for name in names)}
}};
// clang-format on

}} // namespace loomp::record
"""


def next_text(sections):
    functions = [function for section in sections.values() for function in section]
    now, later, waiting, made, collectives = set(ALSO_PASSED), set(ALSO_PASSED_SINCE_4), [], [], []
    for function in functions:
        kind = function.words.get("layer", "").partition(" ")[0]
        if not kind or function.name.startswith("Init"):
            continue
        names = {function.name, function.words["nonblocking"]} if "nonblocking" in function.words else {function.name}
        (later if "since" in function.words else now).update(names)
        if re.search("COUNT|OFFSET", str(function.parameters)):
            later.update(f"{name}_c" for name in names)
        if kind not in ("tells", "by_hand") or re.search("Wait|Win_wait|probe$|Probe$", function.name):
            waiting.append(function.name)
            if by := function.words.get("nonblocking") or MADE_OF.get(function.name):
                is_collective = kind in ("collective", "neighbours", "allreduce", "alltoallv", "alltoallw")
                (collectives if is_collective else made).append(f"{function.name}, {by}")
    made_calls, made_collectives = (" \\\n".join(f"    X({pair})" for pair in pairs) for pairs in (made, collectives))
    waiting_calls = " \\\n".join(f"    X({name})" for name in waiting)

    def declared(names):
        return "".join(f"LOOMP_NEXT_CALL({name})\n" for name in sorted(names))

    return f"""// next::X passes a call of the program to the next function MPI_X: a tool's, or the library's
// (mpi/adapters/tools.h). The layer's own questions are PMPI_X, which tools do not see.
//
{HEADER}#pragma once

#include <mpi.h>

/// A function of mpi/adapters/gated_calls.S.
#define LOOMP_NEXT_CALL(NAME) extern decltype(::PMPI_##NAME) NAME __asm__("loomp_next_PMPI_" #NAME);

namespace loomp::mpi::next {{

{declared(now)}
#if MPI_VERSION >= 4
{declared(later)}#endif

}} // namespace loomp::mpi::next

#undef LOOMP_NEXT_CALL

/// The functions that would hold a task's thread without the layer: X(NAME without MPI_).
#define LOOMP_WAITING_CALLS(X) \\
{waiting_calls}

/// Those that the layer makes by other calls in tasks: X(NAME, BY), both without MPI_.
#define LOOMP_MADE_CALLS(X) \\
{made_calls}

/// Those that it makes by other calls everywhere.
#define LOOMP_MADE_COLLECTIVES(X) \\
{made_collectives}
"""


def fortran_text(sections):
    functions = [function for section in sections.values() for function in section]

    def listed(comment, name, rows):
        comment = textwrap.fill(comment, 100, initial_indent="/// ", subsequent_indent="/// ")
        return f"\n{comment}\n#define {name}(X) \\\n" + " \\\n".join(f"    X({row})" for row in rows) + "\n"

    def collectives(neighbours):
        for function in functions:
            is_one = function.words.get("layer") == "collective" and not function.name.endswith("w")
            if is_one and function.name.startswith("Neighbor_") == neighbours:
                yield f"{function.name.lower()}, {function.name}, {len(function.parameters)}"

    def by_stand_ins(buffer):
        for function in functions:
            if "Fortran" in function.words and ("buffer" in function.values()) == buffer:
                waits, of, _ = STAND_IN.fullmatch(function.words["layer"]).groups()
                members = "abcdefghij"[function.values().index(of.strip("*"))] if of else "nullptr"
                made = "abcdefghij"[len(function.parameters) - 1] if function.words.get("recorder") == "makes" else "nullptr"
                yield f"{waits}, {function.name.lower()}, {len(function.parameters)}, {members}, {made}"

    def sizes():
        letters = "abcdefghij"
        casts = {"count": "integer", "root": "integer", "comm": "communicator", "type": "datatype", "counts": "integers",
                 "from": "address"}  # fmt: skip
        for function in functions:
            if function.words.get("recorder") == "collective":
                # Lists of datatypes would have to be converted.
                size = "0" if function.name.endswith("w") else function.words.get("bytes", "0")
                for position, name in enumerate(function.values()):
                    cast = casts.get(name.removeprefix("from_"))
                    if cast:
                        size = re.sub(rf"\b{name}\b(?! *\()", f"{cast}({letters[position]})", size)
                yield f"#define LOOMP_BYTES_{function.name.lower()} ({size})\n"

    makers = [f for f in functions if f.words.get("recorder") == "makes"]
    in_c = "X(NAME, NAME in C without MPI_, COUNT), with COUNT arguments before"
    lists = (
        (f"Collectives without a list of datatypes, except MPI_Allreduce and MPI_Alltoallv: {in_c} ierror, or before the request of the nonblocking form.",
         "LOOMP_FORTRAN_COLLECTIVES", collectives(neighbours=False)),
        ("Collectives of neighbours that exchange no blocks.", "LOOMP_FORTRAN_NEIGHBOURS", collectives(neighbours=True)),
        ("Calls that stand-ins make and that take a buffer: X(WAITS, NAME, COUNT, MEMBERS, MADE), with COUNT arguments before "
         "ierror; MEMBERS is the argument with the communicator whose ranks all make the call, MADE a new communicator's.",
         "LOOMP_BUFFER_CALLS", by_stand_ins(buffer=True)),
        ("Calls that stand-ins make and that take no buffer.", "LOOMP_OTHER_CALLS", by_stand_ins(buffer=False)),
        (f"Makers of communicators: {in_c} the new communicator.",
         "LOOMP_FOR_MAKERS", (f"{f.name.lower()}, {f.name}, {len(f.parameters) - 1}" for f in makers)),
    )  # fmt: skip
    head = f"// Routines of Fortran, in lists: X is called for each.\n{HEADER}#pragma once\n"
    comment = "\n/// The bytes of collectives, computed from their arguments a, b, ... as the recorder does.\n"
    return head + "".join(listed(*row) for row in lists) + comment + "".join(sizes())


def made_files():
    """{path: text, not formatted}"""
    sections = read_table()
    files = {NUMBERS: numbers_text(sections), FORTRAN: fortran_text(sections), NEXT: next_text(sections)}
    for section, functions in sections.items():
        for folder, make in ((LAYER, layer_functions), (RECORDER, recorder_functions), (CHECKER, checker_functions)):
            if text := file_text(PREAMBLE[folder], functions, make):
                files[f"{folder}/{section}.cpp"] = text
    tampi = [function.sized("int", "int") for functions in sections.values() for function in functions if "TAMPI" in function.words]
    files[f"{LAYER}/tampi.cpp"] = HEADER + TAMPI_PREAMBLE + "\n".join(tampi_function(function) for function in tampi)
    return files


def without_space(text):
    return "".join(text.replace("\\\n", "").split())


def main():
    if set(sys.argv[1:]) - {"--check"}:
        print(__doc__.strip())
        return 0 if sys.argv[1:] == ["--help"] else 2
    files = made_files()
    there = {str(path.relative_to(ROOT)) for folder in (LAYER, RECORDER, CHECKER) for path in (ROOT / folder).glob("*")}
    faults = [f"{name}: the table makes no such file" for name in sorted(there - set(files))]
    for name, text in files.items():
        path = ROOT / name
        if "--check" not in sys.argv:
            formatted = subprocess.run(["clang-format-19", f"--assume-filename={path}"], input=text, text=True,
                                       capture_output=True, check=True).stdout  # fmt: skip
            path.write_text(formatted, encoding="utf-8")
        elif not path.is_file() or without_space(path.read_text(encoding="utf-8")) != without_space(text):
            faults.append(f"{name} is not what {TABLE} makes: run mpi/interface/generate.py")
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(files) - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
