// The bar that says which colour is which number.

import { color_map, format_number, ticks } from "./colors";
import { element, set_text } from "./dom";

export class ScalarBar {
    readonly root: HTMLElement;
    private readonly title = element("div", { class: "abut-bar-title" });
    private readonly scale = element("div", { class: "abut-bar-ticks" });
    private range: [number, number] = [NaN, NaN];

    constructor() {
        const stops = Array.from({ length: 9 }, (_, i) => {
            const at = 3 * Math.round((255 * i) / 8);
            return `rgb(${color_map[at]} ${color_map[at + 1]} ${color_map[at + 2]})`;
        });
        const gradient = element("div", { class: "abut-bar-colors", style: `background: linear-gradient(to right, ${stops.join(", ")})` });
        this.root = element("div", { class: "abut-bar", hidden: true, role: "img" }, this.title, gradient, this.scale);
    }

    update(label: string, unit: string, range: [number, number]): void {
        this.root.hidden = false;
        set_text(this.title, unit && unit !== "1" ? `${label} [${unit}]` : label);
        if (range[0] === this.range[0] && range[1] === this.range[1])
            return;
        this.range = range;
        const [least, largest] = range;
        this.root.setAttribute("aria-label", `Colours: ${this.title.textContent}, from ${format_number(least)} to ${format_number(largest)}`);
        // Both ends are said; round numbers between them where they do not touch.
        const between = ticks(least, largest, 4).filter((x) => x > least + 0.17 * (largest - least) && x < largest - 0.17 * (largest - least));
        const at = (x: number) => (largest > least ? (100 * (x - least)) / (largest - least) : 0);
        const shown = largest > least ? [least, ...between, largest] : [least];
        this.scale.replaceChildren(...shown.map((x) => element("span", { style: `left: ${at(x).toFixed(2)}%` }, format_number(x, 3))));
    }

    hide(): void {
        this.root.hidden = true;
    }
}
