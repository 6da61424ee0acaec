/** Files as they are served: types, ranges, caching, and what they may do on the site's origin. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mediaSite } from "./media-site.ts";

const TEXT = "0123456789";
const site = (files: Record<string, string> = { "media/a.txt": TEXT }) => mediaSite({}, files);

describe("a range", () => {
  // oxfmt-ignore
  it.each([
    // Range            status content-range     text
    ["bytes=0-3",         206, "bytes 0-3/10",   "0123"],
    ["bytes=4-",          206, "bytes 4-9/10",   "456789"],
    ["bytes=-3",          206, "bytes 7-9/10",   "789"],
    ["bytes=-30",         206, "bytes 0-9/10",   TEXT],
    ["bytes=8-99",        206, "bytes 8-9/10",   "89"],
    ["bytes=9-9",         206, "bytes 9-9/10",   "9"],
    ["bytes=10-",         416, "bytes */10",     ""],
    ["bytes=-0",          416, "bytes */10",     ""],
    ["bytes=5-2",         200, null,             TEXT],
    ["bytes=0-1,4-5",     200, null,             TEXT], // several are answered with the whole
    ["bytes=x",           200, null,             TEXT],
    ["lines=0-1",         200, null,             TEXT],
    ["bytes=-",           200, null,             TEXT],
  ])("%s is answered %s", async (range, status, contentRange, text) => {
    const answer = await (await site()).ask("GET", "/media/a.txt", { headers: { range } });
    expect([answer.status, answer.headers.get("content-range"), answer.text]).toEqual([status, contentRange, text]);
    expect(answer.headers.get("accept-ranges")).toBe("bytes");
  });

  it("of another version is answered with the whole file", async () => {
    const { ask } = await site();
    const { headers } = await ask("GET", "/media/a.txt");
    const ranged = async (condition: string): Promise<number> =>
      (await ask("GET", "/media/a.txt", { headers: { range: "bytes=0-1", "if-range": condition } })).status;
    expect([
      await ranged(headers.get("etag")!),
      await ranged(headers.get("last-modified")!),
      await ranged('"old"'),
    ]).toEqual([206, 206, 200]);
  });
});

describe("caching", () => {
  it("revalidates, and answers 304 for an unchanged file", async () => {
    const { ask, disk } = await site();
    const { headers } = await ask("GET", "/media/a.txt");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    const again = await ask("GET", "/media/a.txt", { headers: { "if-none-match": headers.get("etag")! } });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", headers.get("etag")]);
    writeFileSync(join(disk.dir, "media/a.txt"), "9876543210");
    const changed = await ask("GET", "/media/a.txt", { headers: { "if-none-match": headers.get("etag")! } });
    expect([changed.status, changed.text]).toEqual([200, "9876543210"]);
  });

  it("is immutable only for a URL with the version", async () => {
    const { ask } = await site();
    const version = (await ask("GET", "/media/a.txt")).headers.get("etag")!.replaceAll('"', "");
    const lifeOf = async (v: string): Promise<string | null> =>
      (await ask("GET", `/media/a.txt?v=${v}`)).headers.get("cache-control");
    expect([await lifeOf(version), await lifeOf("other")]).toEqual([
      "public, max-age=31536000, immutable",
      "public, max-age=300",
    ]);
  });

  it("asks for the file each time where the address wants the present one", async () => {
    const { ask } = await site();
    expect((await ask("GET", "/media/a.txt?fresh=10-0")).headers.get("cache-control")).toBe("no-cache");
  });

  it("HEAD has length and type", async () => {
    const answer = await (await site()).ask("HEAD", "/media/a.txt");
    expect([
      answer.status,
      answer.headers.get("content-length"),
      answer.headers.get("content-type"),
      answer.text,
    ]).toEqual([200, "10", "text/plain; charset=utf-8", ""]);
  });
});

describe("on the site's origin", () => {
  // oxfmt-ignore
  it.each([
    // file          type                         boxed  saved
    ["a.jpg",        "image/jpeg",                false, false],
    ["a.JPG",        "image/jpeg",                false, false],
    ["a.avif",       "image/avif",                false, false],
    ["a.mp4",        "video/mp4",                 false, false],
    ["a.pdf",        "application/pdf",           false, false],
    ["a.css",        "text/css; charset=utf-8",   false, false],
    ["a.svg",        "image/svg+xml",             true,  false],
    ["a.html",       "text/html; charset=utf-8",  true,  true],
    ["a.xhtml",      "text/html; charset=utf-8",  true,  true],
    ["a.xml",        "application/xml",           true,  true],
    ["a.js",         "application/octet-stream",  true,  true],
    ["a.mjs",        "application/octet-stream",  true,  true],
    ["a.swf",        "application/octet-stream",  true,  true],
    ["a.yaml",       "application/octet-stream",  true,  true],
    ["a",            "application/octet-stream",  true,  true],
    ["a.jpg.html",   "text/html; charset=utf-8",  true,  true],
  ])("%s is %s", async (name, type, boxed, saved) => {
    const { status, headers } = await (await site({ [`media/${name}`]: "<script>alert(1)</script>" })).ask("GET", `/media/${name}`);
    expect([status, headers.get("content-type"), headers.get("x-content-type-options")]).toEqual([200, type, "nosniff"]);
    expect([headers.get("content-security-policy")?.startsWith("sandbox; default-src 'none'") ?? false, headers.get("content-disposition") === "attachment"]).toEqual([boxed, saved]);
  });

  it.each([
    "/media/.hidden",
    "/media/.git/config",
    "/media/../content/pages/home.yaml",
    "/media/%2e%2e/content/pages/home.yaml",
    "/media/..%2fcontent/pages/home.yaml",
    "/media/%252e%252e/cms.config.yaml",
    "/media/..\\content\\pages\\home.yaml",
    "/media/a.txt%00.jpg",
    "/media//etc/passwd",
    "/media/sub",
    "/media/none.jpg",
    "/content/pages/home.yaml",
    "/content/media/a.txt.yaml",
    "/media/a.txt.yaml",
    "/media/_folder.yaml",
  ])("%s is not served", async (path) => {
    const { ask } = await site({
      "media/a.txt": TEXT,
      "media/.hidden": "secret: 1",
      "media/sub/x.txt": "x",
      "content/pages/home.yaml": "secret: 1\n",
      "content/media/a.txt.yaml": "secret: 1\nid: 3\n",
      "content/media/sub/_folder.yaml": "id: 4\n",
    });
    const { status, text } = await ask("GET", path);
    expect([[404, 302, 400].includes(status), text.includes("secret")]).toEqual([true, false]);
  });
});
