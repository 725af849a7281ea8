// Keys and gestures, shown over the picture.

import { element, icon_button } from "./dom";

const keys: [string, string][] = [
    ["drag", "turn (in two dimensions: move)"],
    ["shift + drag, right drag, two fingers", "move"],
    ["wheel (after a click), pinch", "zoom"],
    ["click", "numbers of a vertex; beside the bodies: close"],
    ["double click", "look at a point"],
    ["space", "play, pause"],
    ["← →", "one frame back, on"],
    ["home, end", "first, last frame"],
    ["f", "fit the picture"],
    ["1 2 3 4", "front, side, top, iso"],
    ["w", "wireframe"],
    ["c", "contact forces"],
    ["p", "panel"],
    ["d", "light, dark"],
    ["?", "this list"],
    ["esc", "close"],
];

export class Help {
    readonly root: HTMLElement;

    constructor() {
        const rows = keys.map(([key, what]) => element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, what)));
        const box = element("div", { class: "abut-help-box" }, element("header", {}, element("h3", {}, "Keys and gestures"), icon_button("close", "Close", () => this.toggle(false))), element("table", {}, ...rows));
        this.root = element("div", { class: "abut-help", role: "dialog", "aria-label": "Keys and gestures", hidden: true }, box);
        this.root.addEventListener("click", (event) => {
            if (event.target === this.root)
                this.toggle(false);
        });
    }

    toggle(shows = this.root.hidden === true): void {
        this.root.hidden = !shows;
        if (shows)
            this.root.querySelector("button")?.focus();
    }
}
