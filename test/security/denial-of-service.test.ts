/** Denial of service: small input, much work. Each must be answered or refused quickly. */
import { describe, expect, it } from "vitest";
import { h3App } from "../../src/http/app/h3-app.ts";
import { memorySite, siteOver, type MemorySite } from "../site.ts";
import { served } from "../http/socket/raw.ts";

/** Long enough for a busy machine, much shorter than a successful attack. */
const AT_ONCE_MS = 15_000;

async function quick<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  return result;
}

const jsonBody = { "content-type": "application/json" };
const MB = 1024 * 1024;

describe("bodies", () => {
  it.each<[string, () => string, string]>([
    ["ten megabytes of brackets", () => "[".repeat(9.9 * MB), "application/json"],
    ["five million levels", () => "[".repeat(5e6) + "]".repeat(5e6), "application/json"],
    ["a million levels of objects", () => '{"a":'.repeat(1e6) + "1" + "}".repeat(1e6), "application/json"],
    [
      "three hundred thousand keys",
      () => `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":1`).join()}}`,
      "application/json",
    ],
    ["two million items", () => `[${"1,".repeat(2e6)}1]`, "application/json"],
    ["a long number", () => `{"ordering":${"9".repeat(5e6)}}`, "application/json"],
    ["a long text", () => `{"title":"${"x".repeat(9e6)}"}`, "application/json"],
    ["a form of two million fields", () => "a&".repeat(2e6), "application/x-www-form-urlencoded"],
    ["a form of percent signs", () => `a=${"%".repeat(9e6)}`, "application/x-www-form-urlencoded"],
    [
      "a multipart form of a hundred thousand parts",
      () =>
        `${Array.from({ length: 100_000 }, (_, n) => `--x\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`).join("")}--x--\r\n`,
      "multipart/form-data; boundary=x",
    ],
    ["a multipart form of boundaries", () => "--x\r\n".repeat(1e6), "multipart/form-data; boundary=x"],
    ["a multipart form with one endless header", () => `--x\r\n${"a".repeat(9e6)}`, "multipart/form-data; boundary=x"],
  ])("%s", async (_what, text, type) => {
    const { ask } = await memorySite();
    const body = text();
    const refused = await quick(() => ask("POST", "api:token-auth/", { body, headers: { "content-type": type } }));
    expect(refused.status).toBe(413);
    const { status } = await quick(() =>
      ask("POST", "api:pages/", { as: "staff", body, headers: { "content-type": type } }),
    );
    expect([201, 400, 413]).toContain(status); // unknown fields are ignored
  });

  it.each(["pages/bulk_delete/", "contents/bulk_delete/", "tags/bulk_delete/"])("a million ids to %s", async (path) => {
    const { ask } = await memorySite();
    const body = `[${Array.from({ length: 1e6 }, (_, n) => n).join()}]`;
    expect(
      (await quick(() => ask("POST", `api:${path}`, { as: "staff", body, headers: jsonBody }))).status,
    ).toBeLessThan(500);
  });

  it("is not read from callers who may not write", async () => {
    const { cms } = await memorySite();
    let read = 0;
    const body = new ReadableStream(
      { pull: (stream) => (read++ > 100 ? stream.close() : stream.enqueue(new Uint8Array(MB))) },
      { highWaterMark: 0 },
    );
    const answer = await h3App(cms).request("http://test.local/api/cms/pages/", {
      method: "POST",
      body,
      duplex: "half",
      headers: jsonBody,
    } as RequestInit);
    expect([answer.status, read]).toEqual([401, 0]);
  });
});

async function siteOfMany(): Promise<MemorySite> {
  const pages = Array.from(
    { length: 500 },
    (_, n) => [`content/pages/p${n}.yaml`, `title: ${"a".repeat(60)}${n}\nmeta: { k: ${"a".repeat(200)} }\n`] as const,
  );
  return memorySite(Object.fromEntries(pages));
}

describe("queries", () => {
  it("of every expensive kind", async () => {
    const { ask } = await siteOfMany();
    const queries = [
      ...[
        "(a+)+$",
        "(a*)*b",
        "(a|aa)+$",
        "(.*)*x",
        "([a-z]+)*\\d",
        "(?=a+)*b",
        "a{1,1000}{1,1000}",
        "(((a+)+)+)+$",
        "^(a?){40}a{40}$",
        "\\b(a+)+b",
      ].flatMap((pattern) =>
        ["regex", "iregex"].map((lookup) => `fltr=${encodeURIComponent(`title__${lookup}='${pattern}'`)}`),
      ),
      `fltr=${"(".repeat(4000)}title=a${")".repeat(4000)}`,
      `fltr=${"(".repeat(6000)}`,
      `fltr=${Array.from({ length: 500 }, () => "title=a").join(" OR ")}`,
      Array.from({ length: 800 }, () => "fltr=title=a").join("&"),
      `fltr=id__in=[${Array.from({ length: 3000 }, (_, n) => n).join()}]`,
      `fltr=${"parent_page__".repeat(500)}title=a`,
      `fltr=${"meta__k__".repeat(500)}k=a`,
      `sort=${Array.from({ length: 1000 }, () => "title").join()}`,
      `sort=${"parent_page__".repeat(500)}title`,
      `fields=${Array.from({ length: 2000 }, (_, n) => `parent_page__f${n}`).join()}`,
      `search=${"a".repeat(8000)}`,
      `items=999999999&page=999999999999999999999`,
      "items=-1&search=a&sort=-title",
    ];
    for (const query of queries) {
      const { status } = await quick(() => ask("GET", `api:pages/?${query}`, { as: "reader" }));
      expect([query.slice(0, 60), [200, 400].includes(status)]).toEqual([query.slice(0, 60), true]);
    }
  });

  it.each([
    "accept-language",
    "cookie",
    "if-none-match",
    "if-match",
    "x-forwarded-for",
    "accept",
    "content-type",
    "authorization",
  ])("a long header %s", async (name) => {
    const { ask } = await memorySite({}, { TRUSTED_PROXIES: ["127.0.0.1"] });
    for (const part of ["en;q=0.1,", ";", '"a",', "a;", "a, ", '"', "W/", "=;", " ", "en-"]) {
      const value = part.repeat(16_000 / part.length);
      const { status } = await quick(() =>
        ask("PATCH", "api:pages/1/", {
          as: name === "authorization" ? null : "staff",
          body: {},
          from: "127.0.0.1",
          headers: { [name]: value },
        }),
      );
      expect(status).toBeLessThan(500);
    }
  });

  it.each(["/", "a/", "%41", "it/", "..", "é", "%C3%A9", "-", "/a"])("a long path of %s", async (part) => {
    const { ask } = await memorySite();
    for (const start of ["/", "/it/", "/media/", "/api/cms/pages-router/", "/api/cms/", "/api/cms/menus/"]) {
      expect(
        (await quick(() => ask("GET", start + part.repeat(8000 / part.length), { as: "staff" }))).status,
      ).toBeLessThan(500);
    }
  });
});

describe("values", () => {
  it.each<[string, object]>([
    ["a long title", { title: "é ".repeat(200) }],
    ["a title of dashes", { title: "-".repeat(255) }],
    ["a long identifier", { identifier: "x".repeat(100_000) }],
    ["wide free data", { meta: Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n])) }],
    ["a long list", { template_data: Array.from({ length: 20_000 }, (_, n) => n) }],
    ["many lines", { template_data: { text: "a\n".repeat(100_000) } }],
    ["a text of brackets", { template_data: { text: "[{".repeat(50_000) } }],
    ["a text of spaces", { template_data: { text: " ".repeat(100_000) } }],
    ["keys like YAML", { meta: { "? - : & * ! <<": "*a", "&a": "<<: *b", "- - -": "? ? ?", "": " " } }],
  ])("%s is stored or refused, and can be read again", async (_what, body) => {
    const site = await memorySite();
    const answer = await quick(() => site.ask("POST", "api:pages/", { as: "staff", body }));
    expect([200, 201, 400]).toContain(answer.status);
    expect((await quick(() => siteOver(site.repo, site.repo.root))).cms.store.current.problems).toEqual([]);
  });

  it.each(
    [
      "[".repeat(5000),
      "> ".repeat(5000),
      "*".repeat(20_000),
      "`".repeat(20_000),
      "![](".repeat(5000),
      "<".repeat(20_000),
      "_a".repeat(10_000),
      "&#".repeat(10_000),
      "- ".repeat(5000),
    ].map((text) => [text.slice(0, 8), text]),
  )("Markdown %s...", async (_shown, text) => {
    const site = await memorySite();
    const { environment } = site.cms.templates;
    await quick(async () => environment.renderString("{{ text | markdown }}", { text }));
  });
});

describe("connections", () => {
  it("that send nothing do not block others", async () => {
    const { cms } = await memorySite();
    const { say, get } = await served(cms);
    const silent = Array.from({ length: 200 }, () => say("GET /healthz HTTP/1.1\r\nHost: a\r\nX: "));
    expect(await quick(() => get("/healthz"))).toMatch(/^HTTP\/1\.1 200 /);
    void silent;
  });
});
