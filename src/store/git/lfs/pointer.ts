/** Pointers of Git LFS: the small texts that git stores in place of files (git-lfs, docs/spec.md). */
import { createHash } from "node:crypto";
import { SNIFF_BYTES, lfsPointer } from "../../../model/media/media-type.ts";

export interface Pointer {
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  readonly size: number;
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The text of a pointer. An empty file has none: git stores it as it is. */
export const pointerText = ({ sha256, size }: Pointer): Uint8Array =>
  Buffer.from(size === 0 ? "" : `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`);

/** undefined for bytes that are no pointer. */
export function parsePointer(bytes: Uint8Array): Pointer | undefined {
  const found = bytes.length < SNIFF_BYTES ? lfsPointer(bytes) : undefined;
  return found?.oid ? { sha256: found.oid, size: found.size } : undefined;
}

/** What git stores for the bytes of a file: its pointer, or the bytes themselves where they are a pointer already. */
export const storedForm = (bytes: Uint8Array): Uint8Array =>
  parsePointer(bytes) ? bytes : pointerText({ sha256: sha256Of(bytes), size: bytes.length });
