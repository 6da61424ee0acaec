/**
 * Random requests to every route: no program error, no hanging request, no change by a refused request, and a tree that
 * still loads.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { API_ROUTES } from "../../src/http/routes/api-routes.ts";
import { ROUTER_ROUTES } from "../../src/http/public/routers.ts";
import { siteWithTemplates } from "../security/example.ts";
import { type Answer, type MemorySite, type Role } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

/** 20,000 for all parts together; set by FUZZ_RUNS. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 20_000);
const PARTS = 4;
/** Of processor time; waiting, on a busy machine, may take ten times as long. */
const LONGEST_MS = 1000;
/** Another seed makes other requests. */
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const ROUTES = [...API_ROUTES, ...ROUTER_ROUTES];
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

const oddText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    "",
    "0",
    "1",
    "-1",
    "999999999999",
    "null",
    "__proto__",
    "constructor",
    "../..",
    "%00",
    "\0",
    "\ud800",
    "é",
    "a/b",
    "/",
    "//evil.example",
    "on",
    "2026-01-01T00:00:00Z",
    "[]",
    "{}",
    "T",
    "it",
    "pt-BR",
    "- ? : *",
    "x".repeat(500),
  ),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    oddText,
    fc.integer({ min: -5, max: 60 }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.oneof(oddText, fc.constantFrom("id", "a", "title")), tie("value"), { maxKeys: 4 }),
})).value;

/** Known names, so that bodies pass the first checks. */
const NAMES = [
  "title",
  "title_en",
  "title_it",
  "description",
  "permalink",
  "permalink_it",
  "autopermalink",
  "translations",
  "template",
  "template_data",
  "meta",
  "parent_page",
  "og_image",
  "ordering",
  "identifier",
  "published_at",
  "publish_at",
  "comment",
  "startId",
  "endId",
  "username",
  "password",
  "email",
  "is_staff",
  "is_superuser",
  "user_permissions",
  "key",
  "nodes",
  "enabled",
  "content",
  "content_type",
  "object_id",
  "name",
  "schema",
  "data",
  "meta_type",
  "file",
  "folder",
  "slug",
  "tags",
  "author",
  "indexable",
  "id",
  "__proto__",
];
const id = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map(String),
  fc.constantFrom("main", "0", "x", "99999999999", "__proto__"),
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
);

/** A path, and the method it expects. */
const target = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...ROUTES), fc.array(id, { minLength: 2, maxLength: 2 }), fc.boolean())
      .map(([{ method, path }, ids, slash]) => [method, `/api/cms/${fill(path, ids)}${slash ? "/" : ""}`] as const),
  },
  { weight: 1, arbitrary: fc.array(id, { maxLength: 4 }).map((parts) => ["GET", `/${parts.join("/")}/`] as const) },
  {
    weight: 1,
    arbitrary: fc
      .array(id, { maxLength: 4 })
      .map((parts) => ["GET", `/api/cms/pages-router/${parts.join("/")}/`] as const),
  },
);

const PARAMETERS = [
  "language",
  "items",
  "page",
  "sort",
  "order",
  "search",
  "fltr",
  "fields",
  "included_translations",
  "meta_type",
  "q",
  "format",
];
const query = fc.array(
  fc.tuple(
    fc.oneof(fc.constantFrom(...PARAMETERS), oddText),
    fc.oneof(
      oddText,
      fc
        .tuple(
          fc.constantFrom(...NAMES),
          fc.constantFrom("", "__in", "__gt", "__regex", "__isnull", "__year", "__a__b"),
          oddText,
        )
        .map(([name, lookup, value]) => `${name}${lookup}=${value}`),
    ),
  ),
  { maxLength: 3 },
);

const HEADERS = [
  "accept-language",
  "if-match",
  "if-none-match",
  "cookie",
  "origin",
  "x-csrftoken",
  "x-forwarded-for",
  "content-language",
  "accept",
  "range",
];
const headers = fc.dictionary(
  fc.constantFrom(...HEADERS),
  fc.string({ maxLength: 40 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
  { maxKeys: 2 },
);

/** Roughly valid bodies. */
const plausible = fc.record(
  {
    title: oddText,
    title_it: fc.string({ maxLength: 40 }),
    description: fc.string(),
    permalink: fc.constantFrom("/", "/a", "/a/b", "/it", "/changes"),
    autopermalink: fc.boolean(),
    translations: fc.dictionary(
      fc.constantFrom("en", "it", "fr"),
      fc.dictionary(fc.constantFrom("title", "name", "content", "permalink"), fc.string({ maxLength: 20 })),
    ),
    template_data: json,
    meta: fc.dictionary(fc.string(), json, { maxKeys: 3 }),
    parent_page: fc.option(fc.integer({ min: 1, max: 20 })),
    ordering: fc.nat({ max: 100 }),
    identifier: fc.string({ minLength: 1, maxLength: 20 }),
    published_at: fc.constantFrom(null, "2026-01-01T00:00:00Z", "2030-01-01T00:00:00+02:00", "2026-01-01"),
    publish_at: fc.constantFrom("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "soon"),
    comment: oddText,
    startId: fc.integer({ min: 1, max: 20 }),
    endId: fc.integer({ min: 1, max: 20 }),
    username: fc.string({ minLength: 3, maxLength: 10 }).map((text) => text.replace(/[^a-z]/g, "u")),
    password: fc.constantFrom("open sesame", "12345678", "x"),
    name: fc.string({ minLength: 1, maxLength: 20 }),
    key: fc.constantFrom("main", "footer", "a b", "x"),
    enabled: fc.boolean(),
    content: fc.string(),
    content_type: fc.constantFrom(1, 2, null),
    object_id: fc.integer({ min: 1, max: 20 }),
    nodes: fc.array(
      fc.record({
        title: fc.string(),
        link: fc.record(
          {
            link_type: fc.constantFrom("RE", "ST", "X"),
            static: fc.string(),
            url_node: fc.integer({ min: 1, max: 20 }),
          },
          { requiredKeys: [] },
        ),
      }),
      { maxLength: 3 },
    ),
    schema: fc.array(
      fc.record(
        {
          key: fc.constantFrom("a", "b", "title"),
          kind: fc.constantFrom("text", "integer", "media", "list", "object", "x"),
          required: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
    data: json,
    meta_type: fc.integer({ min: 1, max: 40 }),
  },
  { requiredKeys: [] },
);

const body = fc.oneof(
  { weight: 6, arbitrary: plausible },
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom(...NAMES), json, { maxKeys: 5 }) },
  { weight: 1, arbitrary: json },
  { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
);

const request = fc.record({
  method: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  ),
  as: fc.constantFrom<Role | null>("staff", "superuser", "superuser", "reader", null),
  type: fc.constantFrom(
    "application/json",
    "application/json",
    "application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "",
  ),
  target,
  query,
  headers,
  body,
});

const fill = (pattern: string, ids: readonly string[]): string => {
  let at = 0;
  return pattern.replace(/:\w+|\*\*/g, () => ids[at++ % ids.length]!);
};

/** The state that a refused request must not change. */
const stateOf = async ({ cms }: MemorySite): Promise<unknown> =>
  JSON.stringify([
    cms.store.current.commit,
    (await cms.accounts.store.list()).map((account) => ({ ...account, last_login: null })),
  ]);

/** @param unknownFields `ignore` lets random bodies get further; `refuse` tests the check of keys */
async function seeded(unknownFields: "refuse" | "ignore"): Promise<MemorySite> {
  const site = await siteWithTemplates({}, { API: { UNKNOWN_FIELDS: unknownFields } });
  for (const role of ["reader", "staff", "superuser"] as const) await site.token(role);
  const parent = await site.page({ title: "About", template_data: { a: [1, { b: "c" }] } }, ["en", "it"]);
  await site.page({ title: "Team", parent_page: parent.id }, ["en"]);
  await site.api("PATCH", `pages/${parent.id}/draft/`, { title: "Later" });
  await site.ask("POST", "api:menus/", { as: "superuser", body: { key: "main" } });
  await site.ask("POST", "api:contents/", { as: "superuser", body: { identifier: "hero" } });
  await site.ask("POST", "api:tags/", { as: "superuser", body: { name: "T" } });
  return site;
}

/** Seen statuses by method, of all parts. */
const met = new Set<string>();

describe.each(Array.from({ length: PARTS }, (_, n) => n + 1))("%i. part of the requests", (part) => {
  it("cause no error, never hang, and change nothing when refused", async () => {
    const site = await seeded(part % 2 ? "ignore" : "refuse");
    let before = await stateOf(site);
    await fc.assert(
      fc.asyncProperty(
        request,
        async ({ method, as, type, target: [meant, path], query: pairs, headers: sent, body: value }) => {
          const verb = method ?? meant;
          const search = pairs
            .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join("="))
            .join("&");
          const hasBody = !["GET", "HEAD"].includes(verb);
          const text = typeof value === "string" ? value : JSON.stringify(value);
          const began = performance.now();
          const cpuBefore = process.cpuUsage();
          const answer: Answer = await site.ask(verb, `${path}${search && `?${search}`}`, {
            as,
            headers: { ...sent, ...(hasBody && type !== "" && { "content-type": type }) },
            ...(hasBody && { body: text ?? "null" }),
          });
          const cpu = process.cpuUsage(cpuBefore);
          const took = Math.max((cpu.user + cpu.system) / 1000, (performance.now() - began) / 10);
          const after = await stateOf(site);
          met.add(`${verb} ${answer.status}`);
          const story = [
            verb,
            path,
            search,
            as,
            type,
            text,
            answer.status,
            answer.text.slice(0, 200),
            site.logged.at(-1),
          ];
          if (answer.status >= 500) throw new Error(`failed: ${JSON.stringify(story)}`);
          if (took > LONGEST_MS) throw new Error(`took ${Math.round(took)} ms: ${JSON.stringify(story)}`);
          if (answer.status >= 400 && after !== before)
            throw new Error(`refused, and yet changed: ${JSON.stringify(story)}`);
          before = after;
        },
      ),
      {
        numRuns: Math.round(RUNS / PARTS),
        seed: SEED * PARTS + part,
        interruptAfterTimeLimit: 150_000,
        markInterruptAsFailure: true,
        endOnFailure: true,
      },
    );
    expect(site.cms.store.current.problems).toEqual([]);
    await expectSameAfterRestart(site);
    expect(Object.keys(Object.prototype)).toEqual([]);
  }, 180_000);
});

it("all parts together were accepted and refused in every way", () => {
  for (const expected of [
    "GET 200",
    "POST 201",
    "PATCH 200",
    "PUT 200",
    "DELETE 204",
    "POST 400",
    "PATCH 404",
    "GET 401",
    "POST 403",
    "PUT 415",
    "GET 405",
  ])
    expect([...met]).toContain(expected);
});
