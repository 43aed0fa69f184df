// The visible part of the time, shared by the Gantt chart and the charts below it.

const SHORTEST = 50; // ns

class Scale {
    /** `changed` is called when the visible part changes. */
    constructor(length, changed) {
        this.length = length;
        this.changed = changed;
        this.left = 0;  // pixels
        this.width = 1;
        this.begin = 0;
        this.end = length;
    }

    get span() { return this.end - this.begin; }
    get perPixel() { return this.span / this.width; }
    x(time) { return this.left + (time - this.begin) / this.perPixel; }
    time(x) { return this.begin + (x - this.left) * this.perPixel; }

    show(begin, end) {
        const room = 0.02 * this.length;
        const span = Math.min(Math.max(end - begin, SHORTEST), this.length + 2 * room);
        const middle = (begin + end) / 2;
        this.begin = Math.min(Math.max(middle - span / 2, -room), this.length + room - span);
        this.end = this.begin + span;
        this.changed();
    }

    /** Zooms so that `time` keeps its position. */
    zoom(factor, time = (this.begin + this.end) / 2) {
        const span = Math.max(SHORTEST, this.span * factor);
        const share = (time - this.begin) / this.span;
        this.show(time - share * span, time + (1 - share) * span);
    }

    pan(time) { this.show(this.begin + time, this.end + time); }

    /** Shows an interval, enlarged if it is too small. */
    reveal(begin, end) {
        const wide = end - begin > 3 * this.perPixel && end - begin < this.span;
        if (wide && begin >= this.begin && end <= this.end)
            return;
        const span = wide ? this.span : Math.max((end - begin) * 12, SHORTEST);
        this.show((begin + end - span) / 2, (begin + end + span) / 2);
    }

    /** Times to mark, with their names. `zero` counts as 0. */
    ticks(zero, room = 110) {
        const least = room * this.perPixel;
        const power = 10 ** Math.floor(Math.log10(least));
        const step = Math.max(1, [1, 2, 5, 10].map((digit) => digit * power).find((size) => size >= least));
        const first = Math.ceil((this.begin - zero) / step);
        const last = Math.floor((this.end - zero) / step);
        // Marks far from 0 and close together count from the first one.
        const far = Math.max(Math.abs(first), Math.abs(last)) > 1e5;
        const [unit, size] = unitOf(far ? step : Math.max(step * (last - first), Math.abs(last * step), Math.abs(first * step)));
        const ticks = [];
        for (let i = first; i <= last; ++i) {
            const value = (far ? i - first : i) * step / size;
            const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
            const name = `${value.toFixed(digits)}${THIN}${unit}`.replace('-', '\u2212');
            ticks.push({time: zero + i * step, text: !far ? name : i === first ? moment(i * step) : `+${name}`});
        }
        return ticks;
    }
}
