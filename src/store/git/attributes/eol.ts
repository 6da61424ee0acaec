/**
 * Ends of lines as git converts them between the working tree and what it stores.
 *
 * Source: convert.c of git 2.39 (`convert_attrs`, `crlf_to_git`, `crlf_to_worktree`).
 */
import type { AttributeValue } from "./attributes-file.ts";

/**
 * `keep`: bytes are stored as they are. Otherwise CRLF is stored as LF, and a checkout makes LF or CRLF of it;
 * the `auto` ones leave alone what does not look like text, or has been committed with CRLF.
 */
export type Eol = "keep" | "lf" | "crlf" | "auto-lf" | "auto-crlf";

/** What the configuration says of ends of lines. */
export interface EolConfig {
  /** `core.autocrlf` */
  readonly autocrlf: "true" | "false" | "input";
  /** `core.eol`; `native` is what the machine has. */
  readonly eol: "lf" | "crlf" | "native";
}

/** @param isWindows where the machine's own end of line is CRLF */
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
    // Backspace, tab, escape and form feed occur in texts.
    else if (byte === 8 || byte === 9 || byte === 27 || byte === 12) printable++;
    else {
      if (byte === 0) nul++;
      nonPrintable++;
    }
  }
  // The end of file of DOS.
  if (bytes.at(-1) === 26) nonPrintable--;
  return { loneCr, loneLf, crlf, isBinary: loneCr > 0 || nul > 0 || printable >> 7 < nonPrintable };
}

/** Whether a text was stored with CRLF, which git then leaves in it. */
export function isStoredWithCrlf(bytes: Uint8Array): boolean {
  if (!bytes.includes(CR)) return false;
  const { crlf, isBinary } = count(bytes);
  return crlf > 0 && !isBinary;
}

/** Whether these bytes would be converted at all, so that what is stored for the path has to be looked at. */
export function mayConvert(bytes: Uint8Array, eol: Eol): boolean {
  if (eol === "keep" || !bytes.includes(CR)) return false;
  const { crlf, isBinary } = count(bytes);
  return crlf > 0 && !(isAuto(eol) && isBinary);
}

/**
 * What git stores of a file with these bytes: the very same array when that is what it has.
 *
 * @param storedWithCrlf see `isStoredWithCrlf`, of what the index has at the path; asked for `auto` alone
 */
export function toStored(bytes: Uint8Array, eol: Eol, storedWithCrlf: boolean): Uint8Array {
  if (!mayConvert(bytes, eol) || (isAuto(eol) && storedWithCrlf)) return bytes;
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== CR || bytes[at + 1] !== LF) out[length++] = bytes[at]!;
  return out.subarray(0, length);
}

/** What a checkout makes of what is stored: the very same array when that is what it writes. */
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
