/**
 * What was seen of working files, kept between starts as git keeps it in its index: a file whose size, times and inode
 * are what they were has the bytes it had. What cannot be read is forgotten, and the files are read again.
 */
import { randomBytes } from "node:crypto";
import type { Oid, Path } from "../../repo.ts";
import type { Fs } from "../fs.ts";

export interface Seen {
  readonly oid: Oid;
  /** What the file system said of the file, as `factsOf` (facts.ts) puts it. */
  readonly facts: string;
}

const firstLine = (setting: string): string => `git-cms looks 2${setting && ` ${setting}`}`;
const OID_LENGTH = 40;
const BETWEEN = "\t";

/** @param setting how bytes are converted (attributes.ts): ids found under another one do not count */
export async function readLooks(fs: Fs, file: string, setting: string): Promise<Map<Path, Seen>> {
  const looks = new Map<Path, Seen>();
  try {
    const lines = (await fs.readFile(file)).toString().split("\n");
    if (lines[0] !== firstLine(setting) || lines.at(-1) !== "") return looks; // of another version, or cut short
    for (let at = 1; at < lines.length - 1; at++) {
      const line = lines[at]!;
      const end = line.indexOf(BETWEEN, OID_LENGTH);
      if (end < 0) return new Map();
      // No path has a line break or a tab that JSON would not have written otherwise.
      const path = line.slice(end + 1);
      looks.set(path.startsWith('"') ? (JSON.parse(path) as Path) : path, {
        oid: line.slice(0, OID_LENGTH),
        facts: line.slice(OID_LENGTH + 1, end),
      });
    }
    return looks;
  } catch {
    return new Map(); // none kept yet
  }
}

/** All or nothing. Where the disk refuses, the next start reads the files instead. */
export async function writeLooks(fs: Fs, file: string, setting: string, looks: ReadonlyMap<Path, Seen>): Promise<void> {
  const lines = [...looks].map(
    ([path, { oid, facts }]) => `${oid} ${facts}${BETWEEN}${PLAIN.test(path) ? path : JSON.stringify(path)}\n`,
  );
  const partial = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const open = await fs.create(partial, 0o600);
    try {
      await open.write(Buffer.from(`${firstLine(setting)}\n${lines.join("")}`), 0);
    } finally {
      await open.close();
    }
    await fs.rename(partial, file);
  } catch {
    await fs.unlink(partial).catch(() => undefined); // never made
  }
}

const PLAIN = /^[^"\p{Cc}][^\p{Cc}]*$/u;
