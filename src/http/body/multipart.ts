/** Reads multipart forms (RFC 7578) part by part. */
import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { CmsError, invalid, messageOf } from "../../errors.ts";
import { readChunks } from "./incoming.ts";
import type { RequestHeaders } from "../request/request.ts";

/** In a form: more are refused as they arrive. */
export const PARTS_MAX = 1000;
/** In bytes, parsed between two checks of the limits. A part takes at least 50. */
const SLICE = 16 * 1024;
const LIMITS = { parts: PARTS_MAX, fieldNameSize: 200, headerPairs: 100 };

interface FormReader {
  /** In bytes, per text field. */
  readonly maxText: number;
  /** In bytes, per file; no limit by default. */
  readonly maxFile?: number;
  /** Called with the size of every chunk of the body. An error ends the reading. */
  onBytes(bytes: number): void;
  onField(name: string, value: string): void;
  /** Must read or resume the stream. Without this function, files are skipped. */
  onFile?(name: string, stream: BusboyFileStream, fileName: string | undefined): void;
}

/**
 * Reads a form to its end.
 *
 * @throws CmsError `invalid` for a malformed or incomplete form, `too_large` for too many parts; errors of `onBytes`
 */
export async function readMultipart(source: Readable, headers: RequestHeaders, reader: FormReader): Promise<void> {
  const parser = openParser(headers, reader);
  const refusal: { error?: CmsError } = {};
  const refuse = (error: CmsError): void => void (refusal.error ??= error);
  let length = 0;
  parser.on("error", (error) => refuse(formError(error)));
  parser.on("partsLimit", () => refuse(tooManyParts()));
  parser.on("field", (name: string | undefined, value, _nameCut, valueCut) => {
    if (name === undefined) return refuse(formError("a part has no name"));
    if (name.length > LIMITS.fieldNameSize)
      return refuse(invalid({ non_field_errors: [`A name has at most ${LIMITS.fieldNameSize} characters.`] }));
    if (valueCut) return refuse(invalid({ [name]: [tooLong(reader.maxText)] }));
    reader.onField(name, value);
  });
  parser.on("file", (name, stream, fileName) => {
    stream.on("error", (error) => refuse(formError(error))); // of an incomplete part
    if (reader.onFile && !refusal.error) reader.onFile(name, stream, fileName);
    else stream.resume();
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ["finish", "close", "error"] as const) parser.once(event, () => resolve());
  });
  await readChunks(source, async (chunk) => {
    length += chunk.length;
    reader.onBytes(chunk.length);
    for (let at = 0; at < chunk.length; at += SLICE) {
      if (!parser.write(chunk.subarray(at, at + SLICE))) await Promise.race([drained(parser), ended]);
      if (refusal.error) throw refusal.error;
    }
  });
  if (length === 0) return;
  if (refusal.error) throw refusal.error;
  parser.end(); // emits an error if the last boundary is missing
  await ended;
  if (refusal.error) throw refusal.error;
}

const drained = (parser: BusboyInstance): Promise<void> => new Promise((resolve) => void parser.once("drain", resolve));

function openParser(headers: RequestHeaders, { maxText, maxFile = Infinity }: FormReader): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": headers.get("content-type") ?? "" },
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
