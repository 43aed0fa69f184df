"""The settings that loomp reads, and the options of its command."""

import re

from corpus import PRODUCTS
from source_text import c_strings, without_c_comments

# Variables of loomp, and those of OpenMP and of other runtimes that it understands.
_VARIABLE = re.compile(r"(?:OMP|LOOMP|KMP|GOMP)_[A-Z0-9_]+")
TABLE = "runtime/core/environment/settings_table.cpp"
NAMES_READ_ELSEWHERE = "runtime/core/environment/unknown_settings.cpp"
OPTIONS = ("cli", "profiler/commands")


def settings(root):
    """Names: the rows of the table, those that the runtime knows of its other parts, and what is read by getenv()."""
    names = set()
    for file, before in ((TABLE, r"\{$"), (NAMES_READ_ELSEWHERE, r"[{,]$")):
        names.update(_strings(without_c_comments((root / file).read_text()), before))
    for path in sorted(path for folder in PRODUCTS for path in (root / folder).rglob("*.cpp")):
        if not path.name.endswith("_test.cpp"):
            names.update(_strings(without_c_comments(path.read_text()), r"\bgetenv\($"))
    return names


def _strings(text, before):
    return {value for begin, _, value in c_strings(text)
            if _VARIABLE.fullmatch(value) and re.search(before, text[:begin].rstrip()[-80:])}  # fmt: skip


def options(root):
    """Options of the command, in their long form."""
    names = set()
    for path in sorted(path for folder in OPTIONS for path in (root / folder).glob("*.cpp")):
        text = without_c_comments(path.read_text())
        for spelled in re.findall(r'\badd_(?:option|flag)\(\s*"([^"]+)"', text):
            names.update(word for word in spelled.split(",") if word.startswith("--"))
    return names
