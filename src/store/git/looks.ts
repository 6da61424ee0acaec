/**
 * What was seen of working files, kept between starts as git keeps it in its index: a file whose size, times and inode
 * are what they were has the bytes it had. What cannot be read is forgotten, and the files are read again.
 */
import { randomBytes } from "node:crypto";
import type { Oid, Path } from "../repo.ts";
import type { Fs } from "./fs.ts";

export interface Seen {
  readonly oid: Oid;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
}

const FIRST_LINE = "git-cms looks 1";
const LINE = /^([0-9a-f]{40}) (\d+) (-?\d+) (-?\d+) (\d+) (.+)$/;

export async function readLooks(fs: Fs, file: string): Promise<Map<Path, Seen>> {
  const looks = new Map<Path, Seen>();
  try {
    const lines = (await fs.readFile(file)).toString().split("\n");
    if (lines[0] !== FIRST_LINE || lines.at(-1) !== "") return looks; // of another version, or cut short
    for (const line of lines.slice(1, -1)) {
      const [, oid, size, mtimeNs, ctimeNs, ino, path] = LINE.exec(line) ?? [];
      if (path === undefined) return new Map();
      looks.set(JSON.parse(path) as Path, { oid: oid!, size: BigInt(size!), mtimeNs: BigInt(mtimeNs!), ctimeNs: BigInt(ctimeNs!), ino: BigInt(ino!) });
    }
    return looks;
  } catch {
    return new Map(); // none kept yet
  }
}

/** All or nothing. Where the disk refuses, the next start reads the files instead. */
export async function writeLooks(fs: Fs, file: string, looks: ReadonlyMap<Path, Seen>): Promise<void> {
  const lines = [...looks].map(([path, { oid, size, mtimeNs, ctimeNs, ino }]) => `${oid} ${size} ${mtimeNs} ${ctimeNs} ${ino} ${JSON.stringify(path)}\n`);
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
