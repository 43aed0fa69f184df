// The tables below the charts, which any column can sort.

/**A column: `title`, `value` of a row, and, unless the values are plain numbers, `show` (a text or
 * an element) and `text: true`. The column with `sorted` begins with the highest values.
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

/** The format of each unit (profiler/metrics/tables.h). */
const SHOWN = {text: String, count, seconds, microseconds, share: shareBar, number: (value) => value.toFixed(2),
               ratio: (value) => value.toFixed(3), bytes};

/** A table of `summary.tables`. `sorted` is the title of the column that sorts its rows; the other
   arguments define how labels are shown. */
function figureTable(table, {title, columns, rows}, {sorted, label = (row) => row.label, show} = {}) {
    return new Table(table, [
        {title, text: true, value: label, show},
        ...columns.map(({title, hint, unit}, i) => ({title, hint, text: unit === 'text', sorted: title === sorted,
            value: ({values}) => values[i] ?? '', show: ({values}) => values[i] === null ? '' : SHOWN[unit](values[i])})),
    ], rows.slice());
}

/** `find` is called with the kind whose tasks are requested. */
function kindTable(table, model, find) {
    const {kinds} = model.summary.tables;
    kinds.rows.forEach((row, i) => { row.colour = category(i); });
    return figureTable(table, kinds, {sorted: 'Work, s', show: (row) => element('span', {}, swatch(row.colour),
        element('button', {type: 'button', textContent: row.label, title: 'Find its tasks', onclick: () => find(row.kind ?? NONE)}))});
}

/** The program's threads. */
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

/** The activities of each thread in the whole run, inside and outside tasks. */
function runTable(table, model) {
    const total = ({run}) => Math.max(1, run.reduce((sum, time) => sum + time, 0));
    return new Table(table, [
        {title: 'Thread', text: true, sorted: true, value: (row) => row.name},
        ...DOING_NAMES.map((title, what) => ({title, value: (row) => row.run[what] / total(row), show: (row) => shareBar(row.run[what] / total(row))})),
    ], threadRows(model));
}

/** Findings of one title are one article, which shows the one that gains most. Faults have no gain, and come first. */
function showFindings(place, findings) {
    const groups = new Map();
    for (const finding of findings.toSorted((a, b) => (b.gain || Infinity) - (a.gain || Infinity) || 0))
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
