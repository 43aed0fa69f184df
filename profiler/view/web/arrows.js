// Draws connections of tasks in the Gantt chart: messages, the critical path, and the predecessors
// and successors of the selected task.

const MOST_MESSAGES = 600;  // in one view; if there are more, every n-th is drawn
const MOST_PIECES = 3000;   // on the critical path
const MOST_NEIGHBOURS = 400;

class Arrows {
    constructor(gantt) { this.gantt = gantt; }

    draw(context, state, theme) {
        context.lineJoin = 'round';
        if (state.messages)
            this.#drawMessages(context, theme, state.path ? 0.4 : 1);
        if (state.path)
            this.#drawPath(context, theme);
        if (state.selected !== NONE)
            this.#drawSelected(context, state, theme);
    }

    #line(context, fromThread, fromTime, toThread, toTime, head) {
        const {gantt, gantt: {scale}} = this;
        const x = scale.x(fromTime), y = gantt.middle(fromThread);
        const toX = scale.x(toTime), toY = gantt.middle(toThread);
        context.moveTo(x, y);
        context.lineTo(toX, toY);
        const length = Math.hypot(toX - x, toY - y);
        if (!head || length < 10)
            return;
        const [u, v] = [(toX - x) / length * 7, (toY - y) / length * 7];
        context.moveTo(toX - u - v / 2, toY - v + u / 2);
        context.lineTo(toX, toY);
        context.lineTo(toX - u + v / 2, toY - v - u / 2);
    }

    /** Positions of the messages in view, in the order of their sends. */
    messagesInView() {
        const {model: {messages}, scale} = this.gantt;
        let low = 0;
        let high = messages.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (messages.latest[middle] < scale.begin)
                low = middle + 1;
            else
                high = middle;
        }
        const found = [];
        for (let i = low; i < messages.length && messages.sent[i] <= scale.end; ++i)
            if (messages.received[i] >= scale.begin)
                found.push(i);
        return found;
    }

    #drawMessages(context, theme, strength) {
        const {messages} = this.gantt.model;
        const found = this.messagesInView();
        const every = Math.ceil(found.length / MOST_MESSAGES);
        this.shownMessages = {inView: found.length, every};
        const drawn = Math.ceil(found.length / Math.max(1, every));
        context.strokeStyle = cssOf(theme.ink, strength * Math.min(0.75, Math.max(0.12, 40 / drawn)));
        context.lineWidth = 1;
        context.beginPath();
        for (let k = 0; k < found.length; k += every) {
            const i = found[k];
            this.#line(context, messages.from[i], messages.sent[i], messages.to[i], messages.received[i], drawn <= 250);
        }
        context.stroke();
    }

    #drawPath(context, theme) {
        const {model: {path}, scale} = this.gantt;
        const pieces = [];
        for (let i = 0; i < path.length; ++i)
            if (path.end[i] >= scale.begin && path.begin[i] <= scale.end)
                pieces.push(i);
        if (pieces.length === 0 || pieces.length > MOST_PIECES)
            return;
        context.strokeStyle = cssOf(theme.path, 0.9);
        context.lineWidth = 1.5;
        context.beginPath();
        const first = Math.max(0, pieces[0] - 1);
        const last = Math.min(path.length - 1, pieces.at(-1) + 1);
        for (let i = first; i < last; ++i)
            if (path.begin[i + 1] > path.end[i] || path.thread[i] !== path.thread[i + 1])
                this.#line(context, path.thread[i], path.end[i], path.thread[i + 1], path.begin[i + 1], false);
        context.stroke();
    }

    #frame(context, task, colour, width) {
        const {gantt, gantt: {scale, model}} = this;
        context.strokeStyle = cssOf(colour);
        context.lineWidth = width;
        const around = ({begin, end}, i, top) => {
            const x = scale.x(begin[i]);
            const until = scale.x(end[i]);
            if (until >= scale.left - 4 && x <= scale.left + scale.width + 4)
                context.strokeRect(x, top + 1, Math.max(2, until - x), gantt.lane - 2);
        };
        for (const segment of model.segmentsOf(task))
            around(model.segments, segment, gantt.top(model.segments.thread[segment]));
        for (const work of model.deviceWorkOf(task))
            around(model.deviceWork, work, gantt.topOfDevice(model.deviceWork.lane[work]));
    }

    #drawSelected(context, {selected}, theme) {
        const {model, model: {segments, messages}} = this.gantt;
        const end = (task) => {
            const segment = model.segmentsOf(task).at(-1);
            return [segments.thread[segment], segments.end[segment]];
        };
        const begin = (task) => {
            const segment = model.segmentsOf(task)[0];
            return [segments.thread[segment], segments.begin[segment]];
        };
        const connect = (tasks, colour, line) => {
            const shown = tasks.slice(0, MOST_NEIGHBOURS);
            for (const task of shown)
                this.#frame(context, task, colour, 2);
            context.lineWidth = 1.5;
            context.beginPath();
            for (const task of shown)
                line(task);
            context.stroke();
        };
        connect(model.predecessors(selected), theme.before,
            (task) => this.#line(context, ...end(task), ...begin(selected), true));
        connect(model.successors(selected), theme.after,
            (task) => this.#line(context, ...end(selected), ...begin(task), true));
        context.strokeStyle = cssOf(theme.call);
        context.lineWidth = 2;
        context.beginPath();
        for (const i of this.gantt.selectedMessages ?? [])
            this.#line(context, messages.from[i], messages.sent[i], messages.to[i], messages.received[i], true);
        context.stroke();
        this.#frame(context, selected, theme.ground, 5);
        this.#frame(context, selected, theme.select, 3);
    }
}
