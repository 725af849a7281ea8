// A playback in memory: manifest, topology and the frames decoded so far, with what is asked of them.

import type { Frame, Topology } from "./decode";
import { DataError, type Manifest, type Triple } from "./manifest";
import { Listeners } from "./listeners";

export interface PairSum {
    on: number;
    by: number;
    contact: Triple;
    friction: Triple;
}

/** Bounds of no point. */
export const empty_bounds = (): Float64Array => new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);

export function extend_bounds(bounds: Float64Array, other: Float64Array): void {
    for (let c = 0; c < 3; ++c) {
        bounds[c] = Math.min(bounds[c], other[c]);
        bounds[3 + c] = Math.max(bounds[3 + c], other[3 + c]);
    }
}

export class Playback {
    manifest!: Manifest;
    topology!: Topology;
    frames: (Frame | undefined)[] = [];
    num_decoded = 0;
    /** Bounds of all decoded frames [m]. */
    readonly bounds = empty_bounds();
    /** Set when data is damaged or not there; the frames decoded before remain. */
    error = "";
    /** Does the source have more to give? */
    is_loading = true;
    /** Said about the connection in the live view. */
    connection: "none" | "connected" | "lost" = "none";
    /** The frame someone waits for; sources fetch it first. */
    wanted = 0;

    /** Frames were added. */
    readonly on_frames = new Listeners();
    /** Manifest, status, error or connection changed. */
    readonly on_state = new Listeners();

    private resolve_first!: () => void;
    /** Resolves with the first decoded frame, or with an error or nothing to show. */
    readonly first = new Promise<void>((resolve) => (this.resolve_first = resolve));
    private resolve_all!: () => void;
    /** Resolves when all is decoded, or nothing more can be. */
    readonly all = new Promise<void>((resolve) => (this.resolve_all = resolve));

    constructor(readonly name: string) {}

    get times(): number[] {
        return this.manifest.frames.map((f) => f.time);
    }

    add_frame(index: number, frame: Frame): void {
        if (this.frames[index])
            return;
        this.frames[index] = frame;
        ++this.num_decoded;
        extend_bounds(this.bounds, frame.bounds);
        this.resolve_first();
        this.on_frames.call();
    }

    fail(error: unknown): void {
        this.error = error instanceof DataError ? error.message : `The frames could not be read: ${String(error)}`;
        this.finish();
    }

    finish(): void {
        this.is_loading = false;
        this.resolve_first();
        this.resolve_all();
        this.on_frames.call();
        this.on_state.call();
    }

    /** The last frame at or before a time; frames are at irregular times. */
    frame_at(time: number): number {
        const { frames } = this.manifest;
        let low = 0;
        let high = frames.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (frames[middle].time <= time)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }

    /** The decoded frame nearest to an index, or −1. */
    nearest_decoded(index: number): number {
        for (let d = 0; d < this.manifest.frames.length; ++d) {
            if (this.frames[index - d])
                return index - d;
            if (this.frames[index + d])
                return index + d;
        }
        return -1;
    }

    /** Is the whole way from one frame to another decoded? */
    is_decoded(from: number, to: number): boolean {
        for (let i = from; i <= to; ++i)
            if (!this.frames[i])
                return false;
        return true;
    }

    body_of(vertex: number): number {
        const { first_vertex } = this.topology;
        let low = 0;
        let high = this.manifest.bodies.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (first_vertex[middle] <= vertex)
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }

    /** Positions of one body, x y z per vertex [m]. */
    positions(index: number, b: number): Float64Array {
        const { first_vertex } = this.topology;
        const n = first_vertex[b + 1] - first_vertex[b];
        const result = new Float64Array(3 * n);
        for (let i = 0; i < n; ++i)
            result.set(this.position(index, first_vertex[b] + i, b), 3 * i);
        return result;
    }

    position(index: number, vertex: number, b = this.body_of(vertex)): Triple {
        const frame = this.decoded(index);
        const body = this.manifest.bodies[b];
        const first = this.topology.first_vertex[b];
        const n = this.topology.first_vertex[b + 1] - first;
        const at = 3 * first + (vertex - first);
        const along = (c: number) => body.origin[c] + body.quantum * (frame.shift[3 * b + c] + frame.q[at + c * n]);
        return [along(0), along(1), along(2)];
    }

    /** All positions, x y z per vertex, moved by −centre and scaled, for drawing in 32-bit floats. */
    write_positions(index: number, centre: Triple, scale: number, out: Float32Array): void {
        const frame = this.decoded(index);
        const { first_vertex } = this.topology;
        this.manifest.bodies.forEach((body, b) => {
            const first = first_vertex[b];
            const n = first_vertex[b + 1] - first;
            const factor = body.quantum * scale;
            for (let c = 0; c < 3; ++c) {
                const base = (body.origin[c] - centre[c] + body.quantum * frame.shift[3 * b + c]) * scale;
                const from = 3 * first + c * n;
                for (let i = 0, k = 3 * first + c; i < n; ++i, k += 3)
                    out[k] = base + factor * frame.q[from + i];
            }
        });
    }

    field_value(index: number, field: number, vertex: number, b = this.body_of(vertex)): number {
        const { ranges, bytes } = this.decoded(index).fields[field];
        const least = ranges[2 * b];
        return least + ((ranges[2 * b + 1] - least) * bytes[vertex]) / 255;
    }

    /** Contact and friction between each pair of bodies, summed up over the arrows of a frame. */
    arrow_sums(index: number): PairSum[] {
        const { forces } = this.decoded(index);
        const sums = new Map<string, PairSum>();
        for (let i = 0; i < forces.count; ++i) {
            const on = forces.pairs[2 * i];
            const by = forces.pairs[2 * i + 1];
            let sum = sums.get(`${on} ${by}`);
            if (!sum)
                sums.set(`${on} ${by}`, (sum = { on, by, contact: [0, 0, 0], friction: [0, 0, 0] }));
            for (let c = 0; c < 3; ++c) {
                sum.contact[c] += forces.vectors[6 * i + c];
                sum.friction[c] += forces.vectors[6 * i + 3 + c];
            }
        }
        return [...sums.values()];
    }

    /** The name of a body, or of plane −1 − i. */
    name_of(i: number): string {
        return i >= 0 ? (this.manifest.bodies[i]?.name ?? `body ${i}`) : (this.manifest.planes[-1 - i]?.name ?? `plane ${-1 - i}`);
    }

    private decoded(index: number): Frame {
        const frame = this.frames[index];
        if (!frame)
            throw new RangeError(`Frame ${index} is not decoded yet.`);
        return frame;
    }
}
