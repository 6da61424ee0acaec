/**
 * The records that use a media item or a page: by its id in a field or in data, or by its address in any text; and those
 * that may have blocks of a type.
 *
 * Ids are random, so a number in free-form data that equals the id of a record is taken as a reference to it. So is a text that is
 * nothing but the path of a file, as templates put their `/media/` before it.
 */
import { derivativeFiles, type Media } from "../../../model/media/media.ts";
import { decoded, publicPath, type Locales } from "../../../model/language/locale.ts";
import { trimEnd } from "../../../model/text/trim.ts";
import { mediaAddressesIn } from "../../../model/address/media-addresses.ts";
import { globalsOf, type Id, type Page } from "../../../model/page/page.ts";
import type { DeclaredRecord } from "../../../model/records/record.ts";
import { RECORDS } from "../../../model/records/records.ts";
import type { AnyKind, Entity, Kind, Reader } from "../../records/record-type.ts";
import { CONTENTS } from "../../records/contents.ts";
import { declaredTypeOf } from "../../records/declared.ts";
import { MENUS } from "../../records/menus.ts";
import { META_INSTANCES } from "../../records/meta-instances.ts";
import { REDIRECTS } from "../../records/redirects.ts";
import { mediaIndex } from "./media-index.ts";
import { pace } from "../../../time-slices.ts";
import { allPages, kindOf, loadRecords, PAGE_KINDS } from "./pages-by-model.ts";

/** A record that uses another one, as payloads name it. */
export interface UseLink {
  readonly model: string;
  readonly name: string;
  readonly id: Id;
}

/** A record that uses another one, and the key by which it does. */
export interface RecordUse {
  readonly kind: AnyKind;
  readonly record: Entity;
  readonly key: UseKey;
  readonly link: UseLink;
}

/**
 * The id of a media item, a path below `media/`; of a page `pageKey`, or its path, which begins with a slash; of a block
 * type `blockKey`.
 */
type UseKey = number | string;

const pageKey = (id: Id): UseKey => `#${id}`;
const blockKey = (type: string): UseKey => `block:${type}`;

interface Source<T extends Entity> {
  kindOf(record: T): AnyKind;
  records(reader: Reader): readonly T[];
  /** Where the number of an item is a use of it; texts are looked at everywhere. */
  values(record: T): unknown;
  /** Where the number of a page is a use of it, and blocks may be. */
  pages(record: T): unknown;
  link(record: T): UseLink;
}

const sourceOf = <T extends Entity>(
  kind: Kind<T>,
  values: (record: T) => unknown,
  name: (record: T) => string,
  pages = values,
) => ({
  kindOf: () => kind,
  records: (reader: Reader) => reader.all(kind),
  values,
  pages,
  link: (record: T) => linkTo(kind.name, name(record) || String(record.id), record.id),
});

const linkTo = (model: string, name: string, id: Id): UseLink => ({ model, name: `(${model}) ${name}`, id });

const PAGES_OF_ALL_MODELS: Source<Page> = {
  kindOf,
  records: allPages,
  values: (page) => [
    globalsOf(page).flatMap(([{ target }, value]) => (target === "cms.Media" ? [value] : [])),
    page.meta,
    Object.values(page.translations).map((text) => text.template_data),
    Object.values(page.drafts).map((draft) => draft.payload),
  ],
  pages: (page) => [
    page.parent_page,
    Object.values(page.translations).map((text) => text.template_data),
    Object.values(page.drafts).map((draft) => draft.payload),
  ],
  link: (page) => linkTo(page.model.charAt(0).toUpperCase() + page.model.slice(1), titleOf(page), page.id),
};

const titleOf = (page: Page): string =>
  Object.values(page.translations)
    .map((text) => text.title)
    .find(Boolean) ?? String(page.id);

const SOURCES = [
  PAGES_OF_ALL_MODELS,
  sourceOf(
    META_INSTANCES,
    ({ data }) => data,
    ({ identifier }) => identifier ?? "",
  ),
  sourceOf(
    CONTENTS,
    () => [],
    ({ identifier }) => identifier,
  ),
  sourceOf(
    MENUS,
    ({ nodes }) => nodes,
    ({ key }) => key,
  ),
  ...RECORDS.map((of) => {
    const valuesOf =
      (target: string) =>
      ({ values }: DeclaredRecord): unknown =>
        of.fields.map((row) => ("target" in row && row.target === target ? values[row.name] : null));
    return sourceOf<DeclaredRecord>(
      declaredTypeOf(of),
      valuesOf("cms.Media"),
      ({ values, translations }) =>
        String([values, ...Object.values(translations)].map((texts) => texts[of.title]).find(Boolean) ?? ""),
      valuesOf("cms.Page"),
    );
  }),
  sourceOf(
    REDIRECTS,
    () => [],
    ({ rows }) => rows.map(({ from }) => from).join(", "),
  ),
] as unknown as readonly Source<Entity>[];

type Uses = ReadonlyMap<UseKey, readonly RecordUse[]>;

const USES = new WeakMap<
  readonly Entity[],
  { readonly mediaUrl: string; readonly lists: readonly (readonly Entity[])[]; readonly uses: Uses }
>();
/** By record, which is immutable. */
const KEYS = new WeakMap<Entity, { readonly mediaUrl: string; readonly keys: ReadonlySet<UseKey> }>();

/** Reads, in slices, what `mediaUses` and `pageUses` look for in every record of a site. */
export async function loadUses(reader: Reader, mediaUrl: string): Promise<void> {
  await loadRecords(reader, PAGE_KINDS);
  for (const source of SOURCES) {
    for (const record of source.records(reader)) {
      keysOf(source, record, mediaUrl);
      const rest = pace();
      if (rest) await rest;
    }
  }
}

/**
 * All records that use an item, pages first, drafts included. In a request, await `loadUses` before it.
 *
 * @param mediaUrl the setting `MEDIA.URL`
 */
export const mediaUses = (reader: Reader, media: Media, mediaUrl: string): readonly UseLink[] => [
  ...new Set(usesOf(reader, media, mediaUrl).map(({ link }) => link)),
];

/** As `mediaUses`, once for each key by which a record uses the item. */
export function usesOf(reader: Reader, media: Media, mediaUrl: string): readonly RecordUse[] {
  const uses = usesIn(reader, mediaUrl);
  const { movedFrom } = mediaIndex(reader);
  const former = media.aliases.filter((alias) => movedFrom(alias)?.id === media.id);
  const keys: UseKey[] = [media.id, media.file, ...derivativeFiles(media), ...former];
  return [...new Set(keys)].flatMap((key) => uses.get(key) ?? []);
}

/**
 * All records that name a page, its own left out: its children, links in fields, data and texts, menus. In a request, await
 * `loadUses` before it.
 */
export function pageUses(reader: Reader, page: Page, mediaUrl: string, locales: Locales): readonly UseLink[] {
  const uses = usesIn(reader, mediaUrl);
  const addresses = [
    ...Object.entries(page.translations).map(([lang, { permalink }]) => ({ lang, permalink })),
    ...page.aliases.map(({ language, from }) => ({ lang: language, permalink: from })),
  ];
  const paths = addresses.flatMap(({ lang, permalink }) =>
    permalink === null ? [] : publicPath(locales, lang, permalink, false),
  );
  const found = [...new Set([pageKey(page.id), ...paths])].flatMap((key) => uses.get(key) ?? []);
  return [...new Set(found.filter(({ record }) => record.id !== page.id).map(({ link }) => link))];
}

/** The records with an object in a list that has this `type`, whatever their fields are. In a request, await `loadUses` before it. */
export const mayHaveBlocks = (reader: Reader, type: string, mediaUrl: string): readonly RecordUse[] =>
  usesIn(reader, mediaUrl).get(blockKey(type)) ?? [];

function usesIn(reader: Reader, mediaUrl: string): Uses {
  const lists = SOURCES.map(({ records }) => records(reader));
  const known = USES.get(lists[0]!);
  if (known?.mediaUrl === mediaUrl && known.lists.every((list, at) => list === lists[at])) return known.uses;
  const uses = new Map<UseKey, RecordUse[]>();
  for (const [at, source] of SOURCES.entries()) {
    for (const record of lists[at]!) {
      const keys = keysOf(source, record, mediaUrl);
      const link = keys.size > 0 ? source.link(record) : undefined;
      for (const key of link ? keys : []) {
        const known = uses.get(key);
        const use = { kind: source.kindOf(record), record, key, link: link! };
        if (known) known.push(use);
        else uses.set(key, [use]);
      }
    }
  }
  USES.set(lists[0]!, { mediaUrl, lists, uses });
  return uses;
}

function keysOf({ values, pages }: Source<Entity>, record: Entity, mediaUrl: string): ReadonlySet<UseKey> {
  const known = KEYS.get(record);
  if (known?.mediaUrl === mediaUrl) return known.keys;
  const keys = new Set(useKeysIn(values(record), record, mediaUrl));
  const data = pages(record);
  for (const value of leavesIn(data)) if (typeof value === "number") keys.add(pageKey(value));
  for (const { type } of listedTypesIn(data)) keys.add(blockKey(type));
  KEYS.set(record, { mediaUrl, keys });
  return keys;
}

/** @param values where the number of an item is a use of it @param texts where its address is one */
export function useKeysIn(values: unknown, texts: unknown, mediaUrl: string): ReadonlySet<UseKey> {
  const keys = new Set<UseKey>();
  for (const value of leavesIn(values)) if (typeof value === "number") keys.add(value);
  for (const value of leavesIn(texts)) {
    if (typeof value !== "string") continue;
    for (const { path } of mediaAddressesIn(value, mediaUrl)) keys.add(path);
    if (FILE.test(value)) keys.add(value);
    for (const path of pathsIn(value)) keys.add(path);
  }
  return keys;
}

/** A text that is nothing but the path of a file. */
const FILE = /^[^\s:/][^\n:]{0,500}\.[a-z0-9]{1,5}$/i;

/** Links in Markdown and HTML to this site, or a text that is nothing but a path. */
const PATH = /(?:\]\(<?|\]:[ \t]*<?|href=["']?|^)(\/(?!\/)[^\s<>"')?#]{0,500})(?![^\s<>"')?#])/gi;

const pathsIn = (text: string): readonly string[] =>
  text.includes("/") ? Array.from(text.matchAll(PATH), ([, path]) => trimEnd(decoded(path!), "/") || "/") : [];

/** All values in a value that contain no others. Not recursive, so that depth cannot overflow the stack. */
function* leavesIn(value: unknown): Generator<unknown> {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) yield next;
    else for (const inner of Object.values(next)) open.push(inner);
  }
}

/** Every object in a list, at any depth, that has a text as `type`. */
export function* listedTypesIn(value: unknown): Generator<{ readonly type: string; readonly path: readonly string[] }> {
  const open: [value: unknown, path: readonly string[], isItem: boolean][] = [[value, [], false]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, path, isItem] = next;
    if (typeof current !== "object" || current === null) continue;
    const { type } = current as { readonly type?: unknown };
    if (isItem && typeof type === "string") yield { type, path };
    for (const [key, inner] of Object.entries(current)) open.push([inner, [...path, key], Array.isArray(current)]);
  }
}
