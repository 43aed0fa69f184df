#!/usr/bin/env python3
"""Tests of ./test itself: its failures, and the choice of ./test --changed. python3 -B tests/runner/test_runner.py"""

import io
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from runner import changed, nightly, session, times, trees, verdict

LIMITED = ROOT / "tests/limited"
NAP = os.getpid()  # seconds that no other process sleeps


def case(name="cli_run", label="cli", tree="release", makes=False):
    return trees.Case(tree, 1, name, label, False, False, makes, ())


def passed(**more):
    return trees.Outcome(case(**more), "passed", 1.0)


def left_out(name="mpi_openmpi_calls"):
    return trees.Outcome(case(name=name), "left out", 0.1, why="no layer for Open MPI is built")


class Verdict(unittest.TestCase):
    def judge(self, outcomes, missing=(), allowed=(), whole=False):
        return verdict.judge(outcomes, missing, list(allowed), whole)

    def test_all_passed(self):
        self.assertTrue(self.judge([passed()]).well)

    def test_nothing_ran(self):
        result = self.judge([])
        self.assertEqual((result.well, result.failed, result.lines), (False, 1, ["FAIL nothing ran"]))

    def test_what_prepares_others_is_no_test(self):
        self.assertFalse(self.judge([passed(makes=True)]).well)

    def test_left_out_is_a_failure_that_says_which_and_why(self):
        result = self.judge([passed(), left_out()])
        self.assertFalse(result.well)
        self.assertEqual(result.lines, ["FAIL left out: mpi_openmpi_calls: no layer for Open MPI is built"])

    def test_left_out_with_permission(self):
        allowed = [verdict.Permission("mpi_*_calls", "reason")]
        result = self.judge([passed(), left_out()], allowed=allowed)
        self.assertTrue(result.well)
        self.assertEqual(result.lines, ["left out: mpi_*_calls, cases: 1 (permitted: reason)"])

    def test_many_left_out_with_one_permission_take_one_line(self):
        allowed = [verdict.Permission("mpi_*_calls", "reason")]
        result = self.judge([passed(), left_out(), left_out("mpi_mpich_calls")], allowed=allowed)
        self.assertEqual(result.lines, ["left out: mpi_*_calls, cases: 2 (permitted: reason)"])

    def test_the_last_lines_name_the_failures(self):
        outcome = trees.Outcome(case(), "failed", 1.0, "FAIL the sum\n  status 0\n", "failed")
        result = self.judge([outcome, passed()])
        self.assertEqual(result.lines, ["FAIL cli_run: failed; repeat: ./test cli_run", "    FAIL the sum", "      status 0"])

    def test_a_permission_that_nothing_needs(self):
        allowed = [verdict.Permission("mpi_*", "reason")]
        self.assertFalse(self.judge([passed()], allowed=allowed, whole=True).well)
        self.assertTrue(self.judge([passed()], allowed=allowed).well)

    def test_a_listed_case_that_does_not_exist(self):
        result = self.judge([passed()], missing=["unit_gone"])
        self.assertEqual((result.well, result.failed), (False, 1))

    def test_too_many_retries(self):
        outcome = passed()
        outcome.retries = ["the launcher forgets"] * (verdict.RETRIES + 1)
        self.assertFalse(self.judge([outcome]).well)
        outcome.retries.pop()
        self.assertTrue(self.judge([outcome]).well)

    def test_a_name_for_which_nothing_ran(self):
        result = self.judge([passed()])
        self.assertTrue(result.well)
        result = verdict.judge([passed()], [], [], False, unknown=["asan/no_such_case"])
        self.assertEqual((result.well, result.failed), (False, 1))

    def test_a_failure_is_told_with_what_was_printed(self):
        outcome = trees.Outcome(case(), "failed", 1.0, "FAIL the sum\n  status 0\n  stdout: 41\nchecks: 2, failed: 1\n", "failed")
        self.assertIn("          stdout: 41", list(verdict.summary_of("cli", [outcome])))

    def test_a_failure_without_a_usual_word_is_told_too(self):
        outcome = trees.Outcome(case(), "failed", 1.0, "model: spin is missing\nfailed with status 1\nrepeat: ./test cli_run\n", "failed")
        self.assertEqual(list(verdict.summary_of("cli", [outcome]))[2:], ["        model: spin is missing"])


class Sessions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.session = session.Session(logs=Path(folder.name))
        for target, attribute, value in (
            (trees, "cases", lambda tree: [case(tree=tree)]),
            (trees, "run", lambda tree, chosen, *_: [trees.Outcome(each, "passed", 1.0) for each in chosen]),
            (session.os, "setpriority", lambda *_: None),
            (session.verdict, "summary_of", lambda *_: []),
        ):
            patch = mock.patch.object(target, attribute, value)
            patch.start()
            self.addCleanup(patch.stop)

    def test_an_error_beside_the_cases_ends_the_run(self):
        self.session.build = mock.Mock(side_effect=OSError("no room"))
        with self.assertRaises(OSError):
            self.session.run(["release", "tsan", "asan"], lambda case: True)

    def test_a_listed_case_that_only_runs_at_night_is_missed(self):
        nightly = trees.Case("release", 1, "cli_run", "cli", False, True, False, ())
        with mock.patch.object(trees, "cases", lambda tree: [nightly]), \
                mock.patch.object(times, "listed", lambda: ["release"]), \
                mock.patch.object(times, "read", lambda tree: {"cli_run": ("cli", 1.0)}):  # fmt: skip
            self.assertEqual(self.session.missing(["release"]), ["cli_run"])

    def test_a_listed_tree_that_is_not_built_is_missed(self):
        with mock.patch.object(times, "listed", lambda: ["release", "gone"]), \
                mock.patch.object(times, "read", lambda tree: {"cli_run": ("cli", 1.0)}):  # fmt: skip
            self.assertEqual(self.session.missing(["release"]), ["gone/cli_run"])


class Permissions(unittest.TestCase):
    def read(self, text, here="bookworm"):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            return [each.pattern for each in verdict.permissions(Path(file.name), here)]

    def test_by_distribution(self):
        text = "# heading\na_* | why\ntrixie sid: b_c | no such package\n"
        self.assertEqual(self.read(text), ["a_*"])
        self.assertEqual(self.read(text, "sid"), ["a_*", "b_c"])

    def test_a_reason_is_due(self):
        with self.assertRaises(SystemExit):
            self.read("a_b\n")

    def test_the_committed_list(self):
        self.assertIsInstance(verdict.permissions(), list)


class Limited(unittest.TestCase):
    def limited(self, *words, patience="1"):
        done = subprocess.run([LIMITED, *words], capture_output=True, text=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "LOOMP_TEST_PATIENCE": patience})  # fmt: skip
        return done.returncode, done.stdout

    def test_the_status_is_the_commands(self):
        status, said = self.limited("release", "no_such_case", "sh", "-c", "exit 7")
        self.assertEqual(status, 7)
        self.assertIn("repeat: ./test no_such_case", said)

    def test_another_tree_is_named(self):
        self.assertIn("repeat: ./test tsan/no_such_case", self.limited("tsan", "no_such_case", "false")[1])

    def test_a_case_that_hangs_ends_with_all_its_processes(self):
        status, said = self.limited("release", "no_such_case", "sh", "-c", f"sleep 7{NAP} & sleep 6{NAP}", patience="0.01")
        self.assertEqual(status, 124)
        self.assertIn("hung: not done after", said)
        self.assertEqual(subprocess.run(["pgrep", "-f", f"sleep [67]{NAP}"], check=False).returncode, 1)

    def test_a_silent_case_that_prints(self):
        self.assertEqual(self.limited("--kind", "silent", "release", "no_such_case", "echo", "word")[0], 1)
        self.assertEqual(self.limited("--kind", "silent", "release", "no_such_case", "true")[0], 0)

    def test_googletest_without_tests(self):
        words = ("--kind", "gtest", "release", "no_such_case", "echo")
        self.assertEqual(self.limited(*words, "[==========] Running 0 tests from 0 test suites.")[0], 1)
        self.assertEqual(self.limited(*words, "[==========] Running 1 test from 1 test suite.")[0], 1)
        self.assertEqual(self.limited(*words, "[==========] Running 1 test\n[  PASSED  ] 1 test.")[0], 0)

    def test_googletest_that_ends_early_or_has_disabled_tests(self):
        words = ("--kind", "gtest", "release", "no_such_case", "echo")
        self.assertEqual(self.limited(*words, "[==========] Running 2 tests\n[ RUN      ] Deque.Empty")[0], 1)
        self.assertEqual(self.limited(*words, "[  PASSED  ] 1 test.\n\n  YOU HAVE 1 DISABLED TEST")[0], 1)

    def test_a_daemon_that_holds_the_output_is_ended(self):
        self.assertEqual(self.limited("release", "no_such_case", "sh", "-c", f"setsid sleep 5{NAP} & exit 0")[0], 0)
        self.assertEqual(subprocess.run(["pgrep", "-f", f"sleep 5{NAP}"], check=False).returncode, 1)

    def test_a_case_ends_with_what_started_it(self):
        def comes_to(there):
            for _ in range(200):
                found = subprocess.run(["pgrep", "-f", f"^sleep 4{NAP}"], stdout=subprocess.DEVNULL, check=False)
                if (found.returncode == 0) == there:
                    return True
                time.sleep(0.05)
            return False

        starter = subprocess.Popen(["sh", "-c", f"{LIMITED} release no_such_case sleep 4{NAP}; true"], stdout=subprocess.DEVNULL)
        self.assertTrue(comes_to(True))
        starter.kill()
        starter.wait()
        self.assertTrue(comes_to(False))

    def test_a_case_that_never_counts_its_checks(self):
        words = ("--kind", "checks", "release", "no_such_case", "echo")
        self.assertEqual(self.limited(*words, "checks: 3, failed: 0")[0], 0)
        self.assertEqual(self.limited(*words, "all is well")[0], 1)

    def test_too_much_output(self):
        for status in (0, 77):
            words = ("sh", "-c", f"head -c 4000000 /dev/zero; exit {status}")
            self.assertEqual(self.limited("release", "no_such_case", *words)[0], 1)

    def test_googletest_that_skips(self):
        status, said = self.limited("--kind", "gtest", "release", "no_such_case", "printf",
                                    "a_test.cpp:9: Skipped\nno second node\n\n[  PASSED  ] 0 tests.\n[  SKIPPED ] Nodes.Two (0 ms)\n")  # fmt: skip
        self.assertEqual(status, 77)
        self.assertIn("left out: Nodes.Two: no second node", said)


class ShellCases(unittest.TestCase):
    """tests/shell/lib.sh, with cases from this file."""

    def run_case(self, body):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "case.sh"
            script.write_text(f". {ROOT}/tests/shell/lib.sh\nmade={folder}\n{body}\nfinish\n", encoding="utf-8")
            done = subprocess.run(["bash", script], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout

    def test_no_check(self):
        self.assertEqual(self.run_case("true")[0], 1)

    def test_checks(self):
        self.assertEqual(self.run_case("expect one true; expect two true"), (0, "checks: 2, failed: 0\n"))
        self.assertEqual(self.run_case("expect one true; expect two false")[0], 1)

    def test_left_out(self):
        self.assertEqual(self.run_case("left_out reason; expect one true"), (77, "left out: reason\n"))

    def test_left_out_after_a_failure(self):
        self.assertEqual(self.run_case("expect one false; left_out reason")[0], 1)

    def test_a_command_that_is_missing(self):
        self.assertEqual(self.run_case("needs no-such-command; expect one true")[0], 77)

    def test_retries_are_told_and_bounded(self):
        status, said = self.run_case("expect one retry 3 why false")
        self.assertEqual((status, said.count("retried: why\n")), (1, 2))

    def test_what_is_made_once(self):
        status, said = self.run_case("make() { echo x >>thing; }; once thing make; once thing make\n"
                                     "expect one [ $(wc -l <$made/thing) -eq 1 ]")  # fmt: skip
        self.assertEqual(status, 0, said)

    def test_what_cannot_be_made(self):
        self.assertEqual(self.run_case("once thing false; expect one true")[0], 1)


    def test_a_case_that_exits(self):
        self.assertEqual(self.run_case("expect one true; exit 0")[0], 1)

    def test_checks_in_subshells_and_pipelines(self):
        self.assertEqual(self.run_case("expect one true; (expect two false)")[0], 1)
        self.assertEqual(self.run_case("expect one true; echo | expect two false")[0], 1)
        self.assertEqual(self.run_case("expect one true; echo | (left_out reason)")[0], 1)
        self.assertEqual(self.run_case("(expect one false); left_out reason")[0], 1)
        self.assertEqual(self.run_case("expect one true; made=$(once thing false)")[0], 1)

    def test_a_check_that_always_succeeds(self):
        self.assertEqual(self.run_case("expect one run false")[0], 1)


class PythonCases(unittest.TestCase):
    """tests/python_cases.py, with a suite from this file."""

    def run_case(self, body):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "cases.py").write_text(f"import sys\ndef case_one(check):\n    {body}\n", encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", ROOT / "tests/python_cases.py", folder, folder, "one"],
                                  capture_output=True, text=True, check=False)  # fmt: skip
            return done.returncode

    def test_checks(self):
        self.assertEqual(self.run_case("check.expect('one', True)"), 0)
        self.assertEqual(self.run_case("check.expect('one', False)"), 1)
        self.assertEqual(self.run_case("pass"), 1)

    def test_a_case_that_exits(self):
        self.assertEqual(self.run_case("check.expect('one', True); sys.exit(0)"), 1)

    def test_a_check_that_always_succeeds(self):
        self.assertEqual(self.run_case("check.expect('one', sys.exit)"), 1)


class CasesOfASuite(unittest.TestCase):
    """loomp_add_suite() of tests/cases.cmake, with a suite from this file."""

    def configure(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "one").mkdir()
            (Path(folder) / "one/cases.sh").write_text(text, encoding="utf-8")
            (Path(folder) / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(one NONE)\nenable_testing()\n"
                f"include({ROOT}/tests/cases.cmake)\nset(LOOMP_TESTS {folder})\nloomp_add_suite(one)\n", encoding="utf-8")  # fmt: skip
            done = subprocess.run(["cmake", "-S", folder, "-B", f"{folder}/build"], capture_output=True, text=True, check=False)
            cases = (Path(folder) / "build/CTestTestfile.cmake")
            return done.returncode, re.findall(r"^add_test\(\[=\[(\w+)", cases.read_text(), re.MULTILINE) if cases.exists() else []

    def test_each_case_is_known(self):
        status, cases = self.configure("case_one() {\n    [ a = a\n}\n# each: left right\ncase_two() { true; }\n")
        self.assertEqual((status, cases), (0, ["one_prepare", "one_one", "one_left_two", "one_right_two"]))

    def test_a_case_in_another_form_is_refused(self):
        for line in ("case_one(){", "function case_one {", "case_one ()", "case_é() {"):
            self.assertNotEqual(self.configure(f"case_two() {{ true; }}\n{line}\n}}\n")[0], 0, line)


def files(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout.splitlines()  # fmt: skip


class Changed(unittest.TestCase):
    listed = times.read("release")

    def test_a_test_of_the_core_chooses_itself(self):
        steps = changed.merged(["runtime/core/queues/deque_test.cpp"])
        self.assertEqual(steps["unit"], "^unit_deque_test(_|$)")
        self.assertEqual(set(steps), {"unit", "format", "layers"})

    def test_two_programs_are_one_pattern(self):
        steps = changed.merged(["tests/programs/rt_locks.c", "tests/programs/rt_cpp.cpp"])
        self.assertEqual(steps["programs"], "^programs_rt_cpp_|^programs_rt_locks_")

    def test_a_header_of_the_programs_chooses_all_of_them(self):
        self.assertEqual(changed.merged(["tests/programs/rt_locks.c", "tests/programs/check.h"])["programs"], "")

    def test_the_core_chooses_what_runs_on_it(self):
        for path in ("platform/futex.cpp", "runtime/core/queues/deque.cpp", "runtime/abi/gnu/tasks.cpp"):
            steps = changed.merged([path])
            self.assertLessEqual({"unit", "programs", "exports", "conformance", "stress", "tidy", "codegen"}, set(steps))

    def test_words_that_no_test_reads_choose_nothing(self):
        self.assertEqual(changed.merged(["CHANGELOG.md", "LICENSE"]), {})

    def test_what_does_not_fit_is_left_and_named(self):
        listed = {"unit_a": ("unit", 20), "unit_b": ("unit", 20), "model_a": ("model", 30)}
        self.assertEqual(changed.within({"unit": "", "model": ""}, [], listed, 50), ({"model": ""}, ["unit"]))
        self.assertEqual(changed.within({"unit": "_a", "model": ""}, [], listed, 50)[1], [])

    def test_all_that_is_chosen_is_a_step(self):
        steps = {step for step, _ in self.listed.values()}
        for path in files():
            for step, pattern in changed.steps_of(path):
                self.assertIn(step, steps)
                self.assertTrue(any(of == step and re.search(pattern, name) for name, (of, _) in self.listed.items()),
                                f"{path}: {step} {pattern}")  # fmt: skip

    def test_each_source_and_each_test_chooses_something(self):
        for path in files("platform", "runtime", "mpi", "profiler", "cli", "tests", "include", "scripts", "cmake"):
            if not path.endswith(".md"):
                self.assertTrue(changed.steps_of(path), path)


class Nightly(unittest.TestCase):
    def test_a_tree_that_does_not_build_is_a_failure(self):
        session = mock.Mock(failed_builds=set(), outcomes=[])
        session.build.side_effect = session.failed_builds.add
        with mock.patch.object(nightly.trees, "TREES", ["ubsan"]), mock.patch.object(nightly, "load", return_value={}), \
             redirect_stdout(io.StringIO()) as said:  # fmt: skip
            self.assertEqual(nightly.run(session, 1, False), 1)
        session.build.assert_called_once_with("ubsan")
        self.assertIn("FAIL ubsan: it does not build", said.getvalue())

    def night(self, ends, state=None, minutes=1):
        """(status, names that ran together, state afterwards); `ends` defines how each case of one
        suite ends."""
        cases = [trees.Case("release", 1, name, "mpi", False, True, False, ("mpi",)) for name in ends]
        saved, ran = {}, []
        running = mock.Mock(failed_builds=set(), outcomes=[], logs=Path(tempfile.gettempdir()))
        running.report.side_effect = lambda _, outcomes: running.outcomes.extend(outcomes)

        def run(_, chosen, log):
            ran.append([case.name for case in chosen])
            return [trees.Outcome(case, ends[case.name], 1.0, why="no layer") for case in chosen]

        with mock.patch.object(nightly.trees, "TREES", ["release"]), mock.patch.object(nightly.trees, "cases", lambda _: cases), \
                mock.patch.object(nightly.trees, "run", run), mock.patch.object(Path, "exists", lambda _: True), \
                mock.patch.object(nightly, "load", return_value=dict(state or {})), \
                mock.patch.object(nightly, "save", lambda _, now: saved.update(now)), \
                redirect_stdout(io.StringIO()):  # fmt: skip
            return nightly.run(running, minutes, False), ran, saved

    def test_cases_of_a_suite_run_together(self):
        status, ran, _ = self.night({"mpi_a": "passed", "mpi_b": "passed"})
        self.assertEqual((status, ran), (0, [["mpi_a", "mpi_b"]]))

    def test_only_what_has_not_passed_is_repeated(self):
        done = {"mpi_a": {"state": "passed", "seconds": 1.0, "why": ""}}
        status, ran, _ = self.night({"mpi_a": "passed", "mpi_b": "failed"}, done)
        self.assertEqual((status, ran), (1, [["mpi_b"]]))

    def test_a_case_that_is_left_out_without_permission_has_failed_also_later(self):
        status, _, state = self.night({"mpi_a": "passed", "mpi_b": "left out"})
        self.assertEqual((status, state["mpi_b"]["state"]), (1, "failed"))
        self.assertEqual(self.night({"mpi_a": "passed", "mpi_b": "left out"}, state, minutes=0)[0], 1)


if __name__ == "__main__":
    unittest.main()
