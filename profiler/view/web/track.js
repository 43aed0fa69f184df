// Sorted intervals that do not overlap, such as a thread's tasks. With sums over them, the cost of
// a view depends on its pixels, not on the count of intervals.

class Track {
    constructor(begin, end) {
        this.begin = begin;
        this.end = end;
        this.length = begin.length;
        this.sum = new Float64Array(this.length + 1);
        for (let i = 0; i < this.length; ++i)
            this.sum[i + 1] = this.sum[i] + (end[i] - begin[i]);
    }

    /** The first interval that ends after `time`, from `first` on. */
    after(time, first = 0) {
        const {end, length} = this;
        let step = 1;
        let low = first;
        while (low + step < length && end[low + step] <= time) {
            low += step;
            step *= 2;
        }
        let high = Math.min(length, low + step);
        while (low < high) {
            const middle = (low + high) >> 1;
            if (end[middle] <= time)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /** The covered time before `time`. */
    covered(time, next = this.after(time)) {
        const inside = next < this.length ? time - this.begin[next] : 0;
        return this.sum[next] + (inside > 0 ? inside : 0);
    }

    within(begin, end) {
        return this.covered(end) - this.covered(begin);
    }

    /** The covered share of each of `row.width` pixels from `begin` on, and the intervals that
       cover it. */
    sample(begin, perPixel, row) {
        let next = this.after(begin);
        let before = this.covered(begin, next);
        for (let x = 0; x < row.width; ++x) {
            const end = begin + (x + 1) * perPixel;
            const first = next;
            if (next < this.length && this.end[next] <= end)
                next = this.after(end, next);
            const sum = this.covered(end, next);
            row.share[x] = (sum - before) / perPixel;
            row.first[x] = first;
            row.last[x] = next < this.length && this.begin[next] < end ? next + 1 : next;
            before = sum;
        }
    }
}

/** Track.sample()'s result for a row of pixels. */
class Row {
    constructor(width) {
        this.width = width;
        this.share = new Float32Array(width);
        this.first = new Int32Array(width); // intervals from here
        this.last = new Int32Array(width);  // up to here
    }
}

const FEW = 8;

/** The key with about the most time in any range of a track's intervals; long ranges use blocks. */
class Dominance {
    /** `keys` has a key below `keysCount` for each interval. */
    constructor(track, keys, keysCount) {
        this.track = track;
        this.weights = new Float64Array(keysCount);
        this.levels = [{keys, time: null}];
        for (let below = this.levels[0]; below.keys.length > FEW; below = this.levels.at(-1))
            this.levels.push(this.#merge(below));
    }

    #merge(below) {
        const blocks = Math.ceil(below.keys.length / FEW);
        const level = {keys: new Uint32Array(blocks), time: new Float64Array(blocks)};
        for (let block = 0; block < blocks; ++block) {
            const first = block * FEW;
            const last = Math.min(below.keys.length, first + FEW);
            level.keys[block] = this.#most(below, first, last);
            level.time[block] = this.most;
        }
        return level;
    }

    /** The key with the most time among a level's blocks; stores that time in this.most. */
    #most(level, first, last) {
        const {weights, track} = this;
        const {keys, time} = level;
        let best = keys[first];
        this.most = 0;
        for (let i = first; i < last; ++i) {
            const key = keys[i];
            weights[key] += time ? time[i] : track.end[i] - track.begin[i];
            if (weights[key] > this.most) {
                this.most = weights[key];
                best = key;
            }
        }
        for (let i = first; i < last; ++i)
            weights[keys[i]] = 0;
        return best;
    }

    /** Adds intervals `first` up to `last`, clipped to a pixel from `begin` to `end`. */
    pick(first, last, begin, end) {
        const {keys} = this.levels[0];
        if (last - first <= 1)
            return keys[first];
        if (last - first === 2) {
            const {track} = this;
            const one = track.end[first] - Math.max(begin, track.begin[first]);
            const two = Math.min(end, track.end[first + 1]) - track.begin[first + 1];
            return keys[two > one ? first + 1 : first];
        }
        let level = 0;
        for (; last - first > 2 * FEW; ++level) {
            first = Math.floor(first / FEW);
            last = Math.ceil(last / FEW);
        }
        const {keys: blocks} = this.levels[level];
        let same = first + 1;
        while (same < last && blocks[same] === blocks[first])
            ++same;
        return same === last ? blocks[first] : this.#most(this.levels[level], first, last);
    }
}
