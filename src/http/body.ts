/** Request bodies: bounded, parsed by their declared type, and held to what JSON can safely mean. */
import { CmsError, invalid, messageOf } from "../errors.ts";
import { jsonTextDepth } from "../model/json-text.ts";
import { isObject } from "../model/json.ts";

/** Of arrays and objects in each other, the outermost included. */
const DEPTH_MAX = 64;
const FORM_FIELDS_MAX = 1000;

/**
 * The body of a request as JSON or as a form turned into an object of its last values; {} when there is none.
 *
 * @throws CmsError `invalid` for broken JSON, `unsupported_media` for another type, `too_large` beyond `maxBytes`
 */
export async function readBody(request: Request, maxBytes: number): Promise<unknown> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return {};
  if (type === "" || type === "application/json" || type.endsWith("+json")) return parseJson(bytes);
  if (type === "application/x-www-form-urlencoded") return formObject(new URLSearchParams(utf8(bytes)));
  if (type === "multipart/form-data") return formObject(await multipart(bytes, request.headers.get("content-type")!));
  throw new CmsError("unsupported_media", `Unsupported media type "${type}" in request.`);
}

/** @throws CmsError `too_large` as soon as more than `maxBytes` have come, whatever length was declared */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Uint8Array): unknown {
  const text = utf8(bytes);
  // Before it is parsed: ten megabytes of brackets keep the parser busy for seconds.
  if (jsonTextDepth(text, DEPTH_MAX) > DEPTH_MAX) throw new CmsError("invalid", `JSON parse error - nested deeper than ${DEPTH_MAX} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CmsError("invalid", `JSON parse error - ${messageOf(error)}`);
  }
  // Half a surrogate pair has no form in UTF-8: no file could hold what was sent.
  // JSON.stringify writes such a half as an escape, and whole characters as themselves.
  if (/\\ud[89a-f]/i.test(text) && /(?<!\\)(\\\\)*\\ud[89a-f]/i.test(JSON.stringify(value))) throw loneSurrogate();
  return value;
}

/** A JSON array of ids, which may be numeric texts (contract.md 6.9). @throws CmsError `invalid` */
export function idList(body: unknown): number[] {
  // An empty body, which counts as {}, asks for nothing.
  if (isObject(body) && Object.keys(body).length === 0) return [];
  const ids: unknown[] | undefined = Array.isArray(body) ? body.map((id: unknown) => (typeof id === "string" && /^\d{1,10}$/.test(id) ? Number(id) : id)) : undefined;
  if (ids?.every((id): id is number => Number.isInteger(id))) return ids;
  throw invalid({ non_field_errors: [`Expected a list of ids but got type "${Array.isArray(body) ? "list" : typeof body}".`] });
}

const loneSurrogate = (): CmsError => new CmsError("invalid", "JSON parse error - a text holds half a character (an unpaired surrogate)");

function formObject(form: Iterable<[string, unknown]>): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of form) {
    fields.set(name, value);
    if (fields.size > FORM_FIELDS_MAX) throw invalid({ non_field_errors: [`A form has at most ${FORM_FIELDS_MAX} fields.`] });
  }
  return Object.fromEntries(fields);
}

async function multipart(bytes: Uint8Array, type: string): Promise<[string, unknown][]> {
  try {
    const form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
    return [...form].filter(([, value]) => typeof value === "string");
  } catch (error) {
    throw new CmsError("invalid", `Multipart form parse error - ${messageOf(error)}`, { cause: error });
  }
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CmsError("invalid", "JSON parse error - the body is not valid UTF-8", { cause: error });
  }
}

const tooLarge = (maxBytes: number): CmsError => new CmsError("too_large", `The request body is larger than the ${maxBytes} bytes allowed.`);
