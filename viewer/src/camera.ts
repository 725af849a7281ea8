// Where one looks from: a turntable around the direction against gravity. In two dimensions, onto the xy plane.

import { Listeners } from "./listeners";
import type { Triple } from "./manifest";
import { across, add, cross, dot, normalized, scaled, sub } from "./vector";

/** Half the angle of view, from top to bottom. */
export const half_angle = (16 * Math.PI) / 180;

export type ViewName = "front" | "side" | "top" | "iso";
export const view_names: ViewName[] = ["front", "side", "top", "iso"];
const view_angles: Record<ViewName, [number, number]> = {
    front: [0, 0],
    side: [Math.PI / 2, 0],
    top: [0, Math.PI / 2],
    iso: [Math.PI / 5, Math.PI / 7.5],
};

export class Camera {
    target: Triple = [0, 0, 0]; // [m]
    distance = 1; // from the target [m]
    azimuth: number;
    elevation: number;
    /** Has someone chosen what to see? Then data that comes in later does not move the camera. */
    is_touched = false;
    readonly on_change = new Listeners();

    private readonly up: Triple;
    private readonly right: Triple;
    private readonly front: Triple; // from the scene to the eye of the front view

    constructor(
        readonly is_flat: boolean,
        up: Triple,
    ) {
        this.up = is_flat ? [0, 1, 0] : normalized(up);
        this.right = across(this.up);
        this.front = cross(this.right, this.up);
        [this.azimuth, this.elevation] = view_angles[is_flat ? "front" : "iso"];
    }

    /** Unit vectors of the picture: to the right, upwards, and from the target to the eye. */
    axes(): { right: Triple; up: Triple; back: Triple } {
        const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
        const level = add(scaled(this.front, c), scaled(this.right, s));
        const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
        return {
            right: sub(scaled(this.right, c), scaled(this.front, s)),
            up: sub(scaled(this.up, ce), scaled(level, se)),
            back: add(scaled(level, ce), scaled(this.up, se)),
        };
    }

    eye(): Triple {
        return add(this.target, scaled(this.axes().back, this.distance));
    }

    /** Height of the picture at the target [m]. */
    get height(): number {
        return 2 * this.distance * Math.tan(half_angle);
    }

    orbit(right: number, up: number): void {
        if (this.is_flat)
            return;
        this.azimuth = Math.atan2(Math.sin(this.azimuth - right), Math.cos(this.azimuth - right));
        this.elevation = Math.min(Math.max(this.elevation + up, -Math.PI / 2), Math.PI / 2);
        this.touch();
    }

    /** Moves the picture by shares of its height. */
    pan(right: number, up: number): void {
        const axes = this.axes();
        this.target = sub(this.target, add(scaled(axes.right, right * this.height), scaled(axes.up, up * this.height)));
        this.touch();
    }

    /** Zooms about a point of the picture, given in shares of its height from the centre. */
    zoom(factor: number, right = 0, up = 0): void {
        const before = this.height;
        this.distance *= factor;
        const axes = this.axes();
        const moved = before - this.height;
        this.target = add(this.target, add(scaled(axes.right, right * moved), scaled(axes.up, up * moved)));
        this.touch();
    }

    look(name: ViewName): void {
        if (!this.is_flat)
            [this.azimuth, this.elevation] = view_angles[name];
        this.touch();
    }

    focus(point: Triple, radius?: number): void {
        this.target = point;
        if (radius)
            this.distance = radius / Math.sin(half_angle);
        this.touch();
    }

    /** Shows a box as large as it can be shown in a picture of this width by height. */
    fit(bounds: Float64Array, aspect: number): void {
        const centre: Triple = [0, 1, 2].map((c) => (bounds[c] + bounds[3 + c]) / 2) as Triple;
        const axes = this.axes();
        const tangent = Math.tan(half_angle) * 0.88; // leaves a margin
        let distance = 0;
        for (let corner = 0; corner < 8; ++corner) {
            const p = sub([0, 1, 2].map((c) => bounds[corner & (1 << c) ? 3 + c : c]) as Triple, centre);
            const towards_eye = this.is_flat ? 0 : dot(p, axes.back);
            const across_picture = Math.max(Math.abs(dot(p, axes.up)), Math.abs(dot(p, axes.right)) / aspect);
            distance = Math.max(distance, towards_eye + across_picture / tangent);
        }
        this.target = centre;
        this.distance = distance > 0 ? distance : 1;
        this.on_change.call();
    }

    touch(): void {
        this.is_touched = true;
        this.on_change.call();
    }

    save(): string {
        const short = (x: number) => String(Number(x.toPrecision(9)));
        // The target may be far from the origin and the distance small: it keeps all digits.
        return [short(this.azimuth), short(this.elevation), short(this.distance), ...this.target.map(String)].join(",");
    }

    load(numbers: number[]): void {
        if (numbers[2] <= 0)
            return;
        [this.azimuth, this.elevation, this.distance] = numbers;
        this.target = [numbers[3], numbers[4], numbers[5]];
        this.touch();
    }
}
