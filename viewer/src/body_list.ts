// The list of bodies: hide, show, isolate.

import { element, text_button } from "./dom";
import type { ViewScene } from "./scene";

/** Longer lists get a field to search in. */
const many = 12;

export class BodyList {
    readonly root: HTMLElement;
    private readonly list = element("ul", { class: "abut-bodies" });
    private readonly rows: { row: HTMLElement; input: HTMLInputElement; text: string }[] = [];

    constructor(
        private readonly scene: ViewScene,
        private readonly changed: () => void,
    ) {
        const { bodies } = scene.playback.manifest;
        const search = element("input", { type: "search", placeholder: "find a body", "aria-label": "Find a body" });
        search.addEventListener("input", () => {
            const wanted = search.value.trim().toLowerCase();
            for (const { row, text } of this.rows)
                row.hidden = !text.includes(wanted);
        });
        this.root = element(
            "details",
            { open: true },
            element("summary", {}, `Bodies (${bodies.length})`),
            ...(bodies.length > many ? [search] : []),
            this.list,
            ...(bodies.length > 1
                ? [element("div", { class: "abut-row" }, text_button("show all", "Show all bodies", () => this.show_all(true)), text_button("hide all", "Hide all bodies", () => this.show_all(false)))]
                : []),
        );
        // A long list is made after the first picture.
        if (bodies.length > many)
            setTimeout(() => this.fill(), 250);
        else
            this.fill();
    }

    private fill(): void {
        const { scene, changed } = this;
        scene.playback.manifest.bodies.forEach((body, b) => {
            const input = element("input", { type: "checkbox", "aria-label": `Show ${body.name}` });
            input.addEventListener("change", () => {
                if (input.checked)
                    scene.hidden.delete(b);
                else
                    scene.hidden.add(b);
                changed();
            });
            const color = body.color.map((x) => Math.round(255 * x)).join(" ");
            const label = element("label", { title: `${body.name}: alt-click to show it alone` }, input, element("i", { style: `background: rgb(${color})` }), element("span", {}, body.name), element("small", {}, body.kind));
            label.addEventListener("click", (event) => {
                if (!event.altKey)
                    return;
                event.preventDefault();
                this.isolate(b);
            });
            const row = element("li", {}, label, text_button("only", `Show ${body.name} alone, or all again`, () => this.isolate(b)));
            this.rows.push({ row, input, text: `${body.name} ${body.kind}`.toLowerCase() });
        });
        this.list.append(...this.rows.map(({ row }) => row));
        this.update();
    }

    /** Shows one body alone, or all again if it is alone. */
    isolate(body: number): void {
        const { hidden, playback } = this.scene;
        const count = playback.manifest.bodies.length;
        const is_alone = !hidden.has(body) && hidden.size === count - 1;
        hidden.clear();
        if (!is_alone)
            for (let b = 0; b < count; ++b)
                if (b !== body)
                    hidden.add(b);
        this.changed();
    }

    update(): void {
        this.rows.forEach(({ input, row }, b) => {
            input.checked = this.scene.is_shown(b);
            row.classList.toggle("abut-off", !input.checked);
        });
    }

    private show_all(shows: boolean): void {
        this.scene.hidden.clear();
        if (!shows)
            this.scene.playback.manifest.bodies.forEach((_, b) => this.scene.hidden.add(b));
        this.changed();
    }
}
