// The live view: manifest and frames are fetched while a run goes on.

import { inflate_bytes } from "./bytes";
import { ChunkDecoder, decode_topology } from "./decode";
import { DataError, parse_manifest } from "./manifest";
import type { Playback } from "./playback";

const poll_ms = 1000;
const longest_wait_ms = 15000;
/** Frames fetched at the same time. */
const num_fetches = 4;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function get(url: URL): Promise<Response> {
    const response = await fetch(url, { cache: "no-store" });
    if (!response.ok)
        throw new Error(`${url.pathname}: ${response.status}`);
    return response;
}

async function get_bytes(url: URL): Promise<Uint8Array> {
    return new Uint8Array(await (await get(url)).arrayBuffer());
}

export async function load_live(playback: Playback, address: string): Promise<void> {
    const manifest_url = new URL(address, document.baseURI);
    let has_topology = false;
    let num_failures = 0;
    for (;;) {
        try {
            const manifest = parse_manifest(await (await get(manifest_url)).text());
            playback.manifest = manifest;
            if (!has_topology) {
                playback.topology = decode_topology(manifest, await inflate_bytes(await get_bytes(new URL("topology", manifest_url)), "Topology"));
                has_topology = true;
            }
            num_failures = 0;
            playback.connection = "connected";
            playback.on_state.call();
            await fetch_frames(playback, manifest_url);
            if (!manifest.is_running) {
                playback.connection = "none";
                playback.finish();
                return;
            }
            await pause(poll_ms);
        } catch (error) {
            if (error instanceof DataError) {
                playback.connection = "none";
                playback.fail(error);
                return;
            }
            // A server that is gone may come back: ask again, ever more seldom.
            playback.connection = "lost";
            playback.on_state.call();
            await pause(Math.min(poll_ms * 2 ** num_failures++, longest_wait_ms));
        }
    }
}

/** The newest frame first, for those who follow; then the others. */
async function fetch_frames(playback: Playback, manifest_url: URL): Promise<void> {
    const { manifest } = playback;
    const missing = manifest.frames.map((_, i) => i).filter((i) => !playback.frames[i]);
    const newest = missing.pop();
    if (newest === undefined)
        return;
    const queue = [newest, ...missing];
    const fetch_some = async () => {
        for (let i = queue.shift(); i !== undefined; i = queue.shift()) {
            const { step } = manifest.frames[i];
            const what = `Step ${step}`;
            const bytes = await inflate_bytes(await get_bytes(new URL(`chunk/${step}`, manifest_url)), what);
            const decoder = new ChunkDecoder(manifest, playback.topology, bytes, what);
            playback.add_frame(i, decoder.next());
            decoder.finish();
        }
    };
    await Promise.all(Array.from({ length: num_fetches }, fetch_some));
}
