#!/usr/bin/env python3
"""The messages of scripts/distributions if no root can be made. apt and debootstrap are stand-ins:
nothing is fetched."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "scripts/distributions"


class Distributions(unittest.TestCase):
    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.tree / "scripts").mkdir()
        shutil.copy(SCRIPT, self.tree / "scripts")
        shutil.copy(SCRIPT.with_name("help.sh"), self.tree / "scripts")
        # A user who is root, and may mount.
        self.stand_in("id", "echo 0")
        self.stand_in("unshare", "true")
        self.stand_in("debootstrap", "echo 'I: Retrieving InRelease'; echo \"E: no $3 at $5\"; exit 1")

    def stand_in(self, name, text):
        folder = self.tree / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)

    def apt_has(self, **archives):
        """An apt-get whose lists have these archives, by label."""
        lines = "".join(f"    *'Label: {label.replace('_', '-')}') echo {uri} ;;\n" for label, uri in archives.items())
        self.stand_in("apt-get", f'case "$*" in\n{lines}esac')

    def said(self, *suites):
        done = subprocess.run(["scripts/distributions", *suites], cwd=self.tree, capture_output=True, text=True,
                              env={"PATH": f"{self.tree}/bin:/usr/bin:/bin"}, check=False)
        self.assertEqual(done.stdout, "")
        return done.returncode, done.stderr

    def test_no_archive(self):
        self.apt_has()
        self.assertEqual(self.said("13"), (77, "loomp: distributions: apt has no archive of Debian by http or https: name "
                                           "one in /etc/apt/sources.list\n"))

    def test_an_archive_that_a_root_does_not_reach_is_none(self):
        self.apt_has(Debian="file:/media/debian/")
        status, words = self.said("13")
        self.assertEqual(status, 77)
        self.assertIn("no archive of Debian", words)

    def test_the_archive_of_apt_is_taken_and_lacks_the_suite(self):
        self.apt_has(Debian="http://archive.invalid/debian/")
        self.assertEqual(self.said("sid"), (77, "loomp: sid: no root could be made from http://archive.invalid/debian/: "
                                            "E: no sid at http://archive.invalid/debian/; see "
                                            f"{self.tree}/build/logs/distribution-sid.log\n"))

    def test_no_such_suite(self):
        self.assertEqual(self.said("11"), (2, 'loomp: distributions: no suite "11": expected 12, 13, unstable, bookworm, '
                                           "trixie or sid\n"))

    def test_no_right_to_mount(self):
        self.apt_has(Debian="http://archive.invalid/debian/")
        self.stand_in("unshare", "false")
        self.assertEqual(self.said("13"), (77, "loomp: distributions: this container may not mount; start it with "
                                           "CAP_SYS_ADMIN, or use the machine itself\n"))


if __name__ == "__main__":
    unittest.main()
