/**
 * Front matter as other site generators write it, by a mapping of its keys to fields of a page.
 *
 * Values of the default language stand at the top of such front matter. Reading turns them into what a YAML file would
 * have; writing turns them back for the keys that the file has, so that a file keeps its own.
 */
import { foreignMoment } from "./foreign-moment.ts";
import { hiddenBy, isVisibilityKey, type Generator, type HiddenBy } from "./foreign-visibility.ts";
import { isObject, own, type Json, type JsonObject } from "../input/json.ts";
import type { TimeZone } from "../time/time-zone.ts";

/** What a key of front matter means. `draft`: true leaves the page unpublished, whatever its date. */
export const FRONT_MATTER_TARGETS = [
  ...["title", "description", "keywords", "permalink", "published_at"],
  ...["draft", "tags", "og_image", "highlight_image", "ordering", "template", "aliases", "date_updated_at"],
] as const;

export interface FrontMatter {
  /** Whose front matter it is: what a value means is read as this generator does. */
  readonly generator: Generator;
  /** Targets by key. A key of a file that is not among them is in `template_data`. */
  readonly keys: FrontMatterKeys;
}

export type FrontMatterKeys = { readonly [key: string]: string };

const COMMON: FrontMatterKeys = {
  title: "title",
  description: "description",
  tags: "tags",
  draft: "draft",
  date: "published_at",
};

export const FRONT_MATTER_PRESETS: { readonly [name: string]: FrontMatter } = {
  hugo: preset("hugo", {
    ...COMMON,
    publishDate: "published_at",
    lastmod: "date_updated_at",
    keywords: "keywords",
    url: "permalink",
    aliases: "aliases",
    weight: "ordering",
  }),
  eleventy: preset("eleventy", { ...COMMON, permalink: "permalink" }),
  astro: preset("astro", {
    ...COMMON,
    pubDate: "published_at",
    updatedDate: "date_updated_at",
    heroImage: "highlight_image",
  }),
};

function preset(generator: Generator, keys: FrontMatterKeys): FrontMatter {
  return { generator, keys };
}

/** Fields of one language. */
const TEXTS: readonly string[] = ["title", "description", "keywords", "permalink", "published_at"];

/** How front matter is read and written. */
export interface FrontMatterForm {
  readonly generator: Generator;
  readonly keys: FrontMatterKeys;
  /** The default language of the site. */
  readonly lang: string;
  readonly zone: TimeZone | undefined;
  /** The keys that have their own meaning in front matter of this service; of these, a mapped one is read as mapped. */
  readonly ownKeys: readonly string[];
  /** Whether the page has tags. */
  readonly hasTags: boolean;
}

/** What a YAML file would have. A file that is not public, or may not be, has no `published_at`. */
export function readFrontMatter(data: JsonObject, form: FrontMatterForm): JsonObject {
  const top: Record<string, Json> = {};
  const text: Record<string, Json> = {};
  const free: Record<string, Json> = {};
  const { targets, isHidden } = targetsOf(data, form);
  for (const [key, value] of Object.entries(data)) {
    const target = targets.get(key);
    if (target === undefined) top[key] = value;
    else if (target === FREE) free[key] = value;
    else if (target !== SPENT) (TEXTS.includes(target) ? text : top)[target] = valueFor(target, value, form);
  }
  // A draft has its date, too: it is when it was written.
  if (text.published_at !== undefined) top.date_created ??= text.published_at;
  const translations = mappingIn(top, "translations");
  const stated = mappingIn(translations, form.lang);
  const template_data = { ...free, ...mappingIn(stated, "template_data") };
  const texts: Record<string, Json> = {
    ...text,
    ...stated,
    ...(Object.keys(template_data).length > 0 && { template_data }),
  };
  if (isHidden) delete texts.published_at;
  return Object.keys(texts).length > 0 ? { ...top, translations: { ...translations, [form.lang]: texts } } : top;
}

/** Why a file is no public page, by key; empty: it is one, if it has a date. */
export function hidersOf(data: JsonObject, form: FrontMatterForm): readonly HiddenBy[] {
  const { generator, keys, zone } = form;
  const rules = {
    generator,
    dates: Object.keys(keys).filter((key) => keys[key] === "published_at"),
    zone,
    now: undefined,
  };
  const mapped = Object.entries(data).flatMap(([key, value]): readonly HiddenBy[] => {
    const name = nameOf(key, form);
    const target = name === undefined ? undefined : keys[name];
    // A mapping may have another word for drafts.
    if (target === "draft" && name !== "draft")
      return hiddenBy({ draft: value }, rules).map((hider) => ({ ...hider, key }));
    const message = target === "permalink" ? permalinkTrouble(value, generator) : undefined;
    return message === undefined ? [] : [{ key, message, isPlain: false }];
  });
  return [...hiddenBy(data, rules), ...mapped];
}

/** Code and patterns in an address: where it leads is decided by a program that is not run here. */
const permalinkTrouble = (value: Json, generator: Generator): string | undefined =>
  typeof value === "string" && (/\{[{%]/.test(value) || (generator === "hugo" && /(?:^|[/-]):[a-z]/.test(value)))
    ? "The address is made by code or a pattern, which is not run: it is a draft."
    : undefined;

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
  const published = own(text, "published_at");
  const { targets, isHidden } = targetsOf(current, form);
  for (const [key, value] of Object.entries(current)) {
    const target = targets.get(key);
    if (target === undefined) continue;
    // What hid a page that is public now has to go.
    if (target === SPENT) {
      if (published === undefined || !isHidden) written[key] = value;
      continue;
    }
    if (target !== FREE && TEXTS.includes(target) && own(stated, target) !== undefined) continue;
    const [from, name] = target === FREE ? [free, key] : [TEXTS.includes(target) ? text : top, target];
    const next = own(from, name);
    delete from[name];
    if (next !== undefined) written[key] = valueAs(value, next);
    // An unpublished page keeps its date.
    else if (target === "published_at") written[key] = value;
  }
  const hasDate = [...targets.values()].includes("published_at");
  const draft = Object.keys(form.keys).find((key) => form.keys[key] === "draft");
  if (draft !== undefined) {
    const present = Object.keys(current).find((key) => nameOf(key, form) === draft);
    // A draft by another key stays one by that key.
    const isUnpublished = hasDate && published === undefined && !isHidden;
    if (isUnpublished || (present !== undefined && published !== undefined)) written[present ?? draft] = isUnpublished;
  }
  setMapping(text, "template_data", free);
  setMapping(translations, form.lang, text);
  setMapping(top, "translations", translations);
  return { ...written, ...top };
}

const FREE = Symbol("in template_data");
/** Marks a key that says only whether or where a page is public. */
const SPENT = Symbol("visibility");

type Target = string | typeof FREE | typeof SPENT | undefined;

/** The key of the mapping that a key of a file is; only Hugo ignores case. */
function nameOf(written: string, { generator, keys }: FrontMatterForm): string | undefined {
  if (Object.hasOwn(keys, written)) return written;
  if (generator !== "hugo") return undefined;
  return Object.keys(keys).find((key) => key.toLowerCase() === written.toLowerCase());
}

interface Targets {
  /** By key; undefined: the key is one of this service. Of two keys with one target, the later in the mapping counts. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly isHidden: boolean;
}

function targetsOf(data: JsonObject, form: FrontMatterForm): Targets {
  const { keys, ownKeys, hasTags, generator, zone } = form;
  const hiders = new Set(hidersOf(data, form).map(({ key }) => key));
  const ranks = Object.keys(keys);
  const targets = new Map<string, Target>();
  const chosen = new Map<string, string>();
  for (const [key, value] of Object.entries(data)) {
    const name = nameOf(key, form);
    const target = name === undefined ? undefined : keys[name];
    if (target === "draft" || hiders.has(key)) targets.set(key, SPENT);
    else if (name === undefined || target === undefined) {
      const isSpent = isVisibilityKey(key, value, { generator, dates: [], zone, now: undefined });
      targets.set(key, ownKeys.includes(key) ? undefined : isSpent ? SPENT : FREE);
    } else if (target === "tags" && !hasTags) targets.set(key, FREE);
    else {
      const other = chosen.get(target);
      const isFirst = other === undefined || ranks.indexOf(name) > ranks.indexOf(nameOf(other, form)!);
      if (other !== undefined && isFirst) targets.set(other, FREE);
      if (isFirst) chosen.set(target, key);
      targets.set(key, isFirst ? target : FREE);
    }
  }
  return { targets, isHidden: hiders.size > 0 };
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
