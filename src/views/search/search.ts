/** Searches over all content: what an account may see, and what is public. */
import type { Account } from "../../model/account/account.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Media } from "../../model/media/media.ts";
import { titleOf, type Id, type Page } from "../../model/page/page.ts";
import type { MetaInstance } from "../../model/records/meta.ts";
import { TAG } from "../../model/records/tag.ts";
import { firstWhere } from "../../model/text/bisect.ts";
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

export type MayFind = (facts: SearchFacts, publicFrom: number) => boolean;

interface Hit {
  readonly lang: Lang;
  readonly key: number;
  readonly facts: SearchFacts;
  readonly publicFrom: number;
}

interface Ranked {
  readonly lang: Lang;
  readonly texts: TextIndex;
  readonly doc: number;
  readonly key: number;
  /** Higher is better. */
  readonly rank: number;
}

/** The best of any number of documents, without sorting them all. */
class Best {
  readonly hits: Ranked[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(lang: Lang, texts: TextIndex, doc: number, rank: number): void {
    const key = texts.keyOf(doc);
    const isAbove = ({ rank: other, key: otherKey }: Ranked): boolean =>
      rank > other || (rank === other && key < otherKey);
    if (this.hits.length >= this.#most) {
      if (!isAbove(this.hits.at(-1)!)) return;
      this.hits.pop();
    }
    const at = firstWhere(this.hits.length, (place) => isAbove(this.hits[place]!));
    this.hits.splice(at, 0, { lang, texts, doc, key, rank });
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
  const maySee: MaySee = (number, publicFrom) => {
    const facts = index.factsOf(number);
    return mayFind ? mayFind(facts, publicFrom) : facts.isPublic && publicFrom <= nowMs;
  };
  const langs = [...index.byLang].filter(([each]) => lang === undefined || each === lang);
  const best = new Best(from + items);
  const searches: { lang: Lang; words: ReadonlySet<string>; tally: readonly Tallied[] }[] = [];
  for (const [each, texts] of langs) {
    const found = await texts.search(query, maySee);
    const tally = await rankInto(best, index, [each, texts], found, { chosen, nowMs });
    searches.push({ lang: each, words: found.words, tally });
  }
  const hits = best.hits.slice(from).map(({ texts, doc, ...hit }): Hit => {
    const facts = index.factsOf(texts.factsOf(doc));
    return { ...hit, facts, publicFrom: texts.publicFromOf(doc) };
  });
  const wordsOf = new Map(searches.map((each) => [each.lang, each.words]));
  return {
    query: words,
    total: searches.reduce((sum, { tally }) => sum + tally.reduce((all, { count }) => all + count, 0), 0),
    items: hits.map((hit) => {
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

/**
 * Ranks the documents found in one language that have the chosen values: the better of two of one record.
 *
 * @returns how many have which values
 */
async function rankInto(
  best: Best,
  index: ContentIndex,
  [lang, texts]: readonly [Lang, TextIndex],
  { documents, scores }: FoundDocuments,
  { chosen, nowMs }: { readonly chosen: SearchOptions["chosen"]; readonly nowMs: number },
): Promise<readonly Tallied[]> {
  /** By facts and status: there may be a hundred thousand documents, but few differ in these. null: not chosen. */
  const tallies: (Tallied | null | undefined)[] = [];
  for (let n = 0; n < documents.length; n++) {
    if (n % RANKED_AT_ONCE === 0) await pace();
    const [before, doc = 0, after] = [documents[n - 1], documents[n], documents[n + 1]];
    const key = texts.keyOf(doc);
    if (before !== undefined && texts.keyOf(before) === key && scores[before]! >= scores[doc]!) continue;
    if (after !== undefined && texts.keyOf(after) === key && scores[after]! > scores[doc]!) continue;
    const facts = texts.factsOf(doc);
    const status = statusOf(index.factsOf(facts).isTrashed, texts.publicFromOf(doc), nowMs);
    const place = facts * STATUSES.length + status;
    let tally = tallies[place];
    if (tally === undefined) {
      const values = valuesOf(index.factsOf(facts), lang, STATUSES[status]!);
      const isChosen = FACETS.every((name) => chosen[name] === undefined || values[name].includes(chosen[name]));
      tallies[place] = tally = isChosen ? { values, count: 0 } : null;
    }
    if (tally === null) continue;
    tally.count++;
    // Of equal scores, the newer one.
    best.add(lang, texts, doc, Math.round(scores[doc]! * SCORE_STEPS) + texts.updatedAtOf(doc) / LATEST_MS);
  }
  return Object.values(tallies).filter((each) => each !== null && each !== undefined);
}

/** Less than a millisecond. */
const RANKED_AT_ONCE = 8192;
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

/** The place of its name in `STATUSES`. */
const statusOf = (isTrashed: boolean, publicFrom: number, nowMs: number): number =>
  isTrashed ? 0 : publicFrom === Infinity ? 1 : publicFrom <= nowMs ? 2 : 3;

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
