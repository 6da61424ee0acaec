/** The example site, built, behind a server that knows nothing but files: every link, picture and alternate, and a look. */
import { cpSync, existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { cms, emptyFolder, site } from "../cli/process.ts";
import { filesIn } from "./build-site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html; charset=utf-8", ".css": "text/css", ".svg": "image/svg+xml", ".jpg": "image/jpeg", ".png": "image/png", ".json": "application/json", ".webp": "image/webp", ".avif": "image/avif" };

async function buildExample(): Promise<string> {
  const made = site();
  made.git("rm", "-rq", "content", "templates");
  for (const part of ["content", "templates", "media", "cms.config.yaml"]) cpSync(join(ROOT, part), join(made.dir, part), { recursive: true, filter: (path) => !/media.(renditions|thumbnails)/.test(path) });
  // Encoding pictures is other tests' business.
  made.save("cms.config.yaml", made.text("cms.config.yaml")!.replace("MEDIA:\n", "MEDIA:\n  RENDITIONS: { ENABLE: false }\n"));
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message=Example");
  const out = join(emptyFolder(), "out");
  expect(await cms(["build", "--root", made.dir, "--out", out, "--quiet"])).toEqual({ code: 0, out: "", err: "" });
  return out;
}

/** As the plainest host does it: a folder is its index.html. */
async function serveFiles(dir: string): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const path = decodeURIComponent(new URL(request.url!, "http://x").pathname);
      const file = join(dir, path.endsWith("/") ? `${path}index.html` : path);
      const found = await stat(file).catch(() => undefined);
      const isThere = found?.isFile() === true;
      response.writeHead(isThere ? 200 : 404, { "content-type": TYPES[extname(isThere ? file : "404.html")] ?? "application/octet-stream" });
      response.end(await readFile(isThere ? file : join(dir, "404.html")));
    })();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const attributes = (html: string, pattern: RegExp): string[] => [...html.matchAll(pattern)].map((match) => match[1]!.replaceAll("&amp;", "&"));

describe("the example site, built", () => {
  it("has no broken link, no missing file, and alternates that lead back", { timeout: 30_000 }, async () => {
    const dir = await buildExample();
    const origin = await serveFiles(dir);
    const seen = new Map<string, string>();
    const open = ["/"];
    const broken: string[] = [];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      const answer = await fetch(origin + path);
      const text = answer.headers.get("content-type")?.startsWith("text/html") ? await answer.text() : "";
      seen.set(path, text);
      if (answer.status !== 200) broken.push(path);
      const found = [...attributes(text, /<(?:a|link)\b[^>]*?\bhref="([^"]*)"/g), ...attributes(text, /\bsrc="([^"]*)"/g), ...attributes(text, /\bsrcset="([^"]*)"/g).flatMap((set) => set.split(",").map((each) => each.trim().split(" ")[0]!))];
      open.push(...found.map((url) => new URL(url, origin + path)).filter((url) => url.origin === origin).map(({ pathname }) => pathname));
    }
    expect(broken).toEqual([]);
    const pages = [...seen].filter(([, text]) => text !== "");
    expect(pages.length).toBeGreaterThan(25);
    const built = [...filesIn(dir).keys()].filter((path) => path.endsWith("index.html")).map((path) => `/${path.slice(0, -"index.html".length)}`);
    expect(built.filter((path) => !seen.has(encodeURI(path)) && !seen.has(path))).toEqual([]);
    for (const [path, text] of pages) {
      for (const alternate of attributes(text, /<link rel="alternate" hreflang="[^"]*" href="([^"]*)"/g)) {
        expect(attributes(seen.get(alternate) ?? "", /<link rel="alternate" hreflang="[^"]*" href="([^"]*)"/g)).toContain(path);
      }
    }
  });

  it.skipIf(!CHROMIUM)(`looks right in a browser${CHROMIUM ? "" : " (skipped: there is no chromium here)"}`, { timeout: 45_000 }, async () => {
    const origin = await serveFiles(await buildExample());
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      const failed: string[] = [];
      page.on("response", (response) => response.status() >= 400 && failed.push(response.url()));
      page.on("pageerror", (error) => failed.push(error.message));
      for (const path of ["/", "/it/", "/about-us/"]) {
        await page.goto(origin + path, { waitUntil: "load" });
        expect(await page.locator("h1").first().isVisible()).toBe(true);
        await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
        const pictures = "[...document.images].filter((each) => each.loading !== 'lazy' && each.naturalWidth === 0).map((each) => each.src)";
        expect(await page.evaluate(pictures)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
        expect(await page.evaluate("getComputedStyle(document.body).fontFamily")).not.toMatch(/^"?Times/);
      }
      await page.goto(`${origin}/nowhere/`);
      expect(await page.locator("h1").first().isVisible()).toBe(true);
      expect(failed).toEqual([`${origin}/nowhere/`]);
    } finally {
      await browser.close();
    }
  });
});
