/**
 * Whether a file of another generator is public, by its front matter.
 *
 * Each generator reads such values in its own way: Hugo ignores the case of keys, Jekyll publishes what is not `false` or
 * empty, code of Eleventy and Astro asks whether a value is truthy, and YAML 1.1 has `yes` and `off`. A value that the
 * generator takes for hidden hides the file here, and so does one that cannot be understood: what is not meant to be
 * public never becomes public by being read elsewhere.
 */
import { foreignMoment } from "./foreign-moment.ts";
import type { Instant } from "../time/instant.ts";
import { isList, isObject, own, type Json, type JsonObject } from "../input/json.ts";
import type { TimeZone } from "../time/time-zone.ts";

export const GENERATORS = ["hugo", "jekyll", "eleventy", "astro", "plain"] as const;
export type Generator = (typeof GENERATORS)[number];

/** A key of front matter for which a file is not public. */
export interface HiddenBy {
  /** As the file spells it. */
  readonly key: string;
  /** A sentence. */
  readonly message: string;
  /** Whether it is what the author meant in so many words, `draft: true` or `published: false`, so that it need not be told. */
  readonly isPlain: boolean;
}

export interface VisibilityRules {
  readonly generator: Generator;
  /** The keys that date a publication. */
  readonly dates: readonly string[];
  readonly zone: TimeZone | undefined;
  /** Undefined where the answer may not depend on the clock: a file with an end is hidden then. */
  readonly now: Instant | undefined;
}

/** Keys that other generators and their themes hide files by. Their values are read even where a generator has no such key. */
const HIDING = ["draft", "drafts", "published", "publish", "private", "password", "status"] as const;
const HUGO = ["headless", "build", "_build", "expirydate", "unpublishdate", "outputs"] as const;
/** The formats in which Hugo writes data of a page, not the page. */
const DATA_FORMATS = /^(?:json|rss|calendar|csv|css|robots|sitemap|webappmanifest)$/i;
const ELEVENTY = ["permalink", "pagination", "eleventyComputed"] as const;

/** Every key that hides a file, in the order of the file; empty: it is public. */
export function hiddenBy(data: JsonObject, rules: VisibilityRules): readonly HiddenBy[] {
  const found: HiddenBy[] = [];
  for (const [key, value] of Object.entries(data)) {
    const reason = reasonFor(key, value, data, rules);
    if (reason !== undefined) found.push({ key, ...reason });
  }
  return found;
}

/** Whether a key says nothing but that a file is hidden or not, so that it is no data of a page. */
export function isVisibilityKey(key: string, value: Json, rules: VisibilityRules): boolean {
  const name = key.toLowerCase();
  if (name === "published") return momentOf(value, rules) === undefined;
  if (["draft", "publish"].includes(name)) return true;
  return rules.generator === "hugo" && (HUGO as readonly string[]).includes(name);
}

type Reason = Pick<HiddenBy, "message" | "isPlain">;

function reasonFor(key: string, value: Json, data: JsonObject, rules: VisibilityRules): Reason | undefined {
  const { generator, dates } = rules;
  // Only Hugo ignores the case of keys; of other generators, a name in another case hides, and is told.
  const name = key.toLowerCase();
  const reason = ((): Reason | undefined => {
    if (generator === "eleventy" && (ELEVENTY as readonly string[]).includes(key)) return eleventyReason(key, value);
    if (generator === "hugo" && (HUGO as readonly string[]).includes(name)) return hugoReason(name, value, rules);
    if ((HIDING as readonly string[]).includes(name)) return hidingReason(name, value, data, rules);
    const isDate = generator === "hugo" ? dates.some((each) => each.toLowerCase() === name) : dates.includes(key);
    return isDate ? dateReason(value, rules) : undefined;
  })();
  if (reason === undefined || key === name || generator === "hugo" || !(HIDING as readonly string[]).includes(name))
    return reason;
  return { message: `${reason.message} The key is written ${key}, not ${name}.`, isPlain: false };
}

const hidden = (message: string, isPlain = false): Reason => ({ message, isPlain });
const show = (value: Json): string => JSON.stringify(value).slice(0, 60);
const unclear = (value: Json): Reason => hidden(`${show(value)} is not understood: it is a draft.`);

function hidingReason(name: string, value: Json, data: JsonObject, rules: VisibilityRules): Reason | undefined {
  const { generator } = rules;
  switch (name) {
    case "draft":
    case "drafts": {
      const is = truthOf(value);
      if (name === "drafts" && (isObject(value) || isList(value))) return undefined;
      if (is === true) return hidden("It is a draft.", value === true);
      // Code such as `if (data.draft)` takes every text but the empty one for true.
      if (typeof value === "string" && value !== "" && (generator === "eleventy" || generator === "astro"))
        return hidden(`${show(value)} is a text, which ${nameOf(generator)} takes for true: it is a draft.`);
      return is === "unclear" ? unclear(value) : undefined;
    }
    case "published": {
      // Hugo heeds `draft` where a file has both.
      if (generator === "hugo" && statesNoDraft(data)) return undefined;
      // To Ruby, null is false.
      if (value === null) return generator === "jekyll" ? hidden("It is empty: it is not published.") : undefined;
      const is = truthOf(value);
      if (is === false) return hidden("It is not published.", value === false);
      return is === "unclear" && momentOf(value, rules) === undefined ? unclear(value) : undefined;
    }
    case "publish":
      return truthOf(value) === false ? hidden("It is not published.") : undefined;
    case "private":
      return truthOf(value) === true ? hidden("It is private: it is a draft.") : undefined;
    case "password":
      return value === null || value === "" || value === false
        ? undefined
        : hidden("It has a password, which pages do not have here: it is a draft.");
    default:
      return typeof value === "string" && /^(?:draft|private|pending|future|trash|hidden|archived)$/i.test(value.trim())
        ? hidden(`${show(value)}: it is a draft.`)
        : undefined;
  }
}

const statesNoDraft = (data: JsonObject): boolean =>
  Object.entries(data).some(([key, value]) => key.toLowerCase() === "draft" && truthOf(value) === false);

function hugoReason(name: string, value: Json, { zone, now }: VisibilityRules): Reason | undefined {
  if (name === "headless") {
    const is = truthOf(value);
    return is === true ? hidden("It is headless: Hugo shows no page.") : is === "unclear" ? unclear(value) : undefined;
  }
  if (name === "build" || name === "_build") {
    if (value === null) return undefined;
    if (!isObject(value)) return unclear(value);
    const [, render] = Object.entries(value).find(([key]) => key.toLowerCase() === "render") ?? [];
    if (render === undefined || render === null || render === "" || render === "always") return undefined;
    if (render === "never" || render === "link")
      return hidden(`It is not rendered (render: ${render}): it is a draft.`);
    const is = truthOf(render);
    return is === true ? undefined : is === false ? hidden("It is not rendered: it is a draft.") : unclear(render);
  }
  if (name === "outputs") {
    const formats: readonly Json[] = isList(value) ? value : [value];
    return formats.length > 0 && formats.every((each) => typeof each === "string" && DATA_FORMATS.test(each))
      ? hidden("It has no page in HTML: it is a draft.")
      : undefined;
  }
  if (value === null || value === "") return undefined;
  const end = foreignMoment(value, zone);
  if (end === undefined) return unclear(value);
  if (now === undefined) return hidden("It has an end, which pages do not have here: it is a draft.");
  return now < end ? undefined : hidden("It expired: it is a draft.");
}

function eleventyReason(key: string, value: Json): Reason | undefined {
  switch (key) {
    case "permalink":
      if (value === false) return hidden("It has no page of its own: it is a draft.");
      return value === null || value === true || typeof value === "string" ? undefined : unclear(value);
    case "pagination":
      return hidden("Several pages are made of it: it is one draft.");
    default:
      return isObject(value) &&
        ["permalink", "draft", "published", "date"].some((each) => own(value, each) !== undefined)
        ? hidden("Code that is not run says where or whether it is public: it is a draft.")
        : undefined;
  }
}

/** Moments that Eleventy takes from the file system or from git. */
const NO_DATE = /^(?:git )?(?:created|last modified)$/i;

function dateReason(value: Json, rules: VisibilityRules): Reason | undefined {
  if (value === null || value === "" || momentOf(value, rules) !== undefined) return undefined;
  if (rules.generator === "eleventy" && typeof value === "string" && NO_DATE.test(value.trim())) return undefined;
  return hidden(`${show(value)} is no moment: it is a draft.`);
}

const momentOf = (value: Json, { zone }: VisibilityRules): Instant | undefined => foreignMoment(value, zone);

const nameOf = (generator: Generator): string => generator.charAt(0).toUpperCase() + generator.slice(1);

const TRUE = /^(?:true|yes|on|y|t|1)$/i;
const FALSE = /^(?:false|no|off|n|f|0)$/i;

/** What a value says in YAML 1.1 and 1.2, TOML, JSON and as text; undefined for none. */
function truthOf(value: Json): boolean | "unclear" | undefined {
  if (value === null || value === "") return undefined;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  if (typeof value !== "string") return "unclear";
  const text = value.trim();
  return TRUE.test(text) ? true : FALSE.test(text) ? false : "unclear";
}
