// The decoder against an encoder written from docs/playback.md alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { ChunkDecoder, DataError, decode_topology, inflate_base64, inflate_bytes, parse_manifest, Playback } from "../../node_modules/.abut-tests/core.js";
import { Bytes, encode, field_block, forces_block, position_block, topology_bytes } from "../encoder.js";
import { cloth_scene, flat_scene } from "../scenes.js";

function random(seed) {
    let state = seed;
    return () => (state = (1103515245 * state + 12345) % 2147483648) / 2147483648;
}

const body = (num_vertices, more = {}) => ({
    name: "b", kind: "solid", color: [1, 0, 0], num_vertices, num_triangles: 0, num_edges: 0, num_points: 0, radius: 0, origin: [0, 0, 0], quantum: 1, ...more,
});
const manifest_of = (bodies, fields = []) => parse_manifest(JSON.stringify({ playback: 1, name: "n", dim: 3, up: [0, 1, 0], bodies, fields, frames: [], planes: [], marks: [] }));
const plain_topology = (manifest) =>
    decode_topology(manifest, topology_bytes(manifest.bodies.map((b) => ({ numbers: Array.from({ length: b.num_vertices }, (_, i) => i) }))));

test("positions come back bit for bit in all modes, widths and odd sizes", () => {
    const next = random(7);
    for (const n of [0, 1, 2, 3, 7, 64, 101])
        for (const reach of [0, 1, 60, 5000, 100000, 2 ** 22, 2 ** 30 - 1])
            for (const adds_up of [0, 4]) {
                const frames = Array.from({ length: 4 }, () => Array.from({ length: 3 * n }, () => Math.round((2 * next() - 1) * reach)));
                const bytes = new Bytes();
                frames.forEach((q, i) => {
                    const mode = Math.min(i, 2) | adds_up;
                    position_block(bytes, q, [i, -2 * i, 1e15 + i], mode, [frames[i - 1], frames[i - 2]]);
                    forces_block(bytes, []);
                });
                const manifest = manifest_of([body(n)]);
                const decoder = new ChunkDecoder(manifest, plain_topology(manifest), bytes.all(), "Frames");
                frames.forEach((q, i) => {
                    const frame = decoder.next();
                    assert.deepEqual(Array.from(frame.q), q.map((v) => v + 0), `n ${n}, reach ${reach}, frame ${i}`);
                    assert.deepEqual(Array.from(frame.shift), [i, -2 * i, 1e15 + i]);
                    assert.equal(frame.q instanceof Int16Array, q.every((v) => v >= -32768 && v <= 32767));
                });
                decoder.finish();
            }
});

test("wider planes than needed are read as well", () => {
    for (const width of [1, 2, 3, 4]) {
        const bytes = new Bytes();
        position_block(bytes, [1, -2, 3], [0, 0, 0], 0, [], width);
        forces_block(bytes, []);
        const manifest = manifest_of([body(1)]);
        assert.deepEqual(Array.from(new ChunkDecoder(manifest, plain_topology(manifest), bytes.all(), "Frames").next().q), [1, -2, 3]);
    }
});

test("bytes of fields add up from vertex to vertex and from frame to frame, modulo 256", () => {
    const next = random(3);
    const n = 13;
    const frames = Array.from({ length: 4 }, () => Array.from({ length: n }, () => Math.floor(256 * next())));
    for (const modes of [[0, 0, 0, 0], [2, 2, 2, 2], [0, 1, 1, 1], [2, 3, 3, 3]]) {
        const bytes = new Bytes();
        frames.forEach((b, i) => {
            position_block(bytes, Array(3 * n).fill(0), [0, 0, 0], 0, []);
            field_block(bytes, b, -1, 4, modes[i], frames[i - 1]);
            forces_block(bytes, []);
        });
        const manifest = manifest_of([body(n)], [{ name: "f", label: "f", unit: "m", range: null }]);
        const decoder = new ChunkDecoder(manifest, plain_topology(manifest), bytes.all(), "Frames");
        for (const b of frames)
            assert.deepEqual(Array.from(decoder.next().fields[0].bytes), b);
    }
});

test("forces keep their 64 bits, and planes are negative", () => {
    const forces = [
        { on: 0, by: -1, place: [0.5, 0.25, -2], contact: [0.1, 1 / 3, 1e-300], friction: [-7, 0, 1e12] },
        { on: 0, by: -1, place: [0, 0, 0], contact: [1, 1, 1], friction: [0, 0, 0] },
        { on: 0, by: -2, place: [0, 0, 0], contact: [2, 0, 0], friction: [0, 3, 0] },
    ];
    const bytes = new Bytes();
    position_block(bytes, [0, 0, 0], [0, 0, 0], 0, []);
    forces_block(bytes, forces);
    const manifest = manifest_of([body(1)]);
    const playback = new Playback("run");
    playback.manifest = manifest;
    playback.topology = plain_topology(manifest);
    playback.add_frame(0, new ChunkDecoder(manifest, playback.topology, bytes.all(), "Frames").next());
    assert.deepEqual(playback.arrow_sums(0), [
        { on: 0, by: -1, contact: [1.1, 1 + 1 / 3, 1 + 1e-300], friction: [-7, 0, 1e12] },
        { on: 0, by: -2, contact: [2, 0, 0], friction: [0, 3, 0] },
    ]);
});

test("a whole playback comes back within half a quantum, also far from the origin", async () => {
    for (const options of [{}, { origin: [1e6, -2e6, 3e6], size: 1e-3 }, { size: 1e6 }, { size: 1e-6 }]) {
        const scene = cloth_scene({ cells: 6, rings: 4, frames: 9, ...options });
        const { manifest: json, topology, chunks } = encode(scene, { frames_per_chunk: 4 });
        const playback = new Playback("run");
        playback.manifest = parse_manifest(JSON.stringify(json));
        playback.topology = decode_topology(playback.manifest, await inflate_bytes(topology, "Topology"));
        for (const [k, { first, count }] of json.chunks.entries()) {
            const decoder = new ChunkDecoder(playback.manifest, playback.topology, await inflate_base64(chunks[k].toString("base64"), "Frames"), "Frames");
            for (let i = 0; i < count; ++i)
                playback.add_frame(first + i, decoder.next());
            decoder.finish();
        }
        scene.frames.forEach((frame, i) =>
            scene.bodies.forEach((_, b) => {
                const decoded = playback.positions(i, b);
                const { quantum, origin } = json.bodies[b];
                const rounding = 4 * 2.3e-16 * Math.max(...origin.map(Math.abs));
                frame.positions[b].forEach((x, k) => assert.ok(Math.abs(decoded[k] - x) <= 0.5001 * quantum + rounding, `${x} is not ${decoded[k]}`));
                frame.values.forEach((values, f) =>
                    values[b].forEach((v, k) => {
                        const spread = Math.max(...values[b]) - Math.min(...values[b]);
                        const got = playback.field_value(i, f, playback.topology.first_vertex[b] + k);
                        assert.ok(Math.abs(got - v) <= (0.501 / 255) * spread + 1e-12 * Math.abs(v));
                    }),
                );
            }),
        );
    }
});

test("bounds are those of the vertices", async () => {
    const { manifest: json, topology, chunks } = encode(flat_scene({ frames: 3 }));
    const manifest = parse_manifest(JSON.stringify(json));
    const decoded_topology = decode_topology(manifest, await inflate_bytes(topology, "Topology"));
    const frame = new ChunkDecoder(manifest, decoded_topology, await inflate_bytes(chunks[0], "Frames"), "Frames").next();
    const playback = new Playback("run");
    Object.assign(playback, { manifest, topology: decoded_topology });
    playback.add_frame(0, frame);
    const all = [0, 1].flatMap((b) => Array.from(playback.positions(0, b)));
    for (let c = 0; c < 3; ++c) {
        const along = all.filter((_, i) => i % 3 === c);
        assert.equal(frame.bounds[c], Math.min(...along));
        assert.equal(frame.bounds[3 + c], Math.max(...along));
    }
});

test("data that is cut off anywhere is refused with a sentence", () => {
    const bytes = new Bytes();
    position_block(bytes, [1, 2, 3, 4, 5, 600], [0, 0, 0], 4, []);
    field_block(bytes, [1, 2], 0, 1, 0);
    forces_block(bytes, [{ on: 0, by: -1, place: [0, 0, 0], contact: [1, 0, 0], friction: [0, 0, 0] }]);
    const all = bytes.all();
    const manifest = manifest_of([body(2)], [{ name: "f", label: "f", unit: "", range: null }]);
    for (let size = 0; size < all.length; ++size)
        assert.throws(() => new ChunkDecoder(manifest, plain_topology(manifest), all.subarray(0, size), "Frame 0").next(), DataError, `${size} bytes`);
    const decoder = new ChunkDecoder(manifest, plain_topology(manifest), Buffer.concat([all, Buffer.from([0])]), "Frame 0");
    decoder.next();
    assert.throws(() => decoder.finish(), /more data/);
});

test("unknown modes, predictions from nothing and shifts that are not finite are refused", () => {
    const manifest = manifest_of([body(1)]);
    const first_frame = (shift, mode, width) => {
        const bytes = new Bytes();
        shift.forEach((s) => bytes.f64(s));
        bytes.u8(mode, width, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        return () => new ChunkDecoder(manifest, plain_topology(manifest), bytes.all(), "Frame 0").next();
    };
    assert.throws(first_frame([0, 0, 0], 3, 1), /unknown mode/);
    assert.throws(first_frame([0, 0, 0], 8, 1), /unknown mode/);
    assert.throws(first_frame([0, 0, 0], 0, 5), /width/);
    assert.throws(first_frame([0, 0, 0], 1, 1), /not there/);
    assert.throws(first_frame([0, NaN, 0], 0, 1), /finite/);
});

test("a damaged zlib stream is refused", async () => {
    const good = deflateSync(Buffer.alloc(5000, "abc"));
    assert.equal((await inflate_bytes(good, "Frames")).length, 5000);
    await assert.rejects(inflate_bytes(good.subarray(0, good.length - 8), "Frames"), DataError);
    await assert.rejects(inflate_bytes(Buffer.from("not zlib"), "Frames"), DataError);
});

test("long base64 text is undone piece by piece, with line breaks or without", async () => {
    const next = random(11);
    const data = Buffer.from(Array.from({ length: 700001 }, () => 256 * next()));
    const text = deflateSync(data, { level: 0 }).toString("base64");
    assert.ok(text.length > 1 << 19);
    assert.ok(data.equals(await inflate_base64(text, "Frames")));
    assert.ok(data.equals(await inflate_base64(`\n${text.replace(/.{76}/g, "$&\n")}\n`, "Frames")));
});

test("topology counts within bodies, and refuses vertices that are not there", () => {
    const manifest = manifest_of([body(3, { num_triangles: 1 }), body(2, { num_edges: 1, num_points: 1 })]);
    const good = decode_topology(manifest, topology_bytes([{ triangles: [[2, 1, 0]], numbers: [7, 8, 9] }, { edges: [[0, 1]], points: [1], numbers: [20, 10] }]));
    assert.deepEqual([good.triangles[0], good.edges[1], good.points[1], good.result_vertex].map((a) => Array.from(a)), [[2, 1, 0], [3, 4], [4], [7, 8, 9, 20, 10]]);
    assert.throws(() => decode_topology(manifest, topology_bytes([{ triangles: [[3, 1, 0]], numbers: [7, 8, 9] }, { edges: [[0, 1]], points: [1], numbers: [20, 10] }])), DataError);
});

test("manifests of another version or without sense are refused by name", () => {
    assert.throws(() => parse_manifest('{"playback": 2}'), /version 2/);
    assert.throws(() => parse_manifest('{"playback": 1, "bod'), /not JSON/);
    assert.throws(() => manifest_of([body(-1)]), /bodies\[0\].num_vertices/);
    assert.throws(() => manifest_of([body(1, { quantum: null })]), /quantum/);
});
