/** The blocks of docs/editing.md and docs/monitoring.md, run one after the other on a server of the example site. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { codeBlocksOf } from "./support/markdown.ts";
import { cms, emptyFolder, serve } from "./cli/process.ts";
import { gitSite } from "./store/git-site.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES = ["editing.md", "monitoring.md"];

it("does what it says", { timeout: 120_000 }, async () => {
  const { dir, git, remove } = gitSite();
  onTestFinished(remove);
  for (const name of ["content", "media", "templates", "cms.config.yaml"])
    cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  git("add", "--all");
  git("commit", "--quiet", "--message=The example site");
  const account = { env: { CMS_PASSWORD: "a-long-password" }, timeoutMs: 60_000 };
  expect((await cms(["user", "add", "anna", "--staff", "--root", dir], account)).code).toBe(0);
  const server = await serve(dir);
  const texts = FILES.map((name) => readFileSync(join(ROOT, "docs", name), "utf8"));
  const script = texts
    .flatMap((text) => codeBlocksOf(text).filter(({ language }) => language === "sh"))
    .map(({ code }) => code.replaceAll("http://127.0.0.1:8000/", server.url))
    .join("\n");
  const options = { cwd: emptyFolder(), encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", script], options);
  expect([status, stderr]).toEqual([0, expect.stringContaining("412")]);
  expect(stdout).toContain('"title":"Fog signal"');
  expect(stdout).toContain('"redirect":"/fog-signal/"');
  expect(stdout).toContain("cms_commits_total");
  expect(git("log", "--format=%s%n%b")).toContain("Heard before it is seen");
});
