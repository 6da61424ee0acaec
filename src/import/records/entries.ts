/**
 * Pages and articles of an import, in two rounds: the first gives every page its id and its permalinks, the second
 * resolves the links in its texts, which need those of all others, and checks it as every write does.
 */
import { blankPage, checkPage, putPage, saveLive, siteOf, takeAliases } from "../../actions/pages/page-saving.ts";
import { CmsError, invalid, refuseInvalid, sentencesOf } from "../../errors.ts";
import { settlePermalinks, type Site } from "../../model/address/page-permalinks.ts";
import { isObject, objectOf, own, type JsonObject } from "../../model/input/json.ts";
import type { Offsets } from "../../model/front-matter/foreign-moment.ts";
import { withOffset, type Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import { ARTICLE_MODEL, textOf, withText, type Id, type Page, type PageText } from "../../model/page/page.ts";
import { numberedPermalink } from "../../model/address/generated-permalink.ts";
import { sanitizePermalink } from "../../model/address/permalink.ts";
import { isReserved } from "../../model/address/possible-names.ts";
import { highestOrdering, pageIndex } from "../../store/content/indexes/page-index.ts";
import { encodeFile } from "../../store/codec/codec.ts";
import { FileError } from "../../store/codec/file-error.ts";
import { isSurelyStorable } from "../../store/codec/yaml/guard.ts";
import { findPage, findParent, kindOf } from "../../store/content/indexes/pages-by-model.ts";
import { withDrafts } from "./drafts.ts";
import { compare, noteWritten, resolved, type ImportRun } from "../import-run.ts";
import type { ImportedEntry, SourceId } from "../imported-site.ts";
import { pageOfEntry, WHOLE_VALUES } from "./page-of-entry.ts";
import { withSections } from "./sections.ts";
import type { Outcome } from "../plan.ts";

/** An entry that is to be written. */
export interface OpenEntry {
  readonly entry: ImportedEntry;
  readonly id: Id;
  /** Before the import; undefined for a new page. */
  readonly before: Page | undefined;
}

/** The positions of new pages. */
export interface Orderings {
  next(model: string): number;
}

/** `highestOrdering` reads all pages of a transaction, so it is asked once for each kind. */
export function openOrderings({ library: { tx } }: ImportRun): Orderings {
  const highest = new Map<string, number>();
  return {
    next(model) {
      const kind = kindOf({ model });
      const next = 1 + (highest.get(kind.name) ?? highestOrdering(tx, kind));
      highest.set(kind.name, next);
      return next;
    },
  };
}

/** The first round. @returns undefined for an entry that stays as it is */
export function placeEntry(run: ImportRun, given: ImportedEntry, orderings: Orderings): OpenEntry | undefined {
  const { tx, ctx } = run.library;
  const entry = withSections(run, given);
  const compared = { source: entry.source, title: entryTitle(entry) };
  const { outcome, row, from, isKept } = compare(run, compared, importedPart(run, entry));
  if (isKept) return undefined;
  const before = row && outcome === "updated" ? findPage(tx, row.id) : takenOver(run, entry);
  const { page, remarks } = pageOfEntry(entry, before ?? blankFor(run, entry, orderings), ctx.locales, tx.now);
  for (const message of remarks) run.report.remark({ ...entry.place, message });
  const placed = withFreeAddresses(run, entry, withReferences(run, entry, page), before);
  putPage(tx, placed);
  noteWritten(run, entry.source, kindOf(placed).name, placed.id, from);
  return { entry, id: placed.id, before };
}

/** The second round. An entry that cannot be stored is reported, and the page is as it was before. */
export function writeEntry(run: ImportRun, { entry, id, before }: OpenEntry): void {
  const { tx, ctx } = run.library;
  const page = withLinks(run, entry, findPage(tx, id)!);
  const title = entryTitle(entry);
  const report = (stored: Id | null, outcome: Outcome): void =>
    run.report.add({ source: entry.source, kind: kindOf(page).name, title, id: stored, outcome });
  try {
    const saved = before ? saveLive(ctx, tx, page, before) : saveNew(run, page);
    const drafted = withDrafts(run, entry, saved);
    if (entry.updated || drafted !== saved)
      putPage(tx, { ...drafted, date_updated_at: entry.updated ?? saved.date_updated_at });
    refuseUnstorable(run, findPage(tx, id)!);
    tx.form(id, (data) => withZones(data, entry.offsets));
    report(id, before ? "updated" : "created");
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== "invalid") throw error;
    if (before) putPage(tx, before);
    else tx.remove(kindOf(page), id);
    run.ids.delete(entry.source);
    run.rows.delete(entry.source);
    run.report.remark({ ...entry.place, message: `It is not imported: ${sentencesOf(error.fields)}` });
    report(null, "failed");
  }
}

const MOMENTS: ReadonlySet<string> = new Set(["date_created", "date_updated_at", "published_at"]);

/** The data of a page's file with its moments as the source writes them, in the zone that it has. */
function withZones(data: JsonObject, offsets: Offsets = {}): JsonObject {
  const zoned = (values: JsonObject): JsonObject =>
    objectOf(
      Object.entries(values).map(([name, value]) => {
        const offset = MOMENTS.has(name) && typeof value === "string" ? own(offsets, value) : undefined;
        return [name, offset === undefined ? value : withOffset(value as Instant, offset)] as const;
      }),
    );
  const { translations } = data;
  const inZones = zoned(data);
  if (!isObject(translations)) return inZones;
  const texts = Object.entries(translations).map(
    ([lang, text]) => [lang, isObject(text) ? zoned(text) : text] as const,
  );
  return { ...inZones, translations: objectOf(texts) };
}

/** Here, since the whole import would fail with one page that no file can have: its text is too long, or has too many keys. */
function refuseUnstorable({ ctx }: ImportRun, page: Page): void {
  // Its files have less than the page.
  if (isSurelyStorable(page)) return;
  const kind = kindOf(page);
  for (const [part, content] of kind.toFiles(page, ".yaml", ctx.locales)) {
    try {
      encodeFile(part, content, undefined, kind.order(part));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      throw invalid({ non_field_errors: [`Its file ${error.reason}.`] });
    }
  }
}

/** All but its place, and what the site cannot have: an entry is changed once a language or its template is added. */
function importedPart({ ctx }: ImportRun, entry: ImportedEntry): object {
  const isKnown = (lang: Lang): boolean => ctx.locales.codes.includes(lang);
  const texts = Object.keys(entry.texts).every(isKnown)
    ? entry.texts
    : objectOf(Object.entries(entry.texts).filter(([lang]) => isKnown(lang)));
  const part = { ...entry, place: undefined, offsets: undefined, texts };
  return part.template === undefined || ctx.hasTemplate(part.template) ? part : { ...part, template: undefined };
}

export function entryTitle({ source, texts }: ImportedEntry): string {
  for (const { fields } of Object.values(texts)) if (typeof fields.title === "string") return fields.title;
  return source;
}

/** With `force`, a page that has the wanted address and is of no import becomes the page of the entry. */
function takenOver(run: ImportRun, entry: ImportedEntry): Page | undefined {
  if (!run.force) return undefined;
  for (const [lang, { permalink }] of Object.entries(entry.texts)) {
    if (permalink === undefined) continue;
    const owner = pageIndex(run.library.tx).byPermalink(lang, sanitizePermalink(permalink));
    if (owner && !run.importedIds.has(owner.id) && kindOf(owner) === kindOf(entry)) return owner;
  }
  return undefined;
}

function blankFor({ library: { tx } }: ImportRun, { model, identifier }: ImportedEntry, orderings: Orderings): Page {
  const isFree = identifier !== undefined && pageIndex(tx).byIdentifier(model, identifier) === undefined;
  return { ...blankPage(tx, model, orderings.next(model)), ...(isFree && { identifier }) };
}

/** References to records that are not imported are left out. */
function withReferences(run: ImportRun, entry: ImportedEntry, page: Page): Page {
  const { tx } = run.library;
  const idOf = (source: SourceId | undefined, what: string): Id | null => {
    const id = source === undefined ? undefined : run.ids.get(source);
    if (source !== undefined && id === undefined)
      run.report.remark({ ...entry.place, message: `Its ${what} ${source} is not imported, and is left out.` });
    return id ?? null;
  };
  const parent = idOf(entry.parent, "parent");
  const isFitting = parent !== null && parent !== page.id && findParent(tx, parent, page) !== undefined;
  const isArticle = page.model === ARTICLE_MODEL;
  return {
    ...page,
    parent_page: isFitting ? parent : null,
    deleted_at: entry.isTrashed ? (entry.trashed ?? page.deleted_at ?? tx.now) : null,
    ...templateFor(run, entry, page),
    ...(entry.ogImage !== undefined && { og_image: idOf(entry.ogImage, "image") }),
    ...(isArticle && {
      ...(entry.highlightImage !== undefined && { highlight_image: idOf(entry.highlightImage, "image") }),
      tags: [...new Set((entry.tags ?? []).flatMap((tag) => idOf(tag, "tag") ?? []))],
      ...(page.author && { author: { ...page.author, id: accountOf(run, entry) ?? page.author.id } }),
    }),
  };
}

const accountOf = ({ ids }: ImportRun, { authorAccount }: ImportedEntry): Id | undefined =>
  authorAccount === undefined ? undefined : ids.get(authorAccount);

/** A template that the site lacks is kept by name in `template_data`: the page has that of its model. */
function templateFor(run: ImportRun, entry: ImportedEntry, page: Page): Partial<Page> {
  const { template } = entry;
  if (template === undefined) return {};
  if (run.ctx.hasTemplate(template)) return { template };
  const message = `Its template ${template} is not in templates/: add it, and import again. Its name is in template_data.${WHOLE_VALUES}.`;
  run.report.remark({ ...entry.place, message });
  const translations = Object.fromEntries(
    Object.entries(page.translations).map(([lang, text]) => {
      if (!(lang in entry.texts) || !isObject(text.template_data)) return [lang, text];
      const whole = own(text.template_data, WHOLE_VALUES);
      const data = { ...text.template_data, [WHOLE_VALUES]: { ...(isObject(whole) && whole), template } };
      return [lang, { ...text, template_data: data }];
    }),
  );
  return { translations };
}

/** A wanted permalink that another page has gets a number, and a remark; automatic ones are settled as always. */
function withFreeAddresses(run: ImportRun, entry: ImportedEntry, page: Page, before: Page | undefined): Page {
  const { tx, ctx } = run.library;
  const site = siteOf(ctx, tx, page.id);
  let placed = page;
  for (const lang of ctx.locales.codes) {
    const { permalink, autopermalink } = textOf(page, lang);
    const owner = autopermalink || permalink === null ? undefined : site.ownerOf(lang, permalink);
    if (permalink === null || owner === undefined) continue;
    const free = numberedPermalink(
      permalink,
      (each) => site.ownerOf(lang, each) !== undefined || isReserved(ctx.locales, each),
    );
    placed = withText(placed, lang, { permalink: free });
    const hint = run.importedIds.has(owner) ? "" : " With --force it is replaced.";
    run.report.remark({
      ...entry.place,
      message: `Page ${owner} has the address ${permalink}: this one is at ${free}.${hint}`,
    });
  }
  const automatic = withAutomatic(entry, placed, before, site);
  if (!ctx.locales.codes.some((lang) => textOf(automatic, lang).autopermalink)) return automatic;
  // Aliases are added when the page is checked.
  return { ...settlePermalinks(automatic, before, site).page, aliases: page.aliases };
}

/** The page with those permalinks automatic that are so in the source, and would be the same. */
function withAutomatic(entry: ImportedEntry, page: Page, before: Page | undefined, site: Site): Page {
  const langs = site.locales.codes.filter((lang) => entry.texts[lang]?.isAutomatic && textOf(page, lang).permalink);
  if (langs.length === 0) return page;
  const automatic = langs.reduce((each, lang) => withText(each, lang, { autopermalink: true }), page);
  const made = settlePermalinks(automatic, before, site).page;
  const isSame = (lang: Lang): boolean => textOf(made, lang).permalink === textOf(page, lang).permalink;
  return langs.filter(isSame).reduce((each, lang) => withText(each, lang, { autopermalink: true }), page);
}

/** A new page, checked. Addresses that redirected to other pages are its own now. */
function saveNew({ library: { tx, ctx } }: ImportRun, page: Page): Page {
  const { page: checked, errors } = checkPage(ctx, tx, page, undefined);
  refuseInvalid(errors);
  takeAliases(tx, checked, Object.keys(checked.translations));
  return putPage(tx, checked);
}

/** The page with the links in the imported texts resolved. */
function withLinks(run: ImportRun, entry: ImportedEntry, page: Page): Page {
  let translations = page.translations;
  for (const [lang, text] of Object.entries(page.translations)) {
    const linked = lang in entry.texts ? (resolved(run, lang, text as never) as PageText) : text;
    if (linked !== text) translations = { ...translations, [lang]: linked };
  }
  return translations === page.translations ? page : { ...page, translations };
}
