// Shows the selected task, its predecessors and its successors.

const MOST_LISTED = 40;

/** Makes an element with properties and children; null children are left out. */
function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children.flat().filter((child) => child !== null));
    return made;
}

const swatch = (colour) => {
    const made = element('span', {className: 'swatch'});
    made.style.background = cssOf(colour);
    if (colour.stripes > 0) {
        const period = STRIPES_PERIOD / colour.stripes;
        made.style.backgroundImage = `repeating-linear-gradient(transparent 0 ${period - 1}px, var(--lane) 0 ${period}px)`;
    }
    return made;
};

const pairs = (rows) => element('dl', {}, rows.filter(([, value]) => value !== null).flatMap(([name, value]) =>
    [element('dt', {textContent: name}), element('dd', {textContent: value})]));

class Details {
    /** `select` is called with the requested task. */
    constructor(panel, model, select) {
        Object.assign(this, {panel, model, select});
    }

    show(task, colourOf) {
        this.panel.scrollTop = 0;
        this.panel.replaceChildren(...(task === NONE ? this.#nothing() : this.#task(task, colourOf)));
    }

    #nothing() {
        return [element('h2', {textContent: 'No task selected'}),
                element('p', {textContent: 'Click a task to see when it was created, ready and run, what it waited for and what waited for it.'})];
    }

    #task(task, colourOf) {
        const {model} = this;
        const {tasks, segments} = model;
        const parts = model.segmentsOf(task);
        const first = parts[0];
        const last = parts.at(-1);
        const kind = tasks.kind[task];
        const source = kind === NONE ? '' : model.kinds[kind].source;
        const at = (time) => moment(model.since(time));
        const work = model.work(task);
        const end = segments.end[last];
        const threads = [...new Set(parts.map((i) => model.threadName(segments.thread[i])))];
        const ready = segments.begin[first] - segments.waited[first];
        const rows = [
            ['task', `#${model.id(task)}`],
            ['source', source || null],
            ['ran on', threads.join(', ')],
            ['iteration', `${count(tasks.iteration[task])} (a guess)`],
            ['created by', tasks.creator[task] === NONE ? null : model.threadName(tasks.creator[task])],
            ['created', at(tasks.created[task])],
            ['ready', at(ready)],
            ['start', at(segments.begin[first])],
            ['end', at(end)],
            ['completed', tasks.completed[task] === 0 ? 'not in the trace'
                : tasks.completed[task] > 1 ? at(end + tasks.completed[task] - 1) : null],
            ['ran for', duration(work)],
            ['waited to run', duration(segments.waited[first])],
            ['suspended', parts.length > 1
                ? `${duration(end - segments.begin[first] - work)}, ${parts.length - 1}${THIN}times` : null],
            ['critical path', model.isOnPath(task) ? 'on it' : 'not on it'],
        ];
        const parent = tasks.parent[task];
        return [
            element('h2', {}, swatch(colourOf(first)), model.label(task)),
            pairs(rows),
            ...this.#list('Parent', '', parent === NONE ? [] : [parent], colourOf),
            ...this.#list('Predecessors', 'before', model.predecessors(task), colourOf),
            ...this.#list('Successors', 'after', model.successors(task), colourOf),
            ...this.#deviceWork(task),
            ...this.#messages(task),
        ];
    }

    #list(title, className, tasks, colourOf) {
        const {model} = this;
        if (tasks.length === 0)
            return className ? [element('p', {textContent: `No ${title.toLowerCase()}`})] : [];
        const items = tasks.slice(0, MOST_LISTED).map((task) => element('li', {}, element('button',
            {type: 'button', onclick: () => this.select(task), title: model.label(task)},
            element('span', {}, swatch(colourOf(model.segmentsOf(task)[0]))),
            element('span', {className: 'what', textContent: model.label(task)}),
            element('span', {className: 'number', textContent: `#${model.id(task)}`}),
            element('span', {className: 'when', textContent: duration(model.work(task))}))));
        const more = tasks.length > MOST_LISTED
            ? [element('p', {textContent: `and ${count(tasks.length - MOST_LISTED)} more`})] : [];
        return [element('h3', {className, textContent: className ? `${title} (${count(tasks.length)})` : title}),
                element('ul', {}, items), ...more];
    }

    #deviceWork(task) {
        const {model, model: {deviceWork}} = this;
        const found = model.deviceWorkOf(task);
        if (found.length === 0)
            return [];
        const rows = found.slice(0, MOST_LISTED).map((i) => [model.deviceWorkName(i), duration(deviceWork.end[i] - deviceWork.begin[i])]);
        const more = found.length > MOST_LISTED
            ? [element('p', {textContent: `and ${count(found.length - MOST_LISTED)} more`})] : [];
        return [element('h3', {textContent: `On device ${model.deviceLanes[deviceWork.lane[found[0]]].device} (${count(found.length)})`}),
                pairs(rows), ...more];
    }

    #messages(task) {
        const {model, model: {messages}} = this;
        const found = model.messagesOf(task);
        if (found.length === 0)
            return [];
        const items = found.slice(0, MOST_LISTED).map((i) => {
            const sends = messages.sendTask[i] === task;
            const other = sends ? messages.receiveTask[i] : messages.sendTask[i];
            const thread = model.threads[sends ? messages.to[i] : messages.from[i]];
            return element('li', {}, element('button',
                {type: 'button', disabled: other === NONE, onclick: () => this.select(other)},
                element('span', {className: 'what', textContent:
                    `${sends ? 'to' : 'from'} rank ${thread.rank}, tag ${messages.tag[i]}, ${bytes(messages.bytes[i])}`}),
                element('span', {className: 'when', textContent: duration(messages.received[i] - messages.sent[i])})));
        });
        return [element('h3', {className: 'message', textContent: `Messages (${count(found.length)})`}),
                element('ul', {}, items)];
    }
}
