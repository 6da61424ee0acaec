/** Searches over all content: what an account may see, and what is public. */
import type { Account } from "../../model/account/account.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Media } from "../../model/media/media.ts";
import { titleOf, type Id, type Page } from "../../model/page/page.ts";
import type { MetaInstance } from "../../model/records/meta.ts";
import { TAG } from "../../model/records/tag.ts";
import { beginningOf, passageOf, type Passage } from "../../model/search/passages.ts";
import { readSearchQuery } from "../../model/search/query.ts";
import type { FoundDocuments, MaySee, TextIndex } from "../../model/search/text-index.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { declaredTypeOf } from "../../store/records/declared.ts";
import { typeOf } from "../../store/content/indexes/meta-index.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import type { Entity } from "../../store/records/record-type.ts";
import type { Snapshot } from "../../store/snapshot.ts";
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

export type MayFind = (facts: SearchFacts, publicFrom: number) => boolean;

interface Hit {
  readonly lang: Lang;
  readonly key: number;
  readonly facts: SearchFacts;
  readonly publicFrom: number;
  /** Higher is better. */
  readonly rank: number;
}

/**
 * What a search finds, the best first, with facets that count all of it.
 *
 * @param mayFind what somebody with an account may find; undefined: what is public alone, without what is told editors
 */
export function searchContent(
  index: ContentIndex,
  view: View & { readonly content: Snapshot },
  { words, lang, chosen, from, items }: SearchOptions,
  mayFind?: MayFind,
): SearchAnswer<SearchItem | PublicSearchItem> {
  const query = readSearchQuery(words);
  const nowMs = msOf(view.now);
  const maySee: MaySee = (number, publicFrom) => {
    const facts = index.factsOf(number);
    return mayFind ? mayFind(facts, publicFrom) : facts.isPublic && publicFrom <= nowMs;
  };
  const langs = [...index.byLang].filter(([each]) => lang === undefined || each === lang);
  const searches = langs.map(([each, texts]) => {
    const found = texts.search(query, maySee);
    return { ...chosenOf(index, each, texts, found, chosen, nowMs), texts, words: found.words };
  });
  const ranks = Float64Array.from(searches.flatMap((each) => each.ranks)).sort();
  const least = ranks[Math.max(0, ranks.length - from - items)] ?? 0;
  const hits = searches.flatMap(({ docs, ranks: own, texts, lang: each }) =>
    docs.flatMap((doc, n): Hit[] => {
      const facts = index.factsOf(texts.factsOf(doc));
      const hit = { lang: each, key: texts.keyOf(doc), facts, publicFrom: texts.publicFromOf(doc), rank: own[n]! };
      return hit.rank < least ? [] : [hit];
    }),
  );
  hits.sort((a, b) => b.rank - a.rank || a.key - b.key);
  const wordsOf = new Map(searches.map((each) => [each.lang, each.words]));
  return {
    query: words,
    total: ranks.length,
    items: hits.slice(from, from + items).map((hit) => {
      const { searched, record } = index.readKey(view.content, hit.key);
      const documents = index.documentsOf(view.content, searched, record, hit.lang);
      const { texts = [] } = documents.find(({ facts }) => facts.isPublic === hit.facts.isPublic) ?? {};
      const passages = passagesIn(texts, wordsOf.get(hit.lang)!);
      return mayFind
        ? itemPayload(view, hit, searched, record, passages)
        : publicPayload(view, hit, record as Page, passages);
    }),
    facets: facetsOf(
      view,
      mayFind ? FACETS : PUBLIC_FACETS,
      searches.flatMap(({ tally }) => tally),
    ),
  };
}

const STATUSES = ["TRS", "DRF", "PUB", "PLA"] as const;

interface Tallied {
  readonly values: Values;
  count: number;
}

/** The documents found in one language that have the chosen values: the better of two of one record. */
function chosenOf(
  index: ContentIndex,
  lang: Lang,
  texts: TextIndex,
  { documents, scores }: FoundDocuments,
  chosen: SearchOptions["chosen"],
  nowMs: number,
) {
  const docs: number[] = [];
  const ranks: number[] = [];
  /** By facts and status: there may be a hundred thousand documents, but few differ in these. */
  const tallies = new Map<number, Tallied | undefined>();
  for (const [n, doc] of documents.entries()) {
    const [before, after] = [documents[n - 1], documents[n + 1]];
    const key = texts.keyOf(doc);
    if (before !== undefined && texts.keyOf(before) === key && scores[before]! >= scores[doc]!) continue;
    if (after !== undefined && texts.keyOf(after) === key && scores[after]! > scores[doc]!) continue;
    const facts = index.factsOf(texts.factsOf(doc));
    const status = statusOf(facts.isTrashed, texts.publicFromOf(doc), nowMs);
    const of = texts.factsOf(doc) * STATUSES.length + STATUSES.indexOf(status);
    if (!tallies.has(of)) {
      const values = valuesOf(facts, lang, status);
      const isChosen = FACETS.every((name) => chosen[name] === undefined || values[name].includes(chosen[name]));
      tallies.set(of, isChosen ? { values, count: 0 } : undefined);
    }
    const tally = tallies.get(of);
    if (!tally) continue;
    tally.count++;
    docs.push(doc);
    // Of equal scores, the newer one.
    ranks.push(Math.round(scores[doc]! * SCORE_STEPS) + texts.updatedAtOf(doc) / LATEST_MS);
  }
  return { lang, docs, ranks, tally: [...tallies.values()].filter((each) => each !== undefined) };
}

/** Scores that differ by less are equal. */
const SCORE_STEPS = 1000;
/** Later than any date. */
const LATEST_MS = 1e15;

/** What staff finds: everything. Others find of pages what is public, as the router shows it, and what every account may list. */
export function findableBy({ is_staff, is_superuser }: Account, now: Instant): MayFind {
  if (is_staff || is_superuser) return () => true;
  const nowMs = msOf(now);
  return ({ model, template, isPublic, isTrashed }, publicFrom) =>
    template === null ? !isTrashed && !FOR_STAFF.has(model) : isPublic && publicFrom <= nowMs;
}

const FOR_STAFF = new Set(SEARCHED_KINDS.flatMap(({ model, isForStaff }) => (isForStaff ? [model] : [])));

type Values = Readonly<Record<FacetName, readonly string[]>>;

const valuesOf = (
  { model, template, section, tags }: SearchFacts,
  lang: Lang,
  status: (typeof STATUSES)[number],
): Values => ({
  model: [model],
  language: [lang],
  status: template === null ? [] : [status],
  tag: tags.map(String),
  template: template === null ? [] : [template],
  section: section === "" ? [] : [section],
});

const statusOf = (isTrashed: boolean, publicFrom: number, nowMs: number): (typeof STATUSES)[number] =>
  isTrashed ? "TRS" : publicFrom === Infinity ? "DRF" : publicFrom <= nowMs ? "PUB" : "PLA";

function facetsOf({ content, lang }: View, names: readonly FacetName[], tally: readonly Tallied[]): Payload {
  const facets = names.map((name) => {
    const counts = new Map<string, number>();
    for (const { values, count } of tally)
      for (const value of values[name]) counts.set(value, (counts.get(value) ?? 0) + count);
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
    const hits = passageOf(text, (word) => words.has(word));
    return hits ? [{ field: path, ...hits.passage, words: hits.words, weight }] : [];
  });
  found.sort((a, b) => b.words - a.words || a.weight - b.weight);
  if (found.length > 0) return found.slice(0, PASSAGES_MAX).map(({ words: _words, weight: _weight, ...rest }) => rest);
  return texts.slice(0, 1).map(({ path, text }) => ({ field: path, ...beginningOf(text) }));
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
    status: isPage ? statusOf(isTrashed, publicFrom, msOf(view.now)) : null,
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
