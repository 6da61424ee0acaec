/** Contents as packs have them, and as loose objects are. */
import { deflateSync, deflate, inflate, inflateSync } from "node:zlib";
import { promisify } from "node:util";
import type { GitObject, NewObject, ObjectType } from "./object.ts";

/** Larger objects are compressed on the thread pool; this much takes a fraction of a millisecond. */
export const SYNC_BYTES = 64 * 1024;
export const LEVEL = { level: 1 };
/** A small object gets a buffer of its own size: zlib's default of 16 KB would be 160 MB of garbage in an import. */
const CHUNK_MIN = 64;

export const compress = (content: Uint8Array): Buffer =>
  deflateSync(content, { ...LEVEL, chunkSize: CHUNK_MIN + content.length });

/** A loose object: a header and the content, compressed. */
export async function encodeLoose(object: NewObject): Promise<Buffer> {
  const bytes = Buffer.concat([Buffer.from(`${object.type} ${object.content.length}\0`), object.content]);
  if (bytes.length <= SYNC_BYTES) return deflateSync(bytes, LEVEL);
  return promisify<Buffer, typeof LEVEL, Buffer>(deflate)(bytes, LEVEL);
}

/** @throws an Error if the object is damaged */
export async function decodeLoose(bytes: Buffer): Promise<GitObject> {
  const raw = bytes.length <= SYNC_BYTES ? inflateSync(bytes) : await promisify<Buffer, Buffer>(inflate)(bytes);
  const end = raw.indexOf(0);
  const [, type, length] = /^(blob|tree|commit|tag) (\d+)$/.exec(raw.toString("latin1", 0, end)) ?? [];
  const content = raw.subarray(end + 1);
  if (!type || Number(length) !== content.length) throw new Error("the loose object is damaged");
  return { type: type as ObjectType, content };
}
