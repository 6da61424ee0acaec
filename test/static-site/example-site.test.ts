/** The example site, built and served as files: every link, picture and alternate. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cms } from "../cli/process.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../support/browser.ts";
import { serveFiles } from "../support/static-host.ts";
import { filesIn } from "./build-site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Renditions take most of the time, and at the lowest effort a third of it. */
const env = { CMS_MEDIA__RENDITIONS__AVIF_EFFORT: "0" };
let out: string;
let folder: string;

/** With every rendition made anew, as in a fresh clone. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cms-example-"));
  const dir = join(folder, "site");
  for (const part of ["content", "templates", "media", "cms.config.yaml"])
    cpSync(join(ROOT, part), join(dir, part), {
      recursive: true,
      filter: (path) => !/media.(renditions|thumbnails)/.test(path),
    });
  const git = (...args: string[]): unknown =>
    execFileSync("git", ["-C", dir, "-c", "user.name=Test", "-c", "user.email=test@example.org", ...args]);
  git("init", "-q", "-b", "main");
  git("add", "--all");
  git("commit", "--quiet", "--message=Example");
  out = join(folder, "out");
  expect(await cms(["build", "--root", dir, "--out", out, "--quiet"], { env, timeoutMs: 170_000 })).toEqual({
    code: 0,
    out: "",
    err: "",
  });
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const attributes = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map((match) => match[1]!.replaceAll("&amp;", "&"));

describe("the example site, built", () => {
  it("has an index.json for each page whose SHA-1 is the manifest's hash", async () => {
    const { urls } = JSON.parse((await cms(["manifest", "--root", join(folder, "site")], { env })).out) as {
      readonly urls: readonly { readonly path: string; readonly hash: string }[];
    };
    expect(urls.length).toBeGreaterThan(20);
    for (const { path, hash } of urls) {
      const bytes = await readFile(join(out, path, "index.json"));
      expect([path, createHash("sha1").update(bytes).digest("hex")]).toEqual([path, hash]);
    }
  });

  it("has no broken link, no missing file, and alternates that lead back", { timeout: 30_000 }, async () => {
    const origin = await serveFiles(out);
    const seen = new Map<string, string>();
    const open = ["/"];
    const broken: string[] = [];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      const answer = await fetch(origin + path);
      const text = answer.headers.get("content-type")?.startsWith("text/html") ? await answer.text() : "";
      seen.set(path, text);
      if (answer.status !== 200) broken.push(path);
      const found = [
        ...attributes(text, /<(?:a|link)\b[^>]*?\bhref="([^"]*)"/g),
        ...attributes(text, /\bsrc="([^"]*)"/g),
        ...attributes(text, /\bsrcset="([^"]*)"/g).flatMap((set) =>
          set.split(",").map((each) => each.trim().split(" ")[0]!),
        ),
      ];
      open.push(
        ...found
          .map((url) => new URL(url, origin + path))
          .filter((url) => url.origin === origin)
          .map(({ pathname }) => pathname),
      );
    }
    expect(broken).toEqual([]);
    const pages = [...seen].filter(([, text]) => text !== "");
    expect(pages.length).toBeGreaterThan(25);
    const built = [...filesIn(out).keys()]
      .filter((path) => path.endsWith("index.html"))
      .map((path) => `/${path.slice(0, -"index.html".length)}`);
    // What a page offers was asked for above; here it is seen to be pictures.
    const renditions = [...seen.keys()].filter((path) => path.startsWith("/media/renditions/"));
    expect(renditions.length).toBeGreaterThan(80);
    for (const path of renditions) expect((await stat(join(out, decodeURI(path)))).size).toBeGreaterThan(100);
    expect(built.filter((path) => !seen.has(encodeURI(path)) && !seen.has(path))).toEqual([]);
    for (const [path, text] of pages) {
      for (const alternate of attributes(text, /<link rel="alternate" hreflang="[^"]*" href="([^"]*)"/g)) {
        expect(
          attributes(seen.get(alternate) ?? "", /<link rel="alternate" hreflang="[^"]*" href="([^"]*)"/g),
        ).toContain(path);
      }
    }
  });

  it.skipIf(!CHROMIUM)(withChromium("looks right in a browser"), { timeout: 45_000 }, async () => {
    const origin = await serveFiles(out);
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const failed: string[] = [];
      const renditions: unknown[] = [];
      page.on("response", (response) => response.status() >= 400 && failed.push(response.url()));
      page.on("pageerror", (error) => failed.push(error.message));
      for (const path of ["/", "/it/", "/about-us/"]) {
        await page.goto(origin + path, { waitUntil: "load" });
        expect(await page.locator("h1").first().isVisible()).toBe(true);
        // A lazy picture comes when it comes into sight.
        const pictures =
          "Promise.all([...document.images].map(async (each) => { each.loading = 'eager'; await each.decode().catch(() => undefined); return [each.currentSrc, each.naturalWidth]; }))";
        const shown = (await page.evaluate(pictures)) as [string, number][];
        expect(shown.filter(([, width]) => width === 0)).toEqual([]);
        renditions.push(...shown.filter(([src]) => /\/media\/renditions\/.*\.avif$/.test(src)));
        expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
        expect(await page.evaluate("getComputedStyle(document.body).fontFamily")).not.toMatch(/^"?Times/);
      }
      await page.goto(`${origin}/nowhere/`);
      expect(await page.locator("h1").first().isVisible()).toBe(true);
      expect(failed).toEqual([`${origin}/nowhere/`]);
      expect(renditions.length).toBeGreaterThan(3);
    } finally {
      await browser.close();
    }
  });
});
