/** Plain reads are answered without h3, and cached answers of the router without the app: always as h3 would. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SettingsInput } from "../../src/config.ts";
import { memorySite, writeTemplate, type MemorySite } from "../site.ts";
import { served, type Line } from "./raw.ts";

interface Twins {
  readonly site: MemorySite;
  readonly direct: Line;
  readonly throughH3: Line;
  /** Sends the same text to both. @returns the answer, which is the same */
  ask(request: string): Promise<Sent>;
}

interface Sent {
  readonly status: string;
  readonly headers: readonly string[];
  readonly body: string;
}

async function twins(settings: SettingsInput = {}): Promise<Twins> {
  const site = await memorySite({}, settings);
  await site.page({ title: "About", title_it: "Caffè" }, ["en", "it"]);
  await site.page({ title: "It's 50% {off}" }, ["en"]);
  await site.page({ title: "Hidden" });
  await site.page({ title: "Home", autopermalink: false, permalink: "/" }, ["en"]);
  writeTemplate(site, "defaults/pages/default.html", "<h1>{{ page.title }}</h1>{{ request.url }} {{ request.host }}");
  const [direct, throughH3] = [await served(site.cms), await served(site.cms, false)];
  const ask = async (request: string): Promise<Sent> => {
    const expected = sentIn(await throughH3.say(request));
    // The second one may come from what the first one left in a cache.
    for (let turn = 0; turn < 3; turn++) expect(sentIn(await direct.say(request)), request).toEqual(expected);
    return expected;
  };
  return { site, direct, throughH3, ask };
}

function sentIn(text: string): Sent {
  const headEnd = text.indexOf("\r\n\r\n");
  const [line = "", ...headers] = text.slice(0, headEnd).split("\r\n");
  return {
    status: line.slice(0, 12), // h3 leaves out the reason phrase
    headers: headers.filter((line) => !line.startsWith("Date: ")).sort(),
    body: text.slice(headEnd + 4).replaceAll(/00000000-0000-4000-8000-\d+/g, "id"),
  };
}

const PATHS = [
  "/api/cms/pages-router/about/",
  "/api/cms/pages-router/about",
  "/api/cms/pages-router//about/",
  "/api/cms/pages-router/it/caff%C3%A8/",
  "/api/cms/pages-router/it/caff%c3%a8/",
  "/api/cms/pages-router/it/caff\u00c3\u00a8/",
  "/api/cms/pages-router/ab%6Fut/",
  "/api/cms/pages-router/about%2F",
  "/api/cms/pages-router/%zz/",
  "/api/cms/pages-router/its-50-off/",
  "/api/cms/pages-router/it's-50-off/",
  "/api/cms/pages-router/hidden/",
  "/api/cms/pages-router/",
  "/api/cms/pages-router",
  "/api/cms/pages-router/changes",
  "/api/cms/pages-router/changes/",
  "/api/cms/pages-router-preview/about/",
  "/api/cms/pages/",
  "/api/cms/languages/",
  "/api/other/pages-router/about/",
  "/api/other/",
  "/about/",
  "/about",
  "/it/caff%C3%A8/",
  "/ab%6Fut/",
  "/nothing/",
  "/",
  "//about/",
  "/media/x.png",
  "/robots.txt",
  "/sitemap.xml",
  "/healthz",
  "/about\\",
  "/about/#a",
  "/a/../about/",
  "http://a/api/cms/pages-router/about/",
  "http://b/api/cms/pages-router/about/",
  "*",
  "about",
];
const QUERIES = ["", "?", "?fields=title", "?included_translations=all", "?language=it", "?x='\u00e9"];
const HEADERS = [
  "Origin: https://app.example",
  "Origin: https://other.example",
  "Authorization: Token nonsense",
  "Authorization: Basic x",
  "Accept: application/json",
  "Accept: text/html",
  "Accept: text/html, */*;q=0.1",
  "Accept-Language: it",
  "Cookie: sessionid=x; django_language=it",
  "If-None-Match: *",
  'If-None-Match: "x"',
  "Content-Length: 0",
  "Content-Length: 2",
  "X-Forwarded-Host: c.example",
  "X-Forwarded-Proto: https",
  "Host: a",
  "Host: b.example:81",
  "__proto__: x",
  "Range: bytes=0-3",
  "Connection: keep-alive",
];
const SITES: readonly SettingsInput[] = [
  {},
  { TRUSTED_ORIGINS: ["https://app.example"], API: { ALIASES: ["/api/other"] } },
  { ALLOWED_HOSTS: ["a", "test.local"], BASE_URL: "https://www.example" },
  { TRUSTED_PROXIES: ["127.0.0.0/8"], APPEND_SLASH: false },
  { ROUTER_CACHE: 0 },
];

describe("the same requests", () => {
  it.each(SITES)(
    "are answered as through h3, headers and bytes: %j",
    async (settings) => {
      const { ask } = await twins(settings);
      for (const path of PATHS) {
        for (const method of ["GET", "HEAD"])
          await ask(`${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      }
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom("GET", "GET", "GET", "HEAD", "OPTIONS", "POST"),
          fc.constantFrom(...PATHS),
          fc.constantFrom("", "", ...QUERIES),
          fc.subarray(HEADERS, { maxLength: 3 }),
          fc.constantFrom("1.1", "1.1", "1.0"),
          fc.constantFrom("Host: a\r\n", "Host: a\r\n", "host: A\r\n", "Host: b\r\n"),
          async (method, path, query, headers, version, host) => {
            const lines = headers.map((line) => `${line}\r\n`).join("");
            await ask(`${method} ${path}${query} HTTP/${version}\r\n${host}${lines}Connection: close\r\n\r\n{}`);
          },
        ),
        { numRuns: 150 },
      );
    },
    60_000,
  );
});
