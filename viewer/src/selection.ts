// What was clicked: its body, vertex and numbers, and how one of them changes over time.

import type { Quantity } from "./coloring";
import { format_number } from "./colors";
import { element, icon_button, select } from "./dom";
import type { ViewScene } from "./scene";
import { Series } from "./series";

export class SelectionPanel {
    readonly root: HTMLElement;
    private readonly heading = element("h3");
    private readonly table = element("table");
    private readonly chooser: HTMLSelectElement;
    private readonly series: Series;
    private readonly curves: { name: string; label: string; value(frame: number): number }[];
    private num_frames_drawn = -1;
    private drawn = ""; // what the plot shows: vertex and quantity

    constructor(
        private readonly scene: ViewScene,
        seek: (time: number) => void,
        close: () => void,
        isolate: (body: number) => void,
    ) {
        const { coloring, playback } = scene;
        const with_unit = (q: Quantity) => (q.unit && q.unit !== "1" ? `${q.label} [${q.unit}]` : q.label);
        this.curves = coloring.quantities.map((q) => ({
            name: q.name,
            label: with_unit(q),
            value: (frame: number) => coloring.value(q, frame, scene.selected_vertex, playback.body_of(scene.selected_vertex)),
        }));
        "xyz".slice(0, playback.manifest.dim).split("").forEach((axis, c) =>
            this.curves.push({ name: axis, label: `${axis} [m]`, value: (frame) => playback.position(frame, scene.selected_vertex)[c] }),
        );
        this.series = new Series(seek);
        this.chooser = select("Quantity of the plot", this.curves.map((c) => ({ value: c.name, text: c.label })), () => this.update());
        this.root = element(
            "section",
            { class: "abut-selection", hidden: true, "aria-label": "Selected vertex" },
            element("header", {}, this.heading, icon_button("fit", "Show this body alone, or all again", () => isolate(playback.body_of(scene.selected_vertex))), icon_button("close", "Close", close)),
            this.table,
            element("label", { class: "abut-row" }, "over time", this.chooser),
            this.series.root,
        );
    }

    /** Shows what the viewer colours by, if it is a number. */
    choose(name: string): void {
        if (this.curves.some((c) => c.name === name))
            this.chooser.value = name;
    }

    update(): void {
        const { scene } = this;
        const { playback, coloring, frame, selected_vertex: vertex } = scene;
        this.root.hidden = vertex < 0 || frame < 0;
        if (this.root.hidden)
            return;
        const b = playback.body_of(vertex);
        const body = playback.manifest.bodies[b];
        this.heading.textContent = body.name;
        const rows: [string, string][] = [
            ["kind", body.kind || "–"],
            ["vertex", String(playback.topology.result_vertex[vertex])],
        ];
        const position = playback.position(frame, vertex, b);
        position.slice(0, playback.manifest.dim).forEach((x, c) => rows.push(["xyz"[c], `${format_number(x, 6)} m`]));
        for (const q of coloring.quantities)
            rows.push([q.label, `${format_number(coloring.value(q, frame, vertex, b))} ${q.unit === "1" ? "" : q.unit}`]);
        this.table.replaceChildren(...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value))));
        this.draw_series(vertex);
        this.series.mark(playback.manifest.frames[frame].time);
    }

    private draw_series(vertex: number): void {
        const { playback } = this.scene;
        const curve = this.curves.find((c) => c.name === this.chooser.value);
        const wanted = `${vertex} ${this.chooser.value}`;
        if (!curve || (wanted === this.drawn && this.num_frames_drawn === playback.num_decoded))
            return;
        this.drawn = wanted;
        this.num_frames_drawn = playback.num_decoded;
        const values = playback.manifest.frames.map((_, i) => (playback.frames[i] ? curve.value(i) : NaN));
        this.series.draw(playback.times, values, curve.label);
    }
}
