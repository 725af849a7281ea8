// Chromium as the tests and measurements use it: without a window and without a graphics card.

import { chromium } from "playwright-core";

const software = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox", "--ignore-gpu-blocklist"];
const without_webgl = ["--disable-gpu", "--disable-3d-apis", "--no-sandbox"];

export function launch({ webgl = true } = {}) {
    return chromium.launch({
        executablePath: process.env.ABUT_CHROMIUM || "/usr/bin/chromium",
        args: webgl ? software : without_webgl,
    });
}

/** A page that notes its errors. */
export async function open(browser, url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(120000);
    const page = await context.newPage();
    const errors = [];
    page.on("console", (message) => {
        if (message.type() === "error")
            errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(url);
    return { page, errors, close: () => context.close() };
}

/** Waits some time, and then until the page has drawn again: a busy machine draws late. */
export async function settle(page, milliseconds = 500) {
    await page.waitForTimeout(milliseconds);
    await page.evaluate(async () => {
        for (let i = 0; i < 3; ++i)
            await new Promise((resolve) => requestAnimationFrame(resolve));
    });
}
