// The trace, decoded from the page's summary and columns. Positions name tasks, threads and
// messages; times count from the summary's origin.

const NONE = -1;

/** The begin of each one's elements, from their counts; one more than there are. */
function beginsOf(counts) {
    const begins = new Uint32Array(counts.length + 1);
    for (let i = 0; i < counts.length; ++i)
        begins[i + 1] = begins[i] + counts[i];
    return begins;
}

/** Positions of elements by their owners: `of[i]` below `length`. */
function group(of, length) {
    const begins = new Uint32Array(length + 1);
    for (let i = 0; i < of.length; ++i)
        ++begins[of[i] + 1];
    for (let i = 0; i < length; ++i)
        begins[i + 1] += begins[i];
    const next = begins.slice(0, length);
    const members = new Uint32Array(of.length);
    for (let i = 0; i < of.length; ++i)
        members[next[of[i]]++] = i;
    return {begins, members, of: (i) => members.subarray(begins[i], begins[i + 1])};
}

/** Times of a thread's items from gaps and lengths, one thread after the other. */
function spans(gaps, lengths, begins) {
    const begin = new Float64Array(gaps.length);
    const end = new Float64Array(gaps.length);
    for (let thread = 0; thread + 1 < begins.length; ++thread) {
        let time = 0;
        for (let i = begins[thread]; i < begins[thread + 1]; ++i) {
            begin[i] = time + gaps[i];
            time = end[i] = begin[i] + lengths[i];
        }
    }
    return {begin, end};
}

function tracksOf({begin, end}, begins) {
    return Array.from({length: begins.length - 1}, (_, i) =>
        new Track(begin.subarray(begins[i], begins[i + 1]), end.subarray(begins[i], begins[i + 1])));
}

/** The parts of `waiting` outside `busy`. */
function outside(waiting, busy) {
    const begin = [];
    const end = [];
    let next = 0;
    for (let i = 0; i < waiting.length; ++i) {
        let from = waiting.begin[i];
        const until = waiting.end[i];
        next = busy.after(from, Math.max(0, next - 1));
        for (; next < busy.length && busy.begin[next] < until; ++next) {
            if (busy.begin[next] > from) {
                begin.push(from);
                end.push(busy.begin[next]);
            }
            from = Math.max(from, busy.end[next]);
        }
        if (from < until) {
            begin.push(from);
            end.push(until);
        }
    }
    return new Track(Float64Array.from(begin), Float64Array.from(end));
}

const withoutOne = (values) => Int32Array.from(values, (value) => value - 1);

class Model {
    constructor(summary, columns) {
        this.summary = summary;
        this.length = summary.length;
        this.makespan = summary.makespan; // without tasks, it is the program's run
        this.run = summary.run;
        this.kinds = summary.kinds;
        this.#readThreads(summary, columns);
        this.#readTasks(summary, columns);
        this.#readDevices(summary, columns);
        this.#readMessages(columns);
        this.#readPath(columns);
        this.overlap = {parts: summary.overlapParts, work: columns.overlap_work, flight: columns.overlap_flight};
    }

    #readThreads({threads, waiting: waitingOfRanks}, columns) {
        const begins = beginsOf(threads.map((thread) => thread.segments));
        const times = spans(columns.segment_gap, columns.segment_length, begins);
        const calls = beginsOf(threads.map((thread) => thread.calls));
        const waiting = beginsOf(waitingOfRanks);
        this.segments = {...times, begins, task: Uint32Array.from(columns.segment_task), waited: columns.segment_waited};
        const doings = beginsOf(threads.map((thread) => thread.doings));
        const doing = spans(columns.doing_gap, columns.doing_length, doings);
        this.doings = {begins: doings, what: columns.doing_what, construct: withoutOne(columns.doing_construct)};
        this.callFunction = withoutOne(columns.call_function);
        this.callBegins = calls;
        const busy = tracksOf(times, begins);
        const inCalls = tracksOf(spans(columns.call_gap, columns.call_length, calls), calls);
        const outsideTasks = tracksOf(doing, doings);
        const ready = tracksOf(spans(columns.waiting_gap, columns.waiting_length, waiting), waiting);
        this.ranks = waitingOfRanks.length;
        this.threadsOfRank = waitingOfRanks.map((_, rank) => threads.filter((thread) => thread.rank === rank && !thread.standsIn).length);
        this.threads = threads.map(({rank, number, standsIn}, i) => (
            {rank, number, standsIn, busy: busy[i], calls: inCalls[i], overhead: standsIn ? new Track(new Float64Array(), new Float64Array()) : outside(ready[rank], busy[i]), path: null,
             doings: outsideTasks[i], code: this.#codeOf(outsideTasks[i], doings[i], busy[i])}));
    }

    /** When a thread computes outside of tasks. */
    #codeOf(doings, first, busy) {
        const chosen = [];
        for (let i = 0; i < doings.length; ++i)
            if (computes(this.doings.what[first + i]))
                chosen.push(i);
        return outside(new Track(Float64Array.from(chosen, (i) => doings.begin[i]),
                                 Float64Array.from(chosen, (i) => doings.end[i])), busy);
    }

    #readTasks({tasks}, columns) {
        const {segments} = this;
        const ofTask = group(segments.task, tasks);
        const thread = new Uint32Array(segments.task.length);
        for (let i = 0; i < this.threads.length; ++i)
            thread.fill(i, segments.begins[i], segments.begins[i + 1]);
        segments.thread = thread;
        const predecessors = beginsOf(columns.predecessor_count);
        const from = new Uint32Array(columns.predecessor_back.length);
        for (let task = 0; task < tasks; ++task)
            for (let i = predecessors[task]; i < predecessors[task + 1]; ++i)
                from[i] = task - columns.predecessor_back[i];
        this.tasks = {
            length: tasks,
            kind: withoutOne(columns.task_kind),
            created: columns.task_created,
            completed: columns.task_completed,
            idHigh: columns.task_id_high,
            idLow: columns.task_id_low,
            parent: withoutOne(columns.task_parent),
            creator: withoutOne(columns.task_creator),
            iteration: columns.task_iteration,
            segments: ofTask,
            predecessorBegins: predecessors,
            predecessor: from,
        };
    }

    /** Device work by lane; work in a lane does not overlap. */
    #readDevices({deviceLanes}, columns) {
        const begins = beginsOf(deviceLanes.map(({work}) => work));
        const times = spans(columns.device_gap, columns.device_length, begins);
        const tracks = tracksOf(times, begins);
        this.deviceLanes = deviceLanes.map(({rank, device, row}, i) => ({rank, device, row, track: tracks[i]}));
        const lane = new Uint32Array(times.begin.length);
        deviceLanes.forEach((_, i) => lane.fill(i, begins[i], begins[i + 1]));
        this.deviceWork = {
            ...times, begins, lane, what: Uint32Array.from(columns.device_what), kind: withoutOne(columns.device_kind),
            task: withoutOne(columns.device_task), bytes: columns.device_bytes, held: columns.device_held,
        };
    }

    #readMessages(columns) {
        const sent = columns.message_sent;
        const received = sent.map((time, i) => time + columns.message_flight[i]);
        // The latest arrival of any message up to this one; it finds the first message of a view.
        const latest = new Float64Array(received.length);
        for (let i = 0; i < latest.length; ++i)
            latest[i] = Math.max(received[i], i > 0 ? latest[i - 1] : -Infinity);
        this.messages = {
            length: sent.length, sent, received, latest,
            from: columns.message_from, to: columns.message_to,
            sendTask: withoutOne(columns.message_send_task), receiveTask: withoutOne(columns.message_receive_task),
            bytes: columns.message_bytes, tag: columns.message_tag,
        };
    }

    #readPath(columns) {
        const begin = columns.path_begin;
        const end = begin.map((time, i) => time + columns.path_length[i]);
        this.path = {length: begin.length, begin, end, thread: columns.path_thread, task: withoutOne(columns.path_task)};
        const {begins, members} = group(columns.path_thread, this.threads.length);
        this.threads.forEach((thread, i) => {
            const pieces = members.slice(begins[i], begins[i + 1]).sort((a, b) => begin[a] - begin[b]);
            thread.path = new Track(Float64Array.from(pieces, (piece) => begin[piece]),
                                    Float64Array.from(pieces, (piece) => end[piece]));
        });
    }

    // The properties of one task.

    firstSegment(task) { return this.tasks.segments.members[this.tasks.segments.begins[task]]; }
    lastSegment(task) { return this.tasks.segments.members[this.tasks.segments.begins[task + 1] - 1]; }
    segmentsOf(task) {
        return Array.from(this.tasks.segments.of(task)).sort((a, b) => this.segments.begin[a] - this.segments.begin[b]);
    }
    // A task may have millions of segments: too many arguments for one call of Math.min().
    begin(task) { return this.tasks.segments.of(task).reduce((least, i) => Math.min(least, this.segments.begin[i]), Infinity); }
    end(task) { return this.tasks.segments.of(task).reduce((most, i) => Math.max(most, this.segments.end[i]), -Infinity); }
    work(task) {
        return this.tasks.segments.of(task).reduce((sum, i) => sum + this.segments.end[i] - this.segments.begin[i], 0);
    }
    id(task) { return (BigInt(this.tasks.idHigh[task]) << 32n | BigInt(this.tasks.idLow[task])).toString(); }
    rank(task) { return this.threads[this.segments.thread[this.firstSegment(task)]].rank; }
    predecessors(task) {
        const {predecessorBegins: begins, predecessor} = this.tasks;
        return Array.from(predecessor.subarray(begins[task], begins[task + 1]));
    }
    successors(task) {
        this.successorLists ??= this.#findSuccessors();
        return Array.from(this.successorLists.of(task), (edge) => this.successorLists.to[edge]);
    }
    #findSuccessors() {
        const {predecessorBegins: begins, predecessor, length} = this.tasks;
        const to = new Uint32Array(predecessor.length);
        for (let task = 0; task < length; ++task)
            to.fill(task, begins[task], begins[task + 1]);
        return {...group(predecessor, length), to};
    }
    /** Messages that it sends or receives. */
    messagesOf(task) {
        const {messages} = this;
        const found = [];
        for (let i = 0; i < messages.length; ++i)
            if (messages.sendTask[i] === task || messages.receiveTask[i] === task)
                found.push(i);
        return found;
    }

    /** Its device work, in order of time. */
    deviceWorkOf(task) {
        const {task: tasks, begin} = this.deviceWork;
        const found = [];
        for (let i = 0; i < tasks.length; ++i)
            if (tasks[i] === task)
                found.push(i);
        return found.sort((a, b) => begin[a] - begin[b]);
    }
    /** The kind of work, and the size of a copy. */
    deviceWorkName(work) {
        const {what, bytes: of} = this.deviceWork;
        return what[work] === DEVICE_KERNEL ? DEVICE_NAMES[DEVICE_KERNEL] : `${DEVICE_NAMES[what[work]]}, ${bytes(of[work])}`;
    }

    isOnPath(task) {
        this.pathTasks ??= new Set(this.path.task);
        return this.pathTasks.has(task);
    }

    /** A thread's activity outside of tasks; `doing` is its index. */
    doingLabel(doing) {
        const {what, construct} = this.doings;
        if (what[doing] === DOING_SERIAL)
            return 'serial code';
        const where = construct[doing] === NONE ? DOING_NAMES[what[doing]] : this.kinds[construct[doing]].label;
        return what[doing] === DOING_WAITING ? `waiting: ${where}` : where;
    }

    kindLabel(kind) { return kind === NONE ? '(unknown)' : this.kinds[kind].label; }
    label(task) { return this.kindLabel(this.tasks.kind[task]); }
    threadName(thread) {
        const {rank, number, standsIn} = this.threads[thread];
        const name = standsIn ? `stand-in ${number - this.threadsOfRank[rank]}` : `thread ${number}`;
        return this.ranks > 1 ? `rank ${rank} ${name}` : name;
    }
    deviceLaneName(lane) {
        const {rank, device, row} = this.deviceLanes[lane];
        const rows = this.deviceLanes.filter((other) => other.rank === rank && other.device === device).length;
        return `${this.ranks > 1 ? `rank ${rank} ` : ''}device ${device}${rows > 1 ? ` (${row + 1})` : ''}`;
    }
    /** Counts like the report: from the first start of a task, or from the run's start without
       tasks. */
    since(time) { return time - this.makespan[0]; }
}
