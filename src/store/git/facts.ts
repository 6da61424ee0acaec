/** What the file system says of a file, as text. */
import type { BigIntStats } from "node:fs";

/** Size, times and inode in one line: another one for another file, and only read to be compared. */
export const factsOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string => `${size} ${mtimeNs} ${ctimeNs} ${ino}`;

/** In bytes, and in milliseconds since 1970. */
export function sizeAndTime(facts: string): { size: number; mtimeMs: number } {
  const first = facts.indexOf(" ");
  const second = facts.indexOf(" ", first + 1);
  const mtimeNs = facts.slice(first + 1, second);
  // Nanoseconds are more than a number holds; without their last six digits they are milliseconds.
  const mtimeMs = mtimeNs.length > NS_DIGITS + 1 ? Number(mtimeNs.slice(0, -NS_DIGITS)) : Number(BigInt(mtimeNs) / 1_000_000n);
  return { size: Number(facts.slice(0, first)), mtimeMs };
}

const NS_DIGITS = 6;
