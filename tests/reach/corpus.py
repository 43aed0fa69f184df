"""The sources of the tests, and what they contain."""

import re
from collections import Counter, defaultdict

from source_text import c_strings, language_of, without_c_comments, without_comment_lines

# Their tests lie beside what they test.
PRODUCTS = ("platform", "runtime", "mpi", "profiler", "cli")
# Applications are run by tests, too.
FOLDERS = ("tests", "apps", *PRODUCTS)
# These name what they look for, and call nothing; or are this search itself.
NO_TESTS = ("tests/reach/", "tests/exports/", "tests/codegen/", "tests/conformance/", "tests/fuzz/", "tests/mutants/",
            "tests/runner/")  # fmt: skip
# The first comment of a program sets its environment (tests/CMakeLists.txt).
_HEADER = re.compile(r"(?m)^[ */!]*(?:env|again|flags): *(.*)$")
# A check's own messages, and comments behind code.
_DESCRIPTION = re.compile(r"\bexpect(?: |\()(?:\"[^\"]*\"|'[^']*')|[ \t]#[ \t].*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OPTION = re.compile(r"--[a-z][a-z-]+")


class Corpus:
    """Which words and texts stand in which test."""

    def __init__(self, root):
        self.words = defaultdict(set)  # identifier -> files
        self.options = defaultdict(set)
        self.texts = {}  # file -> what messages are looked up in
        self._code = {}
        for folder in FOLDERS:
            for path in sorted((root / folder).rglob("*_test.cpp" if folder in PRODUCTS else "*")):
                name = path.relative_to(root).as_posix()
                if path.is_file() and not name.startswith(NO_TESTS) and "__pycache__" not in name:
                    self._read(path, name)

    def _read(self, path, name):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            return
        language = language_of(path, text)
        if language is None:
            return
        if language == "c":
            code = without_c_comments(text)
            expected = " ".join(value for _, _, value in c_strings(code))
        elif language == "fortran":
            code = without_comment_lines(text, "!").lower()
            expected = ""
        else:
            code = without_comment_lines(text, "#")
            # Adjacent strings are one; a pattern's backslashes are none of the message's.
            expected = re.sub(r"[\"']\s*\n\s*f?[\"']", "", code).replace("\\", "")
            expected = _DESCRIPTION.sub("", expected)
        code += "\n" + "\n".join(_HEADER.findall(text))
        for word in _WORD.findall(code):
            self.words[word].add(name)
            if language == "fortran":
                self.words[word + "_"].add(name)
        for option in _OPTION.findall(code):
            self.options[option].add(name)
        self._code[name] = code
        # Applications have texts of their own.
        if name.startswith("tests/") or name.endswith("_test.cpp") or language == "shell":
            self.texts[name] = " ".join(expected.split())

    def setting(self, variable):
        """Files that give this variable a value."""
        given = re.compile(rf"\b{variable}=|\bsetenv\(\s*\"{variable}\"|[\"']{variable}[\"']\]? *[:=,]")
        return {name for name in self.words.get(variable, ()) if given.search(self._code[name])}

    def uses(self, function):
        """Files that name this function."""
        return self.words.get(function, set())

    def option(self, option):
        """Files that pass this option."""
        return self.options.get(option, set())


class Matcher:
    """Finds in the tests the messages that these expect: a run of words that only one message has."""

    LEAST = 16  # characters of such a run, unless a message is all values with less between them
    MOST = 8  # words

    def __init__(self, corpus, messages):
        self._texts = corpus.texts
        self._all = "\n".join(corpus.texts.values())
        self._pairs = set()
        for text in corpus.texts.values():
            words = text.split()
            self._pairs.update(zip(words, words[1:]))
        self._runs = {text: set(self._runs_of(message)) for text, message in messages.items()}
        self._count = Counter(run for runs in self._runs.values() for run in runs)

    def _runs_of(self, message):
        longest = max(message.pieces, key=len)
        for piece in message.pieces:
            words = piece.split()
            for first in range(len(words)):
                for last in range(first + 2, min(first + self.MOST, len(words)) + 1):
                    run = " ".join(words[first:last]).strip("\"'(),.:; ")
                    if len(run) >= self.LEAST or (piece == longest and last - first == len(words)):
                        yield run

    def _stands_somewhere(self, run):
        # The outer words may be parts of words in the test.
        inner = run.split()[1:-1]
        return all(pair in self._pairs for pair in zip(inner, inner[1:])) and run in self._all

    def files(self, message):
        """Tests that expect it. A message that shares all its runs with others is found by the longest."""
        runs = self._runs[message.text]
        own = [run for run in runs if self._count[run] == 1] or [max(runs, key=len, default="")]
        found = set()
        for run in own:
            if run and self._stands_somewhere(run):
                found.update(name for name, text in self._texts.items() if run in text)
        return found
