/** Pages whose files are written and whose commands are run in a new site each, by the packed program, as a person would. */
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeBlocksOf } from "./support/markdown.ts";
import { packProgram, type PackedProgram } from "./support/packed-program.ts";

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
