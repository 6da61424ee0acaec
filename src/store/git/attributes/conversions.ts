/** Converts content between the working tree and git's storage: the rules of eol.ts, applied to the repository's files. */
import type { BigIntStats } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { relative } from "node:path";
import { CmsError } from "../../../errors.ts";
import { isPrepared, type Content, type Oid, type Path, type PreparedFile } from "../../repo.ts";
import { prepareFile } from "../objects/file-content.ts";
import type { Attributes } from "./attributes.ts";
import { isAuto, isStoredWithCrlf, mayConvert, toStored, toWorking } from "./eol.ts";
import { entryOid, isStatUnchanged, stageOf, type IndexEntry } from "../index/index-entry.ts";
import { BrokenIndex, entriesOf } from "../index/index-format.ts";
import type { IndexOnDisk } from "../index/index-file.ts";
import { sha256OfFile, type LfsObjects } from "../lfs/lfs-objects.ts";
import { parsePointer, pointerText, storedForm } from "../lfs/pointer.ts";
import { oidOf } from "../objects/object.ts";
import type { Objects } from "../objects/objects.ts";

export interface Conversions extends Attributes {
  /**
   * The content git stores for the bytes of a working file; the same bytes if they have an unsupported attribute.
   *
   * @returns `isCacheable`: whether equal bytes always give equal content; false if it depends on what is in the index
   */
  toStored(path: Path, bytes: Uint8Array): Promise<{ readonly bytes: Uint8Array; readonly isCacheable: boolean }>;
  contentToStored(path: Path, content: Content): Promise<Content>;
  /** What a checkout writes of stored content. */
  toWorking(path: Path, content: Content): Promise<Content>;
  /** Whether a large file may need conversion, for which it is read as a whole. @param file its absolute path */
  mayConvertFile(path: Path, file: string): Promise<boolean>;
  /** The blob id of the pointer of a large file in Git LFS. @param file its absolute path */
  pointerOid(file: string, size: number): Promise<Oid>;
  /** The blob id in the index for a file with an unsupported attribute, if git wrote the file and it is unchanged. */
  filteredOid(path: Path, stat: BigIntStats): Promise<Oid | undefined>;
}

/** Nearly all binary files have a NUL in their first bytes, by which git tells them from text. */
const BINARY_CHECK_BYTES = 8192;

export interface ConversionOptions {
  readonly root: string;
  readonly attributes: Attributes;
  readonly index: IndexOnDisk;
  readonly objects: Objects;
  readonly lfs: LfsObjects;
}

export function openConversions({ root, attributes, index, objects, lfs }: ConversionOptions): Conversions {
  async function indexEntry(path: Path): Promise<IndexEntry | undefined> {
    try {
      const read = await index.read();
      return read && entriesOf(read, path).find((entry) => stageOf(entry) === 0);
    } catch (error) {
      if (error instanceof BrokenIndex) return undefined; // the next write reports it
      throw error;
    }
  }

  async function hasCrlfInIndex(path: Path): Promise<boolean> {
    const entry = await indexEntry(path);
    const blob = entry && (await objects.read(entryOid(entry)));
    return blob !== undefined && isStoredWithCrlf(blob.content);
  }

  /** For `auto`, git keeps CRLF if the content in the index has it. */
  async function bytesToStored(path: Path, bytes: Uint8Array): Promise<{ bytes: Uint8Array; isCacheable: boolean }> {
    const { eol, unsupported, isLfs } = attributes.of(path);
    if (isLfs) return { bytes: storedForm(bytes), isCacheable: true };
    if (unsupported !== undefined || !mayConvert(bytes, eol)) return { bytes, isCacheable: true };
    const keepsCrlf = isAuto(eol) && (await hasCrlfInIndex(path));
    return { bytes: toStored(bytes, eol, keepsCrlf), isCacheable: !keepsCrlf };
  }

  async function mayConvertFile(path: Path, file: string): Promise<boolean> {
    const { eol, unsupported } = attributes.of(path);
    if (unsupported !== undefined || eol === "keep") return false;
    return !isAuto(eol) || !(await hasNul(file));
  }

  /** Whether a file to be stored is a working file in Git LFS, so that its id is that of its pointer. */
  function isInLfs({ file }: PreparedFile): boolean {
    const path = relative(root, file).replaceAll("\\", "/");
    return !path.startsWith("..") && attributes.of(path).isLfs === true;
  }

  /** For a file that is moved to a path outside of Git LFS. @throws CmsError `conflict` when its object was not fetched */
  async function outOfLfs(path: Path, { file, size }: PreparedFile): Promise<PreparedFile> {
    const pointer = size < BINARY_CHECK_BYTES ? parsePointer(await readFile(file)) : undefined;
    if (!pointer) return prepareFile(file);
    const object = await lfs.find(pointer);
    if (object) return prepareFile(object.file);
    throw new CmsError("conflict", `${path} cannot be written: its source is a Git LFS pointer. Run \`git lfs pull\`.`);
  }

  /** The object of a pointer; the pointer itself when it was not fetched, as `git lfs` writes it then. */
  async function objectOf(content: Content): Promise<Content> {
    const pointer = isPrepared(content) ? undefined : parsePointer(content);
    return (pointer && (await lfs.find(pointer))) ?? content;
  }

  return {
    get fingerprint() {
      return attributes.fingerprint;
    },
    get lfsFolder() {
      return attributes.lfsFolder;
    },
    of: (path) => attributes.of(path),
    update: (folders) => attributes.update(folders),
    toStored: bytesToStored,
    mayConvertFile,

    pointerOid: async (file, size) => oidOf("blob", pointerText({ sha256: await sha256OfFile(file), size })),

    async contentToStored(path, content) {
      if (attributes.of(path).isLfs) return lfs.put(content);
      if (isPrepared(content) && (content.pointer || isInLfs(content))) return outOfLfs(path, content);
      if (!isPrepared(content)) return (await bytesToStored(path, content)).bytes;
      if (!(await mayConvertFile(path, content.file))) return content;
      const whole = await readFile(content.file);
      const { bytes } = await bytesToStored(path, whole);
      return bytes === whole ? content : bytes;
    },

    async toWorking(path, content) {
      const { eol, unsupported, isLfs } = attributes.of(path);
      if (unsupported !== undefined) return content;
      if (isLfs) return objectOf(content);
      if (!isPrepared(content)) return toWorking(content, eol);
      const writesCrlf = eol === "crlf" || eol === "auto-crlf";
      if (!writesCrlf || !(await mayConvertFile(path, content.file))) return content;
      const whole = await readFile(content.file);
      const working = toWorking(whole, eol);
      return working === whole ? content : working;
    },

    async filteredOid(path, stat) {
      if (attributes.of(path).unsupported === undefined) return undefined;
      const entry = await indexEntry(path);
      return entry && isStatUnchanged(entry, stat) ? entryOid(entry) : undefined;
    },
  };
}

async function hasNul(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BINARY_CHECK_BYTES), 0, BINARY_CHECK_BYTES, 0);
    return buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await handle.close();
  }
}
