/** Reads request bodies of limited size, by their declared type. */
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Config } from "../../config.ts";
import { CmsError, invalid } from "../../errors.ts";
import { numericId } from "../../model/input/id.ts";
import { isObject } from "../../model/input/json.ts";
import { PARTS_MAX, readMultipart, tooLong, tooManyParts } from "./multipart.ts";
import { bodyStream, readChunks } from "./incoming.ts";
import { jsonLimits, parseJson } from "./json-body.ts";
import type { RequestHeaders } from "../request/request.ts";

/**
 * The body of a request: JSON, or a form as an object with the last value of each field; {} when it is empty.
 *
 * @throws CmsError `invalid` for broken JSON or a value beyond its limits, `unsupported_media` for another type,
 *   `too_large` for more than `maxBytes` bytes or too many form fields
 */
export async function readBody(request: Request, maxBytes: number, config: Pick<Config, "API">): Promise<unknown> {
  const type = mediaTypeOf(request.headers);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const stream = bodyStream(request);
  if (!stream) return {};
  if (type === "multipart/form-data") {
    const fields = new Map<string, string>();
    let length = 0;
    await readMultipart(stream, request.headers, {
      maxText: config.API.MAX_VALUE,
      onBytes: (bytes) => {
        if ((length += bytes) > maxBytes) throw tooLarge(maxBytes);
      },
      onField: (name, value) => void fields.set(name, value),
    });
    return Object.fromEntries(fields);
  }
  const isForm = type === "application/x-www-form-urlencoded";
  const bytes = await allBytes(stream, maxBytes, isForm ? openFieldLimit() : undefined);
  if (bytes.length === 0) return {};
  if (type === "" || type === "application/json" || type.endsWith("+json")) return parseJson(bytes, jsonLimits(config));
  if (isForm) return urlEncoded(bytes, config.API.MAX_VALUE);
  throw new CmsError("unsupported_media", `Unsupported media type "${type}" in request.`);
}

/** The body of a request as it was sent. @throws CmsError `too_large` for more than `maxBytes` bytes */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const stream = bodyStream(request);
  return stream ? allBytes(stream, maxBytes) : Buffer.alloc(0);
}

/** @param check gets each chunk as it arrives, and may refuse the body */
async function allBytes(
  stream: Readable,
  maxBytes: number,
  check: (chunk: Uint8Array) => void = () => undefined,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  await readChunks(stream, (chunk) => {
    if ((length += chunk.length) > maxBytes) throw tooLarge(maxBytes);
    check(chunk);
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** The media type of a body, without parameters; "" without a header. */
export const mediaTypeOf = (headers: RequestHeaders): string =>
  (headers.get("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();

/** A JSON array of ids, which may be numeric texts. @throws CmsError `invalid` */
export function idList(body: unknown): number[] {
  // An empty body is read as {}.
  if (isObject(body) && Object.keys(body).length === 0) return [];
  const ids: unknown[] | undefined = Array.isArray(body) ? body.map(numericId) : undefined;
  if (ids?.every((id): id is number => Number.isInteger(id))) return ids;
  throw invalid({
    non_field_errors: [`Expected a list of ids but got type "${Array.isArray(body) ? "list" : typeof body}".`],
  });
}

const AMPERSAND = 0x26;

/** Counts the fields of a form in its chunks. @throws CmsError `too_large` */
function openFieldLimit(): (chunk: Uint8Array) => void {
  let fields = 1;
  return (chunk) => {
    for (let at = chunk.indexOf(AMPERSAND); at >= 0; at = chunk.indexOf(AMPERSAND, at + 1))
      if (++fields > PARTS_MAX) throw tooManyParts();
  };
}

/** In bytes. Before a longer field is decoded, other requests are served. */
const SLICE = 64 * 1024;

/** Decodes field by field, since decoding ten megabytes at once would block all other requests. */
async function urlEncoded(bytes: Buffer, maxText: number): Promise<Record<string, unknown>> {
  const fields = new Map<string, string>();
  for (let from = 0, to; from <= bytes.length; from = to + 1) {
    to = bytes.indexOf(AMPERSAND, from);
    if (to < 0) to = bytes.length;
    const part = bytes.subarray(from, to);
    if (part.length > SLICE) await setImmediate();
    // A percent-encoded byte takes three.
    if (part.length > 3 * maxText) throw invalid({ [nameOf(part)]: [tooLong(maxText)] });
    for (const [name, value] of new URLSearchParams(utf8(part))) {
      if (value.length > maxText) throw invalid({ [name]: [tooLong(maxText)] });
      fields.set(name, value);
    }
  }
  return Object.fromEntries(fields);
}

const nameOf = (part: Buffer): string =>
  [...new URLSearchParams(part.toString("latin1", 0, 100)).keys()][0] ?? "non_field_errors";

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CmsError("invalid", "Form parse error - the body is not valid UTF-8", { cause: error });
  }
}

const tooLarge = (maxBytes: number): CmsError =>
  new CmsError("too_large", `The request body is larger than the ${maxBytes} bytes allowed.`);
