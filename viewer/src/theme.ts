// Light and dark: as the system says, until someone chooses.

import { Listeners } from "./listeners";
import type { ThemeColors } from "./scene";

export type Theme = "light" | "dark";

const system = window.matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme | null = null;
export const on_theme = new Listeners();

export function theme(): Theme {
    return chosen ?? (system.matches ? "dark" : "light");
}

/** The page may follow: its root element has the choice in data-abut-theme. */
export function toggle_theme(): void {
    chosen = theme() === "dark" ? "light" : "dark";
    document.documentElement.dataset.abutTheme = chosen;
    on_theme.call();
}
system.addEventListener("change", () => on_theme.call());

export const theme_colors: Record<Theme, ThemeColors> = {
    light: { ground: [0.86, 0.87, 0.885], ground_line: [0.68, 0.7, 0.73], wire: [0.05, 0.07, 0.1] },
    dark: { ground: [0.19, 0.205, 0.23], ground_line: [0.33, 0.35, 0.39], wire: [0, 0, 0] },
};
