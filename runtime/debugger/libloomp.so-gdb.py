"""gdb's commands for the tasks of a program on loomp: `help loomp`.

gdb reads this file by itself, as it has the library's name, where `info auto-load python-scripts` says so
(docs/debugging.md). Tasks are found by two tables that the libraries export (runtime/core/process/debugger.h,
mpi/waiting/debugger_table.h), so neither symbols nor debug information of loomp are needed.

A suspended task's frames are shown by an unwinder that says of the selected thread's innermost frame that the
suspended task had called it. So nothing is written to the process, and a core file does as well.
"""
import os
import re
import struct

import gdb
import gdb.unwinder
from gdb.FrameDecorator import FrameDecorator

CORE = """version last_stack_made workers stack_made_before stack_base stack_top stack_left_by stack_immediate
    immediate_creator immediate_creator_stack worker_task worker_stack worker_native_stack_left_by worker_os_thread
    suspension_sp suspension_task suspension_looks_for_work suspension_after_word task_flags implicit_flag
    poller_last_poll
    last_event_made event_made_before event_word event_task task_detach detach_lost detach_both
    code_places code_places_used code_place_size code_place_offset task_invoke task_size""".split()
MPI = "version poller done name peer tag since unknown".split()
MOST_WORKERS = 65536

# Words for the program's call that a task is suspended in.
WAITS = [(re.compile(pattern), words) for pattern, words in (
    (r"taskwait.*dep|wait_deps", "a taskwait with depend"),
    (r"taskwait", "a taskwait"),
    (r"taskgroup|end_group", "the end of a taskgroup"),
    (r"taskyield", "a taskyield"),
    (r"critical", "a critical construct"),
    (r"_lock", "a lock"),
    (r"ordered|doacross", "an ordered construct"),
    (r"GOMP_parallel|__kmpc_fork|barrier|_end$|single", "a barrier"),
    (r"loomp_suspend", "loomp_suspend, for an event"),
    (r"GOMP_task|__kmpc_omp_task|taskloop", "the creation of a task, as there are too many"),
)]


class Trouble(gdb.GdbError):
    """One line for the user."""


# --- Memory and registers ----------------------------------------------------------------------------


def read(address, size=8):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, size))
    except gdb.MemoryError as error:
        raise Trouble("loomp: memory at %#x cannot be read" % address) from error


def word(address):
    return struct.unpack("<Q", read(address))[0]


def integer(address):
    return struct.unpack("<i", read(address, 4))[0]


def text(address):
    found = b""
    while b"\0" not in found and len(found) < 64:
        found += read(address + len(found), 1)
    return found.split(b"\0")[0].decode(errors="replace")


class Setting:
    """One of gdb's, for as long as this is entered."""

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __enter__(self):
        self.before = gdb.parameter(self.name)
        gdb.execute("set %s %s" % (self.name, self.value), to_string=True)

    def __exit__(self, *_):
        gdb.execute("set %s %s" % (self.name, self.before), to_string=True)


def evaluate(expression):
    """An integer, of an expression in C whatever the program is written in."""
    with Setting("language", "c"):
        return int(gdb.parse_and_eval(expression))


def symbol(name):
    """Its address, or None."""
    try:
        return evaluate("(unsigned long)&" + name)
    except gdb.error:
        return None


def table(name, fields):
    address = symbol(name)
    if address is None:
        return None
    found = dict(zip(fields, struct.unpack("<%dQ" % len(fields), read(address, 8 * len(fields)))))
    if found["version"] != 1:
        raise Trouble("loomp: %s is of version %d, this script knows 1; use the one beside that library" %
                      (name, found["version"]))
    found["library"] = gdb.solib_name(address)
    return found


class X86:
    """The registers that Boost.Context's jump_fcontext leaves on a stack."""
    sp, pc = "rsp", "rip"

    @staticmethod
    def saved(sp, in_library):
        words = struct.unpack("<12Q", read(sp, 96))
        # Before the return address; how much lies before them depends on the version.
        for at in range(7, 12):
            if in_library(words[at]):
                registers = dict(zip(("r12", "r13", "r14", "r15", "rbx", "rbp", "rip"), words[at - 6:at + 1]))
                registers["rsp"] = sp + 8 * (at + 1)
                return registers
        return None


class Aarch64:
    sp, pc = "sp", "pc"

    @staticmethod
    def saved(sp, in_library):
        words = struct.unpack("<21Q", read(sp, 168))
        if not in_library(words[20]):
            return None
        registers = {"x%d" % (19 + i): words[8 + i] for i in range(12)}
        registers["pc"] = words[20]
        registers["sp"] = sp + 0xb0
        return registers


def machine():
    name = gdb.selected_frame().architecture().name()
    if name.startswith("i386:x86-64"):
        return X86
    if name.startswith("aarch64"):
        return Aarch64
    raise Trouble("loomp: suspended tasks are shown on x86-64 and aarch64, not on " + name)


# --- Finding tasks -----------------------------------------------------------------------------------


class Task:
    """One that has begun and not ended: on a thread, or suspended, with its registers."""

    def __init__(self, thread=None, registers=None, base=0, top=None, call=None):
        self.thread, self.registers, self.base, self.top, self.call = thread, registers, base, top, call
        self.implicit = False


class Process:
    """The tasks of the selected process as they are now."""

    def __init__(self):
        if gdb.selected_thread() is None:
            raise Trouble("loomp: there is no process: attach to one, run one, or load a core file")
        self.core = table("loomp_debugger", CORE)
        if self.core is None:
            raise Trouble("loomp: the process has no libloomp.so, or one without the table for debuggers")
        self.mpi = table("loomp_mpi_debugger", MPI)
        self.machine = machine()
        self.libraries = {}
        self.now = word(word(self.mpi["poller"]) + self.core["poller_last_poll"]) if self.mpi and word(
            self.mpi["poller"]) else 0
        self.tasks = []
        self.find()

    def in_library(self, address):
        return gdb.solib_name(address) == self.core["library"]

    def is_runtime(self, address):
        """Whether the code there is loomp's or the MPI library's."""
        name = gdb.solib_name(address)
        if name not in self.libraries:
            self.libraries[name] = name is not None and (name == self.core["library"] or re.match(
                r"lib(loomp|mpi|open-)", name.rsplit("/", 1)[-1]) is not None)
        return self.libraries[name]

    def is_system(self, address):
        """Whether the code there is the C library's."""
        name = gdb.solib_name(address)
        return name is not None and re.match(r"(libc|libpthread)[-.]", name.rsplit("/", 1)[-1]) is not None

    def find(self):
        core = self.core
        threads = {}
        selected = gdb.selected_thread()
        pointers = []
        for thread in gdb.selected_inferior().threads():
            threads[thread.ptid[1]] = thread
            thread.switch()
            pointers.append(int(gdb.newest_frame().read_register(self.machine.sp)))
        selected.switch()

        stacks = self.stacks()
        # In use: those that threads are on, and where creators wait below.
        busy = set()
        for stack in stacks:
            call = word(stack + core["stack_immediate"])
            if call != 0:
                busy.add(word(call + core["immediate_creator_stack"]))

        native = []
        for index in range(MOST_WORKERS):
            worker = word(core["workers"] + 8 * index)
            if worker == 0:
                break
            thread = threads.get(integer(worker + core["worker_os_thread"]))
            if thread is None:
                continue
            stack = word(worker + core["worker_stack"])
            busy.add(stack)
            task = word(worker + core["worker_task"])
            if task != 0:
                self.add(Task(thread=thread), task)
            on_native = stack == 0
            while stack != 0 and word(stack + core["stack_immediate"]) != 0:
                stack = word(word(stack + core["stack_immediate"]) + core["immediate_creator_stack"])
                on_native = on_native or stack == 0
            left_by = word(worker + core["worker_native_stack_left_by"])
            if not on_native and left_by != 0:
                native.append(left_by)
        for left_by in native:
            self.add_suspended(left_by, 0, None)
        for stack in stacks:
            left_by = word(stack + core["stack_left_by"])
            base, top = word(stack + core["stack_base"]), word(stack + core["stack_top"])
            if left_by != 0 and stack not in busy and not any(base <= sp < top for sp in pointers):
                self.add_suspended(left_by, base, top)
        self.tasks.sort(key=lambda task: task.thread.num if task.thread else 1 << 32)

    def stacks(self):
        found = []
        stack = word(self.core["last_stack_made"])
        while stack != 0:
            found.append(stack)
            stack = word(stack + self.core["stack_made_before"])
        return found[::-1]

    def add(self, task, descriptor):
        flags = struct.unpack("<I", read(descriptor + self.core["task_flags"], 4))[0]
        task.implicit = flags & self.core["implicit_flag"] != 0
        self.tasks.append(task)

    def add_suspended(self, suspension, base, top):
        core = self.core
        descriptor = word(suspension + core["suspension_task"])
        sp = word(suspension + core["suspension_sp"])
        if descriptor == 0 or not base <= sp < (top or suspension):
            return  # a thread that looks for work and has let a task go first, or is being left just now
        registers = self.machine.saved(sp, self.in_library)
        if registers is None:
            return
        self.add(Task(registers=registers, base=base, top=top, call=self.mpi_call(suspension)), descriptor)

    def lost_events(self):
        """The code of each task that has ended, but for an event that nobody has fulfilled; None if it is unknown."""
        core = self.core
        found = []
        event = word(core["last_event_made"])
        while event != 0:
            if word(event + core["event_word"]) % 2 == 1:
                task = word(event + core["event_task"])
                if word(task + core["task_detach"]) & core["detach_both"] == core["detach_lost"]:
                    found.append(self.code_of(task))
            event = word(event + core["event_made_before"])
        return found[::-1]

    def code_of(self, task):
        core = self.core
        for number in range(word(core["code_places_used"])):
            place = core["code_places"] + number * core["code_place_size"]
            if word(place) == word(task + core["task_invoke"]):
                return word(task + core["task_size"] + integer(place + core["code_place_offset"]))
        return None

    def mpi_call(self, suspension):
        """Returns what the MPI layer knows of the call that a task is suspended in, or None."""
        if self.mpi is None:
            return None
        waited = word(suspension - self.core["suspension_after_word"])
        try:
            if word(waited) != suspension:
                return None
            call = waited - self.mpi["done"]
            name = word(call + self.mpi["name"])
            if gdb.solib_name(name) != self.mpi["library"]:
                return None
        except Trouble:
            return None
        words = [text(name)]
        unknown = struct.unpack("<q", struct.pack("<Q", self.mpi["unknown"]))[0]
        for field, what in (("peer", "rank"), ("tag", "tag")):
            number = integer(call + self.mpi[field])
            if number != unknown:
                words.append("%s %d" % (what, number) if number >= 0 else "any " + what)
        since = word(call + self.mpi["since"])
        if self.now > since > 0:
            words.append("for %.1f s" % ((self.now - since) / 1e9))
        return ", ".join(words)


# --- Frames of a suspended task ----------------------------------------------------------------------


class FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class Unwinder(gdb.unwinder.Unwinder):
    """While `task` is set, it has called the innermost frame of the thread at `sp` and `pc`."""

    def __init__(self):
        super().__init__("loomp")
        self.task = self.machine = self.process = None
        self.place = (0, 0)

    def show(self, process, task):
        self.leave()
        gdb.newest_frame().select()
        self.process, self.machine, self.place = process, process.machine, self.where(process.machine,
                                                                                     gdb.newest_frame())
        self.task = task
        gdb.invalidate_cached_frames()

    def leave(self):
        if self.task is not None:
            self.task = None
            gdb.invalidate_cached_frames()

    @staticmethod
    def where(names, frame):
        return int(frame.read_register(names.sp)), int(frame.read_register(names.pc))

    def __call__(self, pending):
        if self.task is None:
            return None
        if self.where(self.machine, pending) != self.place:
            return None

        def value(name, number):
            signed = struct.unpack("<q", struct.pack("<Q", number))[0]
            return gdb.Value(signed).cast(pending.read_register(name).type)

        registers = self.task.registers
        # Farther in than the task's frames, or gdb would take these for damaged.
        inner = FrameId(value(self.machine.sp, registers[self.machine.sp] - 64),
                        pending.read_register(self.machine.pc))
        info = pending.create_unwind_info(inner)
        for name, number in registers.items():
            info.add_saved_register(name, value(name, number))
        return info

    def is_own(self, frame):
        """Whether it is one of the task's."""
        place = self.where(self.machine, frame)
        if place == self.place:
            return False
        return self.task.top is None or self.task.base <= place[0] < self.task.top

    def frames(self):
        """The task's, from the innermost one."""
        frame = gdb.newest_frame()
        while frame is not None and self.where(self.machine, frame) == self.place:
            frame = frame.older()
        while frame is not None and frame.is_valid() and self.is_own(frame):
            yield frame
            frame = frame.older()


class Decorator(FrameDecorator):
    """Names functions without the types of their arguments."""

    def function(self):
        frame = self.inferior_frame()
        return frame.name() or frame.pc()


class Filter:
    """Reduces a backtrace to the task's frames and to those frames of the runtime that the program
    called."""

    def __init__(self):
        self.name, self.priority, self.enabled, self.whole = "loomp", 100, False, False

    def filter(self, frames):
        own = []
        for decorated in frames:
            frame = decorated.inferior_frame()
            if unwinder.is_own(frame):
                own.append(Decorator(decorated))
            elif own:
                break
        if self.whole or not own:
            return iter(own)
        return iter([own[i] for i in shown([f.inferior_frame() for f in own])])


def shown(frames):
    """The numbers of those that are not within the runtime."""
    process = unwinder.process
    inside = [process.is_runtime(frame.pc()) for frame in frames]
    return [i for i, runtime in enumerate(inside)
            if not runtime or (i + 1 < len(frames) and not inside[i + 1])] or range(len(frames))


unwinder = Unwinder()
frame_filter = Filter()


def describe(process, frames):
    """(what the program called, where, in which function) by a task's frames from the innermost one."""
    called = None
    for frame in frames:
        if process.is_runtime(frame.pc()):
            called = frame.name() or called
            continue
        # The C library's own lines say little, whether the program called it or the runtime.
        if process.is_system(frame.pc()):
            continue
        line = frame.find_sal()
        place = None
        if line is not None and line.symtab is not None:
            place = "%s:%d" % (line.symtab.filename.rsplit("/", 1)[-1], line.line)
        return called, place, frame.name()
    return called, None, None


def walk(thread):
    thread.switch()
    frame = gdb.newest_frame()
    while frame is not None:
        yield frame
        frame = frame.older()


def line_of(process, task):
    if task.thread is not None:
        called, place, function = describe(process, walk(task.thread))
        state = "running on thread %d" % task.thread.num
        what = called
    else:
        unwinder.show(process, task)
        called, place, function = describe(process, unwinder.frames())
        unwinder.leave()
        state = "suspended"
        what = task.call
        if what is None and called is not None:
            what = next((words for pattern, words in WAITS if pattern.search(called)), called)
    # A thread that the runtime has started has nothing of the program beneath its region's end.
    if task.implicit and task.thread is not None and function is None:
        return state + " in the end of its region"
    if what is not None:
        state += " in " + what
    if place is not None:
        state += ", at " + place
    if function is not None:
        state += ", in " + function
    elif task.implicit:
        state += ", of a region's implicit task"
    return state


def symbols_missing(process):
    """Whether the library is stripped: the function that leaves a stack has no name then."""
    for task in process.tasks:
        if task.registers is not None:
            name = gdb.execute("info symbol %#x" % task.registers[process.machine.pc], to_string=True)
            return "switch_to" not in name
    return False


class Selection:
    """Keeps the user's thread and frame over a command."""

    def __enter__(self):
        self.thread, self.frame = gdb.selected_thread(), None
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            pass
        return self

    def __exit__(self, *_):
        unwinder.leave()
        frame_filter.enabled = False
        if self.thread is not None and self.thread.is_valid():
            self.thread.switch()
        if self.frame is not None and self.frame.is_valid():
            self.frame.select()


# --- Commands ----------------------------------------------------------------------------------------


class Loomp(gdb.Command):
    """Tasks of a program that runs on loomp: loomp tasks, loomp where, loomp bt N, loomp task N."""

    def __init__(self):
        super().__init__("loomp", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)


def place_of_code(address):
    """", at FILE:LINE, in FUNCTION" for a function's first address."""
    if address is None:
        return ""
    found = gdb.find_pc_line(address)
    block = gdb.block_for_pc(address)
    words = ""
    if found.symtab is not None:
        words += ", at %s:%d" % (found.symtab.filename.rsplit("/", 1)[-1], found.line)
    if block is not None and block.function is not None:
        words += ", in %s" % block.function
    return words


class Tasks(gdb.Command):
    """Lists the tasks that have begun: number, state, place; and tasks that have ended, but for an event. Numbers hold
until the program goes on."""

    def __init__(self):
        super().__init__("loomp tasks", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        back_to_thread()
        with Selection():
            process = Process()
            if symbols_missing(process):
                print("loomp: %s has no symbols: what tasks wait in may be missing" % process.core["library"])
            for number, task in enumerate(process.tasks, 1):
                print("%5d  %s" % (number, line_of(process, task)))
            for code in process.lost_events():
                print("       ended, but nobody has fulfilled its event%s" % place_of_code(code))
            suspended = sum(task.thread is None for task in process.tasks)
            print("%d tasks: %d suspended, %d on threads" %
                  (len(process.tasks), suspended, len(process.tasks) - suspended))


class Where(gdb.Command):
    """Counts the tasks that are in the same call at the same place: count, state, place."""

    def __init__(self):
        super().__init__("loomp where", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        back_to_thread()
        with Selection():
            process = Process()
            places = {}
            for number, task in enumerate(process.tasks, 1):
                line = re.sub(r" on thread \d+|, (rank|tag) \d+|, any (rank|tag)|, for [0-9.]+ s", "",
                              line_of(process, task))
                places.setdefault(line, []).append(number)
            for line, numbers in sorted(places.items(), key=lambda item: -len(item[1])):
                print("%5d  %s (loomp bt %d)" % (len(numbers), line, numbers[0]))


def number_of(argument, process):
    try:
        number = int(argument)
    except ValueError:
        number = 0
    if not 0 < number <= len(process.tasks):
        raise Trouble("loomp: '%s' is no task: loomp tasks lists 1 to %d" % (argument, len(process.tasks)))
    return number


def backtrace(process, task):
    if task.thread is not None:
        task.thread.switch()
        gdb.execute("backtrace")
        return
    unwinder.show(process, task)
    frame_filter.enabled = True
    gdb.execute("backtrace")
    frame_filter.enabled = False
    unwinder.leave()


class Backtrace(gdb.Command):
    """Shows a task's frames: loomp bt N, or all for those of each task; with -full loomp's own, too."""

    def __init__(self):
        super().__init__("loomp bt", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        frame_filter.whole = "-full" in words
        chosen = [word for word in words if word != "-full"]
        if len(chosen) != 1:
            raise Trouble("loomp: loomp bt takes the number of a task of loomp tasks, or all")
        back_to_thread()
        with Selection():
            process = Process()
            numbers = range(1, len(process.tasks) + 1) if chosen[0] == "all" else [number_of(chosen[0], process)]
            for number in numbers:
                task = process.tasks[number - 1]
                print("task %d, %s" % (number, line_of(process, task)))
                backtrace(process, task)


class Select(gdb.Command):
    """Selects a task, such that backtrace, frame, up, down and print are about it: loomp task N.
Without a number, or when the program goes on, they are about threads again."""

    def __init__(self):
        super().__init__("loomp task", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        back_to_thread()
        if argument.strip() == "":
            gdb.newest_frame().select()
            return
        process = Process()
        task = process.tasks[number_of(argument, process) - 1]
        if task.thread is not None:
            task.thread.switch()
            gdb.newest_frame().select()
        else:
            unwinder.show(process, task)
            frame_filter.enabled, frame_filter.whole = True, False
            frames = list(unwinder.frames())
            frames[shown(frames)[0]].select()
        gdb.execute("frame")


PAGE = 4096  # the smallest of any machine
LOAD = 1  # a segment's type in ELF


def segments(core):
    """The memory in a core file (ELF, 64 bits, little endian): for each segment its address, offset and size."""
    header = core.read(64)
    at, = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    core.seek(at)
    table = core.read(size * count)
    for entry in range(0, size * count, size):
        kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", table, entry)
        if kind == LOAD and length != 0:
            yield address, offset, length


def copy(core, offset, begin, end):
    """Copies the process's memory to the core file at `offset`, without the pages that cannot be read."""
    if begin == end:
        return
    try:
        memory = bytes(gdb.selected_inferior().read_memory(begin, end - begin))
    except gdb.MemoryError:
        for page in range(begin, end, PAGE) if end - begin > PAGE else ():
            copy(core, offset + page - begin, page, min(page + PAGE, end))
        return
    for page in range(0, len(memory), PAGE):
        if any(memory[page:page + PAGE]):  # the file has zeros there
            core.seek(offset + page)
            core.write(memory[page:page + PAGE])


def add_stacks(path, process):
    """Completes a core file: gcore leaves out what is near a page that it cannot read, and all that follows it. Stacks
    are many in one mapping, each with a guard page below. Nothing is called in the process, which gdb 13 cannot do on
    processors with AMX."""
    bases = {word(stack + process.core["stack_base"]) for stack in process.stacks()}
    edges = sorted(bases | {base - PAGE for base in bases})
    with open(path, "r+b") as core:
        for address, offset, length in list(segments(core)):
            end = address + length
            within = [edge for edge in edges if address < edge < end]
            for begin, until in zip([address] + within, within + [end]) if within else ():
                copy(core, offset + begin - address, begin, until)


class Core(gdb.Command):
    """Writes a core file of the running process, as gcore does, with the stacks of suspended tasks: loomp gcore [FILE]."""

    def __init__(self):
        super().__init__("loomp gcore", gdb.COMMAND_STACK, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        back_to_thread()
        with Selection():
            process = Process()
            path = os.path.expanduser(argument.strip() or "core.%d" % gdb.selected_inferior().pid)
            gdb.execute("gcore " + path)
            add_stacks(path, process)


def back_to_thread(_event=None):
    frame_filter.enabled = False
    unwinder.leave()


def set_up():
    gdb.unwinder.register_unwinder(None, unwinder, replace=True)
    gdb.frame_filters["loomp"] = frame_filter
    gdb.events.cont.connect(back_to_thread)
    for command in (Loomp, Tasks, Where, Backtrace, Select, Core):
        command()


set_up()
