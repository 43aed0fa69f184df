"""Runs benchmark programs, handles runtimes that crash or hang, and collects the samples."""

import json
import os
import selectors
import signal
import subprocess
import time

from .build import note


class WrongRuntime(Exception):
    pass


def list_cases(program, setup):
    """The cases of a program, by name; none if it does not even start on this runtime."""
    env = setup.environment(1, {})
    out = subprocess.run([program, "--list"], env=env, capture_output=True, text=True)
    cases = [json.loads(line) for line in out.stdout.splitlines()]
    return {case["case"]: case for case in cases}


def run_cases(program, cases, setup, env, options, patience):
    """Runs `cases` in one process. Returns their results by name, and an error, if any: (the case,
    how). A case that prints nothing for `patience` seconds hangs."""
    command = [str(program), *options, *(case.split("/")[1] for case in cases)]
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    results, rest, hung = {}, b"", False
    errors = b""
    deadline = time.monotonic() + patience
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stderr, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0, deadline - time.monotonic()))
            if not ready:
                hung = True
                os.killpg(process.pid, signal.SIGKILL)
                break
            for key, _ in ready:
                data = os.read(key.fd, 65536)
                if not data:
                    selector.unregister(key.fileobj)
                elif key.fileobj is process.stderr:
                    errors = (errors + data)[-2000:]
                else:
                    *lines, rest = (rest + data).split(b"\n")
                    for line in lines:
                        result = json.loads(line)
                        results[result["case"]] = result
                        deadline = time.monotonic() + patience
    code = process.wait()
    process.stdout.close()
    process.stderr.close()
    for result in results.values():
        if not setup.is_loaded(result["runtime"]):
            raise WrongRuntime(f"{setup.name}: {result['runtime']} was loaded, not {setup.library}")
    left = [case for case in cases if case not in results]
    if not hung and code == 0:
        return results, None
    how = f"hangs (nothing for {patience:g} s)" if hung else describe_exit(code)
    last = errors.decode(errors="replace").strip().splitlines()
    how += f": {last[-1]}" if last else ""
    return results, (left[0] if left else cases[-1], how)


def describe_exit(code):
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit status {code}"


def call(label, command, env, patience):
    """The finished process, or None after a line that says how it failed."""
    try:
        done = subprocess.run([str(word) for word in command], env=env, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        note(f"{label} hangs (stopped after {patience} s)")
        return None
    if done.returncode != 0:
        note(f"{label}: {describe_exit(done.returncode)}: {done.stderr.strip()}")
        return None
    return done


class Campaign:
    """All repetitions of all cases on all setups. `samples[case, threads, setup]` is a list of the
    processes' medians, `floors` of their minima; `failures` has the reasons for missing ones."""

    def __init__(self, programs, plan, options, extra_env, patience):
        self.programs = programs  # (subject, compiler name) -> path
        self.plan = plan  # subject -> setup -> names of cases
        self.options = options
        self.extra_env = extra_env
        self.patience = patience
        self.samples = {}
        self.floors = {}
        self.failures = {}

    def run(self, threads, reps, progress):
        # Repetitions are the outer loop and setups the inner one (A B C, A B C, ...), so that
        # disturbances affect all runtimes alike.
        for rep in range(reps):
            for count in threads:
                for subject, setups in self.plan.items():
                    progress(f"repetition {rep + 1} of {reps}, {count} threads, {subject}")
                    for setup, cases in setups.items():
                        self._run_one(subject, setup, cases, count)

    def _run_one(self, subject, setup, cases, threads):
        program = self.programs[subject, setup.compiler.name]
        env = setup.environment(threads, self.extra_env)
        todo = [case for case in cases if (case, threads, setup.name) not in self.failures]
        while todo:
            results, failure = run_cases(program, todo, setup, env, self.options, self.patience)
            for name, result in results.items():
                key = (name, threads, setup.name)
                self.samples.setdefault(key, []).append(result["ns"])
                self.floors.setdefault(key, []).append(result["min"])
            if not failure:
                return
            case, how = failure
            self.failures[case, threads, setup.name] = how
            note(f"{setup.name}, {threads} threads: {case} {how}")
            todo = todo[todo.index(case) + 1 :]
