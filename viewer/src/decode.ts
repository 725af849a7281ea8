// Topology and chunks of a playback, as docs/playback.md describes them.

import { Reader } from "./bytes";
import { type Body, DataError, type Manifest } from "./manifest";

/** All bodies in one numbering: vertices of body b are first_vertex[b] … first_vertex[b + 1] − 1. */
export interface Topology {
    num_vertices: number;
    first_vertex: Uint32Array;
    triangles: Uint32Array[]; // per body, in the numbering of all bodies
    edges: Uint32Array[];
    points: Uint32Array[];
    result_vertex: Uint32Array; // the number of each vertex in the results' frames
}

export interface Forces {
    count: number;
    pairs: Int32Array; // on, by; plane k is −1 − k
    places: Float32Array; // [m]
    vectors: Float64Array; // contact and friction on `on` [N]
}

/**
 * One frame, all bodies. The position of vertex i of body b is origin + quantum (s + q): q has for each body all x, then all
 * y, then all z, from 3 first_vertex[b] on.
 */
export interface Frame {
    q: Int16Array | Int32Array;
    shift: Float64Array; // s, three per body
    fields: FieldFrame[];
    forces: Forces;
    bounds: Float64Array; // of all vertices [m]: least x, y, z, largest x, y, z
}

export interface FieldFrame {
    ranges: Float64Array; // least and largest per body
    bytes: Uint8Array; // one per vertex
}

export function decode_topology(manifest: Manifest, bytes: Uint8Array): Topology {
    const reader = new Reader(bytes, "Topology");
    const first_vertex = new Uint32Array(manifest.bodies.length + 1);
    manifest.bodies.forEach((b, i) => (first_vertex[i + 1] = first_vertex[i] + b.num_vertices));
    const num_vertices = first_vertex[manifest.bodies.length];
    const topology: Topology = { num_vertices, first_vertex, triangles: [], edges: [], points: [], result_vertex: new Uint32Array(num_vertices) };

    const simplices = (body: Body, first: number, count: number): Uint32Array => {
        const ids = new Uint32Array(count);
        for (let i = 0; i < count; ++i) {
            const id = reader.u32();
            if (id >= body.num_vertices)
                throw new DataError(`Topology: body ${body.name} has ${body.num_vertices} vertices, but vertex ${id} is used.`);
            ids[i] = first + id;
        }
        return ids;
    };
    manifest.bodies.forEach((body, b) => {
        const first = first_vertex[b];
        topology.triangles.push(simplices(body, first, 3 * body.num_triangles));
        topology.edges.push(simplices(body, first, 2 * body.num_edges));
        topology.points.push(simplices(body, first, body.num_points));
        for (let i = 0; i < body.num_vertices; ++i)
            topology.result_vertex[first + i] = reader.u32();
    });
    if (!reader.is_at_end)
        throw new DataError("Topology: there is more data than the manifest says.");
    return topology;
}

/** Decodes the frames of one chunk in their order; call `next` once per frame. */
export class ChunkDecoder {
    private readonly reader: Reader;
    private readonly first_vertex: Uint32Array;
    private before: Int32Array; // q of the frame before
    private before_that: Int32Array; // and of the one before it
    private fields_before: Uint8Array[] = [];
    private num_decoded = 0;

    constructor(
        private readonly manifest: Manifest,
        topology: Topology,
        bytes: Uint8Array,
        private readonly what: string,
    ) {
        this.reader = new Reader(bytes, what);
        this.first_vertex = topology.first_vertex;
        this.before = new Int32Array(3 * topology.num_vertices);
        this.before_that = new Int32Array(3 * topology.num_vertices);
    }

    next(): Frame {
        const { bodies } = this.manifest;
        const shift = new Float64Array(3 * bodies.length);
        const bounds = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);

        // The new q take the place of those of two frames ago: each is read once, before it is written.
        const q = this.before_that;
        let is_short = true;
        bodies.forEach((body, b) => {
            is_short = this.position_block(body, b, q, shift, bounds) && is_short;
        });
        this.before_that = this.before;
        this.before = q;

        const fields = this.manifest.fields.map((_, f) => this.field_blocks(f));
        this.fields_before = fields.map((f) => f.bytes);
        const forces = this.forces();
        ++this.num_decoded;
        return { q: is_short ? Int16Array.from(q) : q.slice(), shift, fields, forces, bounds };
    }

    /** Must be called after the last frame: data left over means that manifest and chunk do not belong together. */
    finish(): void {
        if (!this.reader.is_at_end)
            this.fail("there is more data than the manifest says");
    }

    private fail(why: string): never {
        throw new DataError(`${this.what}: ${why}.`);
    }

    /** Fills q, shift and bounds of one body; do all q fit into 16 bits? */
    private position_block(body: Body, b: number, q: Int32Array, shift: Float64Array, bounds: Float64Array): boolean {
        const { reader } = this;
        for (let c = 0; c < 3; ++c) {
            shift[3 * b + c] = reader.f64();
            if (!Number.isFinite(shift[3 * b + c]))
                this.fail("a shift is not finite");
        }
        const mode = reader.u8();
        const width = reader.u8();
        const prediction = mode & 3;
        if (mode > 7 || prediction === 3 || width > 4)
            this.fail(`unknown mode ${mode} or width ${width}`);
        if (prediction > this.num_decoded)
            this.fail("a frame is predicted from one that is not there");

        const n = body.num_vertices;
        const size = 3 * n;
        const begin = reader.take(width * size);
        const first = 3 * this.first_vertex[b];
        const { bytes } = reader;
        const { before, before_that } = this;
        const adds_up = (mode & 4) !== 0;
        let least_of_all = 0;
        let largest_of_all = 0;
        for (let c = 0; c < 3; ++c) {
            let sum = 0;
            let least = 0x7fffffff;
            let largest = -0x80000000;
            for (let i = c * n, k = first + i; i < (c + 1) * n; ++i, ++k) {
                let u = 0;
                if (width > 0) {
                    const at = begin + i;
                    u = bytes[at];
                    if (width > 1)
                        u |= bytes[at + size] << 8;
                    if (width > 2)
                        u |= bytes[at + 2 * size] << 16;
                    if (width > 3)
                        u |= bytes[at + 3 * size] << 24;
                }
                let value = (u >>> 1) ^ -(u & 1);
                if (adds_up)
                    value = sum = (sum + value) | 0;
                if (prediction === 1)
                    value = (value + before[k]) | 0;
                else if (prediction === 2)
                    value = (value + 2 * before[k] - before_that[k]) | 0;
                q[k] = value;
                if (value < least)
                    least = value;
                if (value > largest)
                    largest = value;
            }
            if (n > 0) {
                const s = shift[3 * b + c];
                bounds[c] = Math.min(bounds[c], body.origin[c] + body.quantum * (s + least));
                bounds[3 + c] = Math.max(bounds[3 + c], body.origin[c] + body.quantum * (s + largest));
                least_of_all = Math.min(least_of_all, least);
                largest_of_all = Math.max(largest_of_all, largest);
            }
        }
        return least_of_all >= -32768 && largest_of_all <= 32767;
    }

    private field_blocks(f: number): FieldFrame {
        const { reader } = this;
        const { bodies } = this.manifest;
        const num_vertices = this.first_vertex[bodies.length];
        const result: FieldFrame = { ranges: new Float64Array(2 * bodies.length), bytes: new Uint8Array(num_vertices) };
        const before = this.fields_before[f] as Uint8Array | undefined;
        bodies.forEach((body, b) => {
            const mode = reader.u8();
            const width = reader.u8();
            if (mode > 3 || width > 1)
                this.fail(`unknown field mode ${mode} or width ${width}`);
            if (mode & 1 && !before)
                this.fail("a field is predicted from a frame that is not there");
            result.ranges[2 * b] = reader.f64();
            result.ranges[2 * b + 1] = reader.f64();
            const n = body.num_vertices;
            const begin = reader.take(width * n);
            const first = this.first_vertex[b];
            let sum = 0;
            for (let i = 0; i < n; ++i) {
                let value = width === 0 ? 0 : reader.bytes[begin + i];
                if (mode & 2)
                    value = sum = (sum + value) & 255;
                if (mode & 1)
                    value += before![first + i];
                result.bytes[first + i] = value;
            }
        });
        return result;
    }

    private forces(): Forces {
        const { reader } = this;
        const count = reader.u32();
        if (count * 68 > reader.bytes.length)
            this.fail("the data is cut off in the forces");
        const forces: Forces = {
            count,
            pairs: new Int32Array(2 * count),
            places: new Float32Array(3 * count),
            vectors: new Float64Array(6 * count),
        };
        for (let i = 0; i < count; ++i) {
            for (let k = 0; k < 2; ++k)
                forces.pairs[2 * i + k] = reader.i32();
            for (let k = 0; k < 3; ++k)
                forces.places[3 * i + k] = reader.f32();
            for (let k = 0; k < 6; ++k)
                forces.vectors[6 * i + k] = reader.f64();
        }
        return forces;
    }
}
