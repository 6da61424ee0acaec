/** The past of pages and of what every page is rendered with, as commits tell it. */
import { createHash } from "node:crypto";
import { CmsError } from "../errors.ts";
import { instantOf, msOf, type Instant } from "../model/instant.ts";
import { own } from "../model/json.ts";
import type { Locales } from "../model/locale.ts";
import type { Id, Page } from "../model/page.ts";
import { decodeFile } from "./codec.ts";
import { FileError } from "./codec/file-error.ts";
import type { FileChange, History } from "./history.ts";
import { derivedId } from "./kinds/fields.ts";
import { getPage, kindOf, PAGE_KINDS } from "./page-kinds.ts";
import type { Oid, Path, Repo } from "./repo.ts";
import type { Snapshot } from "./snapshot.ts";

/** The commits that changed a page's live content, newest first; drafts stand in files of their own. */
export async function pageRevisions(repo: Repo, history: History, snapshot: Snapshot, id: Id): Promise<readonly FileChange[]> {
  const main = snapshot.pathsOf(kindOf(getPage(snapshot, id)), id).find((path) => !/\.draft\.[^./]+\.ya?ml$/.test(path));
  return main === undefined ? [] : ownChanges(repo, await history.changesOf(main), id);
}

/**
 * The changes that are a record's own. A file that was removed may have been another record's before: what is older counts
 * only when it bears the same id, as after a removal that was taken back.
 */
export async function ownChanges(repo: Repo, changes: readonly FileChange[], id: Id): Promise<readonly FileChange[]> {
  const own: FileChange[] = [];
  for (const [at, change] of changes.entries()) {
    if (change.after !== null) {
      own.push(change);
      continue;
    }
    const older = changes[at + 1];
    if (!older?.after || (await idOf(repo, older)) !== id) break;
  }
  return own;
}

async function idOf(repo: Repo, { path, after }: FileChange): Promise<Id | undefined> {
  try {
    const id = own(decodeFile(path, await repo.blob(after!)).data, "id");
    return typeof id === "number" ? id : derivedId(path.replace(/\.(ya?ml|md)$/, ""));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** The page as one of its revisions has it, without drafts. @throws CmsError `conflict` when that version does not load */
export async function pageAt(repo: Repo, { path, after }: FileChange, locales: Locales): Promise<Page> {
  const kind = PAGE_KINDS.find((each) => each.split(path))!;
  const { base, part } = kind.split(path)!;
  try {
    return kind.fromFiles(base, new Map([[part, decodeFile(path, await repo.blob(after!))]]), locales);
  } catch (error) {
    if (!(error instanceof FileError) && !(error instanceof CmsError)) throw error;
    throw new CmsError("conflict", `The page cannot be read as it was then: ${error.message}`, { cause: error });
  }
}

/** Whatever is in here, any page may show. */
const GLOBAL_DIRS = ["content/menus", "content/meta-types", "content/meta-instances"];
const CONTENTS_DIR = "content/contents";

/**
 * When what every page is rendered with last changed: menus, meta instances and their types, and content blocks that
 * belong to no page. null before the first of them is saved.
 *
 * A function of the history alone, so that clones agree: the commit's second, its milliseconds made of what changed, so
 * that two changes in one second differ (decisions.md 39). Uncommitted edits count with their file's time.
 */
export async function renderEpoch(repo: Repo, history: History, snapshot: Snapshot): Promise<Instant | null> {
  const moments = (await history.derived("epoch", async () => {
    const blocks = await history.newest((change) => isPageless(repo, change), CONTENTS_DIR);
    const others = await Promise.all(GLOBAL_DIRS.map((dir) => history.newest(() => true, dir)));
    return [blocks, ...others].flatMap((change) => (change ? [momentOf(change)] : []));
  })) as Instant[];
  const uncommitted = await editedByHand(repo, snapshot.commit);
  return [...moments, ...uncommitted].sort().at(-1) ?? null;
}

function momentOf({ commit, path, after, at }: FileChange): Instant {
  const digest = createHash("sha256").update(`${commit}\n${path}\n${after}`).digest();
  return instantOf(Math.floor(msOf(at) / 1000) * 1000 + (digest.readUInt32BE(0) % 1000));
}

async function isPageless(repo: Repo, { path, before, after }: { path: Path; before: Oid | null; after: Oid | null }): Promise<boolean> {
  for (const oid of [before, after]) if (oid !== null && (await pageOf(repo, path, oid)) === null) return true;
  return false;
}

/** The page a content block belongs to; null for one that belongs to none, or does not load. */
async function pageOf(repo: Repo, path: Path, oid: Oid): Promise<number | null> {
  try {
    const page = own(decodeFile(path, await repo.blob(oid)).data, "page");
    return typeof page === "number" ? page : null;
  } catch (error) {
    if (error instanceof FileError) return null;
    throw error;
  }
}

async function editedByHand(repo: Repo, head: Oid | null): Promise<Instant[]> {
  const files = await repo.files([...GLOBAL_DIRS, CONTENTS_DIR]);
  const committed = await repo.committed(head, [...files.keys()]);
  const edited: Instant[] = [];
  for (const [path, file] of files) {
    if (file.unreadable || committed.get(path) === (file.stored ?? file.oid)) continue;
    if (path.startsWith(CONTENTS_DIR)) {
      const bytes = await repo.read(path);
      if (bytes && pagelessBytes(path, bytes.bytes)) edited.push(instantOf(Math.floor(file.mtimeMs)));
    } else edited.push(instantOf(Math.floor(file.mtimeMs)));
  }
  return edited;
}

function pagelessBytes(path: Path, bytes: Uint8Array): boolean {
  try {
    return typeof own(decodeFile(path, bytes).data, "page") !== "number";
  } catch (error) {
    if (error instanceof FileError) return true;
    throw error;
  }
}
