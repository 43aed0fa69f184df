"""Which target conditions of the test-suite hold, such as `{ target { lp64 && { ! ia32 } } }`."""

import fnmatch
import platform
import re

# The features that every machine this harness supports (Linux, LP64, glibc) has. The host stands in
# for a device and shares its own memory.
ALWAYS = {
    "__float128", "alias", "c99_runtime", "fd_truncate", "fpic", "large_long_double", "lp64", "lto",
    "offload_device_shared_as", "shared", "size32plus", "sync_char_short", "sync_int_long", "tls",
    "tls_runtime", "vect_simd_clones",
}  # fmt: skip
# Devices: these are host tests. The rest: other machines, or the long form of a test.
NEVER = {
    "aarch64_tiny", "ia32", "offload_device", "offload_device_any_intel_mic",
    "offload_device_intel_mic", "offload_device_nonshared_as", "offload_device_nvptx",
    "run_expensive_tests", "skip-all-targets",
}  # fmt: skip


class Selectors:
    """Evaluates conditions for one compiler and one language (`c`, `c++` or `fortran`)."""

    def __init__(self, language, offload_targets=()):
        self.language = language
        self.offload_targets = offload_targets
        self.triplet = platform.machine() + "-pc-linux-gnu"
        self.cpu_flags = _cpu_flags()
        self.unknown = set()

    def holds(self, condition):
        """Names joined by && and ||, `!`, braces or parentheses; a plain list is 'any of'."""
        tokens = re.findall(r"&&|\|\||!|[{}()]|[^\s{}()!&|]+", condition)
        value, rest = self._any_of(tokens)
        if rest:
            raise ValueError("cannot read the condition: " + condition)
        return value

    def clause_holds(self, clause):
        """A clause of a directive: `target CONDITION`, `xfail CONDITION`, a bare condition."""
        words = clause.split(None, 1)
        if words and words[0] in ("target", "xfail"):
            return self.holds(words[1] if len(words) > 1 else "*-*-*")
        return self.holds(clause)

    def _any_of(self, tokens):
        value, tokens = self._all_of(tokens)
        while tokens and tokens[0] not in "})":
            explicit = tokens[0] == "||"
            other, tokens = self._all_of(tokens[1:] if explicit else tokens)
            value = value or other
        return value, tokens

    def _all_of(self, tokens):
        value, tokens = self._one(tokens)
        while tokens and tokens[0] == "&&":
            other, tokens = self._one(tokens[1:])
            value = value and other
        return value, tokens

    def _one(self, tokens):
        head, tokens = tokens[0], tokens[1:]
        if head == "!":
            value, tokens = self._one(tokens)
            return not value, tokens
        if head in "{(":
            value, tokens = self._any_of(tokens)
            return value, tokens[1:]
        return self._name(head), tokens

    def _name(self, name):
        if "*" in name or name.count("-") >= 2 and name not in NEVER:
            return fnmatch.fnmatch(self.triplet, name)
        if name in ("c", "c++"):
            return name == self.language
        if name in ALWAYS:
            return True
        if name in NEVER:
            return False
        if name.startswith("offload_target_"):
            wanted = name[len("offload_target_") :]
            return any(target.startswith(wanted) for target in self.offload_targets)
        if name.endswith("_runtime"):
            return name[: -len("_runtime")] in self.cpu_flags
        self.unknown.add(name)
        return False


def _cpu_flags():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            for line in info:
                if line.startswith(("flags", "Features")):
                    return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()
