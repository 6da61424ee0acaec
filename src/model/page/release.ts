/**
 * A release: changes of many pages that go live together, in one commit.
 *
 * An item names a page, a language and what happens to it. Its draft is the page's own pending draft, so a release has no
 * texts of its own.
 */
import { invalid, refuseInvalid, type ErrorNode, type FieldErrors } from "../../errors.ts";
import { isObject, own, type Json, type JsonObject } from "../input/json.ts";
import { isDeviceName } from "../address/possible-names.ts";
import { readValue, type FieldRow } from "../input/field.ts";
import type { Id } from "../input/id.ts";
import { NOT_AN_OBJECT, NOT_NULL, REQUIRED, requireObject } from "../input/input-errors.ts";
import { readSent } from "../input/sent-fields.ts";
import { parseInstant, type Instant } from "../time/instant.ts";
import { listOf, mergeErrors, named, record, refusedKeys, type UnknownFields } from "../input/known-keys.ts";
import { findLang, type Lang, type Locales } from "../language/locale.ts";

/**
 * `publish`: as publishing the language, with its pending draft. `unpublish`: the language is hidden, and a pending draft
 * stays. `trash`: the page is moved to the trash, in all languages.
 */
export const RELEASE_ACTIONS = ["publish", "unpublish", "trash"] as const;
export type ReleaseAction = (typeof RELEASE_ACTIONS)[number];

export interface ReleaseItem {
  readonly page: Id;
  /** null for `trash`, which concerns every language. */
  readonly language: Lang | null;
  readonly action: ReleaseAction;
}

export interface Release {
  readonly id: Id;
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly comment: string;
  /** When it is to go live; null while it is not scheduled, and after it was published. */
  readonly publish_at: Instant | null;
  /** When it went live; null before, and after it was taken back. */
  readonly published_at: Instant | null;
  readonly items: readonly ReleaseItem[];
}

export type ReleaseState = "open" | "scheduled" | "published";

export const stateOf = ({ publish_at, published_at }: Release): ReleaseState =>
  published_at !== null ? "published" : publish_at !== null ? "scheduled" : "open";

export const NO_ITEMS = "The release has no items.";

/** @throws CmsError `invalid`: a release without items is neither published nor scheduled */
export function refuseEmpty({ items }: Release): void {
  if (items.length === 0) throw invalid({ items: [NO_ITEMS] });
}

/** Whether a release is scheduled for now or any earlier moment. */
export const isDueRelease = (release: Release, now: Instant): boolean =>
  stateOf(release) === "scheduled" && release.publish_at! <= now;

export const RELEASE_NAME_MAX = 80;
export const RELEASE_COMMENT_MAX = 2000;
/** Of one release: it is one commit, which other writes wait for. */
export const RELEASE_ITEMS_MAX = 1000;
export const TOO_MANY_ITEMS = `A release has at most ${RELEASE_ITEMS_MAX} items.`;

/** The name is a file's on every system and part of an address. */
export const RELEASE_NAME = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

export const WRONG_NAME =
  `Enter at most ${RELEASE_NAME_MAX} small letters, digits, hyphens and underscores, with a letter or digit first and last, ` +
  "and no name of a device such as `con`.";

export const isReleaseName = (name: string): boolean =>
  name.length <= RELEASE_NAME_MAX && RELEASE_NAME.test(name) && !isDeviceName(name);

/** The sent values. */
export type ReleaseChange = Partial<Pick<Release, "name" | "comment" | "publish_at" | "items">>;

export const RELEASE_FIELDS: readonly FieldRow[] = [
  {
    name: "name",
    type: "text",
    blank: false,
    check: (text) => (text === "" || isReleaseName(text) ? undefined : WRONG_NAME),
  },
  { name: "comment", type: "text", max: RELEASE_COMMENT_MAX },
  { name: "publish_at", type: "instant", nullable: true },
];

const READ_ONLY = ["id", "state", "published_at"];
const KEYS = record(
  { ...named("name", "comment", "publish_at"), items: listOf(record(named("page", "language", "action"), ["title"])) },
  READ_ONLY,
);

/** @throws CmsError `invalid` with every offending field; errors of items are by position */
export function readReleaseChange(body: unknown, locales: Locales, unknownFields: UnknownFields): ReleaseChange {
  requireObject(body);
  const errors: Record<string, ErrorNode> = {};
  const change = readSent(body, RELEASE_FIELDS, errors);
  const sent = own(body, "items");
  const items = sent === undefined ? undefined : readReleaseItems(sent, locales);
  if (items && "errors" in items) errors.items = items.errors;
  refuseInvalid(mergeErrors(errors, refusedKeys(unknownFields, KEYS, body)) as FieldErrors);
  return { ...change, ...(items && "items" in items && { items: items.items }) } as ReleaseChange;
}

type ReadItems = { readonly items: readonly ReleaseItem[] } | { readonly errors: ErrorNode };

/** Items of a release or a review, or their errors by position. */
export function readReleaseItems(value: Json, locales: Locales): ReadItems {
  if (value === null) return { errors: [NOT_NULL] };
  if (!Array.isArray(value)) return { errors: ["Expected a list of items."] };
  if (value.length > RELEASE_ITEMS_MAX) return { errors: [TOO_MANY_ITEMS] };
  const read = value.map((item: Json) => readItem(item, locales));
  const items = read.flatMap((each) => ("item" in each ? [each.item] : []));
  if (items.length < read.length) return { errors: read.map((each) => ("errors" in each ? each.errors : {})) };
  const repeated = repeatedItems(items);
  return repeated.size === 0
    ? { items }
    : { errors: items.map((_, at): FieldErrors => (repeated.has(at) ? { page: [REPEATED] } : {})) };
}

export const REPEATED = "Another item is about this page and language already.";

/** The positions of items about what an earlier item is about. */
export function repeatedItems(items: readonly ReleaseItem[]): ReadonlySet<number> {
  const whole = new Set<Id>();
  const seen = new Set<string>();
  const pages = new Set<Id>();
  const repeated = new Set<number>();
  for (const [at, { page, language }] of items.entries()) {
    const key = `${page} ${language}`;
    if (whole.has(page) || seen.has(key) || (language === null && pages.has(page))) repeated.add(at);
    if (language === null) whole.add(page);
    seen.add(key);
    pages.add(page);
  }
  return repeated;
}

/** Messages by key of an item. */
export type ItemErrors = Record<string, string[]>;

type ReadItem = { readonly item: ReleaseItem } | { readonly errors: FieldErrors };

const PAGE_ROW: FieldRow = { name: "page", type: "reference", target: "cms.Page" };

function readItem(row: Json, locales: Locales): ReadItem {
  if (!isObject(row)) return { errors: { non_field_errors: [NOT_AN_OBJECT(row)] } };
  const errors: ItemErrors = {};
  const page = readPage(row, errors);
  const action = readAction(row, errors);
  const language = action === "trash" ? null : readLanguage(row, locales, errors);
  if (Object.keys(errors).length > 0) return { errors };
  return { item: { page, language, action } };
}

function readPage(row: JsonObject, errors: ItemErrors): Id {
  const read = readValue(PAGE_ROW, own(row, "page") ?? null);
  if ("error" in read || typeof read.value !== "number") {
    errors.page = [own(row, "page") === undefined ? REQUIRED : "error" in read ? read.error : NOT_NULL];
    return 0;
  }
  return read.value;
}

/** `publish` without one. */
export function readAction(row: JsonObject, errors: ItemErrors): ReleaseAction {
  const sent = own(row, "action") ?? "publish";
  const action = RELEASE_ACTIONS.find((each) => each === sent);
  if (action === undefined) errors.action = [`Expected one of ${RELEASE_ACTIONS.join(", ")}.`];
  return action ?? "publish";
}

/** The default language without one. */
export function readLanguage(row: JsonObject, locales: Locales, errors: Record<string, unknown>): Lang {
  const sent = own(row, "language") ?? locales.default;
  const lang = typeof sent === "string" ? findLang(locales, sent) : undefined;
  if (lang === undefined) errors.language = [`Expected one of ${locales.codes.join(", ")}.`];
  return lang ?? locales.default;
}

/** @throws CmsError `invalid` unless a body has a moment with its zone under `publish_at` */
export function readPublishAt(body: unknown): Instant {
  requireObject(body);
  const sent = own(body, "publish_at");
  const at = parseInstant(sent);
  if (at) return at;
  const message = sent === undefined || sent === null || sent === "" ? REQUIRED : "Invalid datetime.";
  throw invalid({ publish_at: [message] });
}
