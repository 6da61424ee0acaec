/**
 * Reads a folder of Markdown of any dialect as an `ImportedSite`.
 *
 * An entry with a date that is in a section is an article, as is a post by its place; every other one is a page, whose
 * parent is the page of its folder. Each keeps its address.
 */
import { readFile } from "node:fs/promises";
import { invalid } from "../../errors.ts";
import type { Offsets } from "../../model/front-matter/foreign-moment.ts";
import { instantOf, type Instant } from "../../model/time/instant.ts";
import { isList, isObject, objectOf, own, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { textOfMarkdown } from "../../model/text/markdown-text.ts";
import { openTimeZone, type TimeZone } from "../../model/time/time-zone.ts";
import { trimEnd } from "../../model/text/trim.ts";
import type {
  ImportedEntry,
  ImportedRedirect,
  ImportedSection,
  ImportedSite,
  ImportedText,
  Remark,
  SourceId,
} from "../imported-site.ts";
import { bodyOf } from "./body.ts";
import { pathOf, type Dialect, type DialectContext, type DialectName } from "./generators/dialect.ts";
import type { EntryFields } from "./fields.ts";
import { isArticle, readDocuments, type Document } from "./documents.ts";
import {
  feedRedirects,
  folderAddresses,
  indexesOf,
  listEntry,
  listingOf,
  listSource,
  listsOf,
  pageAbove,
  parentsOf,
  type Group,
  type List,
} from "./folder-pages.ts";
import { listPageRedirects } from "./list-pages.ts";
import { mediaOf, mediaRedirects, openMediaAddresses } from "./media-files.ts";
import { readMenus } from "./menus.ts";
import { sectionsOf } from "./sections.ts";
import { sourceIn } from "../texts/source-links.ts";
import { detectDialect, openDialect } from "./generators/open-dialect.ts";
import { dirPart, isMediaFile, readTree, withoutFolder, type SourceTree } from "./source-tree.ts";
import { openTargets, type Targets } from "./targets.ts";
import { tagSource, termsIn, termsOf } from "./terms.ts";

export interface MarkdownOptions {
  /** Absent: it is detected. */
  readonly from?: DialectName | undefined;
  /** Of dates without one; absent: that of the source, of the site, else UTC. */
  readonly timeZone?: string | undefined;
  readonly locales: Locales;
  /** What has a later date is not public yet; absent: that of the clock. */
  readonly now?: Instant | undefined;
  onStep?(step: string, done: number, of: number, label: string): void;
}

/** @throws CmsError `invalid` for an unknown time zone, and for a folder without Markdown */
export async function readMarkdownSite(
  dir: string,
  { from, timeZone, locales, now = instantOf(Date.now()), onStep = () => undefined }: MarkdownOptions,
): Promise<{ readonly site: ImportedSite; readonly dialect: DialectName }> {
  const all = await readTree(dir);
  const remarks: Remark[] = [];
  const remark = (each: Remark): void => void remarks.push(each);
  const context: DialectContext = {
    tree: all,
    langs: locales.codes,
    defaultLang: locales.default,
    now,
    read: (path) => readFile(all.locate(path), "utf8"),
    remark,
  };
  const dialect = await openDialect(from ?? detectDialect(all), context);
  const tree = dialect.output === undefined ? all : withoutFolder(all, dialect.output);
  const zone = zoneOf(timeZone ?? dialect.config.timeZone, locales);
  const read = await readDocuments(tree, { dialect, zone, now, remark }, (done, of, label) =>
    onStep("Reading Markdown", done, of, label),
  );
  const documents = read.filter(({ redirectTo }) => redirectTo === undefined);
  if (documents.length === 0) throw invalid({}, `There is no content for ${dialect.name} in ${dir}.`);
  const site = await siteOf({ tree, context, dialect, documents, redirects: redirectsOf(read), remarks, remark });
  return { site, dialect: dialect.name };
}

function zoneOf(name: string | undefined, { timeZone }: Locales): TimeZone {
  const zone = name === undefined ? (timeZone ?? openTimeZone("UTC")) : openTimeZone(name);
  if (!zone) throw invalid({ time_zone: [`${name} is no time zone.`] });
  return zone;
}

interface Source {
  readonly tree: SourceTree;
  readonly context: DialectContext;
  readonly dialect: Dialect;
  readonly documents: readonly Document[];
  readonly redirects: readonly ImportedRedirect[];
  readonly remarks: readonly Remark[];
  remark(remark: Remark): void;
}

/** Pages that did nothing but lead elsewhere. */
const redirectsOf = (documents: readonly Document[]): ImportedRedirect[] =>
  documents.flatMap(({ path, served, redirectTo, published }) =>
    redirectTo === undefined || published === undefined
      ? []
      : [{ place: { file: path, line: 1 }, from: served, to: redirectTo }],
  );

async function siteOf(source: Source): Promise<ImportedSite> {
  const { tree, context, dialect, documents, remark } = source;
  const groups = groupsOf(documents, dialect.config.defaultLang, remark);
  const media = new Map(tree.paths.filter(isMediaFile).map((path) => [path, `markdown:${path}`] as const));
  const entries = groups.flatMap(({ source: id, documents: own }) => own.map((document) => ({ source: id, document })));
  const mediaAddresses = openMediaAddresses(dialect, documents);
  const lists = listsOf(dialect, documents);
  const indexes = indexesOf(groups);
  const sourceOfList = (address: string, { folders }: List): SourceId =>
    indexes.get(folders.join("/")) ?? listSource(address);
  const terms = termsOf(dialect, documents, folderAddresses(documents, lists));
  const targets = openTargets({
    tree,
    dialect,
    entries,
    lists: new Map(
      [...lists].flatMap(([address, list]) => list.served.map((each) => [each, sourceOfList(address, list)] as const)),
    ),
    media,
    mediaAddresses,
    kept: new Set(terms.addresses.map((address) => trimEnd(address, "/").toLowerCase())),
  });
  const alts = new Map<SourceId, Map<Lang, string>>();
  const toText = (document: Document): ImportedText => textOf(document, dialect, targets, remark, alts);
  const parents = parentsOf(groups, lists);
  const listEntries = [...lists].map(([address, list]) => ({
    source: sourceOfList(address, list),
    entry: listEntry(address, list, dialect, parents, remark),
  }));
  // Where a section has a file in one language, its lists in the others are translations of it.
  const imported = groups.map((group) => {
    const entry = entryOf(group, dialect, toText, targets, parents);
    const list = listEntries.find(({ source: each }) => each === entry.source);
    return list ? { ...entry, texts: { ...list.entry.texts, ...entry.texts } } : entry;
  });
  const listing = listingOf(documents, groups, lists);
  return {
    entries: [...listEntries.flatMap(({ source: id, entry }) => (id === entry.source ? [entry] : [])), ...imported],
    tags: terms.tags,
    media: [...media].map(([path, id]) => mediaOf(tree, path, id, mediaAddresses(path), alts)),
    menus: await readMenus({
      dialect,
      context,
      entries,
      linkTo(address, lang, isPath) {
        if (address === "") return { address };
        const page = isPath ? targets.pageNamed(address, lang) : undefined;
        if (page) return { entry: page.source };
        const at = { path: "", served: "/", lang };
        const linked = targets.linkFrom(at, /^(?:[/#]|[a-z][a-z0-9+.-]*:)/i.test(address) ? address : `/${address}`);
        if (linked === undefined || linked === "missing") return { address };
        return linked.isMedia || /[?#]/.test(address) ? { address: linked.link } : { entry: linked.source };
      },
    }),
    redirects: [
      ...source.redirects,
      ...(dialect.redirects ?? []),
      ...listPageRedirects(dialect, documents, lists, parents),
      ...mediaRedirects(media, mediaAddresses),
      ...terms.addresses.map((from) => ({ place: { file: dialect.config.file || "." }, from, to: listing })),
      ...feedRedirects(
        dialect,
        documents,
        [...folderAddresses(documents, lists), ...terms.addresses],
        context.defaultLang,
      ),
    ],
    remarks: source.remarks,
  };
}

/** Documents with one key are translations of one page; of two in one language, the second is a page of its own. */
function groupsOf(documents: readonly Document[], defaultLang: Lang, remark: (remark: Remark) => void): Group[] {
  const groups = new Map<string, Document[]>();
  for (const document of documents) {
    const stated = own(document.data, "translationKey");
    const key = typeof stated === "string" ? `translation/${stated}` : document.key;
    const group = groups.get(key) ?? [];
    if (group.some(({ lang }) => lang === document.lang)) {
      remark({
        file: document.path,
        line: 1,
        message: `${group[0]!.path} is the same page in the same language: this is another page.`,
      });
      groups.set(document.path, [document]);
    } else groups.set(key, document.lang === defaultLang ? [document, ...group] : [...group, document]);
  }
  return [...groups.values()].map((own) => ({ source: `markdown:${own[0]!.path}`, documents: own }));
}

function entryOf(
  { source, documents }: Group,
  dialect: Dialect,
  toText: (document: Document) => ImportedText,
  targets: Targets,
  parents: ReadonlyMap<string, SourceId>,
): ImportedEntry {
  const first = documents[0]!;
  const article = documents.some(isArticle);
  // What a page has once is that of the first translation that has it; tags add up.
  const shared = <Name extends keyof EntryFields>(name: Name): EntryFields[Name] | undefined =>
    documents.map(({ fields }) => fields[name]).find((value) => value !== undefined);
  const [picture] = documents.flatMap((document) => {
    const { image } = document.fields;
    const linked = image === undefined ? undefined : targets.linkFrom(document, image);
    return linked !== undefined && linked !== "missing" && linked.isMedia ? [linked.source] : [];
  });
  const parent = article ? undefined : pageAbove(first.folders, parents, source);
  return {
    source,
    place: { file: first.path, line: 1 },
    model: article ? "article" : "page",
    created: shared("date"),
    updated: shared("updated"),
    offsets: Object.assign({}, ...documents.map(({ offsets }) => offsets)) as Offsets,
    ordering: shared("ordering"),
    robots: shared("robots"),
    texts: objectOf(documents.map((document) => [document.lang, toText(document)] as const)),
    ...(parent !== undefined && { parent }),
    ...(article && {
      author: shared("author"),
      tags: [
        ...new Set(
          documents.flatMap((each) => dialect.taxonomies.flatMap((taxonomy) => termsIn(each, taxonomy)).map(tagSource)),
        ),
      ],
    }),
    ...(picture !== undefined && (article ? { highlightImage: picture } : { ogImage: picture })),
  };
}

function textOf(
  document: Document,
  dialect: Dialect,
  targets: Targets,
  remark: (remark: Remark) => void,
  alts: Map<SourceId, Map<Lang, string>>,
): ImportedText {
  const { fields, address, served, lang, title } = document;
  const told: Remark[] = [];
  const body = bodyOf(
    document,
    targets,
    (each) => void told.push(each),
    ({ source }, alt) => {
      const text = textOfMarkdown(alt ?? "").trim();
      if (text === "") return;
      const known = alts.get(source) ?? new Map<Lang, string>();
      if (!known.has(lang)) known.set(lang, text);
      alts.set(source, known);
    },
  );
  const sections = isArticle(document) ? undefined : partsOf(body, document, targets, told);
  if (!sections) for (const each of told) remark(each);
  const taxonomies = isArticle(document) ? new Set(dialect.taxonomies.map(({ field }) => field)) : new Set<string>();
  const rest = Object.entries(fields.data).filter(([name]) => !taxonomies.has(name) && name !== "category");
  // A date that is no publication is kept with what it was.
  const date = own(document.data, "date");
  const kept: JsonObject = fields.date === undefined && date !== undefined ? { date } : {};
  return {
    fields: { ...fields.texts, title },
    permalink: trimEnd(address.replace(/\/index\.html?$|\.html?$/i, ""), "/") || "/",
    published: document.published,
    body,
    sections,
    data: linkedIn({ ...kept, ...objectOf(rest) }, document, targets) as JsonObject,
    served: [
      served,
      // A file that hosts serve with its ending and without.
      ...(dialect.name === "jekyll" && !/\.\w+$|\/$/.test(served) ? [`${served}.html`] : []),
      ...fields.aliases.map((alias) =>
        alias.startsWith("/") || dialect.hasRootedAliases ? alias : pathOf(dirPart(trimEnd(served, "/")), alias),
      ),
    ],
  };
}

/** A text in parts, where it has blocks, each with what is told of its lines. */
function partsOf(
  body: string,
  document: Document,
  targets: Targets,
  told: readonly Remark[],
): readonly ImportedSection[] | undefined {
  const sections = sectionsOf(body, {
    isMdx: document.path.endsWith(".mdx"),
    firstLine: document.bodyLine,
    value(written) {
      const linked = /[/.]/.test(written) ? targets.linkFrom(document, written) : undefined;
      const source = sourceIn(written) ?? (typeof linked === "object" && linked.isMedia ? linked.source : undefined);
      if (source !== undefined && source.startsWith("markdown:") && isMediaFile(source)) return { media: source };
      if (typeof linked === "object") return { address: linked.link };
      return /^(?:https?:|mailto:|tel:|cms-import:|\/)/.test(written)
        ? { address: written }
        : { plain: written, isNamed: true };
    },
  });
  return sections?.map((section, at) => {
    const next = sections[at + 1]?.line ?? Infinity;
    const own = told.filter(({ line = 0 }) => (at === 0 || line >= section.line!) && line < next);
    return own.length === 0 ? section : { ...section, remarks: own };
  });
}

/** Values that are addresses of pictures and files lead to them. */
function linkedIn(value: Json, document: Document, targets: Targets): Json {
  if (typeof value === "string") {
    if (value.length > 1000 || !/^[^\s:]*(?:\/|\.[a-z0-9]{2,5}$)/i.test(value)) return value;
    const linked = targets.linkFrom(document, value);
    return linked === undefined || linked === "missing" ? value : linked.link;
  }
  if (isList(value)) return value.map((each) => linkedIn(each, document, targets));
  if (!isObject(value)) return value;
  return objectOf(Object.entries(value).map(([key, each]) => [key, linkedIn(each, document, targets)] as const));
}
