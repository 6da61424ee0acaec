/** Small contents as packs have them. */
import { deflateSync } from "node:zlib";

/** As for loose objects: larger ones are compressed on the thread pool, at the lowest level. */
export const SYNC_BYTES = 64 * 1024;
export const LEVEL = { level: 1 };
/** A small object gets a buffer of its own size: zlib's default of 16 KB would be 160 MB of garbage in an import. */
const CHUNK_MIN = 64;

export const compress = (content: Uint8Array): Buffer =>
  deflateSync(content, { ...LEVEL, chunkSize: CHUNK_MIN + content.length });
