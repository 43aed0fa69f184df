"""Reads C, C++, Fortran, shell and Python as far as the search needs: without comments, and string by string."""

import re

# A comment or a string of C or C++; a raw string's text is in group `raw`.
_C_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | R"(?P<fence>[^(\s"]{0,16})\((?P<raw>.*?)\)(?P=fence)"
      | "(?P<string>(?:[^"\\\n]|\\.)*)"
      | (?<![0-9a-fA-F])'(?:[^'\\\n]|\\[^\n])+'""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t", "0": "\0"}


def unescaped(text):
    """The characters that the inside of a C string stands for."""
    return re.sub(r"\\(.)", lambda m: "" if m[1] == "\n" else _ESCAPES.get(m[1], m[1]), text, flags=re.DOTALL)


def c_strings(text):
    """[(begin, end, string)] of C or C++; adjacent literals are one string."""
    found = []
    for token in _C_TOKEN.finditer(text):
        if token["raw"] is not None:
            value = token["raw"]
        elif token["string"] is not None:
            value = unescaped(token["string"])
        else:
            continue
        if found and not text[found[-1][1] : token.start()].strip():
            begin, _, before = found.pop()
            found.append((begin, token.end(), before + value))
        else:
            found.append((token.start(), token.end(), value))
    return found


def without_c_comments(text):
    """Returns the text with blanks for comments, so that positions stay."""
    return _C_TOKEN.sub(lambda m: m[0] if m["comment"] is None else re.sub(r"[^\n]", " ", m[0]), text)


def without_comment_lines(text, sign):
    """The text without lines that are comments only."""
    return re.sub(rf"(?m)^[ \t]*{re.escape(sign)}.*$", "", text)


def language_of(path, text):
    """Returns c, fortran, shell or python; None for a file that is no source."""
    suffix = path.suffix.lower()
    if suffix in (".c", ".cpp", ".h", ".cc"):
        return "c"
    if suffix in (".f90", ".f"):
        return "fortran"
    if suffix == ".sh" or re.match(r"#!.*\bbash\b|# shellcheck", text):
        return "shell"
    if suffix == ".py" or re.match(r"#!.*\bpython", text):
        return "python"
    return None
