/**
 * Blob ids of working files by stat key, in memory and in a file between starts, as git keeps them in its index.
 *
 * - A file whose stat key is that of its entry has the content of its entry. So an entry is recorded only if the
 *   modification time is older than the clock's resolution: a second change within it would leave the key as it is.
 * - Entries of the saved file count only under the conversions (attributes.ts) they were made with, else a changed
 *   `.gitattributes` would leave ids of bytes that git no longer stores.
 * - Nothing depends on an entry being there: without the file, all working files are read again.
 */
import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { Oid, Path } from "../../repo.ts";
import type { Fs } from "../fs.ts";

export interface StatCache {
  /** Reads the saved entries, which takes a while on a large site. To be awaited before `get`. */
  load(): Promise<void>;
  /** The blob id of a file if it has not changed since it was recorded. */
  get(path: Path, stat: BigIntStats): Oid | undefined;
  /** Records a file, unless it is too young. @param size of the bytes that were read, to detect a change meanwhile */
  set(path: Path, stat: BigIntStats, oid: Oid, size: number): void;
  delete(path: Path): void;
  /** Drops all entries, after the conversions have changed. */
  clear(): void;
  /** Saves the entries for the next start. */
  close(): Promise<void>;
}

/**
 * The stat key (stat-key.ts) as numbers, which are compared in a fifth of the time that its text takes. Times in
 * nanoseconds are exact to 256, a hundred thousandth of the resolution that `set` waits for.
 */
interface StatNumbers {
  readonly size: number;
  readonly mtimeNs: number;
  readonly ctimeNs: number;
  readonly ino: number;
}

interface Entry extends StatNumbers {
  readonly oid: Oid;
}

const entryOf = (oid: Oid, { size, mtimeNs, ctimeNs, ino }: Pick<BigIntStats, keyof StatNumbers>): Entry => ({
  oid,
  size: Number(size),
  mtimeNs: Number(mtimeNs),
  ctimeNs: Number(ctimeNs),
  ino: Number(ino),
});

const isOf = (entry: Entry, { size, mtimeNs, ctimeNs, ino }: BigIntStats): boolean =>
  entry.size === Number(size) &&
  entry.mtimeNs === Number(mtimeNs) &&
  entry.ctimeNs === Number(ctimeNs) &&
  entry.ino === Number(ino);

type Entries = ReadonlyMap<Path, Entry>;

/** Clock resolution of file systems; some count in seconds, one in two seconds. */
const RESOLUTION_MS = 30;
const COARSE_RESOLUTION_MS = 2_000;
/** With fewer new entries, reading those files again costs less than writing the whole cache. */
const MIN_CHANGES_TO_SAVE = 50;

/** @param fingerprint of the current conversions (attributes.ts) */
export function openStatCache(fs: Fs, file: string, fingerprint: () => string): StatCache {
  let saved: Entries | undefined;
  /** Entries since the start, which override the saved ones; undefined for deleted ones. */
  const recorded = new Map<Path, Entry | undefined>();
  const used = new Set<Path>();
  let changes = 0;

  async function load(): Promise<Entries> {
    while (!saved) {
      const current = fingerprint();
      const entries = await readEntries(fs, file, current);
      if (current === fingerprint()) saved = entries;
    }
    return saved;
  }

  return {
    async load() {
      await load();
    },

    get(path, stat) {
      const entry = recorded.has(path) ? recorded.get(path) : saved?.get(path);
      if (!entry || !isOf(entry, stat)) return undefined;
      used.add(path);
      return entry.oid;
    },

    set(path, stat, oid, size) {
      const resolution = stat.mtimeNs % 1_000_000_000n === 0n ? COARSE_RESOLUTION_MS : RESOLUTION_MS;
      const isOldEnough = Date.now() - Number(stat.mtimeMs) > resolution;
      if (isOldEnough && BigInt(size) === stat.size) {
        recorded.set(path, entryOf(oid, stat));
        used.add(path);
        changes++;
      } else recorded.set(path, undefined);
    },

    delete(path) {
      recorded.set(path, undefined);
    },

    clear() {
      recorded.clear();
      // Another process may have saved entries under the new conversions.
      saved = undefined;
    },

    async close() {
      if (changes < MIN_CHANGES_TO_SAVE) return;
      const entries = new Map(await load());
      for (const [path, entry] of recorded) {
        if (entry) entries.set(path, entry);
        else entries.delete(path);
      }
      for (const path of entries.keys()) if (!used.has(path)) entries.delete(path);
      await writeEntries(fs, file, fingerprint(), entries);
    },
  };
}

const OID_LENGTH = 40;
const SEPARATOR = "\t";
/** Paths that need no JSON escapes: no line break, tab or leading quote. */
const UNESCAPED = /^[^"\p{Cc}][^\p{Cc}]*$/u;

const headerOf = (fingerprint: string): string => `git-cms stat-cache 1${fingerprint && ` ${fingerprint}`}`;

/** One line an entry: blob id, stat key, tab, path. A file that is truncated or of another version has no entries. */
async function readEntries(fs: Fs, file: string, fingerprint: string): Promise<Entries> {
  try {
    const [header, ...lines] = (await fs.readFile(file)).toString().split("\n");
    if (header !== headerOf(fingerprint) || lines.pop() !== "") return new Map();
    return new Map(lines.map(parseLine));
  } catch {
    return new Map(); // missing or malformed: a cache is never an error
  }
}

function parseLine(line: string): [Path, Entry] {
  const end = line.indexOf(SEPARATOR, OID_LENGTH);
  if (end < 0) throw new Error("The stat cache has a malformed line");
  const path = line.slice(end + 1);
  const [size, mtimeNs, ctimeNs, ino, ...more] = line
    .slice(OID_LENGTH + 1, end)
    .split(" ")
    .map(Number);
  if (ino === undefined || more.length > 0) throw new Error("The stat cache has a malformed line");
  return [
    path.startsWith('"') ? (JSON.parse(path) as Path) : path,
    { oid: line.slice(0, OID_LENGTH), size: size!, mtimeNs: mtimeNs!, ctimeNs: ctimeNs!, ino },
  ];
}

/** Ignores disk errors: the next start then reads the working files instead. */
async function writeEntries(fs: Fs, file: string, fingerprint: string, entries: Entries): Promise<void> {
  const lines = [...entries].map(
    ([path, { oid, size, mtimeNs, ctimeNs, ino }]) =>
      `${oid} ${size} ${mtimeNs} ${ctimeNs} ${ino}${SEPARATOR}${UNESCAPED.test(path) ? path : JSON.stringify(path)}\n`,
  );
  const temporary = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const open = await fs.create(temporary, 0o600);
    try {
      await open.write(Buffer.from(`${headerOf(fingerprint)}\n${lines.join("")}`), 0);
    } finally {
      await open.close();
    }
    await fs.rename(temporary, file);
  } catch {
    await fs.unlink(temporary).catch(() => undefined); // it may not exist
  }
}
