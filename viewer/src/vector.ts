// Points and directions in 64-bit floats: bodies may be small and far from the origin.

import type { Triple } from "./manifest";

export const add = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Triple, s: number): Triple => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Triple, b: Triple): Triple => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const norm = (a: Triple): number => Math.hypot(a[0], a[1], a[2]);
export const normalized = (a: Triple): Triple => {
    const length = norm(a);
    return length > 0 ? scaled(a, 1 / length) : [0, 1, 0];
};

/** A direction across another, x if it can be. */
export function across(a: Triple): Triple {
    const x: Triple = Math.abs(a[0]) < 0.9 ? [1, 0, 0] : [0, 0, 1];
    return normalized(sub(x, scaled(a, dot(x, a))));
}
