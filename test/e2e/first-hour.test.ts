/** The first hour of a new user: docs/getting-started.md to the letter, and the generated workflow, with a packed program. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { filesIn } from "../static-site/build-site.ts";
import { GIT_ENV } from "../store/git/git-site.ts";
import { CHROMIUM, launchBrowser, withChromium } from "../support/browser.ts";
import { brokenLinks } from "../support/crawl.ts";
import { openRegistry, type Registry } from "../support/registry.ts";
import { serveFiles } from "../support/static-host.ts";
import { withoutRenditions } from "../support/without-renditions.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TIMEOUT = 300_000;

let folder: string;
let registry: Registry;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cms-first-hour-"));
  registry = await openRegistry(folder);
}, TIMEOUT);
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
}, TIMEOUT);

function start(command: string, cwd: string, more: NodeJS.ProcessEnv = {}): { child: ChildProcess; said(): string } {
  const env = { ...registry.env, ...GIT_ENV, NO_COLOR: "1", ...more };
  const child = spawn("bash", ["-ec", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  onTestFinished(() => end(child));
  return { child, said: () => said };
}

/** What is used of a browser's globals. */
interface Styles {
  getComputedStyle(element: unknown): { readonly color: string };
}

/** A command of npm is a process of its own, so the whole group is ended. */
function end({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  if (exitCode === null && signalCode === null) process.kill(-pid!, signal);
}

/** @returns what it said @throws when it fails */
async function succeed(command: string, cwd: string, env?: NodeJS.ProcessEnv): Promise<string> {
  const { child, said } = start(command, cwd, env);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said()}`);
  return said();
}

/** The lines of the shell blocks of a document. */
const commandsIn = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), "utf8").matchAll(/^```sh\n([^]*?)^```/gm)].flatMap((block) =>
    block[1]!.trim().split("\n"),
  );

const newFolder = (): string => mkdtempSync(join(folder, "empty-"));

it.skipIf(!CHROMIUM)(
  withChromium(
    "getting started, to the letter: an edit is seen without a reload, and the built site has no broken link",
  ),
  { timeout: TIMEOUT },
  async () => {
    const [init = "", cd, install = "", serve = "", ...others] = commandsIn("docs/getting-started.md");
    expect([cd, others]).toEqual(["cd my-site", ["npx git-cms check", "npx git-cms build"]]);
    const empty = newFolder();
    await succeed(init, empty);
    const site = join(empty, "my-site");
    withoutRenditions(site);
    await succeed(install, site);

    // In a terminal, the development mode needs no flag.
    const server = start(`${serve} --dev --port 0`, site);
    const url = await new Promise<string>((ready, fail) => {
      const look = (): void => {
        const found = /➜ Site +(http:\S+\/)$/m.exec(server.said())?.[1];
        if (found) ready(found);
      };
      server.child.stderr!.on("data", look);
      server.child.on("close", () => fail(new Error(server.said())));
    });
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(url);
    const heading = (name: string) => page.getByRole("heading", { name, exact: true });
    await heading("Notes from a small house").waitFor();
    const home = join(site, "content/pages/home.yaml");
    writeFileSync(home, readFileSync(home, "utf8").replace("Notes from a small house", "Notes from a large house"));
    await heading("Notes from a large house").waitFor();
    appendFileSync(join(site, "static/css/site.css"), "h1 { color: rgb(1, 2, 3); }\n");
    const colour = (): Promise<string> =>
      heading("Notes from a large house")
        .evaluate((element) => (globalThis as unknown as Styles).getComputedStyle(element).color)
        .catch(() => ""); // while the page loads again
    await expect.poll(colour, { timeout: 60_000 }).toBe("rgb(1, 2, 3)");
    end(server.child, "SIGTERM");
    await once(server.child, "close");

    for (const command of others) await succeed(command, site);
    const files = filesIn(join(site, "dist"));
    expect(files.get("index.html")).toContain("Notes from a large house");
    expect(brokenLinks(files)).toEqual([]);
    const host = await serveFiles(join(site, "dist"));
    expect(await crawl(host)).toEqual([]);
  },
);

/** Follows every address from the home page. @returns those that are not answered with 200 */
async function crawl(host: string): Promise<string[]> {
  const open = [`${host}/`];
  const seen = new Set(open);
  const broken: string[] = [];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    const response = await fetch(url);
    if (response.status !== 200) broken.push(url);
    const text = response.headers.get("content-type")?.startsWith("text/html") ? await response.text() : "";
    for (const [, address = ""] of text.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const next = new URL(address.replaceAll("&amp;", "&"), url);
      next.hash = "";
      if (next.origin !== host || seen.has(next.href)) continue;
      seen.add(next.href);
      open.push(next.href);
    }
  }
  expect(seen.size).toBeGreaterThan(15);
  return broken;
}

describe("the generated workflow, in a fresh shallow clone", () => {
  it.each([["lighthouse"], ["business"], ["blog"]])(
    "of %s: builds, and publishes what is scheduled when its time has come",
    { timeout: TIMEOUT },
    async (starter) => {
      const empty = newFolder();
      await succeed(`npx git-cms init site --starter ${starter}`, empty);
      const site = join(empty, "site");
      withoutRenditions(site);
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
      schedule(site, tomorrow);
      const git = "git -c user.name=Pat -c user.email=pat@example.org";
      const clone = `${git} add --all && ${git} commit --quiet --message=Schedule && git clone --quiet --bare . ../origin.git && git clone --quiet --depth 1 "file://$(cd .. && pwd)/origin.git" ../clone`;
      await succeed(clone, site);

      const runner = join(empty, "clone");
      // Installed from nothing by the first of these; the packages of all are the same.
      const packages = join(folder, "packages");
      if (existsSync(packages)) renameSync(packages, join(runner, "node_modules"));
      const commands = workflowCommands(runner);
      expect(commands.map((command) => command.split(" ").slice(0, 3).join(" "))).toEqual([
        "npm install",
        "npx cms due",
        "npx cms check",
        "npx cms build",
        expect.stringMatching(/^echo /),
      ]);
      const pipeline = async (of: readonly string[], env?: NodeJS.ProcessEnv): Promise<void> => {
        for (const command of of) await succeed(command, runner, { CI: "true", ...env });
      };
      await pipeline(commands.filter((command) => !command.startsWith("npx cms due"))); // a push does not ask
      const built = (): string[] =>
        [...filesIn(join(runner, "dist"))].flatMap(([path, text]) =>
          /Spring has come|A new page/.test(text) && path.endsWith("/index.html") ? [path] : [],
        );
      expect(built()).toEqual([]);
      // The folders that the workflow keeps are there in the next run, and so are the packages here.
      const output = join(empty, "output");
      const later = { NODE_OPTIONS: `--import=${clockAhead(2 * 86_400_000)}`, GITHUB_OUTPUT: output };
      await pipeline(commands.slice(1), later);
      expect(existsSync(output)).toBe(false); // due
      await pipeline(commands.slice(1, 2), later);
      expect(readFileSync(output, "utf8")).toBe("skip=true\n");
      expect(built()).toEqual(expect.arrayContaining(["new-page/index.html", "scheduled/index.html"]));
      const log = await succeed("git log --format=%s main", join(empty, "origin.git"));
      expect(log).toMatch(/^Publish draft of "Spring has come"/);
      renameSync(join(runner, "node_modules"), packages);
    },
  );
});

/** A page that becomes public, and a draft of a live page. */
function schedule(site: string, at: string): void {
  writeFileSync(
    join(site, "content/pages/new-page.yaml"),
    `id: 77001\ntranslations:\n  en: { title: A new page, permalink: /new-page, published_at: ${at} }\n`,
  );
  writeFileSync(
    join(site, "content/pages/scheduled.yaml"),
    "id: 77002\ntranslations:\n  en: { title: Winter, permalink: /scheduled, autopermalink: false, published_at: 2026-01-01T00:00:00Z }\n",
  );
  writeFileSync(
    join(site, "content/pages/scheduled.draft.en.yaml"),
    `language: en\nscheduled_for: ${at}\ncreated_at: 2026-01-03T00:00:00.000Z\nupdated_at: 2026-01-03T00:00:00.000Z\npayload:\n  title: Spring has come\n`,
  );
}

/** What the steps of the generated workflow run. */
function workflowCommands(clone: string): string[] {
  const { jobs } = load(readFileSync(join(clone, ".github/workflows/site.yml"), "utf8")) as {
    readonly jobs: { readonly build: { readonly steps: readonly { readonly run?: string }[] } };
  };
  return jobs.build.steps.flatMap(({ run: command }) => (command === undefined ? [] : [command]));
}

/** A module that sets the clock of a Node process forward. @returns its address */
function clockAhead(ms: number): string {
  const file = join(folder, "clock-ahead.mjs");
  writeFileSync(
    file,
    `const Real = Date;
     globalThis.Date = class Date extends Real {
       constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given); }
       static now() { return Real.now() + ${ms}; }
     };`,
  );
  return `file://${file}`;
}
