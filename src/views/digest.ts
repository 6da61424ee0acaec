/** The digest of a payload: SHA-1 in hexadecimal of its canonical JSON text, so that `sha1sum index.json` gives it (decisions.md 59). */
import { hash } from "node:crypto";
import { canonicalJson } from "../model/json.ts";

/** @param canonical see `canonicalJson` */
export const textHash = (canonical: string): string => hash("sha1", canonical, "hex");

export const payloadHash = (payload: unknown): string => textHash(canonicalJson(payload));
