// The Gantt chart: a lane for each thread, then one for each row of the rank's devices. Each pixel
// shows how much of it tasks cover, in the colour with the most time. Large tasks get edges and
// names.

const AXIS = 24;          // height of the time axis
const LANE_LEAST = 9;     // heights of a lane
const LANE_MOST = 44;
const RANK_GAP = 7;
const FAINTEST = 0.3;     // the faintest colour of tasks in a pixel, however short
const EDGED = 5;          // pixels: tasks as wide as this have an edge
const NAMED = 46;         // and a name
const CALLS_SHARE = 0.28; // share of a lane's height

const packed = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;

/** `share` of colour `b` over colour `a`, both packed. */
function mix(a, b, share) {
    const of = 256 * share | 0;
    const rest = 256 - of;
    return (255 << 24
        | (((a >> 16 & 255) * rest + (b >> 16 & 255) * of) >> 8) << 16
        | (((a >> 8 & 255) * rest + (b >> 8 & 255) * of) >> 8) << 8
        | ((a & 255) * rest + (b & 255) * of) >> 8) >>> 0;
}

/** A canvas with the screen's resolution; null while it has no size. */
function prepare(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (width === 0 || height === 0)
        return null;
    if (canvas.width !== width || canvas.height !== height)
        Object.assign(canvas, {width, height});
    const context = canvas.getContext('2d', {alpha: false});
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return {context, ratio, width: canvas.clientWidth, height: canvas.clientHeight};
}

function drawAxis(context, scale, zero, theme, height, bottom) {
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.lineWidth = 1;
    for (const {time, text} of scale.ticks(zero)) {
        const x = Math.round(scale.x(time)) + 0.5;
        if (x < scale.left)
            continue;
        context.strokeStyle = cssOf(theme.line);
        context.beginPath();
        context.moveTo(x, height - 6);
        context.lineTo(x, bottom);
        context.stroke();
        label(context, scale, theme, x, height / 2 - 1, text);
    }
}

/** Draws text next to a mark of the time axis, if there is space. */
function label(context, scale, theme, x, y, text) {
    if (x + 4 + context.measureText(text).width > scale.left + scale.width)
        return;
    context.fillStyle = cssOf(theme.muted);
    context.fillText(text, x + 4, y);
}

class Gantt {
    constructor(canvas, model, scale) {
        Object.assign(this, {canvas, model, scale, scroll: 0, arrows: new Arrows(this)});
        const {threads, deviceLanes, ranks} = model;
        // Lanes from top to bottom: a thread, or one of a device.
        this.lanes = [];
        for (let of = 0; of < ranks; ++of) {
            threads.forEach(({rank}, thread) => rank === of && this.lanes.push({rank, thread, device: NONE}));
            deviceLanes.forEach(({rank}, device) => rank === of && this.lanes.push({rank, thread: NONE, device}));
        }
        this.laneOfThread = [];
        this.laneOfDevice = [];
        this.lanes.forEach(({thread, device}, i) => {
            if (thread === NONE)
                this.laneOfDevice[device] = i;
            else
                this.laneOfThread[thread] = i;
        });
        const {what, begins} = model.deviceWork;
        this.deviceDominance = deviceLanes.map(({track}, i) =>
            new Dominance(track, what.subarray(begins[i], begins[i + 1]), DEVICE_NAMES.length));
        this.colourBy('kind');
    }

    colourBy(name) {
        this.colouring = COLOURINGS[name](this.model);
        const {segments, threads} = this.model;
        const keys = new Uint32Array(segments.task.length);
        for (let i = 0; i < keys.length; ++i)
            keys[i] = this.colouring.key(i);
        this.keys = keys;
        this.colours = Array.from({length: this.colouring.keys}, (_, i) => this.colouring.colour(i));
        this.packedColours = Uint32Array.from(this.colours, packed);
        this.dominance = threads.map((thread, i) =>
            new Dominance(thread.busy, keys.subarray(segments.begins[i], segments.begins[i + 1]), this.colouring.keys));
        this.matching &&= this.#tracksOf(this.matches);
        this.#keyDoings();
    }

    /** Constructs have the colours after those of kinds, in the order of the table. */
    #keyDoings() {
        const {threads, doings, summary} = this.model;
        const kinds = summary.tables.kinds.rows.length;
        this.constructKeys = new Map(summary.constructs.map((kind, i) => [kind, DOING_NAMES.length + kinds + i]));
        const count = DOING_NAMES.length + kinds + this.constructKeys.size;
        this.doingKeys = Uint32Array.from(doings.what, (what, i) =>
            what === DOING_SHARED || what === DOING_REGIONS ? this.constructKeys.get(doings.construct[i]) ?? what : what);
        this.doingDominance = threads.map((thread, i) =>
            new Dominance(thread.doings, this.doingKeys.subarray(doings.begins[i], doings.begins[i + 1]), count));
    }
    doingColour(key, theme) {
        if (key >= DOING_NAMES.length)
            return category(key - DOING_NAMES.length);
        const pale = theme.call.map((part, i) => Math.round(0.35 * part + 0.65 * theme.lane[i]));
        return {[DOING_MPI]: pale, [DOING_WAITING]: theme.dim}[key] ?? theme.code;
    }
    /** The meaning of the visible colours. */
    doingLegend(theme) {
        const {summary, kinds} = this.model;
        const entries = [...this.constructKeys].slice(0, 8)
            .map(([kind, key]) => ({colour: this.doingColour(key, theme), text: kinds[kind].label}));
        const any = (whats) => summary.threads.some(({run}) => whats.some((what) => run[what] > 0));
        if (any([DOING_MPI]))
            entries.push({colour: this.doingColour(DOING_MPI, theme), text: 'in MPI outside of tasks'});
        if (any([DOING_SERIAL]))
            entries.push({colour: theme.code, text: 'serial code'});
        if (any([DOING_WAITING]))
            entries.push({colour: theme.dim, text: 'waiting'});
        return entries;
    }

    /** Greys out everything outside `matches`, a flag for each task; null clears this. */
    filter(matches) {
        this.matches = matches;
        this.matching = matches && this.#tracksOf(matches);
    }

    #tracksOf(matches) {
        const {segments, threads, deviceWork, deviceLanes} = this.model;
        const choose = ({begins, begin, end, task}, lane, keyOf, keysCount) => {
            const chosen = [];
            for (let i = begins[lane]; i < begins[lane + 1]; ++i)
                if (task[i] !== NONE && matches[task[i]])
                    chosen.push(i);
            const track = new Track(Float64Array.from(chosen, (i) => begin[i]),
                                    Float64Array.from(chosen, (i) => end[i]));
            return {track, dominance: new Dominance(track, Uint32Array.from(chosen, (i) => keyOf[i]), keysCount)};
        };
        return {
            threads: threads.map((_, thread) => choose(segments, thread, this.keys, this.colouring.keys)),
            devices: deviceLanes.map((_, lane) => choose(deviceWork, lane, deviceWork.what, DEVICE_NAMES.length)),
        };
    }

    // Positions of threads and tasks.

    layOut(height) {
        const {lanes, model: {ranks}} = this;
        const room = height - AXIS - 2 - (ranks - 1) * RANK_GAP;
        this.lane = Math.min(LANE_MOST, Math.max(LANE_LEAST, Math.floor(room / Math.max(1, lanes.length))));
        this.needed = AXIS + lanes.length * this.lane + (ranks - 1) * RANK_GAP + 2;
        this.scroll = Math.max(0, Math.min(this.scroll, this.needed - height));
    }
    topOfLane(i) { return AXIS + i * this.lane + this.lanes[i].rank * RANK_GAP - this.scroll; }
    top(thread) { return this.topOfLane(this.laneOfThread[thread]); }
    topOfDevice(lane) { return this.topOfLane(this.laneOfDevice[lane]); }
    middle(thread) { return this.top(thread) + this.lane / 2; }
    #laneAt(y) {
        return y < AXIS ? undefined
            : this.lanes.find((_, i) => y >= this.topOfLane(i) && y < this.topOfLane(i) + this.lane);
    }
    threadAt(y) { return this.#laneAt(y)?.thread ?? NONE; }
    /** The segment there, or one close to it; NONE. */
    segmentAt(x, y) {
        const thread = this.threadAt(y);
        if (thread === NONE || x < this.scale.left)
            return NONE;
        const place = this.#placeAt(this.model.threads[thread].busy, x);
        return place === NONE ? NONE : this.model.segments.begins[thread] + place;
    }
    /** The device work there or close to it; NONE. */
    deviceWorkAt(x, y) {
        const lane = this.#laneAt(y)?.device ?? NONE;
        if (lane === NONE || x < this.scale.left)
            return NONE;
        const place = this.#placeAt(this.model.deviceLanes[lane].track, x);
        return place === NONE ? NONE : this.model.deviceWork.begins[lane] + place;
    }
    #placeAt(track, x) {
        const time = this.scale.time(x);
        const near = 3 * this.scale.perPixel;
        const found = track.after(time);
        const away = (i) => i < 0 || i >= track.length ? Infinity : Math.max(track.begin[i] - time, time - track.end[i], 0);
        const best = away(found - 1) < away(found) ? found - 1 : found;
        return away(best) <= near ? best : NONE;
    }
    /** The thread's activity outside of tasks there; NONE. */
    doingAt(x, y) {
        const thread = this.threadAt(y);
        if (thread === NONE || x < this.scale.left)
            return NONE;
        const track = this.model.threads[thread].doings;
        const time = this.scale.time(x);
        const place = track.after(time);
        return place < track.length && track.begin[place] <= time
            ? {track, place, doing: this.model.doings.begins[thread] + place} : NONE;
    }
    callAt(x, y) {
        const thread = this.threadAt(y);
        if (thread === NONE || x < this.scale.left)
            return NONE;
        const {calls} = this.model.threads[thread];
        const found = calls.after(this.scale.time(x) - this.scale.perPixel);
        return found < calls.length && calls.begin[found] <= this.scale.time(x) + this.scale.perPixel
            ? this.model.callBegins[thread] + found : NONE;
    }
    /** Scrolls so that a thread is visible. */
    reveal(thread) {
        const height = this.canvas.clientHeight;
        this.scroll = Math.max(this.scroll + Math.min(0, this.top(thread) - AXIS),
                               this.scroll + this.top(thread) + this.lane - height);
        this.layOut(height);
    }

    // Drawing.

    draw(state, theme) {
        const size = prepare(this.canvas);
        if (!size)
            return;
        const {context, width, height} = size;
        this.layOut(height);
        context.fillStyle = cssOf(theme.ground);
        context.fillRect(0, 0, width, height);
        drawAxis(context, this.scale, this.model.makespan[0], theme, AXIS, height);
        this.names = [];
        context.save();
        context.beginPath();
        context.rect(0, AXIS, width, height - AXIS);
        context.clip();
        for (let i = 0; i < this.lanes.length; ++i)
            if (this.topOfLane(i) + this.lane > AXIS && this.topOfLane(i) < height)
                this.#drawLane(size, i, state, theme);
        this.#drawNames(context, state);
        context.beginPath();
        context.rect(this.scale.left, AXIS, this.scale.width, height - AXIS);
        context.clip();
        this.arrows.draw(context, state, theme);
        context.restore();
    }

    /** Two buffers for samples. */
    #rowsOfPixels(ratio) {
        const width = Math.round(this.scale.width * ratio);
        if (this.row?.width !== width) {
            this.row = new Row(width);
            this.over = new Row(width);
        }
        return {width, perPixel: this.scale.span / width, row: this.row, over: this.over};
    }

    /** A device's lane has one colour over all of its height. */
    #deviceRow(ratio, lane, state, theme) {
        const {scale} = this;
        const {width, perPixel, row} = this.#rowsOfPixels(ratio);
        const colours = deviceColours(theme).map(packed);
        const pixels = new Uint32Array(width).fill(packed(theme.lane));
        const put = (track, dominance, fade, least) => {
            track.sample(scale.begin, perPixel, row);
            for (let x = 0; x < width; ++x)
                if (row.share[x] > 0) {
                    const begin = scale.begin + x * perPixel;
                    const colour = colours[dominance.pick(row.first[x], row.last[x], begin, begin + perPixel)];
                    pixels[x] = mix(pixels[x], fade > 0 ? mix(colour, packed(theme.dim), fade) : colour, Math.max(row.share[x], least));
                }
        };
        put(this.model.deviceLanes[lane].track, this.deviceDominance[lane], this.matching ? 1 : state.path ? 0.75 : 0, FAINTEST);
        if (this.matching) {
            const {track, dominance} = this.matching.devices[lane];
            put(track, dominance, 0, 0.6);
        }
        return pixels;
    }

    /** A thread's rows of pixels: the lane, and its lower part with MPI calls. */
    #rows(ratio, thread, state, theme) {
        const {scale, model} = this;
        const {width, perPixel, row, over} = this.#rowsOfPixels(ratio);
        const of = model.threads[thread];
        const lane = packed(theme.lane);
        const overhead = packed(theme.overhead);
        const dim = packed(theme.dim);
        const upper = new Uint32Array(width).fill(lane);
        const stripes = new Uint8Array(width);
        of.doings.sample(scale.begin, perPixel, over);
        // Pale under tasks.
        const strength = model.tasks.length === 0 ? 1 : 0.35;
        for (let x = 0; x < width; ++x)
            if (over.share[x] > 0) {
                const begin = scale.begin + x * perPixel;
                const key = this.doingDominance[thread].pick(over.first[x], over.last[x], begin, begin + perPixel);
                const colour = this.doingColour(key, theme);
                upper[x] = mix(lane, packed(colour), strength * over.share[x]);
                stripes[x] = colour.stripes ?? 0;
            }
        of.overhead.sample(scale.begin, perPixel, over);
        for (let x = 0; x < width; ++x)
            if (over.share[x] > 0)
                upper[x] = mix(upper[x], overhead, over.share[x]);

        of.busy.sample(scale.begin, perPixel, row);
        const faded = this.matching ? 1 : state.path ? 0.75 : 0;
        const put = (from, dominance, fade, least) => {
            for (let x = 0; x < width; ++x) {
                if (from.share[x] <= 0)
                    continue;
                const begin = scale.begin + x * perPixel;
                const key = fade === 1 ? 0 : dominance.pick(from.first[x], from.last[x], begin, begin + perPixel);
                const colour = fade > 0 ? mix(this.packedColours[key], dim, fade) : this.packedColours[key];
                upper[x] = mix(upper[x], colour, Math.max(from.share[x], least));
                stripes[x] = fade === 1 ? 0 : this.colours[key].stripes ?? 0;
            }
        };
        put(row, this.dominance[thread], faded, FAINTEST);
        if (this.matching) {
            const {track, dominance} = this.matching.threads[thread];
            track.sample(scale.begin, perPixel, over);
            put(over, dominance, 0, 0.6);
        }
        if (state.path) {
            of.path.sample(scale.begin, perPixel, over);
            for (let x = 0; x < width; ++x)
                if (over.share[x] > 0 && row.last[x] > row.first[x]) {
                    const begin = scale.begin + x * perPixel;
                    const key = this.dominance[thread].pick(row.first[x], row.last[x], begin, begin + perPixel);
                    upper[x] = mix(upper[x], this.packedColours[key], Math.max(over.share[x], 0.6));
                }
        }
        this.#edge(row, perPixel, ratio, upper, thread, lane);

        let lower = upper;
        if (state.calls && of.calls.length > 0) {
            lower = upper.slice();
            const call = packed(theme.call);
            of.calls.sample(scale.begin, perPixel, over);
            for (let x = 0; x < width; ++x)
                if (over.share[x] > 0)
                    lower[x] = mix(upper[x], call, Math.max(0.4, over.share[x]));
        }
        return {upper, lower, stripes};
    }

    /** Returns the row of pixels for a distance from the lane's top: the lane shows in stripes. */
    #striped(pixels, stripes, y, lane) {
        const visible = STRIPED.map((striped) => striped(y));
        if (!stripes.some((pattern) => visible[pattern]))
            return pixels;
        return pixels.map((pixel, x) => visible[stripes[x]] ? mix(pixel, lane, 0.8) : pixel);
    }

    /** Marks where wide tasks begin, and collects those with space for a name. */
    #edge(row, perPixel, ratio, pixels, thread, lane) {
        const {busy} = this.model.threads[thread];
        const wide = EDGED * ratio * perPixel;
        const named = NAMED * ratio * perPixel;
        for (let x = 0; x < row.width; ++x) {
            const last = row.last[x] - 1;
            if (last < row.first[x])
                continue;
            const length = busy.end[last] - busy.begin[last];
            const begins = busy.begin[last] >= this.scale.begin + x * perPixel;
            if (begins && length >= wide)
                pixels[x] = mix(pixels[x], lane, 0.7);
            if (length >= named && (begins || x === 0))
                this.names.push({thread, segment: this.model.segments.begins[thread] + last});
        }
    }

    #drawLane({context, ratio}, number, state, theme) {
        const {scale, model} = this;
        const {thread, device} = this.lanes[number];
        const inset = this.lane > 14 ? 2 : 1;
        const top = Math.round((this.topOfLane(number) + inset / 2) * ratio);
        const height = Math.max(1, Math.round((this.lane - inset) * ratio));
        const row = thread === NONE ? this.#deviceRow(ratio, device, state, theme) : null;
        const {upper, lower, stripes = null} = row ? {upper: row, lower: row} : this.#rows(ratio, thread, state, theme);
        if (this.image?.width !== upper.length || this.image.height !== height)
            this.image = new ImageData(upper.length, height);
        const pixels = new Uint32Array(this.image.data.buffer);
        const split = Math.round(height * (1 - CALLS_SHARE));
        const rows = Array.from({length: STRIPES_PERIOD}, (_, y) => stripes ? this.#striped(upper, stripes, y, packed(theme.lane)) : upper);
        for (let y = 0; y < height; ++y)
            pixels.set(y < split ? rows[Math.floor(y / ratio) % STRIPES_PERIOD] : lower, y * upper.length);
        // Outside the axis only, because putImageData() ignores clipping.
        const hidden = Math.max(0, Math.round(AXIS * ratio) - top);
        context.putImageData(this.image, Math.round(scale.left * ratio), top, 0, hidden, upper.length, height - hidden);
        if (state.path && thread !== NONE && model.threads[thread].path.length > 0)
            this.#underlinePath(context, thread, theme);
        if (this.lane >= 11 || number % Math.ceil(12 / this.lane) === 0) {
            context.font = `${Math.min(12, this.lane - 1 || 10)}px system-ui, sans-serif`;
            context.fillStyle = cssOf(theme.muted);
            context.textBaseline = 'middle';
            const name = thread === NONE ? model.deviceLaneName(device) : model.threadName(thread);
            context.fillText(name, 4, this.topOfLane(number) + this.lane / 2, scale.left - 8);
        }
    }

    /** A line above code on the critical path. */
    #underlinePath(context, thread, theme) {
        const {scale, model: {threads}} = this;
        const {path} = threads[thread];
        const right = scale.left + scale.width;
        const high = Math.max(2, Math.round(this.lane / 8));
        context.fillStyle = cssOf(theme.path);
        let drawn = -Infinity;
        for (let i = path.after(scale.begin); i < path.length && path.begin[i] < scale.end; ++i) {
            const from = Math.max(scale.x(path.begin[i]), drawn, scale.left);
            const until = Math.min(right, Math.max(from, scale.x(path.end[i])));
            if (scale.x(path.end[i]) < drawn)
                i = Math.max(i, path.after(scale.time(drawn), i) - 1); // many in one pixel
            else
                context.fillRect(from, this.top(thread), Math.max(1, until - from), high);
            drawn = Math.max(drawn, from + 1);
        }
    }

    #isFaded(task, {path}) {
        if (this.matches)
            return !this.matches[task];
        return path && !this.model.isOnPath(task);
    }

    #drawNames(context, state) {
        if (this.lane < 13)
            return;
        const {scale, model} = this;
        context.font = '11px system-ui, sans-serif';
        context.textBaseline = 'middle';
        for (const {thread, segment} of this.names) {
            const from = Math.max(scale.left, scale.x(model.segments.begin[segment])) + 5;
            const room = Math.min(scale.left + scale.width, scale.x(model.segments.end[segment])) - from - 4;
            if (room < NAMED - 16 || this.#isFaded(model.segments.task[segment], state))
                continue;
            context.fillStyle = bright(this.colours[this.keys[segment]]) ? '#101418' : '#ffffff';
            context.fillText(fitting(context, model.label(model.segments.task[segment]), room), from, this.middle(thread));
        }
    }
}

/** The longest end of a text that fits, because labels differ at the end. */
function fitting(context, text, room) {
    if (context.measureText(text).width <= room)
        return text;
    let length = Math.floor(text.length * room / context.measureText(text).width);
    while (length > 1 && context.measureText(`\u2026${text.slice(-length)}`).width > room)
        --length;
    return `\u2026${text.slice(-length)}`;
}
