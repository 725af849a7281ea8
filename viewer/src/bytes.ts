// Bytes of a playback: base64 and zlib undone piece by piece, so that the page stays alive, and numbers read from them.

import { DataError } from "./manifest";

/** Characters of base64 per piece: a multiple of 4, about 2 ms of work. */
const piece = 1 << 19;

/** Gives the page a chance to draw and to answer. */
export function breathe(): Promise<void> {
    return new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
            channel.port1.close();
            resolve();
        };
        channel.port2.postMessage(0);
    });
}

/** Breathes whenever more than a few milliseconds of work have passed. */
export class Pace {
    private start = performance.now();
    constructor(private readonly budget = 10) {}

    async rest(): Promise<void> {
        if (performance.now() - this.start < this.budget)
            return;
        await breathe();
        this.start = performance.now();
    }
}

export function bytes_of_base64(text: string): Uint8Array {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; ++i)
        bytes[i] = binary.charCodeAt(i);
    return bytes;
}

/** Undoes zlib. Pieces come from a function, since base64 text may be long; undefined ends them. */
export async function inflate(next_piece: () => Uint8Array | undefined, what: string): Promise<Uint8Array> {
    const stream = new DecompressionStream("deflate");
    const writer = stream.writable.getWriter();
    const feed = (async () => {
        const pace = new Pace();
        for (let bytes = next_piece(); bytes; bytes = next_piece()) {
            await writer.write(bytes);
            await pace.rest();
        }
        await writer.close();
    })();
    const parts: Uint8Array[] = [];
    let size = 0;
    const collect = (async () => {
        const reader = stream.readable.getReader();
        for (;;) {
            const { done, value } = await reader.read();
            if (done)
                return;
            parts.push(value);
            size += value.length;
        }
    })();
    try {
        await Promise.all([feed, collect]);
    } catch {
        throw new DataError(`${what}: the data is damaged or cut off.`);
    }
    const all = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

export function inflate_bytes(bytes: Uint8Array, what: string): Promise<Uint8Array> {
    let given = false;
    return inflate(() => (given ? undefined : ((given = true), bytes)), what);
}

export function inflate_base64(text: string, what: string): Promise<Uint8Array> {
    // White space would shift the groups of four that pieces are cut at.
    const clean = /\s/.test(text.slice(0, 200)) || /\s/.test(text.slice(-200)) ? text.replace(/\s+/g, "") : text;
    let at = 0;
    return inflate(() => {
        if (at >= clean.length)
            return undefined;
        const part = clean.slice(at, at + piece);
        at += piece;
        return bytes_of_base64(part);
    }, what);
}

/** Reads little-endian numbers one after the other, and refuses to read past the end. */
export class Reader {
    private at = 0;
    private readonly view: DataView;

    constructor(
        readonly bytes: Uint8Array,
        private readonly what: string,
    ) {
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }

    /** Moves on by `size` bytes and gives where they begin. */
    take(size: number): number {
        const begin = this.at;
        if (begin + size > this.bytes.length)
            throw new DataError(`${this.what}: the data is cut off, ${begin + size - this.bytes.length} bytes are missing.`);
        this.at += size;
        return begin;
    }

    u8(): number {
        return this.bytes[this.take(1)];
    }
    i32(): number {
        return this.view.getInt32(this.take(4), true);
    }
    u32(): number {
        return this.view.getUint32(this.take(4), true);
    }
    f32(): number {
        return this.view.getFloat32(this.take(4), true);
    }
    f64(): number {
        return this.view.getFloat64(this.take(8), true);
    }
    get is_at_end(): boolean {
        return this.at === this.bytes.length;
    }
}
