/** Open redirects, header injection and request smuggling. */
import { describe, expect, it } from "vitest";
import { served } from "../http/socket/raw.ts";
import { memorySite } from "../site.ts";

const OFF_SITE = [
  "//evil.example",
  "//evil.example/",
  "///evil.example",
  "/\\evil.example",
  "/%5cevil.example",
  "/%2fevil.example",
  "//evil.example/%2f..",
  "/.//evil.example",
  "/..//evil.example",
  "/%09/evil.example",
  "/%0a/evil.example",
  "/%0d%0aLocation:%20https://evil.example",
  "//%65vil.example",
  "/it//evil.example",
  "/it/%2f%2fevil.example",
  "/en//evil.example",
  "//evil.example/api/cms/pages-router/x",
  "/https:evil.example",
  "/https://evil.example",
  "/@evil.example",
  "/;@evil.example",
  "//evil.example:80",
  "/?next=//evil.example",
  "//user@evil.example/",
];

/** The address a browser would follow. */
const leadsOff = (location: string): boolean => new URL(location, "http://test.local/a/b/").host !== "test.local";

describe("redirects", () => {
  it.each(OFF_SITE)("%s stays on the site", async (path) => {
    const site = await memorySite();
    const { get } = await served(site.cms);
    for (const target of [path, `/api/cms/pages-router${path}`, `/api/cms/pages-router/${path}`]) {
      const heard = await get(target);
      const [head = "", body = ""] = heard.split("\r\n\r\n");
      const location = /^location: (.*)$/im.exec(head)?.[1];
      if (location !== undefined) expect([target, location, leadsOff(location)]).toEqual([target, location, false]);
      const told = /"redirect":"([^"]*)"/.exec(body)?.[1];
      if (told !== undefined)
        expect([target, told, /^\/(?![/\\])/.test(told) && !leadsOff(told)]).toEqual([target, told, true]);
      expect(head.toLowerCase()).not.toContain("\r\nlocation: https://evil");
    }
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "https:evil.example",
    "/a\r\nSet-Cookie: x=1",
    "\\\\evil.example",
    "https://evil.example\\@x",
    "ftp://evil.example",
    "",
  ])("a configured one to %j is a problem, not a redirect", async (to) => {
    const site = await memorySite({ "content/redirects.yaml": `- { from: /old, to: ${JSON.stringify(to)} }\n` });
    expect(site.cms.store.current.problems).toHaveLength(1);
    const { headers, status } = await site.ask("GET", "/old/");
    expect([status, headers.get("location"), headers.get("set-cookie")]).toEqual([404, null, null]);
  });

  it.each(["/é/", "/a b/", "/a%0d%0ab/", "/a\u2028b/", "/%F0%9F%92%A9/"])(
    "the one of %s to its slash is a header like any other",
    async (path) => {
      const site = await memorySite();
      const { headers } = await site.ask("GET", path.replace(/\/$/, ""));
      expect(headers.get("location")).toMatch(/^\/[\x21-\x7e]*\/$/);
      expect(headers.get("set-cookie")).toBeNull();
    },
  );

  it("of a moved page leads to its address, with any characters", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "A", autopermalink: false, permalink: "/a" }, ["en"]);
    for (const permalink of ["/é ü", "/a#b", "/a?b", "/%2f%2fevil", "/@evil.example", "/a\\b"]) {
      await site.ask("PATCH", `api:pages/${id}/`, { as: "staff", body: { permalink } });
      const { status, headers } = await site.ask("GET", "/a/");
      if (status === 200) continue; // refused by validation
      expect([301, 302]).toContain(status);
      expect(headers.get("location")).toMatch(/^\/(?!\/)[\x21-\x7e]+$/);
      expect(leadsOff(headers.get("location")!)).toBe(false);
    }
  });
});

describe("smuggling", () => {
  const SECRET = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
  it.each([
    ["both lengths", `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECRET}`],
    ["two lengths", `Content-Length: 0\r\nContent-Length: ${SECRET.length}\r\n\r\n${SECRET}`],
    ["a list of lengths", `Content-Length: 0, ${SECRET.length}\r\n\r\n${SECRET}`],
    ["a signed length", `Content-Length: +0\r\n\r\n${SECRET}`],
    ["a length in hex", `Content-Length: 0x0\r\n\r\n${SECRET}`],
    ["a negative length", `Content-Length: -1\r\n\r\n${SECRET}`],
    ["an unknown coding", `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SECRET}`],
    ["chunked twice", `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SECRET}`],
    ["a tab before the colon", `Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n${SECRET}`],
    ["a space before the colon", `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SECRET}`],
    ["a folded header", `X: a\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n`],
    ["a bare newline", `X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SECRET}`],
    ["a NUL in a header", "X: a\0b\r\nContent-Length: 0\r\n\r\n"],
    ["a chunk size that overflows", "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\nx\r\n0\r\n\r\n"],
    ["a chunk size in other digits", "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"],
  ])("by %s is 400, and ends the connection", async (_what, rest) => {
    const { say } = await served((await memorySite()).cms);
    const heard = await say(
      `POST /api/cms/token-auth/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${rest}`,
    );
    expect(heard).not.toContain("smuggled");
    expect(heard.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("header values", () => {
  it.each(["file\r\nSet-Cookie: x=1.bin", 'a".bin', "a\u2028.bin", "é.bin", "a\\.bin"])(
    "made from content are clean: %j",
    async (name) => {
      const site = await memorySite();
      const { status, headers } = await site.ask("GET", `/media/${encodeURIComponent(name)}`);
      expect([status < 500, headers.get("set-cookie")]).toEqual([true, null]);
    },
  );

  it("of a warning are", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" }, ["en"]);
    const answer = await site.ask("POST", `api:pages/${id}/schedule/`, {
      as: "staff",
      body: { publish_at: "2030-01-01T00:00:00Z" },
    });
    expect(answer.headers.get("warning") ?? "").toMatch(/^299 - "[^"\r\n]*"$/);
  });
});
