/** The texts of a record that a search finds it by, in one language, with the fields they come from. */
import { isHiddenBlock } from "../../model/fields/blocks.ts";
import type { Definitions, KindName } from "../../model/fields/definition.ts";
import { fieldValuesIn } from "../../model/fields/walk.ts";
import { isObject, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import type { Media } from "../../model/media/media.ts";
import { slugOf } from "../../model/address/permalink.ts";
import { textOf, type Page, type PageText } from "../../model/page/page.ts";
import type { Content } from "../../model/records/content.ts";
import type { Menu, MenuNode } from "../../model/records/menu.ts";
import type { MetaInstance } from "../../model/records/meta.ts";
import type { DeclaredRecord } from "../../model/records/record.ts";
import { searchableText } from "../../model/search/plain-text.ts";
import { typeOf } from "../../store/content/indexes/meta-index.ts";
import { findPageModel } from "../../store/records/page-models.ts";
import type { Reader } from "../../store/records/record-type.ts";

export interface SearchedText {
  /** Names and indexes joined by dots, as the editor names its fields: `template_data.sections.1.caption`. */
  readonly path: string;
  /** To be shown as `plainText`. */
  readonly text: string;
  /** How much a word of it counts; 1 for one of a body. */
  readonly weight: number;
  /** Whether it is in a block that is kept, but not shown. */
  readonly isHidden: boolean;
}

const [TITLE, DESCRIPTION, BODY] = [8, 3, 1] as const;

/** Fields of pages, the most telling first. Those for programs, such as the identifier, are not among them. */
const PAGE_TEXTS = [
  ["title", TITLE],
  ["breadcrumbs_title", DESCRIPTION],
  ["keywords", DESCRIPTION],
  ["description", DESCRIPTION],
  ["og_title", DESCRIPTION],
  ["og_description", BODY],
  ["content", BODY],
] as const satisfies readonly (readonly [keyof PageText, number])[];

const textAt = (path: string, value: unknown, weight: number, isHidden = false): SearchedText[] => {
  const text = typeof value === "string" ? searchableText(value) : "";
  return text.trim() === "" ? [] : [{ path, text, weight, isHidden }];
};

export function textsOfPage(reader: Reader, page: Page, lang: Lang): readonly SearchedText[] {
  const texts = textOf(page, lang);
  const schema = findPageModel(reader, page.model)?.schema;
  const own = [
    ...PAGE_TEXTS.flatMap(([name, weight]) => textAt(name, texts[name], weight)),
    ...textsOfData("template_data", schema, texts.template_data),
  ];
  // A language without texts of its own has an address all the same, made from another one's title.
  if (own.length === 0) return own;
  return [...own, ...textAt("permalink", slugOf(texts.permalink)?.replaceAll("-", " "), DESCRIPTION)];
}

/** @param lang texts that are the same in all languages belong to the default one */
export function textsOfInstance(
  reader: Reader,
  instance: MetaInstance,
  lang: Lang,
  locales: Locales,
): readonly SearchedText[] {
  const isDefault = lang === locales.default;
  return [
    ...(isDefault ? textAt("identifier", instance.identifier, TITLE) : []),
    ...textsOfData("data", typeOf(reader, instance)?.schema, instance.data, { lang, isDefault, locales }),
  ];
}

export const textsOfContent = (block: Content, lang: Lang): readonly SearchedText[] => {
  const texts = textAt("content", block.content[lang], BODY);
  return texts.length === 0 ? [] : [...textAt("identifier", block.identifier, DESCRIPTION), ...texts];
};

export const textsOfMedia = (media: Media, lang: Lang, locales: Locales): readonly SearchedText[] => {
  const { title, alt_text, description } = media.translations[lang] ?? {};
  return [
    ...textAt("title", title, TITLE),
    ...textAt("alt_text", alt_text, DESCRIPTION),
    ...textAt("description", description, BODY),
    ...(lang === locales.default ? textAt("file", media.file, DESCRIPTION) : []),
  ];
};

export function textsOfMenu(menu: Menu, lang: Lang): readonly SearchedText[] {
  const inside = (nodes: readonly MenuNode[], path: string): SearchedText[] =>
    nodes.flatMap((node, at) => [
      ...textAt(`${path}.${at}.title`, node.title, DESCRIPTION),
      ...inside(node.nodes ?? [], `${path}.${at}.nodes`),
    ]);
  return inside(menu.nodes[lang] ?? [], "nodes");
}

export const textsOfDeclared = (record: DeclaredRecord, lang: Lang): readonly SearchedText[] =>
  Object.entries(record.translations[lang] ?? {}).flatMap(([name, value]) =>
    textAt(name, value, name === "name" || name === "title" ? TITLE : BODY),
  );

/** Kinds of fields whose values are read, not followed, chosen or computed with. */
const READ: ReadonlySet<KindName> = new Set(["string", "text", "textarea", "html", "phone", "email"]);

interface Spoken {
  readonly lang: Lang;
  readonly isDefault: boolean;
  readonly locales: Locales;
}

/** @param spoken of data whose fields have values by language */
function textsOfData(above: string, schema: Definitions | undefined, data: Json, spoken?: Spoken): SearchedText[] {
  if (!schema || !isObject(data)) return textsInFreeData(above, data);
  return [...fieldValuesIn(schema, data)].flatMap(({ definition, value, path, isHidden }) => {
    if (!READ.has(definition.kind ?? "string")) return [];
    const isSpoken = definition.translated ? path.at(-1) === spoken?.lang : spoken?.isDefault !== false;
    return isSpoken || !spoken ? textAt([above, ...path].join("."), value, BODY, isHidden) : [];
  });
}

/** Keys of values that are names for programs. */
const NAMES = new Set(["type", "id", "key", "slug", "class", "icon"]);
const ADDRESS = /^(?:[a-z][a-z0-9+.-]{0,20}:|\/|#|\.\.?\/)\S*$/i;

/** All texts of data without a schema but those that no reader is meant to see. Not recursive: data may nest deeply. */
function textsInFreeData(above: string, data: Json): SearchedText[] {
  const found: SearchedText[] = [];
  const open: { readonly path: string; readonly value: Json; readonly isHidden: boolean }[] = [
    { path: above, value: data, isHidden: false },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value, isHidden } = next;
    if (typeof value === "string") {
      if (!ADDRESS.test(value)) found.push(...textAt(path, value, BODY, isHidden));
    } else if (typeof value === "object" && value !== null) {
      const isInHidden = isHidden || isHiddenBlock(value);
      for (const [key, inner] of Object.entries(value as JsonObject).reverse())
        if (!NAMES.has(key)) open.push({ path: `${path}.${key}`, value: inner, isHidden: isInHidden });
    }
  }
  return found;
}
