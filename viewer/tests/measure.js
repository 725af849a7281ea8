// Measures what docs promise: size of the page, time to the first frame, pictures per second while turning.
// usage: node tests/measure.js [cells frames]…   A cell is two triangles of a square cloth.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, open } from "./browser/chromium.js";
import { encode } from "./encoder.js";
import { parts, write_page } from "./page.js";
import { cloth_scene, heap_scene } from "./scenes.js";

const folder = mkdtempSync(join(tmpdir(), "abut-viewer-"));
const browser = await launch();

async function measure(what, scene) {
    const path = join(folder, "page.html");
    const run = encode(scene, { level: 1 });
    write_page(path, `<style>body { max-width: none; margin: 0; padding: 0; } .abut-viewer { --abut-stage-height: 720px; } .abut-panel { display: none !important; }</style><div class="abut-viewer" data-play="run"></div>`, parts("run", run));
    const start = Date.now();
    const { page, errors, close } = await open(browser, "about:blank", { viewport: { width: 1280, height: 720 } });
    const opening = Date.now();
    await page.goto(`file://${path}`, { waitUntil: "commit" });
    await page.waitForFunction(() => window.abut?.viewers[0]?.currentFrame >= 0, null, { polling: 20, timeout: 120000 });
    const first = Date.now() - opening;
    const since_navigation = await page.evaluate(() => abut.viewers[0].ready.then(() => performance.now()));
    await page.evaluate(() => abut.viewers[0].loaded);
    const all = Date.now() - opening;
    const box = await page.locator("canvas[role=img]").boundingBox();
    const frames = () => page.evaluate(() => abut.viewers[0].fps());
    await page.waitForTimeout(600);

    // Turn for three seconds with events of the page itself, as fast as it draws.
    const fps = await page.evaluate(async () => {
        const canvas = document.querySelector("canvas[role=img]");
        const at = (type, x) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: 300, buttons: 1, bubbles: true }));
        canvas.setPointerCapture = () => {};
        at("pointerdown", 300);
        const begin = performance.now();
        let count = 0;
        for (let x = 300; performance.now() - begin < 3000; x += 3, ++count) {
            at("pointermove", x);
            await new Promise(requestAnimationFrame);
        }
        at("pointerup", 300);
        return (1000 * count) / (performance.now() - begin);
    });
    await page.evaluate(() => abut.viewers[0].play());
    await page.waitForTimeout(3000);
    const playing = await frames();
    console.log(
        `${what}: page ${(statSync(path).size / 1e6).toFixed(1)} MB, first frame ${first} ms (page clock ${since_navigation.toFixed(0)} ms), all frames ${all} ms, ` +
            `turning ${fps.toFixed(1)} fps, playing ${playing.toFixed(1)} fps, canvas ${box.width}x${box.height}, errors ${errors.length}, prepared in ${((start - t0) / 1000).toFixed(0)} s`,
    );
    await close();
}

let t0 = Date.now();
const wanted = process.argv.slice(2).map(Number);
if (wanted.length === 0) {
    await measure("50k triangles x 300 frames", cloth_scene({ cells: 150, frames: 300, rings: 35, noise: 2e-3 }));
    t0 = Date.now();
    await measure("200k triangles x 100 frames", cloth_scene({ cells: 310, frames: 100, with_all: false, rings: 20 }));
    t0 = Date.now();
    await measure("1000 bodies x 20 frames", heap_scene());
} else
    for (let i = 0; i + 1 < wanted.length; i += 2)
        await measure(`${2 * wanted[i] ** 2} triangles x ${wanted[i + 1]} frames`, cloth_scene({ cells: wanted[i], frames: wanted[i + 1], with_all: false, rings: 20 }));
await browser.close();
rmSync(folder, { recursive: true });
