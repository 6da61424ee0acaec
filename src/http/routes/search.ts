/** Searches: over all that an account may see, and over what is public. */
import { failureLog, networkOf, throttled, type FailureLog } from "../../actions/accounts/attempts.ts";
import { invalid, type FieldErrors } from "../../errors.ts";
import { searchSite } from "../../library/search.ts";
import { keptBy } from "../../memo.ts";
import { REQUIRED } from "../../model/input/input-errors.ts";
import { findLang } from "../../model/language/locale.ts";
import { QUERY_MAX } from "../../model/search/query.ts";
import { msOf } from "../../model/time/instant.ts";
import { text } from "../../schema/json-schema.ts";
import { nextMoment } from "../../store/content/indexes/page-index.ts";
import { ContentMemo } from "../../views/content-memo.ts";
import { textHash } from "../../views/manifest/json-digest.ts";
import { FACETS, findableBy, PUBLIC_FACETS, type FacetName, type SearchOptions } from "../../views/search/search.ts";
import { publicView } from "../app/call.ts";
import { get, requireUser, type Call, type Route } from "../app/route.ts";
import type { Parameter } from "../openapi/operation.ts";
import { cacheControl } from "../public/router-cache.ts";
import { notModified } from "../request/conditional.ts";
import { etag, json, jsonText, type Reply } from "../request/reply.ts";

const ITEMS = 20;
const ITEMS_MAX = 100;
/** The last page that can be asked for: the results before it are sorted for each answer. */
const PAGES_MAX = 50;

const WORDS: readonly Parameter[] = [
  {
    name: "q",
    description:
      "Words that must all be found, in any order; the last may be unfinished. " +
      `\`"a phrase"\` is found as it stands, \`-word\` must not be found. At most ${QUERY_MAX} characters.`,
    schema: text("flour water"),
    isRequired: true,
  },
  { name: "language", description: "Only texts in this language; without it those in all.", schema: text("en") },
  { name: "model", description: "Only results of this model, as the facet names it.", schema: text("article") },
  { name: "tag", description: "Only articles with the tag of this id.", schema: text("12") },
  { name: "section", description: "Only pages whose addresses begin with this part.", schema: text("blog") },
];

const PAGING: readonly Parameter[] = [
  {
    name: "items",
    description: `Results a page; ${ITEMS} without it.`,
    schema: { type: "integer", minimum: 1, maximum: ITEMS_MAX },
  },
  {
    name: "page",
    description: "Number of the page, from 1.",
    schema: { type: "integer", minimum: 1, maximum: PAGES_MAX },
  },
];

export const searchRoutes: readonly Route[] = [
  get("search", "user", search, {
    summary: "Search all content",
    description:
      "Texts of pages, articles, instances, blocks, menus, media and tags, with the passages in which the words stand. " +
      "Only staff finds drafts, hidden pages, what is in the trash and instances; to others they do not count either.",
    query: [
      ...WORDS,
      { name: "status", description: "Only pages with this status.", schema: text("PUB") },
      { name: "template", description: "Only pages with this template.", schema: text("pages/room.html") },
      ...PAGING,
    ],
    answer: "SearchAnswer",
    refusals: [400],
  }),
  get("search-router", "public", searchPublic, {
    summary: "Search the public site",
    description: "What everyone may read: pages that are public now and not hidden from search engines.",
    query: [...WORDS, ...PAGING],
    answer: "PublicSearchAnswer",
    refusals: [400, 429],
  }),
];

async function search(call: Call): Promise<Reply> {
  const mayFind = findableBy(requireUser(call));
  return json(await searchSite(call.ctx, call.view("editor"), optionsOf(call, FACETS), mayFind));
}

/** Answers of one content. */
const ANSWERS = new ContentMemo<string>(1000);

/** Searches of one network that are no answers from the cache, until a pause. */
const LIMIT = { free: 200, firstWait: 1000, longestWait: 10_000, resetAfter: 10_000 };
const LIMITS = new WeakMap<object, FailureLog>();

async function searchPublic(call: Call): Promise<Reply> {
  const { ctx } = call;
  const view = { ...publicView(call), lang: ctx.locales.default, origin: "" };
  const options = optionsOf(call, PUBLIC_FACETS);
  const body = await ANSWERS.get(view, JSON.stringify(options), async () => {
    limit(call);
    return JSON.stringify(await searchSite(ctx, view, options));
  });
  const next = nextMoment(view.content, view.now);
  const age = next === undefined ? Infinity : Math.floor((msOf(next) - msOf(view.now)) / 1000);
  const headers = {
    etag: etag(textHash(body)),
    "cache-control": cacheControl(Math.max(0, Math.min(age, ctx.config.ROUTER_CACHE))),
  };
  return notModified(call.headers, headers) ?? jsonText(body, headers);
}

/** @throws CmsError `throttled` */
function limit({ ctx, address }: Call): void {
  const searches = keptBy(LIMITS, ctx.store, () => failureLog(LIMIT));
  const [network, now] = [networkOf(address), ctx.env.elapsed()];
  const wait = searches.wait(network, now);
  if (wait > 0) throw throttled(Math.ceil(wait / 1000));
  searches.recordFailure(network, now);
}

/** @param facets by which results are chosen @throws CmsError `invalid` with the parameters that cannot be used */
function optionsOf({ url: { searchParams }, ctx: { locales } }: Call, facets: readonly FacetName[]): SearchOptions {
  const errors: Record<string, FieldErrors[string]> = {};
  const last = (name: string): string | undefined => searchParams.getAll(name).at(-1);
  const number = (name: string, most: number): number | undefined => {
    const sent = last(name);
    if (sent === undefined || sent === "") return undefined;
    const read = /^\d{1,4}$/.test(sent) ? Number(sent) : 0;
    if (read < 1 || read > most) errors[name] = [`Expected: a whole number from 1 to ${most}.`];
    return read;
  };
  const words = last("q");
  if (words === undefined) errors.q = [REQUIRED];
  else if (words.length > QUERY_MAX) errors.q = [`At most ${QUERY_MAX} characters are expected.`];
  const asked = last("language") ?? "";
  const lang = asked === "" ? undefined : findLang(locales, asked);
  if (asked !== "" && lang === undefined) errors.language = [`Expected: one of ${locales.codes.join(", ")}.`];
  const [items = ITEMS, page = 1] = [number("items", ITEMS_MAX), number("page", PAGES_MAX)];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const chosen: Partial<Record<FacetName, string>> = {};
  for (const name of facets) {
    const value = last(name) ?? "";
    if (name !== "language" && value !== "") chosen[name] = value;
  }
  return { words: words!.trimStart(), lang, chosen, from: (page - 1) * items, items };
}
