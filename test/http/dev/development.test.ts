/** Development mode over HTTP: pages that load themselves again, failures explained, nothing kept by browsers. */
import { describe, expect, it, onTestFinished } from "vitest";
import { h3App } from "../../../src/http/app/h3-app.ts";
import {
  allowScript,
  LIVE_RELOAD_PATH,
  openLiveReload,
  STREAMS_MAX,
  type LiveReload,
} from "../../../src/http/dev/live-reload.ts";
import { excerptOf } from "../../../src/http/dev/error-page.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../site.ts";

const TEMPLATE = "defaults/pages/default.html";

interface DevelopedSite extends MemorySite {
  readonly liveReload: LiveReload;
  /** @param host by which the site is asked for */
  get(path: string, accept?: string, host?: string): Promise<Response>;
}

async function developedSite(template: string): Promise<DevelopedSite> {
  const site = await memorySite();
  writeTemplate(site, TEMPLATE, template);
  await site.page({ title: "Fog & Co", permalink: "/fog", autopermalink: false }, ["en"]);
  const liveReload = openLiveReload("run");
  onTestFinished(() => liveReload.close());
  const app = h3App(site.cms, { liveReload });
  const get = async (path: string, accept = "text/html", host = "localhost:8000"): Promise<Response> =>
    app.request(`http://${host}${path}`, { headers: { accept } });
  return { ...site, liveReload, get };
}

describe("a page", () => {
  it("holds the script before the end of its body, allowed by its policy, and is not kept", async () => {
    const { get } = await developedSite("<html><body><p>{{ page.title }}</p></body></html>");
    const answer = await get("/fog/");
    const text = await answer.text();
    expect(text).toMatch(
      /^<html><body><p>Fog &amp; Co<\/p><script>[^]*new EventSource\("[^"]+"\)[^]*<\/script><\/body>/,
    );
    expect(text).toContain('"run-0"');
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toMatch(/script-src 'self' 'sha256-[\w+/]{43}='/);
  });

  it("is the same as ever without development mode", async () => {
    const { ask } = await developedSite("<html><body>{{ page.title }}</body></html>");
    expect((await ask("GET", "/fog/")).text).toBe("<html><body>Fog &amp; Co</body></html>");
    expect((await ask("GET", LIVE_RELOAD_PATH)).status).not.toBe(200);
  });

  it("that is missing loads itself again, too", async () => {
    const { get } = await developedSite("x");
    const answer = await get("/none/");
    expect([answer.status, (await answer.text()).includes("new EventSource(")]).toEqual([404, true]);
  });

  it("leaves other answers alone", async () => {
    const { get } = await developedSite("x");
    expect(await (await get("/robots.txt")).text()).not.toContain("EventSource");
  });
});

describe("a template that fails", () => {
  it("is explained with its line, the page, the reason and what to try", async () => {
    const { get, logged } = await developedSite('<p>\n<b>{{ menu("main") }}</b>\n</p>');
    const answer = await get("/fog/?x=<1>");
    const text = await answer.text();
    expect(answer.status).toBe(500);
    for (const part of [
      "Unable to call `menu`",
      "<code>menus</code> is a variable, without parentheses",
      `templates/${TEMPLATE}:2`,
      '<span class="failed" aria-current="true"><i>2</i>&lt;b&gt;{{ menu(&quot;main&quot;) }}',
      "Fog &amp; Co",
      "/fog/?x=%3C1%3E",
      "new EventSource(",
      "<code>menus</code>",
      "<code>markdown</code>",
    ])
      expect(text).toContain(part);
    const id = answer.headers.get("x-request-id")!;
    expect(text).toContain(id);
    expect(logged.filter((line) => line.includes(id) && line.includes("/fog/"))).toHaveLength(1);
  });

  it.each([
    ["127.0.0.1:8000", true],
    ["[::1]", true],
    ["site.localhost", true],
    ["rebound.example:8000", false],
    ["localhost.example", false],
  ])("is explained at %s: %s", async (host, isExplained) => {
    const { get } = await developedSite('{{ menu("main") }}');
    const text = await (await get("/fog/", "text/html", host)).text();
    expect(text.includes("Unable to call")).toBe(isExplained);
    expect(text).toContain(isExplained ? "A template failed" : "This page cannot be shown");
  });

  it("is counted by /healthz until it is repaired", async () => {
    const site = await developedSite("{{ nothing() }}");
    const { get, ask, cms } = site;
    const failing = async (): Promise<unknown> => (await ask("GET", "/healthz")).body.failing_templates;
    expect(await failing()).toBe(0);
    await get("/fog/");
    await get("/fog/");
    expect(await failing()).toBe(1);
    writeTemplate(site, TEMPLATE, "fine");
    cms.templates.reset();
    expect(await failing()).toBe(0);
  });

  it("in production is a page for browsers that shows none of it", async () => {
    const { ask } = await developedSite("{{ nothing() }}");
    const answer = await ask("GET", "/fog/", { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"]);
    expect(answer.text).toContain(answer.headers.get("x-request-id"));
    expect(answer.text).not.toMatch(/nothing|default\.html|EventSource/);
    expect((await ask("GET", "/fog/")).body).toEqual({ detail: "Internal server error." });
  });
});

describe("the stream", () => {
  it("names the version at once and after each change", async () => {
    const { get, liveReload } = await developedSite("x");
    const answer = await get(LIVE_RELOAD_PATH, "text/event-stream");
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toMatch(/^retry: \d+\ndata: run-0\n\n$/);
    liveReload.reload();
    expect((await reader.read()).value).toBe("data: run-1\n\n");
    liveReload.close();
    expect((await reader.read()).done).toBe(true);
  });

  it("ends when there are a hundred newer ones, so that streams do not take all connections", async () => {
    const { get } = await developedSite("x");
    const streams: ReadableStreamDefaultReader<Uint8Array>[] = [];
    for (let i = 0; i <= STREAMS_MAX; i++) {
      const reader = (await get(LIVE_RELOAD_PATH)).body!.getReader();
      await reader.read();
      streams.push(reader);
    }
    expect((await streams[0]!.read()).done).toBe(true);
    const second = streams[1]!.read().then(({ done }) => done);
    expect(await Promise.race([second, Promise.resolve("open")])).toBe("open");
  });

  it("that was left is forgotten", async () => {
    const { get, liveReload } = await developedSite("x");
    await (await get(LIVE_RELOAD_PATH)).body!.cancel();
    liveReload.reload();
    expect(liveReload.version).toBe("run-1");
  });
});

describe("the policy with the script", () => {
  const HASH = "'sha256-IaAnC39moeTCWTPxOh5aG7tHV1eAcpMMgYkTH5xqquE='"; // of "script"
  it.each([
    ["nothing restricted", "img-src 'self'", "img-src 'self'"],
    ["by default", "default-src 'self'", `default-src 'self'; script-src 'self' ${HASH}`],
    ["nothing allowed", "default-src 'none'", `default-src 'none'; script-src ${HASH}; connect-src 'self'`],
    ["scripts of a host", "script-src https://cdn.example", `script-src https://cdn.example ${HASH}`],
    [
      "every inline script",
      "script-src 'unsafe-inline'; connect-src *",
      "script-src 'unsafe-inline'; connect-src * 'self'",
    ],
  ])("%s", (_case, policy, expected) => expect(allowScript(policy, "script")).toBe(expected));
});

describe("the excerpt", () => {
  const text = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join("\n");
  it.each([
    [1, 1, 7],
    [10, 4, 16],
    [20, 14, 20],
  ])("around line %i is lines %i to %i", (line, first, last) => {
    const lines = excerptOf(text, line);
    expect([lines[0]!.number, lines.at(-1)!.number]).toEqual([first, last]);
    expect(lines.filter(({ isFailed }) => isFailed)).toEqual([{ number: line, text: `line ${line}`, isFailed: true }]);
  });
});
