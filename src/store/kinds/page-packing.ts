/**
 * A page as it is kept between starts: what look-ups need at hand, and what pages are filled with as text that is only
 * read when somebody wants it. Most pages of a large site are never looked at between two starts.
 */
import type { Json, JsonObject } from "../../model/json.ts";
import type { Lang } from "../../model/locale.ts";
import { EMPTY_TEXT, type Draft, type Page, type PageText } from "../../model/page.ts";
import type { Packing } from "../kind.ts";

/** Of one language: what is not as in every new page, and the number of the text that holds the rest. */
interface PackedText {
  readonly light: Partial<PageText>;
  readonly rest: number;
}

export const PAGE_PACKING: Packing<Page> = {
  pack(page) {
    const texts: string[] = [];
    const translations = Object.entries(page.translations).map(([lang, text]): [Lang, PackedText] => {
      const light: { [name: string]: unknown } = {};
      for (const name in text) {
        const value = text[name as keyof PageText];
        if (name !== "template_data" && name !== "content" && value !== EMPTY_TEXT[name as keyof PageText]) light[name] = value;
      }
      return [lang, { light, rest: texts.push(JSON.stringify([text.template_data, text.content])) - 1 }];
    });
    const { translations: _translations, drafts, ...rest } = page;
    return { head: { ...rest, translations, drafts: Object.entries(drafts) } as unknown as JsonObject, texts };
  },
  unpack({ head, texts }) {
    const { translations, drafts, ...rest } = head as unknown as Omit<Page, "translations" | "drafts"> & {
      readonly translations: readonly (readonly [Lang, PackedText])[];
      readonly drafts: readonly (readonly [Lang, Draft])[];
    };
    return {
      ...rest,
      translations: Object.fromEntries(translations.map(([lang, { light, rest: at }]) => [lang, textOf(light, () => texts(at))])),
      drafts: Object.fromEntries(drafts),
    };
  },
};

/** Own properties like those of any other page's text, so that copies and comparisons see what they always see. */
function textOf(light: Partial<PageText>, read: () => string): PageText {
  let heavy: readonly [Json, string] | undefined;
  const parsed = (): readonly [Json, string] => (heavy ??= JSON.parse(read()) as [Json, string]);
  return {
    ...EMPTY_TEXT,
    ...light,
    get template_data() {
      return parsed()[0];
    },
    get content() {
      return parsed()[1];
    },
  };
}

