// A small plot of one quantity over time, with the time shown marked.

import { format_number, ticks } from "./colors";
import { svg_element } from "./dom";

const [width, height] = [248, 118];
const [left, right, top, bottom] = [46, 8, 8, 20];

export class Series {
    readonly root = svg_element("svg", { viewBox: `0 0 ${width} ${height}`, class: "abut-series", role: "img" });
    private readonly cursor = svg_element("line", { y1: top, y2: height - bottom, class: "abut-now" });
    private times: number[] = [];

    constructor(seek: (time: number) => void) {
        const to_time = (event: PointerEvent) => {
            const box = this.root.getBoundingClientRect();
            const x = ((event.clientX - box.left) / box.width) * width;
            const [first, last] = [this.times[0], this.times[this.times.length - 1]];
            if (this.times.length > 1)
                seek(first + ((x - left) / (width - left - right)) * (last - first));
        };
        this.root.addEventListener("pointerdown", (event) => {
            this.root.setPointerCapture(event.pointerId);
            to_time(event);
        });
        this.root.addEventListener("pointermove", (event) => {
            if (event.buttons > 0)
                to_time(event);
        });
    }

    /** Values may be NaN where frames are not decoded: the line has a gap there. */
    draw(times: number[], values: number[], label: string): void {
        this.times = times;
        const finite = values.filter(Number.isFinite);
        let [least, largest] = [Math.min(...finite), Math.max(...finite)];
        if (!(largest > least)) {
            const margin = Math.abs(least) * 0.1 || 1;
            [least, largest] = [least - margin, largest + margin];
        }
        const y = (v: number) => height - bottom - ((v - least) / (largest - least)) * (height - top - bottom);
        let path = "";
        let pen = "M";
        values.forEach((v, i) => {
            if (Number.isFinite(v)) {
                path += `${pen}${this.x(times[i]).toFixed(1)} ${y(v).toFixed(1)}`;
                pen = "L";
            } else
                pen = "M";
        });
        const parts: SVGElement[] = [];
        for (const v of finite.length > 0 ? ticks(least, largest, 3) : [])
            parts.push(
                svg_element("line", { x1: left, x2: width - right, y1: y(v), y2: y(v), class: "abut-grid" }),
                svg_element("text", { x: left - 5, y: y(v) + 3.5, "text-anchor": "end" }, format_number(v, 3)),
            );
        for (const t of times.length > 1 ? ticks(times[0], times[times.length - 1], 3) : [])
            parts.push(svg_element("text", { x: this.x(t), y: height - 5, "text-anchor": this.x(t) > width - 24 ? "end" : "middle" }, `${format_number(t, 3)} s`));
        this.root.setAttribute("aria-label", `${label} over time`);
        this.root.replaceChildren(...parts, svg_element("path", { d: path, class: "abut-curve" }), this.cursor);
    }

    mark(time: number): void {
        this.cursor.setAttribute("x1", String(this.x(time)));
        this.cursor.setAttribute("x2", String(this.x(time)));
    }

    private x(time: number): number {
        const [first, last] = [this.times[0], this.times[this.times.length - 1]];
        return left + (last > first ? (time - first) / (last - first) : 0.5) * (width - left - right);
    }
}
