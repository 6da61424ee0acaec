/**
 * When each text of a page was changed last, by language: what tells a translation that is older than its source.
 *
 * Addresses, flags and dates are no texts. The data of a template counts by its keys: `template_data.lead`.
 */
import type { Instant } from "../time/instant.ts";
import { isObject, sameJson, type Json } from "../input/json.ts";
import type { Lang } from "../language/locale.ts";
import { textOf, type Page, type PageText } from "./page.ts";

/** By language, then by the path of the text; a text that is empty now, or older than what was read, has none. */
export type TextChanges = { readonly [lang: Lang]: { readonly [path: string]: Instant } };

export interface TextVersion {
  readonly page: Page;
  readonly at: Instant;
}

const TEXTS = [
  "title",
  "description",
  "content",
  "breadcrumbs_title",
  "keywords",
  "og_title",
  "og_description",
  "template_data",
] as const satisfies readonly (keyof PageText)[];

/**
 * @param versions newest first
 * @param isWhole whether the last of them is the first version of the page, whose texts are as old as it
 */
export function textChanges(versions: readonly TextVersion[], isWhole: boolean): TextChanges {
  const [newest] = versions;
  if (!newest) return {};
  const changes: [Lang, Record<string, Instant>][] = [];
  for (const lang of Object.keys(newest.page.translations)) {
    const now = textsIn(newest.page, lang);
    const moments: Record<string, Instant> = {};
    for (const [path, value] of now) {
      const at = changedAt(versions, isWhole, (page) => sameJson(textsIn(page, lang).get(path), value));
      if (at !== undefined) moments[path] = at;
    }
    changes.push([lang, moments]);
  }
  return Object.fromEntries(changes);
}

/** The moment of the oldest version from which on the value has been as it is now. */
function changedAt(
  versions: readonly TextVersion[],
  isWhole: boolean,
  isSame: (page: Page) => boolean,
): Instant | undefined {
  const differing = versions.findIndex(({ page }) => !isSame(page));
  if (differing === -1) return isWhole ? versions.at(-1)?.at : undefined;
  return versions[differing - 1]?.at;
}

/** The texts that are not empty, by their paths. */
function textsIn(page: Page, lang: Lang): ReadonlyMap<string, Json> {
  const text = textOf(page, lang);
  const all = TEXTS.flatMap((name): (readonly [string, Json])[] => {
    const value = text[name] as Json;
    if (name !== "template_data" || !isObject(value)) return [[name, value]];
    return Object.entries(value).map(([key, item]) => [`${name}.${key}`, item as Json]);
  });
  return new Map(all.filter(([, value]) => value !== null && value !== ""));
}
