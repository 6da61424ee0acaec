/** Host injection and cache poisoning: no header of one visitor affects the answer to another, or for another host. */
import { describe, expect, it } from "vitest";
import { served } from "../http/socket/raw.ts";
import { memorySite, type MemorySite } from "../site.ts";

const EVIL = "evil.example";
const FORWARDED = {
  "x-forwarded-host": EVIL,
  "x-forwarded-proto": "https",
  forwarded: `host=${EVIL};proto=https`,
  "x-host": EVIL,
  "x-forwarded-server": EVIL,
  "x-http-host-override": EVIL,
  "x-original-host": EVIL,
};

async function published(settings = {}): Promise<MemorySite> {
  const site = await memorySite({}, settings);
  await site.page({ title: "About" }, ["en", "it"]);
  return site;
}

const PATHS = [
  "api:",
  "api:pages-router/about/",
  "api:pages-router/about",
  "api:pages-router/changes",
  "/sitemap.xml",
  "/about",
  "/nothing",
  "/nothing/",
  "api:sitemap/",
  "api:languages/",
];

describe("headers of unknown proxies", () => {
  it("change no answer", async () => {
    for (const path of PATHS) {
      const [plain, forwarded] = [await published(), await published()];
      const one = await plain.ask("GET", path);
      const other = await forwarded.ask("GET", path, { headers: FORWARDED, from: "203.0.113.1" });
      expect([other.status, other.text]).toEqual([one.status, one.text]);
      expect([...other.headers].join()).not.toContain(EVIL);
    }
  });

  it("count from a trusted one, and only the nearest value", async () => {
    const site = await published({ TRUSTED_PROXIES: ["10.0.0.0/8", "::1"] });
    const root = async (from: string, headers: Record<string, string>): Promise<string> =>
      (await site.ask("GET", "api:", { from, headers })).body.pages;
    const headers = { "x-forwarded-host": "www.example, inner.example", "x-forwarded-proto": "https" };
    expect(await root("10.1.2.3", headers)).toBe("https://www.example/api/cms/pages/");
    expect(await root("::ffff:10.1.2.3", headers)).toBe("https://www.example/api/cms/pages/");
    expect(await root("11.1.2.3", headers)).toBe("http://test.local/api/cms/pages/");
    expect(await root("10.1.2.3", { "x-forwarded-proto": "javascript" })).toBe("http://test.local/api/cms/pages/");
  });
});

describe("the router's cache", () => {
  it("separates hosts", async () => {
    const site = await published();
    const ask = async (host: string): Promise<string> =>
      (await site.ask("GET", "api:pages-router/about/", { headers: { host } })).text;
    const cold = await ask("test.local");
    await ask(EVIL);
    expect(await ask("test.local")).toBe(cold);
    expect(cold).not.toContain(EVIL);
  });

  it("serves everyone what an anonymous first request gets, whatever was requested before", async () => {
    const site = await published();
    const { id } = (await site.api("GET", "pages/"))[0];
    await site.api("PATCH", `pages/${id}/draft/`, { title: "Unfinished" });
    const cold = (await (await published()).ask("GET", "api:pages-router/about/")).text;
    const variations: Record<string, string>[] = [
      ...Object.entries(FORWARDED).map(([name, value]) => ({ [name]: value })),
      ...[
        "accept-language",
        "accept",
        "cookie",
        "x-preview",
        "x-ghost-preview",
        "x-draft",
        "range",
        "if-none-match",
        "origin",
        "x-original-url",
        "x-rewrite-url",
        "user-agent",
      ].map((name) => ({
        [name]: name === "accept-language" ? "it" : name === "cookie" ? "django_language=it" : "it",
      })),
    ];
    for (const headers of variations) {
      await site.ask("GET", "api:pages-router/about/", { headers });
      await site.ask("GET", "api:pages-router/about/?language=it&preview=1&draft=1", { headers, as: "staff" });
      await site.ask("GET", "api:pages-router-preview/about/", { headers, as: "staff" });
      expect((await site.ask("GET", "api:pages-router/about/")).text).toBe(cold);
    }
  });

  it("stays within its limit, whatever is requested", async () => {
    const site = await published();
    for (let n = 0; n < 300; n++)
      await site.ask("GET", `api:pages-router/about/?included_translations=${n},it&fields=title,x${n}`, {
        headers: { host: `h${n}.example` },
      });
    expect((await site.ask("GET", "api:pages-router/about/")).status).toBe(200);
  });

  it("and the manifest's hashes do not depend on the host that asked", async () => {
    const site = await published();
    const hashes = async (host: string): Promise<string> =>
      JSON.stringify((await site.ask("GET", "api:pages-router/changes", { headers: { host } })).body.urls);
    expect(await hashes(EVIL)).toBe(await hashes("test.local"));
  });
});

describe("ALLOWED_HOSTS", () => {
  const settings = { ALLOWED_HOSTS: ["test.local", "www.example", ".site.example", "127.0.0.1", "[::1]"] };
  it.each([
    ["www.example", 200],
    ["WWW.example", 200],
    ["www.example:8000", 200],
    ["www.example.", 200],
    ["site.example", 200],
    ["a.b.site.example", 200],
    ["127.0.0.1:80", 200],
    ["[::1]:8000", 200],
    [EVIL, 400],
    ["www.example.evil.example", 400],
    ["evilsite.example", 400],
    ["www.example@evil.example", 400],
    ["www.example:80:80", 400],
    ["www.example/evil", 400],
    ["www.example#", 400],
    ["", 400],
    ["[::2]", 400],
  ])("%j is %i", async (host, status) => {
    const site = await published(settings);
    for (const path of ["api:languages/", "api:pages-router/about/", "/sitemap.xml"])
      expect([path, (await site.ask("GET", path, { headers: { host } })).status]).toEqual([path, status]);
    expect((await site.ask("GET", "/healthz", { headers: { host } })).status).toBe(200); // requested by address, reveals nothing of the host
  });

  it("applies to hosts from trusted proxies too", async () => {
    const site = await published({ ...settings, TRUSTED_PROXIES: ["10.0.0.1"] });
    const ask = async (host: string): Promise<number> =>
      (
        await site.ask("GET", "api:languages/", {
          from: "10.0.0.1",
          headers: { host: "inner", "x-forwarded-host": host },
        })
      ).status;
    expect([await ask("site.example"), await ask(EVIL)]).toEqual([200, 400]);
  });
});

describe("over a port", () => {
  it.each([
    ["an address of another host", "http://evil.example/api/cms/", "Host: test.local"],
    ["a host that is none", "/api/cms/", "Host: evil.example/x"],
    ["a host with markup", "/api/cms/", 'Host: "><script>'],
    ["two hosts", "/api/cms/", "Host: test.local\r\nHost: evil.example"],
  ])("%s is refused or ignored", async (_what, target, header) => {
    const { get } = await served((await published()).cms);
    const answer = await get(target, [header]);
    expect(answer.slice(answer.indexOf("\r\n\r\n"))).not.toMatch(/evil\.example|<script>/);
  });
});
