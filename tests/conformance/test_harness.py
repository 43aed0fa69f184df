#!/usr/bin/env python3
"""The harness itself: python3 tests/conformance/test_harness.py"""

import os
import sys
import tempfile
import time
import unittest
from types import SimpleNamespace

sys.dont_write_bytecode = True

from harness import execute, llvm, report
from harness.directives import Recipe, read_recipe
from harness.runtimes import Runtime
from harness.selectors import Selectors
from harness.tcl import split_words


class Tcl(unittest.TestCase):
    def test_words_in_braces_quotes_and_bare(self):
        self.assertEqual(split_words('run { target { a && { ! b } } } "x y"'),
                         ["run", "target { a && { ! b } }", "x y"])  # fmt: skip

    def test_quotes_substitute_what_a_pattern_needs(self):
        self.assertEqual(split_words(r'"a\n\\\[\[0-9\]"'), ["a\n\\[[0-9]"])


class Conditions(unittest.TestCase):
    def setUp(self):
        self.selectors = Selectors("c", ("nvptx-none",))

    def test_operators_nest(self):
        self.assertTrue(self.selectors.holds("{ lp64 && { ! ia32 } }"))
        self.assertFalse(self.selectors.holds("{ lp64 && { ! lp64 } }"))
        self.assertTrue(self.selectors.holds("{ ia32 || lto }"))

    def test_a_list_of_targets_is_any_of_them(self):
        self.assertTrue(self.selectors.holds("*-*-darwin* *-*-linux*"))
        self.assertFalse(self.selectors.holds("alpha*-*-*"))

    def test_language_and_offload_compiler(self):
        self.assertTrue(self.selectors.clause_holds("target c"))
        self.assertFalse(self.selectors.clause_holds("target c++"))
        self.assertTrue(self.selectors.holds("offload_target_nvptx"))
        self.assertFalse(self.selectors.holds("offload_target_amdgcn"))

    def test_an_unknown_condition_is_false_and_told(self):
        self.assertFalse(self.selectors.holds("has_wings"))
        self.assertEqual(self.selectors.unknown, {"has_wings"})


class Directives(unittest.TestCase):
    def recipe(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
            source.write(text)
            source.flush()
            return read_recipe(source.name, ["-O2"], Selectors("c"))

    def test_without_directives_a_test_is_run_at_the_default_level(self):
        recipe = self.recipe("int main (void) { return 0; }")
        self.assertEqual((recipe.skip, recipe.flags), ("", ["-O2"]))

    def test_options_replace_and_additional_options_add(self):
        recipe = self.recipe(
            '/* { dg-additional-options "-mavx" } */\n/* { dg-options "-O1 -g" } */\n'
            '/* { dg-additional-options "-O3" { target c++ } } */\n'
        )
        self.assertEqual(recipe.flags, ["-O1", "-g", "-mavx"])

    def test_what_is_not_a_run_test_here_is_skipped_with_its_reason(self):
        self.assertEqual(self.recipe("/* { dg-do link } */").skip, "link only")
        self.assertEqual(self.recipe("/* { dg-do run { target ia32 } } */").skip,
                         "dg-do: not for this target")  # fmt: skip
        self.assertEqual(
            self.recipe("/* { dg-require-effective-target ia32 } */").skip, "needs ia32"
        )

    def test_a_skip_rule_looks_at_the_options(self):
        rule = '/* { dg-skip-if "" { ! ia32 } { "*" } { "-O0" "-O2" } } */\n'
        self.assertEqual(self.recipe(rule).skip, "")
        self.assertNotEqual(self.recipe(rule + '/* { dg-options "-O1" } */').skip, "")

    def test_environment_and_expected_output(self):
        recipe = self.recipe(
            '/* { dg-set-target-env-var OMP_PLACES "{6,7}:4" } */\n'
            '/* { dg-output "one(\\n|\\r)" } */\n/* { dg-output "two" } */\n'
        )
        self.assertEqual(recipe.environment, {"OMP_PLACES": "{6,7}:4"})
        self.assertEqual(execute.judge(0, "one\ntwo", recipe), (execute.PASS, ""))
        self.assertEqual(execute.judge(0, "two\none", recipe)[0], execute.FAIL)

    def test_a_dot_matches_the_end_of_a_line_as_in_tcl(self):
        recipe = self.recipe('/* { dg-output "A.*B" } */\n')
        self.assertEqual(execute.judge(0, "A\nB\n", recipe), (execute.PASS, ""))


def is_dead(stat):
    try:
        with open(stat, encoding="utf-8") as file:
            return file.read().split(")")[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


class Judging(unittest.TestCase):
    def test_a_test_that_should_fail(self):
        recipe = Recipe(should_fail=True)
        self.assertEqual(execute.judge(1, "", recipe)[0], execute.PASS)
        self.assertEqual(execute.judge(0, "", recipe)[0], execute.FAIL)

    def test_a_signal_and_a_missing_symbol_are_named(self):
        self.assertEqual(execute.judge(-11, "", Recipe()), (execute.FAIL, "SIGSEGV"))
        said = "prog: libgomp.so.1: version `OMP_5.1' not found (required by prog)"
        self.assertEqual(execute.judge(1, said, Recipe())[1], "the runtime lacks OMP_5.1")

    def test_a_hung_program_dies_with_its_children(self):
        with tempfile.TemporaryDirectory() as where:
            script = os.path.join(where, "hang")
            pid_file = os.path.join(where, "pid")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\nsleep 100 & echo $! > {pid_file}; wait\n")
            os.chmod(script, 0o755)
            verdict = execute.Executor(Runtime("none", ""), 0.5, {}).run(script, Recipe())
            self.assertEqual(verdict.status, execute.HANG)
            with open(pid_file, encoding="utf-8") as file:
                state = f"/proc/{file.read().strip()}/stat"
            # A killed child is gone, or a zombie that nobody waits for, as soon as it has been
            # scheduled once more.
            self.assertTrue(any(is_dead(state) or time.sleep(0.1) for _ in range(200)))


class Lit(unittest.TestCase):
    def setUp(self):
        self.where = self.enterContext(tempfile.TemporaryDirectory())

    def lit(self, text):
        """A stand-in for lit, which is given `-o FILE` and says `text` of its tests."""
        path = os.path.join(self.where, "lit")
        with open(path, "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\nwhile [ $1 != -o ]; do shift; done\n{text}\n")
        os.chmod(path, 0o755)
        return [path]

    def verdicts(self, text):
        options = SimpleNamespace(jobs=1, timeout=60, filter=None)
        return llvm._run(self.lit(text), self.where, options)

    def test_its_results_are_verdicts(self):
        codes = ("PASS", "FAIL", "TIMEOUT", "UNSUPPORTED", "XFAIL", "XPASS")
        tests = ",".join(f'{{"name": "libomp :: a/{code}.c", "code": "{code}"}}' for code in codes)
        found = self.verdicts(f"echo '{{\"tests\": [{tests}]}}' >$2; exit 1")
        self.assertEqual({name: verdict.status for name, verdict in found.items()},
                         {"a/PASS.c": "pass", "a/FAIL.c": "fail", "a/TIMEOUT.c": "hang", "a/XPASS.c": "fail",
                          "a/UNSUPPORTED.c": "not-applicable", "a/XFAIL.c": "not-applicable"})  # fmt: skip

    def test_without_results_its_last_words_are_told(self):
        with self.assertRaisesRegex(SystemExit, "lit failed: no psutil"):
            self.verdicts("echo first; echo no psutil >&2; exit 2")


class Reporting(unittest.TestCase):
    def test_expectations_need_a_reason(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("# comment\na.c | because\n")
            file.flush()
            self.assertEqual(report.read_expected(file.name), {"a.c": "because"})
            file.write("b.c\n")
            file.flush()
            with self.assertRaises(SystemExit):
                report.read_expected(file.name)

    def test_explained_hangs_are_told_from_other_failures(self):
        reasons = {"a.c": "sometimes hangs: so on libomp", "b.c": "sometimes: fails", "c.c": "hangs"}
        self.assertEqual(report.hanging(reasons), {"a.c"})


if __name__ == "__main__":
    unittest.main()
