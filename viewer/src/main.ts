// Finds the viewers of the page and brings them to life.

import { Camera } from "./camera";
import { Clock } from "./clock";
import { element } from "./dom";
import { format_hash, parse_hash } from "./hash";
import { load_live } from "./live";
import { load_from_page } from "./page_source";
import { Playback } from "./playback";
import { link_plots } from "./plots";
import { Stage } from "./stage";
import style from "./style.css?inline";
import { theme } from "./theme";
import { Viewer } from "./viewer";

/** What viewers with the same data-group share. */
interface Shared {
    clock: Clock;
    camera: Camera | null;
}

const viewers: Viewer[] = [];
const playbacks = new Map<string, Playback>();
const groups = new Map<string, Shared>();
const mounted = new WeakSet<HTMLElement>();
const states = parse_hash(location.hash);
let stage: Stage | null = null;

declare global {
    interface Window {
        abut: { viewers: Viewer[]; ready: Promise<void> };
    }
}

/** Why nothing can be drawn here, or nothing. */
function obstacle(): string {
    if (typeof DecompressionStream === "undefined")
        return "This browser cannot unpack the frames; a newer one can.";
    try {
        stage ??= new Stage(document.querySelectorAll(".abut-viewer").length === 1);
        return "";
    } catch {
        return "This browser has no WebGL, so the frames cannot be drawn here.";
    }
}

/** A sentence in place of the viewer, unless the page has brought its own. */
function say_instead(container: HTMLElement, text: string): void {
    if (!container.querySelector(".abut-fallback"))
        container.append(element("div", { class: "abut-root", "data-theme": theme() }, element("p", { class: "abut-message abut-alone", role: "alert" }, text)));
}

function playback_of(name: string, live: string | undefined): Playback {
    const key = live ?? name;
    let playback = playbacks.get(key);
    if (!playback) {
        playback = new Playback(name);
        playbacks.set(key, playback);
        void (live ? load_live(playback, live) : load_from_page(playback));
    }
    return playback;
}

/** Manifest and topology are there, or an error is. */
function is_known(playback: Playback): Promise<void> {
    return new Promise((resolve) => {
        const check = () => {
            if (playback.topology || playback.error)
                resolve();
        };
        playback.on_state.add(check);
        check();
    });
}

async function mount(container: HTMLElement): Promise<void> {
    if (mounted.has(container))
        return;
    mounted.add(container);
    const why_not = obstacle();
    if (why_not || !stage) {
        say_instead(container, why_not);
        return;
    }
    const waiting = element("div", { class: "abut-root", "data-theme": theme() }, element("p", { class: "abut-message abut-alone", role: "status" }, "Reading the frames …"));
    container.append(waiting);
    const name = container.dataset.play ?? (container.dataset.live ? "live" : "run");
    const playback = playback_of(name, container.dataset.live);
    const lost_at_start = () => {
        if (!playback.manifest && playback.connection === "lost")
            waiting.querySelector("p")!.textContent = "There is no answer from the run; asking again.";
    };
    playback.on_state.add(lost_at_start);
    await is_known(playback);
    const reference = container.dataset.reference ? playback_of(container.dataset.reference, undefined) : null;
    if (reference)
        await is_known(reference);
    waiting.remove();
    if (!playback.topology) {
        say_instead(container, playback.error);
        return;
    }
    container.querySelectorAll<HTMLElement>(".abut-fallback").forEach((fallback) => (fallback.hidden = true));

    const group = container.dataset.group ?? `alone ${viewers.length} ${name}`;
    const shared = groups.get(group) ?? { clock: new Clock(), camera: null };
    groups.set(group, shared);
    const is_first = shared.camera === null;
    shared.camera ??= new Camera(playback.manifest.dim === 2, playback.manifest.up);
    const viewer = new Viewer({
        container,
        playback,
        reference: reference?.topology ? reference : null,
        stage,
        clock: shared.clock,
        camera: shared.camera,
        state_changed: note_state,
        copy_link,
    });
    if (is_first)
        viewer.clock_tick = (seconds) => shared.clock.advance(seconds);
    viewers.push(viewer);
    viewers.sort((a, b) => (a.canvas.compareDocumentPosition(b.canvas) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    const state = states.get(name);
    if (state)
        viewer.load_state(state);
}

let state_timer = 0;

/** Writes what is seen into the address once it rests for a moment. */
function note_state(): void {
    window.clearTimeout(state_timer);
    state_timer = window.setTimeout(write_address, 400);
}

function write_address(): void {
    const now = new Map(viewers.map((viewer) => [viewer.name, viewer.save_state()]));
    try {
        history.replaceState(null, "", format_hash(now) || location.pathname + location.search);
    } catch {
        return; // pages in frames may not change their address
    }
}

async function copy_link(): Promise<boolean> {
    window.clearTimeout(state_timer);
    write_address();
    try {
        await navigator.clipboard.writeText(location.href);
        return true;
    } catch {
        return false;
    }
}

async function mount_all(): Promise<void> {
    const containers = [...document.querySelectorAll<HTMLElement>(".abut-viewer")];
    await Promise.all(containers.map(mount));
}

document.head.append(element("style", {}, style));
const parsed = new Promise<void>((resolve) => {
    if (document.readyState === "loading")
        document.addEventListener("DOMContentLoaded", () => resolve());
    else
        resolve();
});
// Viewers above the script begin at once, those below it when the page is read.
void mount_all();
const ready = parsed.then(async () => {
    await mount_all();
    while (viewers.length > 0 && viewers.some((v) => v.currentFrame < 0 && v.playback.is_loading))
        await new Promise((resolve) => setTimeout(resolve, 10));
    if (viewers.length > 0)
        link_plots(viewers[0].clock);
});
window.abut = { viewers, ready };
