/** One entry of git's index: stat data, id and flags, as in the file. */
import type { BigIntStats } from "node:fs";
import { REGULAR_MODE, type Oid } from "../../repo.ts";

export interface IndexEntry {
  /** Path, one character a byte. */
  readonly name: string;
  /** The bytes before the name. */
  readonly head: Buffer;
}

/** What an entry is replaced by; null removes it. */
export interface IndexUpdate {
  readonly oid: Oid;
  /** The stat of the working file; undefined if git shall read the file. */
  readonly stat: BigIntStats | undefined;
  /** As git writes it in trees; that of a regular file by default. */
  readonly mode?: string | undefined;
}

export const MTIME_OFFSET = 8;
const MTIME_NANOSECONDS_OFFSET = 12;
const MODE_OFFSET = 24;
const UID_OFFSET = 28;
const GID_OFFSET = 32;
export const SIZE_OFFSET = 36;
const OID_OFFSET = 40;
const OID_BYTES = 20;
const FLAGS_OFFSET = 60;
/** Length of the head with its 16 bits of flags; 16 more follow in an extended entry. */
const HEAD_BYTES = 62;
const EXTENDED = 0x4000;
const INTENT_TO_ADD = 0x2000;
const SKIP_WORKTREE = 0x4000;
const ASSUME_UNCHANGED = 0x8000;
const NAME_LENGTH_MAX = 0xfff;
const NANOSECONDS = 1_000_000_000n;

export const MIN_HEAD_BYTES = HEAD_BYTES;

const low32 = (value: bigint): number => Number(BigInt.asUintN(32, value));
const flagsOf = ({ head }: IndexEntry): number => head.readUInt16BE(FLAGS_OFFSET);
const extendedFlagsOf = ({ head }: IndexEntry): number =>
  head.length > HEAD_BYTES ? head.readUInt16BE(HEAD_BYTES) : 0;

/** Length of the head of the entry that starts at `at`. */
export const headLength = (bytes: Buffer, at: number, end: number): number =>
  at + HEAD_BYTES <= end && bytes.readUInt16BE(at + FLAGS_OFFSET) & EXTENDED ? HEAD_BYTES + 2 : HEAD_BYTES;

export const entryOid = ({ head }: IndexEntry): Oid => head.toString("hex", OID_OFFSET, OID_OFFSET + OID_BYTES);

/** In bytes, of the working file. 0 makes git read the file. */
export const entrySize = ({ head }: IndexEntry): number => head.readUInt32BE(SIZE_OFFSET);

/** As git writes it in trees: `100644`. */
export const entryMode = ({ head }: IndexEntry): string => head.readUInt32BE(MODE_OFFSET).toString(8);

/** 0 for an ordinary entry; 1 to 3 for the sides of a conflict. */
export const stageOf = ({ head }: IndexEntry): number => stageAt(head, 0);

/** The stage of the entry that starts at `at`. */
export const stageAt = (bytes: Buffer, at: number): number => (bytes.readUInt16BE(at + FLAGS_OFFSET) >> 12) & 3;

/**
 * Whether a file has the size and the modification time it had when git last read or wrote it.
 *
 * The other stat fields are ignored, as with `core.checkStat=minimal`, because they differ in a copied repository.
 */
export function isStatUnchanged({ head }: IndexEntry, { mtimeNs, size }: BigIntStats): boolean {
  return (
    head.readUInt32BE(MTIME_OFFSET) === low32(mtimeNs / NANOSECONDS) &&
    head.readUInt32BE(MTIME_NANOSECONDS_OFFSET) === low32(mtimeNs % NANOSECONDS) &&
    head.readUInt32BE(SIZE_OFFSET) === low32(size)
  );
}

/** Whether it announces a file without content (`git add --intent-to-add`). */
export const isIntentToAdd = (entry: IndexEntry): boolean => (extendedFlagsOf(entry) & INTENT_TO_ADD) !== 0;

/** Whether git ignores changes of the working file (`--assume-unchanged`, `--skip-worktree`). */
export const isExcludedFromStatus = (entry: IndexEntry): boolean =>
  (flagsOf(entry) & ASSUME_UNCHANGED) !== 0 || (extendedFlagsOf(entry) & SKIP_WORKTREE) !== 0;

/** Whether the entry has the stat data of the working file. */
export const hasStat = ({ head }: IndexEntry): boolean => head.readUInt32BE(0) !== 0;

/** Equal for equal entries. Ignores the size, which git sets to 0 for racily clean entries. */
export const indexEntryKey = ({ head }: IndexEntry): string =>
  head.toString("latin1", 0, SIZE_OFFSET) + head.toString("latin1", OID_OFFSET);

export function createEntry(name: string, { oid, stat, mode = REGULAR_MODE }: IndexUpdate): IndexEntry {
  const head = Buffer.alloc(HEAD_BYTES);
  if (stat) {
    const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = stat;
    const times = [ctimeNs / NANOSECONDS, ctimeNs % NANOSECONDS, mtimeNs / NANOSECONDS, mtimeNs % NANOSECONDS];
    for (const [i, field] of [...times, dev, ino].entries()) head.writeUInt32BE(low32(field), i * 4);
    head.writeUInt32BE(low32(uid), UID_OFFSET);
    head.writeUInt32BE(low32(gid), GID_OFFSET);
    head.writeUInt32BE(low32(size), SIZE_OFFSET);
  }
  head.writeUInt32BE(Number.parseInt(mode, 8), MODE_OFFSET);
  head.write(oid, OID_OFFSET, "hex");
  head.writeUInt16BE(Math.min(name.length, NAME_LENGTH_MAX), FLAGS_OFFSET);
  return { name, head };
}
