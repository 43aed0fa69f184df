"""Runs one case of a suite in Python: python3 -B tests/python_cases.py BUILD_DIR SUITE CASE [WORD]

tests/SUITE/cases.py has a function case_NAME(check) for each case, and may have prepare(check), which runs before the
cases and fills the folder that they share. `check` is a Check. A case runs in an empty folder.
"""

import fcntl
import importlib.util
import os
import shutil
import sys
import tempfile
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = 77
SETTINGS = ("LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH", "VIRTUAL_ENV")


class LeftOut(BaseException):  # not caught by `except Exception`
    """The case cannot run here."""


class Check:
    """Counts the checks of one case.

    build: the build's folder. scratch: an empty folder, the current one. made: BUILD_DIR/made/SUITE, which the
    suite's cases share. word: the case's word, if it has one.
    """

    def __init__(self, build, suite, scratch, word=None):
        self.build = build
        self.made = build / "made" / suite
        self.scratch = scratch
        self.word = word
        self.passed = self.failed = 0

    def expect(self, what, condition, seen=""):
        if callable(condition) or isinstance(condition, (tuple, types.GeneratorType)):
            raise TypeError(f"{what}: {condition!r} is true always")
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {what}: {seen}", flush=True)
        return bool(condition)

    def once(self, name, make):
        """The path of made/NAME, which make(path) makes unless another case has made it."""
        path, making = self.made / name, self.made / f"{name}.making"
        with open(self.made / f".lock.{name}", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                if making.is_dir():
                    shutil.rmtree(making)
                make(making)
                making.rename(path)
        return path

    @staticmethod
    def left_out(why):
        raise LeftOut(why)


def load(suite):
    path = ROOT / "tests" / suite / "cases.py"
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(f"{suite}_cases", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(build, suite, case, word=None):
    build = Path(build).resolve()
    for name in list(os.environ):
        if name.startswith(("OMP_", "LOOMP_", "KMP_", "GOMP_")) or name in SETTINGS:
            del os.environ[name]
    with tempfile.TemporaryDirectory(prefix=f"loomp-{Path(suite).name}-") as scratch:
        check = Check(build, suite, Path(scratch), word)
        os.chdir(scratch)
        try:
            module = load(suite)
            if case == "prepare":
                shutil.rmtree(check.made, ignore_errors=True)
                check.made.mkdir(parents=True)
                getattr(module, "prepare", lambda check: None)(check)
                check.expect("the suite's folder is made", check.made.is_dir())
            else:
                check.made.mkdir(parents=True, exist_ok=True)
                getattr(module, f"case_{case}")(check)
        except SystemExit as end:
            check.expect("the case gets to its end", False, f"exit {end.code}")
        except LeftOut as why:
            print(f"left out: {why}")
            if not check.failed:
                return LEFT_OUT
        finally:
            os.chdir("/")
    print(f"checks: {check.passed + check.failed}, failed: {check.failed}")
    if check.passed + check.failed == 0:
        print("FAIL no check ran")
        return 1
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
