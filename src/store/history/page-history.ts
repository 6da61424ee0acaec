/** The past of pages, as commits tell it. */
import { CmsError } from "../../errors.ts";
import { own } from "../../model/json.ts";
import type { Locales } from "../../model/locale.ts";
import type { Id, Page } from "../../model/page.ts";
import { FileError } from "../codec/file-error.ts";
import type { FileChange, Files, History } from "./history.ts";
import { derivedId } from "../content/records/fields.ts";
import { getPage, kindOf, PAGE_KINDS } from "../content/indexes/page-models.ts";
import type { Snapshot } from "../content/snapshot.ts";

/** The commits that changed a page's live content, newest first; drafts stand in files of their own. */
export async function pageRevisions(
  { repo, codec }: Files,
  history: History,
  snapshot: Snapshot,
  id: Id,
): Promise<readonly FileChange[]> {
  const main = snapshot
    .pathsOf(kindOf(getPage(snapshot, id)), id)
    .find((path) => !/\.draft\.[^./]+\.ya?ml$/.test(path));
  return main === undefined ? [] : ownChanges({ repo, codec }, await history.changesOf(main), id);
}

/**
 * The changes that are a record's own. A file that was removed may have been another record's before: what is older counts
 * only when it bears the same id, as after a removal that was taken back.
 */
export async function ownChanges(files: Files, changes: readonly FileChange[], id: Id): Promise<readonly FileChange[]> {
  const own: FileChange[] = [];
  for (const [at, change] of changes.entries()) {
    if (change.after !== null) {
      own.push(change);
      continue;
    }
    const older = changes[at + 1];
    if (!older?.after || (await idOf(files, older)) !== id) break;
  }
  return own;
}

async function idOf({ repo, codec }: Files, { path, after }: FileChange): Promise<Id | undefined> {
  try {
    const id = own((await codec.decode(path, await repo.blob(after!))).data, "id");
    return typeof id === "number" ? id : derivedId(path.replace(/\.(ya?ml|md)$/, ""));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** The page as one of its revisions has it, without drafts. @throws CmsError `conflict` when that version does not load */
export async function pageAt({ repo, codec }: Files, { path, after }: FileChange, locales: Locales): Promise<Page> {
  const kind = PAGE_KINDS.find((each) => each.split(path))!;
  const { base, part } = kind.split(path)!;
  try {
    return kind.fromFiles(base, new Map([[part, await codec.decode(path, await repo.blob(after!))]]), locales);
  } catch (error) {
    if (!(error instanceof FileError) && !(error instanceof CmsError)) throw error;
    throw new CmsError("conflict", `The page cannot be read as it was then: ${error.message}`, { cause: error });
  }
}
