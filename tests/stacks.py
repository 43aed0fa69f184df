"""The processes below one, and where their threads stand: for tests that run into their limit."""

import os
import re
import shutil
import signal
import subprocess

FRAME = re.compile(r"^#\d+\s+(?:0x[0-9a-f]+ in )?(.+?) \(")
FRAMES_TOLD = 8
SECONDS = 60


def descendants(pid):
    """`pid` and the living processes below it."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            # The first thread of a process may be a zombie while others go on.
            if fields[0] != b"Z" or int(fields[17]) > 1:
                parents[int(entry)] = int(fields[1])
    found = [pid]
    for above in found:
        found += [process for process, parent in parents.items() if parent == above]
    return found


def kill(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def of_process(pid):
    """A line for each thread of `pid` and of its children: `hung: PID THREAD: inner < outer < ...`"""
    if shutil.which("gdb") is None:
        return "hung: no stacks: gdb is not installed"
    return "\n".join(line for process in descendants(pid) for line in _of_one(process))


def _of_one(pid):
    command = ["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "thread apply all bt 24"]
    try:
        told = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        yield f"hung: {pid}: no stacks: gdb took more than {SECONDS} s"
        return
    threads = re.split(r"^Thread (\d+) .*$", told.stdout, flags=re.MULTILINE)[1:]
    if not threads:
        yield f"hung: {pid}: no stacks: gdb said: {told.stderr.strip()[-300:]}"
    for number, stack in zip(threads[::2], threads[1::2]):
        yield f"hung: {pid} {number}: {' < '.join(_names(stack)[:FRAMES_TOLD])}"


def _names(stack):
    frames = (FRAME.match(line) for line in stack.splitlines())
    names = (_short(frame.group(1)) for frame in frames if frame)
    return [name for name in names if name]


def _short(name):
    """Without namespaces and template arguments, which make a line of eight frames unreadable."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    return name.replace("(anonymous namespace)::", "").replace("loomp::core::", "")
