/** All texts of the content, each with its record and key path, for checks of texts. */
import { own, type JsonObject } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import { TEXT_FIELDS, type Page, type PageText } from "../../../model/page/page.ts";
import type { AnyKind, Entity, Reader } from "../../records/record-type.ts";
import { CONTENTS } from "../../records/contents.ts";
import { MENUS } from "../../records/menus.ts";
import { META_INSTANCES } from "../../records/meta-instances.ts";
import { allPages, findPage, kindOf } from "../../content/indexes/pages-by-model.ts";
import type { KeyPath } from "../../codec/codec.ts";
import type { Finding } from "../finding.ts";

export interface ContentText extends Origin {
  readonly id: number;
  /** In its file: that of the draft, if it has the text. */
  readonly path: KeyPath;
  readonly text: string;
  /** Whether it is the fixed address of a typed link, as of a menu. */
  readonly isAddress: boolean;
}

interface Origin {
  readonly kind: AnyKind;
  /** null for data of all languages. */
  readonly lang: Lang | null;
  /** null for a text that belongs to no page. */
  readonly page: Page | null;
  /** The payload of the draft that has the text; null for the text of a record. */
  readonly draft: JsonObject | null;
}

export function* contentTexts(content: Reader): Generator<ContentText> {
  for (const page of allPages(content)) {
    const kind = kindOf(page);
    for (const [lang, texts] of Object.entries(page.translations))
      yield* textsIn({ kind, lang, page, draft: null }, page, textsOf(texts), ["translations", lang]);
    for (const [lang, { payload }] of Object.entries(page.drafts))
      yield* textsIn({ kind, lang, page, draft: payload }, page, payload, ["payload"]);
  }
  for (const block of content.all(CONTENTS)) {
    const page = block.page === null ? null : (findPage(content, block.page) ?? null);
    for (const [lang, text] of Object.entries(block.content)) {
      const origin = { kind: CONTENTS, lang, page, draft: null };
      yield* textsIn(origin, block, text, ["translations", lang, "content"]);
    }
  }
  for (const each of content.all(META_INSTANCES))
    yield* textsIn({ kind: META_INSTANCES, lang: null, page: null, draft: null }, each, each.data, ["data"]);
  for (const menu of content.all(MENUS)) {
    for (const [lang, nodes] of Object.entries(menu.nodes))
      yield* textsIn({ kind: MENUS, lang, page: null, draft: null }, menu, nodes, ["translations", lang, "nodes"]);
  }
}

/** A finding about a text. */
export const inText = (
  { kind, id, path, lang, draft }: ContentText,
  found: Pick<Finding, "message" | "address" | "severity">,
): Finding => ({ kind, id, path, ...(draft && lang !== null && { draft: lang }), ...found });

const textsOf = (texts: PageText): unknown =>
  Object.fromEntries(TEXT_FIELDS.map(({ name }) => [name, texts[name as keyof PageText]]));

function* textsIn(origin: Origin, { id }: Entity, value: unknown, above: KeyPath): Generator<ContentText> {
  for (const [text, path, within] of stringsIn(value, above)) {
    const isAddress = path.at(-1) === "static" && own(within as JsonObject, "link_type") === "ST";
    yield { ...origin, id, path, text, isAddress };
  }
}

/** All strings in a value, each with its key path, and what holds it. Not recursive, since data may nest deeply. */
export function* stringsIn(
  value: unknown,
  above: KeyPath = [],
): Generator<[text: string, path: KeyPath, within: unknown]> {
  const open: [unknown, KeyPath, unknown][] = [[value, above, {}]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, path, within] = next;
    if (typeof inner === "string") yield [inner, path, within];
    else if (typeof inner === "object" && inner !== null) {
      const isList = Array.isArray(inner);
      for (const [key, each] of Object.entries(inner)) open.push([each, [...path, isList ? Number(key) : key], inner]);
    }
  }
}
