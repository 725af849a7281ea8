// Pages as the program writes them: script elements with the data, and the viewer.

import { readFileSync, writeFileSync } from "node:fs";

const viewer = readFileSync(new URL("../dist/viewer.js", import.meta.url), "utf8");

export function parts(name, { manifest, topology, chunks }) {
    const data = (id, bytes) => `<script type="application/octet-stream" id="${name}-${id}">${bytes.toString("base64")}</script>\n`;
    return (
        `<script type="application/json" id="${name}-manifest">${JSON.stringify(manifest)}</script>\n` +
        data("topology", topology) +
        chunks.map((chunk, k) => data(`chunk-${k}`, chunk)).join("")
    );
}

export const style = `body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5em auto; max-width: 1100px; padding: 0 1em; }
svg { display: block; max-width: 100%; height: auto; margin: .8em 0; }
@media (prefers-color-scheme: dark) { body { background: #0f1216; color: #e6eaf0; } }`;

export function write_page(path, body, data) {
    writeFileSync(
        path,
        `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
            `<title>test</title><style>${style}</style></head>\n<body>\n${body}\n${data}<script>${viewer}</script>\n</body></html>\n`,
    );
}

/** A plot of y over time, as the program draws it. */
export function plot(times, values, name) {
    const [left, right, top, bottom] = [50, 580, 10, 170];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const x = (t) => left + ((t - times[0]) / (times.at(-1) - times[0])) * (right - left);
    const y = (v) => bottom - ((v - low) / (high - low)) * (bottom - top);
    const mapping = { x: [times[0], times.at(-1)], px: [left, right], y: [low, high], py: [bottom, top], log: false, time: true };
    const points = times.map((t, i) => `${x(t).toFixed(2)},${y(values[i]).toFixed(2)}`).join(" ");
    return `<svg viewBox="0 0 600 200" width="600" data-plot='${JSON.stringify(mapping)}'><rect x="50" y="10" width="530" height="160" fill="none" stroke="#999"/><polyline class="abut-line" data-name="${name}" points="${points}" fill="none" stroke="#1d5fc4"/></svg>`;
}
