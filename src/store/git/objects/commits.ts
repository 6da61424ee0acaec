/** Parses and encodes commit objects. */
import { CmsError } from "../../../errors.ts";
import type { Instant } from "../../../model/time/instant.ts";
import type { Oid, Signature } from "../../repo.ts";
import type { Objects } from "./objects.ts";
import { parseSignatureLine, signatureLine } from "./signature.ts";

export interface Commit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  /** Committer time. */
  readonly at: Instant;
  readonly message: string;
}

export interface CommitDraft {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  /** Seconds since 1970. */
  readonly authoredAt: number;
  readonly committer: Signature;
  /** Seconds since 1970. */
  readonly committedAt: number;
  readonly message: string;
}

/** @throws CmsError `not_found` if there is no such commit */
export async function readCommit(objects: Objects, id: Oid): Promise<Commit> {
  const object = await objects.read(id);
  if (object?.type !== "commit") throw new CmsError("not_found", `There is no commit ${id}.`);
  return parseCommit(object.content);
}

/** Removes NULs from the message, which git refuses, and ends it in one newline. */
export function encodeCommit(draft: CommitDraft): Buffer {
  const lines = [
    `tree ${draft.tree}`,
    ...draft.parents.map((parent) => `parent ${parent}`),
    `author ${signatureLine(draft.author, draft.authoredAt)}`,
    `committer ${signatureLine(draft.committer, draft.committedAt)}`,
    "",
    `${draft.message.replaceAll("\0", "").trimEnd()}\n`,
  ];
  return Buffer.from(lines.join("\n"));
}

/** Parses any commit. Unknown headers, such as a signature over several lines, are ignored. */
export function parseCommit(content: Buffer): Commit {
  const end = content.indexOf("\n\n");
  const head = content.toString("utf8", 0, end < 0 ? content.length : end);
  let tree = "";
  let author = "";
  let committer = "";
  let encoding = "";
  const parents: Oid[] = [];
  for (const line of head.split("\n")) {
    const space = line.indexOf(" ");
    const value = line.slice(space + 1);
    switch (line.slice(0, space)) {
      case "tree":
        tree = value;
        break;
      case "parent":
        parents.push(value);
        break;
      case "author":
        author ||= value;
        break;
      case "committer":
        committer ||= value;
        break;
      case "encoding":
        encoding = value;
        break;
    }
  }
  const message = end < 0 ? "" : decodeText(content.subarray(end + 2), encoding);
  return { tree, parents, author: parseSignatureLine(author).signature, at: parseSignatureLine(committer).at, message };
}

function decodeText(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding || "utf-8").decode(bytes);
  } catch {
    // An unknown encoding: wrong letters are better than no history.
    return bytes.toString("utf8");
  }
}
