/**
 * The write-ahead journal: records a batch before the branch moves, so that it can be finished after a crash.
 *
 * One file per process, overwritten for each batch. A truncated record means that the branch had not moved yet.
 */
import { createHash } from "node:crypto";
import type { Oid, Path } from "../repo.ts";
import { removeIfExists, unlessMissing, type Fs, type OpenFile } from "./fs.ts";
import type { Scratch } from "./locks/scratch.ts";

export interface JournalPath {
  readonly path: Path;
  /** Blob id in the batch's base commit; null for no file. */
  readonly base: Oid | null;
  /** Blob id of the working file when the batch was planned; null for no file. */
  readonly before: Oid | null;
  /** Blob id in the batch's last commit; null for a removed file. */
  readonly after: Oid | null;
  /** Modes of the entry before and after, where one of them is not that of a regular file. */
  readonly modes?: { readonly before: string | null; readonly after: string | null };
}

export interface JournalRecord {
  /** Full name of the branch. */
  readonly ref: string;
  readonly old: Oid | null;
  readonly new: Oid;
  readonly paths: readonly JournalPath[];
}

export interface Journal {
  /** The record is durable when this resolves. */
  write(record: JournalRecord): Promise<void>;
  /** Removes the record: its batch is complete. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

interface JournalFile {
  readonly file: OpenFile;
  readonly path: string;
  /** The length of its content, which the next record overwrites in place. */
  length: number;
}

const FILE = "journal";
/** In place of the first character of the checksum, which then is wrong. */
const CLEARED = Buffer.from("-");
const HASH_LENGTH = 40;

/** The journal of this process, in its scratch folder. */
export function openJournal(fs: Fs, scratch: Scratch): Journal {
  let open: JournalFile | undefined;

  async function create(dir: string): Promise<JournalFile> {
    const path = `${dir}/${FILE}`;
    await removeIfExists(fs, path);
    const file = await fs.create(path, 0o600);
    open = { file, path, length: 0 };
    await fs.syncDir(dir);
    return open;
  }

  async function closeFile(): Promise<void> {
    const current = open;
    open = undefined;
    await current?.file.close();
    if (current) await removeIfExists(fs, current.path);
  }

  return {
    async write(record) {
      const text = JSON.stringify(record);
      const bytes = Buffer.from(`${checksum(text)} ${text}\n`);
      try {
        const { dir } = await scratch.folder();
        // The scratch folder may have been removed, and the open file with it.
        if (open && open.path !== `${dir}/${FILE}`) await closeFile();
        const current = open ?? (await create(dir));
        await current.file.write([bytes], 0);
        if (bytes.length < current.length) await current.file.truncate(bytes.length);
        current.length = bytes.length;
        await current.file.sync();
      } catch (error) {
        // After a failed sync the content on disk is unknown, so the next record is written to a new file.
        await closeFile().catch(() => undefined);
        throw error;
      }
    },
    async clear() {
      // Truncated to nothing, the file would give up its block, and the next record would wait for another.
      await open?.file.write([CLEARED], 0);
    },
    close: closeFile,
  };
}

/** Reads the record in a scratch folder; undefined if there is none or it is truncated. */
export async function readJournal(fs: Fs, dir: string): Promise<JournalRecord | undefined> {
  const text = (await unlessMissing(fs.readFile(`${dir}/${FILE}`)))?.toString("utf8") ?? "";
  const body = text.slice(HASH_LENGTH + 1).trimEnd();
  // The checksum proves that `write` wrote the text.
  return text.slice(0, HASH_LENGTH) === checksum(body) ? (JSON.parse(body) as JournalRecord) : undefined;
}

const checksum = (text: string): string => createHash("sha1").update(text).digest("hex");
