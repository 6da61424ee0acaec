/** The anchors of pages: what the fragment of a link can lead to. */
import { contentIn, type Content } from "../../model/records/content.ts";
import type { JsonObject } from "../../model/input/json.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { fallbackText, TEXT_FIELDS, type Id, type Page, type PageText } from "../../model/page/page.ts";
import type { Reader } from "../records/record-type.ts";
import { CONTENTS } from "../records/contents.ts";
import { META_INSTANCES } from "../records/meta-instances.ts";
import { stringsIn, type ContentText } from "./texts/content-texts.ts";
import { anchorsIn, type ReadMarkdown } from "./texts/text-markup.ts";

export interface Anchors {
  /**
   * @param from the text that has the link: one in a draft may lead to what the draft adds to its page
   */
  has(anchor: string, page: Page, lang: Lang, from: ContentText): boolean;
}

/**
 * A page has the anchors of its own texts and blocks, and may show those of templates, of blocks without a page and of
 * instances of meta types. Each text is read at most once for each language, and only if a link leads to it.
 *
 * @param templates texts of all templates
 */
export function anchorsOf(
  content: Reader,
  locales: Locales,
  templates: readonly string[],
  read: ReadMarkdown,
): Anchors {
  const inTexts = (value: unknown): ReadonlySet<string> =>
    new Set([...stringsIn(value)].flatMap(([text]) => anchorsIn(text, read)));
  const blocks = new Map<Id | null, Content[]>();
  for (const block of content.all(CONTENTS)) {
    const others = blocks.get(block.page);
    if (others) others.push(block);
    else blocks.set(block.page, [block]);
  }
  const blockTexts = (page: Id | null, lang: Lang): string[] =>
    (blocks.get(page) ?? []).map((block) => contentIn(block, lang, locales.default));
  const ofTemplates = templateIds(templates);
  const instances = content.all(META_INSTANCES).map(({ data }) => data);
  const ofSite = remembered((lang: Lang) => inTexts([...blockTexts(null, lang), ...instances]));
  const ofDraft = remembered((payload: JsonObject) => inTexts(payload));
  const ofPage = remembered((page: Page) =>
    remembered((lang: Lang) => inTexts([...textsOf(page, lang, locales.default), ...blockTexts(page.id, lang)])),
  );
  return {
    has(anchor, page, lang, { draft, page: own }) {
      return (
        ofPage(page)(lang).has(anchor) ||
        (draft && own?.id === page.id && ofDraft(draft).has(anchor)) ||
        ofTemplates.whole.has(anchor) ||
        ofSite(lang).has(anchor) ||
        [...ofTemplates.beginnings].some((each) => each !== "" && anchor.startsWith(each))
      );
    },
  };
}

/** A page's texts in a language, as they are shown: with fallback to the default language. */
const textsOf = (page: Page, lang: Lang, defaultLang: Lang): unknown[] =>
  TEXT_FIELDS.map(({ name }) => fallbackText(page, lang, defaultLang, name as keyof PageText));

const TEMPLATE_ID = /\sid=["']?([^\s"'<>{]{0,200})(\{[{%])?/g;

/** The ids in templates, and the beginnings of those that go on with a variable: "" for one that is all variable. */
function templateIds(templates: readonly string[]): Record<"whole" | "beginnings", ReadonlySet<string>> {
  const ids = templates.flatMap((text) => [...text.matchAll(TEMPLATE_ID)]);
  const those = (isVariable: boolean): ReadonlySet<string> =>
    new Set(ids.flatMap(([, id = "", variable]) => ((variable !== undefined) === isVariable ? [id] : [])));
  return { whole: those(false), beginnings: those(true) };
}

/** A function whose results are kept. */
function remembered<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const found = known.get(key) ?? compute(key);
    known.set(key, found);
    return found;
  };
}
