/** All texts of the content, each with its record and key path, for checks of texts. */
import { TEXT_FIELDS, type Page, type PageText } from "../../model/page.ts";
import type { Severity } from "../../model/problem.ts";
import type { AnyKind, Entity, Reader } from "../content/record-type.ts";
import { CONTENTS } from "../content/records/contents.ts";
import { MENUS } from "../content/records/menus.ts";
import { META_INSTANCES } from "../content/records/meta-instances.ts";
import { allPages, kindOf } from "../content/indexes/page-models.ts";
import type { KeyPath } from "../codec/codec.ts";
import type { Finding } from "./finding.ts";

export interface ContentText {
  readonly kind: AnyKind;
  readonly id: number;
  /** Of a draft, which is in a file of its own: the key path in its payload. */
  readonly path: KeyPath;
  readonly text: string;
  readonly isDraft: boolean;
}

export function* contentTexts(content: Reader): Generator<ContentText> {
  for (const page of allPages(content)) {
    const kind = kindOf(page);
    for (const [lang, texts] of Object.entries(page.translations))
      yield* textsIn(kind, page, textsOf(texts), ["translations", lang]);
    yield* textsIn(kind, page, draftsOf(page), [], true);
  }
  for (const block of content.all(CONTENTS)) {
    for (const [lang, text] of Object.entries(block.content))
      yield* textsIn(CONTENTS, block, text, ["translations", lang, "content"]);
  }
  for (const each of content.all(META_INSTANCES)) yield* textsIn(META_INSTANCES, each, each.data, ["data"]);
  for (const menu of content.all(MENUS)) {
    for (const [lang, nodes] of Object.entries(menu.nodes))
      yield* textsIn(MENUS, menu, nodes, ["translations", lang, "nodes"]);
  }
}

/** A finding about a text. The file of a draft is not the main one, so a finding there has no position. */
export const inText = ({ kind, id, path, isDraft }: ContentText, message: string, severity?: Severity): Finding => ({
  kind,
  id,
  path: isDraft ? [] : path,
  message: isDraft ? `Its draft: ${message}` : message,
  ...(severity && { severity }),
});

/** An address as it names a file or page; unchanged when it is not percent-encoded. */
export function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

const textsOf = (texts: PageText): unknown =>
  Object.fromEntries(TEXT_FIELDS.map(({ name }) => [name, texts[name as keyof PageText]]));

const draftsOf = (page: Page): unknown => Object.values(page.drafts).map(({ payload }) => payload);

/** All strings in a value. Not recursive, since data may nest deeply. */
function* textsIn(
  kind: AnyKind,
  { id }: Entity,
  value: unknown,
  above: KeyPath,
  isDraft = false,
): Generator<ContentText> {
  const open: [unknown, KeyPath][] = [[value, above]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, path] = next;
    if (typeof inner === "string") yield { kind, id, path, text: inner, isDraft };
    else if (typeof inner === "object" && inner !== null) {
      const isList = Array.isArray(inner);
      for (const [key, each] of Object.entries(inner)) open.push([each, [...path, isList ? Number(key) : key]]);
    }
  }
}
