// Playbacks that stand in the page, as script elements with base64 text.

import { inflate_base64, Pace } from "./bytes";
import { ChunkDecoder, decode_topology } from "./decode";
import { DataError, parse_manifest } from "./manifest";
import type { Playback } from "./playback";

/** A part of the page, as soon as the parser is past its end: pages of many megabytes show their first frame early. */
async function part(id: string): Promise<HTMLElement> {
    for (;;) {
        const element = document.getElementById(id);
        const is_parsed = document.readyState !== "loading";
        if (element && (is_parsed || element.nextSibling || element.parentElement?.nextSibling))
            return element;
        if (is_parsed)
            throw new DataError(`The page has no part "${id}": it may be cut off.`);
        await new Promise((resolve) => setTimeout(resolve, 15));
    }
}

/** Takes the text out of its element, so that it is not kept twice. */
function take_text(element: HTMLElement): string {
    const text = element.textContent ?? "";
    element.textContent = "";
    return text;
}

export async function load_from_page(playback: Playback): Promise<void> {
    const { name } = playback;
    try {
        playback.manifest = parse_manifest((await part(`${name}-manifest`)).textContent ?? "");
        const { manifest } = playback;
        playback.wanted = Math.min(Math.max(manifest.look_at?.frame ?? 0, 0), Math.max(manifest.frames.length - 1, 0));
        playback.frames = new Array(manifest.frames.length);
        playback.topology = decode_topology(manifest, await inflate_base64(take_text(await part(`${name}-topology`)), "Topology"));
        playback.on_state.call();

        // The chunk someone waits for comes first, then the others in their order.
        const left = manifest.chunks.map((_, k) => k);
        const pace = new Pace();
        while (left.length > 0) {
            const wanted = left.findIndex((k) => {
                const { first, count } = manifest.chunks[k];
                return playback.wanted >= first && playback.wanted < first + count;
            });
            const [k] = left.splice(Math.max(wanted, 0), 1);
            await decode_chunk(playback, k, pace);
        }
        playback.finish();
    } catch (error) {
        playback.fail(error);
    }
}

async function decode_chunk(playback: Playback, k: number, pace: Pace): Promise<void> {
    const { first, count } = playback.manifest.chunks[k];
    const what = count === 1 ? `Frame ${first}` : `Frames ${first} to ${first + count - 1}`;
    const bytes = await inflate_base64(take_text(await part(`${playback.name}-chunk-${k}`)), what);
    const decoder = new ChunkDecoder(playback.manifest, playback.topology, bytes, what);
    for (let i = 0; i < count; ++i) {
        playback.add_frame(first + i, decoder.next());
        await pace.rest();
    }
    decoder.finish();
}
