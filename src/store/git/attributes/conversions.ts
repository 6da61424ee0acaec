/** Content between the working tree and what git stores: the rules of eol.ts, applied to the files of a repository. */
import type { BigIntStats } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { isPrepared, type Content, type Oid, type Path } from "../../repo.ts";
import type { Attributes } from "./attributes.ts";
import { isAuto, isStoredWithCrlf, mayConvert, toStored, toWorking } from "./eol.ts";
import { BrokenIndex, entriesOf, entryOid, isAsLeft, stageOf, type IndexEntry } from "../index/index-format.ts";
import type { IndexOnDisk } from "../index/index-file.ts";
import type { Objects } from "../objects/objects.ts";

export interface Conversions extends Attributes {
  /**
   * What git stores of a working file with these bytes; of a file that git has filtered, the bytes themselves.
   *
   * @returns with it, whether the same bytes will be stored the same; otherwise it depends on what was stored before
   */
  toStored(path: Path, bytes: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly isLasting: boolean }>;
  contentToStored(path: Path, content: Content): Promise<Content>;
  /** What a checkout writes of content that is stored. */
  toWorking(path: Path, content: Content): Promise<Content>;
  /** Whether a large file may have to be converted, so that it must be read as a whole. @param file absolute path */
  concerns(path: Path, file: string): Promise<boolean>;
  /** The blob id the index has for a file that git has filtered, when the file is as git left it. */
  asLeft(path: Path, stat: BigIntStats): Promise<Oid | undefined>;
}

/** A file with a NUL is no text, and nearly all files that are none have one here. */
const HEAD_BYTES = 8192;

export function openConversions(attributes: Attributes, index: IndexOnDisk, objects: Objects): Conversions {
  async function indexEntry(path: Path): Promise<IndexEntry | undefined> {
    try {
      const read = await index.read();
      return read && entriesOf(read, path).find((entry) => stageOf(entry) === 0);
    } catch (error) {
      if (error instanceof BrokenIndex) return undefined; // a write reports it
      throw error;
    }
  }

  async function isStoredSo(path: Path): Promise<boolean> {
    const entry = await indexEntry(path);
    const blob = entry && (await objects.read(entryOid(entry)));
    return blob !== undefined && isStoredWithCrlf(blob.content);
  }

  /** Git asks the index, as the one place that says what is stored for a path. */
  async function stored(path: Path, bytes: Uint8Array): Promise<{ bytes: Uint8Array; isLasting: boolean }> {
    const { eol, foreign } = attributes.of(path);
    if (foreign !== undefined || !mayConvert(bytes, eol)) return { bytes, isLasting: true };
    const isStored = isAuto(eol) && (await isStoredSo(path));
    return { bytes: toStored(bytes, eol, isStored), isLasting: !isStored };
  }

  async function concerns(path: Path, file: string): Promise<boolean> {
    const { eol, foreign } = attributes.of(path);
    if (foreign !== undefined || eol === "keep") return false;
    return !isAuto(eol) || !(await hasNul(file));
  }

  return {
    get setting() {
      return attributes.setting;
    },
    of: (path) => attributes.of(path),
    update: (folders) => attributes.update(folders),
    toStored: stored,
    concerns,

    async contentToStored(path, content) {
      if (!isPrepared(content)) return (await stored(path, content)).bytes;
      if (!(await concerns(path, content.file))) return content;
      const whole = await readFile(content.file);
      const { bytes } = await stored(path, whole);
      return bytes === whole ? content : bytes;
    },

    async toWorking(path, content) {
      const { eol, foreign } = attributes.of(path);
      if (foreign !== undefined) return content;
      if (!isPrepared(content)) return toWorking(content, eol);
      if (eol === "keep" || eol === "lf" || eol === "auto-lf" || !(await concerns(path, content.file))) return content;
      const whole = await readFile(content.file);
      const working = toWorking(whole, eol);
      return working === whole ? content : working;
    },

    async asLeft(path, stat) {
      if (attributes.of(path).foreign === undefined) return undefined;
      const entry = await indexEntry(path);
      return entry && isAsLeft(entry, stat) ? entryOid(entry) : undefined;
    },
  };
}

async function hasNul(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await handle.close();
  }
}
