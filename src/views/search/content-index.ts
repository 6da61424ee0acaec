/**
 * The index of all content, which searches use: derived from the content, and brought up to date before each search by
 * what differs from the content that it was made from. Writes and starts do nothing for it.
 *
 * A text in a language is a document. A public page with a pending draft or hidden blocks is two: what everyone may find,
 * and what editors see.
 */
import type { Config } from "../../config.ts";
import { keptBy } from "../../memo.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import { isNoindex } from "../../model/page/robots.ts";
import { overlayDraft } from "../../model/page/draft.ts";
import { ARTICLE_MODEL, PAGE_MODEL, permalinkIn, textOf, type Id, type Page } from "../../model/page/page.ts";
import type { Media } from "../../model/media/media.ts";
import type { Content } from "../../model/records/content.ts";
import type { Menu } from "../../model/records/menu.ts";
import type { MetaInstance } from "../../model/records/meta.ts";
import { permissionOf, type DeclaredRecord } from "../../model/records/record.ts";
import { RECORDS } from "../../model/records/records.ts";
import { stemmerOf } from "../../model/search/stemmer.ts";
import { openQueue } from "../../queue.ts";
import { TextIndex } from "../../model/search/text-index.ts";
import { msOf } from "../../model/time/instant.ts";
import { templateOf } from "../../store/content/indexes/pages-by-model.ts";
import { BLOCK_TYPES } from "../../store/records/block-types.ts";
import { CONTENTS } from "../../store/records/contents.ts";
import { declaredTypeOf } from "../../store/records/declared.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { MENUS } from "../../store/records/menus.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import { PAGE_MODELS } from "../../store/records/page-models.ts";
import { ARTICLES, PAGES } from "../../store/records/pages.ts";
import type { AnyKind, Entity, Entry, Table } from "../../store/records/record-type.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { pace } from "../../time-slices.ts";
import {
  textsOfContent,
  textsOfDeclared,
  textsOfInstance,
  textsOfMedia,
  textsOfMenu,
  textsOfPage,
  type SearchedText,
} from "./searched-texts.ts";

/** What a document is counted and chosen by. */
export interface SearchFacts {
  /** The name of the page model, or of the kind of record: `article`, `media`. */
  readonly model: string;
  /** Whether everyone finds it once it is published. */
  readonly isPublic: boolean;
  readonly isTrashed: boolean;
  /** null for what is no page. */
  readonly template: string | null;
  /** The first part of a page's address; "" for the home page and what is no page. */
  readonly section: string;
  readonly tags: readonly Id[];
}

/** A text in one language. */
export interface SearchDocument {
  readonly facts: SearchFacts;
  readonly publicFrom: number;
  readonly updatedAt: number;
  readonly texts: readonly SearchedText[];
}

interface Source {
  readonly content: Snapshot;
  readonly config: Config;
  readonly locales: Locales;
}

/** A kind of record that is searched. */
export interface SearchedKind {
  readonly kind: AnyKind;
  /** As results name its records; of pages, those without a model of their own. */
  readonly model: string;
  readonly isForStaff?: true;
  documents(source: Source, record: never, lang: Lang): readonly SearchDocument[];
}

/** A kind whose records are not published by themselves. */
const inside = <T extends Entity>(
  kind: AnyKind,
  model: string,
  read: (source: Source, record: T, lang: Lang) => Inside,
  isForStaff?: true,
): SearchedKind => ({
  kind,
  model,
  ...(isForStaff && { isForStaff }),
  documents(source, record, lang) {
    const { texts, updatedAt = 0, isTrashed = false } = read(source, record, lang);
    const facts = { model, isPublic: false, isTrashed, template: null, section: "", tags: [] };
    return [{ facts, publicFrom: Infinity, updatedAt, texts }];
  },
});

interface Inside {
  readonly texts: readonly SearchedText[];
  readonly updatedAt?: number;
  readonly isTrashed?: boolean;
}

/** New ones come last, and at most `KINDS_MAX`: documents are numbered by them. */
export const SEARCHED_KINDS: readonly SearchedKind[] = [
  { kind: PAGES, model: PAGE_MODEL, documents: documentsOfPage },
  { kind: ARTICLES, model: ARTICLE_MODEL, documents: documentsOfPage },
  inside<MetaInstance>(
    META_INSTANCES,
    "metainstance",
    ({ content, locales }, instance, lang) => ({
      texts: textsOfInstance(content, instance, lang, locales),
      updatedAt: msOf(instance.updated_at),
    }),
    true,
  ),
  inside<Content>(CONTENTS, "content", (_source, block, lang) => ({ texts: textsOfContent(block, lang) })),
  inside<Menu>(MENUS, "menu", (_source, menu, lang) => ({ texts: textsOfMenu(menu, lang) })),
  inside<Media>(MEDIA, "media", ({ locales }, media, lang) => ({
    texts: textsOfMedia(media, lang, locales),
    updatedAt: msOf(media.created),
    isTrashed: media.deleted_at !== null,
  })),
  ...RECORDS.map((of) =>
    inside<DeclaredRecord>(declaredTypeOf(of), permissionOf(of), (_source, record, lang) => ({
      texts: textsOfDeclared(record, lang),
    })),
  ),
];

function documentsOfPage({ content, config, locales }: Source, page: Page, lang: Lang): readonly SearchDocument[] {
  const { published_at: published, indexable } = textOf(page, lang);
  const live = textsOfPage(content, page, lang);
  const facts = {
    model: page.model,
    isTrashed: page.deleted_at !== null,
    template: templateOf(content, config, page),
    section: sectionOf(permalinkIn(page, lang)),
    tags: page.tags,
  };
  const dates = {
    publicFrom: published === null ? Infinity : msOf(published),
    updatedAt: msOf(page.date_updated_at),
  };
  const isPublic = published !== null && !facts.isTrashed && indexable && !isNoindex(page.robots);
  const shown = isPublic ? live.filter(({ isHidden }) => !isHidden) : live;
  const edited = page.drafts[lang] ? textsOfPage(content, overlayDraft(page, lang, locales), lang) : live;
  return [
    ...(isPublic ? [{ facts: { ...facts, isPublic }, ...dates, texts: shown }] : []),
    ...(!isPublic || edited !== live || shown.length < live.length
      ? [{ facts: { ...facts, isPublic: false }, ...dates, texts: edited }]
      : []),
  ];
}

const sectionOf = (permalink: string | null): string => permalink?.split("/")[1] ?? "";

/** Documents of these depend on them in every record. */
const SCHEMAS: readonly AnyKind[] = [PAGE_MODELS, BLOCK_TYPES, META_TYPES];

const KINDS_MAX = 16;

export class ContentIndex {
  readonly #config: Config;
  readonly #locales: Locales;
  #byLang: ReadonlyMap<Lang, TextIndex> = new Map();
  readonly #facts: SearchFacts[] = [];
  readonly #numbers = new Map<string, number>();
  /** The tables that the index was made from. */
  #tables: ReadonlyMap<AnyKind, Table["byId"]> = new Map();
  readonly #inOrder = openQueue();

  constructor(config: Config, locales: Locales) {
    this.#config = config;
    this.#locales = locales;
  }

  /**
   * Calls `work` with the index of exactly the content that `newest` returns then. Calls wait for each other; where much
   * has changed, every one yields to other requests meanwhile.
   */
  with<R>(newest: () => Snapshot, work: (content: Snapshot) => R | Promise<R>): Promise<R> {
    return this.#inOrder(async () => {
      const content = newest();
      await this.#follow(content);
      return work(content);
    });
  }

  get byLang(): ReadonlyMap<Lang, TextIndex> {
    return this.#byLang;
  }

  factsOf(number: number): SearchFacts {
    return this.#facts[number]!;
  }

  /** The record of a document, and its kind. */
  readKey(content: Snapshot, key: number): { readonly searched: SearchedKind; readonly record: Entity } {
    const { searched, id } = partsOfKey(key);
    return { searched, record: content.get(searched.kind, id) };
  }

  /** The documents of a record, as they were indexed. */
  documentsOf(content: Snapshot, { documents }: SearchedKind, record: Entity, lang: Lang): readonly SearchDocument[] {
    return documents({ content, config: this.#config, locales: this.#locales }, record as never, lang);
  }

  async #follow(content: Snapshot): Promise<void> {
    const tables = new Map(
      [...SEARCHED_KINDS.map(({ kind }) => kind), ...SCHEMAS].map((kind) => [kind, content.table(kind).byId]),
    );
    const before = this.#tables;
    if ([...tables].every(([kind, table]) => before.get(kind) === table)) return;
    // Should it fail half-way, the next search begins anew.
    this.#tables = new Map();
    const isNew = before.size === 0 || SCHEMAS.some((kind) => before.get(kind) !== tables.get(kind));
    if (isNew)
      this.#byLang = new Map(
        await Promise.all(
          this.#locales.codes.map(async (lang) => [lang, new TextIndex(await stemmerOf(lang))] as const),
        ),
      );
    for (const [nth, { kind }] of SEARCHED_KINDS.entries()) {
      const table = tables.get(kind)!;
      const known = isNew ? undefined : before.get(kind);
      const changes: Iterable<readonly [Id, Entry | undefined]> = known
        ? table.differencesFrom(known).map(({ key, after }) => [key, after] as const)
        : table;
      for (const [id, entry] of changes) {
        this.#replace(content, nth, id, entry);
        const rest = pace();
        if (rest) await rest;
      }
    }
    for (const index of this.#byLang.values()) await index.settle();
    this.#tables = tables;
  }

  #replace(content: Snapshot, nth: number, id: Id, entry: Entry | undefined): void {
    const key = id * KINDS_MAX + nth;
    const record = entry?.record;
    for (const [lang, index] of this.#byLang) {
      index.remove(key);
      if (!record) continue;
      for (const { facts, publicFrom, updatedAt, texts } of this.documentsOf(
        content,
        SEARCHED_KINDS[nth]!,
        record,
        lang,
      )) {
        if (texts.length === 0) continue;
        index.add({ key, publicFrom, updatedAt, facts: this.#numberOf(facts, nth) }, texts);
      }
    }
  }

  #numberOf(facts: SearchFacts, nth: number): number {
    return keptBy(this.#numbers, JSON.stringify([nth, facts]), () => this.#facts.push(facts) - 1);
  }
}

export function partsOfKey(key: number): { readonly searched: SearchedKind; readonly id: Id } {
  return { searched: SEARCHED_KINDS[key % KINDS_MAX]!, id: Math.floor(key / KINDS_MAX) };
}

/** How the records of a model are stored, as results name it: a name that no kind of record has is that of a page model. */
export const kindOfModel = (name: string): AnyKind =>
  (SEARCHED_KINDS.find(({ model }) => model === name) ?? SEARCHED_KINDS[0]!).kind;

const INDEXES = new WeakMap<object, ContentIndex>();

/** The index of a site, which the first search makes. */
export const contentIndexOf = ({ store, config, locales }: Omit<Source, "content"> & { readonly store: object }) =>
  keptBy(INDEXES, store, () => new ContentIndex(config, locales));
