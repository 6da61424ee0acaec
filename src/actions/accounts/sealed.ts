/**
 * Values that a browser keeps for the service, in a cookie that it can neither read nor change: what a sign-in in several
 * steps must remember.
 *
 * So nothing is stored for strangers, who could fill a memory, and any server of a site can take the next step.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** In seconds: how long a person may take between two steps. */
export const STEP_SECONDS = 10 * 60;

/** @param purpose a value is opened for no other one */
export function seal(secret: Buffer, purpose: string, value: JsonObject, now: Instant): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, purpose), iv);
  const text = JSON.stringify({ ...value, until: instantOf(msOf(now) + STEP_SECONDS * 1000) });
  return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64url");
}

/** undefined for what was not sealed for the purpose, or too long ago. */
export function unseal(secret: Buffer, purpose: string, sealed: string, now: Instant): JsonObject | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(secret, purpose), bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    const value: unknown = JSON.parse(text.toString("utf8"));
    return isObject(value) && String(value.until) > now ? value : undefined;
  } catch {
    return undefined; // changed, or sealed with another key
  }
}

const keyOf = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", `sealed for ${purpose}`, 32));

/** What was used once already, for as long as it could be used again. */
export interface Spent {
  /** @returns false for what was spent before */
  spend(value: string): boolean;
}

/** Successes alone are kept, so that strangers cannot fill it. */
const SPENT_MAX = 10_000;

export function openSpent(): Spent {
  const spent = new Set<string>();
  return {
    spend(value) {
      if (spent.has(value)) return false;
      const [oldest] = spent;
      if (oldest !== undefined && spent.size >= SPENT_MAX) spent.delete(oldest);
      spent.add(value);
      return true;
    },
  };
}
