// Mouse, pen and touch on the picture: one finger or button turns, two pan and zoom, the wheel zooms.

import type { Camera } from "./camera";

export interface ControlEvents {
    click(x: number, y: number): void;
    double_click(x: number, y: number): void;
    /** Something moves: pictures may be drawn faster and less finely. */
    moved(): void;
}

/** Pixels a press may move and still be a click. */
const click_distance = 5;

export function add_controls(canvas: HTMLCanvasElement, camera: Camera, events: ControlEvents): void {
    const pointers = new Map<number, { x: number; y: number }>();
    let travelled = 0;
    let pans = false;

    const centre_and_spread = () => {
        const [a, b] = [...pointers.values()];
        return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.hypot(a.x - b.x, a.y - b.y) };
    };

    canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
        if (pointers.size === 1)
            travelled = 0;
        pans = event.button !== 0 || event.shiftKey || camera.is_flat;
    });
    canvas.addEventListener("pointermove", (event) => {
        const pointer = pointers.get(event.pointerId);
        if (!pointer)
            return;
        const height = canvas.clientHeight || 1;
        const [dx, dy] = [event.offsetX - pointer.x, event.offsetY - pointer.y];
        travelled += Math.hypot(dx, dy);
        if (pointers.size === 2) {
            const before = centre_and_spread();
            [pointer.x, pointer.y] = [event.offsetX, event.offsetY];
            const after = centre_and_spread();
            camera.pan((after.x - before.x) / height, (before.y - after.y) / height);
            if (before.spread > 0 && after.spread > 0)
                camera.zoom(before.spread / after.spread, (after.x - canvas.clientWidth / 2) / height, (height / 2 - after.y) / height);
        } else {
            [pointer.x, pointer.y] = [event.offsetX, event.offsetY];
            if (travelled < click_distance)
                return;
            if (pans)
                camera.pan(dx / height, -dy / height);
            else
                camera.orbit((dx * Math.PI) / height, (dy * Math.PI) / height);
        }
        events.moved();
    });
    const release = (event: PointerEvent) => {
        if (!pointers.delete(event.pointerId))
            return;
        if (event.type === "pointerup" && pointers.size === 0 && travelled < click_distance && event.button === 0)
            events.click(event.offsetX, event.offsetY);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", (event) => events.double_click(event.offsetX, event.offsetY));

    // The wheel scrolls the page until the picture was clicked; then it zooms.
    canvas.addEventListener(
        "wheel",
        (event) => {
            if (document.activeElement !== canvas && !event.ctrlKey)
                return;
            event.preventDefault();
            const height = canvas.clientHeight || 1;
            const pixels = event.deltaMode === 1 ? 16 * event.deltaY : event.deltaY;
            const factor = Math.exp(Math.min(Math.max(pixels, -300), 300) * 0.0015);
            camera.zoom(factor, (event.offsetX - canvas.clientWidth / 2) / height, (height / 2 - event.offsetY) / height);
            events.moved();
        },
        { passive: false },
    );
}
