/** The site of the documentation, built as `npm run docs` builds it: complete, without a dead link or anchor. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUT = mkdtempSync(join(tmpdir(), "cms-docs-site-"));
const read = (path: string): string => readFileSync(join(OUT, path), "utf8");

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, "scripts/docs-site.mjs"), "--out", OUT], {
    env: { ...process.env, CMS_BASE_URL: "https://docs.example.org" },
  });
  return () => rmSync(OUT, { recursive: true, force: true });
}, 120_000);

const htmlFiles = (): string[] =>
  readdirSync(OUT, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value]) => value!.replaceAll("&amp;", "&"));

/** The file that a host sends for a path; undefined without one. */
function fileOf(path: string): string | undefined {
  const file = decodeURIComponent(path).slice(1);
  const found =
    existsSync(join(OUT, file)) && statSync(join(OUT, file)).isDirectory() ? join(file, "index.html") : file;
  return existsSync(join(OUT, found)) ? found : undefined;
}

it("has a page for every page of docs/, and each title once", () => {
  for (const name of readdirSync(join(ROOT, "docs")).filter((each) => each.endsWith(".md") && each !== "README.md"))
    expect(fileOf(`/${name.replace(/\.md$/, "")}/`)).toBeDefined();
  const titles = htmlFiles()
    .filter((path) => path !== "404.html" && path !== "index.html")
    .map((path) => /<title>(.*)<\/title>/.exec(read(path))![1]);
  expect(new Set(titles).size).toBe(titles.length);
});

it("has no dead link, no dead anchor and no id twice", () => {
  const dead: string[] = [];
  for (const path of htmlFiles()) {
    const html = read(path);
    const ids = attributes(html, "id");
    if (new Set(ids).size !== ids.length) dead.push(`${path}: an id twice`);
    for (const link of [...attributes(html, "href"), ...attributes(html, "src"), ...attributes(html, "action")]) {
      if (/^[a-z]+:/.test(link)) continue;
      const [target = "", anchor] = link.split("#");
      const file = target === "" ? path : fileOf(target);
      const isThere = file !== undefined && (anchor === undefined || attributes(read(file), "id").includes(anchor));
      if (!isThere) dead.push(`${path}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
});

it("leaves no Markdown unrendered", () => {
  for (const path of htmlFiles()) {
    const shown = read(path).replace(/<(pre|code|script)\b[^]*?<\/\1>/g, "");
    expect([path, /\]\(|\*\*|^#{1,4} /m.exec(shown)?.[0]]).toEqual([path, undefined]);
  }
});
