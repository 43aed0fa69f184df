#!/usr/bin/env python3
"""Each command of the repository answers --help at once, before it builds or installs anything, and gives an example."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[1]
NO_WORDS = {"scripts/check-layers"}
BUILDERS = ("cmake", "ninja", "apt-get", "sudo", "debootstrap", "unshare")


def commands():
    """The executables of the root, of bench and of scripts."""
    folders = (ROOT, ROOT / "bench", ROOT / "bench/cluster", ROOT / "bench/offload", ROOT / "scripts")
    found = [path for folder in folders for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK)]
    return sorted({str(path.relative_to(ROOT)) for path in found} - NO_WORDS)


class Help(unittest.TestCase):
    def test_each_command_answers_with_an_example(self):
        self.assertIn("demo", commands())
        with tempfile.TemporaryDirectory() as folder:
            called = Path(folder, "called")
            for name in BUILDERS:
                path = Path(folder, name)
                path.write_text(f"#!/bin/sh\necho {name} >>{called}\nexit 1\n")
                path.chmod(0o755)
            for name in commands():
                with self.subTest(name):
                    self.check(name, {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            self.assertFalse(called.exists(), "something was installed or built")

    def check(self, name, environment):
        done = subprocess.run([ROOT / name, "--help"], cwd="/", env=environment, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=20, check=False)  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(" ".join(done.stdout.split()), f"Example: {name if '/' in name else './' + name}( |$)")
        self.assertNotEqual(done.stdout[:1], "#", "the marks of comments are left")


if __name__ == "__main__":
    unittest.main()
