/**
 * What is about to be committed, written down before the branch moves, so that a crash after that can be finished.
 *
 * One file a process, written over for each batch. A record cut short says that the branch had not moved yet.
 */
import { createHash } from "node:crypto";
import type { Oid, Path } from "../repo.ts";
import { removeIfExists, unlessMissing, type Fs, type OpenFile } from "./fs.ts";
import type { Scratch } from "./locks/scratch.ts";

export interface JournalPath {
  readonly path: Path;
  /** Blob id in the commit the batch was made on; null for none. */
  readonly base: Oid | null;
  /** Blob id of the working file that was planned for; null for none. */
  readonly before: Oid | null;
  readonly after: Oid | null;
}

export interface JournalRecord {
  /** Full name of the branch. */
  readonly ref: string;
  readonly old: Oid | null;
  readonly new: Oid;
  readonly paths: readonly JournalPath[];
}

export interface Journal {
  /** Durable when it answers. */
  write(record: JournalRecord): Promise<void>;
  /** The record's batch is complete. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const FILE = "journal";
const HASH_LENGTH = 40;

/** The journal of this process, in its scratch folder. */
export function openJournal(fs: Fs, scratch: Scratch): Journal {
  let open: { file: OpenFile; path: string } | undefined;

  async function begin(dir: string): Promise<{ file: OpenFile; path: string }> {
    const path = `${dir}/${FILE}`;
    await removeIfExists(fs, path);
    const file = await fs.create(path, 0o600);
    open = { file, path };
    await fs.syncDir(dir);
    return open;
  }

  async function end(): Promise<void> {
    const ending = open;
    open = undefined;
    await ending?.file.close();
    if (ending) await removeIfExists(fs, ending.path);
  }

  return {
    async write(record) {
      const text = JSON.stringify(record);
      const bytes = Buffer.from(`${checksum(text)} ${text}\n`);
      try {
        const { dir } = await scratch.make();
        // A file in a folder that is gone would take the record with it.
        if (open && open.path !== `${dir}/${FILE}`) await end();
        const { file } = open ?? (await begin(dir));
        await file.truncate(0);
        await file.write(bytes, 0);
        await file.sync();
      } catch (error) {
        // After a sync that failed, what the disk holds is unknown: the next record gets a new file.
        await end().catch(() => undefined);
        throw error;
      }
    },
    async clear() {
      await open?.file.truncate(0);
    },
    close: end,
  };
}

/** The record that a process left in its scratch folder; undefined when there is none, or it was cut short. */
export async function readJournal(fs: Fs, dir: string): Promise<JournalRecord | undefined> {
  const text = (await unlessMissing(fs.readFile(`${dir}/${FILE}`)))?.toString("utf8") ?? "";
  const body = text.slice(HASH_LENGTH + 1).trimEnd();
  // With its checksum right, the text is what `write` made of a record.
  return text.slice(0, HASH_LENGTH) === checksum(body) ? (JSON.parse(body) as JournalRecord) : undefined;
}

const checksum = (text: string): string => createHash("sha1").update(text).digest("hex");
