/** What a release would do if it went live now: what fails, which other releases are about the same, odd permalinks. */
import { keptBy } from "../../memo.ts";
import { CmsError, reasonOf } from "../../errors.ts";
import type { Instant } from "../../model/time/instant.ts";
import { own } from "../../model/input/json.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { langSuffix } from "../../model/language/locale.ts";
import type { Page } from "../../model/page/page.ts";
import type { Problem } from "../../model/text/problem.ts";
import { NO_ITEMS, type Release, type ReleaseItem } from "../../model/page/release.ts";
import { findPage, PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import { dueReleases, unpublishedReleases } from "../../store/content/indexes/releases.ts";
import type { Reader } from "../../store/records/record-type.ts";
import { RELEASES } from "../../store/records/releases.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { openTransaction } from "../../store/write/transaction.ts";
import { pace } from "../../time-slices.ts";
import { SERVICE, type Context } from "../context.ts";
import { numberedPermalinks, type NumberedPermalink } from "../pages/numbered-permalinks.ts";
import { readChange } from "../pages/page-saving.ts";
import { applyItems, type FailedItem } from "./release-items.ts";

export interface ReleaseCheck {
  /** Items that would fail: then the release is not published. */
  readonly failed: readonly FailedItem[];
  /** Why it fails as a whole, apart from its items. */
  readonly refusal: string | null;
  /** Items that would change nothing. */
  readonly idle: readonly ReleaseItem[];
  readonly overlaps: readonly Overlap[];
  /** The numbered permalinks of pages that go live with it; none where it fails. */
  readonly numbered: readonly NumberedPermalink[];
}

/** Another release that is not published, and an item of it that changes what an item of this one changes. */
export interface Overlap {
  readonly release: Release;
  readonly item: ReleaseItem;
  /** As drafts and payloads call them: `title_it`, `template`, `published_at_en`, `deleted_at`. */
  readonly fields: readonly string[];
}

/** @param content the newest one */
export async function checkRelease(ctx: Context, content: Snapshot, release: Release): Promise<ReleaseCheck> {
  const now = ctx.env.now();
  const fieldsOf = openFields(ctx, content, now);
  const idle: ReleaseItem[] = [];
  for (const item of release.items) {
    await pace();
    if (fieldsOf(item).length === 0 && findPage(content, item.page)) idle.push(item);
  }
  return {
    ...(await rehearse(ctx, content, release, now)),
    idle,
    overlaps: await overlapsOf(content, release, fieldsOf),
  };
}

/** Releases whose moment has passed, each with the reason why it is not published. */
export async function overdueProblems(ctx: Context, content: Snapshot, now: Instant): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const release of dueReleases(content, now)) {
    const { failed, refusal } = await rehearse(ctx, content, release, now);
    const reason =
      failed.length > 0 ? JSON.stringify(failed.map(({ item, errors }) => ({ ...item, errors }))) : refusal;
    const message = `It was to be published at ${release.publish_at}${reason === null ? " and waits for the next sweep." : `, and cannot be: ${reason}`}`;
    problems.push({ path: content.pathsOf(RELEASES, release.id)[0] ?? RELEASES.dir, message });
  }
  return problems;
}

/** Applies the release in a transaction that is never committed. */
async function rehearse(
  ctx: Context,
  content: Snapshot,
  release: Release,
  now: Instant,
): Promise<Pick<ReleaseCheck, "failed" | "refusal" | "numbered">> {
  const { tx, deferred, touched } = openTransaction(content, ctx.env, now);
  let failed: readonly FailedItem[] = [];
  applyItems(ctx, tx, release, (found) => (failed = found));
  try {
    for (const piece of deferred) {
      await pace();
      piece();
    }
    if (failed.length === 0) ctx.store.judge?.({ by: SERVICE, before: content, changes: touched().records, now });
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    return { failed, refusal: reasonOf(error), numbered: [] };
  }
  const refusal = release.items.length === 0 ? NO_ITEMS : null;
  if (failed.length > 0) return { failed, refusal, numbered: [] };
  const { records } = touched();
  const pages = new Set([
    ...release.items.map(({ page }) => page),
    ...PAGE_KINDS.flatMap((kind) => [...(records.get(kind)?.keys() ?? [])]),
  ]);
  const numbered = numberedPermalinks(ctx.locales, { content, now }, { content: tx, now }, pages);
  return { failed, refusal, numbered };
}

async function overlapsOf(content: Snapshot, release: Release, fieldsOf: FieldsOf): Promise<Overlap[]> {
  const own = new Map<number, ReleaseItem[]>();
  for (const item of release.items) own.set(item.page, [...(own.get(item.page) ?? []), item]);
  const overlaps: Overlap[] = [];
  for (const other of unpublishedReleases(content)) {
    if (other.id === release.id) continue;
    for (const item of other.items) {
      await pace();
      const ours = own.get(item.page);
      const fields = ours ? sharedFields(fieldsOf, ours, item) : [];
      if (fields.length > 0) overlaps.push({ release: other, item, fields });
    }
  }
  return overlaps;
}

/** In the trash no other change of the page is seen, so an item that moves it there overlaps with all others. */
function sharedFields(fieldsOf: FieldsOf, ours: readonly ReleaseItem[], other: ReleaseItem): readonly string[] {
  if (other.language === null || ours.some(({ language }) => language === null)) return [DELETED];
  const changed = new Set(ours.flatMap((item) => fieldsOf(item)));
  return fieldsOf(other).filter((field) => changed.has(field));
}

const DELETED = "deleted_at";

/** The fields that an item changes; none where its page is missing, or its draft is not valid. */
type FieldsOf = (item: ReleaseItem) => readonly string[];

/** Many releases can be about one page, whose draft is read once for all of them. */
function openFields(ctx: Context, reader: Reader, now: Instant): FieldsOf {
  const known = new Map<string, readonly string[]>();
  return (item) =>
    keptBy(known, `${item.page} ${item.language} ${item.action}`, () => fieldsOfItem(ctx, reader, item, now));
}

function fieldsOfItem(
  ctx: Context,
  reader: Reader,
  { page: id, language, action }: ReleaseItem,
  now: Instant,
): readonly string[] {
  const page = findPage(reader, id);
  if (!page) return [];
  if (language === null) return page.deleted_at ? [] : [DELETED];
  const stamp = `published_at_${langSuffix(language)}`;
  if (action === "unpublish") return page.translations[language]?.published_at ? [stamp] : [];
  return [...draftFields(ctx, reader, page, language), ...(isShown(page, language, now) ? [] : [stamp])];
}

const isShown = (page: Page, lang: string, now: Instant): boolean => isPublic({ ...page, deleted_at: null }, lang, now);

function draftFields(ctx: Context, reader: Reader, page: Page, lang: string): string[] {
  const draft = page.drafts[lang];
  if (!draft) return [];
  try {
    const { globals, texts } = readChange(ctx, reader, draft.payload, { lang, model: page.model });
    const translated = Object.entries(texts).flatMap(([code, text]) =>
      Object.keys(text).map((name) => `${name}_${langSuffix(code)}`),
    );
    const author = own(draft.payload, "author") === undefined ? [] : ["author"];
    return [...Object.keys(globals), ...author, ...translated];
  } catch (error) {
    if (error instanceof CmsError) return [];
    throw error;
  }
}
