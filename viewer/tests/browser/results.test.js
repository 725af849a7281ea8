// Pages of real results: what the program writes and serves, in Chromium. ABUT_PROGRAM is the program.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, settle } from "./chromium.js";

const program = process.env.ABUT_PROGRAM ?? "../build/release/abut";
const folder = mkdtempSync(join(tmpdir(), "abut-results-"));
let browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
});

const cube = (name, x, y, more = {}) => ({
    name,
    geometry: { generate: "tet_box", size: [0.2, 0.2, 0.2], subdivisions: [2, 2, 2] },
    transform: { translate: [x, y, 0] },
    ...more,
});
const cubes = (more = {}) => ({
    format: 1,
    name: "cubes that slide",
    planes: [{ point: [0, 0, 0], normal: [0, 1, 0] }],
    contact: { friction: { mu: 0.4 } },
    objects: [cube("lower", 0, 0.101, { velocity: [1, 0, 0] }), cube("upper", 0.02, 0.302)],
    time: { dt: 0.01, steps: 25 },
    ...more,
});

function run(name, scene, code = 0) {
    const path = join(folder, `${name}.json`);
    const out = join(folder, name);
    writeFileSync(path, JSON.stringify(scene));
    const ended = spawnSync(program, ["run", path, "-o", out, "--quiet"], { encoding: "utf8" });
    assert.equal(ended.status, code, ended.stderr);
    return out;
}

const records = (out) => readFileSync(join(out, "stats.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));

/** Opens a page, which may load nothing but itself. */
async function open_alone(url) {
    const opened = await open(browser, "about:blank");
    const requests = [];
    opened.page.on("request", (request) => requests.push(request.url()));
    await opened.page.goto(url);
    await opened.page.evaluate(() => window.abut.ready);
    return { ...opened, requests };
}

/** Is there something in the picture? */
async function num_colors(page, index = 0) {
    const png = await page.locator("canvas[role=img]").nth(index).screenshot();
    return page.evaluate(async (base64) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        const words = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
        return new Set(words).size;
    }, png.toString("base64"));
}

test("the report of a run plays, colours, isolates, picks and reads its plots", async () => {
    const out = run("good", cubes());
    const { page, errors, requests, close } = await open_alone(`file://${out}/report.html`);
    await page.evaluate(() => abut.viewers[0].loaded);
    assert.equal(await page.evaluate(() => abut.viewers[0].frameCount), 26);
    await settle(page);
    assert.ok((await num_colors(page)) > 300);

    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => abut.viewers[0].currentFrame > 2);
    await page.evaluate(() => abut.viewers[0].pause());
    await page.getByLabel("Frame", { exact: true }).fill("20");
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), 20);

    for (const [field, label] of [["speed", /Speed \[m\/s\]/i], ["contact_force", /\[N\]/], ["stress", /stress \[Pa\]/i], ["strain", /strain/i], ["displacement", /\[m\]/]]) {
        await page.getByLabel("Colour by").selectOption(field);
        await settle(page, 100);
        assert.match(await page.locator(".abut-bar").innerText(), label);
    }

    const shown = () => page.evaluate(() => abut.viewers[0].scene.surface.triangles.length / 3);
    assert.equal(await shown(), 2 * 48);
    await page.evaluate(() => abut.viewers[0].isolate(1));
    assert.equal(await shown(), 48);
    await page.evaluate(() => abut.viewers[0].isolate(1));

    const picked = await page.evaluate(() => {
        const { canvas } = abut.viewers[0];
        for (let i = 1; i < 20; ++i)
            for (let k = 1; k < 20; ++k) {
                const found = abut.viewers[0].pick((canvas.clientWidth * i) / 20, (canvas.clientHeight * k) / 20);
                if (found)
                    return found;
            }
        return null;
    });
    assert.ok(picked, "a body can be picked");

    // The plot of contacts says what the statistics say at the time under the mouse.
    const contacts = page.locator("svg[data-plot]").filter({ hasText: "Contacts" }).first();
    await contacts.scrollIntoViewIfNeeded();
    const about = JSON.parse(await contacts.getAttribute("data-plot"));
    const step = 18;
    const share = (0.01 * (step + 0.3) - about.x[0]) / (about.x[1] - about.x[0]);
    const box = await contacts.boundingBox();
    const [, , width] = (await contacts.getAttribute("viewBox")).split(" ").map(Number);
    const x = about.px[0] + share * (about.px[1] - about.px[0]);
    await page.mouse.click(box.x + (x * box.width) / width, box.y + box.height / 2);
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), step);
    const value = Number(/contacts: ([\d.]+)/.exec(await page.locator(".abut-readout:visible").innerText())[1]);
    const all = records(out).map((r) => r.contacts);
    const [low, high] = [Math.min(all[step - 1], all[step]), Math.max(all[step - 1], all[step])];
    const pixel = 0.02 * Math.max(...all) + 1;
    assert.ok(value >= low - pixel && value <= high + pixel, `${value}, of ${low} to ${high}`);

    assert.deepEqual(errors, []);
    assert.deepEqual(requests.filter((url) => !url.startsWith("file://") && !url.startsWith("data:") && !url.startsWith("blob:")), []);
    await close();
});

test("arrows add up to the forces that are logged", async () => {
    const out = join(folder, "good");
    const { page, close } = await open_alone(`file://${out}/report.html`);
    await page.evaluate(() => abut.viewers[0].loaded);
    let num_forces = 0;
    for (const record of records(out)) {
        const sums = await page.evaluate((step) => abut.viewers[0].arrowSums(step), record.step);
        const names = await page.evaluate(() => {
            const { bodies, planes } = abut.viewers[0].playback.manifest;
            return { bodies: bodies.map((b) => b.name), planes: planes.map((p) => p.name) };
        });
        const name = (body) => (body < 0 ? names.planes[-1 - body] : names.bodies[body]);
        assert.equal(sums.length, record.forces.length);
        for (const force of record.forces) {
            const sum = sums.find((s) => name(s.on) === force.on && name(s.by) === force.by);
            for (const kind of ["contact", "friction"])
                for (let a = 0; a < 3; ++a) {
                    const size = Math.max(1, Math.hypot(...force[kind]));
                    assert.ok(Math.abs(sum[kind][a] - force[kind][a]) < 1e-6 * size);
                    ++num_forces;
                }
        }
    }
    assert.ok(num_forces > 50);
    await close();
});

test("a failing step shows what limited it, and gives the step to take away", async () => {
    const objects = [cube("lower", 0, 0.101), cube("upper", 0.02, 0.32, { velocity: [0, -20, 0] })];
    const out = run("failed", cubes({ objects, solver: { max_iterations: 2 } }), 5);
    const { page, errors, close } = await open_alone(`file://${out}/report.html`);
    await settle(page);
    assert.equal(await page.evaluate(() => abut.viewers[0].currentFrame), await page.evaluate(() => abut.viewers[0].frameCount - 1));
    assert.match(await page.locator(".abut-caption").innerText(), /what limited step/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download repro" }).click()]);
    assert.equal(download.suggestedFilename(), "repro.zip");
    const saved = join(folder, "repro.zip");
    await download.saveAs(saved);
    execFileSync("python3", ["-m", "zipfile", "-e", saved, join(folder, "unpacked")]);
    const again = spawnSync(program, ["resume", join(folder, "unpacked", "repro"), "--quiet"], { encoding: "utf8" });
    assert.equal(again.status, 5, again.stderr);
    const [mine, theirs] = [records(out).at(-1), records(join(folder, "unpacked", "repro")).at(-1)];
    assert.equal(theirs.message, mine.message);
    assert.deepEqual(theirs.energy, mine.energy);
    assert.deepEqual(errors, []);
    await close();
});

test("variants are side by side and in step", async () => {
    const path = join(folder, "few.json");
    writeFileSync(path, JSON.stringify(cubes({ time: { dt: 0.01, steps: 8 } })));
    const out = join(folder, "compare");
    execFileSync(program, ["compare", path, "--vary", "contact.model=ipc,gcp", "-o", out, "--quiet"]);
    const { page, errors, close } = await open_alone(`file://${out}/compare.html`);
    await page.evaluate(() => Promise.all(abut.viewers.map((viewer) => viewer.loaded)));
    assert.equal(await page.evaluate(() => abut.viewers.length), 3);
    await page.evaluate(() => abut.viewers[0].seek(6));
    assert.deepEqual(await page.evaluate(() => abut.viewers.map((viewer) => viewer.currentFrame)), [6, 6, 6]);
    await page.evaluate(() => abut.viewers[2].setColor("difference"));
    await settle(page, 800);
    assert.ok((await num_colors(page, 2)) > 100);
    assert.deepEqual(errors, []);
    await close();
});

test("the live view follows a run to its end", async () => {
    const path = join(folder, "live.json");
    const out = join(folder, "live");
    writeFileSync(path, JSON.stringify(cubes({ time: { dt: 0.002, steps: 400 } })));
    const running = spawn(program, ["run", path, "-o", out, "--quiet", "--no-report"]);
    const ended = new Promise((resolve) => running.on("exit", resolve));
    let view = null;
    try {
        // The run waits until the page is there, however long a busy machine takes to open it
        const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
        const begun = () => existsSync(join(out, "stats.jsonl")) && statSync(join(out, "stats.jsonl")).size > 0;
        while (running.exitCode === null && !begun())
            await pause(2);
        running.kill("SIGSTOP");
        const child = spawn(program, ["view", out]);
        view = { child, address: /http:\S+/.exec(String(await new Promise((resolve) => child.stdout.once("data", resolve))))[0] };
        const { page, errors, close } = await open(browser, view.address);
        await page.evaluate(() => window.abut.ready);
        const seen = () => page.evaluate(() => [abut.viewers[0].frameCount, abut.viewers[0].currentFrame]);
        assert.equal(running.exitCode, null, "the run is not over before it is watched");
        running.kill("SIGCONT");
        assert.equal(await ended, 0);
        // Not waitForFunction, which the page's content security policy forbids
        for (let tries = 0; (await seen())[1] < 400 && tries < 300; ++tries)
            await page.waitForTimeout(200);
        assert.deepEqual(await seen(), [401, 400]);
        assert.deepEqual(errors, []);
        await close();
    } finally {
        running.kill("SIGKILL");
        view?.child.kill();
    }
});

test("a scene that intersects is shown with what intersects", async () => {
    const path = join(folder, "bad.json");
    writeFileSync(path, JSON.stringify(cubes({ objects: [cube("lower", 0, 0.101), cube("upper", 0.05, 0.2)] })));
    const child = spawn(program, ["view", path]);
    try {
        const address = /http:\S+/.exec(String(await new Promise((resolve) => child.stdout.once("data", resolve))))[0];
        const { page, errors, close } = await open(browser, address);
        await page.evaluate(() => window.abut.ready);
        await settle(page);
        assert.ok((await page.evaluate(() => abut.viewers[0].playback.manifest.marks.length)) > 0);
        assert.match(await page.locator("body").innerText(), /intersect/);
        assert.deepEqual(errors, []);
        await close();
    } finally {
        child.kill();
    }
});
