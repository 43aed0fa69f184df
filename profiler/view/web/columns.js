// Decodes the data of profiler/view/columns.cpp: integers in as few bytes of 7 bits as each needs,
// the sign lowest; deflated, in base64.

function fromBase64(text) {
    if (Uint8Array.fromBase64)
        return Uint8Array.fromBase64(text);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < bytes.length; ++i)
        bytes[i] = letters.charCodeAt(i);
    return bytes;
}

async function inflate(deflated, length) {
    const bytes = new Uint8Array(length);
    const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
    const reader = stream.getReader();
    let at = 0;
    for (;;) {
        const {done, value} = await reader.read();
        if (done)
            break;
        bytes.set(value, at);
        at += value.length;
    }
    if (at !== length)
        throw new Error(`the trace in this page has ${at} bytes instead of ${length}`);
    return bytes;
}

/** Reads the numbers of `entry` from `at` on. Doubles are exact up to 2^53 ns, 104 days. */
function readColumn(data, at, entry) {
    const values = new Float64Array(entry.count);
    let before = 0;
    for (let i = 0; i < entry.count; ++i) {
        let byte = data[at++];
        let coded = byte & 0x7f;
        for (let shift = 7; byte >= 0x80; shift += 7) {
            byte = data[at++];
            // Shifts have 32 bits.
            coded = shift < 21 ? coded | (byte & 0x7f) << shift : coded + (byte & 0x7f) * 2 ** shift;
        }
        const value = coded % 2 ? -(coded + 1) / 2 : coded / 2;
        before = entry.differences ? before + value : value;
        values[i] = before;
    }
    return values;
}

/** Decoders by name. */
async function readColumns(entries, text) {
    if (typeof DecompressionStream === 'undefined')
        throw new Error('this browser has no DecompressionStream: Chrome and Edge 80, Firefox 113 and Safari 16.4 do');
    const length = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    const data = await inflate(fromBase64(text), length);
    const columns = {};
    let at = 0;
    for (const entry of entries) {
        columns[entry.name] = readColumn(data, at, entry);
        at += entry.bytes;
    }
    return columns;
}
