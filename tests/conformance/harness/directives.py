"""One test's directives, turned into a recipe: how to build it, how to run it, what to expect."""

import os
import re
from dataclasses import dataclass, field

from .tcl import split_words

DIRECTIVE = re.compile(r"\{[ \t]+(dg-[-a-z]+)(?:[ \t]+(.*))?[ \t]+\}")
# About diagnostics, intermediate dumps or things every supported machine has: nothing to do here.
IGNORED = {
    "dg-bogus", "dg-error", "dg-excess-errors", "dg-final", "dg-ice", "dg-message", "dg-note",
    "dg-output-file", "dg-prune-output", "dg-regexp", "dg-require-alias", "dg-run",
    "dg-set-compiler-env-var", "dg-timeout", "dg-warning",
}  # fmt: skip


@dataclass
class Recipe:
    skip: str = ""  # why the test does not apply here; empty: it does
    action: str = "run"
    flags: list = field(default_factory=list)
    sources: list = field(default_factory=list)  # further sources, after the test's own
    environment: dict = field(default_factory=dict)
    should_fail: bool = False
    may_fail: bool = False
    output: str = ""  # a regular expression the output must match; empty: anything goes
    timeout_factor: float = 1.0


def read_recipe(path, default_flags, selectors):
    """Reads the directives of the test at `path`."""
    with open(path, encoding="utf-8", errors="replace") as source:
        lines = source.read().splitlines()
    return _Reader(path, default_flags, selectors).read(lines)


class _Reader:
    def __init__(self, path, default_flags, selectors):
        self.folder = os.path.dirname(path)
        self.selectors = selectors
        self.base_flags = list(default_flags)
        self.more_flags = []
        self.skip_rules = []
        self.do_selected = None  # None: no condition seen; else whether one has held
        self.recipe = Recipe()

    def read(self, lines):
        for line in lines:
            match = DIRECTIVE.search(line)
            if match:
                self._apply(match.group(1), split_words(match.group(2) or ""))
        recipe = self.recipe
        recipe.flags = self.base_flags + self.more_flags
        if self.do_selected is False:
            recipe.skip = recipe.skip or "dg-do: not for this target"
        if recipe.action != "run":
            recipe.skip = recipe.skip or recipe.action + " only"
        # A skip rule may look at the options, so it waits until all of them are known.
        for words in self.skip_rules:
            if not recipe.skip and self._skip_rule_holds(words):
                recipe.skip = "dg-skip-if: " + (words[0] or words[1])
        return recipe

    def _apply(self, name, words):
        handler = getattr(self, "_" + name.replace("-", "_"), None)
        if handler:
            handler(words)
        elif name not in IGNORED:
            raise ValueError("unknown directive " + name)

    def _last_clause_holds(self, words, at):
        return len(words) <= at or self.selectors.clause_holds(words[at])

    def _dg_do(self, words):
        if len(words) < 2:
            self.recipe.action = words[0]
        elif self.selectors.clause_holds(words[1]):
            self.recipe.action = words[0]
            self.do_selected = True
        else:
            self.do_selected = bool(self.do_selected)

    def _dg_options(self, words):
        if self._last_clause_holds(words, 1):
            self.base_flags = words[0].split()

    def _dg_additional_options(self, words):
        if self._last_clause_holds(words, 1):
            self.more_flags += words[0].split()

    def _dg_add_options(self, words):
        """Options a feature needs: `__float128`, the only one asked for, needs none here."""

    def _dg_additional_sources(self, words):
        if self._last_clause_holds(words, 1):
            self.recipe.sources += [os.path.join(self.folder, name) for name in words[0].split()]

    def _dg_require_effective_target(self, words):
        if not self.selectors.holds(words[0]):
            self.recipe.skip = self.recipe.skip or "needs " + words[0]

    def _dg_skip_if(self, words):
        self.skip_rules.append(words)

    def _skip_rule_holds(self, words):
        if not self.selectors.clause_holds(words[1]):
            return False
        included = words[2].replace('"', "").split() if len(words) > 2 else ["*"]
        excluded = words[3].replace('"', "").split() if len(words) > 3 else []
        flags = self.recipe.flags
        return (included == ["*"] or any(flag in flags for flag in included)) and not any(
            flag in flags for flag in excluded
        )

    def _dg_set_target_env_var(self, words):
        if self._last_clause_holds(words, 2):
            self.recipe.environment[words[0]] = words[1]

    def _dg_shouldfail(self, words):
        if self._last_clause_holds(words, 1):
            self.recipe.should_fail = True

    def _dg_xfail_if(self, words):
        if self.selectors.clause_holds(words[1]):
            self.recipe.may_fail = True

    _dg_xfail_run_if = _dg_xfail_if

    def _dg_output(self, words):
        if self._last_clause_holds(words, 1):
            self.recipe.output += words[0]

    def _dg_timeout_factor(self, words):
        self.recipe.timeout_factor = float(words[0])
