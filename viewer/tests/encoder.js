// Writes playbacks as docs/playback.md describes them, independently of the viewer's decoder and of the C++ encoder.

import { deflateSync } from "node:zlib";

class Bytes {
    parts = [];
    u8(...values) {
        this.parts.push(Buffer.from(values));
    }
    number(size, write, value) {
        const buffer = Buffer.alloc(size);
        buffer[write](value);
        this.parts.push(buffer);
    }
    u32(value) {
        this.number(4, "writeUInt32LE", value);
    }
    i32(value) {
        this.number(4, "writeInt32LE", value);
    }
    f32(value) {
        this.number(4, "writeFloatLE", value);
    }
    f64(value) {
        this.number(8, "writeDoubleLE", value);
    }
    raw(bytes) {
        this.parts.push(Buffer.from(bytes));
    }
    all() {
        return Buffer.concat(this.parts);
    }
}

const zigzag = (v) => ((v << 1) ^ (v >> 31)) >>> 0;

/** q: whole numbers, all x, then all y, then all z. mode as in the format; before: q of the one and two frames before. */
export function position_block(bytes, q, shift, mode, before, least_width = 0) {
    const n = q.length / 3;
    const prediction = mode & 3;
    const rest = q.map((v, i) => (prediction === 0 ? v : prediction === 1 ? v - before[0][i] : v - 2 * before[0][i] + before[1][i]) | 0);
    const coded = mode & 4 ? rest.map((v, i) => (i % n === 0 ? v : v - rest[i - 1]) | 0) : rest;
    const u = coded.map(zigzag);
    const most = u.reduce((a, b) => Math.max(a, b), 0);
    const width = Math.max(most === 0 ? 0 : most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : most < 2 ** 24 ? 3 : 4, least_width);
    for (const s of shift)
        bytes.f64(s);
    bytes.u8(mode, width);
    for (let k = 0; k < width; ++k)
        bytes.raw(u.map((v) => (v >>> (8 * k)) & 255));
}

/** b: a byte per vertex. */
export function field_block(bytes, b, least, largest, mode, before) {
    const rest = b.map((v, i) => (mode & 1 ? v - before[i] : v) & 255);
    const coded = rest.map((v, i) => (mode & 2 && i > 0 ? v - rest[i - 1] : v) & 255);
    const width = coded.some((v) => v !== 0) ? 1 : 0;
    bytes.u8(mode, width);
    bytes.f64(least);
    bytes.f64(largest);
    if (width === 1)
        bytes.raw(coded);
}

export function forces_block(bytes, forces) {
    bytes.u32(forces.length);
    for (const { on, by, place, contact, friction } of forces) {
        bytes.i32(on);
        bytes.i32(by);
        place.forEach((x) => bytes.f32(x));
        [...contact, ...friction].forEach((x) => bytes.f64(x));
    }
}

export function topology_bytes(bodies) {
    const bytes = new Bytes();
    for (const { triangles = [], edges = [], points = [], numbers } of bodies)
        for (const id of [...triangles.flat(), ...edges.flat(), ...points, ...numbers])
            bytes.u32(id);
    return bytes.all();
}

/**
 * A whole playback from plain data. scene: name, dim, up, planes, fields [{name, label, unit}], bodies [{name, kind, color,
 * radius, triangles, edges, points, numbers, num_vertices}], frames [{step, time, positions: per body [x, y, z, …],
 * values: per field, per body, forces}].
 */
export function encode(scene, { frames_per_chunk = 16, level = 6, extra = {} } = {}) {
    const { bodies, frames, fields = [] } = scene;
    const extents = bodies.map((_, b) => {
        const p = frames[0]?.positions[b] ?? [];
        let [least, largest] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
        for (let i = 0; i < p.length; ++i) {
            least[i % 3] = Math.min(least[i % 3], p[i]);
            largest[i % 3] = Math.max(largest[i % 3], p[i]);
        }
        const size = Math.max(...largest.map((x, c) => x - least[c]));
        return { origin: p.length > 0 ? least : [0, 0, 0], quantum: size > 0 ? 1e-4 * size : 1e-6 };
    });
    const ranges = fields.map(() => [Infinity, -Infinity]);
    const chunks = [];
    const chunk_bytes = [];
    for (let first = 0; first < frames.length; first += frames_per_chunk) {
        const count = Math.min(frames_per_chunk, frames.length - first);
        const bytes = new Bytes();
        const history = bodies.map(() => []);
        let fields_before = null;
        for (let i = 0; i < count; ++i) {
            const frame = frames[first + i];
            bodies.forEach((_, b) => {
                const { origin, quantum } = extents[b];
                const p = frame.positions[b];
                const n = p.length / 3;
                const whole = new Array(3 * n);
                const shift = [0, 0, 0];
                for (let c = 0; c < 3; ++c) {
                    shift[c] = n > 0 ? Math.round((p[c] - origin[c]) / quantum) : 0;
                    for (let k = 0; k < n; ++k)
                        whole[c * n + k] = Math.round((p[3 * k + c] - origin[c]) / quantum) - shift[c];
                }
                position_block(bytes, whole, shift, i === 0 ? 4 : i === 1 ? 1 : 2, history[b]);
                history[b] = [whole, history[b][0]];
            });
            const fields_now = fields.map((_, f) =>
                bodies.map((_, b) => {
                    const values = frame.values[f][b];
                    let [least, largest] = [Infinity, -Infinity];
                    for (const v of values) {
                        least = Math.min(least, v);
                        largest = Math.max(largest, v);
                    }
                    if (values.length === 0)
                        least = largest = 0;
                    ranges[f] = [Math.min(ranges[f][0], least), Math.max(ranges[f][1], largest)];
                    const b8 = Array.from(values, (v) => (largest > least ? Math.round((255 * (v - least)) / (largest - least)) : 0));
                    field_block(bytes, b8, least, largest, fields_before ? 1 : 2, fields_before?.[f][b]);
                    return b8;
                }),
            );
            fields_before = fields_now;
            forces_block(bytes, frame.forces ?? []);
        }
        chunks.push({ first, count });
        chunk_bytes.push(deflateSync(bytes.all(), { level }));
    }
    const manifest = {
        playback: 1,
        name: scene.name,
        dim: scene.dim ?? 3,
        up: scene.up ?? [0, 1, 0],
        bodies: bodies.map((body, b) => ({
            name: body.name,
            kind: body.kind,
            color: body.color,
            num_vertices: body.numbers.length,
            num_triangles: (body.triangles ?? []).length,
            num_edges: (body.edges ?? []).length,
            num_points: (body.points ?? []).length,
            radius: body.radius ?? 0,
            ...extents[b],
        })),
        planes: scene.planes ?? [],
        fields: fields.map((f, i) => ({ ...f, range: ranges[i][0] <= ranges[i][1] ? ranges[i] : null })),
        frames: frames.map(({ step, time }) => ({ step, time })),
        frames_of_run: frames.length,
        chunks,
        marks: scene.marks ?? [],
        is_running: false,
        ...extra,
    };
    return { manifest, topology: deflateSync(topology_bytes(bodies), { level }), chunks: chunk_bytes };
}

export { Bytes };
