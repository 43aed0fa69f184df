#!/usr/bin/env python3
"""Which depend items a run needs, by brute force: an oracle for `loomp check`.

usage: tests/check/oracle.py FOLDER [ITEMS]

FOLDER has the log of a run (loomp check --log FOLDER ./app). Each item of a construct is taken out in turn. It is needed by the
accesses if two tasks that accessed the same byte, one of them writing, are in no order then; and by the declarations if that holds
for two tasks whose items name the same address, one of them for writing. Nothing here is shared with profiler/check: all pairs of
siblings are compared, and all predecessors of each piece of code are a set of bits.

ITEMS has what `loomp check` finds, a line for each item, as tests/check/items.cpp prints it. With it, the two are compared.
"""

import struct
import sys
from collections import defaultdict
from pathlib import Path

# profiler/check/protocol.h
(ACCESSES, READ, WRITE, ATOMIC, CREATE, DETAILS, DEPEND, FUNCTION, RUN, END, DETACH, FULFIL, WAITED, REGION_BEGIN, REGION_END,
 MEMBER_BEGIN, MEMBER_END, BARRIER_BEGIN, BARRIER_END, TASKWAIT_END, GROUP_BEGIN, GROUP_END, POSTED, AWAITED, LOCKED, UNLOCKED,
 ALLOCATED, RECYCLED, HELD, CALL, CALLED, COMPLETED, BOUND, ENVELOPE, MESSAGE) = range(1, 36)  # fmt: skip
KINDS = {1: "in", 2: "out", 3: "out", 4: "mutex", 7: "set"}  # OMPT's; 34, 35 are of all memory
IMPORTING, EXPORTING, UNDEFERRED, FINAL = 0x2000000, 0x4000000, 0x8000000, 0x20000000


class Task:
    """A task, and the segments of its code."""

    def __init__(self, creator=0):
        self.creator = creator
        self.code = self.flags = self.region = self.group = 0
        self.items, self.children, self.bound = [], [], []
        self.segments = []
        self.begun = self.is_call = self.is_wait = False
        self.fulfilment = None


class Run:
    """The log as segments with their direct predecessors."""

    def __init__(self, path):
        self.tasks = defaultdict(Task)
        self.before = []  # by segment: direct predecessors
        self.owner = []  # by segment: its task
        self.locks = []  # by segment: the locks that its task held
        self.entered = {}  # first segment of a task that began: the task
        self.waits = {}  # segment after a taskwait with dependences: the taskwait's task
        self.accesses = []  # (begin, end, kind, segment, frame, time)
        self.recycled = []  # (time, begin, end)
        self.of_threads = set()  # blocks whose address a static variable of a thread has held
        self.blocks = {}  # begin: end
        self.read(path)

    def segment(self, number, *before):
        task = self.tasks[number]
        at = len(self.before)
        self.before.append([each for each in (*task.segments[-1:], *before) if each is not None])
        self.owner.append(number)
        self.locks.append(frozenset(self.held[number]))
        task.segments.append(at)
        return at

    def last(self, number):
        segments = self.tasks[number].segments
        return segments[-1] if segments else None

    def enter(self, number):
        task = self.tasks[number]
        if task.segments and not task.begun:
            task.begun = True
            self.held[number] |= {("item", address) for address, kind in task.items if kind == "mutex"}
            self.entered[self.segment(number)] = number

    def finish(self, number):
        self.enter(number)
        task, parent = self.tasks[number], self.tasks[self.tasks[number].creator]
        self.segment(number, task.fulfilment, *(self.last(each) for each in task.bound))
        if task.flags & UNDEFERRED or parent.flags & FINAL:
            self.segment(task.creator, self.last(number))

    def wait(self, number, others):
        self.segment(number, *(self.last(each) for each in others))
        others.clear()

    def read(self, path):
        tasks, running, current = self.tasks, {}, 0
        regions, groups, innermost, posted = {}, [(0, [])], {}, {}
        self.held = defaultdict(set)
        data = Path(path, "accesses.log").read_bytes()
        for time, (kind, thread, a, b, c) in enumerate(struct.iter_unpack("<IIQQQ", data)):
            if kind == ACCESSES:
                current = a
            elif kind in (READ, WRITE, ATOMIC):
                self.accesses.append((a, a + b, kind, self.last(current), thread, time))
            elif kind == MESSAGE:
                if a:
                    self.accesses.append(((0xF << 60) + b, (0xF << 60) + b + 1, WRITE, self.last(a), 0, time))
            elif kind == ALLOCATED:
                self.blocks[a] = a + b
            elif kind == HELD:
                self.of_threads |= {(begin, end) for begin, end in self.blocks.items() if begin <= a < end}
            elif kind == RECYCLED:
                self.recycled.append((time, a, a + b))
            elif kind == CREATE:
                task = tasks[b]
                task.creator, task.code, task.region = a, c, tasks[a].region
                task.group = innermost.get(a, tasks[a].group)
                self.segment(b, self.last(a))
                self.segment(a)
            elif kind == DETAILS:
                task = tasks[c]
                task.flags, task.is_wait = a, bool(b)
                if not b:
                    tasks[task.creator].children.append(c)
                    if task.group:
                        groups[task.group][1].append(c)
                    if task.region:
                        regions[task.region]["tasks"].append(c)
            elif kind == DEPEND:
                item = KINDS.get(c, "out")
                tasks[a].items.append((b if c < 34 else "all", "out" if item == "mutex" and tasks[a].flags & EXPORTING else item))
            elif kind == RUN:
                running[thread] = b
                self.enter(b)
            elif kind == END:
                running[thread] = b
                self.finish(a)
            elif kind == DETACH:
                running[thread] = b
            elif kind == FULFIL:
                by = running.get(thread)
                if by and by != a:
                    tasks[a].fulfilment = self.last(by)
                    self.segment(by)
                if b:
                    self.finish(a)
            elif kind == WAITED:
                self.waits[self.segment(tasks[a].creator)] = a
            elif kind == REGION_BEGIN:
                regions[b] = {"begin": self.last(a), "tasks": [], "members": [], "barriers": defaultdict(list), "met": defaultdict(int), "creator": a,
                              "passed": {}}  # fmt: skip
                if self.last(a) is not None:
                    self.segment(a)
            elif kind == MEMBER_BEGIN:
                running[thread] = a
                tasks[a].region, tasks[a].begun = b, True
                if b:
                    regions[b]["members"].append(a)
                    tasks[a].creator = regions[b]["creator"]
                self.segment(a, regions[b]["begin"] if b else None)
            elif kind == MEMBER_END:
                running[thread] = 0
            elif kind == BARRIER_BEGIN and (region := regions.get(tasks[a].region)):
                region["barriers"][region["met"][a]].append(self.last(a))
                region["met"][a] += 1
            elif kind == BARRIER_END and (region := regions.get(tasks[a].region)) and region["met"][a]:
                number = region["met"][a] - 1
                if number not in region["passed"]:
                    done = [self.last(each) for each in region["tasks"]]
                    region["tasks"].clear()
                    region["passed"][number] = [*region["barriers"][number], *done, *region["passed"].get(number - 1, [])]
                tasks[a].children.clear()
                self.segment(a, *region["passed"][number])
            elif kind == REGION_END and b in regions:
                region = regions.pop(b)
                self.segment(a, *(self.last(each) for each in (*region["tasks"], *region["members"])))
                running[thread] = a
            elif kind == TASKWAIT_END:
                self.wait(a, tasks[a].children)
            elif kind == GROUP_BEGIN:
                groups.append((innermost.get(a, tasks[a].group), []))
                innermost[a] = len(groups) - 1
            elif kind == GROUP_END and innermost.get(a):
                around, members = groups[innermost[a]]
                self.wait(a, members)
                innermost[a] = around
            elif kind == POSTED:
                posted[tasks[a].region, b] = self.last(a)
                self.segment(a)
            elif kind == AWAITED:
                self.segment(a, posted.get((tasks[a].region, b)))
            elif kind in (LOCKED, UNLOCKED) and running.get(thread):
                (self.held[running[thread]].add if kind == LOCKED else self.held[running[thread]].discard)(a)
                self.segment(running[thread])
            elif kind == CALL:
                tasks[b].creator, tasks[b].code, tasks[b].is_call = a, c, True
                self.segment(b, self.last(a))
                if self.last(a) is not None:
                    self.segment(a)
            elif kind == COMPLETED and self.last(a) is not None:
                self.segment(a, self.last(b))
            elif kind == BOUND:
                tasks[a].bound.append(b)

    def siblings(self):
        """The tasks with items of each creator, in the order of creation."""
        lists = defaultdict(list)
        for number in sorted(self.tasks):
            task = self.tasks[number]
            if task.items and not task.is_call:
                lists[task.creator].append(number)
        return lists

    def item_pairs(self, without=None):
        """Pairs of tasks whose clauses name the same address, one of them for more than another one's kind: siblings, and children that
        stand for their transparent or weak parents."""
        siblings = self.siblings()
        own = defaultdict(dict)  # by task: {address: kind}
        for number in (each for numbers in siblings.values() for each in numbers):
            task = self.tasks[number]
            for at, (address, kind) in enumerate(task.items):
                if (task.code, at) != without:
                    own[number][address] = kind if own[number].get(address, kind) == kind else "out"

        def children(number, address):
            return [each for each in siblings.get(number, ()) if address in own[each] or "all" in own[each]]

        def users(number, addresses):
            """The task, and those below it whose accesses count as its own; no addresses: to whatever it names."""
            if not self.tasks[number].flags & EXPORTING:
                return {number}
            if "all" in own[number]:
                addresses = {address for each in siblings.get(number, ()) for address in own[each]}
            elif not addresses & own[number].keys():
                addresses = own[number].keys()
            return {number}.union(*(users(each, {address}) for address in addresses for each in children(number, address)))

        def waiting(number, address):
            """The task, or those below it that wait in its place, each with the address for which it does."""
            task = self.tasks[number]
            if not task.flags & IMPORTING or task.flags & UNDEFERRED or self.tasks[task.creator].flags & FINAL:
                return {(number, "all" if "all" in own[number] else address)}
            below = siblings.get(number, ()) if address == "all" else children(number, address)
            return set().union(*(waiting(each, other) for each in below for other in (own[each] if address == "all" else (address,))))

        pairs = set()
        for numbers in siblings.values():
            earlier = defaultdict(list)  # by address
            for at, number in enumerate(numbers):
                for address, kind in own[number].items():
                    others = [other for other, others in earlier[address] if kind == "out" or kind != others]
                    others += [other for other in numbers[:at] if own[other]] if address == "all" else [other for other, _ in earlier["all"]]
                    for after, named in waiting(number, address) if others else ():
                        pairs |= {(before, after) for other in others for before in users(other, {named})}
                for address, kind in own[number].items():
                    earlier[address].append((number, kind))
        return pairs

    def reachable(self, pairs):
        """By segment: all segments before it, as bits."""
        first = defaultdict(list)
        for one, other in pairs:
            first[other].append(one)
        sets = []
        for at, before in enumerate(self.before):
            bits = 1 << at
            for each in before:
                bits |= sets[each]
            task = self.entered.get(at)
            if task is None:
                task = self.waits.get(at)
            if task is not None:
                for one in first[task]:
                    last = self.tasks[one].segments[-1]
                    bits |= sets[last] if last < at else 1 << last
            sets.append(bits)
        return sets

    def conflicts(self):
        """Pairs of segments that access the same byte, one of them writing, the one that ran first first."""
        pairs, active = set(), []
        for access in sorted(self.accesses):
            begin, end, kind, segment, frame, time = access
            active = [each for each in active if each[1] > begin]
            for other in active:
                if kind == READ and other[2] == READ or kind == ATOMIC and other[2] != WRITE or other[2] == ATOMIC and kind != WRITE:
                    continue
                one, two = (other, access) if other[5] < time else (access, other)
                if self.owner[one[3]] == self.owner[two[3]] or (one[3], two[3]) in pairs or one[4] != two[4]:
                    continue
                if self.locks[one[3]] & self.locks[two[3]]:
                    continue
                low, high = max(begin, other[0]), min(end, other[1])
                if any(first < high and low < stop for first, stop in self.of_threads):
                    continue
                if not any(one[5] < at < two[5] and first < high and low < stop for at, first, stop in self.recycled):
                    pairs.add((one[3], two[3]))
            active.append(access)
        return pairs

    def constructs(self):
        """{code: the greatest number of items of a task}"""
        most = defaultdict(int)
        for task in self.tasks.values():
            if not task.is_call:
                most[task.code] = max(most[task.code], len(task.items))
        return {code: count for code, count in most.items() if count}


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__.strip())
        return 2
    run = Run(sys.argv[1])
    conflicts = run.conflicts()
    declared = run.item_pairs()
    sets = run.reachable(declared)

    def unordered(found):
        """The pairs, each as the constructs of its two sides. A call belongs to that of the task that makes it, too."""
        pairs = [(one, other) for one, other in conflicts if not found[other] >> one & 1]
        sides = [[run.tasks[run.owner[each]] for each in pair] for pair in pairs]
        return [{code for task in pair for code in (task.code, run.tasks[task.creator].code if task.is_call else task.code)} for pair in sides]

    def undeclared(found):
        return sum(1 for one, other in declared if not found[run.tasks[other].segments[-1]] >> run.tasks[one].segments[-1] & 1)

    races = len(unordered(sets))
    print(f"{len(run.tasks)} tasks, {len(run.before)} segments, {len(conflicts)} pairs that conflict, {races} of them in no order")
    needed = {}
    for code, count in sorted(run.constructs().items()):
        for at in range(count):
            found = run.reachable(run.item_pairs((code, at)))
            pairs = unordered(found)
            # Whoever is between two tasks that conflict is in neither of them.
            needed[code, at] = (len(pairs) > races, undeclared(found) > 0, any(code in constructs for constructs in pairs))
    by_accesses, by_items = (sum(each[which] for each in needed.values()) for which in (0, 1))
    print(f"{len(needed)} items: {by_accesses} needed by the accesses, {by_items} by the declarations")
    if len(sys.argv) == 2:
        return 1 if races else 0
    wrong = named = 0
    for line in Path(sys.argv[2]).read_text(encoding="utf-8").splitlines():
        code, at, found, construct, item, place = line.split(maxsplit=5)
        expected, declaration, takes_part = needed.pop((int(code, 16), int(at)), (None, None, None))
        if (found != "0") != expected or (expected and (construct != "0") != takes_part):
            wrong += 1
        named += int(item) if expected else 0
        print(f"{place} item {at}: needed by accesses {expected}, by declarations {declaration}; found {found}, its construct {construct}, its clause {item}")
    print(f"{wrong + len(needed)} differ; the clause is named for {named} of {by_accesses}")
    return 1 if wrong or needed or races else 0


if __name__ == "__main__":
    sys.exit(main())
