/** Writes to content blocks. */
import { readSent, readSentTexts, type Saving, type TextReaders } from "../../model/input/sent-fields.ts";
import { refuseInvalid, type FieldErrors } from "../../errors.ts";
import { IDENTIFIER_MAX, type Content } from "../../model/records/content.ts";
import { contentTypeOf } from "../../model/page/content-type.ts";
import { own, type Json } from "../../model/input/json.ts";
import { named, refusedKeys, translated, type Keys } from "../../model/input/known-keys.ts";
import { type Lang, type Locales } from "../../model/language/locale.ts";
import type { FieldRow } from "../../model/input/field.ts";
import type { Id } from "../../model/page/page.ts";
import { noSuchTarget, REQUIRED, requireObject, NOT_A_STRING } from "../../model/input/input-errors.ts";
import { CONTENTS } from "../../store/records/contents.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import type { Author, Written } from "../../store/write/store.ts";
import type { Tx } from "../../store/write/transaction.ts";
import type { Context } from "../context.ts";

interface ContentChange {
  readonly identifier?: string;
  /** undefined: not sent. */
  readonly contentType?: Id | null;
  readonly objectId?: Id | null;
  readonly content: { readonly [lang: Lang]: string };
}

/** @throws CmsError `invalid` */
export function createContent(ctx: Context, by: Author, body: unknown, lang: Lang): Promise<Written<Content>> {
  const change = readContentChange(ctx, body, lang, true);
  return ctx.store.transact(by, (tx) => makeContent(tx, change));
}

/** Changes the sent values. @throws CmsError `invalid` */
export function updateContent(
  ctx: Context,
  by: Author,
  id: Id,
  body: unknown,
  { lang }: Pick<Saving, "lang">,
): Promise<Written<Content>> {
  const change = readContentChange(ctx, body, lang, false);
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(CONTENTS, id);
    const block: Content = {
      ...before,
      identifier: change.identifier ?? before.identifier,
      page: change.objectId === undefined ? before.page : change.objectId,
      content: { ...before.content, ...change.content },
    };
    tx.describe(`Change content "${block.identifier}"`, trailers("update-content", block));
    return validateAndPut(tx, block, change);
  });
}

export function deleteContents(ctx: Context, by: Author, ids: readonly Id[]): Promise<Written<void>> {
  return ctx.store.transact(by, (tx) => {
    const blocks = ids.flatMap((id) => tx.find(CONTENTS, id) ?? []);
    for (const { id } of blocks) tx.remove(CONTENTS, id);
    const [only] = blocks;
    const what = only && blocks.length === 1 ? `content "${only.identifier}"` : `${blocks.length} content blocks`;
    tx.describe(`Delete ${what}`, { "Cms-Action": "delete-content" });
  });
}

/** Finds the block with an identifier on a page or of the whole site, or creates it. */
export function getOrCreateContent(ctx: Context, by: Author, body: unknown, lang: Lang): Promise<Written<Content>> {
  const change = readContentChange(ctx, body, lang, true);
  return ctx.store.transact(by, (tx) => {
    const known = tx
      .all(CONTENTS)
      .find((block) => block.identifier === change.identifier && block.page === (change.objectId ?? null));
    return known ?? makeContent(tx, change);
  });
}

/** Sets one language's text. @throws CmsError `not_found` */
export function editContent(ctx: Context, by: Author, id: Id, lang: Lang, content: string): Promise<Written<Content>> {
  return ctx.store.transact(by, (tx) => {
    const block = tx.get(CONTENTS, id);
    tx.describe(`Edit content "${block.identifier}" (${lang})`, trailers("edit-content", block));
    return tx.put(CONTENTS, { ...block, content: { ...block.content, [lang]: content } });
  });
}

function makeContent(tx: Tx, change: ContentChange): Content {
  const block: Content = {
    id: tx.newId(),
    identifier: change.identifier!,
    page: change.objectId ?? null,
    content: change.content,
  };
  tx.describe(`Create content "${block.identifier}"`, trailers("create-content", block));
  return validateAndPut(tx, block, change);
}

const trailers = (action: string, { id, page }: Content) => ({
  "Cms-Action": action,
  "Cms-Content": id,
  "Cms-Page": page ?? undefined,
});

function validateAndPut(tx: Tx, block: Content, { contentType, objectId }: ContentChange): Content {
  const errors: Record<string, readonly string[]> = {};
  const owner = block.page === null ? undefined : findPage(tx, block.page);
  if (objectId != null && !owner) errors.object_id = [noSuchTarget(objectId)];
  if (contentType != null && objectId === undefined) errors.object_id = [REQUIRED];
  if (contentType != null && owner && contentTypeOf(owner.model).id !== contentType)
    errors.content_type = [noSuchTarget(contentType)];
  const twin = tx
    .all(CONTENTS)
    .find((other) => other.id !== block.id && other.identifier === block.identifier && other.page === block.page);
  if (twin && block.page !== null)
    errors.non_field_errors = ["The fields identifier, content_type, object_id must make a unique set."];
  refuseInvalid(errors);
  return tx.put(CONTENTS, block);
}

const CONTENT: TextReaders<string> = new Map([
  [
    "content",
    (value: Json) => {
      if (value === null) return { value: "" };
      const isText = typeof value === "string" && value.isWellFormed();
      return isText ? { value } : { error: NOT_A_STRING };
    },
  ],
]);
const FIELDS: readonly FieldRow[] = [
  { name: "identifier", type: "text", max: IDENTIFIER_MAX, blank: false },
  { name: "content_type", type: "reference", nullable: true },
  { name: "object_id", type: "reference", nullable: true },
];

const contentKeys = (locales: Locales): Keys =>
  translated(locales, named("content"), named("identifier", "content_type", "object_id"), ["id"]);

function readContentChange(
  { locales, unknownFields }: Context,
  body: unknown,
  lang: Lang,
  isNew: boolean,
): ContentChange {
  requireObject(body);
  const errors: Record<string, FieldErrors[string]> = { ...refusedKeys(unknownFields, contentKeys(locales), body) };
  const sent = readSent(body, FIELDS, errors) as {
    identifier?: string;
    content_type?: Id | null;
    object_id?: Id | null;
  };
  const { identifier, content_type: contentType, object_id: objectId } = sent;
  if (isNew && own(body, "identifier") === undefined) errors.identifier = [REQUIRED];
  const texts = readSentTexts(body, locales, lang, CONTENT, errors);
  const content = Object.fromEntries(Object.entries(texts).map(([code, each]) => [code, each.content ?? ""] as const));
  refuseInvalid(errors);
  return { ...(identifier !== undefined && { identifier }), contentType, objectId, content };
}
