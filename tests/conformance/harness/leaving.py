"""A run that is not possible here is left out, and says so: the caller decides whether that may
be."""

import sys

LEFT_OUT = 77  # the exit status; ctest, too, can be given it as that of a test that is skipped


def left_out(why):
    print(f"left out: {why}", flush=True)
    sys.exit(LEFT_OUT)


def last_line(text):
    """Returns what a command says last, which mostly is why it failed."""
    return (text.strip().splitlines() or ["it says nothing"])[-1]
