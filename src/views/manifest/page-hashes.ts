/**
 * The entries of the change manifest, kept from one snapshot to the next.
 *
 * The dependencies of each page's payloads are kept with its entries, so that a write causes only the pages that depend
 * on a changed record to be hashed again. The JSON text of the entries is kept in chunks; only chunks with a changed
 * entry are serialized again. Chunk boundaries follow from the ids alone, so that every process has the same chunks,
 * and the same version, for the same content.
 */
import { firstWhere } from "../../model/text/bisect.ts";
import type { Instant } from "../../model/time/instant.ts";
import { type Locales } from "../../model/language/locale.ts";
import { type Id, type PageSummary } from "../../model/page/page.ts";
import { changedRecords } from "../../store/content/changes.ts";
import { FOLDERS_BY_DIR } from "../../store/content/indexes/media-index.ts";
import { nextMoment, pageIndex } from "../../store/content/indexes/page-index.ts";
import {
  allSummaries,
  findPage,
  findPageSummary,
  kindOf,
  PAGE_KINDS,
  paginateOf,
} from "../../store/content/indexes/pages-by-model.ts";
import { permalinksOf } from "../../store/records/page-keys.ts";
import { REDIRECTS, type Redirect, type RedirectTable } from "../../store/records/redirects.ts";
import { CONTENTS_BY_PAGE } from "../../store/records/contents.ts";
import { splitQualifiedKey, type AnyKind, type Lookup } from "../../store/records/record-type.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { trackingReader } from "./dependencies.ts";
import { digestPayload, textHash } from "./json-digest.ts";
import { addressPayload } from "../page/pagination.ts";
import { servedAddresses } from "../page/route.ts";
import type { View } from "../view.ts";

export interface Url {
  readonly path: string;
  readonly permalink: string;
  readonly language_code: string;
  readonly hash: string;
}

export interface SnapshotView extends View {
  readonly content: Snapshot;
}

/** A record, a table or a key of a look-up, as a number where it can be. */
type Dependency = number | string;

interface PageEntries {
  /** By language, in the order of the locales; none where the page is not public, several for a list with pages. */
  readonly urls: readonly (readonly Url[])[];
  readonly dependencies: readonly Dependency[];
}

interface Chunk {
  /** Ascending. */
  readonly ids: Id[];
  /** By language: each entry after a comma. Undefined after a change. */
  texts: readonly { readonly text: string; readonly digest: string }[] | undefined;
}

const LOOKUPS: readonly Lookup<never>[] = [CONTENTS_BY_PAGE, FOLDERS_BY_DIR];
const ID_SPACE = 2 ** 31;

export class ManifestEntries {
  /** Pages with former permalinks, which redirect. */
  readonly renamed = new Set<Id>();
  readonly #pages = new Map<Id, PageEntries>();
  readonly #dependents = new Map<Dependency, Id | Set<Id>>();
  readonly #chunks: Chunk[] = [{ ids: [], texts: undefined }];
  readonly #kinds: AnyKind[] = [];
  #view: SnapshotView | undefined;
  #until: Instant | undefined;

  /** Whether the entries are up to date for a view. */
  isOf({ content, now }: SnapshotView): boolean {
    const at = this.#view;
    return at?.content === content && at.now <= now && (this.#until === undefined || now < this.#until);
  }

  /** Whether `advance` can be used for a view: not for an earlier time or other settings. */
  canAdvanceTo({ config, now }: SnapshotView): boolean {
    return this.#view === undefined || (this.#view.config === config && this.#view.now <= now);
  }

  /**
   * Updates the entries for a view; yields after each page and chunk. Until it has run to its end, they are not valid.
   */
  *advance(view: SnapshotView): Generator<void> {
    const affected = this.#view ? this.#affectedBy(this.#view, view) : allSummaries(view.content).map(({ id }) => id);
    const entriesOf = this.#entriesFor(view);
    for (const id of affected) {
      this.#put(id, yield* entriesOf(id));
      const aliases = findPageSummary(view.content, id)?.aliases ?? [];
      if (aliases.length > 0) this.renamed.add(id);
      else this.renamed.delete(id);
      yield;
    }
    for (const chunk of this.#chunks) {
      chunk.texts ??= view.locales.codes.map((_, lang) => this.#textOf(chunk, lang));
      yield;
    }
    this.#view = view;
    this.#until = nextMoment(view.content, view.now);
  }

  /** The entries as items of a JSON array, by language, then by page id, and a digest of them. */
  text({ codes }: Locales): { readonly items: readonly string[]; readonly digest: string } {
    const all = codes.flatMap((_, lang) => this.#chunks.flatMap(({ texts }) => texts?.[lang] ?? []));
    const [first = "", ...others] = all.map(({ text }) => text).filter((text) => text !== "");
    return {
      items: [first.slice(1), ...others],
      digest: textHash(all.map(({ digest }) => digest).join("\n")),
    };
  }

  /** The entries by language, then by page id. */
  urls(): readonly Url[] {
    const ids = [...this.#pages.keys()].sort((a, b) => a - b);
    const langs = this.#view?.locales.codes ?? [];
    return langs.flatMap((_, lang) => ids.flatMap((id) => this.#pages.get(id)?.urls[lang] ?? []));
  }

  #textOf({ ids }: Chunk, lang: number): { readonly text: string; readonly digest: string } {
    const rows = ids.flatMap((id) => this.#pages.get(id)?.urls[lang] ?? []);
    const text = rows.map((row) => `,${JSON.stringify(row)}`).join("");
    return { text, digest: textHash(text) };
  }

  #affectedBy(before: SnapshotView, view: SnapshotView): Set<Id> {
    const { content, now } = view;
    const affected = new Set<Id>();
    const add = (dependency: Dependency): void => {
      const found = this.#dependents.get(dependency);
      if (typeof found === "number") affected.add(found);
      else for (const id of found ?? []) affected.add(id);
    };
    const index = pageIndex(content);
    for (const [kind, changes] of changedRecords(before.content, content)) {
      add(this.#recordKey(kind, 0));
      const isPage = PAGE_KINDS.includes(kind);
      for (const [id, { before: old, after }] of changes) {
        add(this.#recordKey(kind, id));
        if (isPage) affected.add(id);
        for (const record of [old, after]) {
          if (!record) continue;
          if (kind === REDIRECTS)
            for (const page of pagesAtRedirects(view, (record as RedirectTable).rows)) affected.add(page);
          for (const lookup of LOOKUPS) if (lookup.kind === kind) add(lookupKey(lookup, lookup.keyOf(record as never)));
        }
      }
    }
    // Of several pages that claim one permalink only its owner is served.
    for (const key of differingKeys(before.content.owners, content.owners)) {
      for (const { id } of index.claimants(...splitQualifiedKey(key))) affected.add(id);
    }
    if (this.#until !== undefined && this.#until <= now) {
      for (const summary of allSummaries(content)) {
        if (!hasMoment(summary, before.now, now)) continue;
        affected.add(summary.id);
        for (const id of [summary.id, 0]) add(this.#recordKey(kindOf(summary), id));
      }
    }
    return affected;
  }

  /** The entries of a page; yields between those of a list. */
  #entriesFor(view: SnapshotView): (id: Id) => Generator<void, PageEntries | undefined> {
    const { locales, content } = view;
    let dependencies = new Set<Dependency>();
    const reader = trackingReader(content, {
      record: (kind, id) => void dependencies.add(this.#recordKey(kind, id)),
      table: (kind) => void dependencies.add(this.#recordKey(kind, 0)),
      lookup: (lookup, key) => void dependencies.add(lookupKey(lookup, key)),
    });
    const seen: View = { ...view, content: reader, surface: "public", origin: "" };
    const recordKey = (kind: AnyKind, id: Id): number => this.#recordKey(kind, id);
    return function* (id) {
      const page = findPage(content, id);
      if (!page) return undefined;
      dependencies = new Set();
      const urls: Url[][] = [];
      for (const lang of locales.codes) {
        const ofLang: Url[] = [];
        urls.push(ofLang);
        for (const { path, permalink, place } of servedAddresses(view, page, lang)) {
          if (ofLang.length > 0) yield;
          const payload = addressPayload({ ...seen, lang }, page, place);
          ofLang.push({ path, permalink, language_code: lang, hash: digestPayload(payload).hash });
        }
      }
      if (!urls.some((each) => each.length > 0)) return undefined;
      for (const kind of PAGE_KINDS) dependencies.delete(recordKey(kind, id)); // a page's own changes are known
      // Any page or redirect may take an address of a list.
      if (paginateOf(view.content, page))
        for (const kind of [...PAGE_KINDS, REDIRECTS]) dependencies.add(recordKey(kind, 0));
      return { urls, dependencies: [...dependencies] };
    };
  }

  #put(id: Id, entries: PageEntries | undefined): void {
    const before = this.#pages.get(id);
    for (const dependency of before?.dependencies ?? []) this.#removeDependent(dependency, id);
    for (const dependency of entries?.dependencies ?? []) this.#addDependent(dependency, id);
    if (entries) this.#pages.set(id, entries);
    else this.#pages.delete(id);
    if (entries && !before) this.#insert(id);
    else if (before && !entries) this.#remove(id);
    else if (entries) this.#chunkOf(id).chunk.texts = undefined;
  }

  #addDependent(dependency: Dependency, id: Id): void {
    const found = this.#dependents.get(dependency);
    if (found === undefined) this.#dependents.set(dependency, id);
    else if (typeof found !== "number") found.add(id);
    else if (found !== id) this.#dependents.set(dependency, new Set([found, id]));
  }

  #removeDependent(dependency: Dependency, id: Id): void {
    const found = this.#dependents.get(dependency);
    if (found === id || (typeof found === "object" && found.delete(id) && found.size === 0))
      this.#dependents.delete(dependency);
  }

  /** The last chunk that begins at or before an id; the first one begins before all. */
  #chunkOf(id: Id): { readonly chunk: Chunk; readonly at: number } {
    const after = firstWhere(this.#chunks.length - 1, (place) => this.#chunks[place + 1]!.ids[0]! > id);
    return { chunk: this.#chunks[after]!, at: after };
  }

  #insert(id: Id): void {
    const { chunk, at } = this.#chunkOf(id);
    const place = placeOf(chunk.ids, id);
    if (isBoundary(id)) this.#chunks.splice(at + 1, 0, { ids: [id, ...chunk.ids.splice(place)], texts: undefined });
    else chunk.ids.splice(place, 0, id);
    chunk.texts = undefined;
  }

  #remove(id: Id): void {
    const { chunk, at } = this.#chunkOf(id);
    chunk.ids.splice(placeOf(chunk.ids, id), 1);
    chunk.texts = undefined;
    if (!isBoundary(id)) return;
    const below = this.#chunks[at - 1]!;
    below.ids.push(...chunk.ids);
    below.texts = undefined;
    this.#chunks.splice(at, 1);
  }

  /** @param id 0 for the whole table */
  #recordKey(kind: AnyKind, id: Id): number {
    const known = this.#kinds.indexOf(kind);
    return (known < 0 ? this.#kinds.push(kind) - 1 : known) * ID_SPACE + id;
  }
}

/** The pages that claim an address at which a redirect is. */
const pagesAtRedirects = ({ content, locales }: SnapshotView, rows: readonly Redirect[]): Id[] =>
  rows.flatMap(({ from, language = locales.default }) =>
    pageIndex(content)
      .claimants(permalinksOf(language), from)
      .map(({ id }) => id),
  );

/** The average length of a chunk is 256. */
const isBoundary = (id: Id): boolean => Math.imul(id, 0x9e3779b1) >>> 24 === 0;

const placeOf = (ids: readonly Id[], id: Id): number => firstWhere(ids.length, (place) => ids[place]! >= id);

const lookupKey = ({ name }: Pick<Lookup, "name">, key: string | number | null): string => `${name}\n${key}`;

const hasMoment = ({ translations }: PageSummary, after: Instant, until: Instant): boolean =>
  Object.values(translations).some(({ published_at: moment }) => moment !== null && moment > after && moment <= until);

/** Keys with another value, or in one of the two alone. */
function differingKeys<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>): string[] {
  if (a === b) return [];
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
}
