/** Small contents as packs have them: compressed at once, or by another thread before they are asked for. */
import { deflateSync } from "node:zlib";

/** As for loose objects: larger ones are compressed on the thread pool, at the lowest level. */
export const SYNC_BYTES = 64 * 1024;
export const LEVEL = { level: 1 };
/** A small object gets a buffer of its own size: zlib's default of 16 KB would be 160 MB of garbage in an import. */
const CHUNK_MIN = 64;

const COMPRESSED = new WeakMap<Uint8Array, Uint8Array>();

export const compress = (content: Uint8Array): Buffer =>
  deflateSync(content, { ...LEVEL, chunkSize: CHUNK_MIN + content.length });

/** Says what `compress` would return for this very array, which must not be changed any more. */
export const noteCompressed = (content: Uint8Array, compressed: Uint8Array): void =>
  void COMPRESSED.set(content, compressed);

export const compressedOf = (content: Uint8Array): Uint8Array => COMPRESSED.get(content) ?? compress(content);
