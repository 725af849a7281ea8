// Colours, numbers, addresses, clock, camera, plots, normals: the parts without a page.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
    Camera, Clock, color_map, default_speed, format_hash, format_number, height_at, line_points, map_index, nice_step, parse_hash, parse_numbers, pixel_of_x, speeds, ticks, unique_edges,
    write_normals, x_of_pixel, y_of_pixel,
} from "../../node_modules/.abut-tests/core.js";

/** CIE L* of a colour of the map. */
function lightness(i) {
    const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    const y = 0.2126 * linear(color_map[3 * i]) + 0.7152 * linear(color_map[3 * i + 1]) + 0.0722 * linear(color_map[3 * i + 2]);
    return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

test("lightness of the colour map rises evenly", () => {
    const step = (lightness(255) - lightness(0)) / 15;
    assert.ok(lightness(255) - lightness(0) > 70);
    for (let i = 0; i < 15; ++i) {
        const rise = lightness(17 * (i + 1)) - lightness(17 * i);
        assert.ok(rise > 0.6 * step && rise < 1.4 * step, `from ${17 * i}: ${rise} of ${step}`);
    }
});

test("values outside a range, without range or not finite have a colour", () => {
    assert.deepEqual([-1, 0, 0.5, 1, 2].map((v) => map_index(v, 0, 1)), [0, 0, 128, 255, 255]);
    assert.equal(map_index(3, 3, 3), 0);
    assert.equal(map_index(NaN, 0, 1), 0);
    assert.equal(map_index(Infinity, 0, 1), 255);
});

test("ticks are round and inside", () => {
    assert.deepEqual(ticks(0, 1, 4), [0, 0.5, 1]);
    assert.deepEqual(ticks(-0.3, 0.35, 4), [-0.2, 0, 0.2]);
    assert.deepEqual(ticks(5, 5, 4), [5]);
    assert.deepEqual([0.11, 2, 2.1, 7].map(nice_step), [0.2, 2, 5, 10]);
});

test("numbers are short", () => {
    assert.deepEqual([0, 1, -0.5, 1234.56, 1e-7, 2.5e8, NaN].map((x) => format_number(x)), ["0", "1", "−0.5", "1235", "1e−7", "2.5e8", "not a number"]);
});

test("states come back from the address", () => {
    const states = new Map([["run", { t: "0.5", color: "speed & more", cam: "1,2,3,4,5,6" }], ["a.b", { hide: "0,2" }]]);
    const hash = format_hash(states);
    assert.ok(hash.startsWith("#run.t=0.5&run.color="));
    assert.deepEqual(parse_hash(hash), states);
    assert.deepEqual(parse_hash("#top&=&x=1&%E0%A4%A.t=1"), new Map());
    assert.deepEqual(parse_numbers("1,2", 2), [1, 2]);
    assert.equal(parse_numbers("1,x", 2), null);
    assert.equal(parse_numbers("1", 2), null);
});

test("runs play in 2 to 12 seconds", () => {
    assert.deepEqual(speeds, [...speeds].sort((a, b) => a - b));
    for (const duration of [1e-4, 0.01, 0.3, 1.9, 2, 7, 12, 13, 100, 3600, 1e5]) {
        const seconds = duration / default_speed(duration);
        assert.ok(seconds >= 2 && seconds <= 12, `${duration} s in ${seconds} s`);
    }
    assert.equal(default_speed(5), 1);
    assert.equal(default_speed(0), 1);
});

test("the clock stops or begins again at the end, and waits for frames", () => {
    let can_show = true;
    const clock = new Clock();
    clock.add({ first_time: 0, last_time: 4, can_show: () => can_show });
    clock.play();
    clock.advance(3);
    assert.equal(clock.time, 3);
    can_show = false;
    clock.advance(0.5);
    assert.equal(clock.time, 3);
    can_show = true;
    clock.advance(2);
    assert.deepEqual([clock.time, clock.is_playing], [4, true]);
    clock.advance(0.1);
    assert.equal(clock.time, 0);
    clock.set_loops(false);
    clock.advance(9);
    assert.deepEqual([clock.time, clock.is_playing], [4, false]);
    clock.play();
    assert.equal(clock.time, 0);
});

test("the camera keeps its axes square and fits boxes of any size", () => {
    for (const up of [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0.6, 0.8, 0]]) {
        const camera = new Camera(false, up);
        for (const view of ["front", "side", "top", "iso"]) {
            camera.look(view);
            const { right, up: above, back } = camera.axes();
            const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            for (const [a, b, expected] of [[right, above, 0], [right, back, 0], [above, back, 0], [right, right, 1], [above, above, 1], [back, back, 1]])
                assert.ok(Math.abs(dot(a, b) - expected) < 1e-12);
        }
    }
    const y_up = new Camera(false, [0, 1, 0]);
    y_up.look("front");
    assert.deepEqual(y_up.axes().back.map(Math.round), [0, 0, 1]);
    const z_up = new Camera(false, [0, 0, 1]);
    z_up.look("front");
    assert.deepEqual(z_up.axes().back.map((x) => Math.round(x) + 0), [0, -1, 0]);
    for (const size of [1e-6, 1, 1e6]) {
        y_up.fit(new Float64Array([0, 0, 0, size, size, size]), 1.5);
        assert.ok(y_up.distance > size && y_up.distance < 6 * size);
    }
    const saved = y_up.save().split(",").map(Number);
    const other = new Camera(false, [0, 1, 0]);
    other.load(saved);
    assert.deepEqual(other.target, y_up.target);
});

test("plots map pixels to numbers and back, also on logarithmic axes", () => {
    const plot = { x: [0, 2], px: [50, 250], y: [1e-3, 10], py: [180, 20], log: true, time: true };
    assert.equal(x_of_pixel(plot, 150), 1);
    assert.equal(pixel_of_x(plot, 1), 150);
    assert.ok(Math.abs(y_of_pixel(plot, 100) - 0.1) < 1e-12);
    assert.ok(Math.abs(y_of_pixel({ ...plot, y: [0, 8], log: false }, 100) - 4) < 1e-12);
    const points = line_points("M50 180 L150,100L250.5 -2e1");
    assert.deepEqual(points, [50, 180, 150, 100, 250.5, -20]);
    assert.equal(height_at(points, 100), 140);
    assert.equal(height_at(points, 300), null);
});

test("normals of a flat sheet have length 1, those of a cube's corner are shorter", () => {
    const normals = new Float32Array(9);
    write_normals(Uint32Array.of(0, 1, 2), Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), normals, new Float32Array(3));
    assert.deepEqual(Array.from(normals), [0, 0, 1, 0, 0, 1, 0, 0, 1]);
    const corner = new Float32Array(12);
    write_normals(Uint32Array.of(0, 1, 2, 0, 2, 3, 0, 3, 1), Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), corner, new Float32Array(4));
    assert.ok(Math.abs(Math.hypot(corner[0], corner[1], corner[2]) - 1 / Math.sqrt(3)) < 1e-6);
});

test("edges of triangles are drawn once", () => {
    assert.deepEqual(Array.from(unique_edges(Uint32Array.of(0, 1, 2, 2, 1, 3), 4)), [0, 1, 0, 2, 1, 2, 1, 3, 2, 3]);
});
