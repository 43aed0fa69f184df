// Charts of the threads' activities over time and of the communication's overlap. A chart of the
// whole run shows which part the others cover.

const STEP = 2; // pixels per step

/** The shares of work, overhead and code outside tasks in `threads`' time, per step of `width`
   pixels. */
function breakdown(threads, begin, end, width) {
    const steps = Math.max(1, Math.floor(width / STEP));
    const row = new Row(steps);
    const work = new Float32Array(steps);
    const overhead = new Float32Array(steps);
    const code = new Float32Array(steps);
    for (const thread of threads) {
        for (const [track, sums] of [[thread.busy, work], [thread.overhead, overhead], [thread.code, code]]) {
            track.sample(begin, (end - begin) / steps, row);
            for (let i = 0; i < steps; ++i)
                sums[i] += row.share[i] / threads.length;
        }
    }
    // Code outside of tasks is overhead while a task is ready.
    for (let i = 0; i < steps; ++i)
        code[i] = Math.max(0, Math.min(code[i], 1 - work[i] - overhead[i]));
    return {steps, work, overhead, code};
}

/** Overlap from `begin` to `end`, by the parts of the makespan in it; null if nothing is in flight. */
function overlapWithin(model, rank, begin, end) {
    const {parts, work, flight} = model.overlap;
    const part = (model.makespan[1] - model.makespan[0]) / parts;
    const first = Math.max(0, Math.floor(model.since(begin) / part));
    const last = Math.min(parts - 1, Math.max(first, Math.ceil(model.since(end) / part) - 1));
    let done = 0;
    let possible = 0;
    for (let r = 0; r < model.ranks; ++r) {
        if (rank !== NONE && r !== rank)
            continue;
        for (let i = first; i <= last; ++i) {
            done += work[r * parts + i];
            possible += flight[r * parts + i] * model.threadsOfRank[r];
        }
    }
    return possible > 0 ? done / possible : null;
}

class Charts {
    constructor(elements, model, scale) {
        Object.assign(this, {elements, model, scale});
    }

    threadsOf(rank) {
        return this.model.threads.filter((thread) => !thread.standsIn && (rank === NONE || thread.rank === rank));
    }

    overlapWithin(rank, begin, end) { return overlapWithin(this.model, rank, begin, end); }

    draw(state, theme) {
        this.#drawOverview(theme);
        this.#drawBreakdown(state, theme);
        if (this.model.overlap.parts > 0)
            this.#drawOverlap(state, theme);
    }

    #areas(context, theme, {steps, work, overhead, code}, left, top, width, height) {
        const step = width / steps;
        context.fillStyle = cssOf(theme.idle);
        context.fillRect(left, top, width, height);
        const area = (colour, heightOf) => {
            context.fillStyle = cssOf(colour);
            context.beginPath();
            context.moveTo(left, top + height);
            for (let i = 0; i < steps; ++i) {
                const y = top + height * (1 - Math.min(1, heightOf(i)));
                context.lineTo(left + i * step, y);
                context.lineTo(left + (i + 1) * step, y);
            }
            context.lineTo(left + width, top + height);
            context.fill();
        };
        area(theme.code, (i) => work[i] + overhead[i] + code[i]);
        area(theme.overhead, (i) => work[i] + overhead[i]);
        area(theme.work, (i) => work[i]);
    }

    #drawOverview(theme) {
        const size = prepare(this.elements.overview);
        if (!size)
            return;
        const {context, width, height} = size;
        const {scale, model} = this;
        context.fillStyle = cssOf(theme.ground);
        context.fillRect(0, 0, width, height);
        if (this.wholeWidth !== scale.width) {
            this.whole = breakdown(this.threadsOf(NONE), 0, model.length, scale.width);
            this.wholeWidth = scale.width;
        }
        const bottom = height - 14;
        this.#areas(context, theme, this.whole, scale.left, 4, scale.width, bottom - 4);
        context.fillStyle = cssOf(theme.muted);
        context.font = '11px system-ui, sans-serif';
        context.textBaseline = 'middle';
        context.fillText('whole run', 4, bottom / 2);
        const before = model.makespan[0] > 0 ? `\u2212${duration(model.makespan[0])}` : '0';
        const text = duration(model.length - model.makespan[0]);
        context.fillText(before, scale.left, height - 6);
        context.fillText(text, scale.left + scale.width - context.measureText(text).width, height - 6);
        const x = (time) => scale.left + scale.width * Math.min(1, Math.max(0, time / model.length));
        const [from, until] = [x(scale.begin), x(scale.end)];
        context.fillStyle = cssOf(theme.ground, 0.6);
        context.fillRect(scale.left, 4, from - scale.left, bottom - 4);
        context.fillRect(until, 4, scale.left + scale.width - until, bottom - 4);
        context.strokeStyle = cssOf(theme.select);
        context.lineWidth = 2;
        context.strokeRect(from, 3, Math.max(2, until - from), bottom - 2);
    }

    /** The frame of a chart of shares: axis and half-way line. */
    #frame(context, theme, {width, height}) {
        const {scale} = this;
        const bottom = height - 18;
        context.fillStyle = cssOf(theme.ground);
        context.fillRect(0, 0, width, height);
        context.font = '11px system-ui, sans-serif';
        context.textBaseline = 'middle';
        context.textAlign = 'right';
        context.fillStyle = cssOf(theme.muted);
        for (const share of [0, 0.5, 1])
            context.fillText(`${100 * share}${THIN}%`, scale.left - 6, 6 + (bottom - 6) * (1 - share));
        context.textAlign = 'left';
        for (const {time, text} of scale.ticks(this.model.makespan[0]))
            if (scale.x(time) >= scale.left)
                label(context, scale, theme, scale.x(time), height - 8, text);
        return {top: 6, bottom};
    }

    #gridOver(context, theme, top, bottom) {
        const {scale, model} = this;
        context.strokeStyle = cssOf(theme.ink, 0.15);
        context.lineWidth = 1;
        context.beginPath();
        for (const {time} of scale.ticks(model.makespan[0])) {
            const x = Math.round(scale.x(time)) + 0.5;
            if (x >= scale.left) {
                context.moveTo(x, top);
                context.lineTo(x, bottom + 5);
            }
        }
        const half = Math.round((top + bottom) / 2) + 0.5;
        context.moveTo(scale.left, half);
        context.lineTo(scale.left + scale.width, half);
        context.stroke();
    }

    #drawBreakdown({rank}, theme) {
        const size = prepare(this.elements.breakdown);
        if (!size)
            return;
        const {scale} = this;
        const {top, bottom} = this.#frame(size.context, theme, size);
        this.#areas(size.context, theme, breakdown(this.threadsOf(rank), scale.begin, scale.end, scale.width),
                    scale.left, top, scale.width, bottom - top);
        this.#gridOver(size.context, theme, top, bottom);
    }

    #drawOverlap({rank}, theme) {
        const size = prepare(this.elements.overlap);
        if (!size)
            return;
        const {scale, model} = this;
        const {context} = size;
        const {top, bottom} = this.#frame(context, theme, size);
        context.fillStyle = cssOf(theme.lane);
        context.fillRect(scale.left, top, scale.width, bottom - top);
        for (let x = 0; x < scale.width; x += STEP) {
            const begin = scale.begin + x * scale.perPixel;
            if (begin < model.makespan[0] || begin >= model.makespan[1])
                continue;
            const share = this.overlapWithin(rank, begin, begin + STEP * scale.perPixel);
            if (share === null)
                continue;
            context.fillStyle = cssOf(theme.work, 0.25);
            context.fillRect(scale.left + x, top, STEP, bottom - top);
            context.fillStyle = cssOf(theme.work);
            context.fillRect(scale.left + x, bottom - share * (bottom - top), STEP, Math.max(1, share * (bottom - top)));
        }
        this.#gridOver(context, theme, top, bottom);
    }
}
