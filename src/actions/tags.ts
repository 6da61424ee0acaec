/** Writes to tags. */
import { invalid, refuseInvalid, type FieldErrors } from "../errors.ts";
import { isObject } from "../model/json.ts";
import { named, refusedKeys, translated, type Keys } from "../model/known-keys.ts";
import { langSuffix, type Lang, type Locales } from "../model/locale.ts";
import type { FieldRow } from "../model/field.ts";
import type { Id } from "../model/page.ts";
import { NOT_AN_OBJECT } from "../model/input-errors.ts";
import { readValue } from "../model/field.ts";
import { TAG_NAME_MAX, tagName, type Tag } from "../model/tag.ts";
import { sentTexts } from "../model/translated-input.ts";
import { TAGS } from "../store/content/records/tags.ts";
import type { Author, Written } from "../store/write/store.ts";
import type { Tx } from "../store/write/transaction.ts";
import type { Context } from "./context.ts";
import { clearReferences, readPages } from "./references.ts";

const NAME: FieldRow = { name: "name", type: "text", translated: true, max: TAG_NAME_MAX, nullable: true, blank: true };
const NAMES = new Set(["name"]);
const tagKeys = (locales: Locales): Keys => translated(locales, named("name"), {}, ["id"]);

/** @throws CmsError `invalid` when the tag would have no name, or one that is taken */
export function createTag(ctx: Context, by: Author, body: unknown, lang: Lang): Promise<Written<Tag>> {
  const names = readNames(ctx, body, lang);
  return ctx.store.transact(by, (tx) => {
    const tag = validateAndPut(ctx, tx, { id: tx.newId(), name: withNames({}, names) });
    tx.describe(`Create tag "${tagName(tag, ctx.locales.default, ctx.locales.codes[0]!)}"`, {
      "Cms-Action": "create-tag",
      "Cms-Tag": tag.id,
    });
    return tag;
  });
}

/** Changes the sent names; null or "" removes the name of a language. @throws CmsError as `createTag` */
export function updateTag(ctx: Context, by: Author, id: Id, body: unknown, lang: Lang): Promise<Written<Tag>> {
  const names = readNames(ctx, body, lang);
  return ctx.store.transact(by, (tx) => {
    const before = tx.get(TAGS, id);
    tx.describe(`Change tag "${tagName(before, ctx.locales.default, lang)}"`, {
      "Cms-Action": "update-tag",
      "Cms-Tag": id,
    });
    return validateAndPut(ctx, tx, { ...before, name: withNames(before.name, names) });
  });
}

/** Deletes tags, and removes them from articles and drafts; unknown ids are ignored. */
export async function deleteTags(ctx: Context, by: Author, ids: readonly Id[]): Promise<Written<void>> {
  await readPages(ctx.store.current);
  return ctx.store.transact(by, (tx) => {
    const tags = [...new Set(ids)].flatMap((id) => tx.find(TAGS, id) ?? []);
    for (const { id } of tags) tx.remove(TAGS, id);
    clearReferences(tx, { "cms.Tag": new Set(tags.map(({ id }) => id)) });
    tx.describe(
      tags.length === 1
        ? `Delete tag "${tagName(tags[0]!, ctx.locales.default, ctx.locales.default)}"`
        : `Delete ${tags.length} tags`,
      { "Cms-Action": "delete-tag" },
    );
  });
}

function validateAndPut(ctx: Context, tx: Tx, tag: Tag): Tag {
  const errors: Record<string, readonly string[]> = {};
  for (const [lang, name] of Object.entries(tag.name)) {
    const twin = tx.all(TAGS).some((other) => other.id !== tag.id && other.name[lang] === name);
    if (twin) errors[`name_${langSuffix(lang)}`] = [`tag with this name [${lang}] already exists.`];
  }
  if (Object.keys(tag.name).length === 0)
    errors[`name_${langSuffix(ctx.locales.default)}`] = ["This field is required."];
  refuseInvalid(errors);
  return tx.put(TAGS, tag);
}

/** The sent names by language; null removes a name. */
function readNames(ctx: Context, body: unknown, lang: Lang): Map<Lang, string | null> {
  if (!isObject(body)) throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
  const errors: Record<string, FieldErrors[string]> = { ...refusedKeys(ctx.unknownFields, tagKeys(ctx.locales), body) };
  const names = new Map<Lang, string | null>();
  const { byLang, malformed } = sentTexts(body, ctx.locales, lang, NAMES);
  for (const [key, value] of malformed) errors[key] = [NOT_AN_OBJECT(value)];
  for (const [code, sent] of byLang) {
    const value = sent.get("name");
    if (value === undefined) continue;
    const read = readValue(NAME, value);
    if ("error" in read) errors[`name_${langSuffix(code)}`] = [read.error];
    else names.set(code, read.value === "" ? null : (read.value as string | null));
  }
  refuseInvalid(errors);
  return names;
}

function withNames(before: Tag["name"], names: ReadonlyMap<Lang, string | null>): Tag["name"] {
  const merged = new Map<Lang, string | null>([...Object.entries(before), ...names]);
  return Object.fromEntries([...merged].filter((entry): entry is [Lang, string] => entry[1] !== null));
}
