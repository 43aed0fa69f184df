// The page: reads the trace, and connects its parts. Actions change the state or the scale; the
// next frame shows them.

const GUTTER = 118; // pixels, for the names of lanes
const byId = (id) => document.getElementById(id);

class App {
    constructor(model) {
        this.model = model;
        this.elements = Object.fromEntries(['overview', 'gantt', 'breakdown', 'overlap', 'search', 'tooltip', 'legend', 'matches']
            .map((id) => [id, byId(id)]));
        this.state = {colour: 'kind', messages: true, calls: true, path: false, rank: NONE, selected: NONE};
        this.scale = new Scale(model.length, () => this.redraw());
        this.gantt = new Gantt(this.elements.gantt, model, this.scale);
        this.charts = new Charts(this.elements, model, this.scale);
        this.details = new Details(byId('details'), model, (task) => this.select(task, true));
        this.controls = new Controls(this.elements, this.gantt, this.scale, this);
        this.theme = readTheme();
        this.#fillFigures();
        this.#fillTables();
        this.#connectToolbar();
        this.#fillLegend();
        this.select(NONE);
        this.#fitHeight();
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
            this.theme = readTheme();
            this.#fillLegend();
            this.redraw();
        });
        new ResizeObserver(() => this.redraw()).observe(byId('timeline'));
        this.showTasks();
    }

    redraw() {
        this.frame ??= requestAnimationFrame(() => {
            this.frame = null;
            this.#draw();
        });
    }

    #draw() {
        this.scale.left = GUTTER;
        this.scale.width = Math.max(50, this.elements.gantt.clientWidth - GUTTER - 4);
        this.gantt.draw(this.state, this.theme);
        this.charts.draw(this.state, this.theme);
        this.#noteMessages();
    }

    /** The lanes' height, limited so that the other charts stay visible. */
    #fitHeight() {
        const {lanes: {length}, model: {ranks}} = this.gantt;
        const lane = length <= 8 ? 36 : length <= 24 ? 24 : 16;
        const wanted = AXIS + length * lane + (ranks - 1) * RANK_GAP + 6;
        this.elements.gantt.style.height = `${Math.max(140, Math.min(wanted, innerHeight * 0.62))}px`;
    }

    // The page's parts besides charts.

    #fillFigures() {
        const {summary, threadsOfRank, ranks} = this.model;
        byId('name').textContent = summary.name;
        const sum = (key) => summary.threads.reduce((total, thread) => total + thread[key], 0);
        const all = Math.max(1, sum('work') + sum('overhead') + sum('idle'));
        const figures = [['ranks', ranks], ['threads', threadsOfRank.reduce((sum, of) => sum + of, 0)], ['tasks', count(summary.tasksCreated)]];
        if (summary.unfinished.length > 0 && summary.tasksCreated > summary.tasks)
            figures.push(['not begun', count(summary.tasksCreated - summary.tasks)]);
        figures.push(['run', duration(summary.run[1] - summary.run[0])]);
        if (summary.tasks > 0) {
            figures.push(['makespan', duration(summary.makespan[1] - summary.makespan[0])],
                         ['work', percent(sum('work') / all)], ['overhead', percent(sum('overhead') / all)], ['idle', percent(sum('idle') / all)]);
        } else {
            const doing = (whats) => summary.threads.reduce((total, {run}) => total + whats.reduce((time, what) => time + run[what], 0), 0);
            const whole = Math.max(1, doing(DOING_NAMES.map((_, what) => what)));
            figures.push(['computing', percent(doing([DOING_SHARED, DOING_REGIONS, DOING_SERIAL]) / whole)],
                         ['waiting', percent(doing([DOING_WAITING]) / whole)], ['in MPI', percent(doing([DOING_MPI]) / whole)]);
        }
        if (summary.path?.length > 0)
            figures.push(['critical path', duration(summary.path.length)],
                         ['average parallelism', (summary.path.work / summary.path.length).toFixed(2)]);
        byId('figures').replaceChildren(...figures.map(([name, value]) =>
            element('div', {}, element('dt', {textContent: name}), element('dd', {textContent: value}))));
    }

    #fillTables() {
        const {model, model: {summary}} = this;
        const table = (id) => byId(id).querySelector('table');
        kindTable(table('kinds'), model, (kind) => this.findKind(kind));
        threadTable(table('threads'), model);
        runTable(table('run'), model);
        const {tables} = summary;
        for (const id of ['constructs', 'named', 'functions']) {
            figureTable(table(id), tables[id], {sorted: 'Time, s'});
            byId(id).hidden = tables[id].rows.length === 0;
        }
        byId('kinds').hidden = byId('threads').hidden = summary.tasks === 0;
        byId('ranks').hidden = model.overlap.parts === 0;
        byId('overlap-figure').hidden = model.overlap.parts === 0 || summary.tasks === 0;
        figureTable(table('ranks'), tables.ranks, {label: ({label}) => label.replace('rank ', '')});
        byId('devices').hidden = tables.devices.rows.length === 0;
        figureTable(table('devices'), tables.devices, {label: ({label}) => model.ranks > 1 ? label : label.replace('rank 0 ', '')});
        byId('findings').hidden = summary.findings === null;
        showFindings(byId('findings').querySelector('div'), summary.findings ?? []);
        byId('unfinished').hidden = summary.unfinished.length === 0;
        byId('unfinished').querySelector('pre').textContent = summary.unfinished.join('\n');
        byId('problems').hidden = summary.problems.length === 0;
        byId('problems').querySelector('ul').replaceChildren(...summary.problems.map((text) => element('li', {textContent: text})));
    }

    #fillLegend() {
        const entries = this.gantt.colouring.legend;
        const most = 14;
        const made = entries.slice(0, most).map(({colour, text, kind}) => {
            const name = element('span', {textContent: text, className: colour ? '' : 'note'});
            return kind === undefined ? element('span', {}, colour ? swatch(colour) : null, name)
                : element('button', {type: 'button', title: 'Find its tasks', onclick: () => this.findKind(kind)}, swatch(colour), name);
        });
        if (entries.length > most)
            made.push(element('span', {className: 'note', textContent: `and ${count(entries.length - most)} more kinds`}));
        if (this.state.calls && this.model.summary.tables.functions.rows.length > 0)
            made.push(element('span', {}, swatch(this.theme.call), 'in MPI (lower part)'));
        for (const {colour, text} of this.gantt.doingLegend(this.theme))
            made.push(element('span', {}, swatch(colour), element('span', {textContent: text})));
        deviceColours(this.theme).forEach((colour, what) => {
            if (this.model.deviceWork.what.includes(what))
                made.push(element('span', {}, swatch(colour), element('span', {textContent: DEVICE_NAMES[what]})));
        });
        made.push(element('span', {title: 'No task runs there, though one of the rank is ready'}, swatch(this.theme.overhead), 'overhead'));
        const idle = swatch(this.theme.lane);
        idle.classList.add('idle');
        made.push(element('span', {title: 'Nothing runs there, and nothing is ready'}, idle, 'idle'));
        made.push(element('span', {className: 'note', id: 'message-note'}));
        this.elements.legend.replaceChildren(...made);
    }

    #noteMessages() {
        const {inView = 0, every = 1} = this.gantt.arrows.shownMessages ?? {};
        const text = this.state.messages && every > 1
            ? `${count(inView)} messages in view, one of ${every} drawn` : '';
        const note = byId('message-note');
        if (note.textContent !== text)
            note.textContent = text;
    }

    #connectToolbar() {
        const {elements, scale} = this;
        const optional = {messages: this.model.messages.length, calls: this.model.summary.tables.functions.rows.length, path: this.model.path.length};
        for (const name of ['messages', 'calls', 'path']) {
            byId(`show-${name}`).addEventListener('change', () => this.toggle(name, byId(`show-${name}`).checked));
            byId(`show-${name}`).closest('label').hidden = optional[name] === 0;
        }
        byId('colour').addEventListener('change', (event) => this.colourBy(event.target.value));
        byId('zoom-in').addEventListener('click', () => scale.zoom(KEY_ZOOM));
        byId('zoom-out').addEventListener('click', () => scale.zoom(1 / KEY_ZOOM));
        byId('whole').addEventListener('click', () => this.showWhole());
        byId('match-before').addEventListener('click', () => this.goToMatch(-1));
        byId('match-after').addEventListener('click', () => this.goToMatch(1));
        elements.search.addEventListener('input', () => this.find(elements.search.value));
        byId('show-keys').addEventListener('click', () => {
            byId('keys').hidden = !byId('keys').hidden;
            byId('show-keys').setAttribute('aria-expanded', String(!byId('keys').hidden));
        });
        byId('rank-choice').hidden = this.model.ranks < 2;
        for (let i = 0; i < this.model.ranks; ++i)
            byId('rank').append(element('option', {value: i, textContent: `rank ${i}`}));
        byId('rank').addEventListener('change', (event) => {
            this.state.rank = Number(event.target.value);
            this.redraw();
        });
    }

    // The view.

    toggle(name, on = !this.state[name]) {
        this.state[name] = on;
        byId(`show-${name}`).checked = on;
        this.#fillLegend();
        this.redraw();
    }

    colourBy(name) {
        this.state.colour = byId('colour').value = name;
        this.gantt.colourBy(name);
        this.#fillLegend();
        this.#showDetails();
        this.redraw();
    }

    showWhole() { this.#showAll(this.model.run); }

    /** The window of the figures. */
    showTasks() { this.#showAll(this.model.makespan); }

    #showAll([begin, end]) {
        const room = 0.01 * (end - begin);
        this.scale.show(begin - room, end + room);
    }

    clear() {
        this.elements.search.value = '';
        this.find('');
        this.select(NONE);
    }

    // Search.

    findKind(kind) {
        const text = this.model.kindLabel(kind);
        this.elements.search.value = this.elements.search.value === text ? '' : text;
        this.find(this.elements.search.value);
    }

    /** Tasks with the text in their kind or source; after a #, the task with that number. */
    find(text) {
        const {model, elements} = this;
        const wanted = text.trim().toLowerCase();
        this.found = null;
        if (wanted !== '') {
            const matches = new Uint8Array(model.tasks.length);
            if (wanted.startsWith('#')) {
                for (let i = 0; i < matches.length; ++i)
                    matches[i] = model.id(i) === wanted.slice(1) ? 1 : 0;
            } else {
                const kinds = model.kinds.map(({label, source}) =>
                    label.toLowerCase().includes(wanted) || source.toLowerCase().includes(wanted));
                const unknown = model.kindLabel(NONE).includes(wanted);
                for (let i = 0; i < matches.length; ++i)
                    matches[i] = (model.tasks.kind[i] === NONE ? unknown : kinds[model.tasks.kind[i]]) ? 1 : 0;
            }
            const tasks = [];
            for (let i = 0; i < matches.length; ++i)
                if (matches[i])
                    tasks.push(i);
            const begin = (task) => model.segments.begin[model.firstSegment(task)];
            this.found = {matches, tasks: tasks.sort((a, b) => begin(a) - begin(b))};
        }
        this.gantt.filter(this.found?.matches ?? null);
        elements.matches.textContent = this.found ? `${count(this.found.tasks.length)} ${this.found.tasks.length === 1 ? 'task' : 'tasks'}` : '';
        this.redraw();
    }

    /** The match after or before the selected task. */
    goToMatch(step) {
        const tasks = this.found?.tasks ?? [];
        if (tasks.length === 0)
            return;
        const {model, state: {selected}, scale} = this;
        const begin = (task) => model.segments.begin[model.firstSegment(task)];
        let place = tasks.indexOf(selected);
        if (place === -1) {
            const from = selected === NONE ? scale.begin : begin(selected);
            place = tasks.findIndex((task) => begin(task) >= from);
            place = step > 0 ? (place === -1 ? 0 : place) : (place === -1 ? tasks.length : place) - 1;
        } else {
            place += step;
        }
        this.select(tasks[(place + tasks.length) % tasks.length], true);
    }

    // Selection.

    select(task, reveal = false) {
        const {model, scale} = this;
        this.state.selected = task;
        this.gantt.selectedMessages = task === NONE ? [] : model.messagesOf(task);
        this.#showDetails();
        if (task !== NONE && reveal) {
            this.gantt.reveal(model.segments.thread[model.firstSegment(task)]);
            scale.reveal(model.begin(task), model.end(task));
        }
        this.redraw();
    }

    #showDetails() {
        this.details.show(this.state.selected, (segment) => this.gantt.colours[this.gantt.keys[segment]]);
    }

    selectAt(x, y) {
        const segment = this.gantt.segmentAt(x, y);
        const work = this.gantt.deviceWorkAt(x, y);
        this.select(work !== NONE ? this.model.deviceWork.task[work]
            : segment === NONE ? NONE : this.model.segments.task[segment]);
    }

    /** The task before or after the selected one on its thread, or the first in view. */
    selectOnThread(step) {
        const {model, model: {segments}, state: {selected}} = this;
        if (selected === NONE) {
            const first = model.threads.findIndex((thread) => thread.busy.length > 0);
            if (first !== -1) {
                const {busy} = model.threads[first];
                const place = Math.min(busy.length - 1, busy.after(this.scale.begin));
                this.select(segments.task[segments.begins[first] + place], true);
            }
            return;
        }
        const segment = step > 0 ? model.segmentsOf(selected).at(-1) : model.segmentsOf(selected)[0];
        const thread = segments.thread[segment];
        const next = segment + step;
        if (next >= segments.begins[thread] && next < segments.begins[thread + 1])
            this.select(segments.task[next], true);
    }

    /** The predecessor that ended last, or the successor that began first. */
    selectNeighbour(after) {
        const {model, state: {selected}} = this;
        if (selected === NONE)
            return;
        const tasks = after ? model.successors(selected) : model.predecessors(selected);
        const time = (task) => after ? model.begin(task) : -model.end(task);
        if (tasks.length > 0)
            this.select(tasks.reduce((best, task) => time(task) < time(best) ? task : best), true);
    }

    zoomToSelected() {
        const {model, state: {selected}, scale} = this;
        if (selected === NONE)
            return;
        const [begin, end] = [model.begin(selected), model.end(selected)];
        const room = Math.max(end - begin, SHORTEST);
        scale.show(begin - room, end + room);
    }

    // Hover.

    hover(x, y) {
        const {model, gantt, elements} = this;
        const segment = gantt.segmentAt(x, y);
        const call = this.state.calls ? gantt.callAt(x, y) : NONE;
        const work = gantt.deviceWorkAt(x, y);
        const canSelect = segment !== NONE || (work !== NONE && model.deviceWork.task[work] !== NONE);
        elements.gantt.style.cursor = canSelect ? 'pointer' : '';
        const lines = work === NONE ? [] : this.#ofDeviceWork(work);
        const doing = segment === NONE ? gantt.doingAt(x, y) : NONE;
        if (doing !== NONE) {
            const {track, place} = doing;
            lines.push(element('b', {textContent: model.doingLabel(doing.doing)}), element('br'),
                       `${duration(track.end[place] - track.begin[place])}, from ${moment(model.since(track.begin[place]))}`);
        }
        if (segment !== NONE) {
            const task = model.segments.task[segment];
            const length = model.segments.end[segment] - model.segments.begin[segment];
            lines.push(element('b', {textContent: model.label(task)}),
                       `#${model.id(task)}, ${model.threadName(model.segments.thread[segment])}, iteration ${model.tasks.iteration[task]}`, element('br'),
                       `${duration(length)}, from ${moment(model.since(model.segments.begin[segment]))}`, element('br'),
                       `waited ${duration(model.segments.waited[segment])} to run`);
        }
        if (call !== NONE) {
            if (lines.length > 0)
                lines.push(element('br'));
            lines.push(`in ${model.kindLabel(model.callFunction[call])}`);
        }
        this.#tip(elements.gantt, x, y, lines);
    }

    #ofDeviceWork(work) {
        const {model, model: {deviceWork: {begin, end, what, kind, task, bytes: of, held}}} = this;
        const lines = [element('b', {textContent: model.kindLabel(kind[work])}),
                       what[work] === DEVICE_KERNEL ? '' : `${bytes(of[work])}, `,
                       `${duration(end[work] - begin[work])}, from ${moment(model.since(begin[work]))}`];
        if (held[work] > 0)
            lines.push(element('br'), `its call took ${duration(held[work])}`);
        if (task[work] !== NONE)
            lines.push(element('br'), `of #${model.id(task[work])}, ${model.label(task[work])}`);
        return lines;
    }

    hoverChart(canvas, x, y) {
        const {scale, model, charts, state} = this;
        if (x < scale.left || x > scale.left + scale.width) {
            this.leave();
            return;
        }
        const begin = scale.time(x - STEP);
        const end = scale.time(x + STEP);
        const lines = [element('b', {textContent: moment(model.since(scale.time(x)))})];
        if (canvas === this.elements.breakdown) {
            const {work, overhead, code} = breakdown(charts.threadsOf(state.rank), begin, end, STEP);
            lines.push(`work ${percent(work[0])}, overhead ${percent(overhead[0])}, code outside tasks ${percent(code[0])}, idle ${percent(Math.max(0, 1 - work[0] - overhead[0] - code[0]))}`);
        } else {
            const share = charts.overlapWithin(state.rank, begin, end);
            lines.push(share === null ? 'nothing in flight' : `overlap ${percent(share)}`);
        }
        this.#tip(canvas, x, y, lines);
    }

    #tip(canvas, x, y, lines) {
        const {tooltip} = this.elements;
        tooltip.hidden = lines.length === 0;
        if (tooltip.hidden)
            return;
        tooltip.replaceChildren(...lines);
        const width = byId('timeline').clientWidth;
        const left = canvas.offsetLeft + x + 14;
        tooltip.style.left = `${left + tooltip.offsetWidth > width ? Math.max(0, left - 28 - tooltip.offsetWidth) : left}px`;
        tooltip.style.top = `${canvas.offsetTop + y + 16}px`;
    }

    leave() { this.elements.tooltip.hidden = true; }
}

(async () => {
    const loading = byId('loading');
    try {
        const summary = JSON.parse(byId('summary').textContent);
        const columns = await readColumns(summary.columns, byId('columns').textContent);
        byId('columns').remove();
        // For the console, and for scripts that drive the page.
        window.loomp = new App(new Model(summary, columns));
        loading.remove();
        document.documentElement.dataset.ready = 'true';
    } catch (problem) {
        loading.textContent = `This trace cannot be shown: ${problem.message}`;
        throw problem;
    }
})();
