// What a viewer draws: bodies, planes, contacts and marks of one frame, in units in which the scene has a size of about 1.

import { Group, Matrix4, Mesh, OrthographicCamera, PerspectiveCamera, Scene, ShaderMaterial, type Vector3, type WebGLRenderer } from "three";
import { type Camera, half_angle } from "./camera";
import { Coloring } from "./coloring";
import { Contacts } from "./contacts";
import { type Extent, Ground } from "./ground";
import type { Triple } from "./manifest";
import { Marks } from "./marks";
import { empty_bounds, extend_bounds, type Playback } from "./playback";
import { material, set_section, shared_uniforms } from "./shaders";
import { type Balls, make_balls } from "./shapes";
import { Strands } from "./strands";
import { Surface } from "./surface";
import { norm, normalized, scaled, sub } from "./vector";

export interface Section {
    axis: 0 | 1 | 2;
    share: number; // of the extent along the axis, 0 to 1
}

export interface ThemeColors {
    ground: Triple;
    ground_line: Triple;
    wire: Triple;
}

/** The picture is drawn anew from another origin when the camera comes so near that 32-bit floats would jitter. */
const farthest_target = 2000;

export class ViewScene {
    readonly surface: Surface;
    readonly strands: Strands;
    readonly contacts: Contacts;
    readonly coloring: Coloring;
    readonly hidden = new Set<number>();
    readonly positions: Float32Array;
    origin: Triple = [0, 0, 0]; // [m]
    scale = 1; // [1/m]
    shows_marks = true;
    section: Section | null = null;
    selected_vertex = -1;
    frame = -1;

    private readonly scene = new Scene();
    private readonly casters: { mesh: Mesh; lit: ShaderMaterial; shadow: ShaderMaterial }[];
    private readonly others = new Group();
    private readonly shared = shared_uniforms();
    private readonly colors: Uint8Array;
    private readonly grounds: Ground[];
    private readonly marks: Marks;
    private readonly selection: Balls;
    private readonly perspective = new PerspectiveCamera();
    private readonly orthographic = new OrthographicCamera();
    private is_shadow_old = true;
    private has_body_colors = false;
    private num_frames_placed = -1;

    constructor(
        readonly playback: Playback,
        reference: Playback | null,
    ) {
        const { manifest, topology } = playback;
        this.positions = new Float32Array(3 * topology.num_vertices);
        this.colors = new Uint8Array(3 * topology.num_vertices);
        this.surface = new Surface(topology, this.positions, this.colors, this.shared);
        this.strands = new Strands(manifest.bodies, topology, this.positions, this.colors, this.shared);
        this.contacts = new Contacts(playback, this.shared);
        this.coloring = new Coloring(playback, reference);
        this.marks = new Marks(this.shared);
        this.selection = make_balls(1, 5, this.shared, { is_on_top: true });
        this.selection.mesh.renderOrder = 20;
        this.grounds = manifest.planes.map((plane) => new Ground(plane, normalized(manifest.up), manifest.dim === 2));
        const caster = (mesh: Mesh, shape: "surface" | "tube" | "ball") => {
            const lit = mesh.material as ShaderMaterial;
            return { mesh, lit, shadow: material(shape, this.shared, { is_shadow: true, uniforms: lit.uniforms }) };
        };
        this.casters = [caster(this.surface.mesh, "surface"), caster(this.strands.tubes.mesh, "tube"), caster(this.strands.balls.mesh, "ball")];
        this.others.add(this.surface.wires, this.contacts.group, this.marks.group, this.selection.mesh, ...this.grounds.map((g) => g.mesh));
        this.scene.add(this.others, ...this.casters.map((c) => c.mesh));
        this.shared.is_flat.value = manifest.dim === 2 ? 1 : 0;
        this.update_visibility();
    }

    readonly is_shown = (body: number): boolean => !this.hidden.has(body);

    set_theme(colors: ThemeColors): void {
        this.surface.wire_color.set(...colors.wire);
        for (const ground of this.grounds)
            ground.set_colors(colors.ground, colors.ground_line);
    }

    /** Distance of the grid's lines on the ground [m], 0 without a ground. */
    get grid_step(): number {
        return this.playback.manifest.dim === 3 ? (this.grounds[0]?.grid_step ?? 0) : 0;
    }

    show_frame(index: number): void {
        if (!this.playback.frames[index])
            return;
        if (this.frame < 0)
            this.set_origin(index);
        this.frame = index;
        this.update_positions();
    }

    update_visibility(): void {
        this.surface.show(this.is_shown);
        this.strands.show(this.is_shown);
        if (this.frame >= 0)
            this.update_positions();
    }

    update_colors(): void {
        if (this.frame < 0)
            return;
        // Bodies keep their colours from frame to frame.
        if (this.coloring.chosen || !this.has_body_colors) {
            this.coloring.write(this.frame, this.is_shown, this.colors);
            this.surface.recolored();
        }
        this.has_body_colors = this.coloring.chosen === null;
        this.shared.matte.value = this.coloring.chosen ? 1 : 0;
        this.strands.moved(this.scale);
    }

    update_contacts(): void {
        if (this.frame >= 0)
            this.contacts.update(this.frame, this.origin, this.scale, this.run_extent().radius, this.is_shown);
    }

    update_marks(): void {
        const { marks } = this.playback.manifest;
        this.marks.update(this.shows_marks ? marks : [], this.frame, this.origin, this.scale);
    }

    update_selection(): void {
        const v = this.selected_vertex;
        if (v >= 0) {
            this.selection.arrays.a.set(this.positions.subarray(3 * v, 3 * v + 3));
            this.selection.arrays.color_a.set([1, 0.85, 0.1]);
        }
        this.selection.update(v >= 0 ? 1 : 0);
    }

    update_section(): void {
        const value = this.shared.section.value;
        this.scene.traverse((drawn) => {
            if (drawn instanceof Mesh && drawn.material instanceof ShaderMaterial && !this.grounds.some((g) => g.mesh === drawn))
                set_section(drawn.material, this.section !== null);
        });
        for (const { shadow } of this.casters)
            set_section(shadow, this.section !== null);
        if (!this.section) {
            value.set(0, 0, 0, 1);
            return;
        }
        const { axis, share } = this.section;
        const bounds = this.playback.bounds;
        const at = (bounds[axis] + (bounds[3 + axis] - bounds[axis]) * share - this.origin[axis]) * this.scale;
        const direction: Triple = [0, 0, 0];
        direction[axis] = 1;
        value.set(...direction, at);
        this.is_shadow_old = true;
    }

    /** Is a point of the scene cut away? */
    is_cut(x: number, y: number, z: number): boolean {
        const { value } = this.shared.section;
        return x * value.x + y * value.y + z * value.z > value.w;
    }

    /** Bounds of the bodies that are shown, in this frame or in all that are decoded [m]. */
    bounds(of_run: boolean): Float64Array {
        const { playback } = this;
        if (this.hidden.size === 0 && of_run)
            return playback.bounds;
        const bounds = empty_bounds();
        playback.manifest.bodies.forEach((_, b) => {
            if (!this.is_shown(b))
                return;
            const positions = playback.positions(this.frame, b);
            for (let i = 0; i < positions.length; i += 3)
                extend_bounds(bounds, new Float64Array([...positions.subarray(i, i + 3), ...positions.subarray(i, i + 3)]));
        });
        return bounds[0] <= bounds[3] ? bounds : playback.bounds;
    }

    /** Draws into the lower left of the renderer's canvas. */
    render(renderer: WebGLRenderer, camera: Camera, width: number, height: number, is_quick: boolean): void {
        this.keep_precision(camera);
        // Shadows of another frame are worse than none.
        for (const ground of this.grounds)
            ground.shows_shadow = !this.is_shadow_old || !is_quick;
        if (this.is_shadow_old && !is_quick) {
            this.is_shadow_old = false;
            this.cast_shadows(renderer);
        }
        const eye = this.aim(camera, width / height);
        this.shared.pixel.value = (2 * Math.tan(half_angle)) / height;
        if (camera.is_flat)
            this.shared.pixel.value *= camera.distance * this.scale;
        renderer.setViewport(0, 0, width, height);
        renderer.setScissor(0, 0, width, height);
        renderer.setScissorTest(true);
        renderer.setClearColor(0x000000, 0);
        renderer.clear();
        renderer.render(this.scene, eye);
    }

    private cast_shadows(renderer: WebGLRenderer): void {
        this.others.visible = false;
        for (const { mesh, shadow } of this.casters)
            mesh.material = shadow;
        for (const ground of this.grounds)
            ground.cast(renderer, this.scene, this.shared, this.frame_extent());
        for (const { mesh, lit } of this.casters)
            mesh.material = lit;
        this.others.visible = true;
    }

    /** From the scene to the picture: x and y from −1 to 1. Valid after `render`. */
    projection(): Matrix4 {
        const eye = this.playback.manifest.dim === 2 ? this.orthographic : this.perspective;
        return new Matrix4().multiplyMatrices(eye.projectionMatrix, eye.matrixWorldInverse);
    }

    private aim(camera: Camera, aspect: number): PerspectiveCamera | OrthographicCamera {
        const axes = camera.axes();
        const place = scaled(sub(camera.eye(), this.origin), this.scale);
        const { centre, radius } = this.drawn_extent();
        const distance = norm(sub(centre, place));
        const far = distance + radius;
        const near = Math.max(distance - radius, 0.004 * camera.distance * this.scale, 1e-5 * far);
        const eye = camera.is_flat ? this.orthographic : this.perspective;
        if (eye instanceof PerspectiveCamera) {
            eye.fov = (2 * half_angle * 180) / Math.PI;
            eye.aspect = aspect;
            eye.near = near;
        } else {
            const half = (camera.height / 2) * this.scale;
            [eye.top, eye.bottom, eye.right, eye.left] = [half, -half, half * aspect, -half * aspect];
            eye.near = -far;
        }
        eye.far = far;
        eye.matrixAutoUpdate = false;
        eye.matrix.set(
            axes.right[0], axes.up[0], axes.back[0], place[0],
            axes.right[1], axes.up[1], axes.back[1], place[1],
            axes.right[2], axes.up[2], axes.back[2], place[2],
            0, 0, 0, 1,
        ); // prettier-ignore
        eye.updateMatrixWorld(true);
        eye.updateProjectionMatrix();
        (this.shared.up.value as Vector3).set(...normalized(this.playback.manifest.up)).transformDirection(eye.matrixWorldInverse);
        return eye;
    }

    private keep_precision(camera: Camera): void {
        const away = norm(sub(camera.target, this.origin));
        const is_jittering = away > farthest_target * camera.distance;
        const is_tiny = camera.distance * this.scale < 1 / farthest_target || camera.distance * this.scale > farthest_target;
        if (!is_jittering && !is_tiny)
            return;
        this.origin = [...camera.target];
        this.scale = 1 / camera.distance;
        if (this.frame >= 0)
            this.update_positions();
    }

    private set_origin(index: number): void {
        const { bounds } = this.playback.frames[index]!;
        if (!(bounds[0] <= bounds[3]))
            return;
        this.origin = [0, 1, 2].map((c) => (bounds[c] + bounds[3 + c]) / 2) as Triple;
        const radius = norm([0, 1, 2].map((c) => (bounds[3 + c] - bounds[c]) / 2) as Triple);
        this.scale = radius > 0 ? 1 / radius : 1;
    }

    private update_positions(): void {
        this.playback.write_positions(this.frame, this.origin, this.scale, this.positions);
        this.surface.moved();
        this.update_colors();
        this.update_contacts();
        this.update_marks();
        this.update_section();
        this.update_selection();
        for (const ground of this.grounds)
            ground.place(this.run_extent(), this.origin, this.scale);
        this.num_frames_placed = this.playback.num_decoded;
        this.is_shadow_old = true;
    }

    /** More frames may have larger bounds: grounds grow with them. */
    update_extent(): void {
        if (this.frame < 0 || this.num_frames_placed === this.playback.num_decoded)
            return;
        this.num_frames_placed = this.playback.num_decoded;
        for (const ground of this.grounds)
            ground.place(this.run_extent(), this.origin, this.scale);
        this.is_shadow_old = true;
    }

    private extent(bounds: Float64Array): Extent {
        if (!(bounds[0] <= bounds[3]))
            return { centre: [0, 0, 0], radius: 1 };
        const middle = [0, 1, 2].map((c) => (bounds[c] + bounds[3 + c]) / 2) as Triple;
        const radius = norm([0, 1, 2].map((c) => (bounds[3 + c] - bounds[c]) / 2) as Triple);
        return { centre: scaled(sub(middle, this.origin), this.scale), radius: radius > 0 ? radius * this.scale : 1 };
    }

    private run_extent(): Extent {
        return this.extent(this.playback.bounds);
    }

    private frame_extent(): Extent {
        return this.extent(this.playback.frames[this.frame]?.bounds ?? this.playback.bounds);
    }

    /** A ball around all that is drawn: grounds reach beyond the bodies. */
    private drawn_extent(): Extent {
        const { centre, radius } = this.run_extent();
        return { centre, radius: Math.max(1.6 * radius, ...this.grounds.map((g) => g.reach_from(centre))) };
    }
}
