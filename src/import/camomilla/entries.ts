/** Pages of camomilla, of all models, as entries. */
import { offsetsOf } from "../../model/front-matter/foreign-moment.ts";
import type { Instant } from "../../model/time/instant.ts";
import { isObject, objectOf, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { findLang, type Locales } from "../../model/language/locale.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Byline } from "../../model/page/page.ts";
import type { Definitions } from "../../model/fields/definition.ts";
import type { TextFormat } from "../texts/html-markdown.ts";
import type { ImportedDraft, ImportedEntry, ImportedText, Remark, SourceId } from "../imported-site.ts";
import { WHOLE_VALUES } from "../records/page-of-entry.ts";
import { sourceReference } from "../texts/source-links.ts";
import { convertData, convertDeclared, type DataReading } from "./data.ts";
import { instantIn, publicationOf, trashedSince } from "./publication.ts";
import {
  isBlank,
  keyIn,
  keysIn,
  PAGE_TEXTS,
  sourceOf,
  sourceOfRow,
  textIn,
  type CamomillaRows,
  type Row,
} from "./rows.ts";

export interface EntryReading {
  readonly rows: CamomillaRows;
  readonly locales: Locales;
  readonly now: Instant;
  readonly format: TextFormat;
  readonly remarks: Remark[];
  /** The page models of this site, with what they declare of `template_data`. */
  readonly models: ReadonlyMap<string, Definitions>;
  /** What data refers to. @param row for messages */
  dataOf(row: Row): DataReading;
  /** Paths that redirected to a page, by its source and a language. */
  readonly formerPaths: ReadonlyMap<string, readonly string[]>;
}

/** Relations and values that are read one by one, and what the interface computes. */
const READ: ReadonlySet<string> = new Set([
  ...["identifier", "template", "ordering", "parent_page", "og_image", "meta", "deleted_at", "date_created"],
  ...["date_updated_at", "author", "highlight_image", "tags", "url_node"],
]);
const COMPUTED: ReadonlySet<string> = new Set([
  ...["id", "links", "is_public", "status", "template_file", "breadcrumbs", "routerlink", "related_name", "alternates"],
  ...["contents", "content_type", "language", "translations", "permalink", "has_draft", "draft_data", "model"],
  ...["has_scheduled_draft", "draft_scheduled_for", "slug", "pubblication_date", "publication_date", "deleted_at"],
]);
const PLAIN_TEXTS = ["title", "description", "og_title", "og_description", "og_type", "og_url", "canonical"] as const;

export function entriesIn(reading: EntryReading): readonly ImportedEntry[] {
  const users = new Map(reading.rows.users.map((row) => [row.id, row]));
  const drafts = new Map<SourceId, [string, ImportedDraft][]>();
  for (const row of reading.rows.drafts) {
    const lang = rowLang(row.lang, reading.locales);
    drafts.set(row.page, [...(drafts.get(row.page) ?? []), [lang, draftOf(row, reading)]]);
  }
  return reading.rows.pages.map((row) => entryOf(row, reading, users, drafts.get(sourceOfRow(row)) ?? []));
}

/** A language as the site's settings spell it, where they have it. */
export const rowLang = (lang: string, locales: Locales): string =>
  lang === "" ? locales.default : (findLang(locales, lang) ?? lang);

const MOMENTS = ["date_created", "date_updated_at", "published_at", "publication_date"];

function entryOf(
  row: Row,
  reading: EntryReading,
  users: ReadonlyMap<string, Row>,
  drafts: readonly (readonly [string, ImportedDraft])[],
): ImportedEntry {
  const { fields } = row;
  const { locales } = reading;
  const model = modelOf(row, reading);
  const data = reading.dataOf(row);
  const relation = (name: string, to: string): SourceId | undefined => {
    const key = keyIn(own(fields, name));
    return key === undefined ? undefined : sourceOf(to, key);
  };
  const trashed = trashedSince(row);
  const author = keyIn(own(fields, "author"));
  const byline = author === undefined ? undefined : bylineOf(author, own(fields, "author"), users.get(author));
  const ordering = own(fields, "ordering");
  const meta = own(fields, "meta");
  return {
    source: sourceOfRow(row),
    place: row.place,
    model,
    parent: relation("parent_page", row.model),
    created: instantIn(fields, "date_created"),
    updated: instantIn(fields, "date_updated_at"),
    offsets: offsetsOf([fields, ...Object.values(row.texts)].flatMap((each) => MOMENTS.map((name) => own(each, name)))),
    ordering: typeof ordering === "number" && ordering > 0 ? ordering : undefined,
    identifier: textIn(fields, "identifier") || undefined,
    template: textIn(fields, "template") || undefined,
    tags: model === ARTICLE_MODEL ? keysIn(own(fields, "tags")).map((key) => sourceOf("tag", key)) : undefined,
    author: byline,
    authorAccount: author !== undefined && users.has(author) ? sourceOf("user", author) : undefined,
    ogImage: relation("og_image", "media"),
    highlightImage: model === ARTICLE_MODEL ? relation("highlight_image", "media") : undefined,
    meta: isObject(meta) && !isBlank(meta) ? (convertData(meta, data) as JsonObject) : undefined,
    isTrashed: trashed !== undefined || undefined,
    trashed: trashed === "undated" ? undefined : trashed,
    drafts: drafts.length > 0 ? Object.fromEntries(drafts) : undefined,
    texts: Object.fromEntries(
      Object.entries(row.texts)
        .filter(([, text]) => hasText(text))
        .map(([lang, text]) => [rowLang(lang, locales), textOf(row, lang, text, model, reading)]),
    ),
  };
}

/** camomilla gives every page every language; one without a title and a publication has nothing but an address. */
const hasText = (text: JsonObject): boolean =>
  Object.entries(text).some(
    ([name, value]) => !["permalink", "autopermalink", "indexable", "status"].includes(name) && !isBlank(value),
  ) || own(text, "status") === "PUB";

/** The model of the same name, else an article for what is one by its fields, else a page. */
function modelOf(row: Row, { models }: EntryReading): string {
  if (row.model === "page") return PAGE_MODEL;
  if (row.model === "article") return ARTICLE_MODEL;
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");
  const wanted = plain(row.model.slice(row.model.indexOf(".") + 1));
  const found = [...models.keys()].find((name) => plain(name) === wanted);
  return found ?? ("highlight_image" in row.fields ? ARTICLE_MODEL : PAGE_MODEL);
}

function textOf(row: Row, lang: string, text: JsonObject, model: string, reading: EntryReading): ImportedText {
  const { now, formerPaths } = reading;
  const fields: Record<string, Json> = {};
  for (const name of [...PLAIN_TEXTS, "keywords", "breadcrumbs_title"])
    if (textIn(text, name) !== "") fields[name] = textIn(text, name);
  if (typeof own(text, "indexable") === "boolean") fields.indexable = own(text, "indexable")!;
  const published = publicationOf(text, now);
  return {
    fields,
    permalink: textIn(text, "permalink") || undefined,
    isAutomatic: own(text, "autopermalink") !== false,
    published,
    body: model === ARTICLE_MODEL ? bodyOf(row, textIn(text, "content"), reading) : undefined,
    data: dataOf(row, text, model, reading),
    addresses: formerPaths.get(`${sourceOfRow(row)}\n${lang}`),
  };
}

function bodyOf(row: Row, html: string, { dataOf: readingOf, format, remarks }: EntryReading): string {
  const { site, onMissing } = readingOf(row);
  const { text, notes } = format(html.includes("<") ? site.rewriteText(html, onMissing) : html);
  for (const message of notes) remarks.push({ ...row.place, message });
  return text;
}

/** `template_data`, and what has no field of its own. */
function dataOf(row: Row, text: JsonObject, model: string, reading: EntryReading): JsonObject | undefined {
  const data = reading.dataOf(row);
  const stored = own(text, "template_data");
  const definitions = reading.models.get(model);
  const shown = isObject(stored)
    ? definitions
      ? convertDeclared(definitions, stored, data)
      : (convertData(stored, data) as JsonObject)
    : {};
  const left = objectOf([
    ...(isObject(stored) || isBlank(stored) ? [] : [["template_data", convertData(stored!, data)] as const]),
    ...Object.entries(row.fields).filter(([name, value]) => !READ.has(name) && !COMPUTED.has(name) && !isBlank(value)),
    ...Object.entries(text).filter(
      ([name, value]) => !PAGE_TEXTS.has(name) && !COMPUTED.has(name) && !isBlank(value) && !READ.has(name),
    ),
    ...(model !== ARTICLE_MODEL && textIn(text, "content") !== "" ? [["content", own(text, "content")!] as const] : []),
  ]);
  const isOther = row.model.includes(".") && !reading.models.has(model);
  const imported = {
    ...(isOther && { model: row.model }),
    ...(isBlank(left) ? {} : { fields: convertData(left, data) }),
  };
  const all = isBlank(imported) ? shown : { ...shown, [WHOLE_VALUES]: imported };
  return isBlank(all) ? undefined : all;
}

/** @param shown the author as the interface shows them */
function bylineOf(key: string, shown: Json | undefined, user: Row | undefined): Byline | undefined {
  const fields = user?.fields ?? (isObject(shown) ? shown : {});
  const username = textIn(fields, "username");
  if (username === "") return undefined;
  const id = /^[1-9]\d{0,8}$/.test(key) ? Number(key) : 1;
  return { id, username, first_name: textIn(fields, "first_name"), last_name: textIn(fields, "last_name") };
}

/** Relations of pages, by the models of what they lead to. */
const RELATIONS: ReadonlyMap<string, string> = new Map([
  ["og_image", "media"],
  ["highlight_image", "media"],
  ["tags", "tag"],
]);

function referencesIn(value: Json, model: string): Json {
  if (Array.isArray(value)) return keysIn(value).map((key) => sourceReference(sourceOf(model, key)));
  const key = keyIn(value);
  return key === undefined ? value : sourceReference(sourceOf(model, key));
}

/** A draft is the body of a PATCH, in which relations are ids. */
function draftOf(row: CamomillaRows["drafts"][number], reading: EntryReading): ImportedDraft {
  const data = reading.dataOf(row);
  const payload = own(row.fields, "serialized");
  const [, model = ""] = row.page.split(":");
  const converted = Object.entries(isObject(payload) ? payload : {}).flatMap(([name, value]): [string, Json][] => {
    if (COMPUTED.has(name) && !["translations", "permalink"].includes(name)) return [];
    const to = name === "parent_page" ? model : RELATIONS.get(name);
    return [[name, to === undefined || value === null ? convertData(value, data) : referencesIn(value, to)]];
  });
  return {
    payload: objectOf(converted),
    scheduled: instantIn(row.fields, "scheduled_for"),
    created: instantIn(row.fields, "created_at"),
    updated: instantIn(row.fields, "updated_at"),
  };
}
