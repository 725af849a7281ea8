// All triangles of all bodies as one mesh, so that a thousand bodies are one draw call.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineSegments, Mesh, type ShaderMaterial, Vector3 } from "three";
import type { Topology } from "./decode";
import { write_normals } from "./normals";
import { material, type SharedUniforms } from "./shaders";

export class Surface {
    readonly mesh: Mesh;
    readonly wires: LineSegments;
    readonly wire_color = new Vector3(0, 0, 0);
    /** Triangles of the bodies that are shown. */
    triangles = new Uint32Array(0);

    private readonly geometry = new BufferGeometry();
    private readonly wire_geometry = new BufferGeometry();
    private readonly normals: Float32Array;
    private readonly weights: Float32Array;
    private wire_edges: Uint32Array[] | null = null;
    private is_shown: (body: number) => boolean = () => true;

    constructor(
        private readonly topology: Topology,
        readonly positions: Float32Array,
        colors: Uint8Array,
        shared: SharedUniforms,
    ) {
        this.normals = new Float32Array(positions.length);
        this.weights = new Float32Array(positions.length / 3);
        const changing = (array: Float32Array | Uint8Array, normalized: boolean) => {
            const attribute = new BufferAttribute(array, 3, normalized);
            attribute.setUsage(DynamicDrawUsage);
            return attribute;
        };
        this.geometry.setAttribute("position", changing(positions, false));
        this.geometry.setAttribute("normal", changing(this.normals, false));
        this.geometry.setAttribute("color", changing(colors, true));
        this.wire_geometry.setAttribute("position", this.geometry.getAttribute("position"));
        this.mesh = new Mesh(this.geometry, material("surface", shared, { has_creases: true }));
        this.wires = new LineSegments(
            this.wire_geometry,
            material("line", shared, { is_unlit: true, opacity: 0.45, uniforms: { line_color: { value: this.wire_color } } }),
        );
        this.wires.visible = false;
        // Everything is in view or the scene is empty: culling would need bounds per frame.
        this.mesh.frustumCulled = this.wires.frustumCulled = false;
    }

    show(is_shown: (body: number) => boolean): void {
        this.is_shown = is_shown;
        this.triangles = joined(this.topology.triangles.filter((_, b) => is_shown(b)));
        this.geometry.setIndex(new BufferAttribute(this.triangles, 1));
        this.mesh.visible = this.triangles.length > 0;
        this.update_wires();
    }

    set_wires(visible: boolean): void {
        this.wires.visible = visible;
        this.update_wires();
    }

    moved(): void {
        write_normals(this.triangles, this.positions, this.normals, this.weights);
        this.geometry.getAttribute("position").needsUpdate = true;
        this.geometry.getAttribute("normal").needsUpdate = true;
    }

    recolored(): void {
        this.geometry.getAttribute("color").needsUpdate = true;
    }

    dispose(): void {
        this.geometry.dispose();
        this.wire_geometry.dispose();
        for (const drawn of [this.mesh, this.wires])
            (drawn.material as ShaderMaterial).dispose();
    }

    private update_wires(): void {
        if (!this.wires.visible)
            return;
        this.wire_edges ??= this.topology.triangles.map((t) => unique_edges(t, this.topology.num_vertices));
        this.wire_geometry.setIndex(new BufferAttribute(joined(this.wire_edges.filter((_, b) => this.is_shown(b))), 1));
    }
}

function joined(parts: Uint32Array[]): Uint32Array {
    const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

/** Each edge of the triangles once: as numbers that sort by both ends. */
export function unique_edges(triangles: Uint32Array, num_vertices: number): Uint32Array {
    const keys = new Float64Array(triangles.length);
    for (let t = 0; t < triangles.length; t += 3)
        for (let k = 0; k < 3; ++k) {
            const a = triangles[t + k];
            const b = triangles[t + ((k + 1) % 3)];
            keys[t + k] = Math.min(a, b) * num_vertices + Math.max(a, b);
        }
    keys.sort();
    const edges: number[] = [];
    keys.forEach((key, i) => {
        if (i === 0 || key !== keys[i - 1])
            edges.push(Math.floor(key / num_vertices), key % num_vertices);
    });
    return Uint32Array.from(edges);
}
