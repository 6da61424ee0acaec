/** Custom fields of a post: which are fields of a page here, which are kept, and which only the old program needs. */
import { isList, objectOf, type Json, type JsonObject } from "../../model/input/json.ts";
import { LANGUAGE_META } from "./languages.ts";
import { readPhpValue } from "./php-value.ts";
import { metaOf, type WordPressItem } from "./wxr.ts";

/** Those of plugins for search engines, by what they say; the first that is there counts. */
const SEARCH_FIELDS = {
  description: ["_yoast_wpseo_metadesc", "rank_math_description", "_aioseo_description", "_seopress_titles_desc"],
  canonical: ["_yoast_wpseo_canonical", "rank_math_canonical_url", "_seopress_robots_canonical"],
  og_title: ["_yoast_wpseo_opengraph-title", "rank_math_facebook_title", "_seopress_social_fb_title"],
  og_description: ["_yoast_wpseo_opengraph-description", "rank_math_facebook_description", "_seopress_social_fb_desc"],
  keywords: ["_yoast_wpseo_focuskw", "rank_math_focus_keyword"],
} as const;
/** The title in the head of the page, for which there is no field here. */
const SEARCH_TITLE = ["_yoast_wpseo_title", "rank_math_title", "_aioseo_title", "_seopress_titles_title"];
/** Texts that the plugin fills in when it shows a page, as `%%title%%`. */
const VARIABLE = /%%?\w+%?%/;

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(SEARCH_FIELDS).flat(),
  ...SEARCH_TITLE,
  ...LANGUAGE_META,
  "_thumbnail_id",
  "_wp_page_template",
  "_wp_old_slug",
  "_wp_attached_file",
  "_wp_attachment_metadata",
  "_wp_attachment_image_alt",
  "_yoast_wpseo_meta-robots-noindex",
  "_yoast_wpseo_opengraph-image-id",
]);
/** What only the old program needs, and what it makes anew from other data. */
const PASSING =
  /^_(?:edit_l(?:ock|ast)$|encloseme$|pingme$|wp_old_date$|wp_trash_|wp_suggested_|yoast_wpseo_|oembed_|menu_item_|pll_)/;
/** In characters. */
const VALUE_MAX = 100_000;

export interface SearchFields {
  readonly description?: string;
  readonly canonical?: string;
  readonly og_title?: string;
  readonly og_description?: string;
  readonly keywords?: string;
  readonly indexable?: false;
}

export function searchFields(item: WordPressItem): SearchFields {
  const found = Object.entries(SEARCH_FIELDS).flatMap(([name, keys]) => {
    const value = firstOf(item, keys);
    return value === undefined ? [] : [[name, value] as const];
  });
  const isHidden =
    metaOf(item, "_yoast_wpseo_meta-robots-noindex")?.trim() === "1" || robotsOf(item).includes("noindex");
  return { ...Object.fromEntries(found), ...(isHidden && { indexable: false as const }) };
}

export const searchTitle = (item: WordPressItem): string | undefined => firstOf(item, SEARCH_TITLE);

function robotsOf(item: WordPressItem): readonly Json[] {
  const value = readPhpValue(metaOf(item, "rank_math_robots") ?? "");
  return isList(value) ? value : [];
}

function firstOf(item: WordPressItem, keys: readonly string[]): string | undefined {
  return keys
    .map((key) => metaOf(item, key)?.trim())
    .find((value) => value !== undefined && value !== "" && !VARIABLE.test(value));
}

export interface CustomFields {
  /** Those that WordPress shows as custom fields. A list where a key repeats. */
  readonly shown: JsonObject;
  /** Keys of hidden ones, which begin with `_`: they belong to plugins, and may be private. */
  readonly hidden: readonly string[];
  readonly tooLong: readonly string[];
}

export function customFields({ meta }: WordPressItem): CustomFields {
  const shown = new Map<string, Json[]>();
  const hidden = new Set<string>();
  const tooLong = new Set<string>();
  for (const [key, value] of meta) {
    if (key === "" || KNOWN.has(key) || PASSING.test(key) || isFieldReference(key, value)) continue;
    if (key.startsWith("_")) hidden.add(key);
    else if (value.length > VALUE_MAX) tooLong.add(key);
    else {
      const read = readPhpValue(value) ?? value;
      const others = shown.get(key);
      if (others) others.push(read);
      else shown.set(key, [read]);
    }
  }
  return {
    shown: objectOf([...shown].map(([key, values]) => [key, values.length === 1 ? values[0]! : values] as const)),
    hidden: [...hidden],
    tooLong: [...tooLong],
  };
}

/** Beside each field of Advanced Custom Fields there is one that names its definition. */
const isFieldReference = (key: string, value: string): boolean =>
  key.startsWith("_") && /^field_[\w-]+$/.test(value.trim());
