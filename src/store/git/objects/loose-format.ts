/** Loose objects: a header and the content, compressed. */
import { promisify } from "node:util";
import { deflate, deflateSync, inflate, inflateSync } from "node:zlib";
import type { GitObject, NewObject, ObjectType } from "./object.ts";

/** Larger objects are compressed on the thread pool; this much takes a fraction of a millisecond. */
const SYNC_BYTES = 64 * 1024;
const LEVEL = { level: 1 };

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
