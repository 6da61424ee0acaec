/** Plain reads are answered without h3, and cached answers of the router without the app: always as h3 would. */
import fc from "fast-check";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SettingsInput } from "../../../src/config.ts";
import { nodeApp } from "../../../src/http/app/h3-app.ts";
import { directReads, type DirectReads } from "../../../src/http/socket/direct.ts";
import { serveApp } from "../../../src/http/socket/serve.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../site.ts";
import { served, type Line } from "./raw.ts";

interface Twins {
  readonly site: MemorySite;
  readonly direct: Line;
  /** How many requests were answered from the cache without guard and app. */
  cached(): number;
  /** How many others were answered at once, before anything was waited for. */
  atOnce(): number;
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
  let count = 0;
  let atOnce = 0;
  const reads = directReads(site.cms);
  const counted: DirectReads = {
    ...reads,
    sendCached(request, response) {
      const isSent = reads.sendCached(request, response);
      if (isSent) count++;
      return isSent;
    },
    send(request, response) {
      const sent = reads.send(request, response);
      if (sent === true) atOnce++;
      return sent;
    },
  };
  const [direct, throughH3] = [await served(site.cms, counted), await served(site.cms, null)];
  const ask = async (request: string): Promise<Sent> => {
    const expected = sentIn(await throughH3.say(request));
    // The second one may come from what the first one left in a cache.
    for (let turn = 0; turn < 3; turn++) expect(sentIn(await direct.say(request)), request).toEqual(expected);
    return expected;
  };
  return { site, direct, cached: () => count, atOnce: () => atOnce, ask };
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
      const { ask, cached, atOnce } = await twins(settings);
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
      expect(cached() > 0).toBe(settings.ROUTER_CACHE !== 0);
      expect(atOnce()).toBeGreaterThan(0);
    },
    60_000,
  );
});

describe("a public read", () => {
  // oxfmt-ignore
  it.each<[string, string, string, boolean]>([
    ["a page of the router",             ABOUT,                              "",                              true],
    ["a page of the router with fields", `${ABOUT}?fields=title`,            "",                              true],
    ["a path that is not canonical",     "/api/cms/pages-router/about",      "",                              true],
    ["a version",                        ABOUT,                              'If-None-Match: "x"\r\n',        true],
    ["a page",                           "/about/",                          "",                              true],
    ["a page, asked by a browser",       "/it/caff%C3%A8/",                  "Accept: text/html,*/*;q=0.8\r\n", true],
    ["another moment",                   `${ABOUT}?as_of=2026-01-01T00:00:00Z`, "",                           false],
    ["a preview link",                   "/about/?preview_link=x",           "",                              false],
    ["a page with a cookie",             "/about/",                          "Cookie: a=b\r\n",               true],
    ["credentials",                      ABOUT,                              "Authorization: Token x\r\n",    false],
    ["a type that is not there",         ABOUT,                              "Accept: text/html\r\n",         true],
    ["a page that is missing",           "/nothing/",                        "",                              false],
    ["a page of the API that is missing", "/api/cms/pages-router/nothing/",  "",                              true],
    ["a file",                           "/robots.txt",                      "",                              false],
    ["the service itself",               "/healthz",                         "",                              false],
    ["the manifest",                     "/api/cms/pages-router/changes",    "",                              false],
  ])("is answered at once where nothing is waited for: %s", async (_what, path, headers, expected) => {
    const { direct, atOnce } = await twins();
    await direct.say(`GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n`);
    expect(atOnce()).toBe(expected ? 1 : 0);
  });

  it("is not answered at once while a draft is due, which is published first", async () => {
    const { site, direct, atOnce } = await twins();
    const { id } = await site.page({ title: "Due" }, ["en"]);
    await site.api("PATCH", `pages/${id}/draft/`, { title: "After" });
    await site.api("POST", `pages/${id}/schedule/`, { publish_at: "2026-03-01T12:10:00Z" });
    for (const path of ["/due/", "/api/cms/pages-router/due/"]) expect(await direct.say(lastOf(path))).toContain("Due");
    expect(atOnce()).toBe(2);
    site.clock.tick(15 * 60_000);
    expect(await direct.say(lastOf("/due/"))).toContain("<h1>After</h1>");
    expect(atOnce()).toBe(2);
  });

  it("of a page whose context a function makes waits for it", async () => {
    const { site, direct, atOnce } = await twins({
      RENDER: { PAGE: { INJECT_CONTEXT: () => Promise.resolve({ page: { title: "Injected" } }) } },
    });
    expect(site.cms.templates.inject).not.toBeNull();
    expect(await direct.say(lastOf("/about/"))).toContain("<h1>Injected</h1>");
    expect(atOnce()).toBe(0);
  });
});

const get = (path: string, ...headers: string[]): string =>
  `GET ${path} HTTP/1.1\r\n${["Host: a", ...headers].join("\r\n")}\r\n\r\n`;
const ABOUT = "/api/cms/pages-router/about/";
const lastOf = (path: string): string => get(path, "Connection: close");

describe("a cached answer", () => {
  it("tells the time left, and is another one after a write or when a page becomes public", async () => {
    const { site, ask, cached } = await twins();
    await site.page({ title: "Planned", published_at: "2026-03-01T12:10:00Z" });
    const ages = [];
    for (const seconds of [0, 1.5, 300, 298, 1, 899, 2]) {
      site.clock.tick(seconds * 1000);
      const { headers } = await ask(lastOf(ABOUT));
      ages.push(headers.find((line) => line.startsWith("cache-control"))?.replace(/\D+/, ""));
    }
    expect(ages).toEqual(["600", "598", "298", "0", "900", "1", "900"]);
    const before = cached();
    const { id } = JSON.parse((await ask(lastOf(ABOUT))).body) as { id: number };
    await site.api("PATCH", `pages/${id}/`, { keywords: "new" });
    expect((await ask(lastOf(ABOUT))).body).toContain('"keywords":"new"');
    expect(cached()).toBeGreaterThan(before);
  });

  it("is found again after a write that leaves it as it is, with less time left if something was planned", async () => {
    const { site, direct, ask, cached } = await twins();
    await ask(lastOf(ABOUT));
    const ageAfter = async (write: () => Promise<unknown>): Promise<[string | undefined, number]> => {
      await write();
      await direct.say(lastOf(ABOUT)); // renews it
      const before = cached();
      const { headers } = await ask(lastOf(ABOUT));
      return [headers.find((line) => line.startsWith("cache-control"))?.replace(/\D+/, ""), cached() - before];
    };
    expect(await ageAfter(() => site.page({ title: "Other" }, ["en"]))).toEqual(["900", 3]);
    const planned = { title: "Planned", published_at: "2026-03-01T12:10:00Z" };
    expect(await ageAfter(() => site.page(planned))).toEqual(["600", 3]);
  });

  // oxfmt-ignore
  it.each<[string, string, boolean]>([
    ["nothing",                  "",                                                 true],
    ["what a browser sends",     "Accept: */*\r\nAccept-Language: it\r\nCookie: a=b\r\n", true],
    ["JSON",                     "Accept: application/json\r\n",                     true],
    ["a type that is not there", "Accept: text/html\r\n",                            false],
    ["credentials",              "Authorization: Token x\r\n",                       false],
    ["an origin",                "Origin: https://a.example\r\n",                    false],
    ["a version",                'If-None-Match: "x"\r\n',                           false],
    ["a body",                   "Content-Length: 2\r\n",                            false],
    ["a header twice",           "X: a\r\nX: b\r\n",                                 false],
    ["a second host",            "Host: a\r\n",                                      false],
    ["too many headers",         Array.from({ length: 99 }, (_, n) => `X${n}: a\r\n`).join(""), false],
  ])("is sent at once to a request with %s", async (_what, headers, expected) => {
    const { direct, cached } = await twins();
    await direct.say(lastOf(ABOUT));
    await direct.say(`GET ${ABOUT} HTTP/1.1\r\nHost: a\r\n${headers}Connection: close\r\n\r\n{}`);
    expect(cached()).toBe(expected ? 1 : 0);
  });

  it("keeps its place among pipelined requests", async () => {
    const { direct, cached } = await twins();
    await direct.say(lastOf(ABOUT));
    const paths = [ABOUT, "/healthz", ABOUT, "/nothing/", ABOUT, ABOUT, "/api/cms/", ABOUT];
    const answer = await direct.say(`${paths.map((path) => get(path)).join("")}garbage\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))).toEqual([
      ...["200", "200", "200", "404", "200", "200", "200", "200"],
      "400",
    ]);
    expect(cached()).toBe(5);
  });

  it("is not kept for a client that does not read: its connection is closed", async () => {
    const { site } = await twins();
    const options = { direct: directReads(site.cms), host: "127.0.0.1", port: 0, takeTimeout: 100 };
    const { url, port, close } = await serveApp(() => nodeApp(site.cms), options);
    onTestFinished(close);
    await fetch(`${url}api/cms/pages-router/about/`);
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    // More requests and answers than the buffers of the system hold: a client that reads nothing notices by its writes.
    const request = `GET ${ABOUT} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: ${"x".repeat(1000)}\r\n\r\n`;
    socket.write(request.repeat(20_000));
    await new Promise((resolve) => socket.once("close", resolve));
  });
});
