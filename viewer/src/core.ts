// The parts that need no page, for the unit tests.

export { bytes_of_base64, inflate_base64, inflate_bytes, Reader } from "./bytes";
export { Camera } from "./camera";
export { Clock, default_speed, speeds } from "./clock";
export { color_map, format_number, map_index, nice_step, ticks } from "./colors";
export { ChunkDecoder, decode_topology } from "./decode";
export { format_hash, parse_hash, parse_numbers } from "./hash";
export { DataError, parse_manifest } from "./manifest";
export { write_normals } from "./normals";
export { Playback } from "./playback";
export { height_at, line_points, pixel_of_x, x_of_pixel, y_of_pixel } from "./plots";
export { unique_edges } from "./surface";
