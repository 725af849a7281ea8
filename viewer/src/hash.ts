// The state of viewers in the address, after the #: run.t=0.5&run.color=speed&other.t=2

export type State = Record<string, string>;

/** States of all viewers by their names. Parts that are not ours are left out. */
export function parse_hash(hash: string): Map<string, State> {
    const states = new Map<string, State>();
    for (const part of hash.replace(/^#/, "").split("&")) {
        const equals = part.indexOf("=");
        const dot = part.lastIndexOf(".", equals);
        if (equals < 0 || dot <= 0)
            continue;
        try {
            const name = decodeURIComponent(part.slice(0, dot));
            const state = states.get(name) ?? {};
            state[part.slice(dot + 1, equals)] = decodeURIComponent(part.slice(equals + 1));
            states.set(name, state);
        } catch {
            continue; // a % that stands for nothing
        }
    }
    return states;
}

export function format_hash(states: Map<string, State>): string {
    const readable = (text: string) => encodeURIComponent(text).replace(/%2C/g, ",");
    const parts: string[] = [];
    for (const [name, state] of states)
        for (const [key, value] of Object.entries(state))
            parts.push(`${encodeURIComponent(name)}.${key}=${readable(value)}`);
    return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** Numbers with commas, or null where one is not finite or their count is wrong. */
export function parse_numbers(text: string | undefined, count: number): number[] | null {
    if (!text)
        return null;
    const numbers = text.split(",").map(Number);
    return numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
}
