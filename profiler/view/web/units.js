// Formats numbers for people. Times are nanoseconds.

const THIN = '\u202f';

/** 1234567 becomes "1 234 567". */
const count = (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, THIN);

const UNITS = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];

const unitOf = (ns) => UNITS.find(([, size]) => Math.abs(ns) >= size) ?? UNITS[3];

/** Four digits, in the unit that fits. */
function duration(ns) {
    const [name, size] = unitOf(ns);
    return `${Number((ns / size).toPrecision(4))}${THIN}${name}`;
}

/** A time to the nanosecond: "1.234 567 890 s". */
function moment(ns) {
    const digits = String(Math.abs(Math.round(ns))).padStart(10, '0');
    const fraction = digits.slice(-9).replace(/\d{3}(?=\d)/g, `$&${THIN}`);
    return `${ns < 0 ? '\u2212' : ''}${digits.slice(0, -9)}.${fraction}${THIN}s`;
}

const seconds = (ns) => (ns / 1e9).toFixed(6);
const microseconds = (ns) => (ns / 1e3).toFixed(3);
const percent = (share) => `${(100 * share).toFixed(1)}${THIN}%`;

function bytes(value) {
    const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let step = 0;
    for (; value >= 1024 && step + 1 < names.length; ++step)
        value /= 1024;
    return `${Number(value.toPrecision(4))}${THIN}${names[step]}`;
}
