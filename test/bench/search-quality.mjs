/**
 * How many of the pages that a reader means are among the first ten results, and how many are the first: of the API, of built
 * sites in Chromium, and of Pagefind and minisearch on the same texts. The queries are test/support/search-queries.ts.
 *
 *   node test/bench/search-quality.mjs
 *
 * The peers are installed from the registry.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { createJiti } from "jiti";
import { chromium } from "playwright-core";
import { CLI, git, ROOT, serve } from "./performance/site.mjs";

const PEERS = ["minisearch@7.2.0", "pagefind@1.6.0"];
const SETTINGS = "LANGUAGE_CODE: en\nLANGUAGES: { en: English, it: Italiano }\nSITE_SEARCH: true\n";
const TYPES = { ".js": "text/javascript", ".json": "application/json", ".html": "text/html" };
const ORIGIN = "http://built.example";
const FOUND = 10;

const { SEARCHED_QUERIES, SEARCHED_SITES, documentationPosts } = await createJiti(import.meta.url).import(
  "../support/search-queries.ts",
);
const folder = mkdtempSync(join(tmpdir(), "git-cms-bench-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...PEERS], { stdio: "pipe" });
  const load = createRequire(join(folder, "package.json"));
  const peers = {
    MiniSearch: load("minisearch"),
    pagefind: await import(`file://${join(folder, "node_modules/pagefind/lib/index.js")}`),
  };
  const answers = [];
  for (const name of Object.keys(SEARCHED_SITES)) answers.push(...(await answersOf(name, peers)));
  print(answers);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The titles that each engine finds for the queries of a site. */
async function answersOf(name, { MiniSearch, pagefind }) {
  const dir = siteOf(name);
  const dist = join(dir, "dist");
  execFileSync(process.execPath, [CLI, "build", "--data-only", "--root", dir, "--quiet"], { stdio: "pipe" });
  const texts = textsIn(dist);
  const { index } = await pagefind.createIndex();
  for (const { url, lang, title, text } of texts)
    await index.addCustomRecord({ url, language: lang, content: `${title}. ${text}`, meta: { title } });
  await index.writeFiles({ outputPath: join(dist, "pagefind") });
  const small = new Map(
    ["en", "it"].map((lang) => {
      const made = new MiniSearch({ fields: ["title", "text"], storeFields: ["title"], idField: "url" });
      made.addAll(texts.filter((each) => each.lang === lang));
      return [lang, made];
    }),
  );
  const server = await serve(dir);
  const pages = new Map();
  for (const lang of ["en", "it"]) pages.set(lang, await openPage(dist, lang));
  const options = { prefix: true, fuzzy: 0.2, combineWith: "AND", boost: { title: 8 } };
  const found = [];
  for (const [site, lang, words, titles] of SEARCHED_QUERIES) {
    if (site !== name || titles.length === 0) continue;
    const path = `/api/cms/search-router/?q=${encodeURIComponent(words)}&language=${lang}&items=${FOUND}`;
    found.push({
      ...{ lang, titles },
      engines: {
        "git-cms, the API": JSON.parse((await server.ask("GET", path)).text).items.map(({ title }) => title),
        "git-cms, built sites": await pages.get(lang).evaluate(searchBuilt, words),
        Pagefind: await pages.get(lang).evaluate(searchPagefind, words),
        minisearch: small
          .get(lang)
          .search(words, options)
          .slice(0, FOUND)
          .map(({ title }) => title),
      },
    });
  }
  await server.close();
  return found;
}

/** A folder with the content of a site, in a repository. */
function siteOf(name) {
  const dir = join(folder, name);
  mkdirSync(join(dir, "content"), { recursive: true });
  writeFileSync(join(dir, "cms.config.yaml"), SETTINGS);
  writeFileSync(join(dir, ".gitignore"), "dist\n");
  if (SEARCHED_SITES[name])
    cpSync(join(ROOT, SEARCHED_SITES[name], "content"), join(dir, "content"), { recursive: true });
  git(dir, "init", "-q", "-b", "main");
  git(dir, "config", "user.name", "Bench");
  git(dir, "config", "user.email", "bench@example.org");
  git(dir, "add", "-A");
  git(dir, "commit", "-qm", "Content");
  if (SEARCHED_SITES[name]) return dir;
  const old = join(folder, "old");
  for (const [path, text] of Object.entries(documentationPosts())) {
    mkdirSync(dirname(join(old, path)), { recursive: true });
    writeFileSync(join(old, path), text);
  }
  execFileSync(process.execPath, [CLI, "import", "markdown", old, "--root", dir], { stdio: "pipe" });
  return dir;
}

/** What visitors read of each page that the search has, too: its title, and all its texts but addresses. */
function textsIn(dist) {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  return files
    .filter((path) => path === "index.json" || path.endsWith("/index.json"))
    .map((path) => JSON.parse(readFileSync(join(dist, path), "utf8")))
    .filter(({ indexable, robots, title }) => title && indexable !== false && !/noindex/.test(robots ?? ""))
    .map(({ routerlink: url, title, description, content, template_data }) => {
      const text = [...stringsIn([description, content, template_data])].join(" ").replace(/<[^>]*>/g, " ");
      return { url, lang: url.startsWith("/it/") ? "it" : "en", title, text };
    });
}

function* stringsIn(value) {
  if (typeof value === "string") {
    if (!/^(\/|[a-z]+:)\S*$/.test(value)) yield value;
  } else if (value && typeof value === "object") for (const each of Object.values(value)) yield* stringsIn(each);
}

/** An empty page of the built site in a language. */
async function openPage(dist, lang) {
  const page = await browser.newPage();
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const file = join(dist, decodeURIComponent(pathname));
    if (pathname === "/empty") return route.fulfill({ contentType: "text/html", body: `<html lang="${lang}">` });
    if (!existsSync(file)) return route.fulfill({ status: 404 });
    return route.fulfill({ body: readFileSync(file), contentType: TYPES[extname(file)] ?? "application/octet-stream" });
  });
  await page.goto(`${ORIGIN}/empty`);
  return page;
}

async function searchBuilt(words) {
  const { search } = await import("/search/cms-search.js");
  return (await search(words)).items.map(({ title }) => title);
}

async function searchPagefind(words) {
  const { search } = await import("/pagefind/pagefind.js");
  const { results } = await search(words);
  const shown = await Promise.all(results.slice(0, 10).map((each) => each.data()));
  return shown.map(({ meta }) => meta.title);
}

function print(answers) {
  const engines = Object.keys(answers[0].engines);
  const share = (lang, engine, count) => {
    const asked = answers.filter((each) => each.lang === lang);
    const wanted = asked.flatMap(({ titles, engines: found }) =>
      titles.map((title) => found[engine].slice(0, count).includes(title)),
    );
    return (wanted.filter(Boolean).length / wanted.length).toFixed(2);
  };
  console.log("| | English, first 10 | first | Italian, first 10 | first |\n|---|---|---|---|---|");
  for (const engine of engines) {
    const cells = ["en", "it"].flatMap((lang) => [share(lang, engine, FOUND), share(lang, engine, 1)]);
    console.log(`| ${engine} | ${cells.join(" | ")} |`);
  }
}
