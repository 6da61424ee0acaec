/**
 * Former addresses of imported pages: an alias of the page where it can be one, else a row of `content/redirects.yaml`.
 *
 * Aliases follow their page when it moves. They have the form of permalinks, so that `/2020/post.html` and `/About`
 * need a row.
 */
import { putPage } from "../../actions/pages/page-saving.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { publicPath, type Lang } from "../../model/language/locale.ts";
import { textOf, type Alias, type Page } from "../../model/page/page.ts";
import { PERMALINK_MAX } from "../../model/address/generated-permalink.ts";
import { sanitizePermalink } from "../../model/address/permalink.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { langPath, readRedirect, REDIRECTS, REDIRECTS_ID, type Redirect } from "../../store/records/redirects.ts";
import type { OpenEntry } from "./entries.ts";
import { resolverFor, type ImportRun } from "../import-run.ts";
import type { ImportedRedirect, SourceId, SourcePlace } from "../imported-site.ts";
import { fingerprint } from "../ledger.ts";
import type { Outcome } from "../plan.ts";
import { resolveLinks, sourceIn } from "../texts/source-links.ts";

/** The rows of the redirect table, while an import adds to them. */
export interface OpenRedirects {
  /** Whether there is such a row. */
  has(row: Redirect): boolean;
  /**
   * Adds a row, also in place of one from its address if `isReplaced` says so.
   *
   * @returns why it was not added: another row from its address, or that it would lead back to itself
   */
  add(row: Redirect, isReplaced?: (present: Redirect) => boolean): Redirect | "circle" | undefined;
  save(): void;
}

export function openRedirects({ library: { tx, ctx } }: ImportRun): OpenRedirects {
  const key = ({ from, language }: Redirect): string => `${language ?? ctx.locales.default}\n${from}`;
  const stored = tx.find(REDIRECTS, REDIRECTS_ID)?.rows ?? [];
  const rows = new Map<string, Redirect>();
  // Of several rows from one address the first counts.
  for (const row of stored) if (!rows.has(key(row))) rows.set(key(row), row);
  const changed = new Map<string, Redirect>();
  const leadsBack = (row: Redirect): boolean => {
    const seen = new Set([key(row)]);
    for (let at: Redirect | undefined = row; at?.to.startsWith("/");) {
      const { lang, permalink } = langPath(at.to, at.language ?? ctx.locales.default, ctx.locales);
      const next = `${lang}\n${permalink}`;
      if (seen.has(next)) return next === key(row);
      seen.add(next);
      at = rows.get(next);
    }
    return false;
  };
  const has = (row: Redirect): boolean => {
    const present = rows.get(key(row));
    return present !== undefined && present.to === row.to && present.status === row.status;
  };
  return {
    has,
    add(row, isReplaced = () => false) {
      const present = rows.get(key(row));
      if (has(row)) return undefined;
      if (present && !isReplaced(present)) return present;
      if (leadsBack(row)) return "circle";
      rows.set(key(row), row);
      changed.set(key(row), row);
      return undefined;
    },
    save() {
      if (changed.size === 0) return;
      const kept = stored.map((row) => changed.get(key(row)) ?? row);
      const known = new Set(kept);
      const added = [...changed.values()].filter((row) => !known.has(row));
      tx.put(REDIRECTS, { id: REDIRECTS_ID, rows: [...kept, ...added] });
    },
  };
}

/** Has the former addresses of a page lead to it. */
export function writeAddresses(run: ImportRun, { entry, id }: OpenEntry, redirects: OpenRedirects): void {
  const { tx, ctx } = run.library;
  const page = findPage(tx, id);
  if (!page) return;
  const aliases: Alias[] = [];
  for (const [lang, { addresses = [], served = [], permalink }] of Object.entries(entry.texts)) {
    const target = textOf(page, lang).permalink;
    if (!ctx.locales.codes.includes(lang) || target === null) continue;
    const former = [
      ...[...(permalink === undefined ? [] : [permalink]), ...addresses].map((path) => ({ path, unprefixed: lang })),
      ...served.map((path) => ({ path, unprefixed: ctx.locales.default })),
    ];
    // The permalink is often among the addresses, too: what is wrong with it is told once.
    const told = new Set<string>();
    for (const each of former) {
      const key = `${each.unprefixed} ${each.path}`;
      if (told.has(key)) continue;
      told.add(key);
      const alias = writeAddress(run, entry.place, { page, lang, target }, each, redirects);
      if (alias) aliases.push(alias);
    }
  }
  const added = aliases.filter((each, at) => !isIn(each, page.aliases) && !isIn(each, aliases.slice(0, at)));
  if (added.length > 0) putPage(tx, { ...page, aliases: [...page.aliases, ...added] });
}

const isIn = ({ language, from }: Alias, aliases: readonly Alias[]): boolean =>
  aliases.some((each) => each.language === language && each.from === from);

interface Target {
  readonly page: Page;
  readonly lang: Lang;
  /** Its permalink. */
  readonly target: string;
}

function writeAddress(
  run: ImportRun,
  place: SourcePlace,
  { page, lang, target }: Target,
  { path: address, unprefixed }: { readonly path: string; readonly unprefixed: Lang },
  redirects: OpenRedirects,
): Alias | undefined {
  const { tx, ctx } = run.library;
  if (/[#?]/.test(address)) {
    const message = `${address} cannot redirect: an address here has no # and no ? in its path.`;
    run.report.remark({ ...place, message });
    return undefined;
  }
  const from = langPath(decoded(address), unprefixed, ctx.locales);
  if (from.lang === lang && from.permalink === target) return undefined;
  const owner = ownerOf(run, from);
  if (owner) {
    if (owner.id !== page.id)
      run.report.remark({ ...place, message: `${address} does not redirect here: page ${owner.id} has this address.` });
    return undefined;
  }
  const isAlias =
    from.lang === lang &&
    from.permalink === sanitizePermalink(from.permalink) &&
    from.permalink.length <= PERMALINK_MAX;
  if (isAlias) {
    const other = pageIndex(tx).byAlias(lang, from.permalink);
    return other && other.id !== page.id ? undefined : { language: lang, from: from.permalink };
  }
  // The old site showed no page here, and the table of redirects would tell the address of one that is not public.
  if (!isPublic(page, lang, tx.now)) return undefined;
  const to = publicPath(ctx.locales, lang, target, ctx.config.APPEND_SLASH);
  const row = rowFor(run, place, from, to, 301);
  const present = row && redirects.add(row, ({ to: before }) => leadsTo(run, before, lang, page));
  if (present) run.report.remark({ ...place, message: refusalOf(address, present) });
  return undefined;
}

/** The page at an address. One without a text in its language has a permalink there all the same, and no page. */
function ownerOf({ library: { tx } }: ImportRun, { lang, permalink }: ReturnType<typeof langPath>): Page | undefined {
  const summary = pageIndex(tx).summaryByPermalink(lang, permalink);
  const page = summary && findPage(tx, summary.id);
  return page && textOf(page, lang).title !== null ? page : undefined;
}

const refusalOf = (address: string, present: Redirect | "circle"): string =>
  present === "circle" ? `${address} would redirect to itself.` : `${address} redirects to ${present.to} already.`;

/** Whether a redirect leads to a former address of the page. */
function leadsTo({ library: { ctx } }: ImportRun, to: string, lang: Lang, { aliases }: Page): boolean {
  const at = langPath(to, lang, ctx.locales);
  return isIn({ language: at.lang, from: at.permalink }, aliases);
}

export const redirectSource = (from: string): SourceId => `redirect:${from}`;

/** Stores a redirect of the source that belongs to no entry. */
export function writeRedirect(run: ImportRun, redirect: ImportedRedirect, redirects: OpenRedirects): void {
  const { ctx } = run.library;
  const source = redirectSource(redirect.from);
  const target = sourceIn(redirect.to);
  // That it is not imported has been told.
  if (target !== undefined && !run.ids.has(target)) return;
  const from = fingerprint({ ...redirect, place: undefined });
  const past = run.ledger.get(source);
  const add = (outcome: Outcome): void =>
    run.report.add({ source, kind: REDIRECTS.name, id: null, outcome, title: redirect.from });
  const remark = (message: string): void => run.report.remark({ ...redirect.place, message });
  if (past) run.rows.set(source, past);
  if (past?.from === from && !run.force) return add("unchanged");
  const at = langPath(decoded(redirect.from), ctx.locales.default, ctx.locales);
  const to = resolveLinks(redirect.to, resolverFor(run)(at.lang));
  const row = rowFor(run, redirect.place, at, to, redirect.status ?? 301);
  if (!row) return add("failed");
  if (past?.from === from && redirects.has(row)) return add("unchanged");
  if (ownerOf(run, at)) {
    remark(`${redirect.from} does not redirect to ${to}: a page has this address.`);
    return add("failed");
  }
  const present = redirects.add(row, (before) => run.force || fingerprint(before) === past?.as);
  if (present) {
    remark(`${refusalOf(redirect.from, present)}${present === "circle" ? "" : " With --force it is replaced."}`);
    return add(present === "circle" ? "failed" : "edited");
  }
  run.rows.set(source, { source, kind: REDIRECTS.name, id: REDIRECTS_ID, from, as: fingerprint(row) });
  return add(past ? "updated" : "created");
}

function rowFor(
  run: ImportRun,
  place: SourcePlace,
  { lang, permalink: from }: ReturnType<typeof langPath>,
  to: string,
  status: 301 | 302,
): Redirect | undefined {
  const { locales } = run.ctx;
  const read = readRedirect({ from, to, status, ...(lang !== locales.default && { language: lang }) }, locales);
  if (!("errors" in read)) return read;
  run.report.remark({ ...place, message: `${from} cannot redirect: ${Object.values(read.errors).flat().join(" ")}` });
  return undefined;
}

/** A path as requests have it: without percent-encoding, where that can be undone. */
function decoded(address: string): string {
  const path = address.startsWith("/") ? address : `/${address}`;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
