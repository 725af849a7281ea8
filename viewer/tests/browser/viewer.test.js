// The viewer in Chromium, on pages as the program writes them.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inflateSync } from "node:zlib";
import { encode } from "../encoder.js";
import { parts, plot, style, write_page } from "../page.js";
import { cloth_scene, flat_scene, heap_scene } from "../scenes.js";
import { readFileSync } from "node:fs";
import { launch, open, settle } from "./chromium.js";

const folder = mkdtempSync(join(tmpdir(), "abut-viewer-"));
// ABUT_SHOTS keeps pictures to look at.
const shots = process.env.ABUT_SHOTS;
if (shots)
    mkdirSync(shots, { recursive: true });
let browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
});

const shot = async (page, name) => {
    if (shots)
        await page.screenshot({ path: join(shots, `${name}.png`) });
};

let num_pages = 0;
async function open_page(body, data, options = {}) {
    const path = join(folder, `page-${num_pages++}.html`);
    write_page(path, body, data);
    const opened = await open(options.browser ?? browser, `file://${path}${options.hash ?? ""}`, options.context);
    await opened.page.evaluate(() => window.abut.ready);
    return { ...opened, path };
}

const viewer = `<div class="abut-viewer" data-play="run"></div>`;
const canvas = (page) => page.locator("canvas[role=img]").first();

/** How many colours the middle of a picture has. */
async function num_colors(page, locator = canvas(page)) {
    const png = await locator.screenshot();
    return page.evaluate(async (base64) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const surface = new OffscreenCanvas(image.width, image.height);
        const context = surface.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4)
            seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        return seen.size;
    }, png.toString("base64"));
}

const scene = cloth_scene();
const times = scene.frames.map((f) => f.time);
const run = encode(scene);

test("a page opened as a file shows its first frame, plays, scrubs, and is silent", async () => {
    const { page, errors, close } = await open_page(viewer, parts("run", run));
    await page.evaluate(() => abut.viewers[0].loaded);
    await settle(page);
    await shot(page, "first");
    assert.equal(await page.evaluate(() => abut.viewers[0].frameCount), 40);
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), 0);
    assert.ok((await num_colors(page)) > 500);
    assert.equal(await page.evaluate(() => document.getElementById("run-chunk-0").textContent.length), 0, "text is freed");

    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => abut.viewers[0].currentFrame > 3);
    await page.getByRole("button", { name: "Pause (space)" }).click();
    const at = await page.evaluate(() => abut.viewers[0].currentFrame);
    await settle(page);
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), at);

    await page.getByLabel("Frame", { exact: true }).fill("30");
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), 30);
    await canvas(page).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), 31);
    assert.match(await page.locator(".abut-step").innerText(), /step 310/);
    assert.match(await canvas(page).getAttribute("aria-label"), /6 bodies at 1\.\d+ s, coloured by body/);
    assert.deepEqual(errors, []);
    await close();
});

test("decoded positions and forces are those of the scene", async () => {
    const { page, close } = await open_page(viewer, parts("run", run));
    await page.evaluate(() => abut.viewers[0].loaded);
    const decoded = await page.evaluate(() => Array.from(abut.viewers[0].positions(20, 0)));
    scene.frames[20].positions[0].forEach((x, k) => assert.ok(Math.abs(x - decoded[k]) < 1e-3));
    const sums = await page.evaluate(() => abut.viewers[0].arrowSums(39));
    const expected = scene.frames[39].forces.filter((f) => f.on === 0).reduce((sum, f) => sum + f.contact[1], 0);
    assert.ok(Math.abs(sums.find((s) => s.on === 0).contact[1] - expected) < 1e-9);
    await close();
});

test("colours have a bar with unit and range, by frame or over all", async () => {
    const { page, errors, close } = await open_page(viewer, parts("run", run));
    await page.evaluate(() => abut.viewers[0].loaded);
    await page.evaluate(() => abut.viewers[0].seek(15));
    await page.getByLabel("Colour by").selectOption("speed");
    await settle(page);
    assert.match(await page.locator(".abut-bar").innerText(), /speed \[m\/s\]/);
    const over_all = await page.locator(".abut-bar-ticks").innerText();
    await shot(page, "speed");
    await page.getByLabel("colour range of each frame").check();
    await settle(page);
    assert.notEqual(await page.locator(".abut-bar-ticks").innerText(), over_all);
    await page.getByLabel("Colour by").selectOption("displacement");
    await settle(page);
    assert.match(await page.locator(".abut-bar").innerText(), /displacement \[m\]/);
    assert.deepEqual(errors, []);
    await close();
});

test("bodies are isolated and shown again, forces and sections are drawn", async () => {
    const { page, errors, close } = await open_page(viewer, parts("run", run));
    await page.evaluate(() => abut.viewers[0].loaded);
    await page.evaluate(() => abut.viewers[0].seek(39));
    const shown = () => page.evaluate(() => abut.viewers[0].scene.surface.triangles.length / 3);
    const all = await shown();
    await page.getByRole("button", { name: "Show ball alone, or all again" }).click();
    assert.equal(await shown(), run.manifest.bodies[1].num_triangles);
    await page.getByRole("button", { name: "Show ball alone, or all again" }).click();
    assert.equal(await shown(), all);
    await page.getByText("grains", { exact: true }).click({ modifiers: ["Alt"] });
    assert.equal(await shown(), 0);
    await page.getByRole("button", { name: "Show all bodies" }).click();
    await page.getByLabel("contact forces").check();
    await page.getByLabel("contact points").check();
    await page.getByLabel("wireframe").check();
    await settle(page);
    assert.match(await page.locator(".abut-panel").innerText(), /longest: 30 N/);
    await shot(page, "forces");
    await page.getByLabel("section plane").check();
    await page.getByLabel("Axis of the section").selectOption("2");
    await settle(page);
    await shot(page, "section");
    assert.match(await page.locator(".abut-panel").innerText(), /z = /);
    assert.deepEqual(errors, []);
    await close();
});

test("a click tells a vertex's numbers over time, beside the bodies it closes", async () => {
    const { page, errors, close } = await open_page(viewer, parts("run", run));
    await page.evaluate(() => abut.viewers[0].loaded);
    await page.evaluate(() => {
        abut.viewers[0].seek(39);
        abut.viewers[0].setColor("speed");
    });
    await canvas(page).focus();
    await page.keyboard.press("f");
    await page.keyboard.press("ArrowLeft"); // the large button is gone now
    await settle(page);
    const box = await canvas(page).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await settle(page);
    const picked = await page.evaluate(() => {
        const { canvas } = abut.viewers[0];
        return abut.viewers[0].pick(canvas.clientWidth / 2, canvas.clientHeight / 2);
    });
    assert.ok(picked && picked.vertex === (await page.evaluate(() => abut.viewers[0].selected)));
    const text = await page.locator(".abut-selection").innerText();
    assert.match(text, /vertex\s+\d+/);
    assert.match(text, /speed\s+[\d.e−]+ m\/s/);
    assert.ok((await page.locator(".abut-series path").getAttribute("d")).split("L").length === 40);
    await shot(page, "selection");
    await page.mouse.click(box.x + 8, box.y + 8);
    assert.ok(await page.locator(".abut-selection").isHidden());
    assert.deepEqual(errors, []);
    await close();
});

test("dragging turns, shift-dragging moves, the wheel zooms, and the address tells", async () => {
    const { page, path, close } = await open_page(viewer, parts("run", run));
    await page.evaluate(() => abut.viewers[0].loaded);
    const camera = () => page.evaluate(() => ({ ...abut.viewers[0].camera, on_change: null }));
    const box = await canvas(page).boundingBox();
    const [x, y] = [box.x + 100, box.y + 100];
    const drag = async (dx, dy) => {
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + dx, y + dy, { steps: 4 });
        await page.mouse.up();
    };
    const start = await camera();
    await drag(80, 30);
    const turned = await camera();
    assert.ok(turned.azimuth !== start.azimuth && turned.elevation !== start.elevation && turned.distance === start.distance);
    await page.keyboard.down("Shift");
    await drag(60, 0);
    await page.keyboard.up("Shift");
    const moved = await camera();
    assert.ok(moved.target[0] !== turned.target[0] && moved.azimuth === turned.azimuth);
    await page.mouse.wheel(0, -200);
    await settle(page, 200);
    const zoomed = await camera();
    assert.ok(zoomed.distance < moved.distance);
    await page.evaluate(() => {
        abut.viewers[0].seek(12);
        abut.viewers[0].setColor("height");
    });
    await settle(page, 800);
    const hash = new URL(page.url()).hash;
    assert.match(hash, /run\.color=height/);
    await close();

    const again = await open(browser, `file://${path}${hash}`);
    await again.page.evaluate(() => window.abut.ready);
    await again.page.evaluate(() => abut.viewers[0].loaded);
    await settle(again.page);
    assert.equal(await again.page.evaluate(() => abut.viewers[0].currentFrame), 12);
    assert.equal(await again.page.getByLabel("Colour by").inputValue(), "height");
    const restored = await again.page.evaluate(() => abut.viewers[0].camera.distance);
    assert.ok(Math.abs(restored - zoomed.distance) < 1e-6);
    await again.close();
});

test("plots of the page follow the time, seek and are read", async () => {
    const { page, errors, close } = await open_page(viewer + plot(times, times.map((t) => 10 * t), "energy"), parts("run", run));
    await page.evaluate(() => abut.viewers[0].loaded);
    await page.evaluate(() => abut.viewers[0].seek(39));
    assert.ok(Math.abs(Number(await page.locator(".abut-cursor").getAttribute("x1")) - 580) < 0.5);
    const svg = page.locator("svg[data-plot]");
    await svg.scrollIntoViewIfNeeded();
    const box = await svg.boundingBox();
    const scale = box.width / 600;
    await page.mouse.click(box.x + 315 * scale, box.y + 90 * scale); // the middle: 0.75 s
    const time = await page.evaluate(() => abut.viewers[0].clock.time);
    assert.ok(Math.abs(time - 0.75) < 0.01);
    const text = await page.locator(".abut-readout").innerText();
    assert.match(text, /0\.75\d* s/);
    const value = Number(/energy: ([\d.]+)/.exec(text)[1]);
    assert.ok(Math.abs(value - 7.5) < 0.1);
    await shot(page, "plot");
    assert.deepEqual(errors, []);
    await close();
});

test("viewers of a group share time and camera, and colour by their difference", async () => {
    const other = encode(cloth_scene({ name: "other", offset: 0.2, frames: 25 }));
    const body = `<div style="display: grid; grid-template-columns: 1fr 1fr; gap: 10px">
<div class="abut-viewer" data-play="run" data-group="g"></div>
<div class="abut-viewer" data-play="other" data-group="g" data-reference="run"></div></div>`;
    const { page, errors, close } = await open_page(body, parts("run", run) + parts("other", other));
    await page.evaluate(() => Promise.all(abut.viewers.map((v) => v.loaded)));
    assert.deepEqual(await page.evaluate(() => abut.viewers.map((v) => v.name)), ["run", "other"]);
    await page.evaluate(() => abut.viewers[0].seek(30));
    const shown = await page.evaluate(() => abut.viewers.map((v) => v.playback.manifest.frames[v.currentFrame].time));
    assert.ok(shown[1] <= shown[0] + 1e-9 && shown[0] - shown[1] < 0.1);
    await page.evaluate(() => abut.viewers[1].setColor("difference"));
    await page.evaluate(() => abut.viewers[0].camera.orbit(0.5, 0.1));
    assert.ok(await page.evaluate(() => abut.viewers[0].camera === abut.viewers[1].camera));
    await settle(page, 1200);
    await shot(page, "group");
    for (const i of [0, 1])
        assert.ok((await num_colors(page, page.locator("canvas[role=img]").nth(i))) > 300, `viewer ${i} is drawn`);
    assert.match(await page.locator(".abut-bar").nth(1).innerText(), /distance to cloth on a ball/);
    await page.evaluate(() => abut.viewers[1].play());
    await page.waitForFunction(() => !abut.viewers[0].clock.is_playing || abut.viewers[0].currentFrame !== 30);
    assert.deepEqual(errors, []);
    await close();
});

test("twelve viewers are drawn with one context", async () => {
    const small = encode(cloth_scene({ cells: 8, rings: 6, frames: 4 }));
    const body = `<div style="display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px">${Array.from({ length: 12 }, () => `<div class="abut-viewer" data-play="run" data-group="g"></div>`).join("")}</div>`;
    const { page, errors, close } = await open_page(body, parts("run", small), { context: { viewport: { width: 1280, height: 1500 } } });
    await page.evaluate(() => abut.viewers[0].loaded);
    await settle(page, 2500);
    await shot(page, "twelve");
    assert.equal(await page.evaluate(() => abut.viewers.length), 12);
    assert.ok((await num_colors(page, page.locator("canvas[role=img]").nth(11))) > 100);
    assert.deepEqual(errors, []);
    await close();
});

test("marks and what to look at come first", async () => {
    const mark = { label: "cloth and ball touch", frame: 33, points: [[0, 0.98, 0]], segments: [[[0, 0.98, 0], [0.3, 0.9, 0]]], triangles: [[[0, 0.98, 0], [0.1, 0.97, 0], [0, 0.97, 0.1]]] };
    const data = encode({ ...scene, marks: [mark] }, { extra: { look_at: { frame: 33, point: [0, 0.98, 0], radius: 0.3 } } });
    const { page, errors, close } = await open_page(viewer, parts("run", data));
    await settle(page, 800);
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), 33);
    assert.match(await page.locator(".abut-caption").innerText(), /cloth and ball touch/);
    await shot(page, "marks");
    assert.deepEqual(errors, []);
    await close();
});

test("planar scenes, tiny, huge and far ones are drawn", async () => {
    for (const [name, what] of Object.entries({
        flat: flat_scene(),
        tiny: cloth_scene({ size: 1e-6, frames: 3 }),
        huge: cloth_scene({ size: 1e6, frames: 3 }),
        far: cloth_scene({ size: 1e-2, origin: [1e6, 1e6, -1e6], frames: 3 }),
    })) {
        const { page, errors, close } = await open_page(viewer, parts("run", encode(what)));
        await page.evaluate(() => abut.viewers[0].loaded);
        await settle(page, 900);
        await shot(page, name);
        assert.ok((await num_colors(page)) > 200, name);
        const box = await canvas(page).boundingBox();
        await page.mouse.dblclick(box.x + box.width / 2, box.y + 0.42 * box.height);
        assert.deepEqual(errors, [], name);
        await close();
    }
});

test("a thousand bodies are one mesh with a list to search", async () => {
    const { page, errors, close } = await open_page(viewer, parts("run", encode(heap_scene({ frames: 4 }))));
    await page.evaluate(() => abut.viewers[0].loaded);
    await settle(page, 1000);
    await shot(page, "heap");
    await page.getByLabel("Find a body").fill("cube 77");
    assert.equal(await page.locator(".abut-bodies li:visible").count(), 11);
    assert.ok((await num_colors(page)) > 300);
    assert.deepEqual(errors, []);
    await close();
});

test("no frames, one frame, no bodies and damaged data give a sentence", async () => {
    const message = async (data, pattern) => {
        const { page, close } = await open_page(viewer, data);
        await settle(page, 400);
        const text = await page.locator(".abut-message").innerText();
        assert.match(text, pattern);
        await close();
    };
    await message(parts("run", encode({ ...scene, frames: [] })), /no frames/);
    await message(parts("run", encode({ name: "empty", bodies: [], frames: [{ step: 0, time: 0, positions: [], values: [] }] })), /no bodies/);
    await message(parts("run", { ...run, manifest: { ...run.manifest, playback: 2 } }), /version 2/);
    await message(parts("run", { ...run, chunks: [run.chunks[0], run.chunks[1].subarray(0, 100), run.chunks[2]] }), /Frames 16 to 31.*damaged/);
    await message(parts("run", { ...run, chunks: run.chunks.slice(0, 1) }), /no part/);
    await message("", /no part "run-manifest"/);
    const { page, errors, close } = await open_page(viewer, parts("run", encode({ ...scene, frames: scene.frames.slice(0, 1) })));
    await settle(page);
    assert.ok(await page.locator(".abut-message").isHidden());
    assert.ok((await num_colors(page)) > 300);
    assert.deepEqual(errors, []);
    await close();
});

test("phones and dark pages have their layout", async () => {
    const phone = await open_page(viewer, parts("run", run), { context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } });
    await settle(phone.page, 900);
    await phone.page.evaluate(() => abut.viewers[0].setColor("speed"));
    await settle(phone.page, 900);
    await shot(phone.page, "phone");
    assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "nothing sticks out");
    await phone.page.getByRole("button", { name: "Panel (p)" }).tap();
    await settle(phone.page);
    await shot(phone.page, "phone-panel");
    await phone.close();

    const dark = await open_page(viewer, parts("run", run), { context: { viewport: { width: 1280, height: 800 }, colorScheme: "dark" } });
    await settle(dark.page, 900);
    assert.equal(await dark.page.locator(".abut-root").getAttribute("data-theme"), "dark");
    await shot(dark.page, "dark");
    await dark.page.getByRole("button", { name: "Light or dark (d)" }).click();
    assert.equal(await dark.page.locator(".abut-root").getAttribute("data-theme"), "light");
    await dark.page.getByRole("button", { name: "Keys and gestures (?)" }).click();
    await settle(dark.page);
    await shot(dark.page, "help");
    await dark.page.keyboard.press("Escape");
    assert.ok(await dark.page.locator(".abut-help").isHidden());
    await dark.close();
});

test("without WebGL the page's own picture or a sentence stays", async () => {
    const without = await launch({ webgl: false });
    const fallback = `<div class="abut-viewer" data-play="run"><div class="abut-fallback">A picture and a sentence.</div></div>`;
    const with_picture = await open_page(fallback, parts("run", run), { browser: without });
    assert.ok(await with_picture.page.getByText("A picture and a sentence.").isVisible());
    const bare = await open_page(viewer, parts("run", run), { browser: without });
    assert.match(await bare.page.locator(".abut-message").innerText(), /no WebGL/);
    await without.close();
    const { page, close } = await open_page(fallback, parts("run", run));
    assert.ok(await page.getByText("A picture and a sentence.").isHidden());
    await close();
});

test("the live view follows a run, says when it is alone, and ends", async () => {
    const live = cloth_scene({ cells: 8, rings: 6, frames: 6 });
    const whole = encode(live, { frames_per_chunk: 1 });
    let num_frames = 2;
    let is_answering = true;
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url, "http://localhost");
        const send = (type, content) => {
            response.writeHead(200, { "content-type": type });
            response.end(content);
        };
        if (pathname === "/")
            return send("text/html", `<!DOCTYPE html><meta charset="utf-8"><style>${style}</style><link rel="icon" href="data:,"><div class="abut-viewer" data-live="data/manifest"></div><script>${readFileSync(new URL("../../dist/viewer.js", import.meta.url), "utf8")}</script>`);
        if (!is_answering)
            return request.socket.destroy();
        if (pathname === "/data/manifest") {
            const { chunks, ...manifest } = whole.manifest;
            const is_running = num_frames < 6;
            return send("application/json", JSON.stringify({ ...manifest, frames: manifest.frames.slice(0, num_frames), frames_of_run: num_frames, is_running, status: `${num_frames} frames so far`, fields: manifest.fields.map((f) => ({ ...f, range: null })) }));
        }
        if (pathname === "/data/topology")
            return send("application/octet-stream", whole.topology);
        const step = Number(/^\/data\/chunk\/(\d+)$/.exec(pathname)?.[1]);
        const index = whole.manifest.frames.findIndex((f) => f.step === step);
        return index >= 0 ? send("application/octet-stream", whole.chunks[index]) : response.writeHead(404).end();
    });
    assert.ok(inflateSync(whole.chunks[1]).length > 0);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { page, errors, close } = await open(browser, `http://127.0.0.1:${server.address().port}/`);
    await page.evaluate(() => window.abut.ready);
    await page.waitForFunction(() => abut.viewers[0].currentFrame === 1);
    assert.match(await page.locator(".abut-status").innerText(), /2 frames so far/);
    assert.ok(await page.locator(".abut-badge").isVisible());
    num_frames = 4;
    await page.waitForFunction(() => abut.viewers[0].currentFrame === 3);
    await shot(page, "live");
    assert.deepEqual(errors, []);
    is_answering = false;
    await page.getByText("no connection").waitFor();
    is_answering = true;
    await page.getByLabel("follow").uncheck();
    await page.keyboard.press("Home");
    num_frames = 6;
    await page.waitForFunction(() => abut.viewers[0].frameCount === 6 && abut.viewers[0].playback.num_decoded === 6);
    await settle(page);
    assert.ok(await page.locator(".abut-badge").isHidden());
    assert.notEqual(await page.evaluate(() => abut.viewers[0].currentFrame), 5);
    await close();
    server.close();
});
