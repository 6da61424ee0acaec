/** The content of the repository. */
import { keptBy } from "../../memo.ts";
import type { Config } from "../../config.ts";
import { isQuestion } from "../../model/time/clock-answers.ts";
import { placeText, type ListPlace } from "../../model/address/list-address.ts";
import { showInstant, type Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Id, PageSummary } from "../../model/page/page.ts";
import { isNoindex } from "../../model/page/robots.ts";
import { TEMPLATE_QUERIES, publicArticles, publicChildren, type RunQuery } from "../../render/template-queries.ts";
import { siteSearchFiles } from "../../library/site-search.ts";
import { renderInput } from "../../render/page.ts";
import type { AnyKind } from "../../store/records/record-type.ts";
import { allSummaries, kindOf, PAGE_KINDS, pageOf } from "../../store/content/indexes/pages-by-model.ts";
import { nextMoment, pageIndex } from "../../store/content/indexes/page-index.ts";
import { keyOfEntry, summaryOf, type Snapshot } from "../../store/snapshot.ts";
import { trackingReader } from "../../views/manifest/dependencies.ts";
import { digestPayload } from "../../views/manifest/json-digest.ts";
import { allRedirects } from "../../views/manifest/manifest.ts";
import { feedContent } from "../../views/site-files/feed.ts";
import { scheduledChanges } from "../../views/moments/schedule.ts";
import { pagePayload } from "../../views/page/page.ts";
import { addressPayload } from "../../views/page/pagination.ts";
import { servedAddresses } from "../../views/page/route.ts";
import type { View } from "../../views/view.ts";
import { sha1 } from "../state/digest.ts";
import { kindsInto, readsInto, RECORD, TABLE, type Dependencies } from "../dependencies.ts";
import { openRecordDigests } from "./record-digests.ts";
import type { Made, MediaFile, Source } from "./source.ts";
import { treeMedia } from "./tree-media.ts";
import type { Dependency, Listing } from "../state/state.ts";

export interface TreeOptions {
  readonly root: string;
  readonly content: Snapshot;
  readonly kinds: readonly AnyKind[];
  readonly config: Config;
  readonly now: Instant;
  /** Called only when the epoch is needed. */
  epoch(): Promise<string | null>;
  readonly dependencies: Dependencies;
  /** Of other content than that of the working tree: its name, and where its media come from. */
  readonly other?: { readonly name: string; readonly media: () => Promise<readonly MediaFile[]> };
}

/** Results kept at a time; templates run few different queries. */
const RESULTS_KEPT = 64;

export function treeSource({ root, content, kinds, config, now, epoch, dependencies, other }: TreeOptions): Source {
  const { locales } = config;
  const viewOf =
    (reader: View["content"]) =>
    (lang: Lang): View => ({ content: reader, config, locales, lang, now, surface: "public", origin: "" });
  const plain = byLang(viewOf(content));
  const noting = byLang(viewOf(trackingReader(content, readsInto(dependencies))));
  const payloads = openPayloads(noting, dependencies);
  const digests = openRecordDigests(content, kinds, config, now);
  const index = pageIndex(content);
  const tablesOf = new Map<string, Set<string>>();
  let listed: readonly Listing[] | undefined;
  let redirects: Source["redirects"] | undefined;
  const summaryOfPage = ({ id }: Listing): PageSummary => {
    const kind = PAGE_KINDS.find((each) => content.table(each).byId.has(id))!;
    return summaryOf(content.table(kind).byId.get(id)!) as PageSummary;
  };
  /** The digest of a list of pages: of their hashes, which are known or needed anyway, not of their payloads. */
  const listDigest = (lang: Lang, pages: readonly PageSummary[]): string =>
    pages.length === 0 ? "" : sha1(pages.map((page) => `${page.id} ${payloads.hash(page, lang)}`).join("\n"));
  const queryDigest = ([name, lang, ...args]: Dependency): string => {
    if (name === "pages_of") return listDigest(lang, publicChildren(plain(lang), args[0] as Id));
    if (name === "articles") return listDigest(lang, publicArticles(plain(lang), args[0] as Id | null));
    // Answers of the clock change without any table.
    if (isQuestion(name)) return String(runQuery(plain(lang), name, args));
    const read = keptBy(tablesOf, name, () => new Set());
    const result = runQuery({ ...plain(lang), content: trackingReader(content, kindsInto(read)) }, name, args);
    return typeof result === "string" ? result : result === null ? "" : sha1(JSON.stringify(result));
  };
  return {
    name: other?.name ?? "tree",
    server_time: showInstant(now),
    now,
    async scheduled() {
      const at = nextMoment(content, now);
      if (at === undefined) return undefined;
      const changes = await scheduledChanges(content, locales, now, at);
      // A release goes live with at least one page.
      return { at, pages: Math.max(1, changes.length) };
    },
    epoch,
    content: () => contentDigest(content, kinds, now),
    get pages() {
      return (listed ??= listPages({ ...plain(locales.default), content }));
    },
    get redirects() {
      return (redirects ??= allRedirects(plain(locales.default)));
    },
    ask: notedQueries(plain, dependencies),
    view: noting,
    hash: async (page) => payloads.hash(summaryOfPage(page), page.language_code, page.place),
    trust: payloads.setHash,
    make: async (page) => payloads.make(summaryOfPage(page), page.language_code, page.place),
    shown: (page, { payload }) => renderInput(noting(page.language_code), pageOf(summaryOfPage(page)), payload),
    updated(listing) {
      const { robots, date_updated_at: updated } = summaryOfPage(listing);
      return isNoindex(robots) ? "" : updated;
    },
    digest(dependency) {
      const [name, , one, two] = dependency;
      if (name === RECORD) return digests.record(one as string, two as Id);
      if (name === TABLE) return digests.table(one as string);
      // Most pages have no children, and templates ask for those of every page.
      if (name === "pages_of" && index.childSummaries(one as Id).length === 0) return "";
      return dependencies.aside(() => queryDigest(dependency));
    },
    tablesOf: () => tablesOf,
    feed: (lang, count) => feedContent(plain(lang), count),
    search: () => siteSearchFiles({ ...plain(locales.default), content }),
    media: other?.media ?? (() => treeMedia(root, content, config)),
  };
}

/** Payloads of pages, and their hashes by language, id and place. Without a place they have no list. */
function openPayloads(viewOf: (lang: Lang) => View, dependencies: Dependencies) {
  const hashes = new Map<Lang, Map<Id | string, string>>();
  const keyOf = (id: Id, place: ListPlace | undefined): Id | string => (place ? `${id} ${placeText(place)}` : id);
  const setHash = ({ id, language_code, place }: Pick<Listing, "id" | "language_code" | "place">, hash: string): void =>
    void keptBy(hashes, language_code, () => new Map<Id | string, string>()).set(keyOf(id, place), hash);
  const make = (summary: PageSummary, lang: Lang, place?: ListPlace): Made => {
    const page = pageOf(summary);
    dependencies.note(RECORD, "", kindOf(page).name, page.id);
    const view = viewOf(lang);
    const payload = place ? addressPayload(view, page, place) : pagePayload(view, page);
    const digested = digestPayload(payload);
    setHash({ id: page.id, language_code: lang, ...(place && { place }) }, digested.hash);
    return { payload, ...digested };
  };
  const hash = (page: PageSummary, lang: Lang, place?: ListPlace): string =>
    hashes.get(lang)?.get(keyOf(page.id, place)) ?? dependencies.aside(() => make(page, lang, place).hash);
  return { make, hash, setHash };
}

/** Queries whose arguments differ from page to page. */
const NOT_SHARED: ReadonlySet<string> = new Set(["pages_of", "media", "block", "link", "moved", "group_link"]);

/** Notes the queries of templates as dependencies, and keeps results that many pages share. */
function notedQueries(viewOf: (lang: Lang) => View, dependencies: Dependencies): RunQuery {
  /** By the numbers of the dependencies. */
  const shared = new Map<number, unknown>();
  return (view, query, ...args) => {
    const number = dependencies.note(query, view.lang, ...args);
    return dependencies.aside(() => {
      const result = (): unknown => runQuery(viewOf(view.lang), query, args);
      if (NOT_SHARED.has(query) || isQuestion(query)) return result();
      if (!shared.has(number)) {
        if (shared.size >= RESULTS_KEPT) shared.clear();
        const made = result();
        shared.set(number, Array.isArray(made) ? made : JSON.stringify(made));
      }
      const known = shared.get(number);
      // A copy, since a template may sort or reverse it.
      return Array.isArray(known) ? [...(known as unknown[])] : (JSON.parse(known as string) as unknown);
    }) as never;
  };
}

const contentDigest = (content: Snapshot, kinds: readonly AnyKind[], now: Instant): string => {
  const keys = kinds.flatMap((kind) =>
    Array.from(content.table(kind).byBase.values(), (entry) => keyOfEntry(kind, entry)).sort(),
  );
  return sha1([showInstant(now), ...keys].join("\n"));
};

/** Runs a query with the arguments it was noted with, which are those that the query takes. */
const runQuery = (view: View, name: string, args: readonly unknown[]): unknown => {
  const query: (view: View, ...args: never[]) => unknown = TEMPLATE_QUERIES[name as keyof typeof TEMPLATE_QUERIES];
  return query(view, ...(args as never[]));
};

/** The pages that the site serves. */
function listPages(view: View & { readonly content: Snapshot }): readonly Listing[] {
  const summaries = [...allSummaries(view.content)].sort((a, b) => a.id - b.id);
  return view.locales.codes.flatMap((lang) =>
    summaries.flatMap((summary) =>
      servedAddresses(view, summary, lang).map((address) => ({ id: summary.id, language_code: lang, ...address })),
    ),
  );
}

function byLang(make: (lang: Lang) => View): (lang: Lang) => View {
  const views = new Map<Lang, View>();
  return (lang) => keptBy(views, lang, make);
}
