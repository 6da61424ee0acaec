/**
 * Links in imported texts to what is imported with them, as long as its address is not known:
 * `cms-import:markdown%3Aposts%2Fa.md#part`. They are addresses that Markdown and HTML allow everywhere.
 */
import { isObject, type Json } from "../../model/input/json.ts";
import type { Id } from "../../model/input/id.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { SourceId } from "../imported-site.ts";

const SCHEME = "cms-import:";
/** The characters that `encoded` leaves, a language, and what follows the address. */
const LINK = /cms-import:([\w.%~!-]+)(?:@([\w-]+))?/g;

/**
 * The address to write into a text.
 *
 * @param lang the language of a linked page; absent: that of the text
 * @param tail query and fragment
 */
export const sourceLink = (source: SourceId, { lang, tail = "" }: { lang?: Lang; tail?: string } = {}): string =>
  `${SCHEME}${encoded(source)}${lang === undefined ? "" : `@${lang}`}${tail}`;

const REFERENCE = "cms-import-id:";

/** A value of data that becomes the id of a record, or null where that is not imported. */
export const sourceReference = (source: SourceId): string => `${REFERENCE}${encoded(source)}`;

/** Parentheses, quotes and `*` would end or change a link of Markdown. */
const encoded = (source: SourceId): string =>
  encodeURIComponent(source).replace(
    /[()*'_]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );

/** What the first link of a text leads to; undefined for a text without any. */
export function sourceIn(text: string): SourceId | undefined {
  const [found] = text.matchAll(LINK);
  return found && decodeURIComponent(found[1]!);
}

/**
 * The sources that the strings of a value name: by links and references, and those that are a source as a whole.
 *
 * @param isWanted of which sources
 */
export function sourcesIn(value: unknown, isWanted: (source: SourceId) => boolean): SourceId[] {
  const found: SourceId[] = [];
  const take = (source: SourceId | undefined): void => {
    if (source !== undefined && isWanted(source)) found.push(source);
  };
  const visit = (each: unknown): void => {
    if (typeof each === "object" && each !== null) for (const inner of Object.values(each)) visit(inner);
    if (typeof each !== "string") return;
    take(isReference(each) ? decode(each.slice(REFERENCE.length)) : each);
    if (each.includes(SCHEME)) for (const [, source] of each.matchAll(LINK)) take(decode(source!));
  };
  visit(value);
  return found;
}

/** The address of a record, with its language for a page. */
export type ResolveLink = (source: SourceId, lang: Lang | undefined) => string;

/** The text with its links resolved; the same text when it has none. */
export const resolveLinks = (text: string, resolve: ResolveLink): string =>
  text.includes(SCHEME)
    ? text.replace(LINK, (link, source: string, lang: string | undefined) => {
        const decoded = decode(source);
        return decoded === undefined ? link : resolve(decoded, lang);
      })
    : text;

/** undefined for what only looks like a link, as in a text about this format. */
function decode(source: string): SourceId | undefined {
  try {
    return decodeURIComponent(source);
  } catch {
    return undefined;
  }
}

/** The id of an imported record. */
export type ResolveReference = (source: SourceId) => Id | undefined;

/**
 * The value with the links in all its texts resolved, and its references; lists lose those that are not imported. A value
 * without any is returned itself.
 */
export function resolveLinksIn<T extends Json>(value: T, resolve: ResolveLink, idOf?: ResolveReference): T;
export function resolveLinksIn(value: Json, resolve: ResolveLink, idOf?: ResolveReference): Json {
  if (typeof value === "string") return idOf && isReference(value) ? idIn(value, idOf) : resolveLinks(value, resolve);
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).flatMap((each) => {
      const resolved = resolveLinksIn(each, resolve, idOf);
      return resolved === null && each !== null ? [] : [resolved];
    });
    return items.length === value.length && items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isObject(value)) return value;
  let changed: { [key: string]: Json } | undefined;
  for (const key of Object.keys(value)) {
    const each = value[key]!;
    const resolved = resolveLinksIn(each, resolve, idOf);
    // An own key of the copy, so that the assignment of `__proto__` does not change its prototype.
    if (resolved !== each) (changed ??= { ...value })[key] = resolved;
  }
  return changed ?? value;
}

const isReference = (value: string): boolean => value.startsWith(REFERENCE);

function idIn(value: string, idOf: ResolveReference): Id | null {
  const source = decode(value.slice(REFERENCE.length));
  return (source === undefined ? undefined : idOf(source)) ?? null;
}
