#!/usr/bin/env python3
"""The harness itself: python3 tests/conformance/test_harness.py"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest
from types import SimpleNamespace
from unittest import mock

sys.dont_write_bytecode = True

from harness import build, cli, compilers, execute, expected, kinds, leaving, llvm, report, suite
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
        self.assertEqual(execute.judge(0, "one\ntwo", recipe), ("", ""))
        self.assertEqual(execute.judge(0, "two\none", recipe)[0], kinds.OUTPUT)

    def test_a_dot_matches_the_end_of_a_line_as_in_tcl(self):
        recipe = self.recipe('/* { dg-output "A.*B" } */\n')
        self.assertEqual(execute.judge(0, "A\nB\n", recipe), ("", ""))


def is_dead(stat):
    try:
        with open(stat, encoding="utf-8") as file:
            return file.read().split(")")[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


IN_REDUCTION = "loomp: in_reduction of an item at 0x7ffe12 that no enclosing task_reduction names"


class Judging(unittest.TestCase):
    def kind(self, code, output="", recipe=None):
        return execute.judge(code, output, recipe or Recipe())[0]

    def test_a_test_that_should_fail(self):
        recipe = Recipe(should_fail=True)
        self.assertEqual(self.kind(1, "", recipe), "")
        self.assertEqual(self.kind(-6, "", recipe), "")
        self.assertEqual(self.kind(0, "", recipe), kinds.WRONG_VALUE)

    def test_a_crash_is_never_the_failure_that_a_test_wants(self):
        self.assertEqual(self.kind(-11, "", Recipe(should_fail=True)), kinds.CRASH)
        self.assertEqual(self.kind(-11, "", Recipe(may_fail=True)), kinds.CRASH)
        self.assertEqual(self.kind(1, "", Recipe(may_fail=True)), "")

    def test_the_tests_own_checks(self):
        self.assertEqual(execute.judge(-6, "", Recipe()), (kinds.WRONG_VALUE, "SIGABRT"))
        self.assertEqual(execute.judge(3, "STOP 3", Recipe()), (kinds.WRONG_VALUE, "exit status 3"))

    def test_a_crash_is_a_signal_or_memory_found_corrupt(self):
        self.assertEqual(execute.judge(-11, "", Recipe()), (kinds.CRASH, "SIGSEGV"))
        self.assertEqual(self.kind(-15), kinds.UNKNOWN)
        self.assertEqual(self.kind(-6, "double free or corruption (out)\n"), kinds.CRASH)
        self.assertEqual(self.kind(-6, "free(): invalid pointer\n"), kinds.CRASH)
        self.assertEqual(self.kind(-6, "loomp: internal error: a == b does not hold (x.h:3)\n"), kinds.CRASH)
        self.assertEqual(self.kind(-6, "loomp: out of memory: a team of threads\n"), kinds.CRASH)

    def test_a_refusal_is_what_loomp_says_last_before_it_aborts(self):
        self.assertEqual(execute.judge(-6, f"x\n{IN_REDUCTION}\n", Recipe()), (kinds.REFUSED, IN_REDUCTION))
        self.assertEqual(self.kind(-6, f"{IN_REDUCTION}\nx\n"), kinds.WRONG_VALUE)
        fortran = "\nProgram received signal SIGABRT: Process abort signal.\n\nBacktrace for this error:\n#0  0x7f\n"
        self.assertEqual(self.kind(-6, f"{IN_REDUCTION}\n{fortran}"), kinds.REFUSED)
        self.assertEqual(self.kind(-6, "loomp: OMP_NUM_THREADS=x is ignored\n"), kinds.WRONG_VALUE)

    def test_a_missing_symbol_is_named(self):
        said = "prog: libgomp.so.1: version `OMP_5.1' not found (required by prog)"
        self.assertEqual(execute.judge(1, said, Recipe()), (kinds.NOT_STARTED, "the runtime lacks OMP_5.1"))
        said = "prog: symbol lookup error: prog: undefined symbol: omp_x"
        self.assertEqual(execute.judge(127, said, Recipe()), (kinds.NOT_STARTED, "the runtime lacks omp_x"))

    def test_a_hung_program_dies_with_its_children(self):
        with tempfile.TemporaryDirectory() as where:
            script = os.path.join(where, "hang")
            pid_file = os.path.join(where, "pid")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\nsleep 100 & echo $! > {pid_file}; wait\n")
            os.chmod(script, 0o755)
            verdict = execute.Executor(Runtime("none", ""), 0.5, {}).run(script, Recipe())
            self.assertEqual(verdict.kind, kinds.HANG)
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
        self.assertEqual({name: verdict.kind or verdict.status for name, verdict in found.items()},
                         {"a/PASS.c": "pass", "a/FAIL.c": "unknown", "a/TIMEOUT.c": "hang", "a/XPASS.c": "unknown",
                          "a/UNSUPPORTED.c": "not-applicable", "a/XFAIL.c": "not-applicable"})  # fmt: skip

    def test_without_results_its_last_words_are_told(self):
        with self.assertRaisesRegex(SystemExit, "lit failed: no psutil"):
            self.verdicts("echo first; echo no psutil >&2; exit 2")


    def judge(self, *commands):
        """The verdict on commands, each with its status and what it prints, as lit's own shell shows them."""
        text = "Exit Code: 1\n--\n# RUN: at line 1\n"
        for command, status, shown in commands:
            text += f"# executed command: {command}\n" + "".join(f"# | {line}\n" for line in shown.splitlines())
            text += f"# error: command failed with exit status: {status}\n" if status else ""
        return llvm.judge("FAIL", text)

    def test_the_first_command_that_fails_says_which_kind_it_is(self):
        compiler, checker = "/usr/bin/clang++-19 -fopenmp a.cpp", "/usr/lib/llvm-19/bin/FileCheck a.cpp"
        self.assertEqual(self.judge((compiler, 1, ""))[0], kinds.NOT_COMPILED)
        self.assertEqual(self.judge((compiler, 0, ""), ("env A='b c' ./a", 0, ""), (checker, 1, ""))[0], kinds.OUTPUT)
        self.assertEqual(self.judge((compiler, 0, ""), ("env A=b ./a", -11, ""), (checker, 1, ""))[0], kinds.CRASH)
        self.assertEqual(self.judge((compiler, 0, ""), ("./a", 1, ""))[0], kinds.WRONG_VALUE)
        self.assertEqual(self.judge(("./a", -6, IN_REDUCTION)), (kinds.REFUSED, IN_REDUCTION))
        self.assertEqual(self.judge(("./a", 0, ""))[0], kinds.UNKNOWN)


def listed(text):
    """The expectations in a file of these lines."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        return expected.read(file.name, "clang-19")


class Expecting(unittest.TestCase):
    def test_a_line_has_a_name_a_kind_and_a_reason(self):
        read = listed("# comment\nminimum: 20\na.c | crash | because\nb.c | sometimes hang | so on libomp\n")
        self.assertEqual(read.minimum, 20)
        self.assertEqual(read.failures["a.c"], expected.Failure(kinds.CRASH, "because"))
        self.assertEqual(read.failures["b.c"], expected.Failure(kinds.HANG, "so on libomp", sometimes=True))
        self.assertTrue(read.allows("a.c", kinds.CRASH))
        self.assertFalse(read.allows("a.c", kinds.WRONG_VALUE))
        self.assertFalse(read.allows("c.c", kinds.CRASH))

    def test_only_hangs_that_occur_sometimes_run_beside(self):
        read = listed("minimum: 1\na.c | hang | x\nb.c | sometimes hang | x\nc.c | sometimes output | x\n")
        self.assertEqual(read.hanging(), {"b.c"})

    def test_what_is_no_such_line_is_refused(self):
        for line, said in (
            ("a.c | because", "write `test-name"),
            ("a.c | crash |", "write `test-name"),
            ("a.c | any | because", 'no kind "any"'),
            ("a.c | unknown | because", 'no kind "unknown"'),
            ("a.c | crash-here-only | because", 'no kind "crash-here-only"'),
            ("a.c | sometimes | because", 'no kind ""'),
            ("a.c | often crash | because", 'no kind "often crash"'),
            ("a.c | crash | x\na.c | hang | y", "a second line for a.c"),
            ("minimum: 0", "write `test-name"),
        ):
            with self.assertRaisesRegex(SystemExit, said):
                listed(f"minimum: 1\n{line}\n")

    def test_a_line_of_a_version_counts_for_that_version_only(self):
        read = listed("clang-19: minimum: 20\nclang-22: minimum: 30\nclang-19: a.c | crash | x\nclang-22: a.c | hang | x\n"
                      "clang-22: b.c | hang | x\nc.c:c++ | output | x\n")  # fmt: skip
        self.assertEqual(read.minimum, 20)
        self.assertEqual({name: failure.kind for name, failure in read.failures.items()}, {"a.c": kinds.CRASH, "c.c:c++": kinds.OUTPUT})

    def test_a_list_without_a_minimum_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no line `minimum: N`"):
            listed("clang-22: minimum: 1\na.c | crash | because\n")

    def test_each_list_can_be_read(self):
        for compiler in ("gcc-12", "gcc-14", "gcc-16", "clang-19", "clang-22", "libomp-19", "libomp-23"):
            self.assertGreater(expected.read(expected.list_for(compiler), compiler).minimum, 100)

    def test_a_version_without_a_list_of_its_own_has_that_of_the_others(self):
        self.assertEqual(expected.list_for("gcc-14").name, "expected-gcc-14.txt")
        self.assertEqual(expected.list_for("gcc-13").name, "expected-gcc.txt")
        self.assertEqual(expected.list_for("clang-22").name, "expected-clang.txt")
        self.assertIsNone(expected.list_for("clang-14"))


class Reporting(unittest.TestCase):
    AGAIN = ("tests/conformance/run", "--compiler", "gcc-12")

    def summary(self, verdicts, text="minimum: 1\n", whole=True):
        """(whether all is as expected, what is printed)"""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            good = report.summarize(verdicts, listed(text), self.AGAIN, whole)
        return good, printed.getvalue()

    def test_a_failure_of_the_expected_kind_is_good(self):
        failed = execute.Verdict(execute.FAIL, "SIGSEGV", kind=kinds.CRASH)
        good, said = self.summary({"a.c": failed}, "minimum: 1\na.c | crash | because\n")
        self.assertTrue(good)
        self.assertIn("FAILED a.c: crash: SIGSEGV (expected: because)", said)
        self.assertNotIn("repeat:", said)
        self.assertTrue(said.endswith("\n0 passed, 1 failed\n"))

    def test_another_kind_is_bad_and_says_how_to_repeat_it(self):
        failed = execute.Verdict(execute.FAIL, "SIGSEGV", kind=kinds.CRASH)
        good, said = self.summary({"c++/a.C": failed}, "minimum: 1\nc++/a.C | sometimes wrong-value | because\n")
        self.assertFalse(good)
        self.assertIn("ANOTHER KIND than the expected wrong-value", said)
        self.assertIn(r"repeat: tests/conformance/run --compiler gcc-12 --filter '^c\+\+/a\.C$'", said)

    def test_an_unlisted_failure_is_bad(self):
        good, said = self.summary({"a.c": execute.Verdict(execute.FAIL, kind=kinds.OUTPUT)})
        self.assertFalse(good)
        self.assertIn("FAILED a.c: output\n    repeat: ", said)

    def test_a_difference_stands_before_the_expected_failures(self):
        failed = execute.Verdict(execute.FAIL, kind=kinds.OUTPUT)
        verdicts = {"a.c": failed, "b.c": failed, "c.c": execute.Verdict(execute.PASS)}
        said = self.summary(verdicts, "minimum: 1\na.c | output | because\nc.c | crash | because\n")[1]
        self.assertLess(said.index("FAILED b.c"), said.index("PASSES NOW c.c"))
        self.assertLess(said.index("PASSES NOW c.c"), said.index("FAILED a.c"))

    def test_passing_is_bad_where_a_failure_is_expected(self):
        passed = {"a.c": execute.Verdict(execute.PASS)}
        good, said = self.summary(passed, "minimum: 1\na.c | crash | because\n")
        self.assertFalse(good)
        self.assertIn("PASSES NOW a.c", said)
        self.assertIn("repeat: ", said)
        self.assertTrue(self.summary(passed, "minimum: 1\na.c | sometimes crash | because\n")[0])

    def test_fewer_tests_than_the_minimum_are_bad(self):
        verdicts = {"a.c": execute.Verdict(execute.PASS)}
        verdicts |= {f"{i}.c": execute.Verdict(execute.NOT_APPLICABLE, "the compiler refuses it: x") for i in range(9)}
        good, said = self.summary(verdicts, "minimum: 2\n")
        self.assertFalse(good)
        self.assertIn("TOO FEW: 1 tests ran, of at least 2; 9 are not applicable, mostly: the compiler refuses it", said)
        self.assertTrue(self.summary(verdicts, "minimum: 2\n", whole=False)[0])

    def test_no_test_at_all_is_bad(self):
        for whole in (True, False):
            good, said = self.summary({}, whole=whole)
            self.assertFalse(good)
            self.assertIn("TOO FEW: 0 tests ran, of at least 1", said)

    def test_a_listed_test_that_does_not_run_is_named(self):
        verdicts = {"a.c": execute.Verdict(execute.PASS), "b.c": execute.Verdict(execute.NOT_APPLICABLE, "needs wings")}
        good, said = self.summary(verdicts, "minimum: 1\nb.c | crash | x\nc.c | newer crash | x\n")
        self.assertTrue(good)
        self.assertIn("not applicable, though its failure is listed: b.c: needs wings", said)

    def test_a_listed_test_that_the_suite_lacks_is_bad(self):
        verdicts = {"a.c": execute.Verdict(execute.PASS)}
        good, said = self.summary(verdicts, "minimum: 1\nc.c | crash | x\n")
        self.assertFalse(good)
        self.assertIn("NO SUCH TEST in the suite: c.c", said)
        self.assertTrue(self.summary(verdicts, "minimum: 1\nc.c | crash | x\n", whole=False)[0])

    def test_the_filter_of_a_repetition_matches_that_test_only(self):
        command = shlex.split(report.repeat(self.AGAIN, "libgomp.c++/a-1.C:c++"))
        self.assertTrue(re.search(command[-1], "libgomp.c++/a-1.C:c++"))
        self.assertFalse(re.search(command[-1], "libgomp.c++/a-1.C"))

    def test_a_repetition_keeps_the_other_tests_logs(self):
        with tempfile.TemporaryDirectory() as where:
            failed = execute.Verdict(execute.FAIL, kind=kinds.CRASH)
            report.write_logs(where, {"a.c": failed, "b/b.c": failed})
            report.write_logs(where, {"a.c": execute.Verdict(execute.PASS)})
            self.assertEqual(os.listdir(where), ["b_b.c.log"])


class LeftOut(unittest.TestCase):
    def left_out(self, function, *arguments):
        """Returns what a call says that leaves the run out."""
        with contextlib.redirect_stdout(io.StringIO()) as printed, self.assertRaises(SystemExit) as ended:
            function(*arguments)
        self.assertEqual(ended.exception.code, leaving.LEFT_OUT)
        return printed.getvalue()

    def test_a_compiler_that_is_not_installed(self):
        self.assertEqual(self.left_out(compilers.installed, "clang-99"), "left out: clang-99 is not installed\n")
        with mock.patch("shutil.which", lambda name: None if name.startswith("gfortran") else "/usr/bin/" + name):
            self.assertEqual(self.left_out(compilers.installed, "gcc-12"), "left out: gfortran-12 is not installed\n")

    def test_a_suite_that_is_not_installed(self):
        with mock.patch("glob.glob", lambda _pattern: []):
            self.assertRegex(self.left_out(suite._archive, "gcc-12"), "^left out: the suite is missing: .*gcc-12-source")

    def test_llvms_tests_without_lit_or_sources(self):
        self.assertRegex(self.left_out(llvm._lit, "99"), "^left out: .*lit and FileCheck.*apt-get install llvm-99-tools")
        with tempfile.TemporaryDirectory() as where, mock.patch("subprocess.run") as run:
            run.return_value = SimpleNamespace(stdout="", stderr="E: no network\n")
            self.assertEqual(self.left_out(llvm._fetch, "llvm-toolchain-99", where),
                             "left out: apt brings no source package llvm-toolchain-99: E: no network\n")  # fmt: skip

    def test_the_command_ends_with_77(self):
        command = [sys.executable, os.path.join(expected.FOLDER, "run"), "--compiler", "clang-99"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (leaving.LEFT_OUT, "left out: clang-99 is not installed\n"))


class FakeCompiler:
    """Refuses each program, or none."""

    languages = ("c",)
    identity = "fake"
    own_runtime = "libomp"
    must_build = False

    def __init__(self, refuses):
        self.refuses = refuses

    def command(self, _language, _sources, _flags, output):
        script = "echo 'a.c:1:2: error: no type omp_lock_t'; exit 1" if self.refuses else f"echo exit 0 >{output}"
        return ["/bin/sh", "-c", script]

    @staticmethod
    def lacks_atomics(_output):
        return False


class Session(unittest.TestCase):
    def setUp(self):
        self.where = self.enterContext(tempfile.TemporaryDirectory())
        self.source = os.path.join(self.where, "a.c")
        with open(self.source, "w", encoding="utf-8") as file:
            file.write("int main (void) { return 0; }\n")
        self.test = suite.Test("a.c", self.source, "c")

    def one(self, compiler, text="minimum: 1\n", ends=(), owns=()):
        """The verdict on one test, which ends on the runtime and on the compiler's own as the lists say."""
        session = cli._Session.__new__(cli._Session)
        session.listed, session.hanging = listed(text), set()
        session.compiler, session.builder = compiler, build.Builder(compiler, "fake", self.where)
        session.selectors = {"c": Selectors("c")}
        verdicts, own = iter(ends), iter(owns)
        session.executor = SimpleNamespace(run=lambda *_: next(verdicts))
        session.own = SimpleNamespace(run=lambda *_: next(own))
        return session._one(self.test)

    def test_a_header_that_no_program_compiles_with_ends_the_run(self):
        builder = build.Builder(FakeCompiler(refuses=True), "fake", self.where)
        with self.assertRaisesRegex(SystemExit, "compiles no program that takes OpenMP's header: .*no type omp_lock_t"):
            builder.check_headers()
        build.Builder(FakeCompiler(refuses=False), "fake", self.where).check_headers()

    def test_what_clang_refuses_is_not_applicable_unless_it_is_listed(self):
        verdict = self.one(FakeCompiler(refuses=True))
        self.assertEqual(verdict.status, execute.NOT_APPLICABLE)
        self.assertEqual(verdict.why, "the compiler refuses it: a.c:1:2: error: no type omp_lock_t")
        verdict = self.one(FakeCompiler(refuses=True), "minimum: 1\na.c | crash | because\n")
        self.assertEqual(verdict.kind, kinds.NOT_COMPILED)

    def test_a_refusal_is_told_from_a_lack_of_time_or_memory(self):
        self.assertEqual(build.refusal("a.c:1:2: error: no\nb\n"), "the compiler refuses it: a.c:1:2: error: no")
        self.assertIn("unknown argument: '-x'", build.refusal("clang-19: error: unknown argument: '-x'"))
        self.assertIn("the compiler crashes", build.refusal("***\nPLEASE submit a bug report to\n***\n"))
        self.assertEqual(build.refusal("x: error: unable to execute command: Killed\nPLEASE submit a bug report"), "")
        self.assertEqual(build.refusal("the compiler took more than 300 s"), "")

    def test_a_refusal_is_found_in_all_of_the_output(self):
        compiler = FakeCompiler(refuses=True)
        compiler.command = lambda *_: ["/bin/sh", "-c", "echo 'a.c:1:2: error: no'; seq 3000; exit 1"]
        self.assertEqual(self.one(compiler).why, "the compiler refuses it: a.c:1:2: error: no")

    def test_a_compiler_that_fails_without_an_error_of_the_test_has_failed(self):
        compiler = FakeCompiler(refuses=True)
        compiler.command = lambda *_: ["/bin/sh", "-c", "echo out of memory; exit 1"]
        self.assertEqual(self.one(compiler).kind, kinds.NOT_COMPILED)

    def test_an_expected_crash_has_to_occur_on_the_compilers_own_runtime(self):
        text = "minimum: 1\na.c | crash | because\n"
        crash = lambda: execute.Verdict(execute.FAIL, "SIGSEGV", kind=kinds.CRASH)
        passed = execute.Verdict(execute.PASS)
        verdict = self.one(FakeCompiler(refuses=False), text, [crash()], [passed, crash()])
        self.assertEqual((verdict.kind, verdict.why), (kinds.CRASH, "SIGSEGV; on libomp too, in try 2"))
        verdict = self.one(FakeCompiler(refuses=False), text, [crash()], [passed] * cli.CRASH_TRIES)
        self.assertEqual(verdict.kind, kinds.CRASH_HERE_ONLY)
        self.assertIn("not on libomp, in 5 tries", verdict.why)


if __name__ == "__main__":
    unittest.main()
