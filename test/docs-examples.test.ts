/** The five lines of the README and the blocks of docs/editing.md, docs/time.md and docs/monitoring.md, run in this order on the example site. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { codeBlocksOf } from "./support/markdown.ts";
import { serve } from "./cli/process.ts";
import { temporaryFolder } from "./site.ts";
import { gitSite } from "./store/git/git-site.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES = ["README.md", "docs/editing.md", "docs/time.md", "docs/monitoring.md"];

it("does what it says", { timeout: 120_000 }, async () => {
  const { dir, git, remove } = gitSite();
  onTestFinished(remove);
  for (const name of ["content", "media", "templates", "cms.config.yaml"])
    cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  git("add", "--all");
  git("commit", "--quiet", "--message=The example site");
  const server = await serve(dir);
  const beside = await temporaryFolder();
  const blocks = FILES.flatMap((name) => codeBlocksOf(readFileSync(join(ROOT, name), "utf8")));
  const script = blocks
    .filter(({ language, code }) => language === "sh" && !code.startsWith("npm "))
    .map(({ code }) => code.replaceAll("http://127.0.0.1:8000/", server.url))
    .join("\n")
    .replaceAll("$PWD/../", "../")
    .replaceAll("../", `${beside}/`)
    .replaceAll("npm install && ", "") // a clone of the example has no packages; test/docs-commands.test.ts installs them
    .replaceAll("npx cms ", `"${process.execPath}" "${join(ROOT, "bin/cms.cjs")}" `);
  const options = { cwd: dir, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", script], options);
  expect([status, stderr]).toEqual([0, expect.stringContaining("412")]);
  expect(stdout).toContain('"title":"Harbour bell"');
  expect(stdout).toContain('"redirect":"/harbour-bell/"');
  expect(stdout).toContain("cms_commits_total");
  expect(stdout).toContain("<title>Season opening");
  expect(stdout).toContain("<title>Summer hours");
  expect(existsSync(join(beside, "other/content/pages"))).toBe(true);
  expect(git("log", "--format=%s")).toContain('Take back release "season"');
  expect(git("log", "--format=%s%n%b")).toContain("Heard before it is seen");
});
