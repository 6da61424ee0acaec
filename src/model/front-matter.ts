/**
 * Front matter as other site generators write it, by a mapping of its keys to fields of a page.
 *
 * Values of the default language stand at the top of such front matter. Reading turns them into what a YAML file would
 * have; writing turns them back for the keys that the file has, so that a file keeps its own.
 */
import { instantOf, type Instant } from "./instant.ts";
import { isObject, own, type Json, type JsonObject } from "./json.ts";
import type { Lang } from "./locale.ts";
import { momentIn, type TimeZone } from "./time-zone.ts";

/** What a key of front matter means. `draft`: true leaves the page unpublished, whatever its date. */
export const FRONT_MATTER_TARGETS = [
  ...["title", "description", "keywords", "permalink", "published_at"],
  ...["draft", "tags", "og_image", "highlight_image", "ordering", "template", "aliases", "date_updated_at"],
] as const;

/** Targets by key. A key of a file that is not among them is in `template_data`. */
export type FrontMatter = { readonly [key: string]: string };

const COMMON: FrontMatter = {
  title: "title",
  description: "description",
  tags: "tags",
  draft: "draft",
  date: "published_at",
};

export const FRONT_MATTER_PRESETS: { readonly [name: string]: FrontMatter } = {
  hugo: {
    ...COMMON,
    publishDate: "published_at",
    lastmod: "date_updated_at",
    keywords: "keywords",
    url: "permalink",
    aliases: "aliases",
    weight: "ordering",
  },
  eleventy: { ...COMMON, permalink: "permalink" },
  astro: { ...COMMON, pubDate: "published_at", updatedDate: "date_updated_at", heroImage: "highlight_image" },
};

/** Fields of one language. */
const TEXTS: readonly string[] = ["title", "description", "keywords", "permalink", "published_at"];

/** How front matter is read and written. */
export interface FrontMatterForm {
  readonly keys: FrontMatter;
  readonly lang: Lang;
  readonly zone: TimeZone | undefined;
  /** The keys that have their own meaning in front matter of this service; of these, a mapped one is read as mapped. */
  readonly ownKeys: readonly string[];
  /** Whether the page has tags. */
  readonly hasTags: boolean;
}

/** What a YAML file would have. */
export function readFrontMatter(data: JsonObject, form: FrontMatterForm): JsonObject {
  const top: Record<string, Json> = {};
  const text: Record<string, Json> = {};
  const free: Record<string, Json> = {};
  let isDraft = false;
  for (const [key, value] of Object.entries(data)) {
    const target = targetOf(key, data, form);
    if (target === undefined) top[key] = value;
    else if (target === FREE) free[key] = value;
    else if (target === "draft") isDraft = value === true;
    else (TEXTS.includes(target) ? text : top)[target] = valueFor(target, value, form);
  }
  // A draft has its date, too: it is when it was written.
  if (text.published_at !== undefined) top.date_created ??= text.published_at;
  if (isDraft) delete text.published_at;
  const translations = mappingIn(top, "translations");
  const stated = mappingIn(translations, form.lang);
  const template_data = { ...free, ...mappingIn(stated, "template_data") };
  const texts = { ...text, ...stated, ...(Object.keys(template_data).length > 0 && { template_data }) };
  return Object.keys(texts).length > 0 ? { ...top, translations: { ...translations, [form.lang]: texts } } : top;
}

/**
 * What a file with this front matter has instead of the data of a YAML file: its own keys, and the others as they are.
 *
 * @param current the front matter of the file
 */
export function writeFrontMatter(data: JsonObject, current: JsonObject, form: FrontMatterForm): JsonObject {
  const top: Record<string, Json> = { ...data };
  const translations: Record<string, Json> = { ...mappingIn(data, "translations") };
  const text: Record<string, Json> = { ...mappingIn(translations, form.lang) };
  const free: Record<string, Json> = { ...mappingIn(text, "template_data") };
  const written: Record<string, Json> = {};
  const stated = mappingIn(mappingIn(current, "translations"), form.lang);
  for (const [key, value] of Object.entries(current)) {
    const target = targetOf(key, current, form);
    if (target === undefined || target === "draft") continue;
    if (target !== FREE && TEXTS.includes(target) && own(stated, target) !== undefined) continue;
    const [from, name] = target === FREE ? [free, key] : [TEXTS.includes(target) ? text : top, target];
    const next = own(from, name);
    delete from[name];
    if (next !== undefined) written[key] = valueAs(value, next);
    // An unpublished page keeps its date.
    else if (target === "published_at") written[key] = value;
  }
  const date = Object.keys(current).find((key) => targetOf(key, current, form) === "published_at");
  const published = own(mappingIn(mappingIn(data, "translations"), form.lang), "published_at");
  const draft = Object.keys(form.keys).find((key) => form.keys[key] === "draft");
  if (draft !== undefined && (own(current, draft) !== undefined || (date !== undefined && published === undefined)))
    written[draft] = published === undefined;
  setMapping(text, "template_data", free);
  setMapping(translations, form.lang, text);
  setMapping(top, "translations", translations);
  return { ...written, ...top };
}

const FREE = Symbol("in template_data");

/** undefined: the key is one of this service. Of two keys with one target, the later in the mapping counts. */
function targetOf(
  key: string,
  data: JsonObject,
  { keys, ownKeys, hasTags }: FrontMatterForm,
): string | typeof FREE | undefined {
  const target = own(keys, key);
  if (typeof target !== "string") return ownKeys.includes(key) ? undefined : FREE;
  if (target === "tags" && !hasTags) return FREE;
  const names = Object.keys(keys);
  const isSecond = names.some(
    (other, at) => keys[other] === target && at > names.indexOf(key) && own(data, other) !== undefined,
  );
  return isSecond ? FREE : target;
}

function mappingIn(data: JsonObject, key: string): JsonObject {
  const value = own(data, key);
  return isObject(value) ? value : {};
}

function setMapping(data: Record<string, Json>, key: string, value: JsonObject): void {
  if (Object.keys(value).length > 0) data[key] = value;
  else delete data[key];
}

function valueFor(target: string, value: Json, form: FrontMatterForm): Json {
  switch (target) {
    case "published_at":
    case "date_updated_at":
      return foreignMoment(value, form.zone) ?? value;
    case "tags":
      return typeof value === "string" ? [value] : value;
    case "keywords":
      return Array.isArray(value) ? value.join(", ") : value;
    case "aliases":
      return Array.isArray(value)
        ? value.map((from: Json) => (typeof from === "string" ? { language: form.lang, from } : from))
        : value;
    default:
      return value;
  }
}

/** A value in the form that the file has it in. */
function valueAs(current: Json, value: Json): Json {
  if (Array.isArray(current) && typeof value === "string") return value.split(", ");
  if (typeof current === "string" && Array.isArray(value) && value.length === 1) return value[0]!;
  const isPaths = Array.isArray(current) && current.every((each) => typeof each === "string");
  if (isPaths && Array.isArray(value))
    return (value as readonly Json[]).map((each) =>
      isObject(each) && typeof each.from === "string" ? each.from : each,
    );
  return value;
}

/** Not from `Intl`, which takes a start longer than all else that this module needs. */
const UTC: TimeZone = { name: "UTC", offsetAt: () => 0 };
const ENGLISH_DATE = /^[A-Z][a-z]{2,8} \d{1,2},? \d{4}$/;

/** Dates without a zone are in that of the site, else in UTC, as those generators read them. */
export function foreignMoment(value: Json, zone: TimeZone | undefined): Instant | undefined {
  const known = momentIn(value, zone ?? UTC);
  if (known || typeof value !== "string" || !ENGLISH_DATE.test(value)) return known;
  const ms = Date.parse(`${value} UTC`);
  return Number.isNaN(ms) ? undefined : instantOf(ms);
}

/** The text of the first heading of a Markdown text; undefined for none. */
export function firstHeading(markdown: string): string | undefined {
  const start = markdown.slice(0, HEADING_WITHIN);
  const text = /^ {0,3}#{1,6}[ \t]+(\S[^\r\n]{0,400})/m.exec(start)?.[1];
  return (
    text
      ?.replace(/[ \t]#+[ \t]*$/, "")
      .replace(/[*_`]/g, "")
      .trim() || undefined
  );
}

/** In characters: a heading further down is not that of the page. */
const HEADING_WITHIN = 20_000;
