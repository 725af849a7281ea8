// Scenes made by formulas, to look at.

/** A grid of vertices with two triangles per cell, as a body; `place(u, v)` gives its shape at a time. */
function sheet(name, color, cells, first_number) {
    const n = cells + 1;
    const triangles = [];
    for (let i = 0; i < cells; ++i)
        for (let j = 0; j < cells; ++j) {
            const a = i * n + j;
            triangles.push([a, a + 1, a + n], [a + 1, a + n + 1, a + n]);
        }
    return { name, kind: "cloth", color, triangles, numbers: Array.from({ length: n * n }, (_, k) => first_number + k) };
}

function ball(name, color, rings, first_number) {
    const sectors = 2 * rings;
    const unit = [];
    for (let i = 0; i <= rings; ++i)
        for (let j = 0; j < sectors; ++j) {
            const [theta, phi] = [(Math.PI * i) / rings, (2 * Math.PI * j) / sectors];
            unit.push([Math.sin(theta) * Math.cos(phi), Math.cos(theta), Math.sin(theta) * Math.sin(phi)]);
        }
    const triangles = [];
    for (let i = 0; i < rings; ++i)
        for (let j = 0; j < sectors; ++j) {
            const [a, b, c, d] = [i * sectors + j, i * sectors + ((j + 1) % sectors), (i + 1) * sectors + j, (i + 1) * sectors + ((j + 1) % sectors)];
            if (i > 0)
                triangles.push([a, b, d]);
            if (i < rings - 1)
                triangles.push([a, d, c]);
        }
    return { body: { name, kind: "solid", color, triangles, numbers: unit.map((_, k) => first_number + k) }, unit };
}

const cube_corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
const cube_triangles = [
    [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
    [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
];

/** A cloth falls on a ball beside a cube, a yarn and some grains on a floor. */
export function cloth_scene({ cells = 30, frames = 40, rings = 16, origin = [0, 0, 0], size = 1, with_all = true, name = "cloth on a ball", offset = 0, noise = 0 } = {}) {
    const cloth = sheet("cloth", [0.86, 0.37, 0.25], cells, 0);
    const n = cells + 1;
    const { body, unit } = ball("ball", [0.27, 0.5, 0.72], rings, n * n);
    const bodies = [cloth, body];
    const more = n * n + unit.length;
    if (with_all) {
        bodies.push({ name: "cube", kind: "rigid", color: [0.45, 0.66, 0.36], triangles: cube_triangles, numbers: cube_corners.map((_, k) => more + k) });
        bodies.push({
            name: "yarn", kind: "yarn", color: [0.6, 0.35, 0.65], radius: 0.02 * size,
            edges: Array.from({ length: 40 }, (_, k) => [k, k + 1]), numbers: Array.from({ length: 41 }, (_, k) => more + 8 + k),
        });
        bodies.push({ name: "grains", kind: "points", color: [0.85, 0.66, 0.2], radius: 0.035 * size, points: [0, 1, 2, 3, 4], numbers: [0, 1, 2, 3, 4].map((k) => more + 49 + k) });
        bodies.push({ name: "nothing", kind: "solid", color: [0.5, 0.5, 0.5], numbers: [] });
    }
    const put = (x, y, z) => [origin[0] + size * x, origin[1] + size * y, origin[2] + size * z];
    const list = [];
    for (let f = 0; f < frames; ++f) {
        const time = frames > 1 ? 1.5 * (f / (frames - 1)) ** 1.2 : 0; // irregular
        const fall = Math.min(1, time / 0.8);
        const cloth_x = [];
        const speed = [];
        for (let i = 0; i < n; ++i)
            for (let j = 0; j < n; ++j) {
                const [x, z] = [1.8 * (i / cells - 0.5), 1.8 * (j / cells - 0.5)];
                const r = Math.hypot(x, z);
                const draped = 0.5 + 0.52 * Math.sqrt(Math.max(0, 1 - (r / 0.6) ** 2)) - (r > 0.45 ? 0.9 * (r - 0.45) : 0) + 0.05 * fall * Math.sin(5 * Math.atan2(z, x)) * r;
                const y = Math.max(0.02, 1.5 * (1 - fall * fall) + fall * fall * draped) + offset * time;
                cloth_x.push(...put(x * (1 - 0.12 * fall * r), y, z * (1 - 0.12 * fall * r)));
                speed.push(size * (fall < 1 ? 2 * fall * Math.abs(1.5 - draped) : 0.3 * Math.exp(-3 * (time - 0.8)) * r));
            }
        if (noise > 0)
            for (let k = 0; k < cloth_x.length; ++k)
                cloth_x[k] += noise * Math.sin(12.9898 * (k + 1) * (f + 1.37) ** 2);
        const ball_x = unit.flatMap(([x, y, z]) => put(0.48 * x, 0.5 + 0.48 * y * (1 - 0.08 * fall), 0.48 * z));
        const positions = [cloth_x, ball_x];
        const speeds = [speed, unit.map(([, y]) => 0.02 * size * fall * (1 + y))];
        if (with_all) {
            const [c, s] = [Math.cos(2 * time), Math.sin(2 * time)];
            positions.push(cube_corners.flatMap(([x, y, z]) => put(1.1 + 0.16 * (c * x - s * z), 0.17 + 0.16 * y + Math.max(0, 0.6 - time), 0.5 + 0.16 * (s * x + c * z))));
            positions.push(Array.from({ length: 41 }, (_, k) => put(-1.2 + 0.012 * k, 0.1 + 0.3 * Math.abs(Math.sin(0.25 * k + 2 * time)) * (1 - 0.4 * fall), 0.8 - 0.03 * k + 0.1 * Math.sin(0.4 * k))).flat());
            positions.push([0, 1, 2, 3, 4].flatMap((k) => put(0.7 + 0.12 * k, 0.04 + 0.2 * Math.abs(Math.cos(3 * time + k)), 0.95)));
            positions.push([]);
            speeds.push(Array(8).fill(time < 0.6 ? size : 0), Array.from({ length: 41 }, (_, k) => 0.01 * k * size), Array(5).fill(0.5 * size), []);
        }
        const heights = positions.map((p) => Array.from({ length: p.length / 3 }, (_, k) => p[3 * k + 1]));
        const forces = [];
        if (fall > 0.6) {
            forces.push({ on: 1, by: -1, place: put(0, 0.02, 0), contact: [0, 30 * fall, 0], friction: [2, 0, 1] });
            for (let k = 0; k < 6; ++k) {
                const a = (k * Math.PI) / 3;
                const normal = [0.5 * Math.cos(a), 0.866, 0.5 * Math.sin(a)];
                forces.push({ on: 0, by: 1, place: put(0.24 * Math.cos(a), 0.92, 0.24 * Math.sin(a)), contact: normal.map((x) => 12 * x), friction: [-3 * Math.sin(a), 0, 3 * Math.cos(a)] });
            }
        }
        list.push({ step: 10 * f, time, positions, values: [speeds, heights], forces });
    }
    return {
        name,
        bodies,
        fields: [{ name: "speed", label: "speed", unit: "m/s" }, { name: "height", label: "height", unit: "m" }],
        planes: [{ name: "floor", point: put(0, 0, 0), normal: [0, 1, 0] }],
        frames: list,
    };
}

/** In the plane: a disk of triangles rolls on an incline with a chain of edges on it. */
export function flat_scene({ frames = 30 } = {}) {
    const sides = 24;
    const triangles = Array.from({ length: sides }, (_, k) => [0, 1 + k, 1 + ((k + 1) % sides)]);
    const slope = -0.2;
    const list = Array.from({ length: frames }, (_, f) => {
        const time = 0.05 * f;
        const [x, turn] = [-1 + 0.9 * time * time, -1.8 * time * time];
        const normal = [-slope, 1].map((v) => v / Math.hypot(slope, 1));
        const centre = [x + 0.3 * normal[0], slope * x + 0.3 * normal[1]];
        const disk = [...centre, 0];
        for (let k = 0; k < sides; ++k) {
            const a = turn + (2 * Math.PI * k) / sides;
            disk.push(centre[0] + 0.29 * Math.cos(a), centre[1] + 0.29 * Math.sin(a), 0);
        }
        const chain = Array.from({ length: 21 }, (_, k) => [0.4 + 0.05 * k, slope * (0.4 + 0.05 * k) + 0.03 + 0.2 * Math.max(0, 1 - time) * Math.abs(Math.sin(0.5 * k)), 0]).flat();
        const values = [[disk, chain].map((p) => Array.from({ length: p.length / 3 }, (_, k) => Math.hypot(p[3 * k], p[3 * k + 1])))];
        return { step: f, time, positions: [disk, chain], values, forces: [{ on: 0, by: -1, place: [x, slope * x, 0], contact: normal.map((v) => 5 * v).concat(0), friction: [1, slope, 0] }] };
    });
    return {
        name: "disk on an incline", dim: 2,
        bodies: [
            { name: "disk", kind: "planar", color: [0.27, 0.5, 0.72], triangles, numbers: Array.from({ length: sides + 1 }, (_, k) => k) },
            { name: "chain", kind: "rod", color: [0.86, 0.37, 0.25], radius: 0.012, edges: Array.from({ length: 20 }, (_, k) => [k, k + 1]), numbers: Array.from({ length: 21 }, (_, k) => sides + 1 + k) },
        ],
        fields: [{ name: "distance", label: "distance from the origin", unit: "m" }],
        planes: [{ name: "incline", point: [0, 0, 0], normal: [0.2, 1, 0].map((v) => v / Math.hypot(0.2, 1)) }],
        frames: list,
    };
}

/** Many cubes in a heap that settles. */
export function heap_scene({ count = 1000, frames = 20 } = {}) {
    const side = Math.ceil(Math.cbrt(count));
    const bodies = [];
    for (let b = 0; b < count; ++b) {
        const hue = (k) => 0.55 + 0.3 * Math.cos(0.37 * b + k);
        bodies.push({ name: `cube ${b}`, kind: "rigid", color: [hue(0), hue(2.1), hue(4.2)], triangles: cube_triangles, numbers: cube_corners.map((_, k) => 8 * b + k) });
    }
    const list = Array.from({ length: frames }, (_, f) => {
        const gap = 0.25 + 0.12 * Math.max(0, 1 - f / (0.7 * frames));
        const positions = bodies.map((_, b) => {
            const [i, j, k] = [b % side, Math.floor(b / side) % side, Math.floor(b / (side * side))];
            const [c, s] = [Math.cos(0.02 * f * (1 + (b % 5))), Math.sin(0.02 * f * (1 + (b % 5)))];
            return cube_corners.flatMap(([x, y, z]) => [0.25 * (i - side / 2) + 0.1 * (c * x - s * z), 0.12 + gap * k + 0.1 * y, 0.25 * (j - side / 2) + 0.1 * (s * x + c * z)]);
        });
        return { step: f, time: 0.02 * f, positions, values: [], forces: [] };
    });
    return { name: "heap of cubes", bodies, planes: [{ name: "floor", point: [0, 0, 0], normal: [0, 1, 0] }], frames: list };
}
