// Plots of the page that have time along x: the time shown is marked, clicks seek, and values are read off.

import type { Clock } from "./clock";
import { format_number } from "./colors";
import { element, svg_element } from "./dom";
import { format_time } from "./timeline";

/** How the plot maps numbers to the coordinates of its viewBox (attribute data-plot). */
export interface PlotMapping {
    x: [number, number];
    px: [number, number];
    y: [number, number];
    py: [number, number];
    log: boolean;
    time: boolean;
}

export function x_of_pixel(plot: PlotMapping, px: number): number {
    return plot.x[0] + ((px - plot.px[0]) / (plot.px[1] - plot.px[0])) * (plot.x[1] - plot.x[0]);
}

export function pixel_of_x(plot: PlotMapping, x: number): number {
    const width = plot.x[1] - plot.x[0];
    return plot.px[0] + (width !== 0 ? (x - plot.x[0]) / width : 0.5) * (plot.px[1] - plot.px[0]);
}

export function y_of_pixel(plot: PlotMapping, py: number): number {
    const share = (py - plot.py[0]) / (plot.py[1] - plot.py[0]);
    return plot.log ? plot.y[0] * (plot.y[1] / plot.y[0]) ** share : plot.y[0] + share * (plot.y[1] - plot.y[0]);
}

/** Points of a polyline's `points` or of a path's `d` with straight lines, as x, y, x, y, … */
export function line_points(text: string): number[] {
    return (text.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g) ?? []).map(Number);
}

/** The height of a line at a place along x; null beside its ends. */
export function height_at(points: number[], px: number): number | null {
    for (let i = 0; i + 3 < points.length; i += 2) {
        const [a, b] = [points[i], points[i + 2]];
        if ((px < a && px < b) || (px > a && px > b))
            continue;
        const share = b !== a ? (px - a) / (b - a) : 0;
        return points[i + 1] + share * (points[i + 3] - points[i + 1]);
    }
    return null;
}

function mapping_of(svg: SVGSVGElement): PlotMapping | null {
    try {
        const plot = JSON.parse(svg.dataset.plot ?? "") as PlotMapping;
        const pairs = [plot.x, plot.px, plot.y, plot.py];
        return plot.time && pairs.every((p) => Array.isArray(p) && p.length === 2 && p.every(Number.isFinite)) ? plot : null;
    } catch {
        return null;
    }
}

/** Links all plots of the page that are not linked yet with a clock. */
export function link_plots(clock: Clock): void {
    document.querySelectorAll<SVGSVGElement>("svg[data-plot]").forEach((svg) => {
        const plot = mapping_of(svg);
        if (plot && !svg.querySelector(".abut-cursor"))
            link(svg, plot, clock);
    });
}

function link(svg: SVGSVGElement, plot: PlotMapping, clock: Clock): void {
    const vertical = (name: string) => svg_element("line", { class: name, y1: plot.py[0], y2: plot.py[1] });
    const cursor = vertical("abut-cursor");
    const hover = vertical("abut-hover");
    hover.style.display = "none";
    svg.append(hover, cursor);
    svg.classList.add("abut-linked");
    const readout = element("div", { class: "abut-readout", hidden: true });
    document.body.append(readout);

    const move = (line: SVGLineElement, px: number) => {
        line.setAttribute("x1", String(px));
        line.setAttribute("x2", String(px));
    };
    const update = () => {
        const px = pixel_of_x(plot, clock.time);
        const is_inside = px >= Math.min(...plot.px) - 0.5 && px <= Math.max(...plot.px) + 0.5;
        cursor.style.display = is_inside ? "" : "none";
        move(cursor, px);
    };
    clock.on_change.add(update);
    update();

    /** Where an event is, in the plot's coordinates. */
    const pixel = (event: PointerEvent): number => {
        const matrix = svg.getScreenCTM();
        const px = matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()).x : plot.px[0];
        return Math.min(Math.max(px, Math.min(...plot.px)), Math.max(...plot.px));
    };
    const read = (event: PointerEvent) => {
        const px = pixel(event);
        const rows: string[] = [`${format_time(x_of_pixel(plot, px), plot.x[1])} s`];
        svg.querySelectorAll<SVGElement>(".abut-line").forEach((line) => {
            const py = height_at(line_points(line.getAttribute("points") ?? line.getAttribute("d") ?? ""), px);
            if (py !== null)
                rows.push(`${line.dataset.name ?? ""}: ${format_number(y_of_pixel(plot, py))}`);
        });
        readout.replaceChildren(...rows.map((row) => element("div", {}, row)));
        readout.hidden = false;
        const is_at_right = event.clientX > window.innerWidth - 200;
        readout.style.left = `${event.clientX + (is_at_right ? -12 : 14)}px`;
        readout.style.top = `${event.clientY + 12}px`;
        readout.style.transform = is_at_right ? "translateX(-100%)" : "";
        hover.style.display = "";
        move(hover, px);
    };
    const seek = (event: PointerEvent) => {
        clock.pause();
        clock.seek(x_of_pixel(plot, pixel(event)));
    };
    svg.addEventListener("pointerdown", (event) => {
        svg.setPointerCapture(event.pointerId);
        seek(event);
    });
    svg.addEventListener("pointermove", (event) => {
        if (event.buttons > 0)
            seek(event);
        read(event);
    });
    svg.addEventListener("pointerleave", () => {
        readout.hidden = true;
        hover.style.display = "none";
    });
}
