/**
 * Conversion of line endings between the working tree and git's storage.
 *
 * Source: convert.c of git 2.39 (`convert_attrs`, `crlf_to_git`, `crlf_to_worktree`).
 */
import type { AttributeValue } from "./attributes-file.ts";

/**
 * `keep`: no conversion. Otherwise CRLF is stored as LF, and a checkout writes LF or CRLF. The `auto` values exclude
 * files that do not look like text, or that have been committed with CRLF.
 */
export type Eol = "keep" | "lf" | "crlf" | "auto-lf" | "auto-crlf";

export interface EolConfig {
  /** `core.autocrlf` */
  readonly autocrlf: "true" | "false" | "input";
  /** `core.eol` */
  readonly eol: "lf" | "crlf" | "native";
}

/** @param isWindows whether the native line ending is CRLF */
export function eolOf(attributes: ReadonlyMap<string, AttributeValue>, config: EolConfig, isWindows: boolean): Eol {
  const isCrlfSet = config.eol === "crlf" || (config.eol === "native" && isWindows);
  const isCrlf = config.autocrlf === "true" || (config.autocrlf === "false" && isCrlfSet);
  const text = textOf(attributes.get("text")) ?? textOf(attributes.get("crlf"));
  if (text === "keep") return "keep";
  const eol = attributes.get("eol");
  if (text === "auto") return eol === "crlf" || (eol !== "lf" && isCrlf) ? "auto-crlf" : "auto-lf";
  if (eol === "lf" || eol === "crlf") return eol;
  if (text === "input") return "lf";
  if (text === "text") return isCrlf ? "crlf" : "lf";
  return config.autocrlf === "true" ? "auto-crlf" : config.autocrlf === "input" ? "auto-lf" : "keep";
}

function textOf(value: AttributeValue | undefined): "text" | "keep" | "auto" | "input" | undefined {
  if (value === true) return "text";
  if (value === false) return "keep";
  return value === "auto" || value === "input" ? value : undefined;
}

const CR = 0x0d;
const LF = 0x0a;

interface Counts {
  readonly loneCr: number;
  readonly loneLf: number;
  readonly crlf: number;
  readonly isBinary: boolean;
}

function count(bytes: Uint8Array): Counts {
  let [loneCr, loneLf, crlf, nul, printable, nonPrintable] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === CR) {
      if (bytes[at + 1] === LF) {
        crlf++;
        at++;
      } else loneCr++;
    } else if (byte === LF) loneLf++;
    else if (byte === 127) nonPrintable++;
    else if (byte >= 32) printable++;
    // Backspace, tab, escape and form feed count as text.
    else if (byte === 8 || byte === 9 || byte === 27 || byte === 12) printable++;
    else {
      if (byte === 0) nul++;
      nonPrintable++;
    }
  }
  // The end-of-file character of DOS.
  if (bytes.at(-1) === 26) nonPrintable--;
  return { loneCr, loneLf, crlf, isBinary: loneCr > 0 || nul > 0 || printable >> 7 < nonPrintable };
}

/** Whether a blob is text with CRLF, which `auto` then keeps. */
export function isStoredWithCrlf(bytes: Uint8Array): boolean {
  if (!bytes.includes(CR)) return false;
  const { crlf, isBinary } = count(bytes);
  return crlf > 0 && !isBinary;
}

/** Whether `toStored` may change these bytes, so that the caller has to find out `storedWithCrlf`. */
export function mayConvert(bytes: Uint8Array, eol: Eol): boolean {
  if (eol === "keep" || !bytes.includes(CR)) return false;
  const { crlf, isBinary } = count(bytes);
  return crlf > 0 && !(isAuto(eol) && isBinary);
}

/**
 * The content git stores for these bytes: the same array if nothing is converted.
 *
 * @param storedWithCrlf `isStoredWithCrlf` of the blob in the index; used for `auto` only
 */
export function toStored(bytes: Uint8Array, eol: Eol, storedWithCrlf: boolean): Uint8Array {
  if (!mayConvert(bytes, eol) || (isAuto(eol) && storedWithCrlf)) return bytes;
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== CR || bytes[at + 1] !== LF) out[length++] = bytes[at]!;
  return out.subarray(0, length);
}

/** What a checkout writes of stored content: the same array if nothing is converted. */
export function toWorking(bytes: Uint8Array, eol: Eol): Uint8Array {
  if ((eol !== "crlf" && eol !== "auto-crlf") || !bytes.includes(LF)) return bytes;
  const { loneCr, loneLf, crlf, isBinary } = count(bytes);
  if (loneLf === 0 || (isAuto(eol) && (loneCr > 0 || crlf > 0 || isBinary))) return bytes;
  const out = Buffer.allocUnsafe(bytes.length + loneLf);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) out[length++] = CR;
    out[length++] = bytes[at]!;
  }
  return out;
}

export const isAuto = (eol: Eol): boolean => eol === "auto-lf" || eol === "auto-crlf";
