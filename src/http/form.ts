/** Forms of several parts (RFC 7578), taken part by part as they arrive. */
import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { CmsError, invalid, messageOf } from "../errors.ts";
import { takeAll } from "./incoming.ts";

/** decisions.md 70 */
export const PARTS_MAX = 1000;
/** Bytes parsed before it is looked whether they are refused: a part may take fifty. */
const SLICE = 16 * 1024;
const LIMITS = { parts: PARTS_MAX, fieldNameSize: 200, headerPairs: 100 };

export interface FormTaker {
  /** In bytes, of one text. */
  readonly maxText: number;
  /** In bytes; Infinity where files are not taken. */
  readonly maxFile?: number;
  /** Hears of every piece of the body. What it throws ends the reading. */
  count(bytes: number): void;
  onField(name: string, value: string): void;
  /** Has to read the stream or resume it; without it, files are left out. */
  onFile?(name: string, stream: BusboyFileStream, fileName: string | undefined): void;
}

/**
 * Reads a form to its end.
 *
 * @throws CmsError `invalid` for a form that is broken or cut off, `too_large` at one part too many, and what `count` throws
 */
export async function readMultipart(source: Readable, contentType: string, taker: FormTaker): Promise<void> {
  const parser = openParser(contentType, taker);
  const refusal: { error?: CmsError } = {};
  const refuse = (error: CmsError): void => void (refusal.error ??= error);
  let length = 0;
  parser.on("error", (error) => refuse(formError(error)));
  parser.on("partsLimit", () => refuse(tooManyParts()));
  parser.on("field", (name: string | undefined, value, _nameCut, valueCut) => {
    if (name === undefined) return refuse(formError("a part has no name"));
    if (name.length > LIMITS.fieldNameSize)
      return refuse(invalid({ non_field_errors: [`A name has at most ${LIMITS.fieldNameSize} characters.`] }));
    if (valueCut) return refuse(invalid({ [name]: [tooLong(taker.maxText)] }));
    taker.onField(name, value);
  });
  parser.on("file", (name, stream, fileName) => {
    stream.on("error", (error) => refuse(formError(error))); // of a part that was cut short
    if (taker.onFile && !refusal.error) taker.onFile(name, stream, fileName);
    else stream.resume();
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ["finish", "close", "error"] as const) parser.once(event, () => resolve());
  });
  await takeAll(source, async (chunk) => {
    length += chunk.length;
    taker.count(chunk.length);
    for (let at = 0; at < chunk.length; at += SLICE) {
      if (refusal.error) throw refusal.error;
      if (!parser.write(chunk.subarray(at, at + SLICE))) await Promise.race([drained(parser), ended]);
    }
  });
  if (length === 0) return;
  if (refusal.error) throw refusal.error;
  parser.end(); // says so when the last boundary is missing
  await ended;
  if (refusal.error) throw refusal.error;
}

/** Its errors are heard of elsewhere. */
const drained = (parser: BusboyInstance): Promise<void> => new Promise((resolve) => void parser.once("drain", resolve));

function openParser(contentType: string, { maxText, maxFile = Infinity }: FormTaker): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      preservePath: true,
      limits: { ...LIMITS, fieldSize: maxText, fileSize: maxFile },
    });
  } catch (error) {
    throw formError(error);
  }
}

export const tooLong = (maxText: number): string => `A text has at most ${maxText} bytes.`;
export const tooManyParts = (): CmsError => new CmsError("too_large", `A form has at most ${PARTS_MAX} parts.`);
const formError = (cause: unknown): CmsError =>
  new CmsError("invalid", `Multipart form parse error - ${messageOf(cause)}`, { cause });
