/** Author and committer lines of commits and reflogs. */
import { instantOf, msOf, type Instant } from "../../../model/time/instant.ts";
import { trimBoth } from "../../../model/text/trim.ts";
import type { Signature } from "../../repo.ts";

// A newline would start another header, `<` and `>` end the name or the address. Git strips EDGES from both ends.
const FORBIDDEN = /[\p{Cc}<>]+/gu;
const EDGES = " .,:;\"'\\";

/** A signature that is safe in a header. An empty name or address is replaced by a placeholder. */
export function cleanSignature({ name, email }: Signature): Signature {
  const clean = (text: string) => trimBoth(text.replace(FORBIDDEN, " ").replace(/\s+/g, " "), EDGES);
  return { name: clean(name) || "Unknown", email: clean(email).replaceAll(" ", "") || "unknown@cms.invalid" };
}

/** Seconds since 1970, at least 0: git stores no earlier times. */
export const secondsOf = (at: Instant): number => Math.max(0, Math.floor(msOf(at) / 1000));

/** `Name <e-mail> seconds +0000`, as commits and reflogs have it. */
export function signatureLine(signature: Signature, seconds: number): string {
  const { name, email } = cleanSignature(signature);
  return `${name} <${email}> ${seconds} +0000`;
}

/** Parses a line of any commit. Missing parts are empty strings, a missing time is 1970. */
export function parseSignatureLine(line: string): { signature: Signature; at: Instant } {
  const open = line.indexOf("<");
  const close = open < 0 ? -1 : line.indexOf(">", open);
  if (close < 0) return { signature: { name: line, email: "" }, at: instantOf(0) };
  const name = line.slice(0, line[open - 1] === " " ? open - 1 : open);
  const email = line.slice(open + 1, close);
  const [, seconds = "0"] = /^ (\d+)/.exec(line.slice(close + 1)) ?? [];
  return { signature: { name, email }, at: instantOf(Math.min(Number(seconds), LATEST_SECONDS) * 1000) };
}

const LATEST_SECONDS = Math.floor(Date.UTC(9999, 11, 31) / 1000);
