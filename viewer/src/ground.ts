// Planes: large squares that fade out, with a grid to judge sizes by, and on floors the bodies' soft shadows.

import {
    BufferAttribute,
    BufferGeometry,
    type Camera as ThreeCamera,
    DoubleSide,
    GLSL3,
    LinearFilter,
    Mesh,
    NoBlending,
    OrthographicCamera,
    type Scene,
    ShaderMaterial,
    Vector3,
    Vector4,
    type WebGLRenderer,
    WebGLRenderTarget,
} from "three";
import { nice_step } from "./colors";
import type { Plane, Triple } from "./manifest";
import type { SharedUniforms } from "./shaders";
import { across, add, cross, dot, norm, normalized, scaled, sub } from "./vector";

/** Pixels of a shadow from side to side. */
const shadow_size = 384;

const square_vertex = /* glsl */ `
precision highp float;
out vec2 st;
void main() { st = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
`;

const ground_fragment = /* glsl */ `
precision highp float;
uniform vec3 ground_color;
uniform vec3 line_color;
uniform vec2 grid;       // offset of the lines, in squares
uniform float squares;   // from the middle to the rim
uniform vec4 patch_of;   // where the shadow is: centre and half size, as st, and whether it is mirrored
uniform sampler2D shadow_map;
uniform float strength;
in vec2 st;
out vec4 color;
void main()
{
    float rim = dot(st, st);
    float alpha = 1.0 - smoothstep(0.25, 1.0, rim);
    vec2 g = st * squares + grid;
    vec2 width = fwidth(g);
    vec2 off = abs(fract(g - 0.5) - 0.5) / max(width, vec2(1e-6));
    // Lines closer than a few pixels would flicker.
    float line = (1.0 - min(min(off.x, off.y), 1.0)) * (1.0 - smoothstep(0.1, 0.4, max(width.x, width.y)));
    vec3 base = mix(ground_color, line_color, 0.55 * line);
    vec2 s = (st - patch_of.xy) * vec2(patch_of.w, 1.0) / (2.0 * patch_of.z) + 0.5;
    float shade = 0.0;
    if (strength > 0.0 && all(greaterThan(s, vec2(0.0))) && all(lessThan(s, vec2(1.0))))
        shade = textureLod(shadow_map, s, 0.0).r * strength;
    if (gl_FrontFacing)
        color = vec4(base * (1.0 - 0.62 * shade), max(alpha, 0.8 * shade * alpha));
    else
        color = vec4(base, 0.25 * alpha);
}
`;

/** In two dimensions: a line, and below it what fades out. */
const flat_fragment = /* glsl */ `
precision highp float;
uniform vec3 ground_color;
uniform vec3 line_color;
in vec2 st;
out vec4 color;
void main()
{
    float below = st.y * 0.5 + 0.5;
    color = vec4(mix(line_color, ground_color, smoothstep(0.0, 0.02, below)), (1.0 - below) * (1.0 - smoothstep(0.6, 1.0, abs(st.x))));
}
`;

const blur_vertex = /* glsl */ `
precision highp float;
out vec2 st;
void main() { st = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }
`;
const blur_fragment = /* glsl */ `
precision highp float;
uniform sampler2D from;
uniform vec2 stride;
in vec2 st;
out vec4 color;
void main()
{
    float sum = 0.0;
    for (int i = -4; i <= 4; ++i)
        sum += texture(from, st + float(i) * stride).r * exp(-0.14 * float(i * i));
    color = vec4(sum / 4.6);
}
`;

const corners: [number, number][] = [[-1, -1], [1, -1], [1, 1], [-1, 1]];

function square(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners.flatMap(([x, y]) => [x, y, 0])), 3));
    geometry.setAttribute("uv", new BufferAttribute(Float32Array.from(corners.flat()), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    return geometry;
}

/** Moves a square's corners to middle ± u ± v. */
function span(geometry: BufferGeometry, middle: Triple, u: Triple, v: Triple): void {
    const positions = geometry.getAttribute("position") as BufferAttribute;
    corners.forEach(([x, y], i) => positions.setXYZ(i, ...add(middle, add(scaled(u, x), scaled(v, y)))));
    positions.needsUpdate = true;
}

/** Blurs shadows; one for all viewers. */
class Blur {
    readonly other = new WebGLRenderTarget(shadow_size, shadow_size, { depthBuffer: false, minFilter: LinearFilter, magFilter: LinearFilter });
    private readonly camera: ThreeCamera = new OrthographicCamera();
    private readonly uniforms = { from: { value: this.other.texture }, stride: { value: new Vector4() } };
    private readonly screen = new Mesh(
        square(),
        new ShaderMaterial({
            glslVersion: GLSL3,
            vertexShader: blur_vertex,
            fragmentShader: blur_fragment,
            uniforms: this.uniforms,
            depthTest: false,
            depthWrite: false,
            blending: NoBlending,
        }),
    );

    constructor() {
        this.screen.frustumCulled = false;
    }

    run(renderer: WebGLRenderer, target: WebGLRenderTarget): void {
        const pixel = 1.6 / shadow_size;
        for (const [from, to, x, y] of [[target, this.other, pixel, 0], [this.other, target, 0, pixel]] as const) {
            this.uniforms.from.value = from.texture;
            this.uniforms.stride.value.set(x, y, 0, 0);
            renderer.setRenderTarget(to);
            renderer.render(this.screen, this.camera);
        }
    }
}
let blur: Blur | null = null;

/** Extent of what stands on the plane, in the units of the scene. */
export interface Extent {
    centre: Triple;
    radius: number;
}

export class Ground {
    readonly mesh: Mesh;
    /** Distance of the grid's lines [m]. */
    grid_step = 0;
    private readonly normal: Triple;
    private readonly u: Triple;
    private readonly v: Triple;
    private readonly target: WebGLRenderTarget | null;
    private readonly light = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    private middle: Triple = [0, 0, 0]; // of the square, in the scene
    private half = 1;
    private readonly uniforms;

    constructor(
        private readonly plane: Plane,
        up: Triple,
        private readonly is_flat: boolean,
    ) {
        this.normal = normalized(plane.normal);
        this.u = is_flat ? cross(this.normal, [0, 0, 1]) : across(this.normal);
        this.v = is_flat ? [0, 0, 1] : cross(this.normal, this.u);
        const has_shadow = !is_flat && dot(this.normal, up) > 0.5;
        this.target = has_shadow ? new WebGLRenderTarget(shadow_size, shadow_size, { minFilter: LinearFilter, magFilter: LinearFilter }) : null;
        this.uniforms = {
            ground_color: { value: new Vector3() },
            line_color: { value: new Vector3() },
            grid: { value: new Vector4() },
            squares: { value: 10 },
            patch_of: { value: new Vector4(0, 0, 1, 0) },
            shadow_map: { value: this.target?.texture ?? null },
            strength: { value: has_shadow ? 1 : 0 },
        };
        this.mesh = new Mesh(
            square(),
            new ShaderMaterial({
                glslVersion: GLSL3,
                vertexShader: square_vertex,
                fragmentShader: is_flat ? flat_fragment : ground_fragment,
                uniforms: this.uniforms,
                side: DoubleSide,
                transparent: true,
                forceSinglePass: true,
                depthWrite: false,
            }),
        );
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = is_flat ? -1 : 1;
    }

    set_colors(ground: Triple, line: Triple): void {
        this.uniforms.ground_color.value.set(...ground);
        this.uniforms.line_color.value.set(...line);
    }

    set shows_shadow(shows: boolean) {
        this.uniforms.strength.value = shows && this.target ? 1 : 0;
    }

    /** Puts the square below the bodies. `origin` [m] and `scale` [1/m] are those of the scene. */
    place(extent: Extent, origin: Triple, scale: number): void {
        const foot = scaled(sub(this.plane.point, origin), scale);
        const drop = (p: Triple): Triple => sub(p, scaled(this.normal, dot(sub(p, foot), this.normal)));
        this.middle = drop(extent.centre);
        this.half = 4 * extent.radius;
        this.grid_step = nice_step((0.2 * extent.radius) / scale);
        this.uniforms.squares.value = this.half / (this.grid_step * scale);
        // Lines go through the plane's point.
        const from_foot = scaled(sub(this.middle, foot), 1 / (this.grid_step * scale));
        const offset = (x: number) => x - Math.floor(x);
        this.uniforms.grid.value.set(offset(dot(from_foot, this.u)), offset(dot(from_foot, this.v)), 0, 0);
        const u = scaled(this.u, this.half);
        const down = scaled(this.normal, -0.5 * extent.radius);
        if (this.is_flat)
            span(this.mesh.geometry, add(this.middle, down), u, down);
        else
            span(this.mesh.geometry, this.middle, u, scaled(this.v, this.half));
    }

    /** Distance of the farthest corner. */
    reach_from(p: Triple): number {
        return norm(sub(this.middle, p)) + Math.SQRT2 * this.half;
    }

    /** Draws heights of the bodies as seen from below the floor, and blurs them. `scene` must show casters only. */
    cast(renderer: WebGLRenderer, scene: Scene, shared: SharedUniforms, extent: Extent): void {
        if (!this.target)
            return;
        const above = dot(sub(extent.centre, this.middle), this.normal);
        const centre = sub(extent.centre, scaled(this.normal, above));
        const half = 1.25 * extent.radius;
        const { light } = this;
        light.left = light.bottom = -half;
        light.right = light.top = half;
        light.near = 0;
        light.far = Math.abs(above) + 2 * extent.radius;
        light.up.set(...this.v);
        light.position.set(...sub(centre, scaled(this.normal, 0.02 * extent.radius)));
        light.lookAt(new Vector3(...add(centre, this.normal)));
        light.updateProjectionMatrix();
        shared.shadow.value.set(...this.normal, dot(this.middle, this.normal));
        shared.shadow_falloff.value = 0.45 * extent.radius;
        renderer.setRenderTarget(this.target);
        renderer.setClearColor(0x000000, 0);
        renderer.clear();
        renderer.render(scene, light);
        blur ??= new Blur();
        blur.run(renderer, this.target);
        renderer.setRenderTarget(null);

        // The light looks up, so its right is the other way round.
        const from_middle = sub(centre, this.middle);
        const right = new Vector3().setFromMatrixColumn(light.matrixWorld, 0).dot(new Vector3(...this.u)) > 0 ? 1 : -1;
        this.uniforms.patch_of.value.set(dot(from_middle, this.u) / this.half, dot(from_middle, this.v) / this.half, half / this.half, right);
    }
}
