// The tables below the charts. Each can be sorted by any of its columns.

/**
 * A column: `title`, `value` of a row, and, where they are not numbers to be shown as they are, `show`
 * (a text or an element) and `text: true`. The one with `sorted` comes with the highest values first.
 */
class Table {
    constructor(table, columns, rows) {
        Object.assign(this, {columns, rows, body: element('tbody')});
        this.headers = columns.map((column, i) => element('th', {scope: 'col', className: column.text ? 'text' : ''},
            element('button', {type: 'button', textContent: column.title, title: column.hint ?? '', onclick: () => this.sort(i)})));
        table.replaceChildren(element('thead', {}, element('tr', {}, this.headers)), this.body);
        const sorted = columns.findIndex((column) => column.sorted);
        if (sorted >= 0)
            this.sort(sorted);
        else
            this.#fill();
    }

    sort(by) {
        const {text, value} = this.columns[by];
        const up = this.by === by ? !this.up : Boolean(text);
        Object.assign(this, {by, up});
        const compare = text ? (a, b) => String(value(a)).localeCompare(String(value(b)), undefined, {numeric: true})
            : (a, b) => value(a) - value(b);
        this.rows.sort((a, b) => (up ? 1 : -1) * compare(a, b));
        this.headers.forEach((header, i) => {
            if (i === by)
                header.setAttribute('aria-sort', up ? 'ascending' : 'descending');
            else
                header.removeAttribute('aria-sort');
        });
        this.#fill();
    }

    #fill() {
        this.body.replaceChildren(...this.rows.map((row) => element('tr', {}, this.columns.map((column) => {
            const shown = (column.show ?? column.value)(row);
            return element('td', {className: column.text ? 'text' : ''}, shown instanceof Node ? shown : String(shown));
        }))));
    }
}

function shareBar(share) {
    const bar = element('i');
    bar.style.width = `${100 * Math.min(1, share)}%`;
    return element('span', {}, percent(share), element('span', {className: 'bar', ariaHidden: 'true'}, bar));
}

/** `find` is called with the kind whose tasks are asked for. */
function kindTable(table, model, find) {
    const {kindTable: rows, path} = model.summary;
    const work = rows.reduce((sum, row) => sum + row.work, 0);
    const label = (row) => model.kindLabel(row.kind ?? NONE);
    rows.forEach((row, i) => { row.colour = category(i); });
    const time = (name, key, hint) => ({title: `${name}, \u00b5s`, value: (row) => row[key], show: (row) => microseconds(row[key]), hint});
    return new Table(table, [
        {title: 'Kind', text: true, value: label, show: (row) => element('span', {}, swatch(row.colour),
            element('button', {type: 'button', textContent: label(row), title: 'Find its tasks', onclick: () => find(row.kind ?? NONE)}))},
        {title: 'Source', text: true, value: (row) => row.kind === null ? '' : model.kinds[row.kind].source},
        {title: 'Tasks', value: (row) => row.count, show: (row) => count(row.count)},
        {title: 'Work, s', value: (row) => row.work, show: (row) => seconds(row.work), sorted: true},
        {title: 'of all work', value: (row) => row.work, show: (row) => shareBar(work > 0 ? row.work / work : 0)},
        time('Mean', 'mean', 'The grain: work of a task'),
        time('Shortest', 'shortest'), time('Median', 'median'), time('Longest', 'longest'),
        {title: 'of critical path', value: (row) => row.path,
         show: (row) => shareBar(path?.length > 0 ? row.path / path.length : 0)},
    ], rows.slice());
}

/** Of the program's threads. */
function threadRows(model) {
    return model.summary.threads.map((row, i) => ({...row, name: model.threadName(i)})).filter(({standsIn}) => !standsIn);
}

function threadTable(table, model) {
    const total = ({work, overhead, idle}) => Math.max(1, work + overhead + idle);
    const share = (title, key, sorted) => ({title, sorted, value: (row) => row[key] / total(row), show: (row) => shareBar(row[key] / total(row))});
    return new Table(table, [
        {title: 'Thread', text: true, sorted: true, value: (row) => row.name},
        {title: 'Segments', value: (row) => row.segments, show: (row) => count(row.segments), hint: 'Tasks, each as often as it began or resumed'},
        {title: 'Work, s', value: (row) => row.work, show: (row) => seconds(row.work)},
        share('Work', 'work'), share('Overhead', 'overhead'), share('Idle', 'idle'),
    ], threadRows(model));
}

/** Of the whole run, what each thread did, whether or not in tasks. */
function runTable(table, model) {
    const total = ({run}) => Math.max(1, run.reduce((sum, time) => sum + time, 0));
    return new Table(table, [
        {title: 'Thread', text: true, sorted: true, value: (row) => row.name},
        ...DOING_NAMES.map((title, what) => ({title, value: (row) => row.run[what] / total(row), show: (row) => shareBar(row.run[what] / total(row))})),
    ], threadRows(model));
}

function constructTable(table, model) {
    return new Table(table, [
        {title: 'Construct', text: true, value: (row) => model.kindLabel(row.kind)},
        {title: 'Source', text: true, value: (row) => model.kinds[row.kind].source},
        {title: 'Count', value: (row) => row.count, show: (row) => count(row.count), hint: 'How often a team came to it'},
        {title: 'Threads', value: (row) => row.threads},
        {title: 'Time, s', value: (row) => row.time, show: (row) => seconds(row.time), sorted: true, hint: 'From the first member\'s beginning to the last one\'s end; of barriers, what threads waited'},
        {title: 'Work, s', value: (row) => row.work, show: (row) => seconds(row.work), hint: 'Of all threads'},
        {title: 'Waiting, s', value: (row) => row.waiting, show: (row) => seconds(row.waiting), hint: 'In barriers, of all threads'},
        {title: 'Imbalance', value: (row) => row.imbalance, show: (row) => row.barrier ? '' : shareBar(row.imbalance), hint: 'Of the longest work, what is above the average'},
    ], model.summary.constructTable.slice());
}

/** Regions that the program names. */
function namedTable(table, model) {
    const time = (name, key) => ({title: `${name}, \u00b5s`, value: (row) => row[key], show: (row) => microseconds(row[key])});
    return new Table(table, [
        {title: 'Region', text: true, value: (row) => model.kindLabel(row.kind)},
        {title: 'Count', value: (row) => row.count, show: (row) => count(row.count)},
        {title: 'Time, s', value: (row) => row.time, show: (row) => seconds(row.time), sorted: true, hint: 'From beginnings to ends'},
        {title: 'On thread, s', value: (row) => row.onThread, show: (row) => seconds(row.onThread), hint: 'Of it, while the task had a thread; outside of tasks, without the tasks that ran meanwhile'},
        time('Mean', 'mean'), time('Shortest', 'shortest'), time('Longest', 'longest'),
    ], model.summary.namedTable.slice());
}

function rankTable(table, model) {
    return new Table(table, [
        {title: 'Rank', value: (row) => row.rank},
        {title: 'Messages', value: (row) => row.messages, show: (row) => count(row.messages), hint: 'Sent to other ranks'},
        {title: 'Collectives', value: (row) => row.collectives, show: (row) => count(row.collectives)},
        {title: 'In flight, s', value: (row) => row.flight, show: (row) => seconds(row.flight), hint: 'Messages and collectives, summed'},
        {title: 'Overlap', value: (row) => row.overlap, show: (row) => shareBar(row.overlap), hint: 'Share of the threads that compute while messages and collectives are in flight'},
        {title: 'r_comm', value: (row) => row.communicating, show: (row) => row.communicating.toFixed(3), hint: 'Time with a thread in MPI, over the makespan'},
        {title: 'r_in_flight', value: (row) => row.inFlight, show: (row) => row.inFlight.toFixed(3), hint: 'Time with a request in flight, over the makespan'},
        {title: 'r_act', value: (row) => row.active, show: (row) => row.active.toFixed(3), hint: 'Code of tasks, over makespan times threads'},
    ], model.summary.ranks.map((row, rank) => ({...row, rank})));
}

function deviceTable(table, model) {
    const time = (title, key, hint) => ({title: `${title}, s`, value: (row) => row[key], show: (row) => seconds(row[key]), hint});
    const size = (title, key) => ({title, value: (row) => row[key], show: (row) => bytes(row[key])});
    return new Table(table, [
        {title: 'Device', text: true, value: (row) => `${model.ranks > 1 ? `rank ${row.rank} ` : ''}device ${row.device}`},
        {title: 'Kernels', value: (row) => row.kernels, show: (row) => count(row.kernels)},
        time('Kernels', 'kernelTime', 'Summed, also of those at once'),
        {title: 'Copies', value: (row) => row.copies, show: (row) => count(row.copies)},
        time('Copies', 'copyTime', 'Summed, also of those at once'),
        size('to it', 'bytesTo'), size('from it', 'bytesFrom'),
        time('Held up', 'held', 'Threads that asked for copies'),
        time('Busy', 'busy', 'Something was in flight'),
        {title: 'Overlap', value: (row) => row.overlap, show: (row) => shareBar(row.overlap), hint: 'Of the time in which it was busy, while tasks of its rank ran on processors'},
    ], model.summary.deviceTable.slice());
}

function functionTable(table, model) {
    return new Table(table, [
        {title: 'Function', text: true, value: (row) => model.kindLabel(row.kind ?? NONE)},
        {title: 'Calls', value: (row) => row.count, show: (row) => count(row.count)},
        {title: 'Time, s', value: (row) => row.time, show: (row) => seconds(row.time), sorted: true, hint: 'From calls to their returns'},
        {title: 'On thread, s', value: (row) => row.onThread, show: (row) => seconds(row.onThread), hint: 'Of it, while the task had a thread'},
    ], model.summary.functionTable.slice());
}

/** Those of one title are one article, of which the one that gains most is seen. */
function showFindings(place, findings) {
    const groups = new Map();
    for (const finding of findings.toSorted((a, b) => b.gain - a.gain))
        groups.set(finding.title, [...groups.get(finding.title) ?? [], finding]);
    const gain = (finding) => finding.gain > 0 ? `gain about ${duration(1e9 * finding.gain)}` : '';
    const others = (rest) => element('details', {},
        element('summary', {textContent: `and ${count(rest.length)} more of this kind`}),
        rest.map((finding) => element('p', {}, element('b', {textContent: `${finding.place}: `}), finding.text,
            element('span', {className: 'place', textContent: finding.gain > 0 ? ` (${gain(finding)})` : ''}))));
    place.replaceChildren(...[...groups.values()].map(([most, ...rest]) => element('article', {}, element('h3', {}, most.title,
        element('span', {className: 'place', textContent: most.place}),
        element('span', {className: 'gain', textContent: gain(most)})),
        element('p', {textContent: most.text}), rest.length > 0 ? others(rest) : null)));
    if (findings.length === 0)
        place.append(element('p', {className: 'none', textContent: 'Nothing was found that would save time.'}));
}
