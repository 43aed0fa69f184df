"""Small OpenMP programs drawn from a seed, and the values that each must compute.

A program is a C function of nested constructs. Its leaves increment counters, and it checks each counter where the
standard says that all increments have happened. So the generator knows each value: while it writes a construct, it
counts the executions of all that is within. A count is an expression of C and of Python in T, the value of
OMP_NUM_THREADS, such as "4*T".

Each statement has a path, and draws from a random source of its own: without one statement, the others stay as they
were. A new construct is a function with @construct that writes its text and returns what it counts: {counter: count}.
"""

import random
from dataclasses import dataclass, replace

DEEPEST = 5  # nested statements
MOST_EXECUTIONS = 150  # of one statement, with 4 threads
MOST_LEVELS = 2  # nested parallel regions
WORD = 1 << 64


def number(expression, threads):
    names = {"T": threads, "power": lambda base, n: pow(base, n, WORD), "pick": lambda n, yes, no: yes if n else no}
    return eval(expression, names) % WORD  # our own expressions


def times(*factors):
    """The product of counts."""
    constant, others = 1, []
    for factor in map(str, factors):
        if factor.isdigit():
            constant *= int(factor)
        else:
            others.append(factor if "+" not in factor else f"({factor})")
    return str(constant) if constant == 0 or not others else "*".join([str(constant)] * (constant != 1) + others)


def plus(*terms):
    constant = sum(int(term) for term in terms if term.isdigit())
    others = [term for term in terms if not term.isdigit()]
    return "+".join(others + [str(constant)] * (constant != 0 or not others))


def merged(*counts):
    found = {}
    for count in counts:
        for name, value in count.items():
            found[name] = plus(found[name], value) if name in found else value
    return found


@dataclass(frozen=True)
class Reduction:
    """A kind of reduction; {v} is the variable, {n} the number of updates."""

    operator: str
    declaration: str
    update: str
    want: str
    item: str = "{v}"
    got: str = "{v}"


REDUCTIONS = [
    Reduction("+", "long {v} = 5;", "{v} += 3;", "5+3*({n})"),
    Reduction("+", "unsigned {v} = 5;", "{v}++;", "5+({n})"),
    Reduction("+", "double {v} = 5;", "{v} += 2;", "5+2*({n})", got="(long){v}"),
    Reduction("*", "unsigned long {v} = 5;", "{v} *= 3;", "5*power(3, {n})"),
    Reduction("^", "int {v} = 4;", "{v} ^= 1;", "4+({n})%2"),
    Reduction("|", "short {v} = 4;", "{v} |= 1;", "pick({n}, 5, 4)"),
    Reduction("max", "long {v} = 4;", "if ({v} < 9) {v} = 9;", "pick({n}, 9, 4)"),
    Reduction("min", "double {v} = 9;", "if ({v} > 4) {v} = 4;", "pick({n}, 4, 9)", got="(long){v}"),
    Reduction("&&", "int {v} = 1;", "{v} = {v} && 0;", "pick({n}, 0, 1)"),
    Reduction("+", "long {v}[3] = {{0, 5, 0}};", "{v}[1] += 3;", "5+3*({n})", "{v}[0:3]", "{v}[1]"),
    Reduction("pairs", "struct pair {v} = {{0, 5}};", "{v}.n += 3;", "5+3*({n})", got="{v}.n"),
]


@dataclass(frozen=True)
class Variable:
    """A variable in a reduction."""

    name: str
    kind: Reduction

    def text(self, template, **more):
        return template.format(v=self.name, **more)

    def clause(self, word):
        return f" {word}{self.kind.operator}: {self.text(self.kind.item)})"


@dataclass(frozen=True)
class Context:
    """The place of a statement."""

    sink: str  # the counter that the leaves increment: a pointer
    outer: list  # declarations that go before the innermost parallel region
    team: bool = True  # all threads of the team execute it, so it may share work and have barriers
    each: str = "1"  # threads that execute it together: the team's size, or 1
    joint: str = "1"  # how often they do
    depth: int = 0
    level: int = 0  # parallel regions around it
    size: str = "1"  # the team's
    threads: str = "T"  # a further region's, if no clause says otherwise
    final: bool = False
    tied: bool = True
    joins: bool = False  # each task waits for its children
    grouped: bool = False  # a taskgroup is around the task
    repeated: bool = False  # a loop of the same threads is around it
    counted: bool = True  # it is known how often it is executed
    known: bool = True  # what it starts is completed: False if it can be cancelled
    cancels: bool = False  # regions other than taskgroups are cancelled
    cancellable: bool = False  # a parallel construct around it has a cancel construct
    mine: tuple = ()  # reduction variables with a copy of this task's
    shared: tuple = ()  # those in which its child tasks can take part

    def executions(self):
        return times(self.joint, self.each)

    def alone(self, n=1, **more):
        """Within a construct of which one thread executes each of n parts."""
        return replace(self, **{"team": False, "each": "1", "joint": times(self.joint, n), "depth": self.depth + 1, **more})

    def task(self, n=1, **more):
        """Within n tasks that each thread creates."""
        return self.alone(times(n, self.each), **{"mine": (), "shared": (), **more})


CONSTRUCTS = []
WITHOUT = set()  # the names of constructs that no program has


def construct(weight, permitted=lambda c: True):
    def add(function):
        CONSTRUCTS.append((function, weight, permitted))
        return function

    return add


class Program:
    def __init__(self, seed, number, dropped=frozenset()):
        self.seed, self.number, self.dropped = seed, number, dropped
        self.lines, self.sites, self.paths, self.names, self.indent = [], [], [], 0, 1
        self.exclusion = {"junk": "atomic"}
        self.excuses, self.miscompiled = {}, set()
        outer = []
        c = Context(sink="junk", outer=outer, cancels=number % 3 == 0)
        for part in range(2):
            phase(self, c, self.random(f"{part}"), f"{part}")
        self.lines[:0] = [f"    {line}" for line in outer]

    def random(self, path):
        return random.Random(f"{self.seed} {self.number} {path}")

    def text(self):
        return "\n".join([f"static void program_{self.number}(void)", "{", *self.lines, "}", ""])

    def expected(self, threads):
        """The sums that it prints."""
        return [number(times(often, f"({want})"), threads) for often, want in self.sites]

    def put(self, *lines):
        self.lines += ["    " * self.indent + line for line in lines]

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def counter(self, r):
        """(the name of a counter, its declaration)"""
        name = self.name("n")
        self.exclusion[name] = r.choice(["atomic", "atomic", "critical", "critical(name)", "lock"])
        return name, f"long {name}_ = 0, *{name} = &{name}_;"

    def check(self, c, got, want):
        """Writes a check, unless the value may be unfinished."""
        if c.known:
            if c.counted:
                self.sites.append((c.executions(), want))
            self.put(f"check({len(self.sites) - 1 if c.counted else -1}, {got}, {want});")

    def excused(self, compiler, why):
        """Makes the program one that the compiler's own runtime does not run, for it has this fault."""
        self.excuses[compiler] = why
        return True

    def taskgroup_breaks(self, c, r):
        """clang 19 miscompiles a taskgroup in an untied task: its variables, and the number of its thread, are lost at each
        switch. Returns True if there is to be no taskgroup."""
        if not c.tied and r.random() < 0.1:
            self.miscompiled.add("clang")
            return False
        return not c.tied

    def braces(self):
        return Braces(self)

    def statement(self, c, path):
        if path in self.dropped:
            return {}
        self.paths.append(path)
        r = self.random(path)
        if c.depth >= DEEPEST or number(c.executions(), 4) > MOST_EXECUTIONS:
            return leaf(self, c, r, path)
        possible = [(function, weight) for function, weight, permitted in CONSTRUCTS
                    if permitted(c) and function.__name__ not in WITHOUT]  # fmt: skip
        chosen = r.choices([function for function, _ in possible], [weight for _, weight in possible])[0]
        return chosen(self, c, r, path)

    def block(self, c, path, most=3):
        count = self.random(f"{path} length").randint(1, max(1, most - c.depth // 2))
        return merged(*[self.statement(c, f"{path}.{i}") for i in range(count)])


class Braces:
    def __init__(self, program):
        self.program = program

    def __enter__(self):
        self.program.put("{")
        self.program.indent += 1

    def __exit__(self, *_):
        self.program.indent -= 1
        self.program.put("}")


def new_variable(p, c, r):
    """clang's untied tasks crash if they have arrays."""
    kinds = REDUCTIONS if c.tied and not c.team else [kind for kind in REDUCTIONS if "[" not in kind.declaration]
    variable = Variable(p.name("r"), r.choice(kinds))
    return variable, variable.text(variable.kind.declaration)


def check_variable(p, c, variable, counts):
    """Checks a variable after its reduction, and takes it out of the counts."""
    kind = variable.kind
    p.check(c, variable.text(kind.got), variable.text(kind.want, n=counts.pop(variable.name, "0")))


def with_regions(c):
    return c.level < MOST_LEVELS


def can_cancel_parallel(c):
    """gcc 12 crashes if two parallel constructs that can be cancelled are nested, clang 19 if one is in an untied task."""
    return not c.cancellable and c.tied


def may_wait_for_others(c):
    """The team's threads certainly meet there."""
    return c.team and c.known


def in_region(p, c, r):
    """True if the context is in a parallel region; perhaps otherwise."""
    if c.level == 0 and r.random() < 0.03:
        p.excused("clang", "a failed assertion after an event outside of parallel regions")
        return p.excused("gcc", "events and reductions of tasks outside of parallel regions make tasks forget their parents")
    return c.level > 0


def may_fulfil_later(c):
    """gcc's library waits for the event in the construct if the task is included, or no parallel region is around it."""
    return c.known and not c.final and c.level > 0


def fulfilled_by_child(p, r):
    """True if a child of the detached task may fulfil the event."""
    return r.random() < 0.2 and p.excused("gcc", "a taskwait does not run the children of its children")


# Leaves


@construct(5)
def leaf(p, c, r, path):
    if c.mine and r.random() < 0.7:
        variable = r.choice(c.mine)
        p.put(variable.text(variable.kind.update))
        return {variable.name: c.each}
    weight = r.randint(1, 3)
    increment = f"*{c.sink} += {weight};"
    if p.exclusion[c.sink] == "lock":
        p.put("omp_set_lock(&lock);", increment, "omp_unset_lock(&lock);")
    else:
        p.put(f"#pragma omp {p.exclusion[c.sink]}", increment)
    return {c.sink: times(c.each, weight)}


@construct(1)
def delay(p, c, r, path):
    p.put(r.choice(["#pragma omp taskyield", f"work({r.randint(1, 100)});"]))
    return {}


@construct(1)
def inquiries(p, c, r, path):
    p.check(c, "omp_in_final()", str(int(c.final)))
    p.check(c, "omp_get_level()", str(c.level))
    p.check(c, "omp_get_num_threads()", c.size)
    p.check(c, "omp_get_max_threads()", c.threads)
    return {}


# Tasks


def task_clauses(p, r, c):
    """(clauses, the changes of the context)"""
    untied = r.random() < 0.3
    kind = r.choice(["", "", "", " if(zero)", " if(one)", " final(one)", " final(zero)", " mergeable", " final(one) mergeable",
                     " if(zero) mergeable"])  # fmt: skip
    if untied and "zero" in kind and r.random() < 0.9:
        kind = ""
    if untied and "if(zero)" in kind:
        p.excused("clang", "a failed assertion: untied if(0)")
    changes = {"tied": not untied, "final": c.final or "final(one)" in kind}
    return (" untied" if untied else "") + kind, changes


def task_body(p, c, r, path, most=3):
    """The statements of a task. A tied one stays with its thread."""
    me = p.name("me") if c.tied and r.random() < 0.5 else None
    if me:
        p.put(f"int {me} = omp_get_thread_num();")
    counts = p.block(c, path, most)
    if c.joins:
        p.put("#pragma omp taskwait")
    if me:
        p.check(c, f"{me} == omp_get_thread_num()", "1")
    return counts


@construct(10)
def task(p, c, r, path):
    clauses, changes = task_clauses(p, r, c)
    took = tuple(v for v in c.shared if r.random() < 0.7)
    clauses += "".join(v.clause("in_reduction(") for v in took)
    inner = c.task(mine=took, shared=took, **changes)
    captured = p.name("v") if r.random() < 0.3 else None
    with p.braces():
        if captured:
            value = r.randint(2, 9)
            p.put(f"long {captured} = {value};")
            clauses += f" firstprivate({captured})"
        p.put("#pragma omp task" + clauses)
        with p.braces():
            if c.grouped and r.random() < 0.1:  # if nobody cancels the taskgroup, it makes no difference
                p.put("#pragma omp cancellation point taskgroup")
            counts = task_body(p, inner, r, path)
            if captured:
                p.check(inner, captured, str(value))
        if captured:
            p.put(f"{captured} = 0;")
    return scaled(counts, c.each)


def scaled(counts, n):
    return {name: times(count, n) for name, count in counts.items()}


@construct(6)
def waited(p, c, r, path):
    """Tasks, a wait for them, and a check."""
    name, declaration = p.counter(r)
    group = r.random() < 0.5 and not p.taskgroup_breaks(c, r)
    variables = []
    with p.braces():
        p.put(declaration)
        clauses = ""
        if group and r.random() < 0.5 and in_region(p, c, r):
            for _ in range(r.randint(1, 2)):
                variable, text = new_variable(p, c, r)
                p.put(text)
                variables.append(variable)
                clauses += variable.clause("task_reduction(")
        inner = c.alone(c.each, sink=name, joins=not group, grouped=c.grouped or group, shared=tuple(variables) or c.shared)
        if group:
            p.put("#pragma omp taskgroup" + clauses)
        with p.braces():
            counts = p.block(inner, path, 4)
        if not group:
            p.put("#pragma omp taskwait")
        p.check(c, f"*{name}", counts.pop(name, "0"))
        for variable in variables:
            check_variable(p, c, variable, counts)
    return scaled(counts, c.each)


@construct(4)
def taskloop(p, c, r, path):
    clauses, changes = task_clauses(p, r, c)
    first, count, step = r.randint(-2, 2), r.randint(1, 6), r.choice([1, 1, 2, -1])
    clauses += r.choice(["", "", f" grainsize({r.randint(1, 3)})", f" num_tasks({r.randint(1, 4)})"])
    nogroup = r.random() < 0.2
    took = tuple(v for v in c.shared if r.random() < 0.7)
    clauses += "".join(v.clause("in_reduction(") for v in took) + (" nogroup" if nogroup else "")
    with p.braces():
        variables = ()
        if not nogroup and r.random() < 0.4 and in_region(p, c, r):
            variable, text = new_variable(p, c, r)
            p.put(text)
            variables = (variable,)
            clauses += variable.clause("reduction(")
        last = None if nogroup or r.random() < 0.6 else p.name("v")
        if last:
            p.put(f"long {last} = 0;")
            clauses += f" lastprivate({last})"
        joins = c.joins and nogroup
        mine = took + variables
        inner = c.task(count, mine=mine, shared=mine, joins=joins, grouped=c.grouped or not nogroup, **changes)
        p.put("#pragma omp taskloop" + clauses)
        i = p.name("i")
        p.put(loop_head(i, first, count, step))
        with p.braces():
            if last:
                p.put(f"{last} = {i};")
            counts = task_body(p, inner, r, path, 2)
        if last:
            p.check(c, last, f"({first + (count - 1) * step})")
        counts = scaled(counts, count)
        for variable in variables:
            check_variable(p, c, variable, counts)
    return scaled(counts, c.each)


def loop_head(i, first, count, step, kind="int"):
    relation = "<" if step > 0 else ">"
    return f"for ({kind} {i} = {first}; {i} {relation} {first + count * step}; {i} += {step})"


def fulfil_later(p, event, write=lambda: {}):
    """A task that fulfils an event after some time."""
    p.put(f"#pragma omp task firstprivate({event})")
    with p.braces():
        p.put("work(50);")
        counts = write()
        p.put(f"omp_fulfill_event({event});")
    return counts


@construct(2)
def detached(p, c, r, path):
    """A task that completes with its event, which itself, its creator, a sibling or a child fulfils."""
    if not in_region(p, c, r):
        return task(p, c, r, path)
    e, untied = p.name("e"), " untied" if r.random() < 0.3 else ""
    by = r.choice(["itself", "creator", "sibling", "child"]) if may_fulfil_later(c) else "itself"
    if by == "child" and not fulfilled_by_child(p, r):
        by = "sibling"
    if not c.known and c.grouped:
        p.excused("clang", "a discarded task with a detach clause never completes")
    undeferred = r.choice([" if(zero)", " final(one)"]) if by == "itself" and r.random() < 0.1 else ""
    if undeferred or c.final:
        p.excused("clang", "a failed assertion after an undeferred task with a detach clause")
    inner = c.task(tied=not untied, final=c.final or "final" in undeferred)
    with p.braces():
        p.put(f"omp_event_handle_t {e};", f"#pragma omp task detach({e}){untied}{undeferred}")
        counts = {}
        with p.braces():
            counts = task_body(p, inner, r, path, 2)
            if by == "itself":
                p.put(f"omp_fulfill_event({e});")
            if by == "child":  # a taskwait outside waits for it only because of the event
                counts = merged(counts, fulfil_later(p, e, lambda: leaf(p, inner.task(), r, path)))
        if by == "sibling":
            counts = merged(counts, fulfil_later(p, e, lambda: leaf(p, c.task(), r, path)))
        if by == "creator":
            p.put(f"omp_fulfill_event({e});")
    return scaled(counts, c.each)


@construct(3)
def dependences(p, c, r, path):
    """Tasks in the order of their dependences: their values are those of the sequential order."""
    x, values, counts = p.name("x"), [0, 0], []
    group = r.random() < 0.3 and not p.taskgroup_breaks(c, r)
    with p.braces():
        p.put(*(f"long {x}_{k}_ = 0, *{x}_{k} = &{x}_{k}_;" for k in (0, 1)))
        if group:
            p.put("#pragma omp taskgroup")
        with p.braces():
            for part in range(r.randint(2, 6)):
                if f"{path}.{part}" not in p.dropped:
                    counts.append(dependent_task(p, c, f"{path}.{part}", x, values))
        if not group:
            p.put(r.choice(["#pragma omp taskwait", f"#pragma omp taskwait depend(inout: *{x}_0, *{x}_1)"]))
        p.check(c, f"*{x}_0", str(values[0]))
        p.check(c, f"*{x}_1", str(values[1]))
    return scaled(merged(*counts), c.each)


def dependent_task(p, c, path, x, values):
    p.paths.append(path)
    r = p.random(path)
    k, kind, new = r.randint(0, 1), r.choice(["in", "inout", "inout", "out", "mutexinoutset"]), r.randint(10, 99)
    clauses, changes = task_clauses(p, r, c)
    inner = c.task(**changes)
    event = None
    detachable = may_fulfil_later(inner) and "detached" not in WITHOUT and not any(w in clauses for w in ("zero", "mergeable"))
    if kind == "out" and detachable and fulfilled_by_child(p, r):
        event = p.name("e")
        p.put(f"omp_event_handle_t {event};")
        clauses += f" detach({event})"
    clauses += f" depend({kind}: *{x}_{k})"
    reads = [k] if kind != "mutexinoutset" else []
    if reads and r.random() < 0.3:
        reads = [0, 1]
        clauses += f" depend(in: *{x}_{1 - k})"
    p.put(f"#pragma omp task{clauses}")
    with p.braces():
        for read in reads:
            p.check(inner, f"*{x}_{read}", str(values[read]))
        counts = task_body(p, inner, r, path, 1)
        if kind == "mutexinoutset":
            values[k] += new
            p.put(f"*{x}_{k} += {new};")
        elif kind != "in":
            values[k] = new
            write = f"*{x}_{k} = {new};"
            if event:
                fulfil_later(p, event, lambda: p.put(write))
            else:
                p.put(write)
    return counts


# Parallel regions and shared work


def fork(p, c, r, word, **more):
    """(the clauses of a parallel region, the context within). `word` is what its if clause names."""
    size, clause = c.threads, ""
    way = r.random()
    if way < 0.4:
        size = str(r.randint(1, 3))
        clause = f" num_threads({size})"
    elif way < 0.5:
        size, clause = "1", f" if({word}zero)"
    inner = replace(c, team=True, each=size, size=size, joint=c.executions(), depth=c.depth + 1, level=c.level + 1,
                    final=False, tied=True, joins=False, grouped=False, repeated=False, mine=(), shared=(), outer=[],
                    known=c.known or not c.counted)  # fmt: skip
    return clause, replace(inner, **more)


def hoist(p, at, c):
    """Puts the declarations of a region before it."""
    p.lines[at:at] = ["    " * p.indent + line for line in c.outer]


@construct(6, with_regions)
def parallel(p, c, r, path):
    with p.braces():
        own = r.random() < 0.15
        if own:
            p.put("omp_set_num_threads(3);")
        cancels = can_cancel_parallel(c) and r.random() < 0.1
        clauses, inner = fork(p, replace(c, threads="3") if own else c, r, "", cancellable=c.cancellable or cancels)
        variables = ()
        if r.random() < 0.4 and not cancels:
            modifier = "task, " if r.random() < 0.5 and in_region(p, inner, r) else ""
            variable, text = new_variable(p, c, r)
            p.put(text)
            variables = (variable,)
            clauses += variable.clause(f"reduction({modifier}")
            inner = replace(inner, mine=variables, shared=variables if modifier else ())
        copied = c.tied and r.random() < 0.2
        if copied:
            p.put("kept = 7;")
            clauses += " copyin(kept)"
        at = len(p.lines)
        p.put("#pragma omp parallel" + clauses)
        with p.braces():
            if copied:
                p.check(inner, "kept", "7")
            if cancels:
                p.put("#pragma omp cancel parallel if(zero)")
            counts = p.block(inner, path, 4)
        hoist(p, at, inner)
        for variable in variables:
            check_variable(p, c, variable, counts)
        if own:
            p.put(f"omp_set_num_threads({c.threads});")
    return scaled(counts, c.each)


@construct(4, may_wait_for_others)
def phase(p, c, r, path):
    """Statements of a team, a barrier, and a check."""
    name, declaration = p.counter(r)
    c.outer.append(declaration)
    counts = p.block(replace(c, sink=name, depth=c.depth + 1), path, 4)
    p.put("#pragma omp barrier")
    p.check(c, f"*{name}", counts.pop(name, "0"))
    if c.repeated:
        p.put("#pragma omp barrier", "#pragma omp single", f"*{name} = 0;")
    return counts


@construct(1, lambda c: c.team and not c.known)
def barrier(p, c, r, path):
    p.put("#pragma omp barrier")
    return {}


@construct(2, lambda c: not c.repeated)
def repeat(p, c, r, path):
    count = r.choice([2, 3, 10])
    inner = replace(c, joint=times(c.joint, count), depth=c.depth + 2, repeated=True)
    p.put(loop_head(p.name("k"), 0, count, 1))
    with p.braces():
        counts = p.block(inner, path, 2)
    return scaled(counts, count)


def begin_shared_work(p, c, r, kind):
    """Returns what loops and sections share: (directive, clauses, whether it is combined and nowait, the context, its
    variables)."""
    combined = not c.team or (with_regions(c) and r.random() < 0.2)
    if combined:
        clauses, inner = fork(p, c, r, "parallel: ")
        directive = f"#pragma omp parallel {kind}"
    else:
        clauses, inner, directive = "", replace(c, depth=c.depth + 1), f"#pragma omp {kind}"
    nowait = not combined and r.random() < 0.4
    if nowait:
        clauses += " nowait"
    variables = ()
    shared = combined or (c.level and not nowait and not c.repeated)  # the variable is not a function's own
    if shared and c.known and r.random() < 0.4:
        variable, text = new_variable(p, c, r)
        (p.put if combined else c.outer.append)(text)
        modifier = "task, " if r.random() < 0.4 and not inner.cancellable and in_region(p, inner, r) else ""
        variables = (variable,)
        clauses += variable.clause(f"reduction({modifier}")
        inner = replace(inner, mine=inner.mine + variables, shared=inner.shared + (variables if modifier else ()))
    return directive, clauses, combined, nowait, inner, variables


def end_shared_work(p, c, combined, variables, counts):
    """Checks the variables, and counts for the thread or the team that executed it."""
    for variable in variables:
        check_variable(p, c, variable, counts)
    return scaled(counts, c.each) if combined else counts


def can_share_work(c):
    return c.team or with_regions(c)


def can_cancel_work(c):
    return c.cancels and can_share_work(c)


SCHEDULES = ["", " schedule(static)", " schedule(static, 1)", " schedule(dynamic)", " schedule(dynamic, 2)", " schedule(guided)",
             " schedule(auto)", " schedule(runtime)", " schedule(monotonic: dynamic)", " schedule(nonmonotonic: guided, 2)"]  # fmt: skip


@construct(5, can_share_work)
def loop(p, c, r, path):
    with p.braces():
        directive, clauses, combined, nowait, inner, variables = begin_shared_work(p, c, r, "for")
        schedule = r.choice(SCHEDULES)
        ordered = c.known and r.random() < 0.15 and "nonmonotonic" not in schedule and "task," not in clauses
        first, count, step = r.randint(-2, 2), r.randint(0, 9), r.choice([1, 1, 2, -1])
        kind = r.choice(["int", "int", "long", "short"])
        cancels = not nowait and not ordered and not variables and r.random() < 0.1
        last = None
        if combined and count and r.random() < 0.3:
            last = p.name("v")
            p.put(f"long {last} = 0;")
            clauses += f" lastprivate({last})"
        turn = p.name("q")
        if ordered:
            clauses += " ordered"
            (p.put if combined else c.outer.append)(f"long {turn} = 0;")
        i = p.name("i")
        p.put(directive + clauses + schedule, loop_head(i, first, count, step, kind))
        inner = inner.alone(count)
        with p.braces():
            if last:
                p.put(f"{last} = {i};")
            if cancels:
                p.put(r.choice(["#pragma omp cancel for if(zero)", "#pragma omp cancellation point for"]))
            counts = p.block(inner, path, 2)
            if ordered:
                p.put("#pragma omp ordered")
                with p.braces():
                    p.check(inner, f"{turn}++ % {count} == ({i} - ({first})) / ({step})" if count else "1", "1")
                    counts = merged(counts, leaf(p, replace(inner, mine=()), r, path))
        if last:
            p.check(c, last, f"({first + (count - 1) * step})")
        return end_shared_work(p, c, combined, variables, scaled(counts, count))


@construct(3, can_share_work)
def sections(p, c, r, path):
    with p.braces():
        directive, clauses, combined, _, inner, variables = begin_shared_work(p, c, r, "sections")
        p.put(directive + clauses)
        counts = []
        with p.braces():
            for part in range(r.randint(1, 4)):
                p.put("#pragma omp section")
                with p.braces():
                    counts.append(p.block(inner.alone(), f"{path}.{part}", 2))
        return end_shared_work(p, c, combined, variables, merged(*counts))


@construct(4, lambda c: c.team)
def single(p, c, r, path):
    word = r.choice(["single", "single", "single nowait", "master", "masked"])
    p.put(f"#pragma omp {word}")
    with p.braces():
        return p.block(c.alone(), path)


@construct(1, may_wait_for_others)
def copyprivate(p, c, r, path):
    with p.braces():
        value = p.name("v")
        p.put(f"long {value} = 0;", f"#pragma omp single copyprivate({value})")
        with p.braces():
            counts = p.block(c.alone(), path, 1)
            p.put(f"{value} = 6;")
        p.check(c, value, "6")
    return counts


@construct(1, may_wait_for_others)
def doacross(p, c, r, path):
    a, i, count = p.name("a"), p.name("i"), r.randint(1, 8)
    c.outer.append(f"long {a} = 0;")
    p.put(f"#pragma omp for ordered(1){r.choice(SCHEDULES[:6])}", loop_head(i, 0, count, 1))
    inner = c.alone(count)
    with p.braces():
        counts = p.block(inner, path, 1)
        p.put(f"#pragma omp ordered depend(sink: {i} - 1)", f"{a} = {i} ? {a} + 2 : 1;", "#pragma omp ordered depend(source)")
    p.check(c, a, str(2 * count - 1))
    return scaled(counts, count)


# Cancelled regions. OMP_CANCELLATION is true.


def uncounted(c, **more):
    return replace(c, sink="junk", counted=False, **{"mine": (), "shared": (), **more})


@construct(3, lambda c: c.cancels and with_regions(c) and can_cancel_parallel(c))
def cancel_parallel(p, c, r, path):
    p.excused("clang", "cancel parallel hangs unless all threads meet it")
    with p.braces():
        clauses, inner = fork(p, c, r, "", cancellable=True)
        at = len(p.lines)
        p.put("#pragma omp parallel" + clauses)
        with p.braces():
            if r.random() < 0.3:  # all threads cancel it; nothing before that is a cancellation point
                counts = merged(leaf(p, inner, r, path), leaf(p, inner, r, path))
                p.put("#pragma omp cancel parallel")
                p.put(f"*{c.sink} += 1000;")
            else:
                counts, inside = {}, uncounted(inner, known=False)
                p.block(inside, f"{path}.0")
                thread = r.choice(["0", "omp_get_num_threads() - 1", "omp_get_num_threads() / 2"])
                p.put(f"if (omp_get_thread_num() == {thread})")
                with p.braces():
                    p.put("#pragma omp cancel parallel")
                p.block(inside, f"{path}.1")
                if r.random() < 0.5:
                    p.put("#pragma omp cancellation point parallel")
        hoist(p, at, inner)
    return scaled(counts, c.each)


def cancel_work(p, c, r, path, kind, write):
    """A loop or sections that are cancelled: at least one part is executed."""
    p.excused("clang", "later loops and sections of the team are cancelled, too")
    combined = not c.team or (with_regions(c) and r.random() < 0.5)
    name, declaration = p.counter(r)
    with p.braces():
        clauses, inner = fork(p, c, r, "parallel: ") if combined else ("", c)
        (p.put if combined else c.outer.append)(declaration)
        p.put(f"#pragma omp {'parallel ' if combined else ''}{kind}{clauses}")
        count = write(uncounted(inner.alone()), f"__atomic_fetch_add({name}, 1, __ATOMIC_RELAXED);")
        p.check(c, f"*{name} >= 1 && *{name} <= {10 * count if c.repeated else count}", "1")
    return {}


@construct(3, can_cancel_work)
def cancel_loop(p, c, r, path):
    def write(inner, increment):
        i, count = p.name("i"), r.randint(2, 20)
        p.lines[-1] += r.choice(SCHEDULES)
        p.put(loop_head(i, 0, count, 1))
        with p.braces():
            p.put(increment)
            p.block(inner, path, 1)
            p.put(f"if ({i} {r.choice(['==', '>='])} {r.randrange(count)})")
            with p.braces():
                p.put("#pragma omp cancel for")
            p.put("#pragma omp cancellation point for")
            p.block(inner, f"{path}.1", 1)
        return count

    return cancel_work(p, c, r, path, "for", write)


@construct(2, can_cancel_work)
def cancel_sections(p, c, r, path):
    def write(inner, increment):
        count = r.randint(1, 5)
        cancels = r.randrange(count)
        with p.braces():
            for part in range(count):
                p.put("#pragma omp section")
                with p.braces():
                    p.put(increment)
                    p.block(inner, f"{path}.{part}", 1)
                    if part == cancels:
                        p.put("#pragma omp cancel sections")
                    elif r.random() < 0.5:
                        p.put("#pragma omp cancellation point sections")
        return count

    return cancel_work(p, c, r, path, "sections", write)


@construct(3)
def cancel_taskgroup(p, c, r, path):
    if p.taskgroup_breaks(c, r):
        return leaf(p, c, r, path)
    name, declaration = p.counter(r)
    with p.braces():
        p.put(declaration, "#pragma omp taskgroup")
        inside = uncounted(c.alone(c.each), joins=False, grouped=True, known=False)
        with p.braces():
            p.block(inside, f"{path}.0", 2)
            clauses, changes = task_clauses(p, r, c)
            p.put("#pragma omp task" + clauses)
            with p.braces():
                p.put(f"__atomic_fetch_add({name}, 1, __ATOMIC_RELAXED);")
                p.block(inside.task(**changes), f"{path}.1", 2)
                p.put("#pragma omp cancel taskgroup", f"__atomic_fetch_add({name}, 100, __ATOMIC_RELAXED);")
            p.block(inside, f"{path}.2", 2)
        p.check(c, f"*{name}", "1")
    return {}


@construct(1)
def cancel_taskloop(p, c, r, path):
    name, declaration = p.counter(r)
    i, count = p.name("i"), r.randint(1, 12)
    clauses, changes = task_clauses(p, r, c)
    with p.braces():
        p.put(declaration, f"#pragma omp taskloop{clauses} grainsize({r.randint(1, 3)})", loop_head(i, 0, count, 1))
        with p.braces():
            p.put(f"__atomic_fetch_add({name}, 1, __ATOMIC_RELAXED);")
            p.block(uncounted(c.task(**changes), joins=False, grouped=True, known=False), path, 1)
            p.put(f"if ({i} == {r.randrange(count)})")
            with p.braces():
                p.put("#pragma omp cancel taskgroup")
        p.check(c, f"*{name} >= 1 && *{name} <= {count}", "1")
    return {}


def unit(programs):
    """The text of a compilation unit."""
    table = "".join(f"    {{{p.number}, {len(p.sites)}, program_{p.number}}},\n" for p in programs)
    return (
        f'enum {{ kSites = {max(len(p.sites) for p in programs)} }};\n#include "support.h"\n\n' + "\n".join(p.text() for p in programs)
        + f"\nstatic const struct program programs[] = {{\n{table}}};\n\n"
        "int main(int argc, char **argv)\n{\n"
        "    return run_programs(programs, sizeof programs / sizeof *programs, argc, argv);\n}\n"
    )  # fmt: skip
