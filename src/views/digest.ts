/**
 * Digests of payloads: SHA-1, in hexadecimal, of canonical JSON text, as `sha1sum index.json` prints it (decisions.md
 * 59).
 */
import { hash } from "node:crypto";
import { canonicalJson } from "../model/json.ts";

export const textHash = (text: string): string => hash("sha1", text, "hex");

export const payloadHash = (payload: unknown): string => textHash(canonicalJson(payload));
