/**
 * Validating a page against the site and storing it, as all writes to pages do: templates, references, parents,
 * identifiers, permalinks, data of custom page models, hooks of plugins.
 */
import { blockIdFrom } from "../../model/fields/blocks.ts";
import { derived, keptBy } from "../../memo.ts";
import { invalid, refuseInvalid, type FieldErrors } from "../../errors.ts";
import { createsCycle, dropAliases, settlePermalinks, type Site } from "../../model/address/page-permalinks.ts";
import { sentPermalinkErrors } from "../../model/address/sent-permalinks.ts";
import { isObject, own, sameJson } from "../../model/input/json.ts";
import { overlayDraft } from "../../model/page/draft.ts";
import { mergeErrors, refusedKeys, type Keys } from "../../model/input/known-keys.ts";
import { langSuffix, type Lang } from "../../model/language/locale.ts";
import {
  EMPTY_PAGE,
  GLOBAL_FIELDS,
  PAGE_MODEL,
  textOf,
  withText,
  type Byline,
  type Id,
  type Page,
} from "../../model/page/page.ts";
import { readPaginate } from "../../model/page/paginate.ts";
import { PARENT_FIELD } from "../../model/page/page-model.ts";
import { pageKeys, readPageChange, withoutDefaultTemplate, type PageChange } from "../../model/page/page-input.ts";
import { noSuchTarget, noSuchTemplate } from "../../model/input/input-errors.ts";
import { dataKeys, readData } from "../../model/records/schema.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import { findTarget, hasTarget } from "../../store/content/indexes/references.ts";
import type { Reader } from "../../store/records/record-type.ts";
import { defaultTemplate, findPage, findParent, kindOf } from "../../store/content/indexes/pages-by-model.ts";
import { staticNameAt } from "../../store/content/public-files.ts";
import { highestOrdering, pageIndex } from "../../store/content/indexes/page-index.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";
import { mergeTexts, runPageHooks } from "./page-hooks.ts";
import { linksOf, orAlreadyLinked } from "./references.ts";

interface Check {
  /** The sent change, to validate its references; undefined for a transition. */
  readonly change?: PageChange | undefined;
  /** See `Site`. */
  readonly isParentAcyclic?: boolean;
  /** Whether the page is to go live later: see `siteOf`. */
  readonly isLater?: boolean;
}

/**
 * Validates and stores a live page: computes its permalinks, sets `date_updated_at`, removes aliases of other pages
 * that its permalinks take, and has the permalinks of child pages updated once the work has returned.
 */
export function saveLive(ctx: Context, tx: Tx, page: Page, before: Page | undefined, check: Check = {}): Page {
  const checked = checkPage(ctx, tx, page, before, check);
  refuseInvalid(checked.errors);
  if (before && sameLive(checked.page, before))
    return putPage(tx, { ...checked.page, date_updated_at: before.date_updated_at });
  const saved = putPage(tx, { ...checked.page, date_updated_at: tx.now });
  const moved = ctx.locales.codes.filter(
    (lang) => textOf(saved, lang).permalink !== (before && textOf(before, lang).permalink),
  );
  takeAliases(tx, saved, moved);
  if (before && moved.length > 0) {
    const above = saved.parent_page;
    const isAcyclic =
      check.isParentAcyclic || above === null || !createsCycle(saved.id, above, (id) => findPage(tx, id));
    for (const { id } of pageIndex(tx).childSummaries(saved.id)) {
      tx.defer(() => {
        const child = findPage(tx, id);
        if (child) saveLive(ctx, tx, child, child, { isParentAcyclic: isAcyclic });
      });
    }
  }
  return saved;
}

/** A page as `saveLive` would store it, and all its errors. The parameters are those of `saveLive`. */
export function checkPage(
  ctx: Context,
  tx: Tx,
  page: Page,
  before: Page | undefined,
  { change, isParentAcyclic = false, isLater = false }: Check = {},
): { readonly page: Page; readonly errors: FieldErrors } {
  const hooked = runPageHooks(ctx, page, before);
  const typed = readTypedData(ctx, tx, hooked.page, before, {
    ...(change ?? NO_CHANGE),
    texts: mergeTexts(change?.texts ?? {}, hooked.texts),
  });
  const errors: Record<string, FieldErrors[string]> = {
    ...hooked.errors,
    ...(change && referenceErrors(ctx, tx, page, before, change)),
    ...typed.errors,
  };
  const site = { isParentAcyclic, ...siteOf(ctx, tx, page.id, isLater) };
  const settled = errors.parent_page
    ? { page, errors: {} }
    : settlePermalinks(withoutDefaultTemplate(typed.page, defaultTemplate(tx, ctx.config, page.model)), before, site);
  const sent = change && sentPermalinkErrors(page, before, change.texts, ctx.unknownFields);
  return {
    page: settled.page,
    errors: mergeErrors(change?.unknown, { ...errors, ...settled.errors, ...sent }) as FieldErrors,
  };
}

function sameLive(a: Page, b: Page): boolean {
  return a === b || sameJson({ ...a, drafts: {}, date_updated_at: "" }, { ...b, drafts: {}, date_updated_at: "" });
}

/** Has addresses that redirected to other pages be a page's own. */
export function takeAliases(tx: Tx, page: Page, langs: readonly Lang[]): void {
  for (const lang of langs) {
    const from = textOf(page, lang).permalink;
    const owner = from === null ? undefined : pageIndex(tx).byAlias(lang, from);
    if (from !== null && owner && owner.id !== page.id) putPage(tx, dropAliases(owner, [{ language: lang, from }]));
  }
}

/** Stores a page without validation; see `saveLive`. */
export const putPage = (tx: Tx, page: Page): Page => tx.put(kindOf(page), page);

/**
 * The byline for the account sent as author.
 *
 * @param present the current author, who is accepted without an account: it was deleted, or is on another machine
 * @throws CmsError `invalid` for an unknown one
 */
export async function readByline(
  ctx: Context,
  { author, unknown }: PageChange,
  present?: Byline | null,
): Promise<{ author?: Byline | null }> {
  if (author === undefined || author === null) return author === undefined ? {} : { author };
  const account = await ctx.accounts.store.find(author);
  if (!account && present?.id === author) return {};
  if (!account) throw invalid({ ...unknown, author: [noSuchTarget(author)] });
  const { id, username, first_name, last_name } = account;
  return { author: { id, username, first_name, last_name } };
}

/**
 * Reads a change of a page, where the parent may have the name that a custom model gives it.
 *
 * @param unknown see `readPageChange`
 */
export function readChange(
  ctx: Context,
  reader: Reader,
  body: unknown,
  { lang, model, unknown }: { readonly lang: Lang; readonly model: string; readonly unknown?: FieldErrors | undefined },
): PageChange {
  const field = findPageModel(reader, model)?.parent_page_field ?? PARENT_FIELD;
  const parent = isObject(body) ? own(body, field) : undefined;
  const understood = isObject(body) && parent !== undefined ? { ...body, [PARENT_FIELD]: parent } : body;
  return readPageChange(understood, ctx.locales, lang, model, unknown);
}

/**
 * Reads a change sent by a client, with errors for its unknown keys, which the caller must report. Stored drafts are
 * read with `readChange` instead: their unknown keys may have been ignored when they were saved.
 *
 * @param page the page to change, or the model of a new one
 */
export function readClientChange(
  ctx: Context,
  body: unknown,
  lang: Lang,
  page: Page | { readonly model: string },
): PageChange {
  const reader = ctx.store.current;
  const model = findPageModel(reader, page.model);
  const stored = "translations" in page ? Object.values(page.translations).map((text) => text.template_data) : [];
  const data = model && dataKeys(model.schema, ctx.locales, stored);
  const keysWith = (given?: Keys): Keys =>
    pageKeys(ctx.locales, page.model, model?.parent_page_field, given, ctx.config.extensions?.computedNames);
  const keys = model ? keysWith(data) : keptBy(keysByModel(ctx.config), page.model, () => keysWith());
  const unknown = refusedKeys(ctx.unknownFields, keys, body);
  const asked = (isObject(body) && own(body, "model")) || page.model;
  const isOther = ctx.unknownFields === "refuse" && asked !== page.model;
  const otherModel = { model: [`These are pages of the model "${page.model}", which does not change.`] };
  const refused = isOther ? { ...unknown, ...otherModel } : unknown;
  return readChange(ctx, reader, body, { lang, model: page.model, unknown: refused });
}

/** The keys of models without a schema, which are the same for every page: 20 kB that each write would make anew. */
const keysByModel = derived((_config: Context["config"]) => new Map<string, Keys>());

export const NO_CHANGE: PageChange = { globals: {}, texts: {} };

/**
 * Validates `template_data` of a custom page model, in the languages in which it was sent, and in the one that
 * becomes public. Stored data of other languages may be sent back unchanged even if it is not valid.
 */
function readTypedData(
  ctx: Context,
  tx: Tx,
  page: Page,
  before: Page | undefined,
  { texts, isDraft = false, published }: PageChange,
): { page: Page; errors: FieldErrors } {
  const model = findPageModel(tx, page.model);
  if (!model) return { page, errors: {} };
  const errors: Record<string, FieldErrors[string]> = {};
  let typed = page;
  for (const lang of new Set([...Object.keys(texts), ...(published?.isFirst ? [published.lang] : [])])) {
    const data = textOf(page, lang).template_data;
    const isStored = before !== undefined && sameJson(data, textOf(before, lang).template_data);
    const isPublished = lang === published?.lang;
    const isFirst = isPublished && published!.isFirst;
    if (!isFirst && (isStored || texts[lang]?.template_data === undefined)) continue;
    const read = readData(model.schema, data, {
      locales: ctx.locales,
      mode: isStored ? "stored" : "input",
      isPartial: isDraft,
      needsReferences: isPublished,
      newId: () => blockIdFrom(tx.uuid()),
      exists: orAlreadyLinked(hasTarget(tx), () => linksOf(before)),
    });
    if ("data" in read && isStored) continue;
    if ("data" in read) typed = withText(typed, lang, { template_data: read.data });
    else errors[`template_data_${langSuffix(lang)}`] = read.errors;
  }
  return { page: typed, errors };
}

/** @param page with the change applied @param before the stored page; undefined for a new one */
function referenceErrors(
  ctx: Context,
  tx: Tx,
  page: Page,
  before: Page | undefined,
  { globals }: PageChange,
): FieldErrors {
  const errors: Record<string, FieldErrors[string]> = {};
  const { parent_page: parent, identifier, template } = globals;
  // A stored template that no longer exists is allowed: otherwise the rest of the page could not be saved.
  const known = [before?.template, defaultTemplate(tx, ctx.config, page.model)];
  if (template && !known.includes(template) && !ctx.hasTemplate(template)) errors.template = [noSuchTemplate(template)];
  const list = sameJson(globals.paginate ?? null, before?.paginate ?? null) ? null : globals.paginate;
  const read = list ? readPaginate(list) : undefined;
  const wrong =
    read && "paginate" in read ? ctx.listError({ content: tx, locales: ctx.locales }, read.paginate) : undefined;
  if (wrong) errors.paginate = { [wrong.key]: [wrong.message] };
  if (parent != null && !findParent(tx, parent, page)) errors.parent_page = [noSuchTarget(parent)];
  else if (parent != null && createsCycle(page.id, parent, (id) => findPage(tx, id))) {
    errors.parent_page = ["A page cannot be below itself."];
  }
  for (const { name, target: model } of GLOBAL_FIELDS) {
    if (model === undefined || name === PARENT_FIELD) continue;
    const sent = (globals as { readonly [name: string]: unknown })[name];
    const missing = [sent].flat().find((id) => typeof id === "number" && !findTarget(tx, { model, id }));
    if (typeof missing === "number") errors[name] = [noSuchTarget(missing)];
  }
  if (identifier != null) {
    const owner = pageIndex(tx).byIdentifier(page.model, identifier);
    if (owner && owner.id !== page.id)
      errors.identifier = [`${kindOf(page).name} with this identifier already exists.`];
  }
  return errors;
}

/**
 * What the permalinks of a page depend on.
 *
 * @param isLater whether a draft is saved or planned: it may want a permalink that the draft of another page gives up.
 *   Two pages could not exchange their permalinks otherwise; when a draft goes live, its permalink is judged again
 */
export const siteOf = (ctx: Context, tx: Tx, self: Id, isLater = false): Site => ({
  locales: ctx.locales,
  now: tx.now,
  page: (id) => findPage(tx, id),
  ownerOf(lang, permalink) {
    const owner = pageIndex(tx).summaryByPermalink(lang, permalink)?.id;
    if (owner === undefined || owner === self) return undefined;
    const page = isLater ? findPage(tx, owner) : undefined;
    return page && textOf(overlayDraft(page, lang, ctx.locales), lang).permalink !== permalink ? undefined : owner;
  },
  uuid: () => tx.uuid(),
  // A site that is imported keeps its addresses.
  ...(!ctx.keepsAddresses && { staticAt: (permalink) => staticNameAt(ctx.store.repo.root, permalink) }),
});

/** A new page: hidden, untitled, last in order unless another position is given. */
export const blankPage = (
  tx: Tx,
  model: string = PAGE_MODEL,
  ordering = 1 + highestOrdering(tx, kindOf({ model })),
): Page => ({
  ...EMPTY_PAGE,
  id: tx.newId(),
  model,
  identifier: tx.uuid(),
  ordering,
  deleted_at: null,
  date_created: tx.now,
  date_updated_at: tx.now,
  aliases: [],
  translations: {},
  drafts: {},
});
