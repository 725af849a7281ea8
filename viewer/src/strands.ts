// Loose edges as tubes and loose points as balls.

import type { Body } from "./manifest";
import type { Topology } from "./decode";
import type { SharedUniforms } from "./shaders";
import { type Balls, make_balls, make_tubes, type Tubes } from "./shapes";

/** Radius that is drawn at least [pixels]. */
const least_pixels = 0.8;

export class Strands {
    readonly tubes: Tubes;
    readonly balls: Balls;
    /** Ends of the tubes and centres of the balls that are shown, with their radii [m]. */
    edges: number[] = [];
    edge_radii: number[] = [];
    points: number[] = [];
    point_radii: number[] = [];

    constructor(
        private readonly bodies: Body[],
        private readonly topology: Topology,
        private readonly positions: Float32Array,
        private readonly colors: Uint8Array,
        shared: SharedUniforms,
    ) {
        const total = (parts: Uint32Array[]) => parts.reduce((sum, part) => sum + part.length, 0);
        this.tubes = make_tubes(total(topology.edges) / 2, least_pixels, shared);
        this.balls = make_balls(total(topology.points), 2 * least_pixels, shared);
    }

    show(is_shown: (body: number) => boolean): void {
        this.edges = [];
        this.edge_radii = [];
        this.points = [];
        this.point_radii = [];
        this.bodies.forEach((body, b) => {
            if (!is_shown(b))
                return;
            this.topology.edges[b].forEach((v, i) => {
                this.edges.push(v);
                if (i % 2 === 0)
                    this.edge_radii.push(body.radius);
            });
            this.topology.points[b].forEach((v) => {
                this.points.push(v);
                this.point_radii.push(body.radius);
            });
        });
        this.tubes.reserve(this.edge_radii.length);
        this.balls.reserve(this.points.length);
    }

    /** Positions, colours or the scale [1/m] of the scene changed. */
    moved(scale: number): void {
        const { positions, colors } = this;
        const copy = (to: Float32Array, i: number, from: Float32Array | Uint8Array, v: number, factor: number) => {
            for (let c = 0; c < 3; ++c)
                to[3 * i + c] = from[3 * v + c] * factor;
        };
        const tubes = this.tubes.arrays;
        for (let i = 0; i < this.edge_radii.length; ++i) {
            const [a, b] = [this.edges[2 * i], this.edges[2 * i + 1]];
            copy(tubes.a, i, positions, a, 1);
            copy(tubes.b, i, positions, b, 1);
            copy(tubes.color_a, i, colors, a, 1 / 255);
            copy(tubes.color_b, i, colors, b, 1 / 255);
            tubes.radius[i] = this.edge_radii[i] * scale;
        }
        this.tubes.update(this.edge_radii.length);
        const balls = this.balls.arrays;
        for (let i = 0; i < this.points.length; ++i) {
            copy(balls.a, i, positions, this.points[i], 1);
            copy(balls.color_a, i, colors, this.points[i], 1 / 255);
            balls.radius[i] = this.point_radii[i] * scale;
        }
        this.balls.update(this.points.length);
    }
}
