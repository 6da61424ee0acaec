/** Pages whose files are written and whose commands are run in a new site each, by the packed program, as a person would. */
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
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
