"""The messages that loomp prints on stderr, found in its sources as strings with words in them."""

import re
from dataclasses import dataclass

from source_text import c_strings, without_c_comments

# Folders whose strings are messages: they print nothing else.
ALL_STRINGS = ("platform", "runtime/core", "runtime/abi", "runtime/alpi", "runtime/cuda", "runtime/target", "runtime/ompt",
               "runtime/audit", "mpi", "profiler/recorder",
               "profiler/recording", "profiler/archive", "profiler/build", "profiler/simulation")  # fmt: skip
# The command and the tools print much on stdout. Messages there are strings with the prefix, and those in these calls.
SOME_STRINGS = ("cli", "profiler/commands", "runtime/debugger", "profiler/metrics", "profiler/export", "profiler/view")
CALLS = r"\b(?:runtime_error|refuse|Trouble|why\s*\+?=)[^;]*$"
# Validators of the command's options return their message.
VALIDATORS = ("profiler/commands/option_checks.cpp", r"\breturn fmt::format\($")
# Displays that a user asks for: settings and their documentation, statistics.
DISPLAYS = {"runtime/core/environment/settings_table.cpp", "runtime/core/environment/display_env.cpp",
            "runtime/core/process/info.cpp", "runtime/core/process/stats.cpp",
            "profiler/format/detail.h"}  # fmt: skip
# Names that traces have, no messages.
NAMES = {"copy to device", "copy from device", "team of rank", "of each thread, by PAPI"}

PREFIX = "loomp: "
_CONVERSION = re.compile(
    r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]|%%|\{[^{}\s]*\}"
)
# Between two strings that are parts of one message: + VALUE +
_CONCATENATION = re.compile(r"\s*\+[^;?\"]*\+\s*|\s*\+\s*")
_ASSEMBLER = re.compile(r"\.symver|\.globl|tpidr|fpcr")
_NO_MESSAGE = re.compile(r"\b(?:static_assert|LOOMP_ASSERT|asm|asm volatile)\s*\([^;]*$")


@dataclass(frozen=True)
class Message:
    text: str  # on one line, without prefix; `{}` is what is filled in
    file: str
    line: int

    @property
    def pieces(self):
        return [piece.strip() for piece in self.text.split("{}") if piece.strip()]


def _plain(string):
    text = _CONVERSION.sub(lambda m: "%" if m[0] == "%%" else "{}", string)
    return " ".join(text.split())


def _words(text):
    return [word for word in text.replace("{}", " ").split() if re.search(r"[A-Za-z]{2}", word)]


def _joined_strings(text):
    """The strings of a file in C++; those that `+` joins are one, with `{}` for a value in between."""
    strings = []
    for begin, end, value in c_strings(text):
        value = _plain(value)
        if strings and _CONCATENATION.fullmatch(text, strings[-1][1], begin):
            first, last, before = strings.pop()
            joint = "" if text[last:begin].count("+") == 1 else "{}"
            strings.append((first, end, before + joint + value))
        else:
            strings.append((begin, end, value))
    return strings


def _of_file(text, name, all_strings):
    """Messages of one file in C++."""
    bare = without_c_comments(text)
    for begin, _, value in _joined_strings(text):
        prefixed = value.startswith(PREFIX)
        before = bare[max(0, begin - 400) : begin]
        chosen = prefixed or all_strings or re.search(CALLS, before)
        if name == VALIDATORS[0]:
            chosen = chosen or re.search(VALIDATORS[1], before.rstrip())
        value = value.removeprefix(PREFIX)
        if chosen and len(_words(value)) >= (2 if prefixed else 3) \
                and value not in NAMES and not _ASSEMBLER.search(value) and not _NO_MESSAGE.search(before):  # fmt: skip
            yield Message(value, name, text.count("\n", 0, begin) + 1)


def _of_python(text, name):
    for match in re.finditer(r'"(loomp: (?:[^"\\\n]|\\.)*)"', text):
        value = _plain(match[1]).removeprefix(PREFIX)
        if len(_words(value)) >= 2:
            yield Message(value, name, text.count("\n", 0, match.start()) + 1)


def messages(root):
    """{text: Message}; one that stands twice counts once."""
    found = {}
    for folder in ALL_STRINGS + SOME_STRINGS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in (".cpp", ".h") and name not in DISPLAYS and not name.endswith("_test.cpp"):
                of_file = _of_file(path.read_text(), name, folder in ALL_STRINGS)
            elif path.suffix == ".py":
                of_file = _of_python(path.read_text(), name)
            else:
                continue
            for message in of_file:
                found.setdefault(message.text, message)
    return found
