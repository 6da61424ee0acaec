/**
 * One-time codes by time (RFC 6238), as apps on telephones show them: six digits, another one each half minute.
 *
 * A code is taken once: the step of the last one is kept, and only later ones count.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { msOf, type Instant } from "../time/instant.ts";

const STEP_MS = 30_000;
/** Steps before and after the present one that count: clocks differ. */
const DRIFT = 1;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const SECRET_BYTES = 20;

export const codeAt = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = digest[19]! & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
};

/** The step that a code is of; undefined for one that does not hold, or is not later than the last one. */
export function stepOfCode(secret: Buffer, code: string, now: Instant, last: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const present = Math.floor(msOf(now) / STEP_MS);
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, at) => present - DRIFT + at);
  return steps.find((step) => step > last && timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)));
}

/** As apps take a secret. */
export function base32Of(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join("");
}

/** undefined for what is no secret of `SECRET_BYTES`. */
export function secretOf(base32: string): Buffer | undefined {
  if (!/^[A-Z2-7]{32}$/.test(base32)) return undefined;
  const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
