// Colours: a perceptually uniform map for numbers, ticks for its bar, and numbers as text.

/**
 * Dark violet over teal to yellow: lightness rises evenly (CIE L* from 15 to 91), so that equal steps of a value look equal,
 * also to eyes that do not tell red from green. Control points at even distances, as on a screen.
 */
const control_points: [number, number, number][] = [
    [68, 1, 84],
    [70, 50, 127],
    [54, 92, 141],
    [39, 127, 142],
    [31, 161, 135],
    [74, 194, 109],
    [159, 218, 58],
    [253, 231, 37],
];

/** 256 colours, red green blue each. */
export const color_map: Uint8Array = (() => {
    const map = new Uint8Array(3 * 256);
    const last = control_points.length - 1;
    for (let i = 0; i < 256; ++i) {
        const x = (i / 255) * last;
        const k = Math.min(Math.floor(x), last - 1);
        for (let c = 0; c < 3; ++c)
            map[3 * i + c] = Math.round(control_points[k][c] + (x - k) * (control_points[k + 1][c] - control_points[k][c]));
    }
    return map;
})();

/** Where a value is in the map, 0 to 255. A range without width is one colour. */
export function map_index(value: number, least: number, largest: number): number {
    if (!(largest > least))
        return 0;
    const x = Math.round((255 * (value - least)) / (largest - least));
    return x > 0 ? (x < 255 ? x : 255) : 0;
}

/** A tenth or a half or a fifth power of ten at or above x. */
export function nice_step(x: number): number {
    if (!(x > 0) || !Number.isFinite(x))
        return 1;
    const power = 10 ** Math.floor(Math.log10(x));
    const factor = [1, 2, 5, 10].find((f) => f * power >= x * (1 - 1e-9)) ?? 10;
    return factor * power;
}

/** Round numbers in a range, about `count` of them. */
export function ticks(least: number, largest: number, count: number): number[] {
    if (!(largest > least))
        return [least];
    const step = nice_step((largest - least) / count);
    const result: number[] = [];
    for (let k = Math.ceil(least / step - 1e-6); k * step <= largest + 1e-6 * step && result.length < 50; ++k)
        result.push(k === 0 ? 0 : Number((k * step).toPrecision(12)));
    return result;
}

/** A number for people: few digits, powers of ten where zeros would be many. */
export function format_number(x: number, digits = 4): string {
    if (!Number.isFinite(x))
        return Number.isNaN(x) ? "not a number" : x > 0 ? "∞" : "−∞";
    if (x === 0)
        return "0";
    const magnitude = Math.abs(x);
    const text = magnitude >= 1e5 || magnitude < 1e-3 ? x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e") : String(Number(x.toPrecision(digits)));
    return text.replace("-", "−").replace("e-", "e−");
}
