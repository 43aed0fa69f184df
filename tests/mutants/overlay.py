"""A copy of the source tree and its builds at no cost: an overlay at the same path, in a mount
namespace.

Changes that a command makes there are gone afterwards; the tree itself stays as it is, even if the command is killed.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MOUNT = """
set -e
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$1"
cd "$1"
shift 2
exec "$@"
"""


class Unavailable(Exception):
    """No overlay can be made here."""


class Overlay:
    """Several commands see the same changes, until close()."""

    def __init__(self):
        # Outside the tree: an overlay's upper folder may not lie in the folder that it covers.
        self.folder = Path(tempfile.mkdtemp(prefix="loomp-mutant-"))
        (self.folder / "upper").mkdir()
        (self.folder / "work").mkdir()
        self.enter = ["unshare", "--mount"] + (["--map-root-user"] if os.geteuid() != 0 else [])

    def run(self, *command, seconds=None, **more):
        """A CompletedProcess with stdout and stderr in one text; status 124 if it took too long."""
        words = [*self.enter, "bash", "-c", MOUNT, "overlay", str(ROOT), str(self.folder), *map(str, command)]
        try:
            return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=seconds, check=False, **more)  # fmt: skip
        except subprocess.TimeoutExpired as late:
            said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
            return subprocess.CompletedProcess(words, 124, said)

    def plant(self, path, old, new, line=None):
        """Replaces lines of a file, which must occur there once, or at line `line` (from 1).
        Returns the reason if it cannot."""
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        places = [i for i in range(len(lines)) if lines[i : i + len(old)] == old and line in (None, i + 1)]
        if len(places) != 1:
            return f"its lines stand {len(places)} times in {path}"
        lines[places[0] : places[0] + len(old)] = new
        changed = self.folder / "upper" / path
        changed.parent.mkdir(parents=True, exist_ok=True)
        changed.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return None

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        made = self.run("true")
        if made.returncode != 0:
            self.close()
            raise Unavailable(f"no overlay can be mounted here: {made.stdout.strip()[-200:]}")
        return self

    def __exit__(self, *_):
        self.close()
