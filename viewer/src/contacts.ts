// Contact and friction as arrows, and the places where bodies touch.

import { Group } from "three";
import type { Triple } from "./manifest";
import type { Playback } from "./playback";
import type { SharedUniforms } from "./shaders";
import { type Arrows, type Balls, make_arrows, make_balls } from "./shapes";

export const contact_color: Triple = [0.9, 0.36, 0.05];
export const friction_color: Triple = [0.1, 0.46, 0.85];
const place_color: Triple = [0.95, 0.75, 0.1];

export class Contacts {
    readonly group = new Group();
    shows_arrows = false;
    shows_places = false;
    /** Chosen on a slider: 1 is the automatic length. */
    length_factor = 1;
    /** The largest force drawn [N]. */
    largest = 0;

    private readonly thickness = { value: 0.01 };
    private readonly arrows: Arrows;
    private readonly places: Balls;
    private typical = 0; // force of an arrow of automatic length [N]
    private num_seen = 0; // frames the typical force is from

    constructor(
        private readonly playback: Playback,
        shared: SharedUniforms,
    ) {
        this.arrows = make_arrows(this.thickness, shared);
        this.places = make_balls(1000, 3.5, shared, { is_unlit: false });
        this.group.add(this.arrows.mesh, this.places.mesh);
    }

    /** Writes the arrows of a frame. Forces between hidden bodies are hidden. */
    update(frame: number, origin: Triple, scale: number, radius: number, is_shown: (body: number) => boolean): void {
        const { count, pairs, places, vectors } = this.playback.frames[frame]!.forces;
        const shown: number[] = [];
        if (this.shows_arrows || this.shows_places)
            for (let i = 0; i < count; ++i)
                if ([pairs[2 * i], pairs[2 * i + 1]].some((b) => b >= 0 && is_shown(b)))
                    shown.push(i);

        this.update_typical();
        this.thickness.value = 0.006 * radius;
        const factor = this.typical > 0 ? (0.45 * radius * this.length_factor) / this.typical : 0;
        this.arrows.reserve(2 * shown.length);
        this.places.reserve(shown.length);
        this.largest = 0;
        let num_arrows = 0;
        shown.forEach((i, k) => {
            for (let c = 0; c < 3; ++c) {
                this.places.arrays.a[3 * k + c] = (places[3 * i + c] - origin[c]) * scale;
                this.places.arrays.color_a[3 * k + c] = place_color[c];
            }
            for (const part of [0, 3]) {
                const force: Triple = [vectors[6 * i + part], vectors[6 * i + part + 1], vectors[6 * i + part + 2]];
                const size = Math.hypot(...force);
                if (!(size > 0) || !this.shows_arrows)
                    continue;
                this.largest = Math.max(this.largest, size);
                for (let c = 0; c < 3; ++c) {
                    const at = 3 * num_arrows + c;
                    this.arrows.arrays.a[at] = this.places.arrays.a[3 * k + c];
                    this.arrows.arrays.b[at] = force[c] * factor;
                    this.arrows.arrays.color_a[at] = (part === 0 ? contact_color : friction_color)[c];
                }
                ++num_arrows;
            }
        });
        this.arrows.update(num_arrows);
        this.places.update(this.shows_places ? shown.length : 0);
    }

    /** Nine of ten frames have no longer arrows: a single impact does not make all others too short to see. */
    private update_typical(): void {
        if (this.num_seen === this.playback.num_decoded)
            return;
        this.num_seen = this.playback.num_decoded;
        const largest: number[] = [];
        for (const frame of this.playback.frames) {
            if (!frame || frame.forces.count === 0)
                continue;
            const { vectors } = frame.forces;
            let most = 0;
            for (let i = 0; i < vectors.length; i += 3)
                most = Math.max(most, Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2]));
            if (most > 0)
                largest.push(most);
        }
        largest.sort((a, b) => a - b);
        this.typical = largest.length > 0 ? largest[Math.floor(0.9 * (largest.length - 1))] : 0;
    }
}
