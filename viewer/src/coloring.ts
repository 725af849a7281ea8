// What bodies are coloured by: a colour per body, or a number per vertex with its range over all frames or over one.

import { color_map, map_index } from "./colors";
import type { Playback } from "./playback";

export interface Quantity {
    name: string;
    label: string;
    unit: string;
    kind: "field" | "displacement" | "difference";
    field: number; // index, where it is a field
}

export class Coloring {
    readonly quantities: Quantity[];
    /** null where bodies have their own colours. */
    chosen: Quantity | null = null;
    is_range_per_frame = false;
    range: [number, number] = [0, 0];

    private readonly values: Float32Array;
    /** Largest values of displacement and difference per frame, so that all frames are looked at once. */
    private readonly largest = new Map<string, number[]>();

    constructor(
        private readonly playback: Playback,
        private readonly reference: Playback | null,
    ) {
        this.values = new Float32Array(playback.topology.num_vertices);
        this.quantities = playback.manifest.fields.map((f, field) => ({ name: f.name, label: f.label, unit: f.unit, kind: "field", field }));
        this.quantities.push({ name: "displacement", label: "displacement", unit: "m", kind: "displacement", field: -1 });
        if (reference && is_comparable(playback, reference))
            this.quantities.push({ name: "difference", label: `distance to ${reference.manifest.name || reference.name}`, unit: "m", kind: "difference", field: -1 });
    }

    choose(name: string): boolean {
        this.chosen = this.quantities.find((q) => q.name === name) ?? null;
        return this.chosen !== null || name === "body";
    }

    /** The value of a vertex in a frame; NaN where it is not known. */
    value(quantity: Quantity, frame: number, vertex: number, body: number): number {
        if (quantity.kind === "field")
            return this.playback.field_value(frame, quantity.field, vertex, body);
        const [other, at] = this.compared(quantity, frame);
        if (!other)
            return NaN;
        const p = this.playback.position(frame, vertex, body);
        const o = other.position(at, vertex, body);
        return Math.hypot(p[0] - o[0], p[1] - o[1], p[2] - o[2]);
    }

    /** Writes the colours of a frame, red green blue in 0 … 255. */
    write(frame: number, is_shown: (body: number) => boolean, out: Uint8Array): void {
        const { playback, chosen } = this;
        const { first_vertex } = playback.topology;
        if (!chosen) {
            playback.manifest.bodies.forEach((body, b) => {
                const color = body.color.map((x) => Math.round(255 * Math.min(Math.max(x, 0), 1)));
                for (let k = 3 * first_vertex[b]; k < 3 * first_vertex[b + 1]; ++k)
                    out[k] = color[k % 3];
            });
            return;
        }
        this.write_values(chosen, frame, this.values);
        this.range = this.is_range_per_frame ? this.range_of_frame(is_shown) : this.range_of_run(chosen);
        const [least, largest] = this.range;
        for (let v = 0; v < this.values.length; ++v) {
            const at = 3 * map_index(this.values[v], least, largest);
            out[3 * v] = color_map[at];
            out[3 * v + 1] = color_map[at + 1];
            out[3 * v + 2] = color_map[at + 2];
        }
    }

    /** The frame that displacement or difference is measured from. */
    private compared(quantity: Quantity, frame: number): [Playback | null, number] {
        const other = quantity.kind === "difference" ? this.reference : this.playback;
        if (!other)
            return [null, 0];
        const at = quantity.kind === "difference" ? other.frame_at(this.playback.manifest.frames[frame].time * (1 + 1e-12)) : 0;
        return [other.frames[at] ? other : null, at];
    }

    private write_values(quantity: Quantity, frame: number, out: Float32Array): void {
        const { playback } = this;
        const { first_vertex } = playback.topology;
        const data = playback.frames[frame]!;
        if (quantity.kind === "field") {
            const { ranges, bytes } = data.fields[quantity.field];
            for (let b = 0; b + 1 < first_vertex.length; ++b) {
                const least = ranges[2 * b];
                const factor = (ranges[2 * b + 1] - least) / 255;
                for (let v = first_vertex[b]; v < first_vertex[b + 1]; ++v)
                    out[v] = least + factor * bytes[v];
            }
            return;
        }
        const [other, at] = this.compared(quantity, frame);
        if (!other) {
            out.fill(0);
            return;
        }
        const other_data = other.frames[at]!;
        playback.manifest.bodies.forEach((body, b) => {
            const other_body = other.manifest.bodies[b];
            const first = first_vertex[b];
            const n = first_vertex[b + 1] - first;
            // Differences of origins and shifts first: bodies may be far from the origin.
            const base = [0, 1, 2].map(
                (c) => body.origin[c] - other_body.origin[c] + body.quantum * data.shift[3 * b + c] - other_body.quantum * other_data.shift[3 * b + c],
            );
            for (let i = 0, k = 3 * first; i < n; ++i, ++k) {
                const dx = base[0] + body.quantum * data.q[k] - other_body.quantum * other_data.q[k];
                const dy = base[1] + body.quantum * data.q[k + n] - other_body.quantum * other_data.q[k + n];
                const dz = base[2] + body.quantum * data.q[k + 2 * n] - other_body.quantum * other_data.q[k + 2 * n];
                out[first + i] = Math.sqrt(dx * dx + dy * dy + dz * dz);
            }
        });
    }

    private range_of_frame(is_shown: (body: number) => boolean): [number, number] {
        const { first_vertex } = this.playback.topology;
        let [least, largest] = [Infinity, -Infinity];
        for (let b = 0; b + 1 < first_vertex.length; ++b) {
            if (!is_shown(b))
                continue;
            for (let v = first_vertex[b]; v < first_vertex[b + 1]; ++v) {
                least = Math.min(least, this.values[v]);
                largest = Math.max(largest, this.values[v]);
            }
        }
        return least <= largest ? [least, largest] : [0, 0];
    }

    private range_of_run(quantity: Quantity): [number, number] {
        const { playback } = this;
        if (quantity.kind === "field") {
            const known = playback.manifest.fields[quantity.field]?.range;
            if (known)
                return known;
            let [least, largest] = [Infinity, -Infinity];
            for (const frame of playback.frames)
                frame?.fields[quantity.field].ranges.forEach((x) => {
                    if (Number.isFinite(x)) {
                        least = Math.min(least, x);
                        largest = Math.max(largest, x);
                    }
                });
            return least <= largest ? [least, largest] : [0, 0];
        }
        // Twenty milliseconds a picture: the range of a long run is complete after a few.
        const cache = this.largest.get(quantity.name) ?? [];
        this.largest.set(quantity.name, cache);
        const values = new Float32Array(this.values.length);
        const start = performance.now();
        let largest = 0;
        for (let i = 0; i < playback.frames.length; ++i) {
            if (cache[i] === undefined && playback.frames[i] && this.compared(quantity, i)[0] && performance.now() - start < 20) {
                this.write_values(quantity, i, values);
                cache[i] = values.reduce((most, x) => (x > most ? x : most), 0);
            }
            largest = Math.max(largest, cache[i] ?? 0);
        }
        this.is_range_complete = playback.frames.every((f, i) => !f || cache[i] !== undefined || !this.compared(quantity, i)[0]);
        return [0, largest];
    }

    /** False while a range over all frames is still being gathered: the picture is to be drawn again. */
    is_range_complete = true;
}

function is_comparable(a: Playback, b: Playback): boolean {
    const bodies = b.manifest?.bodies;
    return bodies?.length === a.manifest.bodies.length && a.manifest.bodies.every((body, i) => body.num_vertices === bodies[i].num_vertices);
}
