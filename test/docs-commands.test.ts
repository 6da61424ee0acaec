/** Pages whose files are written and whose commands are run in a new site each, by the packed program, as a person would. */
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { brokenLinks } from "./support/crawl.ts";
import { codeBlocksOf } from "./support/markdown.ts";
import { packProgram, type PackedProgram } from "./support/packed-program.ts";
import { filesIn } from "./static-site/build-site.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const blocksOf = (page: string) => codeBlocksOf(readFileSync(join(ROOT, page), "utf8"));
const shellOf = (page: string): string[] =>
  blocksOf(page).flatMap(({ language, code }) => (language === "sh" ? [code] : []));

let program: PackedProgram;
let empty: string;
beforeAll(async () => {
  program = packProgram();
  empty = mkdtempSync(join(program.folder, "tools-"));
  await program.run("npm install", empty);
}, 120_000);
afterAll(() => program.remove());

/** A bare site in a folder of its own, with packages. */
async function newSite(): Promise<string> {
  const beside = mkdtempSync(join(program.folder, "empty-"));
  await program.run(`npx git-cms init ${beside}/my-site --bare-site`, empty);
  const site = join(beside, "my-site");
  await program.run("npm install", site);
  return site;
}

/** Writes the blocks of a page that begin with a comment which names a file; other YAML is settings. */
function writeFilesOf(page: string, site: string): void {
  for (const { language, code } of blocksOf(page)) {
    const path = /^(?:# |\{# |<!-- )(\w[\w./-]*\/[\w.-]+)(?: #\}| -->)?\n/.exec(code)?.[1];
    if (path === undefined && language === "yaml") appendFileSync(join(site, "cms.config.yaml"), code);
    if (path === undefined || language === "sh") continue;
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), code.slice(code.indexOf("\n") + 1));
  }
}

it("README.md: five lines of curl, and a second clone", { timeout: 120_000 }, async () => {
  const site = await newSite();
  const server = program.start("npx cms serve --port 0", site);
  let said = "";
  const url = await new Promise<string>((ready, fail) => {
    server.stderr!.on("data", (chunk) => {
      said += String(chunk);
      const found = /➜ Site +(http:\S+\/)$/m.exec(said)?.[1];
      if (found && /➜ Branch/.test(said)) ready(found);
    });
    server.on("close", () => fail(new Error(said)));
  });
  const commands = shellOf("README.md").filter((code) => !code.startsWith("npm ci"));
  expect(commands.length).toBe(2);
  const printed = await program.run(commands.join("\n").replaceAll("http://127.0.0.1:8000/", url), site);
  expect(printed).toContain('"title":"Fog signal"');
  expect(await program.run("git config merge.cms.driver", join(site, "../other"))).toContain("merge-driver");
  server.kill("SIGTERM");
  await once(server, "close");
});

it("docs/backup.md: a site is restored whole, and a clone tells what it lacks", { timeout: 120_000 }, async () => {
  const site = await newSite();
  const printed = await program.run(shellOf("docs/backup.md").join("\n"), site);
  expect(printed).toContain("This clone lacks nothing.");
  expect(printed).toContain("anna");
  const shallow = join(site, "../shallow");
  await program.run(
    `git commit --quiet --allow-empty --message=x && git clone --quiet --depth 1 "file://$PWD" ${shallow}`,
    site,
  );
  await program.run("npm install && git remote remove origin", shallow);
  const lacks = await program.run("npx cms setup", shallow);
  expect(lacks).toMatch(/This clone lacks:\n- Accounts: .*\n- Older commits.*\n- A remote/);
});

it("docs/upgrading.md: nothing differs, and the site is built", { timeout: 120_000 }, async () => {
  const site = await newSite();
  expect(await program.run(shellOf("docs/upgrading.md").join("\n"), site)).toContain("No page differs.");
  expect(existsSync(join(site, "../preview/index.html"))).toBe(true);
});

it("docs/leaving.md: pages, data, addresses, history, and Markdown", { timeout: 120_000 }, async () => {
  const site = await newSite();
  const [, script = ""] = /```js\n\/\/ \.\.\/to-markdown\.mjs\n([^]*?)```/.exec(
    readFileSync(join(ROOT, "docs/leaving.md"), "utf8"),
  )!;
  writeFileSync(join(site, "../to-markdown.mjs"), script);
  const printed = await program.run(shellOf("docs/leaving.md").join("\n"), site);
  expect(printed).toMatch(/---\ntitle: "my-site"\n[^]*url: "\/"\n---\nIts text is in `content\/pages\/home\.yaml`/);
  for (const path of [
    "html/index.html",
    "html/_redirects",
    "data/index.json",
    "data/_data/languages.json",
    "history.git/HEAD",
  ])
    expect([path, existsSync(join(site, "..", path))]).toEqual([path, true]);
});

it("docs/recipes.md: one site of all recipes, without a broken link", { timeout: 120_000 }, async () => {
  const site = await newSite();
  writeFilesOf("docs/recipes.md", site);
  for (let at = 1; at <= 5; at++)
    writeFileSync(
      join(site, `content/articles/entry-${at}.yaml`),
      `id: ${200 + at}\ntranslations:\n  en: { title: Entry ${at}, permalink: /entry-${at}, published_at: 2026-01-0${at}T00:00:00Z }\n`,
    );
  const printed = await program.run(
    `git add --all && git commit --quiet --message=x && ${shellOf("docs/recipes.md").join("\n")}`,
    site,
  );
  expect(printed).not.toMatch(/\berrors?\b/);
  const files = filesIn(join(site, "dist"));
  const html = (path: string): string => files.get(`${path}/index.html`)!;
  expect(html("journal")).toMatch(/<h2><a href="\/three-days-of-fog\/">[^]*rel="next" href="\/journal\/page\/2\/"/);
  expect(html("journal/page/2")).toMatch(/page 2<\/h1>[^]*\/entry-1\/[^]*rel="prev" href="\/journal\/"/);
  expect(html("journal")).toContain('<a href="/journal/tag/weather/">Weather</a> (1)');
  expect(html("journal/tag/weather")).toMatch(/<title>Journal: Weather [^]*<h1>Journal: Weather<\/h1>[^]*days-of-fog/);
  expect(html("archive/2026")).toMatch(/<h1>Archive: 2026<\/h1>[^]*days-of-fog/);
  expect(html("three-days-of-fog")).toContain('<a href="/journal/tag/weather/">Weather</a>');
  expect(html("events")).toMatch(/<h2>Now on<\/h2>[^]*Boats on paper[^]*<h2>Past<\/h2>[^]*Bells/);
  expect(html("events/bells")).toContain("This event is over.");
  expect(html("contact")).toMatch(/action="https:\/\/forms\.example\.org\/f\/abc"[^]*value="\/contact\/thanks\/"/);
  expect(html("three-days-of-fog")).toContain("By Ada Ferri, February 1, 2026");
  expect(html("ada-ferri")).toMatch(/Keeps the light\.[^]*href="\/three-days-of-fog\/"/);
  expect(html("shop")).toContain(" 48.50</li>");
  expect(html("shop/lantern")).toContain('href="https://pay.example.org/lantern"');
  expect(html("guide/use")).toMatch(/aria-current="page">Use[^]*rel="prev" href="\/guide\/install\/"/);
  expect(files.get("_headers")).toContain("form-action 'self' https://forms.example.org");
  expect(brokenLinks(files)).toEqual([]);
});
