// One viewer of the page: a picture with its controls.

import type { WebGLRenderer } from "three";
import { Camera, type ViewName, view_names } from "./camera";
import type { Clock, ClockMember } from "./clock";
import { format_number } from "./colors";
import { add_controls } from "./controls";
import { element, icon_button, select, set_text, text_button } from "./dom";
import { parse_numbers, type State } from "./hash";
import { Help } from "./help";
import type { Mark, Triple } from "./manifest";
import { is_at, mark_points } from "./marks";
import { Panel } from "./panel";
import { pick, type Pick } from "./picking";
import type { PairSum, Playback } from "./playback";
import { ScalarBar } from "./scalar_bar";
import { ViewScene } from "./scene";
import type { Picture, Stage } from "./stage";
import { on_theme, theme, theme_colors, toggle_theme } from "./theme";
import { format_time, Timeline } from "./timeline";
import { add, norm, scaled, sub } from "./vector";

export interface ViewerParts {
    container: HTMLElement;
    playback: Playback;
    reference: Playback | null;
    stage: Stage;
    clock: Clock;
    camera: Camera;
    /** The address should say what is seen now. */
    state_changed(): void;
    copy_link(): Promise<boolean>;
}

export class Viewer implements Picture, ClockMember {
    readonly canvas = element("canvas", { tabindex: 0, role: "img", class: "abut-canvas" });
    is_dirty = true;
    is_visible = true;
    readonly playback: Playback;
    readonly scene: ViewScene;
    readonly clock: Clock;
    readonly camera: Camera;

    private readonly root: HTMLElement;
    private readonly stage: Stage;
    private readonly timeline: Timeline;
    private readonly panel: Panel;
    private readonly bar = new ScalarBar();
    private readonly help = new Help();
    private readonly color_select: HTMLSelectElement;
    private readonly big_play: HTMLButtonElement;
    private readonly caption = element("div", { class: "abut-caption" });
    private readonly grid_note = element("div", { class: "abut-grid-note" });
    private readonly status = element("p", { class: "abut-status", role: "status" });
    private readonly message = element("p", { class: "abut-message", role: "alert", hidden: true });
    private readonly state_changed: () => void;
    private follows: boolean;
    private has_news = true; // frames or the manifest changed
    private is_fitted_to_run = false;
    private num_frames_known = 0;

    constructor(parts: ViewerParts) {
        this.playback = parts.playback;
        this.stage = parts.stage;
        this.clock = parts.clock;
        this.camera = parts.camera;
        this.state_changed = () => parts.state_changed();
        this.follows = parts.playback.connection !== "none";
        this.scene = new ViewScene(parts.playback, parts.reference);
        this.scene.set_theme(theme_colors[theme()]);

        const { manifest } = this.playback;
        this.timeline = new Timeline(
            this.playback,
            this.clock,
            (i) => this.seek_by_hand(i),
            (by) => this.step(by),
            (follows) => {
                this.follows = follows;
                this.has_news = true;
                this.redraw();
            },
        );
        this.timeline.follow.input.checked = this.follows;
        this.panel = new Panel(this.scene, {
            changed: () => {
                this.update_controls();
                this.redraw(true);
            },
            shown: () => this.shown_bodies_changed(),
            seek: (time) => {
                this.clock.pause();
                this.seek_time(time);
            },
            close_selection: () => this.select(null),
            go_to: (mark) => this.go_to(mark),
        });

        const options = [{ value: "body", text: "body" }, ...this.scene.coloring.quantities.map((q) => ({ value: q.name, text: q.label }))];
        this.color_select = select("Colour by", options, (name) => this.setColor(name));
        this.big_play = icon_button("play", "Play", () => this.clock.play());
        this.big_play.classList.add("abut-big-play");
        this.root = this.layout(parts, manifest.name);
        parts.container.append(this.root);

        add_controls(this.canvas, this.camera, {
            click: (x, y) => this.select(this.pick(x, y)),
            double_click: (x, y) => this.focus_at(x, y),
            moved: () => {
                this.is_used = this.big_play.hidden = true;
                this.stage.invalidate(this, true);
            },
        });
        this.root.addEventListener("keydown", (event) => this.key(event));
        new ResizeObserver(() => this.redraw()).observe(this.canvas);
        new IntersectionObserver((entries) => {
            this.is_visible = entries[entries.length - 1].isIntersecting;
            if (this.is_visible)
                this.redraw();
        }).observe(this.canvas);
        on_theme.add(() => this.apply_theme());
        this.camera.on_change.add(() => {
            this.redraw();
            if (this.camera.is_touched)
                this.state_changed();
        });
        this.clock.on_change.add(() => this.show_time());
        this.playback.on_frames.add(() => this.note_news());
        this.playback.on_state.add(() => this.note_news());

        this.clock.add(this);
        this.stage.add(this);
        this.begin();
    }

    // What tests and scripts of the page use, as window.abut.viewers.

    /** Resolves when the first frame is shown. */
    readonly ready: Promise<void> = new Promise((resolve) => (this.resolve_ready = resolve));
    private resolve_ready!: () => void;

    get name(): string {
        return this.playback.name;
    }
    get frameCount(): number {
        return this.playback.manifest.frames.length;
    }
    get currentFrame(): number {
        return this.scene.frame;
    }
    get loaded(): Promise<void> {
        return this.playback.all;
    }
    get selected(): number {
        return this.scene.selected_vertex;
    }
    seek(index: number): void {
        const { frames } = this.playback.manifest;
        const frame = frames[Math.min(Math.max(Math.round(index), 0), frames.length - 1)];
        if (frame)
            this.seek_time(frame.time);
    }
    play(): void {
        this.clock.play();
    }
    pause(): void {
        this.clock.pause();
    }
    setColor(name: string): void {
        if (!this.scene.coloring.choose(name))
            return;
        this.color_select.value = name;
        this.panel.selection.choose(name);
        this.scene.update_colors();
        this.update_controls();
        this.redraw(true);
    }
    setArrows(on: boolean): void {
        this.panel.show_contacts(on, this.scene.contacts.shows_places);
    }
    isolate(body: number): void {
        this.panel.bodies.isolate(body);
    }
    pick(x: number, y: number): Pick | null {
        return this.scene.frame < 0 ? null : pick(this.scene, x, y, this.canvas.clientWidth, this.canvas.clientHeight);
    }
    arrowSums(frame: number): PairSum[] {
        return this.playback.arrow_sums(frame);
    }
    positions(frame: number, body: number): Float64Array {
        return this.playback.positions(frame, body);
    }
    fps(): number {
        return this.stage.fps;
    }

    // For the clock.

    get first_time(): number {
        return this.playback.manifest.frames[0]?.time ?? 0;
    }
    get last_time(): number {
        const { frames } = this.playback.manifest;
        return frames[frames.length - 1]?.time ?? 0;
    }
    can_show(from: number, to: number): boolean {
        const last = this.playback.frame_at(to);
        if (!this.playback.is_loading || this.playback.is_decoded(Math.min(this.playback.frame_at(from), last), last))
            return true;
        this.playback.wanted = last;
        return false;
    }

    // For the stage.

    get is_playing(): boolean {
        return this.clock.is_playing;
    }

    tick(seconds: number): void {
        this.clock_tick(seconds);
        if (this.has_news) {
            this.has_news = false;
            this.take_news();
        }
    }
    /** Set where this viewer moves the clock: one of each group does. */
    clock_tick: (seconds: number) => void = () => {};

    draw(renderer: WebGLRenderer, width: number, height: number, is_quick: boolean): void {
        if (this.scene.frame < 0)
            return;
        this.scene.render(renderer, this.camera, width, height, is_quick);
        if (!this.scene.coloring.is_range_complete) {
            this.scene.update_colors();
            this.update_controls();
            this.stage.invalidate(this);
        }
    }

    // State in the address.

    save_state(): State {
        const { scene, playback } = this;
        const state: State = {};
        if (scene.frame >= 0)
            state.t = String(playback.manifest.frames[scene.frame].time);
        if (scene.coloring.chosen)
            state.color = scene.coloring.chosen.name;
        if (scene.coloring.is_range_per_frame)
            state.range = "frame";
        if (this.camera.is_touched)
            state.cam = this.camera.save();
        if (scene.hidden.size > 0)
            state.hide = [...scene.hidden].sort((a, b) => a - b).join(",");
        if (scene.contacts.shows_arrows)
            state.forces = "1";
        if (scene.contacts.shows_places)
            state.contacts = "1";
        if (scene.surface.wires.visible)
            state.wire = "1";
        if (scene.section)
            state.cut = `${scene.section.axis},${scene.section.share}`;
        return state;
    }

    load_state(state: State): void {
        const { scene, panel } = this;
        for (const b of (state.hide ?? "").split(",").filter(Boolean).map(Number))
            if (b >= 0 && b < this.playback.manifest.bodies.length)
                scene.hidden.add(b);
        if (scene.hidden.size > 0)
            this.shown_bodies_changed();
        panel.set_wires(state.wire === "1");
        panel.set_range_per_frame(state.range === "frame");
        panel.show_contacts(state.forces === "1", state.contacts === "1");
        const cut = parse_numbers(state.cut, 2);
        if (cut && [0, 1, 2].includes(cut[0]))
            panel.set_section(cut[0], cut[1]);
        if (state.color)
            this.setColor(state.color);
        const camera = parse_numbers(state.cam, 6);
        if (camera)
            this.camera.load(camera);
        if (view_names.includes(state.view as ViewName))
            this.look(state.view as ViewName);
        const time = parse_numbers(state.t, 1);
        if (time) {
            this.follows = this.timeline.follow.input.checked = false;
            this.seek_time(time[0]);
        }
    }

    private layout(parts: ViewerParts, title: string): HTMLElement {
        const is_flat = this.playback.manifest.dim === 2;
        const labels: Record<ViewName, string> = { front: "Front view (1)", side: "Side view (2)", top: "View from above (3)", iso: "View from a corner (4)" };
        const views = element("div", { class: "abut-views", role: "group", "aria-label": "Views" }, ...view_names.map((name) => text_button(name, labels[name], () => this.look(name))));
        views.hidden = is_flat;
        const link = icon_button("link", "Copy link to this view", () => {
            void parts.copy_link().then((done) => this.say(done ? "The link is copied." : "The link to this view is in the address bar."));
        });
        const toolbar = element(
            "div",
            { class: "abut-toolbar", role: "toolbar", "aria-label": "View" },
            element("strong", { class: "abut-title", title }, title || parts.playback.name),
            element("label", { class: "abut-color" }, "colour", this.color_select),
            views,
            element(
                "div",
                { class: "abut-tools" },
                icon_button("fit", "Fit the picture (f)", () => this.fit()),
                icon_button("panel", "Panel (p)", () => this.toggle_panel()),
                link,
                icon_button("theme", "Light or dark (d)", toggle_theme),
                icon_button("grow", "Fill the window, or not", () => this.toggle_full()),
                text_button("?", "Keys and gestures (?)", () => this.help.toggle()),
            ),
        );
        const legend = element("div", { class: "abut-legend" }, this.bar.root, this.grid_note);
        const stage = element("div", { class: "abut-stage" }, this.canvas, this.caption, legend, this.big_play, this.message, this.help.root);
        const root = element("div", { class: "abut-root", "data-theme": theme() }, toolbar, element("div", { class: "abut-main" }, stage, this.panel.root), this.timeline.root, this.status);
        return root;
    }

    private begin(): void {
        const { manifest } = this.playback;
        if (manifest.look_at) {
            const { frame, point, radius } = manifest.look_at;
            this.clock.seek(manifest.frames[frame]?.time ?? this.first_time);
            this.camera.focus(point, radius > 0 ? 1.8 * radius : undefined);
        }
        this.show_time();
        void this.playback.first.then(() => this.note_news());
    }

    private note_news(): void {
        this.has_news = true;
        this.stage.invalidate(this);
    }

    /** New frames, or a new manifest. */
    private take_news(): void {
        const { playback, scene } = this;
        const { frames } = playback.manifest;
        if (frames.length !== this.num_frames_known) {
            this.num_frames_known = frames.length;
            this.clock.adjust_speed();
        }
        if (this.follows && playback.connection !== "none" && playback.num_decoded > 0) {
            let newest = frames.length - 1;
            while (newest > 0 && !playback.frames[newest])
                --newest;
            this.clock.seek(frames[newest].time);
        } else
            this.show_time();
        scene.update_extent();
        scene.update_contacts();
        if (playback.connection !== "none" && !playback.manifest.fields[scene.coloring.chosen?.field ?? -1]?.range)
            scene.update_colors();
        this.fit_when_known();
        this.update_controls();
        this.is_dirty = true;
    }

    /** Before anyone touched the camera: the first frame, then all frames, so that nothing leaves the picture. */
    private fit_when_known(): void {
        const { playback, camera, scene } = this;
        if (camera.is_touched || scene.frame < 0 || this.is_fitted_to_run)
            return;
        this.is_fitted_to_run = !playback.is_loading;
        camera.fit(capped_bounds(playback.frames[scene.frame]!.bounds, playback.bounds), this.aspect);
    }

    private get aspect(): number {
        return (this.canvas.clientWidth || 16) / (this.canvas.clientHeight || 9);
    }

    private seek_time(time: number): void {
        this.clock.seek(time);
        this.state_changed();
    }

    private seek_by_hand(index: number): void {
        this.is_used = true;
        this.follows = this.timeline.follow.input.checked = false;
        this.seek(index);
    }

    private step(by: number): void {
        this.clock.pause();
        this.seek_by_hand(Math.max(this.scene.frame, 0) + by);
    }

    /** Shows the frame of the clock's time, or the nearest one that is decoded. */
    private show_time(): void {
        const { playback, scene } = this;
        if (playback.manifest.frames.length === 0)
            return;
        const wanted = playback.frame_at(this.clock.time);
        playback.wanted = wanted;
        const index = playback.frames[wanted] ? wanted : playback.nearest_decoded(wanted);
        if (index >= 0 && index !== scene.frame) {
            const is_first = scene.frame < 0;
            scene.show_frame(index);
            if (is_first) {
                this.fit_when_known();
                this.resolve_ready();
            }
        }
        this.update_controls();
        this.redraw();
    }

    private redraw(by_hand = false): void {
        this.stage.invalidate(this);
        if (by_hand)
            this.state_changed();
    }

    private update_controls(): void {
        const { scene, playback, clock } = this;
        const { manifest } = playback;
        this.timeline.update(scene.frame);
        this.panel.update();
        const { chosen, range } = scene.coloring;
        if (chosen)
            this.bar.update(chosen.label, chosen.unit, range);
        else
            this.bar.hide();
        this.grid_note.hidden = scene.grid_step === 0;
        set_text(this.grid_note, `grid ${format_number(scene.grid_step)} m`);
        const labels = scene.shows_marks ? manifest.marks.filter((m) => is_at(m, scene.frame)).map((m) => m.label) : [];
        set_text(this.caption, labels.filter(Boolean).slice(0, 3).join("; "));
        this.caption.hidden = this.caption.textContent === "";
        this.is_used ||= clock.is_playing || scene.selected_vertex >= 0 || scene.frame > 0;
        this.big_play.hidden = this.is_used || scene.frame < 0 || manifest.frames.length < 2 || this.follows || manifest.look_at !== null;
        this.update_messages();
        const shown = manifest.frames[scene.frame];
        if (shown && !clock.is_playing) {
            const num_hidden = scene.hidden.size > 0 ? `, ${scene.hidden.size} hidden` : "";
            this.canvas.setAttribute(
                "aria-label",
                `${manifest.name || "Simulation"}: ${manifest.bodies.length} bodies${num_hidden} at ${format_time(shown.time, clock.last_time)} s, coloured by ${chosen?.label ?? "body"}`,
            );
        }
    }
    /** Someone found the controls: the large button need not stand before the picture any more. */
    private is_used = false;

    private update_messages(): void {
        const { playback } = this;
        const { manifest } = playback;
        let message = playback.error;
        if (!message && manifest.frames.length === 0)
            message = manifest.is_running ? "The run has no frame yet." : "There are no frames to show.";
        else if (!message && manifest.bodies.length === 0)
            message = "The scene has no bodies.";
        set_text(this.message, message);
        this.message.hidden = message === "";
        const thinned = manifest.frames_of_run > manifest.frames.length ? `${manifest.frames.length} of ${manifest.frames_of_run} frames of the run are in this page.` : "";
        const lost = playback.connection === "lost" ? "The connection is lost; asking again." : "";
        const text = this.said || [lost, manifest.status, playback.connection === "none" ? thinned : ""].filter(Boolean).join(" ");
        set_text(this.status, text);
        this.status.hidden = text === "";
    }
    private said = "";

    private say(text: string): void {
        this.said = text;
        this.update_messages();
        setTimeout(() => {
            this.said = "";
            this.update_messages();
        }, 3000);
    }

    private shown_bodies_changed(): void {
        const { scene } = this;
        if (scene.selected_vertex >= 0 && !scene.is_shown(this.playback.body_of(scene.selected_vertex)))
            scene.selected_vertex = -1;
        scene.update_visibility();
        this.panel.bodies.update();
        this.update_controls();
        this.redraw(true);
    }

    private select(picked: Pick | null): void {
        this.scene.selected_vertex = picked?.vertex ?? -1;
        this.scene.update_selection();
        if (picked && this.scene.coloring.chosen)
            this.panel.selection.choose(this.scene.coloring.chosen.name);
        this.root.classList.toggle("abut-has-selection", picked !== null);
        this.panel.update();
        this.redraw();
    }

    private focus_at(x: number, y: number): void {
        const picked = this.pick(x, y);
        if (picked)
            this.camera.focus(add(scaled(picked.place, 1 / this.scene.scale), this.scene.origin));
    }

    private go_to(mark: Mark): void {
        if (mark.frame !== null)
            this.seek_by_hand(mark.frame);
        const points = mark_points(mark);
        if (points.length === 0)
            return;
        const centre = scaled(points.reduce(add, [0, 0, 0] as Triple), 1 / points.length);
        const radius = Math.max(...points.map((p) => norm(sub(p, centre))));
        this.camera.focus(centre, radius > 0 ? 3 * radius : undefined);
    }

    private fit(): void {
        if (this.scene.frame < 0)
            return;
        this.camera.is_touched = true;
        this.camera.fit(this.scene.bounds(false), this.aspect);
    }

    private look(name: ViewName): void {
        this.camera.look(name);
        this.fit();
    }

    private toggle_panel(): void {
        // Wide viewers show the panel at first, narrow ones do not: see style.css.
        const is_shown = getComputedStyle(this.panel.root).display !== "none";
        this.root.classList.toggle("abut-panel-open", !is_shown);
        this.root.classList.toggle("abut-panel-closed", is_shown);
        this.redraw();
    }

    private toggle_full(): void {
        this.root.classList.toggle("abut-full");
        document.documentElement.classList.toggle("abut-no-scroll", this.root.classList.contains("abut-full"));
        this.canvas.focus();
        this.redraw();
    }

    private apply_theme(): void {
        this.root.dataset.theme = theme();
        this.scene.set_theme(theme_colors[theme()]);
        this.redraw();
    }

    private key(event: KeyboardEvent): void {
        const target = event.target as HTMLElement;
        const is_in_field = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "checkbox");
        if (event.ctrlKey || event.metaKey || event.altKey || (is_in_field && event.key !== "Escape"))
            return;
        const actions: Record<string, () => void> = {
            ArrowLeft: () => this.step(-1),
            ArrowRight: () => this.step(1),
            Home: () => this.seek_by_hand(0),
            End: () => this.seek_by_hand(this.frameCount - 1),
            f: () => this.fit(),
            "1": () => this.look("front"),
            "2": () => this.look("side"),
            "3": () => this.look("top"),
            "4": () => this.look("iso"),
            w: () => {
                this.panel.set_wires(!this.scene.surface.wires.visible);
                this.redraw(true);
            },
            c: () => this.setArrows(!this.scene.contacts.shows_arrows),
            p: () => this.toggle_panel(),
            d: toggle_theme,
            "?": () => this.help.toggle(),
            Escape: () => this.escape(),
        };
        // Space on a button presses the button.
        if (!(target instanceof HTMLButtonElement || target instanceof HTMLInputElement))
            actions[" "] = () => (this.clock.is_playing ? this.clock.pause() : this.clock.play());
        const action = actions[event.key];
        if (!action)
            return;
        event.preventDefault();
        action();
    }

    private escape(): void {
        if (!this.help.root.hidden) {
            this.help.toggle(false);
            this.canvas.focus();
        } else if (this.root.classList.contains("abut-full"))
            this.toggle_full();
        else
            this.select(null);
    }
}

/** Bounds of the run, but not larger than a few times those of the frame: bodies that fly away do not make all others small. */
function capped_bounds(frame: Float64Array, run: Float64Array): Float64Array {
    const size = Math.max(...[0, 1, 2].map((c) => frame[3 + c] - frame[c]));
    const slack = 1.5 * size;
    return run.map((x, i) => (i < 3 ? Math.max(x, frame[i] - slack) : Math.min(x, frame[i] + slack)));
}
