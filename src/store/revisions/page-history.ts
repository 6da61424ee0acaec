/** Revisions of pages, from the history of their files. */
import { CmsError } from "../../errors.ts";
import { own } from "../../model/input/json.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { Id, Page } from "../../model/page/page.ts";
import { FileError } from "../codec/file-error.ts";
import type { FileSource } from "../history/history-index.ts";
import type { FileChange, History } from "../history/history.ts";
import { derivedId } from "../records/fields.ts";
import { getPage, kindOf, PAGE_KINDS } from "../content/indexes/pages-by-model.ts";
import { resolvedIn } from "../content/names/resolved-record.ts";
import type { Snapshot } from "../snapshot.ts";

/** The commits that changed a page's live content, newest first; drafts are in other files. */
export async function pageRevisions(
  source: FileSource,
  history: History,
  snapshot: Snapshot,
  id: Id,
): Promise<readonly FileChange[]> {
  const main = snapshot
    .pathsOf(kindOf(getPage(snapshot, id)), id)
    .find((path) => !/\.draft\.[^./]+\.ya?ml$/.test(path));
  return main === undefined ? [] : changesOfRecord(source, await history.changesOf(main), id);
}

/**
 * The changes of a file that belong to a record. Before a removal the file may have been another record's: older changes
 * count only if the file had the same id then, as after a reverted removal.
 */
export async function changesOfRecord(
  source: FileSource,
  changes: readonly FileChange[],
  id: Id,
): Promise<readonly FileChange[]> {
  const result: FileChange[] = [];
  for (const [at, change] of changes.entries()) {
    if (change.after !== null) result.push(change);
    else {
      const older = changes[at + 1];
      if (!older || (await idAt(source, older)) !== id) break;
    }
  }
  return result;
}

async function idAt({ repo, codec }: FileSource, { path, after }: FileChange): Promise<Id | undefined> {
  if (after === null) return undefined;
  try {
    const id = own((await codec.decode(path, await repo.blob(after))).data, "id");
    return typeof id === "number" ? id : derivedId(path.replace(/\.(ya?ml|md)$/, ""));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/**
 * The page at one of its revisions, without drafts. Names in its references stand for what they stand for now.
 *
 * @param content the present one
 * @throws CmsError `conflict` when that version does not load
 */
export async function pageAt(
  { repo, codec }: FileSource,
  { path, after, commit }: FileChange,
  content: Snapshot,
  locales: Locales,
): Promise<Page> {
  for (const kind of PAGE_KINDS) {
    const location = kind.split(path);
    if (!location || after === null) continue;
    try {
      const files = new Map([[location.part, await codec.decode(path, await repo.blob(after))]]);
      const page = kind.fromFiles(location.base, files, locales);
      return resolvedIn(content, locales, kind, location.base, page) as Page;
    } catch (error) {
      if (!(error instanceof FileError) && !(error instanceof CmsError)) throw error;
      throw new CmsError("conflict", `The page cannot be read as it was then: ${error.message}`, { cause: error });
    }
  }
  throw new CmsError("conflict", `${path} is no page in commit ${commit}.`);
}
