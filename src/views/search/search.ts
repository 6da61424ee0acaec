/** Searches over all content: what an account may see, and what is public. */
import type { Account } from "../../model/account/account.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Media } from "../../model/media/media.ts";
import { titleOf, type Id, type Page } from "../../model/page/page.ts";
import type { MetaInstance } from "../../model/records/meta.ts";
import { TAG } from "../../model/records/tag.ts";
import { firstWhere } from "../../model/text/bisect.ts";
import { beginningOf, passageOf, type Passage } from "../../model/search/passages.ts";
import { plainText } from "../../model/search/plain-text.ts";
import { readSearchQuery } from "../../model/search/query.ts";
import type { FoundDocuments, MaySee, TextIndex } from "../../model/search/text-index.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { declaredTypeOf } from "../../store/records/declared.ts";
import { typeOf } from "../../store/content/indexes/meta-index.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import type { Entity } from "../../store/records/record-type.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { pace } from "../../time-slices.ts";
import { recordName } from "../records/record-name.ts";
import { routerlink, type Payload, type View } from "../view.ts";
import { partsOfKey, SEARCHED_KINDS, type ContentIndex, type SearchedKind, type SearchFacts } from "./content-index.ts";
import type { SearchedText } from "./searched-texts.ts";

export interface SearchOptions {
  readonly words: string;
  /** undefined: all. */
  readonly lang?: Lang | undefined;
  /** By the name of a facet: the values that a result must have. */
  readonly chosen: Readonly<Partial<Record<FacetName, string>>>;
  /** How many are left out, and how many are shown. */
  readonly from: number;
  readonly items: number;
}

export const FACETS = ["model", "language", "status", "tag", "template", "section"] as const;
export type FacetName = (typeof FACETS)[number];
/** What visitors are told of pages. */
export const PUBLIC_FACETS: readonly FacetName[] = ["model", "language", "tag", "section"];

/** The most that a result shows. */
const PASSAGES_MAX = 3;

interface FoundPassage extends Passage {
  /** Keys joined by dots. */
  readonly field: string;
}

/** A result as those see it who work on the content. */
export interface SearchItem {
  readonly model: string;
  readonly id: Id;
  readonly language: Lang;
  readonly title: string;
  /** null for what is no page. */
  readonly status: string | null;
  readonly url: string | null;
  readonly meta_type?: Id | null;
  readonly passages: readonly FoundPassage[];
}

/** A result as visitors see it. */
export interface PublicSearchItem extends Pick<SearchItem, "model" | "id" | "language" | "title" | "url"> {
  readonly published_at: Instant;
  readonly passages: readonly Passage[];
}

export interface SearchAnswer<Item = SearchItem> {
  readonly query: string;
  /** How many were found. */
  readonly total: number;
  readonly items: readonly Item[];
  readonly facets: Payload;
}

export type MayFind = (facts: SearchFacts, isPublished: boolean) => boolean;

interface Hit {
  readonly lang: Lang;
  readonly key: number;
  readonly facts: SearchFacts;
  readonly publicFrom: number;
  /** Higher is better. */
  readonly rank: number;
}

/** The best of any number of documents, without sorting them all: of equal ones, those with the smaller keys. */
class Best {
  readonly hits: Hit[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether one is among the best so far. */
  takes(rank: number, key: number): boolean {
    return this.hits.length < this.#most || this.#isBelow(this.hits.length - 1, rank, key);
  }

  add(hit: Hit): void {
    const at = firstWhere(this.hits.length, (place) => this.#isBelow(place, hit.rank, hit.key));
    this.hits.splice(at, 0, hit);
    if (this.hits.length > this.#most) this.hits.pop();
  }

  #isBelow(place: number, rank: number, key: number): boolean {
    const hit = this.hits[place]!;
    return rank > hit.rank || (rank === hit.rank && key < hit.key);
  }
}

/**
 * What a search finds, the best first, with facets that count all of it.
 *
 * @param mayFind what somebody with an account may find; undefined: what is public alone, without what is told editors
 */
export async function searchContent(
  index: ContentIndex,
  view: View & { readonly content: Snapshot },
  { words, lang, chosen, from, items }: SearchOptions,
  mayFind?: MayFind,
): Promise<SearchAnswer<SearchItem | PublicSearchItem>> {
  const query = readSearchQuery(words);
  const nowMs = msOf(view.now);
  const isFindable: MayFind = mayFind ?? (({ isPublic }, isPublished) => isPublic && isPublished);
  const langs = [...index.byLang].filter(([each]) => lang === undefined || each === lang);
  const best = new Best(from + items);
  const wordsOf = new Map<Lang, ReadonlySet<string>>();
  let tally: readonly Tallied[] = [];
  for (const [each, texts] of langs) {
    const maySee: MaySee = (doc) => isFindable(index.factsOf(texts.factsOf(doc)), texts.publicFromOf(doc) <= nowMs);
    const found = await texts.search(query, maySee);
    tally = [...tally, ...(await rankInto(best, index, [each, texts], found, { chosen, nowMs }))];
    wordsOf.set(each, found.words);
  }
  return {
    query: words,
    total: tally.reduce((sum, { count }) => sum + count, 0),
    items: best.hits.slice(from).map((hit) => {
      const { searched, record } = index.readKey(view.content, hit.key);
      const documents = index.documentsOf(view.content, searched, record, hit.lang);
      const { texts = [] } = documents.find(({ facts }) => facts.isPublic === hit.facts.isPublic) ?? {};
      const passages = passagesIn(texts, wordsOf.get(hit.lang)!);
      return mayFind
        ? itemPayload(view, hit, searched, record, passages)
        : publicPayload(view, hit, record as Page, passages);
    }),
    facets: facetsOf(view, mayFind ? FACETS : PUBLIC_FACETS, tally),
  };
}

const STATUSES = ["TRS", "DRF", "PUB", "PLA"] as const;

/** How many results have the same values. */
interface Tallied {
  readonly facts: SearchFacts;
  readonly lang: Lang;
  readonly status: number;
  count: number;
}

/**
 * Ranks the documents found in one language that have the chosen values: the better of two of one record.
 *
 * @returns how many have which values
 */
async function rankInto(
  best: Best,
  index: ContentIndex,
  [lang, texts]: readonly [Lang, TextIndex],
  { matched, scores }: FoundDocuments,
  { chosen, nowMs }: { readonly chosen: SearchOptions["chosen"]; readonly nowMs: number },
): Promise<readonly Tallied[]> {
  /** By facts and status: there may be a hundred thousand documents, but few differ in these. null: not chosen. */
  const tallies = new Map<number, Tallied | null>();
  let [place, tally] = [-1, null as Tallied | null];
  const isOfSameRecord = (other: number, doc: number): boolean =>
    matched[other] === 1 && texts.keyOf(other) === texts.keyOf(doc);
  for (let doc = 0; doc < matched.length; doc++) {
    if (doc % RANKED_AT_ONCE === 0) await pace();
    if (matched[doc] === 0) continue;
    if (scores[doc - 1]! >= scores[doc]! && isOfSameRecord(doc - 1, doc)) continue;
    if (scores[doc + 1]! > scores[doc]! && isOfSameRecord(doc + 1, doc)) continue;
    const number = texts.factsOf(doc);
    const facts = index.factsOf(number);
    const status = statusOf(facts.isTrashed, texts.publicFromOf(doc), nowMs);
    // Most have the values of the one before.
    if (place !== number * STATUSES.length + status) {
      place = number * STATUSES.length + status;
      const one = { facts, lang, status, count: 0 };
      const isChosen = FACETS.every((name) => chosen[name] === undefined || VALUES[name](one).includes(chosen[name]));
      tally = tallies.get(place) ?? (isChosen ? one : null);
      tallies.set(place, tally);
    }
    if (tally === null) continue;
    tally.count++;
    // Of equal scores, the newer one.
    const rank = Math.round(scores[doc]! * SCORE_STEPS) + texts.updatedAtOf(doc) / LATEST_MS;
    const key = texts.keyOf(doc);
    if (best.takes(rank, key)) best.add({ lang, key, facts, publicFrom: texts.publicFromOf(doc), rank });
  }
  return [...tallies.values()].filter((each) => each !== null);
}

/** Less than a millisecond. */
const RANKED_AT_ONCE = 8192;
/** Scores that differ by less are equal. */
const SCORE_STEPS = 1000;
/** Later than any date. */
const LATEST_MS = 1e15;

/** What staff finds: everything. Others find of pages what is public, as the router shows it, and what every account may list. */
export const findableBy = ({ is_staff, is_superuser }: Account): MayFind =>
  is_staff || is_superuser
    ? () => true
    : ({ model, template, isPublic, isTrashed }, isPublished) =>
        template === null ? !isTrashed && !FOR_STAFF.has(model) : isPublic && isPublished;

const FOR_STAFF = new Set(SEARCHED_KINDS.flatMap(({ model, isForStaff }) => (isForStaff ? [model] : [])));

/** The values that a result has of each facet. */
const VALUES: Readonly<Record<FacetName, (of: Tallied) => readonly string[]>> = {
  model: ({ facts }) => [facts.model],
  language: ({ lang }) => [lang],
  status: ({ facts, status }) => (facts.template === null ? [] : [STATUSES[status]!]),
  tag: ({ facts }) => facts.tags.map(String),
  template: ({ facts }) => (facts.template === null ? [] : [facts.template]),
  section: ({ facts }) => (facts.section === "" ? [] : [facts.section]),
};

/** The place of its name in `STATUSES`. */
const statusOf = (isTrashed: boolean, publicFrom: number, nowMs: number): number =>
  isTrashed ? 0 : publicFrom === Infinity ? 1 : publicFrom <= nowMs ? 2 : 3;

function facetsOf({ content, lang }: View, names: readonly FacetName[], tally: readonly Tallied[]): Payload {
  const facets = names.map((name) => {
    const counts = new Map<string, number>();
    for (const each of tally)
      for (const value of VALUES[name](each)) counts.set(value, (counts.get(value) ?? 0) + each.count);
    const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    return [name, sorted.map(([value, count]) => ({ value, ...(name === "tag" && tagNamed(value)), count }))] as const;
  });
  function tagNamed(value: string) {
    const tag = content.find(declaredTypeOf(TAG), Number(value));
    return { name: tag ? recordName(tag, lang) : value };
  }
  return Object.fromEntries(facets);
}

/** The passages with most of the words first; of a text found by its title alone, how its body begins. */
function passagesIn(texts: readonly SearchedText[], words: ReadonlySet<string>): readonly FoundPassage[] {
  const found = texts.flatMap(({ path, text, weight }) => {
    const hits = passageOf(plainText(text), (word) => words.has(word));
    return hits ? [{ field: path, ...hits.passage, words: hits.words, weight }] : [];
  });
  found.sort((a, b) => b.words - a.words || a.weight - b.weight);
  if (found.length > 0) return found.slice(0, PASSAGES_MAX).map(({ words: _words, weight: _weight, ...rest }) => rest);
  return texts.slice(0, 1).map(({ path, text }) => ({ field: path, ...beginningOf(plainText(text)) }));
}

function itemPayload(
  view: View,
  { lang, facts: { model, isTrashed, template }, publicFrom, key }: Hit,
  { kind }: SearchedKind,
  record: Entity,
  passages: readonly FoundPassage[],
): SearchItem {
  const isPage = template !== null;
  const name = recordName(record, lang);
  // A file without a title has its id as its name.
  const title = kind === MEDIA && name === `${record.id}` ? (record as Media).file : name;
  return {
    model,
    id: partsOfKey(key).id,
    language: lang,
    title,
    status: isPage ? STATUSES[statusOf(isTrashed, publicFrom, msOf(view.now))]! : null,
    url: isPage ? routerlink(view, record as Page, lang) : null,
    ...(kind === META_INSTANCES && { meta_type: typeOf(view.content, record as MetaInstance)?.id ?? null }),
    passages,
  };
}

const publicPayload = (
  view: View,
  { lang, key, facts: { model }, publicFrom }: Hit,
  page: Page,
  passages: readonly FoundPassage[],
): PublicSearchItem => ({
  model,
  id: partsOfKey(key).id,
  language: lang,
  title: titleOf(page, lang, view.locales.default),
  url: routerlink(view, page, lang),
  published_at: instantOf(publicFrom),
  passages: passages.map(({ text, marks }) => ({ text, marks })),
});
