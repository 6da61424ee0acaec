/** Git objects, and the id that follows from their content. */
import { derived } from "../../../memo.ts";
import { createHash } from "node:crypto";
import type { Oid } from "../../repo.ts";

export type ObjectType = "blob" | "tree" | "commit" | "tag";

export interface GitObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

export interface NewObject {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly content: Uint8Array;
  /** An object of the same type with nearly the same content, from which it was made. */
  readonly basedOn?: Oid | undefined;
}

/** A blob whose content is in a file, because it may be too large for memory. */
export interface FileBlob {
  readonly oid: Oid;
  readonly type: "blob";
  /** Absolute path. */
  readonly file: string;
  readonly size: number;
}

/**
 * The id of a blob, computed once for the same bytes: a write asks for it when it is planned, prepared and loaded. They must
 * not be changed any more.
 */
export const blobOidOf = derived((content: Uint8Array): Oid => oidOf("blob", content));

export function oidOf(type: ObjectType, content: Uint8Array): Oid {
  return createHash("sha1").update(`${type} ${content.length}\0`).update(content).digest("hex");
}

export const newObject = (type: ObjectType, content: Uint8Array): NewObject => ({
  oid: oidOf(type, content),
  type,
  content,
});
