// What is to be pointed at, drawn in red over everything else.

import { BufferAttribute, BufferGeometry, Group, Mesh } from "three";
import type { Mark, Triple } from "./manifest";
import { material, type SharedUniforms } from "./shaders";
import { type Balls, make_balls, make_tubes, type Tubes } from "./shapes";
import { scaled, sub } from "./vector";

const red: Triple = [0.93, 0.06, 0.1];

export const is_at = (mark: Mark, frame: number): boolean => mark.frame === null || mark.frame === frame;

/** Points of a mark, to look at. */
export function mark_points(mark: Mark): Triple[] {
    return [...mark.points, ...mark.segments.flat(), ...mark.triangles.flat()];
}

export class Marks {
    readonly group = new Group();
    private readonly tubes: Tubes;
    private readonly balls: Balls;
    private readonly faces: Mesh;

    constructor(shared: SharedUniforms) {
        this.tubes = make_tubes(100, 1.4, shared, { is_on_top: true, is_unlit: true });
        this.balls = make_balls(100, 4.5, shared, { is_on_top: true });
        this.faces = new Mesh(new BufferGeometry(), material("surface", shared, { opacity: 0.45, is_unlit: true, is_on_top: true }));
        this.faces.frustumCulled = false;
        [this.faces, this.tubes.mesh, this.balls.mesh].forEach((mesh, i) => {
            mesh.renderOrder = 10 + i;
            this.group.add(mesh);
        });
    }

    update(marks: Mark[], frame: number, origin: Triple, scale: number): void {
        const here = marks.filter((m) => is_at(m, frame));
        const place = (p: Triple): Triple => scaled(sub(p, origin), scale);

        const points = here.flatMap((m) => m.points);
        this.balls.reserve(points.length);
        points.forEach((p, i) => {
            this.balls.arrays.a.set(place(p), 3 * i);
            this.balls.arrays.color_a.set(red, 3 * i);
        });
        this.balls.update(points.length);

        const sides = (t: Triple[]) => t.map((p, k) => [p, t[(k + 1) % 3]] as [Triple, Triple]);
        const segments = here.flatMap((m) => [...m.segments, ...m.triangles.flatMap(sides)]);
        this.tubes.reserve(segments.length);
        segments.forEach(([a, b], i) => {
            this.tubes.arrays.a.set(place(a), 3 * i);
            this.tubes.arrays.b.set(place(b), 3 * i);
            this.tubes.arrays.color_a.set(red, 3 * i);
            this.tubes.arrays.color_b.set(red, 3 * i);
        });
        this.tubes.update(segments.length);

        const triangles = here.flatMap((m) => m.triangles);
        this.faces.visible = triangles.length > 0;
        if (triangles.length > 0) {
            this.faces.geometry.dispose();
            this.faces.geometry = new BufferGeometry();
            const corners = triangles.flat().map(place);
            this.faces.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners.flat()), 3));
            this.faces.geometry.setAttribute("normal", new BufferAttribute(new Float32Array(3 * corners.length), 3));
            this.faces.geometry.setAttribute("color", new BufferAttribute(Float32Array.from(corners.flatMap(() => red)), 3));
        }
    }
}
