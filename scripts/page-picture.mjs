// A picture of a page's first viewer: node scripts/page-picture.mjs PAGE.html PICTURE.png SHARE COLOUR [RIGHT,UP]
// SHARE, in [0, 1], is the moment within the run. COLOUR+forces shows the forces of contact, too.
// RIGHT,UP are the degrees by which one looks from the right of the front and from above.

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileSync } from "node:fs";

const tests = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..", "viewer", "tests", "browser");
const { launch, open } = await import(pathToFileURL(join(tests, "chromium.js")));
const [source, target, share, color, view] = process.argv.slice(2);
const browser = await launch();
try {
    const { page, errors } = await open(browser, pathToFileURL(resolve(source)).href, { viewport: { width: 1000, height: 700 } });
    await page.evaluate(() => window.abut.ready);
    await page.addStyleTag({ content: ".abut-big-play, .abut-panel { display: none !important; }" });
    await page.evaluate(([at, by, from]) => {
        const viewer = window.abut.viewers[0];
        viewer.seek(Math.round(at * (viewer.frameCount - 1)));
        viewer.setColor(by.split("+")[0]);
        viewer.setArrows(by.endsWith("+forces"));
        if (from)
            [viewer.camera.azimuth, viewer.camera.elevation] = from.split(",").map((degrees) => (Number(degrees) * Math.PI) / 180);
        viewer.fit();
    }, [Number(share), color, view]);
    await page.waitForTimeout(1500);
    writeFileSync(target, await page.locator(".abut-viewer .abut-canvas").first().screenshot());
    if (errors.length > 0)
        throw new Error(errors.join("\n"));
} finally {
    await browser.close();
}
