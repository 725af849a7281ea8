// Elements of the page, made in one expression.

type Attributes = Record<string, string | number | boolean>;

/** Attributes that are false are left out, those that are true have no value. */
export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[Tag] {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
        if (value !== false)
            made.setAttribute(name, value === true ? "" : String(value));
    made.append(...children);
    return made;
}

export function svg_element<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElementTagNameMap[Tag] {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes))
        made.setAttribute(name, String(value));
    made.append(...children);
    return made;
}

/** Line drawings for buttons, in a square of 24. */
const icons = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
    back: "M16 5v14l-9-7zM5 5h2v14H5z",
    forward: "M8 5v14l9-7zM17 5h2v14h-2z",
    loop: "M6 8h9.5V5l4.5 4.2-4.5 4.2v-3H8.4V14H6zM18 16H8.5v3L4 14.8l4.5-4.2v3h7.1V10H18z",
    fit: "M4 4h6v2.2H6.2V10H4zM14 4h6v6h-2.2V6.2H14zM4 14h2.2v3.8H10V20H4zM17.8 14H20v6h-6v-2.2h3.8z",
    panel: "M3.5 5h17v14h-17zM5.5 7v10h8V7zM15.2 7v10h3.3V7z",
    theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
    grow: "M13.500 4H20v6.500h-2.200V7.700l-4.400 4.400-1.500-1.500 4.400-4.400h-2.800zM4 13.500h2.200v2.800l4.400-4.400 1.500 1.500-4.400 4.400h2.800V20H4z",
    link: "M10.600 13.400a4 4 0 0 1 0-5.700l2.800-2.800a4 4 0 0 1 5.700 5.700l-1.400 1.400-1.400-1.400 1.400-1.400a2 2 0 0 0-2.900-2.900L12 9.100a2 2 0 0 0 0 2.900zM13.400 10.600a4 4 0 0 1 0 5.700l-2.800 2.800a4 4 0 0 1-5.700-5.700l1.400-1.400 1.400 1.400-1.400 1.400a2 2 0 0 0 2.900 2.900l2.800-2.800a2 2 0 0 0 0-2.900z",
    close: "M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400L12 13.400 6.400 19 5 17.600 10.600 12 5 6.400z",
};
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
    return svg_element("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "abut-icon" }, svg_element("path", { d: icons[name] }));
}

/** A button with a picture; its label is read out and shown when the pointer rests. */
export function icon_button(name: IconName, label: string, act: () => void): HTMLButtonElement {
    const button = element("button", { type: "button", class: "abut-button", "aria-label": label, title: label }, icon(name));
    button.addEventListener("click", act);
    return button;
}

export function text_button(text: string, label: string, act: () => void): HTMLButtonElement {
    const button = element("button", { type: "button", class: "abut-button abut-text", "aria-label": label, title: label }, text);
    button.addEventListener("click", act);
    return button;
}

export function set_icon(button: HTMLButtonElement, name: IconName, label: string): void {
    if (button.title === label)
        return;
    button.replaceChildren(icon(name));
    button.title = label;
    button.setAttribute("aria-label", label);
}

export function checkbox(text: string, is_checked: boolean, act: (is_checked: boolean) => void): { row: HTMLLabelElement; input: HTMLInputElement } {
    const input = element("input", { type: "checkbox" });
    input.checked = is_checked;
    input.addEventListener("change", () => act(input.checked));
    return { row: element("label", { class: "abut-check" }, input, element("span", {}, text)), input };
}

export interface SliderRange {
    least: number;
    largest: number;
    step: number | "any";
    value: number;
}

export function slider(label: string, range: SliderRange, act: (value: number) => void): HTMLInputElement {
    const input = element("input", { type: "range", min: range.least, max: range.largest, step: range.step, "aria-label": label, title: label });
    input.value = String(range.value);
    input.addEventListener("input", () => act(Number(input.value)));
    return input;
}

export function select(label: string, options: { value: string; text: string }[], act: (value: string) => void): HTMLSelectElement {
    const made = element("select", { "aria-label": label, title: label }, ...options.map(({ value, text }) => element("option", { value }, text)));
    made.addEventListener("change", () => act(made.value));
    return made;
}

/** Writes text only where it changed: screen readers and layout are left in peace. */
export function set_text(node: Node, text: string): void {
    if (node.textContent !== text)
        node.textContent = text;
}
