"""One line that says where a long job is, rewritten in place on a terminal, else one line a step."""

import sys
import time


class Progress:
    def __init__(self, total):
        self._total = total
        self._done = 0
        self._start = time.monotonic()
        self._terminal = sys.stderr.isatty()
        self._last = ""

    def step(self, what, count=1):
        """Says what starts now; `count` steps will then have been done."""
        if self._terminal or what != self._last:
            elapsed = time.monotonic() - self._start
            line = f"[{100 * self._done // self._total:3d} %, {elapsed:3.0f} s] {what}"
            print(f"\r\033[K{line}" if self._terminal else line, end="" if self._terminal else "\n",
                  file=sys.stderr, flush=True)
        self._last = what
        self._done += count

    def clear(self):
        if self._terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
