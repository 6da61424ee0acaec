/**
 * A page as it is kept between starts: an outline that look-ups work on, and texts that are only read when somebody wants
 * the page. Most pages of a large site are never looked at between two starts.
 */
import type { Json } from "../../../model/json.ts";
import { EMPTY_TEXT, type Page, type PageOutline, type PageText } from "../../../model/page.ts";
import type { Packing } from "../record-type.ts";
import { CHILDREN, eachKey } from "./page-keys.ts";

const OUTLINE = [
  "id",
  "model",
  "identifier",
  "parent_page",
  "ordering",
  "robots",
  "deleted_at",
  "date_created",
  "date_updated_at",
  "aliases",
] as const;
/** Where the page's own part stands; after it, in the outline's order, what fills each language. */
const OWN = 0;

/** All but what languages are filled with. */
type Own = Omit<Page, (typeof OUTLINE)[number] | "translations"> & {
  readonly translations: readonly Partial<PageText>[];
};

export const PAGE_PACKING: Packing<Page> = {
  pack(page) {
    const outline: { [name: string]: unknown } = {};
    const own: { [name: string]: unknown } = {};
    for (const name in page) (OUTLINE.includes(name as never) ? outline : own)[name] = page[name as keyof Page];
    outline.translations = Object.fromEntries(
      Object.entries(page.translations).map(([lang, { permalink, published_at }]) => [
        lang,
        { permalink, published_at },
      ]),
    );
    outline.drafts = Object.fromEntries(
      Object.entries(page.drafts).map(([lang, { scheduled_for }]) => [lang, { scheduled_for }]),
    );
    const texts = Object.values(page.translations);
    own.translations = texts.map(lightOf);
    return {
      outline: outline as unknown as PageOutline,
      texts: [
        JSON.stringify(own),
        ...texts.map(({ template_data, content }) => JSON.stringify([template_data, content])),
      ],
    };
  },
  unpack({ outline, texts }) {
    const { translations, ...own } = JSON.parse(texts(OWN)) as Own;
    const page: { [name: string]: unknown } = { ...own };
    for (const name of OUTLINE) page[name] = (outline as PageOutline)[name];
    const langs = Object.entries((outline as PageOutline).translations);
    page.translations = Object.fromEntries(
      langs.map(([lang, known], at) => [lang, textOf({ ...translations[at], ...known }, () => texts(OWN + 1 + at))]),
    );
    return page as unknown as Page;
  },
  keys: (outline, take) => eachKey(outline as PageOutline, take),
  isUnique: (space) => space !== CHILDREN,
};

/** What is not as in every new page, without what the outline has and what is read apart. */
function lightOf(text: PageText): Partial<PageText> {
  const light: { [name: string]: unknown } = {};
  for (const name in text) {
    const value = text[name as keyof PageText];
    if (!APART.has(name) && value !== EMPTY_TEXT[name as keyof PageText]) light[name] = value;
  }
  return light;
}

const APART: ReadonlySet<string> = new Set(["permalink", "published_at", "template_data", "content"]);

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
