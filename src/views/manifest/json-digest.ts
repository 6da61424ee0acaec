/**
 * Digests of payloads: SHA-1, in hexadecimal, of canonical JSON text, as `sha1sum index.json` prints it.
 */
import { hash } from "node:crypto";
import { canonicalJson } from "../../model/input/json.ts";

export const textHash = (text: string): string => hash("sha1", text, "hex");

export interface DigestedPayload {
  /** The bytes of `index.json`: JSON with sorted keys. */
  readonly text: string;
  /** The `hash` in the manifest. */
  readonly hash: string;
}

/** The canonical text of a page's payload with its hash, for the manifest, `index.json` and builds alike. */
export function digestPayload(payload: unknown): DigestedPayload {
  const text = canonicalJson(payload);
  return { text, hash: textHash(text) };
}
