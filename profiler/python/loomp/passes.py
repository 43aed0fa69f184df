"""Analyses that build on each other, each run once, in an order that their needs allow."""
import graphlib
import inspect

from . import _native


class Passes:
    """Functions of a trace. A parameter after the first is the name of another pass, whose result it gets:

        passes = loomp.Passes()

        @passes.add
        def idle(trace, breakdown):
            return breakdown["idle"].sum()

        results = passes.run(trace, "idle")     # {"breakdown": ..., "idle": ...}

    loomp's metrics that take only a trace are predefined, and so are graph and critical_path.
    """

    def __init__(self):
        self._functions = {}
        self._needs = {}
        for name in ("breakdown", "code", "discovery", "function_table", "graph", "iterations", "kind_table"):
            function = getattr(_native, name)
            self.add(lambda trace, function=function: function(trace), name=name, needs=())
        self.add(lambda trace, graph: _native.critical_path(graph), name="critical_path", needs=("graph",))

    def add(self, function=None, *, name=None, needs=None):
        """Registers a pass, which replaces one with its name. `needs` is read from its parameters.

        Also a decorator, with and without arguments.
        """
        if function is None:
            return lambda given: self.add(given, name=name, needs=needs)
        name = name or function.__name__
        if needs is None:
            needs = list(inspect.signature(function).parameters)[1:]
        self._functions[name] = function
        self._needs[name] = tuple(needs)
        return function

    def order(self, *names):
        """The order in which these passes (default: all) and their needs must run."""
        sorter = graphlib.TopologicalSorter()
        wanted = list(names or self._functions)
        seen = set()
        while wanted:
            name = wanted.pop()
            if name in seen:
                continue
            seen.add(name)
            if name not in self._functions:
                users = sorted(user for user, needs in self._needs.items() if name in needs)
                raise KeyError(f"no pass {name!r}" + (f", which {', '.join(users)} needs" if users else ""))
            sorter.add(name, *self._needs[name])
            wanted.extend(self._needs[name])
        try:
            return list(sorter.static_order())
        except graphlib.CycleError as cycle:
            raise ValueError("passes that need each other: " + " -> ".join(cycle.args[1])) from None

    def run(self, trace, *names):
        """Runs these passes (default: all) and those that they need, and returns the results by
        name."""
        results = {}
        for name in self.order(*names):
            results[name] = self._functions[name](trace, *(results[need] for need in self._needs[name]))
        return results
