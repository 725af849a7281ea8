// The panel beside the picture: what is drawn and how, bodies, marks, and what was clicked.

import { BodyList } from "./body_list";
import { contact_color, friction_color } from "./contacts";
import { format_number } from "./colors";
import { checkbox, element, select, set_text, slider } from "./dom";
import type { Mark } from "./manifest";
import type { ViewScene } from "./scene";
import { SelectionPanel } from "./selection";

export interface PanelEvents {
    /** Something about the picture changed. */
    changed(): void;
    /** Bodies were shown or hidden. */
    shown(): void;
    seek(time: number): void;
    close_selection(): void;
    go_to(mark: Mark): void;
}

const rgb = (color: number[]) => `rgb(${color.map((x) => Math.round(255 * x)).join(" ")})`;

export class Panel {
    readonly root: HTMLElement;
    readonly bodies: BodyList;
    readonly selection: SelectionPanel;
    private readonly marks = element("ul", { class: "abut-marks" });
    private readonly marks_section: HTMLElement;
    private marks_shown: Mark[] = [];
    private readonly arrows;
    private readonly places;
    private readonly wires;
    private readonly cut;
    private readonly per_frame;
    private readonly arrow_rows: HTMLElement;
    private readonly arrow_text = element("small", { class: "abut-note" });
    private readonly section_rows: HTMLElement;
    private readonly section_axis: HTMLSelectElement;
    private readonly section_share: HTMLInputElement;
    private readonly section_text = element("small", { class: "abut-note" });

    constructor(
        private readonly scene: ViewScene,
        private readonly events: PanelEvents,
    ) {
        const { contacts, coloring, playback } = scene;
        const { dim } = playback.manifest;
        this.bodies = new BodyList(scene, () => events.shown());
        this.selection = new SelectionPanel(scene, (time) => events.seek(time), () => events.close_selection(), (b) => this.bodies.isolate(b));

        this.per_frame = checkbox("colour range of each frame", coloring.is_range_per_frame, (on) => {
            coloring.is_range_per_frame = on;
            scene.update_colors();
            events.changed();
        });
        this.wires = checkbox("wireframe", false, (on) => {
            scene.surface.set_wires(on);
            events.changed();
        });
        this.places = checkbox("contact points", contacts.shows_places, (on) => this.show_contacts(contacts.shows_arrows, on));
        this.arrows = checkbox("contact forces", contacts.shows_arrows, (on) => this.show_contacts(on, contacts.shows_places));
        // From a hundredth to a hundred times the automatic length.
        const length = slider("Length of the arrows", { least: -2, largest: 2, step: 0.05, value: 0 }, (power) => {
            contacts.length_factor = 10 ** power;
            this.show_contacts(contacts.shows_arrows, contacts.shows_places);
        });
        const key = (color: number[], text: string) => element("span", { class: "abut-key" }, element("i", { style: `background: ${rgb(color)}` }), text);
        this.arrow_rows = element(
            "div",
            { class: "abut-sub" },
            element("label", { class: "abut-row" }, "length", length),
            element("div", { class: "abut-row" }, key(contact_color, "contact"), key(friction_color, "friction")),
            this.arrow_text,
        );

        this.cut = checkbox("section plane", false, () => this.apply_section());
        this.section_axis = select("Axis of the section", "xyz".slice(0, dim).split("").map((axis, i) => ({ value: String(i), text: axis })), () => this.apply_section());
        this.section_share = slider("Position of the section", { least: 0, largest: 1, step: 0.002, value: 0.5 }, () => this.apply_section());
        this.section_rows = element("div", { class: "abut-sub" }, element("div", { class: "abut-row" }, this.section_axis, this.section_share), this.section_text);

        const marks_box = checkbox("show marks", true, (on) => {
            scene.shows_marks = on;
            scene.update_marks();
            events.changed();
        });
        this.marks_section = element("details", { open: true }, element("summary", {}, "Marks"), marks_box.row, this.marks);
        const toggles = element("div", { class: "abut-toggles" }, this.wires.row, this.per_frame.row, this.places.row, this.arrows.row, this.arrow_rows, this.cut.row, this.section_rows);
        this.root = element(
            "aside",
            { class: "abut-panel", "aria-label": "What is shown" },
            this.selection.root,
            this.marks_section,
            element("details", { open: true }, element("summary", {}, "Show"), toggles),
            this.bodies.root,
        );
        this.update();
    }

    show_contacts(arrows: boolean, places: boolean): void {
        this.scene.contacts.shows_arrows = arrows;
        this.scene.contacts.shows_places = places;
        this.scene.update_contacts();
        this.events.changed();
    }

    set_wires(on: boolean): void {
        this.wires.input.checked = on;
        this.scene.surface.set_wires(on);
    }

    set_range_per_frame(on: boolean): void {
        this.per_frame.input.checked = on;
        this.scene.coloring.is_range_per_frame = on;
    }

    set_section(axis: number, share: number): void {
        this.cut.input.checked = true;
        this.section_axis.value = String(axis);
        this.section_share.value = String(share);
        this.apply_section();
    }

    /** Called with each frame. */
    update(): void {
        const { scene } = this;
        const { contacts, coloring, playback } = scene;
        this.per_frame.row.hidden = coloring.chosen === null;
        this.arrows.input.checked = contacts.shows_arrows;
        this.places.input.checked = contacts.shows_places;
        this.arrow_rows.hidden = !contacts.shows_arrows;
        set_text(this.arrow_text, contacts.largest > 0 ? `longest: ${format_number(contacts.largest, 3)} N` : "no forces in this frame");
        this.section_rows.hidden = scene.section === null;
        this.update_marks(playback.manifest.marks);
        this.selection.update();
    }

    private update_marks(marks: Mark[]): void {
        this.marks_section.hidden = marks.length === 0;
        if (marks === this.marks_shown)
            return;
        this.marks_shown = marks;
        const { frames } = this.scene.playback.manifest;
        this.marks.replaceChildren(
            ...marks.map((mark) => {
                const at = mark.frame === null ? "" : ` at ${format_number(frames[mark.frame]?.time ?? 0)} s`;
                const button = element("button", { type: "button", class: "abut-link", title: "Look at it" }, `${mark.label || "mark"}${at}`);
                button.addEventListener("click", () => this.events.go_to(mark));
                return element("li", {}, button);
            }),
        );
    }

    private apply_section(): void {
        const { scene } = this;
        const axis = Number(this.section_axis.value) as 0 | 1 | 2;
        const share = Number(this.section_share.value);
        scene.section = this.cut.input.checked ? { axis, share } : null;
        scene.update_section();
        const { bounds } = scene.playback;
        set_text(this.section_text, `${"xyz"[axis]} = ${format_number(bounds[axis] + share * (bounds[3 + axis] - bounds[axis]))} m`);
        this.section_rows.hidden = scene.section === null;
        this.events.changed();
    }
}
