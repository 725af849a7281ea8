// The manifest of a playback (docs/playback.md), checked at the border: what follows may rely on its types.

export type Triple = [number, number, number];

export interface Body {
    name: string;
    kind: string;
    color: Triple; // as on a screen, in [0, 1]
    num_vertices: number;
    num_triangles: number;
    num_edges: number;
    num_points: number;
    radius: number; // of tubes and spheres [m]
    origin: Triple; // [m]
    quantum: number; // [m]
}

export interface Plane {
    name: string;
    point: Triple;
    normal: Triple;
}

export interface Field {
    name: string;
    label: string;
    unit: string;
    range: [number, number] | null;
}

export interface FrameTime {
    step: number;
    time: number; // [s]
}

export interface Chunk {
    first: number;
    count: number;
}

export interface Mark {
    label: string;
    frame: number | null;
    points: Triple[];
    segments: [Triple, Triple][];
    triangles: [Triple, Triple, Triple][];
}

export interface LookAt {
    frame: number;
    point: Triple;
    radius: number;
}

export interface Manifest {
    name: string;
    dim: 2 | 3;
    up: Triple;
    bodies: Body[];
    planes: Plane[];
    fields: Field[];
    frames: FrameTime[];
    frames_of_run: number;
    chunks: Chunk[];
    marks: Mark[];
    is_running: boolean;
    look_at: LookAt | null;
    status: string;
}

/** Data that is not as docs/playback.md says. The message is shown to the reader of the page. */
export class DataError extends Error {}

type Json = { [key: string]: unknown };

const fail = (what: string): never => {
    throw new DataError(`The manifest is wrong: ${what}.`);
};

function object(value: unknown, what: string): Json {
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : fail(`${what} is not an object`);
}

function list(value: unknown, what: string): unknown[] {
    return value === undefined || value === null ? [] : Array.isArray(value) ? value : fail(`${what} is not a list`);
}

function finite(value: unknown, what: string): number {
    return typeof value === "number" && Number.isFinite(value) ? value : fail(`${what} is not a number`);
}

function count(value: unknown, what: string): number {
    const n = finite(value, what);
    return Number.isInteger(n) && n >= 0 ? n : fail(`${what} is not a whole number`);
}

function text(value: unknown): string {
    return typeof value === "string" ? value : "";
}

function triple(value: unknown, what: string): Triple {
    const v = list(value, what);
    // Two numbers are a point of the plane z = 0.
    if (v.length !== 3 && v.length !== 2)
        fail(`${what} does not have three numbers`);
    return [finite(v[0], what), finite(v[1], what), v.length === 3 ? finite(v[2], what) : 0];
}

function body(value: unknown, i: number): Body {
    const b = object(value, `bodies[${i}]`);
    const of = (key: string) => `bodies[${i}].${key}`;
    return {
        name: text(b.name) || `body ${i}`,
        kind: text(b.kind),
        color: triple(b.color, of("color")),
        num_vertices: count(b.num_vertices, of("num_vertices")),
        num_triangles: count(b.num_triangles, of("num_triangles")),
        num_edges: count(b.num_edges, of("num_edges")),
        num_points: count(b.num_points, of("num_points")),
        radius: finite(b.radius ?? 0, of("radius")),
        origin: triple(b.origin, of("origin")),
        quantum: finite(b.quantum, of("quantum")),
    };
}

function range(value: unknown): [number, number] | null {
    const finite_pair = Array.isArray(value) && value.length === 2 && value.every((x) => typeof x === "number" && Number.isFinite(x));
    return finite_pair ? (value as [number, number]) : null;
}

function mark(value: unknown, i: number): Mark {
    const m = object(value, `marks[${i}]`);
    const simplices = (key: string) => list(m[key], `marks[${i}].${key}`).map((s) => list(s, key).map((p) => triple(p, `marks[${i}].${key}`)));
    return {
        label: text(m.label),
        frame: typeof m.frame === "number" ? m.frame : null,
        points: list(m.points, "points").map((p) => triple(p, `marks[${i}].points`)),
        segments: simplices("segments").filter((s) => s.length === 2) as Mark["segments"],
        triangles: simplices("triangles").filter((s) => s.length === 3) as Mark["triangles"],
    };
}

export function parse_manifest(json: string): Manifest {
    let value: unknown;
    try {
        value = JSON.parse(json);
    } catch {
        throw new DataError("The manifest is not JSON: the page may be cut off.");
    }
    const m = object(value, "it");
    if (m.playback !== 1)
        throw new DataError(`This page has frames in version ${String(m.playback)} of the format; the viewer reads version 1.`);
    const look = m.look_at ? object(m.look_at, "look_at") : null;
    const frames = list(m.frames, "frames").map((f, i) => {
        const frame = object(f, `frames[${i}]`);
        return { step: finite(frame.step, `frames[${i}].step`), time: finite(frame.time, `frames[${i}].time`) };
    });
    return {
        name: text(m.name),
        dim: m.dim === 2 ? 2 : 3,
        up: m.up ? triple(m.up, "up") : [0, 1, 0],
        bodies: list(m.bodies, "bodies").map(body),
        planes: list(m.planes, "planes").map((p, i) => {
            const plane = object(p, `planes[${i}]`);
            return {
                name: text(plane.name) || `plane ${i}`,
                point: triple(plane.point, `planes[${i}].point`),
                normal: triple(plane.normal, `planes[${i}].normal`),
            };
        }),
        fields: list(m.fields, "fields").map((f, i) => {
            const field = object(f, `fields[${i}]`);
            const name = text(field.name) || `field ${i}`;
            return { name, label: text(field.label) || name, unit: text(field.unit), range: range(field.range) };
        }),
        frames,
        frames_of_run: typeof m.frames_of_run === "number" ? m.frames_of_run : frames.length,
        chunks: list(m.chunks, "chunks").map((c, i) => {
            const chunk = object(c, `chunks[${i}]`);
            return { first: count(chunk.first, `chunks[${i}].first`), count: count(chunk.count, `chunks[${i}].count`) };
        }),
        marks: list(m.marks, "marks").map(mark),
        is_running: m.is_running === true,
        look_at: look && {
            frame: typeof look.frame === "number" ? look.frame : 0,
            point: triple(look.point, "look_at.point"),
            radius: finite(look.radius, "look_at.radius"),
        },
        status: text(m.status),
    };
}
