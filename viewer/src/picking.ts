// What is under the pointer: the nearest triangle, tube or ball along the line of sight, and its nearest vertex.

import { Matrix4, Vector3 } from "three";
import type { ViewScene } from "./scene";

export interface Pick {
    body: number;
    vertex: number; // in the numbering of all bodies
    place: [number, number, number]; // in the scene
}

/** Pixels by which thin things may be missed. */
const tolerance_pixels = 6;

/** x, y: from the upper left of a canvas of this size, in CSS pixels. */
export function pick(scene: ViewScene, x: number, y: number, width: number, height: number): Pick | null {
    const projection = scene.projection();
    const inverse = new Matrix4().copy(projection).invert();
    const [nx, ny] = [(2 * x) / width - 1, 1 - (2 * y) / height];
    const origin = new Vector3(nx, ny, -1).applyMatrix4(inverse);
    const direction = new Vector3(nx, ny, 1).applyMatrix4(inverse).sub(origin);
    const length = direction.length();
    direction.multiplyScalar(1 / length);

    // Size of a pixel at a point of the line of sight.
    const right = new Vector3();
    const pixel_at = (p: Vector3): number => {
        right.copy(p).applyMatrix4(projection);
        right.x += 2 / width;
        return right.applyMatrix4(inverse).distanceTo(p);
    };

    const o = origin.toArray();
    const d = direction.toArray();
    const surface = nearest_triangle(scene, o, d);
    let [best, vertex] = [surface.distance, surface.vertex];

    const { positions, strands } = scene;
    const a = new Vector3();
    const b = new Vector3();
    const on_line = new Vector3();
    const on_axis = new Vector3();
    const test = (va: number, vb: number, radius: number) => {
        a.fromArray(positions, 3 * va);
        b.fromArray(positions, 3 * vb);
        const t = closest_points(origin, direction, a, b, on_line, on_axis);
        const reach = Math.max(radius * scene.scale, tolerance_pixels * pixel_at(on_line));
        if (t <= 0 || on_line.distanceTo(on_axis) > reach || scene.is_cut(on_axis.x, on_axis.y, on_axis.z))
            return;
        const distance = t - radius * scene.scale;
        if (distance < best) {
            best = distance;
            vertex = on_axis.distanceTo(a) <= on_axis.distanceTo(b) ? va : vb;
        }
    };
    strands.edge_radii.forEach((radius, i) => test(strands.edges[2 * i], strands.edges[2 * i + 1], radius));
    strands.point_radii.forEach((radius, i) => test(strands.points[i], strands.points[i], radius));
    if (vertex < 0)
        return null;
    const place = origin.addScaledVector(direction, best).toArray();
    return { body: scene.playback.body_of(vertex), vertex, place };
}

/** Möller and Trumbore's test for all triangles shown. */
function nearest_triangle(scene: ViewScene, o: number[], d: number[]): { distance: number; vertex: number } {
    const { positions } = scene;
    const { triangles } = scene.surface;
    let distance = Infinity;
    let vertex = -1;
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
        const [ax, ay, az] = [positions[a], positions[a + 1], positions[a + 2]];
        const [ux, uy, uz] = [positions[b] - ax, positions[b + 1] - ay, positions[b + 2] - az];
        const [vx, vy, vz] = [positions[c] - ax, positions[c + 1] - ay, positions[c + 2] - az];
        const [px, py, pz] = [d[1] * vz - d[2] * vy, d[2] * vx - d[0] * vz, d[0] * vy - d[1] * vx];
        const determinant = ux * px + uy * py + uz * pz;
        if (determinant === 0)
            continue;
        const [sx, sy, sz] = [o[0] - ax, o[1] - ay, o[2] - az];
        const beta = (sx * px + sy * py + sz * pz) / determinant;
        if (beta < 0 || beta > 1)
            continue;
        const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
        const gamma = (d[0] * qx + d[1] * qy + d[2] * qz) / determinant;
        if (gamma < 0 || beta + gamma > 1)
            continue;
        const along = (vx * qx + vy * qy + vz * qz) / determinant;
        if (along <= 0 || along >= distance || scene.is_cut(o[0] + along * d[0], o[1] + along * d[1], o[2] + along * d[2]))
            continue;
        distance = along;
        const alpha = 1 - beta - gamma;
        vertex = triangles[t + (alpha >= beta && alpha >= gamma ? 0 : beta >= gamma ? 1 : 2)];
    }
    return { distance, vertex };
}

/** Closest points of a line and a segment; gives how far along the line. */
function closest_points(o: Vector3, d: Vector3, a: Vector3, b: Vector3, on_line: Vector3, on_segment: Vector3): number {
    const u = on_segment.copy(b).sub(a);
    const uu = u.dot(u);
    const ud = u.dot(d);
    const w = on_line.copy(a).sub(o);
    const wd = w.dot(d);
    const wu = w.dot(u);
    const determinant = uu - ud * ud; // d is a unit vector
    const s = determinant > 1e-12 * uu ? Math.min(Math.max((ud * wd - wu) / determinant, 0), 1) : 0;
    on_segment.multiplyScalar(s).add(a);
    const t = on_line.copy(on_segment).sub(o).dot(d);
    on_line.copy(o).addScaledVector(d, t);
    return t;
}
