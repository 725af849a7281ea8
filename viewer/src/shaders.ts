// Shaders: one light for all that is drawn, cheap enough to be drawn without a graphics card.

import { type IUniform, DoubleSide, GLSL3, ShaderMaterial, Vector3, Vector4 } from "three";

/** What all materials of a scene share. */
export interface SharedUniforms {
    [name: string]: IUniform;
    up: IUniform<Vector3>; // against gravity, as the camera sees it
    pixel: IUniform<number>; // size of a pixel: at distance 1, or everywhere without perspective
    is_flat: IUniform<number>; // 1 without perspective
    section: IUniform<Vector4>; // what is drawn has dot(position, xyz) <= w
    shadow: IUniform<Vector4>; // the plane that shadows fall on
    shadow_falloff: IUniform<number>;
    matte: IUniform<number>; // 1 where colours stand for numbers: light changes them little
}

export function shared_uniforms(): SharedUniforms {
    return {
        up: { value: new Vector3(0, 1, 0) },
        pixel: { value: 0.001 },
        is_flat: { value: 0 },
        section: { value: new Vector4(0, 0, 0, 1) },
        shadow: { value: new Vector4(0, 0, 0, 0) },
        shadow_falloff: { value: 1 },
        matte: { value: 0 },
    };
}

const vertex_head = /* glsl */ `
precision highp float;
uniform float pixel;
uniform float is_flat;
#if defined(SECTION) || defined(SHADOW)
out vec3 place;      // in the scene
#endif
#ifdef CREASES
out vec3 view_place; // as the camera sees it
#endif
out vec3 view_normal;
out vec3 shade;

// Colours are given as on a screen; light adds up linearly, nearly the squares of what a screen gets.
vec3 linear(vec3 c) { return c * c; }

float pixel_at(vec3 p) { return pixel * mix(-(modelViewMatrix * vec4(p, 1.0)).z, 1.0, is_flat); }

void emit(vec3 p, vec3 n, vec3 color)
{
    vec4 seen = modelViewMatrix * vec4(p, 1.0);
    #if defined(SECTION) || defined(SHADOW)
    place = p;
    #endif
    #ifdef CREASES
    view_place = seen.xyz;
    #endif
    view_normal = mat3(modelViewMatrix) * n;
    shade = color;
    gl_Position = projectionMatrix * seen;
}

// Two directions across a third.
void across(vec3 w, out vec3 u, out vec3 v)
{
    u = normalize(cross(w, abs(w.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
    v = cross(w, u);
}
`;

const fragment = /* glsl */ `
precision highp float;
uniform vec3 up;
uniform vec4 section;
uniform vec4 shadow;
uniform float shadow_falloff;
uniform float matte;
uniform float opacity;
#if defined(SECTION) || defined(SHADOW)
in vec3 place;
#endif
#ifdef CREASES
in vec3 view_place;
#endif
in vec3 view_normal;
in vec3 shade;
out vec4 color;

void main()
{
    // Only where there is a section: pixels that may be discarded are drawn more slowly.
    #ifdef SECTION
    if (dot(place, section.xyz) > section.w)
        discard;
    #endif
    #if defined(SHADOW)
    color = vec4(exp(-max(dot(place, shadow.xyz) - shadow.w, 0.0) / shadow_falloff));
    #elif defined(UNLIT)
    color = vec4(shade, opacity);
    #else
    float agreement = length(view_normal);
    vec3 n = view_normal / max(agreement, 1e-6);
    if (!gl_FrontFacing)
        n = -n;
    #ifdef CREASES
    // Short normals: the surface has an edge there. Show its facets.
    vec3 facet = cross(dFdx(view_place), dFdy(view_place));
    if (agreement < 0.9)
        n = normalize(mix(normalize(facet), n, smoothstep(0.8, 0.9, agreement)));
    #endif
    // The eye is taken to be far away: highlights need not be exact.
    const vec3 key = vec3(-0.352, 0.553, 0.755);
    const vec3 halfway = vec3(-0.188, 0.295, 0.937);
    float light = mix(0.30, 0.56, matte) + mix(0.34, 0.24, matte) * (0.5 + 0.5 * dot(n, up)) + mix(0.50, 0.34, matte) * max(dot(n, key), 0.0);
    float rim = 1.0 - max(n.z, 0.0);
    float g = max(dot(n, halfway), 0.0);
    g *= g; g *= g; g *= g; g *= g;
    vec3 base = gl_FrontFacing ? shade : shade * BACK;
    color = vec4(sqrt(base * (light - 0.12 * rim * rim) + 0.10 * (1.0 - 0.8 * matte) * g), opacity);
    #endif
}
`;

/** Surfaces: position, normal and colour per vertex. */
const surface_vertex = /* glsl */ `
in vec3 color;
void main() { emit(position, normal, linear(color)); }
`;

/** Tubes with round ends from a to b: the shape's normals are those of a unit capsule, position.z says which end. */
const tube_vertex = /* glsl */ `
in vec3 a;
in vec3 b;
in vec3 color_a;
in vec3 color_b;
in float radius;
uniform float least_pixels;
void main()
{
    vec3 w = b - a;
    float l = length(w);
    w = l > 0.0 ? w / l : vec3(0.0, 0.0, 1.0);
    vec3 u, v;
    across(w, u, v);
    vec3 n = u * normal.x + v * normal.y + w * normal.z;
    vec3 end = position.z < 0.5 ? a : b;
    emit(end + n * max(radius, least_pixels * pixel_at(end)), n, linear(position.z < 0.5 ? color_a : color_b));
}
`;

/** Balls at a, of at least some pixels. */
const ball_vertex = /* glsl */ `
in vec3 a;
in vec3 color_a;
in float radius;
uniform float least_pixels;
void main() { emit(a + position * max(radius, least_pixels * pixel_at(a)), position, linear(color_a)); }
`;

/** Arrows from a along b. position.z is the part: 0 foot, 1 end of the shaft, 2 rim of the head, 3 tip. */
const arrow_vertex = /* glsl */ `
in vec3 a;
in vec3 b;
in vec3 color_a;
uniform float thickness;
void main()
{
    float l = length(b);
    vec3 w = l > 0.0 ? b / l : vec3(0.0, 0.0, 1.0);
    vec3 u, v;
    across(w, u, v);
    float shaft = max(thickness, 1.1 * pixel_at(a));
    float head = min(7.0 * shaft, 0.6 * l);
    float part = position.z;
    float r = part < 1.5 ? min(shaft, 0.3 * head) : part < 2.5 ? 0.4 * head : 0.0;
    float z = part < 0.5 ? 0.0 : part < 2.5 ? l - head : l;
    emit(a + w * z + (u * position.x + v * position.y) * r, u * normal.x + v * normal.y + w * normal.z, linear(color_a));
}
`;

/** Lines of one colour, pulled towards the eye so that they lie on the surface. */
const line_vertex = /* glsl */ `
uniform vec3 line_color;
void main()
{
    emit(position, vec3(0.0), line_color);
    gl_Position.z -= 2e-4 * gl_Position.w;
}
`;

const sources = { surface: surface_vertex, tube: tube_vertex, ball: ball_vertex, arrow: arrow_vertex, line: line_vertex };

export interface Look {
    uniforms?: Record<string, IUniform>;
    opacity?: number;
    is_unlit?: boolean;
    has_creases?: boolean;
    /** Drawn over everything. */
    is_on_top?: boolean;
    /** Draws how high above the plane of shadows it is. */
    is_shadow?: boolean;
}

export function material(shape: keyof typeof sources, shared: SharedUniforms, look: Look = {}): ShaderMaterial {
    const opacity = look.opacity ?? 1;
    const defines: Record<string, string> = { BACK: shape === "surface" ? "0.82" : "1.0" };
    if (look.is_unlit)
        defines.UNLIT = "";
    if (look.has_creases)
        defines.CREASES = "";
    if (look.is_shadow)
        defines.SHADOW = "";
    return new ShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: vertex_head + sources[shape],
        fragmentShader: fragment,
        defines,
        uniforms: { ...shared, opacity: { value: opacity }, ...look.uniforms },
        side: DoubleSide,
        forceSinglePass: true,
        transparent: opacity < 1 || look.is_on_top === true,
        depthTest: !look.is_on_top,
        depthWrite: opacity === 1 && !look.is_on_top,
    });
}

export function set_section(shader: ShaderMaterial, is_cut: boolean): void {
    if ("SECTION" in shader.defines === is_cut)
        return;
    if (is_cut)
        shader.defines.SECTION = "";
    else
        delete shader.defines.SECTION;
    shader.needsUpdate = true;
}
