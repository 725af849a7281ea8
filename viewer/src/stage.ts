// One WebGL context for all viewers of a page, since browsers allow few. A viewer that is alone shows the context's own canvas;
// several get copies of what was drawn in it.

import { WebGLRenderer } from "three";

/** What is drawn when it asks for it. */
export interface Picture {
    readonly canvas: HTMLCanvasElement;
    is_dirty: boolean;
    is_visible: boolean;
    /** Does time go on, so that it must be drawn again and again? */
    readonly is_playing: boolean;
    tick(seconds: number): void;
    /** `is_quick`: time is short, leave out what is dear. */
    draw(renderer: WebGLRenderer, width: number, height: number, is_quick: boolean): void;
}

/** Milliseconds without movement after which a picture is drawn finely. */
const rest_ms = 180;
/** A moving picture that takes longer [ms] is drawn with fewer pixels, one that takes much less with more. */
const slow_ms = 42;
/** A picture at rest may take this long [ms]. */
const fine_ms = 250;
/** Every so many pictures, one is waited for to learn what it costs. */
const measured_every = 6;
/** The first pictures compile shaders: the first one is drawn without shadows, the second one with them. */
const num_warm_up = 2;

function webgl(canvas: HTMLCanvasElement | OffscreenCanvas, antialias: boolean): WebGL2RenderingContext | null {
    return canvas.getContext("webgl2", { alpha: true, antialias, depth: true, powerPreference: "high-performance" }) as WebGL2RenderingContext | null;
}

export class Stage {
    readonly is_software: boolean;
    private readonly renderer: WebGLRenderer;
    private readonly gl: WebGL2RenderingContext;
    private readonly pictures: Picture[] = [];
    private readonly moved = new Map<Picture, number>();
    private is_scheduled = false;
    private is_lost = false;
    private last_tick = 0;
    private last_drawn = 0;
    private share = 1; // of the pixels along each side, while moving
    private cost_ms = 0; // measured, smoothed; 0 is not known yet
    private cost_pixels = 1; // of the picture it was measured with
    private num_drawn = 0;
    private interval_ms = 0; // between pictures while moving

    /** Throws where there is no WebGL. `is_alone`: the page has one viewer. */
    constructor(private is_alone: boolean) {
        // Pictures of a canvas that is not on the page are handed over without copying.
        const is_off_page = !is_alone && typeof OffscreenCanvas !== "undefined";
        const make = (antialias: boolean) => {
            const off_page = is_off_page ? new OffscreenCanvas(1, 1) : null;
            const context = off_page && webgl(off_page, antialias);
            if (off_page && context)
                return { canvas: off_page, context };
            const canvas = document.createElement("canvas");
            return { canvas, context: webgl(canvas, antialias) };
        };
        let { canvas, context } = make(false);
        if (!context)
            throw new Error("no WebGL");
        const info = context.getExtension("WEBGL_debug_renderer_info");
        const name = String(context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER));
        this.is_software = /swiftshader|llvmpipe|software|basic render/i.test(name);
        if (!this.is_software) {
            context.getExtension("WEBGL_lose_context")?.loseContext();
            ({ canvas, context } = make(true));
        }
        if (!context)
            throw new Error("no WebGL");
        this.gl = context;
        this.renderer = new WebGLRenderer({ canvas, context });
        this.renderer.autoClear = false;
        this.renderer.setPixelRatio(1);
        canvas.addEventListener("webglcontextlost", (event) => {
            event.preventDefault();
            this.is_lost = true;
        });
        canvas.addEventListener("webglcontextrestored", () => {
            this.is_lost = false;
            for (const picture of this.pictures)
                this.invalidate(picture);
        });
    }

    add(picture: Picture): void {
        const { domElement } = this.renderer;
        if (this.is_alone && domElement instanceof HTMLCanvasElement) {
            // The viewer's own canvas stays on top, for the pointer and for screen readers.
            domElement.className = "abut-canvas";
            domElement.setAttribute("aria-hidden", "true");
            picture.canvas.before(domElement);
            // A viewer that comes later makes copies necessary.
            if (this.pictures.length > 0) {
                this.is_alone = false;
                domElement.remove();
                this.pictures.forEach((other) => this.invalidate(other));
            }
        }
        this.pictures.push(picture);
        this.invalidate(picture);
    }

    /** Asks for a new picture. `moves`: it will change again soon, so be quick rather than fine. */
    invalidate(picture: Picture, moves = false): void {
        picture.is_dirty = true;
        if (moves)
            this.moved.set(picture, performance.now());
        this.schedule();
    }

    /** Pictures per second, measured while something moves. */
    get fps(): number {
        return this.interval_ms > 0 ? 1000 / this.interval_ms : 0;
    }

    private schedule(): void {
        if (this.is_scheduled)
            return;
        this.is_scheduled = true;
        requestAnimationFrame((now) => this.run(now));
    }

    private run(now: number): void {
        this.is_scheduled = false;
        const seconds = this.last_tick > 0 ? Math.min((now - this.last_tick) / 1000, 0.25) : 0;
        const is_playing = this.pictures.some((p) => p.is_playing);
        this.last_tick = is_playing ? now : 0;
        for (const picture of this.pictures)
            picture.tick(seconds);

        let was_drawn = false;
        let is_waiting = false;
        for (const picture of this.pictures) {
            const moves = picture.is_playing || now - (this.moved.get(picture) ?? -Infinity) < rest_ms;
            if (moves)
                this.moved.set(picture, this.moved.get(picture) ?? now);
            else if (this.moved.delete(picture))
                picture.is_dirty = true; // finely now
            is_waiting ||= moves;
            if (!picture.is_dirty || !picture.is_visible || this.is_lost)
                continue;
            picture.is_dirty = false;
            this.draw(picture, moves);
            was_drawn ||= moves;
        }
        if (was_drawn) {
            const interval = now - this.last_drawn;
            this.last_drawn = now;
            if (interval < 1000)
                this.interval_ms = this.interval_ms > 0 ? 0.85 * this.interval_ms + 0.15 * interval : interval;
        }
        if (is_playing || is_waiting || this.pictures.some((p) => p.is_dirty && p.is_visible && !this.is_lost))
            this.schedule();
    }

    private draw(picture: Picture, moves: boolean): void {
        const { canvas } = picture;
        const factor = this.factor(canvas.clientWidth * canvas.clientHeight, moves);
        const width = Math.max(Math.round(canvas.clientWidth * factor), 1);
        const height = Math.max(Math.round(canvas.clientHeight * factor), 1);
        const { domElement } = this.renderer;
        if (domElement.width !== width || domElement.height !== height)
            this.renderer.setSize(width, height, false);

        const start = performance.now();
        const is_known = this.cost_ms > 0;
        picture.draw(this.renderer, width, height, this.num_drawn === 0 || (moves && this.share < 0.75));
        ++this.num_drawn;
        if (this.is_software && this.num_drawn > num_warm_up && (!is_known || this.num_drawn % measured_every === 0)) {
            this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
            this.learn(performance.now() - start, width * height, moves);
        }
        this.hand_over(picture);
        // The first pictures came soon; now finer ones.
        if (!is_known && (this.is_software || this.num_drawn === 1))
            this.invalidate(picture);
    }

    /** Pixels of the picture per pixel of the page, along each side. */
    private factor(num_pixels: number, moves: boolean): number {
        const ratio = Math.min(window.devicePixelRatio || 1, 2);
        if (!this.is_software)
            return ratio;
        if (moves || this.cost_ms === 0)
            return this.share;
        // Without antialiasing, a picture at rest is drawn with more pixels instead. Half of the cost is that of vertices.
        const cost = (factor: number) => this.cost_ms * (0.5 + (0.5 * factor * factor * num_pixels) / this.cost_pixels);
        return [2, 1.5, 1].find((f) => cost(f) < fine_ms) ?? 1;
    }

    private learn(cost_ms: number, num_pixels: number, moves: boolean): void {
        this.cost_ms = this.cost_ms > 0 && this.cost_pixels === num_pixels ? 0.5 * (this.cost_ms + cost_ms) : cost_ms;
        this.cost_pixels = num_pixels;
        if (!moves)
            return;
        if (cost_ms > slow_ms)
            this.share = Math.max(0.5, 0.8 * this.share);
        else if (cost_ms < slow_ms / 2.5)
            this.share = Math.min(1, 1.1 * this.share);
    }

    private hand_over(picture: Picture): void {
        const { domElement } = this.renderer;
        const { canvas } = picture;
        if (this.is_alone)
            return;
        if (!(domElement instanceof HTMLCanvasElement)) {
            const bitmap = (domElement as OffscreenCanvas).transferToImageBitmap();
            (canvas.getContext("bitmaprenderer") as ImageBitmapRenderingContext).transferFromImageBitmap(bitmap);
            return;
        }
        canvas.width = domElement.width;
        canvas.height = domElement.height;
        canvas.getContext("2d")?.drawImage(domElement, 0, 0);
    }
}
