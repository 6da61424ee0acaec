import { describe, expect, it } from "vitest";
import { CmsError } from "../../../src/errors.ts";
import { parseInstant, type Instant } from "../../../src/model/time/instant.ts";
import {
  inOrder,
  openTest,
  readQuery,
  type ListQuery,
  type Queryable,
  type QueryContext,
} from "../../../src/model/lists/query.ts";

interface Author {
  readonly id: number;
  readonly name: string;
  readonly password: string;
}

interface Book {
  readonly id: number;
  readonly code: string | null;
  readonly pages: number;
  readonly price: number;
  readonly lent: boolean;
  readonly added: Instant;
  readonly data: unknown;
  readonly title: Readonly<Record<string, string | null>>;
  readonly authors: readonly Author[];
  readonly secret: string;
}

const AUTHORS: Queryable<Author> = {
  fields: { id: { type: "integer", get: (author) => author.id }, name: { type: "text", get: (author) => author.name } },
  search: [],
  order: ["id"],
};

const BOOKS: Queryable<Book> = {
  fields: {
    id: { type: "integer", get: (book) => book.id },
    code: { type: "text", get: (book) => book.code },
    pages: { type: "integer", get: (book) => book.pages },
    price: { type: "number", get: (book) => book.price },
    lent: { type: "boolean", get: (book) => book.lent },
    added: { type: "instant", get: (book) => book.added },
    data: { type: "json", get: (book) => book.data },
    kind: { type: "text", choices: ["thin", "thick"], get: (book) => (book.pages > 300 ? "thick" : "thin") },
    title: { type: "text", translated: true, get: (book, _at, lang) => book.title[lang] ?? null },
    authors: { type: "reference", target: () => AUTHORS, get: (book) => book.authors },
  },
  search: ["title", "code"],
  order: ["-id"],
  created: "added",
};

const at = (text: string): Instant => parseInstant(text)!;
const anna: Author = { id: 7, name: "Anna", password: "a" };
const boris: Author = { id: 8, name: "boris", password: "b" };
const SHELF: readonly Book[] = [
  {
    id: 1,
    code: "A-1",
    pages: 120,
    price: 9.5,
    lent: false,
    added: at("2026-01-05T10:20:30Z"),
    data: { a: { b: 1 }, tags: ["sea", "sun"] },
    title: { en: "The Sea", it: "Il mare" },
    authors: [anna],
    secret: "x",
  },
  {
    id: 2,
    code: null,
    pages: 500,
    price: 20,
    lent: true,
    added: at("2026-02-01T00:00:00Z"),
    data: { a: { b: "1" }, year: 1999 },
    title: { en: "sea salt", it: null },
    authors: [anna, boris],
    secret: "y",
  },
  {
    id: 3,
    code: "b-3",
    pages: 80,
    price: 5,
    lent: false,
    added: at("2025-12-31T23:59:59.999Z"),
    data: { a: null, exact: true, list: [{ name: "x" }] },
    title: { en: "Élan", it: "Slancio (3)" },
    authors: [],
    secret: "z",
  },
  {
    id: 4,
    code: "007",
    pages: 320,
    price: 12.25,
    lent: true,
    added: at("2026-02-01T12:00:00Z"),
    data: null,
    title: { en: "Zenith", it: "" },
    authors: [boris],
    secret: "x",
  },
];
const locales = { codes: ["en", "it", "pt-BR"], default: "en" };
const standpoint = (lang: string): QueryContext => ({ locales, lang, now: at("2026-03-01T00:00Z") });

const selectRecords = <T>(records: readonly T[], query: ListQuery<T>, at: QueryContext): T[] =>
  inOrder(records.filter(openTest(query, at)), query, at);

/** The ids in the order of the list. */
function ordered(asked: Readonly<Record<string, string>>, lang: string): number[] {
  const query = readQuery(new URLSearchParams(asked), BOOKS, locales);
  return selectRecords(SHELF, query, standpoint(lang)).map(({ id }) => id);
}

const filtered = (fltr: string, lang = "en"): number[] => ordered({ fltr, sort: "id" }, lang).sort((a, b) => a - b);

function refusal(params: URLSearchParams): unknown {
  try {
    readQuery(params, BOOKS, locales);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(CmsError);
    expect((error as CmsError).code).toBe("invalid");
    return (error as CmsError).fields;
  }
}

describe("fltr, lookup by lookup", () => {
  // oxfmt-ignore
  it.each<[string, number[]]>([
    // text
    ["title='The Sea'",                [1]],
    ["title__exact='the sea'",         []],
    ["title__iexact='the sea'",        [1]],
    ["title__contains=sea",            [2]],
    ["title__icontains=sea",           [1, 2]],
    ["title__startswith=The",          [1]],
    ["title__istartswith=the",         [1]],
    ["title__endswith=salt",           [2]],
    ["title__iendswith=SEA",           [1]],
    ["code=007",                       [4]],
    ["code__in=[A-1,007]",             [1, 4]],
    ["code__isnull=true",              [2]],
    ["code__isnull=False",             [1, 3, 4]],
    ["code__gt=A",                     [1, 3]],
    ["code__regex=^[A-Z]-",            [1]],
    ["code__iregex='^[a-z]-\\d$'",     [1, 3]],
    ["title__regex=(e|a)+$",           [1]],
    // numbers
    ["id=3",                           [3]],
    ["id__in=[1,3,99]",                [1, 3]],
    ["id__in=[]",                      []],
    ["pages__gt=120",                  [2, 4]],
    ["pages__gte=120",                 [1, 2, 4]],
    ["pages__lt=120",                  [3]],
    ["pages__lte=120",                 [1, 3]],
    ["pages__range=[80,320]",          [1, 3, 4]],
    ["pages__gt=-1",                   [1, 2, 3, 4]],
    ["pages__contains=20",             [1, 4]],
    ["price=12.25",                    [4]],
    ["price__lt=9.6",                  [1, 3]],
    ["price__in=[20,5.0]",             [2, 3]],
    // true and false
    ["lent=true",                      [2, 4]],
    ["lent=FALSE",                     [1, 3]],
    ["lent=1",                         [2, 4]],
    ["lent__in=[true,false]",          [1, 2, 3, 4]],
    // few values
    ["kind=thick",                     [2, 4]],
    ["kind__in=[thin]",                [1, 3]],
    ["kind__in=[]",                    []],
    ["kind__startswith=thi",           [1, 2, 3, 4]],
  ])("%s", (filter, expected) => {
    expect(filtered(filter)).toEqual(expected);
  });

  // oxfmt-ignore
  it.each<[string, number[]]>([
    // moments, in UTC
    ["added=2026-02-01T00:00:00Z",                 [2]],
    ["added='2026-02-01 01:00:00+01:00'",          [2]],
    ["added=2026-02-01",                           [2]],
    ["added__gte=2026-02-01",                      [2, 4]],
    ["added__lt=2026-01-01T00:00",                 [3]],
    ["added__range=[2026-01-01,2026-02-01]",       [1, 2]],
    ["added__year=2026",                           [1, 2, 4]],
    ["added__year__lt=2026",                       [3]],
    ["added__month=2",                             [2, 4]],
    ["added__month__in=[1,12]",                    [1, 3]],
    ["added__day=5",                               [1]],
    ["added__hour=12",                             [4]],
    ["added__minute=20",                           [1]],
    ["added__second__gte=30",                      [1, 3]],
    ["added__week_day=1",                          [2, 4]], // Sunday
    ["added__date=2026-02-01",                     [2, 4]],
    ["added__date__gt=2026-01-05",                 [2, 4]],
    ["added__time=12:00",                          [4]],
    ["added__time__gte=10:20:30",                  [1, 3, 4]],
    ["added__isnull=false",                        [1, 2, 3, 4]],
    ["added__startswith=2025-",                    [3]],
  ])("%s", (filter, expected) => {
    expect(filtered(filter)).toEqual(expected);
  });

  // oxfmt-ignore
  it.each<[string, number[]]>([
    // JSON: the stored value tells its type
    ["data__a__b=1",                   [1, 2]],
    ["data__a__b__gte=1",              [1, 2]],
    ["data__a__b__in=[1,2]",           [1, 2]],
    ["data__year__range=[1990,2000]",  [2]],
    ["data__year__lt=99",              []],
    ["data__a__isnull=true",           [3, 4]], // null, or no such key
    ["data__a__isnull=false",          [1, 2]],
    ["data__isnull=true",              [4]],
    ["data__tags__contains=sea",       [1]],
    ["data__tags__contains=se",        []],
    ["data__tags=[sea,sun]",           [1]],
    ["data__tags=[sun,sea]",           []],
    ["data__tags__0=sea",              [1]],
    ["data__list__0__name=x",          [3]],
    ["data__exact__exact=true",        [3]], // a key named like a lookup needs the lookup
    ["data__icontains=SUN",            [1]],
    ["data__constructor__isnull=false", []],
    ["data____proto____isnull=false",  []],
    ["data__tags__length__isnull=false", []],
  ])("%s", (filter, expected) => {
    expect(filtered(filter)).toEqual(expected);
  });

  // oxfmt-ignore
  it.each<[string, number[]]>([
    // references
    ["authors__name=Anna",             [1, 2]],
    ["authors__name__icontains=O",     [2, 4]],
    ["authors=8",                      [2, 4]],
    ["authors__id=8",                  [2, 4]],
    ["authors__in=[7]",                [1, 2]],
    ["authors__isnull=true",           [3]],
    ["authors__name__isnull=false",    [1, 2, 4]],
    ["authors__name=Anna AND authors__name=boris", [2]],
  ])("%s", (filter, expected) => {
    expect(filtered(filter)).toEqual(expected);
  });

  // oxfmt-ignore
  it.each<[string, string, number[]]>([
    // in a language
    ["title='Il mare'",                "it",    [1]],
    ["title='Il mare'",                "en",    []],
    ["title_it='Il mare'",             "en",    [1]],
    ["title_it__isnull=true",          "en",    [2]],
    ["title__isnull=true",             "it",    [2]], // its own value, without fallback
    ["title_pt_br__isnull=true",       "en",    [1, 2, 3, 4]],
    ["title=''",                       "it",    [4]],
    ["title='Slancio (3)'",            "it",    [3]],
  ])("%s in %s", (filter, lang, expected) => {
    expect(filtered(filter, lang)).toEqual(expected);
  });

  // oxfmt-ignore
  it.each<[string, number[]]>([
    // together
    ["lent=true AND pages__gt=400",                [2]],
    ["lent=true OR pages=80",                      [2, 3, 4]],
    ["id=1 OR id=2 AND lent=true",                 [2]],
    ["id=1 OR (id=2 AND lent=true)",               [1, 2]],
    ["lent=true pages__gt=400",                    [2]],
  ])("%s", (filter, expected) => {
    expect(filtered(filter)).toEqual(expected);
  });

  it("several filters must all hold, an empty one is ignored", () => {
    const params = new URLSearchParams([
      ["fltr", "lent=true"],
      ["fltr", "pages__gt=400"],
      ["fltr", ""],
    ]);
    expect(selectRecords(SHELF, readQuery(params, BOOKS, locales), standpoint("en")).map(({ id }) => id)).toEqual([2]);
  });
});

describe("limits on names", () => {
  it.each(["fields", "sort"])("%s takes a limited number of names, repeated ones included", (parameter) => {
    const most = parameter === "fields" ? 200 : 20;
    const names = (count: number): string => Array.from({ length: count }, (_, n) => `data__k${n}`).join();
    const asked = (value: string): URLSearchParams => new URLSearchParams({ [parameter]: value });
    expect(() => readQuery(asked(`${names(most)},${names(most)},`), BOOKS, locales)).not.toThrow();
    expect(refusal(asked(names(most + 1)))).toEqual({ [parameter]: [`At most ${most} names are expected.`] });
  });
});

describe("search", () => {
  // oxfmt-ignore
  it.each<[string, string, number[]]>([
    // text       in    newest first
    ["SEA",       "en", [2, 1]],
    ["a-1",       "en", [1]],
    ["mare",      "en", []],
    ["mare",      "it", [1]],
    ["sea",       "it", [2]], // has no Italian title, so the English one is shown
    ["zenith",    "it", []], // has an empty one
    ["",          "en", [4, 2, 1, 3]],
    [" sea salt ", "en", [2]],
  ])("%s in %s", (search, lang, expected) => {
    expect(ordered({ search }, lang)).toEqual(expected);
  });

  it("is ignored by a list without search fields", () => {
    const query = readQuery(new URLSearchParams({ search: "nobody" }), AUTHORS, locales);
    expect(selectRecords([anna], query, standpoint("en"))).toEqual([anna]);
  });
});

describe("sort and order", () => {
  // oxfmt-ignore
  it.each<[Record<string, string>, string, number[]]>([
    // asked                               in    order
    [{},                                   "en", [4, 2, 1, 3]], // newest first: by creation, not by id
    [{ order: "desc" },                    "en", [3, 1, 2, 4]],
    [{ order: "asc" },                     "en", [4, 2, 1, 3]],
    [{ sort: "id" },                       "en", [3, 1, 2, 4]],
    [{ sort: "-id" },                      "en", [4, 2, 1, 3]],
    [{ sort: "pages" },                    "en", [3, 1, 4, 2]],
    [{ sort: "-pages" },                   "en", [2, 4, 1, 3]],
    [{ sort: "-pages", order: "desc" },    "en", [3, 1, 4, 2]], // reversed twice
    [{ sort: "lent" },                     "en", [1, 3, 4, 2]],
    [{ sort: "lent,-pages" },              "en", [1, 3, 2, 4]],
    [{ sort: "title" },                    "en", [3, 2, 1, 4]], // neither case nor accents count
    [{ sort: "title" },                    "it", [4, 1, 2, 3]], // as shown, with fallbacks
    [{ sort: "title_it" },                 "en", [2, 4, 1, 3]], // null comes first
    [{ sort: "code" },                     "en", [2, 4, 1, 3]],
    [{ sort: "-code" },                    "en", [3, 1, 4, 2]],
    [{ sort: "data__year" },               "en", [4, 1, 3, 2]],
    [{ sort: "authors__name" },            "en", [3, 2, 1, 4]],
    [{ sort: "" },                         "en", [4, 2, 1, 3]],
  ])("%j in %s", (asked, lang, expected) => {
    expect(ordered(asked, lang)).toEqual(expected);
  });
});

describe("an invalid query", () => {
  // oxfmt-ignore
  it.each<[string, unknown]>([
    // parameters                       errors
    ["items=0",                         { items: ["A positive integer is expected, or -1 for everything."] }],
    ["items=-2",                        { items: ["A positive integer is expected, or -1 for everything."] }],
    ["items=ten",                       { items: ["A positive integer is expected, or -1 for everything."] }],
    ["items=1.5",                       { items: ["A positive integer is expected, or -1 for everything."] }],
    ["items=10001",                     { items: ["At most 10000 at a time, or -1 for everything."] }],
    ["sort=nothing",                    { sort: ['There is no field "nothing".'] }],
    ["sort=-title__icontains",          { sort: ['Cannot be sorted by "title__icontains".'] }],
    ["sort=secret,password",            { sort: ['There is no field "secret".', 'There is no field "password".'] }],
    ["sort=authors__password",          { sort: ['Cannot be sorted by "authors__password".'] }],
    ["fltr=nothing=1",                  { fltr: ['There is no field "nothing".'] }],
    ["fltr=secret=x",                   { fltr: ['There is no field "secret".'] }],
    ["fltr=authors__password=a",        { fltr: ['There is no lookup "password" on this field.'] }],
    ["fltr=constructor=1",              { fltr: ['There is no field "constructor".'] }],
    ["fltr=__proto__=1",                { fltr: ['There is no field "__proto__".'] }],
    ["fltr=title__constructor=1",       { fltr: ['There is no lookup "constructor" on this field.'] }],
    ["fltr=title__like=1",              { fltr: ['There is no lookup "like" on this field.'] }],
    ["fltr=title__exact__exact=1",      { fltr: ['There is no lookup "exact__exact" on this field.'] }],
    ["fltr=title__year=1",              { fltr: ['There is no lookup "year" on this field.'] }],
    ["fltr=pages_it=1",                 { fltr: ['There is no field "pages_it".'] }],
    ["fltr=id=one",                     { fltr: ['"one" is not an integer.'] }],
    ["fltr=id=1.5",                     { fltr: ['"1.5" is not an integer.'] }],
    ["fltr=id__in=1",                   { fltr: ["A list is expected here: [1,...]"] }],
    ["fltr=id__in=[1,x]",               { fltr: ['"x" is not an integer.'] }],
    ["fltr=id=[1]",                     { fltr: ["A single value is expected here, not a list."] }],
    ["fltr=pages__range=[1]",           { fltr: ["A list of two is expected here: [from,to]"] }],
    ["fltr=price=cheap",                { fltr: ['"cheap" is not a number.'] }],
    ["fltr=lent=maybe",                 { fltr: ['"maybe" is not true or false.'] }],
    ["fltr=lent__gt=true",              { fltr: ["True and false have no order."] }],
    ["fltr=code__isnull=2",             { fltr: ['"2" is not true or false.'] }],
    ["fltr=kind=medium",                { fltr: ['"medium" is none of thin, thick.'] }],
    ["fltr=kind__in=[thin,medium]",     { fltr: ['"medium" is none of thin, thick.'] }],
    ["fltr=added=yesterday",            { fltr: ['"yesterday" is not a datetime.'] }],
    ["fltr=added__gt=2026-02-30",       { fltr: ['"2026-02-30" is not a datetime.'] }],
    ["fltr=added__date=2026-2-1",       { fltr: ['"2026-2-1" is not a date.'] }],
    ["fltr=added__time=25:00",          { fltr: ['"25:00" is not a time.'] }],
    ["fltr=title__regex=(",             { fltr: ["The regular expression has an open group."] }],
    ["fltr=title%3D",                   { fltr: ["Not a condition: title="] }],
    ["fltr=a=1&fltr=id=x&sort=b&items=0", { fltr: ['There is no field "a".', '"x" is not an integer.'], sort: ['There is no field "b".'], items: ["A positive integer is expected, or -1 for everything."] }],
  ])("%s", (text, fields) => {
    expect(refusal(new URLSearchParams(text))).toEqual(fields);
  });

  it.each([
    "page=x",
    "page=-1",
    "page=",
    "order=up",
    "items=",
    "items=-1",
    "items=10000",
    "fields=nothing",
    "search=%25",
    "other=1",
  ])("%s is valid", (text) => {
    expect(refusal(new URLSearchParams(text))).toBeUndefined();
  });
});

describe("a regular expression that would take too long", () => {
  it("is refused while it runs, and each run has a new budget", () => {
    const query = readQuery(new URLSearchParams({ fltr: "code__regex='(a|b)*a(a|b){190}$'" }), BOOKS, locales);
    let seed = 7;
    const code = Array.from({ length: 200_000 }, () => ((seed = (seed * 48_271) % 2_147_483_647) % 2 ? "a" : "b")).join(
      "",
    );
    expect(() => selectRecords([{ ...SHELF[0]!, code }], query, standpoint("en"))).toThrow(
      expect.objectContaining({ code: "invalid" }) as CmsError,
    );
    expect(selectRecords(SHELF, query, standpoint("en"))).toEqual([]);
  });
});
