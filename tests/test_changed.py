#!/usr/bin/env python3
"""The choice of tests/changed: python3 tests/test_changed.py"""

import importlib.machinery
import importlib.util
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

ROOT = Path(__file__).resolve().parents[1]
loader = importlib.machinery.SourceFileLoader("changed", str(ROOT / "tests/changed"))
changed = importlib.util.module_from_spec(importlib.util.spec_from_loader("changed", loader))
loader.exec_module(changed)


def files(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout.splitlines()  # fmt: skip


class Choice(unittest.TestCase):
    def test_a_test_of_the_core_chooses_itself(self):
        steps = changed.merged(["tests/unit/deque_test.cpp"])
        self.assertEqual(steps["unit"], ["^unit_deque_test(_|$)"])
        self.assertEqual(set(steps), {"unit", "format"})

    def test_two_programs_are_one_pattern(self):
        steps = changed.merged(["tests/programs/rt_locks.c", "tests/programs/rt_cpp.cpp"])
        self.assertEqual(steps["programs"], ["^programs_rt_cpp_|^programs_rt_locks_"])

    def test_a_header_of_the_programs_chooses_all_of_them(self):
        steps = changed.merged(["tests/programs/rt_locks.c", "tests/programs/check.h"])
        self.assertEqual(steps["programs"], [])

    def test_the_core_chooses_what_runs_on_it(self):
        for path in ("src/core/deque.cpp", "src/core/room/deque.cpp", "src/abi/gnu/tasks.cpp"):
            steps = changed.merged([path])
            self.assertLessEqual({"unit", "programs", "exports", "conformance", "stress"}, set(steps))
            self.assertEqual(steps["tidy"], [path])
            self.assertEqual(steps["codegen"], [path])
            self.assertEqual(changed.within(steps)[1], {})

    def test_words_that_no_test_reads_choose_nothing(self):
        self.assertEqual(changed.merged(["CHANGELOG.md", "LICENSE"]), {})

    def test_what_does_not_fit_is_left_and_named(self):
        fit, left = changed.within({"unit": [], "model": [], "gdb": []}, 40)
        self.assertEqual((list(fit), list(left)), (["unit", "gdb"], ["model"]))

    def test_all_that_is_chosen_is_a_step(self):
        steps = set(subprocess.run([ROOT / "test", "--list"], capture_output=True, text=True,
                                   check=True).stdout.split())  # fmt: skip
        for path in files():
            for step, _ in changed.steps_of(path):
                self.assertIn(step, steps)
                self.assertIn(step, changed.SECONDS)

    def test_each_source_and_each_test_chooses_something(self):
        for path in files("src", "analysis", "tests", "include", "scripts", "cmake"):
            if not path.endswith(".md"):
                self.assertTrue(changed.steps_of(path), path)

    def test_each_single_file_fits_into_the_time(self):
        for path in files():
            self.assertEqual(changed.within(changed.merged([path]))[1], {}, path)

    def test_patterns_name_tests(self):
        names = {re.sub(r"\.\w+$", "", name.split("/")[-1]) for name in files("tests/unit/*.cpp")}
        for name in names:
            self.assertTrue(re.search(changed.merged([f"tests/unit/{name}.cpp"])["unit"][0], f"unit_{name}"))


if __name__ == "__main__":
    unittest.main()
