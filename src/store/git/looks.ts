/**
 * What was seen of working files, kept between starts as git keeps it in its index: a file whose size, times and inode
 * are what they were has the bytes it had. What cannot be read is forgotten, and the files are read again.
 */
import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { Oid, Path } from "../repo.ts";
import type { Fs } from "./fs.ts";

export interface Seen {
  readonly oid: Oid;
  /** What the file system said of the file, as `factsOf` puts it. */
  readonly facts: string;
}

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

const FIRST_LINE = "git-cms looks 2";
const OID_LENGTH = 40;
const BETWEEN = "\t";

export async function readLooks(fs: Fs, file: string): Promise<Map<Path, Seen>> {
  const looks = new Map<Path, Seen>();
  try {
    const lines = (await fs.readFile(file)).toString().split("\n");
    if (lines[0] !== FIRST_LINE || lines.at(-1) !== "") return looks; // of another version, or cut short
    for (let at = 1; at < lines.length - 1; at++) {
      const line = lines[at]!;
      const end = line.indexOf(BETWEEN, OID_LENGTH);
      if (end < 0) return new Map();
      // No path has a line break or a tab that JSON would not have written otherwise.
      const path = line.slice(end + 1);
      looks.set(path.startsWith('"') ? (JSON.parse(path) as Path) : path, { oid: line.slice(0, OID_LENGTH), facts: line.slice(OID_LENGTH + 1, end) });
    }
    return looks;
  } catch {
    return new Map(); // none kept yet
  }
}

/** All or nothing. Where the disk refuses, the next start reads the files instead. */
export async function writeLooks(fs: Fs, file: string, looks: ReadonlyMap<Path, Seen>): Promise<void> {
  const lines = [...looks].map(([path, { oid, facts }]) => `${oid} ${facts}${BETWEEN}${PLAIN.test(path) ? path : JSON.stringify(path)}\n`);
  const partial = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const open = await fs.create(partial, 0o600);
    try {
      await open.write(Buffer.from(`${FIRST_LINE}\n${lines.join("")}`), 0);
    } finally {
      await open.close();
    }
    await fs.rename(partial, file);
  } catch {
    await fs.unlink(partial).catch(() => undefined); // never made
  }
}

const PLAIN = /^[^"\p{Cc}][^\p{Cc}]*$/u;
