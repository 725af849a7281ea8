// Shapes drawn many times: capsules, balls, arrows. Each has a list of instances that grows as needed.

import { BufferAttribute, DynamicDrawUsage, IcosahedronGeometry, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, type ShaderMaterial } from "three";
import { type Look, material, type SharedUniforms } from "./shaders";

interface Base {
    positions: number[];
    normals: number[];
    index: number[];
}

/** Rings of points around the z axis, joined by triangles. Each ring: z, radius factor, and the normal's z. */
function rings(sides: number, profile: { z: number; radius: number; normal_z: number }[], joins: [number, number][]): Base {
    const base: Base = { positions: [], normals: [], index: [] };
    for (const { z, radius, normal_z } of profile) {
        const level = Math.sqrt(Math.max(1 - normal_z * normal_z, 0));
        for (let i = 0; i < sides; ++i) {
            const [c, s] = [Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides)];
            base.positions.push(c * radius, s * radius, z);
            base.normals.push(c * level, s * level, normal_z);
        }
    }
    for (const [low, high] of joins)
        for (let i = 0; i < sides; ++i) {
            const j = (i + 1) % sides;
            const [a, b, c, d] = [low * sides + i, low * sides + j, high * sides + i, high * sides + j];
            base.index.push(a, b, d, a, d, c);
        }
    return base;
}

const chain = (count: number): [number, number][] => Array.from({ length: count - 1 }, (_, i) => [i, i + 1]);

function capsule(is_fine: boolean): Base {
    const s = Math.SQRT1_2;
    const end = (z: number, normal_z: number) => ({ z, radius: 1, normal_z });
    const profile = is_fine
        ? [end(0, -1), end(0, -s), end(0, 0), end(1, 0), end(1, s), end(1, 1)]
        : [end(0, 0), end(1, 0)];
    return rings(is_fine ? 12 : 6, profile, chain(profile.length));
}

function arrow(): Base {
    const profile = [
        { z: 0, radius: 1, normal_z: 0 },
        { z: 1, radius: 1, normal_z: 0 },
        { z: 2, radius: 1, normal_z: 0.4 },
        { z: 3, radius: 1, normal_z: 0.4 },
        { z: 1, radius: 1, normal_z: -1 },
        { z: 2, radius: 1, normal_z: -1 },
    ];
    return rings(10, profile, [[0, 1], [2, 3], [4, 5]]);
}

function ball(detail: number): Base {
    const geometry = new IcosahedronGeometry(1, detail);
    const positions = Array.from(geometry.getAttribute("position").array);
    return { positions, normals: positions, index: positions.slice(0, positions.length / 3).map((_, i) => i) };
}

/** Lists of numbers per instance; write them, then call `update`. */
export class Instances<Names extends string> {
    readonly mesh: Mesh;
    readonly arrays = {} as Record<Names, Float32Array>;
    private readonly geometry = new InstancedBufferGeometry();
    private capacity = 0;

    constructor(
        base: Base,
        private readonly sizes: Record<Names, number>,
        shader: ShaderMaterial,
    ) {
        this.geometry.setAttribute("position", new BufferAttribute(Float32Array.from(base.positions), 3));
        this.geometry.setAttribute("normal", new BufferAttribute(Float32Array.from(base.normals), 3));
        this.geometry.setIndex(base.index);
        this.mesh = new Mesh(this.geometry, shader);
        this.mesh.frustumCulled = false;
        this.reserve(1);
        this.update(0);
    }

    reserve(count: number): void {
        if (count <= this.capacity)
            return;
        this.capacity = Math.max(count, Math.ceil(1.5 * this.capacity));
        // Arrays of another size need new buffers.
        this.geometry.dispose();
        for (const name of Object.keys(this.sizes) as Names[]) {
            const array = new Float32Array(this.capacity * this.sizes[name]);
            const attribute = new InstancedBufferAttribute(array, this.sizes[name]);
            attribute.setUsage(DynamicDrawUsage);
            this.arrays[name] = array;
            this.geometry.setAttribute(name, attribute);
        }
    }

    update(count: number): void {
        this.geometry.instanceCount = count;
        this.mesh.visible = count > 0;
        for (const name of Object.keys(this.sizes))
            this.geometry.getAttribute(name).needsUpdate = true;
    }

    dispose(): void {
        this.geometry.dispose();
        (this.mesh.material as ShaderMaterial).dispose();
    }
}

export type Tubes = Instances<"a" | "b" | "color_a" | "color_b" | "radius">;
export type Balls = Instances<"a" | "color_a" | "radius">;
export type Arrows = Instances<"a" | "b" | "color_a">;

/** Above this many, shapes are drawn with fewer triangles. */
const many = 3000;

export function make_tubes(expected: number, least_pixels: number, shared: SharedUniforms, look: Look = {}): Tubes {
    const shader = material("tube", shared, { ...look, uniforms: { least_pixels: { value: least_pixels } } });
    return new Instances(capsule(expected < many), { a: 3, b: 3, color_a: 3, color_b: 3, radius: 1 }, shader);
}

export function make_balls(expected: number, least_pixels: number, shared: SharedUniforms, look: Look = {}): Balls {
    const shader = material("ball", shared, { ...look, uniforms: { least_pixels: { value: least_pixels } } });
    return new Instances(ball(expected < many / 4 ? 3 : 1), { a: 3, color_a: 3, radius: 1 }, shader);
}

export function make_arrows(thickness: { value: number }, shared: SharedUniforms): Arrows {
    return new Instances(arrow(), { a: 3, b: 3, color_a: 3 }, material("arrow", shared, { uniforms: { thickness } }));
}
