import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config.ts";
import { CmsError } from "../../src/errors.ts";
import { parseInstant, type Instant } from "../../src/model/time/instant.ts";
import type { Media } from "../../src/model/media/media.ts";
import { EMPTY_GLOBALS, EMPTY_TEXT, type Draft, type Page, type PageText } from "../../src/model/page/page.ts";
import { readQuery, type Queryable } from "../../src/model/lists/query.ts";
import type { Entity, Kind, Reader } from "../../src/store/records/record-type.ts";
import { MEDIA } from "../../src/store/records/media/media.ts";
import { PAGES } from "../../src/store/records/pages.ts";
import { selectFields, selectRouteFields } from "../../src/views/lists/field-selection.ts";
import { list, listingText, type RecordListing } from "../../src/views/lists/listing.ts";
import { PAGE_LIST } from "../../src/views/page/page-list.ts";
import type { Payload } from "../../src/views/page/page.ts";
import type { View } from "../../src/views/view.ts";

const at = (day: string): Instant => parseInstant(`${day}T00:00Z`)!;
const locales = { codes: ["it", "en"], default: "en" };

interface Shape extends Partial<Omit<Page, "translations">> {
  readonly en?: Partial<PageText>;
  readonly it?: Partial<PageText>;
}

function page(id: number, { en, it, ...rest }: Shape): Page {
  return {
    ...EMPTY_GLOBALS,
    id,
    model: "page",
    identifier: `page-${id}`,
    ordering: id,
    deleted_at: null,
    date_created: at(`2026-01-0${id}`),
    date_updated_at: at("2026-02-01"),
    aliases: [],
    translations: { en: { ...EMPTY_TEXT, ...en }, it: { ...EMPTY_TEXT, ...it } },
    drafts: {},
    ...rest,
  };
}

const draft = (scheduledFor: Instant | null): Draft => ({
  payload: {},
  scheduled_for: scheduledFor,
  created_at: at("2026-02-01"),
  updated_at: at("2026-02-01"),
});
const LIVE = at("2026-02-01");
const LATER = at("2026-04-01");

const PAGE_RECORDS: readonly Page[] = [
  page(1, {
    en: { title: "About", permalink: "/about", published_at: LIVE },
    it: { title: "Chi siamo", permalink: "/chi-siamo" },
    og_image: 9,
    meta: { colour: "red" },
  }),
  page(2, {
    en: { title: "Team", permalink: "/about/team", published_at: LATER },
    parent_page: 1,
    template: "team.html",
  }),
  page(3, {
    en: { title: "Contact", permalink: "/contact" },
    it: { published_at: LIVE },
    parent_page: 1,
    drafts: { it: draft(null) },
  }),
  page(4, {
    en: { title: "Old", permalink: "/old", published_at: LIVE },
    deleted_at: LIVE,
    identifier: "about-old",
    ordering: 0,
  }),
  page(5, {
    en: { title: "News", permalink: "/news", published_at: LIVE, template_data: { items: { count: 3 } } },
    ordering: 0,
    drafts: { en: draft(LIVE) },
  }),
];
const PHOTO: Media = {
  id: 9,
  file: "sea/photo.jpg",
  aliases: [],
  created: LIVE,
  translations: { en: { title: "Photo", alt_text: "Waves", description: null } },
  renditions_config: null,
  deleted_at: null,
  derivatives: null,
  facts: null,
};

const RECORDS = new Map<unknown, readonly Entity[]>([
  [PAGES, PAGE_RECORDS],
  [MEDIA, [PHOTO]],
]);
const all = <T extends Entity>(kind: Kind<T>): readonly T[] => (RECORDS.get(kind) ?? []) as readonly T[];
const content: Reader = {
  all,
  find: (kind, id) => all(kind).find((record) => record.id === id),
  get: (kind, id) => all(kind).find((record) => record.id === id)!,
};
const view = (lang = "en"): View => ({
  content,
  config: defaultConfig(),
  locales,
  lang,
  now: at("2026-03-01"),
  surface: "editor",
  origin: "",
});

const listPages = (text: string, lang = "en"): Promise<RecordListing<Page>> =>
  list(PAGE_RECORDS, readQuery(new URLSearchParams(text), PAGE_LIST, locales), view(lang));

const idsOf = async (text: string, lang = "en"): Promise<number[]> => {
  const listing = await listPages(text, lang);
  return ("items" in listing ? listing.items : listing).map(({ id }) => id);
};

describe("list, page by page", () => {
  // oxfmt-ignore
  it.each<[string, number[], object]>([
    // asked                   ids              count, page, has_next, has_previous, pages, page_size
    ["items=2",                [5, 4],          { count: 5, page: 1, has_next: true, has_previous: false, pages: 3, page_size: 2 }],
    ["items=2&page=2",         [1, 2],          { count: 5, page: 2, has_next: true, has_previous: true, pages: 3, page_size: 2 }],
    ["items=2&page=3",         [3],             { count: 5, page: 3, has_next: false, has_previous: true, pages: 3, page_size: 2 }],
    ["items=2&page=4",         [3],             { count: 5, page: 3, has_next: false, has_previous: true, pages: 3, page_size: 2 }],
    ["items=2&page=0",         [3],             { count: 5, page: 3, has_next: false, has_previous: true, pages: 3, page_size: 2 }],
    ["items=2&page=-1",        [3],             { count: 5, page: 3, has_next: false, has_previous: true, pages: 3, page_size: 2 }],
    ["items=2&page=two",       [5, 4],          { count: 5, page: 1, has_next: true, has_previous: false, pages: 3, page_size: 2 }],
    ["items=2&page=1.5",       [5, 4],          { count: 5, page: 1, has_next: true, has_previous: false, pages: 3, page_size: 2 }],
    ["items=9&items=2&page=3", [3],             { count: 5, page: 3, has_next: false, has_previous: true, pages: 3, page_size: 2 }],
    ["items=",                 [5, 4, 1, 2, 3], { count: 5, page: 1, has_next: false, has_previous: false, pages: 1, page_size: 30 }],
    ["items=-1",               [5, 4, 1, 2, 3], { count: 5, page: 1, has_next: false, has_previous: false, pages: 1, page_size: 5 }],
    ["items=-1&page=7",        [5, 4, 1, 2, 3], { count: 5, page: 1, has_next: false, has_previous: false, pages: 1, page_size: 5 }],
    ["items=5",                [5, 4, 1, 2, 3], { count: 5, page: 1, has_next: false, has_previous: false, pages: 1, page_size: 5 }],
    ["items=2&fltr=id=99",     [],              { count: 0, page: 1, has_next: false, has_previous: false, pages: 1, page_size: 2 }],
    ["items=-1&fltr=id=99",    [],              { count: 0, page: 1, has_next: false, has_previous: false, pages: 1, page_size: 0 }],
  ])("%s", async (asked, ids, paginator) => {
    const listing = await listPages(asked);
    expect(listing).toEqual({ items: expect.anything(), paginator });
    expect(await idsOf(asked)).toEqual(ids);
  });

  it("without items is not paged, whatever the page", async () => {
    expect(await listPages("page=2")).toEqual([5, 4, 1, 2, 3].map((id) => PAGE_RECORDS[id - 1]));
  });

  it("is the same whether the list has been sorted before or not", async () => {
    const queries = [
      "",
      "order=desc",
      "fltr=ordering__gt=2",
      "search=a&order=desc",
      "sort=title",
      "sort=title&order=desc",
    ];
    for (const asked of [...queries, ...queries]) {
      for (const lang of ["it", "en"]) {
        const query = readQuery(new URLSearchParams(asked), PAGE_LIST, locales);
        expect(await listPages(asked, lang), asked).toEqual(await list([...PAGE_RECORDS], query, view(lang)));
      }
    }
  });

  it("uses the page size of its endpoint", async () => {
    const query = readQuery(new URLSearchParams("items="), PAGE_LIST, locales, 18);
    expect(await list(PAGE_RECORDS, query, view())).toMatchObject({ paginator: { page_size: 18 } });
  });

  it("builds payloads only for the records on the page", async () => {
    const shown: number[] = [];
    const text = await listingText(await listPages("items=2&page=2"), ({ id }) => (shown.push(id), { id }));
    expect(JSON.parse(text)).toEqual({
      items: [{ id: 1 }, { id: 2 }],
      paginator: { count: 5, page: 2, has_next: true, has_previous: true, pages: 3, page_size: 2 },
    });
    expect(shown).toEqual([1, 2]);
    expect(await listingText(await listPages("fltr=id=1"), ({ id }) => ({ id }))).toBe('[{"id":1}]');
    expect(await listingText(await listPages("fltr=id=99"), ({ id }) => ({ id }))).toBe("[]");
  });

  it("is refused when its text would be too long", async () => {
    const text = listingText(await listPages(""), ({ id }) => ({ id }), 30);
    await expect(text).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("`items`") as string,
    });
  });

  it("yields between records, both when it filters and when it builds payloads", async () => {
    /** Longer than a turn may last. */
    const work = (): void => {
      for (const began = performance.now(); performance.now() - began < 4;);
    };
    let [turns, isDone] = [0, false];
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const slow = PAGE_RECORDS.map((record) => {
      const { id } = record;
      return Object.defineProperty({ ...record }, "id", { get: () => (work(), id) });
    });
    const query = readQuery(new URLSearchParams("items=2&fltr=id__gt=0"), PAGE_LIST, locales);
    const listing = await list(slow, query, view());
    expect(turns).toBeGreaterThanOrEqual(2);
    turns = 0;
    await listingText(listing, () => (work(), {}));
    expect(turns).toBeGreaterThanOrEqual(1);
    isDone = true;
  });
});

describe("the list of pages", () => {
  // oxfmt-ignore
  it.each<[string, string, number[]]>([
    // asked                                    in    ids
    ["",                                        "en", [5, 4, 1, 2, 3]], // by ordering, newest first among equals
    ["order=desc",                              "en", [3, 2, 1, 4, 5]],
    ["sort=title",                              "en", [1, 3, 5, 4, 2]],
    ["sort=-date_created",                      "en", [5, 4, 3, 2, 1]],
    ["sort=computed_status,id",                 "en", [3, 2, 1, 5, 4]],
    ["sort=parent_page__title,-id",             "en", [5, 4, 1, 3, 2]],
    ["search=ABOUT",                            "en", [4, 1]],
    ["search=chi",                              "en", []],
    ["search=chi",                              "it", [1]],
    ["search=contact",                          "it", [3]], // the title shown in Italian
    ["search=page-2",                           "en", [2]],
    // status
    ["fltr=status=PUB",                         "en", [5, 1]],
    ["fltr=status=PUB",                         "it", [3]],
    ["fltr=status_it=PUB",                      "en", [3]],
    ["fltr=status__in=[PLA,TRS]",               "en", [4, 2]],
    ["fltr=status__in=[]",                      "en", []],
    ["fltr=computed_status=DRF",                "en", [3]],
    ["fltr=is_public=true",                     "en", [5, 1]],
    ["fltr=is_public=false",                    "en", [4, 2, 3]],
    ["fltr=public=true",                        "en", [5, 1]],
    ["fltr=alive=true",                         "en", [5, 1, 2, 3]],
    ["fltr=trashed=true",                       "en", [4]],
    ["fltr=draft=true",                         "en", [5, 3]],
    ["fltr=scheduled=true",                     "en", [5, 2]],
    ["fltr=due_for_publish=true",               "en", [5]],
    ["fltr=first_publish_pending=true",         "en", [2]],
    ["fltr=has_draft=true",                     "en", [5]],
    ["fltr=has_draft_it=true",                  "en", [3]],
    ["fltr=draft_scheduled_for__lt=2026-03-01", "en", [5]],
    ["fltr=deleted_at__isnull=false",           "en", [4]],
    // fields and references
    ["fltr=title='Chi siamo'",                  "it", [1]],
    ["fltr=title_it='Chi siamo'",               "en", [1]],
    ["fltr=permalink__startswith=/about",       "en", [1, 2]],
    ["fltr=permalink=/about",                   "it", []],
    ["fltr=url_node__permalink_it=/chi-siamo",  "en", [1]],
    ["fltr=url_node=2",                         "en", [2]],
    ["fltr=slug=team",                          "en", [2]],
    ["fltr=template=team.html",                 "en", [2]],
    ["fltr=template__startswith=defaults/",     "en", [5, 4, 1, 3]],
    ["fltr=parent_page=1",                      "en", [2, 3]],
    ["fltr=parent_page__isnull=true",           "en", [5, 4, 1]],
    ["fltr=parent_page__title=About",           "en", [2, 3]],
    ["fltr=parent_page__status=PUB",            "en", [2, 3]],
    ["fltr=parent_page__url_node__permalink=/about", "en", [2, 3]],
    ["fltr=og_image=9",                         "en", [1]],
    ["fltr=og_image__title=Photo",              "en", [1]],
    ["fltr=og_image__file__endswith=.jpg",      "en", [1]],
    ["fltr=meta__colour=red",                   "en", [1]],
    ["fltr=template_data__items__count__gt=2",  "en", [5]],
    ["fltr=published_at__year=2026 AND trashed=false", "en", [5, 1, 2]],
    ["fltr=pubblication_date__gt=2026-03-01",   "en", [2]],
    ["fltr=indexable=true&fltr=autopermalink=true&fltr=id__lt=3", "en", [1, 2]],
  ])("%s in %s", async (asked, lang, ids) => {
    expect(await idsOf(asked, lang)).toEqual(ids);
  });

  it.each([
    "fltr=status=LIVE",
    "fltr=status__in=[PUB,LIVE]",
    "fltr=trashed=maybe",
    "fltr=drafts__en=1",
    "fltr=aliases=1",
    "fltr=translations__en=1",
    "fltr=author__password__startswith=a",
    "sort=drafts",
    "sort=parent_page__drafts",
  ])("refuses %s", (asked) => {
    expect(() => listPages(asked)).toThrow(expect.objectContaining({ code: "invalid" }) as CmsError);
  });
});

describe("fields", () => {
  const payload: Payload = {
    id: 2,
    title: "Team",
    status: "PUB",
    meta: { title: "kept" },
    breadcrumbs: [{ permalink: "/about/", title: "About" }],
    parent_page: { id: 1, title: "About", url_node: { id: 1, permalink: "/about" }, parent_page: null },
    og_image: null,
    url_node: { id: 2, permalink: "/about/team", related_name: "cms_page" },
    permalink: "/about/team",
    translations: { it: { title: "Squadra", slug: "squadra" }, en: { title: "Team", slug: "team" } },
  };

  // oxfmt-ignore
  it.each<[string, object]>([
    // asked                                   left
    ["",                                       payload],
    ["nothing,nowhere",                        payload],
    ["title",                                  { title: "Team" }],
    ["status,id,nothing",                      { id: 2, status: "PUB" }],
    [" title,id",                              { id: 2 }], // spaces are part of a name
    ["breadcrumbs,meta",                       { meta: { title: "kept" }, breadcrumbs: [{ permalink: "/about/", title: "About" }] }],
    ["permalink",                              { permalink: "/about/team" }],
    ["translations",                           { translations: payload.translations }],
    ["title_it",                               { translations: { it: { title: "Squadra" } } }],
    ["title_it,title_en,slug_it,id",           { id: 2, translations: { it: { title: "Squadra", slug: "squadra" }, en: { title: "Team" } } }],
    ["title_fr",                               payload],
    ["parent_page",                            { parent_page: { parent_page: null } }],
    ["parent_page,title",                      { title: "Team", parent_page: { title: "About", parent_page: null } }],
    ["parent_page__title",                     { parent_page: { title: "About" } }],
    ["parent_page__title,parent_page__id",     { parent_page: { id: 1, title: "About" } }],
    ["parent_page__url_node__permalink",       { parent_page: { url_node: { permalink: "/about" } } }],
    ["parent_page__nothing,id",                { id: 2, parent_page: { id: 1, title: "About", url_node: { id: 1 }, parent_page: null } }],
    ["url_node",                               { url_node: payload.url_node }],
    ["og_image__title",                        { og_image: null }],
    ["constructor,__proto__,toString",         payload],
  ])("%s", (asked, left) => {
    const { fields } = readQuery(new URLSearchParams({ fields: asked }), PAGE_LIST, locales);
    expect(selectFields(payload, fields, PAGE_LIST, locales)).toEqual(left);
  });

  it("keeps the order of the payload, and uses the last of a repeated parameter", () => {
    const { fields } = readQuery(new URLSearchParams("fields=meta&fields=status,id"), PAGE_LIST, locales);
    expect(Object.keys(selectFields(payload, fields, PAGE_LIST, locales))).toEqual(["id", "status"]);
  });

  it("reaches into lists of records", () => {
    const tags: Queryable<unknown> = { fields: {}, search: [], order: [] };
    const articles: Queryable<unknown> = {
      fields: { tags: { type: "reference", target: () => tags, get: () => [] } },
      search: [],
      order: [],
    };
    const article = {
      id: 1,
      tags: [
        { id: 4, name: "a" },
        { id: 5, name: "b" },
      ],
    };
    expect(selectFields(article, ["tags__name"], articles, locales)).toEqual({ tags: [{ name: "a" }, { name: "b" }] });
  });
});

describe("fields on the routers", () => {
  const payload: Payload = {
    id: 1,
    is_public: true,
    status: "PUB",
    indexable: true,
    alternates: {},
    permalink: "/about",
    related_name: "cms_page",
    title: "About",
    template: "x",
    url_node: { id: 1 },
  };
  const node = {
    id: 1,
    is_public: true,
    status: "PUB",
    indexable: true,
    alternates: {},
    permalink: "/about",
    related_name: "cms_page",
  };

  // oxfmt-ignore
  it.each<[string[], object]>([
    // asked                       left
    [[],                           payload],
    [["nothing"],                  payload],
    [["title"],                    { ...node, title: "About" }],
    [["title", "permalink"],       { permalink: "/about", title: "About" }],
    [["id"],                       { id: 1 }],
    [["status"],                   { status: "PUB" }],
    [["alternates", "title"],      { alternates: {}, title: "About" }],
    [["permalink"],                { ...payload, alternates: undefined, related_name: undefined }],
  ])("%j", (fields, left) => {
    const kept = selectRouteFields(payload, fields, PAGE_LIST, locales);
    expect(kept).toEqual(JSON.parse(JSON.stringify(left)));
    expect(Object.keys(kept)).toEqual(Object.keys(payload).filter((name) => name in kept));
  });
});
