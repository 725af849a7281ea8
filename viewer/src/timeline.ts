// The row below the picture: play, step, scrub, speed.

import { type Clock, speeds } from "./clock";
import { format_number } from "./colors";
import { checkbox, element, icon_button, select, set_icon, set_text, slider } from "./dom";
import type { Playback } from "./playback";

export class Timeline {
    readonly root: HTMLElement;
    readonly follow: { row: HTMLLabelElement; input: HTMLInputElement };
    private readonly play_button: HTMLButtonElement;
    private readonly loop_button: HTMLButtonElement;
    private readonly scrubber: HTMLInputElement;
    private readonly time_text = element("span", { class: "abut-time" });
    private readonly step_text = element("span", { class: "abut-step" });
    private readonly speed: HTMLSelectElement;
    private readonly badge = element("span", { class: "abut-badge", hidden: true }, "live");
    private readonly loaded = element("div", { class: "abut-loaded" });

    constructor(
        private readonly playback: Playback,
        private readonly clock: Clock,
        seek_frame: (index: number) => void,
        step: (by: number) => void,
        set_follow: (follows: boolean) => void,
    ) {
        this.play_button = icon_button("play", "Play (space)", () => (clock.is_playing ? clock.pause() : clock.play()));
        this.play_button.classList.add("abut-primary");
        this.loop_button = icon_button("loop", "Play again and again", () => clock.set_loops(!clock.loops));
        this.scrubber = slider("Frame", { least: 0, largest: 0, step: 1, value: 0 }, (i) => {
            clock.pause();
            seek_frame(i);
        });
        this.speed = select("Speed: seconds of the run per second", [], (value) => clock.set_speed(Number(value)));
        this.follow = checkbox("follow", true, set_follow);
        this.follow.row.title = "Show each new frame as it comes";
        this.follow.row.hidden = true;
        this.root = element(
            "div",
            { class: "abut-timeline", role: "group", "aria-label": "Time" },
            icon_button("back", "One frame back (left arrow)", () => step(-1)),
            this.play_button,
            icon_button("forward", "One frame on (right arrow)", () => step(1)),
            element("div", { class: "abut-scrub" }, this.loaded, this.scrubber),
            element("span", { class: "abut-when" }, this.time_text, this.step_text),
            this.speed,
            this.loop_button,
            this.badge,
            this.follow.row,
        );
    }

    update(frame: number): void {
        const { playback, clock } = this;
        const { frames, is_running } = playback.manifest;
        set_icon(this.play_button, clock.is_playing ? "pause" : "play", clock.is_playing ? "Pause (space)" : "Play (space)");
        this.play_button.disabled = frames.length < 2;
        this.loop_button.setAttribute("aria-pressed", String(clock.loops));
        this.scrubber.max = String(Math.max(frames.length - 1, 0));
        this.scrubber.value = String(Math.max(frame, 0));
        this.scrubber.disabled = frames.length < 2;
        const shown = frames[frame];
        set_text(this.time_text, shown ? `${format_time(shown.time, clock.last_time)} s` : "–");
        set_text(this.step_text, shown ? `step ${shown.step}` : "");
        this.scrubber.setAttribute("aria-valuetext", `${this.time_text.textContent}, ${this.step_text.textContent}`);
        const share = frames.length > 0 ? playback.num_decoded / frames.length : 1;
        this.loaded.style.width = `${100 * share}%`;
        this.loaded.hidden = share >= 1;
        const is_live = playback.connection !== "none" && is_running;
        this.badge.hidden = !is_live;
        this.badge.classList.toggle("abut-lost", playback.connection === "lost");
        set_text(this.badge, playback.connection === "lost" ? "no connection" : "live");
        this.follow.row.hidden = !is_live;
        this.update_speeds();
    }

    /** Speeds within a factor of about a hundred of the one chosen. */
    private update_speeds(): void {
        const { speed } = this.clock;
        if (Number(this.speed.value) === speed)
            return;
        const offered = speeds.filter((s) => (s >= speed / 120 && s <= speed * 120) || s === 1);
        this.speed.replaceChildren(...offered.map((s) => element("option", { value: s }, `${format_number(s)}×`)));
        this.speed.value = String(speed);
    }
}

/** Times with as many digits as the run needs, so that the text does not jump. */
export function format_time(time: number, last: number): string {
    if (!(last > 0) || last >= 1e6 || last < 1e-4)
        return format_number(time, 5);
    const digits = Math.min(Math.max(3 - Math.floor(Math.log10(last)), 0), 7);
    return time.toFixed(digits).replace("-", "−");
}
