// Colours of the theme, from the style sheet, and of tasks by the chosen property.

/** These differ on light and dark ground, from each other and from the colours of the charts, also
   for eyes without red or green (tests/view/colours.py). */
const CATEGORIES = ['#236fd9', '#d9db47', '#4d8266', '#8b6023', '#bbafe1', '#29349e', '#7c8a9a', '#404023'];
const STRIPES = 3; // patterns besides none
const ITERATIONS_HUES = 12;
const DURATION_STEPS = 8; // per decade
const OTHER = [150, 150, 150];

const rgbOf = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
const cssOf = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;

/** A colour in Oklch, whose lightness matches the eye: lightness and chroma from 0 to 1, hue in
   degrees. */
function oklch(lightness, chroma, hue) {
    const a = chroma * Math.cos(hue * Math.PI / 180);
    const b = chroma * Math.sin(hue * Math.PI / 180);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;
    return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s]
        .map((x) => x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)
        .map((x) => Math.round(255 * Math.min(1, Math.max(0, x))));
}

/** A colour and, if the colours are used up, a pattern: `stripes` from 1 to STRIPES. */
const category = (i) => Object.assign(rgbOf(CATEGORIES[i % CATEGORIES.length]),
    {stripes: i < CATEGORIES.length ? 0 : (Math.floor(i / CATEGORIES.length) - 1) % STRIPES + 1});
/** Whether a row of pixels, by its distance from the lane's top, is one of a pattern's stripes. */
const STRIPED = [() => false, (y) => y % 6 === 2, (y) => y % 3 === 2, (y) => y % 2 === 1];
const STRIPES_PERIOD = 6;
const bright = ([r, g, b]) => 0.299 * r + 0.587 * g + 0.114 * b > 140;

const THEME = ['ground', 'lane', 'ink', 'muted', 'line', 'work', 'overhead', 'code', 'idle', 'call', 'path',
               'before', 'after', 'select', 'dim', 'kernel', 'copy-to', 'copy-from'];

/** The style sheet's colours, as they are now. */
function readTheme() {
    const style = getComputedStyle(document.documentElement);
    return Object.fromEntries(THEME.map((name) => [name, rgbOf(style.getPropertyValue(`--${name}`).trim())]));
}

// Activities of threads outside of tasks, by the trace's number.
const [DOING_TASKS, DOING_MPI, DOING_WAITING, DOING_SHARED, DOING_REGIONS, DOING_SERIAL] = [0, 1, 2, 3, 4, 5];
const DOING_NAMES = ['tasks', 'MPI', 'waiting', 'worksharing', 'regions', 'serial', 'outside'];
const computes = (what) => what >= DOING_SHARED;

// Activities of devices, by the trace's number.
const DEVICE_KERNEL = 0;
const DEVICE_NAMES = ['kernel', 'copy to the device', 'copy from the device'];
const deviceColours = (theme) => [theme.kernel, theme['copy-to'], theme['copy-from']];

/** The colouring of tasks: a key for each segment, a colour for each key, and the text of the
   legend. */
const COLOURINGS = {
    kind(model) {
        const order = new Map(model.summary.tables.kinds.rows.map((row, i) => [row.kind ?? NONE, i]));
        return {
            keys: order.size,
            key: (segment) => order.get(model.tasks.kind[model.segments.task[segment]]) ?? 0,
            colour: category,
            legend: model.summary.tables.kinds.rows.map((row, i) => (
                {colour: category(i), text: model.kindLabel(row.kind ?? NONE), kind: row.kind ?? NONE})),
        };
    },
    iteration(model) {
        const most = model.tasks.iteration.reduce((a, b) => Math.max(a, b), 0);
        const colour = (i) => oklch(i % 2 ? 0.72 : 0.6, 0.12, i * 360 / ITERATIONS_HUES + 20);
        return {
            keys: most + 1,
            key: (segment) => model.tasks.iteration[model.segments.task[segment]],
            colour,
            legend: [
                ...Array.from({length: Math.min(ITERATIONS_HUES, most + 1)}, (_, i) => ({colour: colour(i), text: String(i)})),
                {text: `${most + 1 > ITERATIONS_HUES ? `and so on up to ${most}; ` : ''}guessed from the order of creation`},
            ],
        };
    },
    rank(model) {
        return {
            keys: model.ranks,
            key: (segment) => model.threads[model.segments.thread[segment]].rank,
            colour: category,
            legend: Array.from({length: model.ranks}, (_, i) => ({colour: category(i), text: `rank ${i}`})),
        };
    },
    duration(model) {
        const {begin, end} = model.segments;
        let shortest = Infinity;
        let longest = 1;
        for (let i = 0; i < begin.length; ++i) {
            const length = Math.max(1, end[i] - begin[i]);
            shortest = Math.min(shortest, length);
            longest = Math.max(longest, length);
        }
        const lowest = Math.floor(Math.log10(Math.min(shortest, longest)) * DURATION_STEPS);
        const steps = Math.floor(Math.log10(longest) * DURATION_STEPS) - lowest + 1;
        const colour = (i) => {
            const share = steps > 1 ? i / (steps - 1) : 0;
            return oklch(0.45 + 0.42 * share, 0.13, 285 - 195 * share);
        };
        const shown = Math.min(6, steps);
        return {
            keys: steps,
            key: (segment) => Math.max(0, Math.floor(Math.log10(Math.max(1, end[segment] - begin[segment])) * DURATION_STEPS) - lowest),
            colour,
            legend: Array.from({length: shown}, (_, i) => {
                const step = Math.round(i * (steps - 1) / Math.max(1, shown - 1));
                return {colour: colour(step), text: duration(Number((10 ** ((lowest + step) / DURATION_STEPS)).toPrecision(2)))};
            }),
        };
    },
};
