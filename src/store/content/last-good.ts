/**
 * The last version of a record that loads, for files that do not load at a start: each as it is in the newest commit in
 * which it loads. A running service has it from the content before.
 */
import { CmsError } from "../../errors.ts";
import type { FileContent } from "../codec/codec.ts";
import { FileError } from "../codec/file-error.ts";
import type { Oid, Path } from "../repo.ts";
import type { OwnershipContext } from "./ownership.ts";
import { DRAFT_PART } from "../records/draft-files.ts";
import { inPartOrder, mainPart, type AnyKind, type Base, type Entity, type Part } from "../records/record-type.ts";
import type { Entry } from "../snapshot.ts";

/** Versions of a file that are tried: one that was broken for longer is not served. */
const VERSIONS_MAX = 100;
/** Commits that are looked at for the versions of a draft, which the index of the history leaves out. */
const COMMITS_MAX = 1000;

/** @returns undefined where no version of the main file loads since it was last added */
export async function lastGoodEntry(
  loader: OwnershipContext,
  kind: AnyKind,
  base: Base,
  parts: readonly Part[],
  head: Oid | null,
): Promise<Entry | undefined> {
  if (head === null) return undefined;
  const contents = new Map<Part, FileContent>();
  const files = new Map<Part, Oid>();
  let record: Entity | undefined;
  for (const part of inPartOrder(parts)) {
    let tried = 0;
    for await (const version of versionsOf(loader, base, part, head)) {
      if (++tried > VERSIONS_MAX) break;
      // Before a file was renamed, it may have had another format.
      const partThen = kind.split(version.path)?.part ?? part;
      const now = await recordWith(loader, { kind, base }, contents, [partThen, version]);
      if (!now) continue;
      record = now;
      files.set(part, version.oid);
      break;
    }
    if (!record && part === mainPart(parts)) return undefined;
  }
  return record && { record, base, files };
}

interface Version {
  readonly path: Path;
  readonly oid: Oid;
}

/** The versions of a file since it was last added, newest first. */
async function* versionsOf(
  { repo, history }: OwnershipContext,
  base: Base,
  part: Part,
  head: Oid,
): AsyncGenerator<Version> {
  const path = base + part;
  const oid = (await repo.committed(head, [path])).get(path);
  if (!oid) return;
  yield { path, oid };
  const until = await repo.timeOf(head);
  for (const { path: pathThen, after, at } of (await history?.changesOf(path)) ?? []) {
    if (after === null) return;
    // In the content of a past commit, later changes have not been made.
    if (at <= until && after !== oid) yield { path: pathThen, oid: after };
  }
  if (!DRAFT_PART.test(part)) return;
  let seen = 0;
  for await (const { changed } of repo.log(head, null, [path])) {
    const change = changed.get(path);
    if (++seen > COMMITS_MAX || change?.before === null) return;
    if (change) yield { path, oid: change.before };
  }
}

/** @returns undefined where the files do not make a record; else `contents` has got the file */
async function recordWith(
  { repo, codec, locales }: OwnershipContext,
  { kind, base }: { readonly kind: AnyKind; readonly base: Base },
  contents: Map<Part, FileContent>,
  [part, { path, oid }]: readonly [Part, Version],
): Promise<Entity | undefined> {
  try {
    const content = await codec.decode(path, await repo.blob(oid));
    const record = kind.fromFiles(base, new Map(contents).set(part, content), locales) as Entity;
    contents.set(part, content);
    return record;
  } catch (error) {
    if (error instanceof FileError || error instanceof CmsError) return undefined;
    throw error;
  }
}
