/** The front ends in examples/: installed, checked against the generated types, built, built again after a change, previewed. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesIn } from "./build/build-site.ts";
import { cms, emptyFolder, eventually, serve, tokenFor, type Server } from "./cli/process.ts";
import { brokenLinks, outlineProblems } from "./support/crawl.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const execute = promisify(execFile);
/** Says from what the output was made. */
const STATE = ".cms-state.json";
/** Id of a page of the starter. */
const ABOUT = 1987405521;

/** A front end in a temporary folder. */
interface FrontEnd {
  readonly dir: string;
  /** Of its commands. */
  readonly env: NodeJS.ProcessEnv;
}

interface Example {
  readonly name: string;
  readonly types: string;
  readonly out: string;
  /** The paths of rendered pages in the log of a build. */
  readonly rendered: RegExp;
  /** The development server, as arguments of Node. */
  development(port: number): string[];
}

const EXAMPLES: readonly Example[] = [
  {
    name: "eleventy",
    types: "cms/cms-types.d.ts",
    out: "_site",
    rendered: /Writing \.\/_site(\/\S*)index\.html/g,
    development: (port) => ["node_modules/@11ty/eleventy/cmd.cjs", "--serve", "--port", String(port)],
  },
];

describe("the example front end", () => {
  it.for(EXAMPLES)(
    "$name is built from the types of a site, renders again only what changed, and previews drafts",
    { timeout: 900_000 },
    async (example, { skip }) => {
      const front = await install(example, skip);
      const { site, server } = await serveBlog(front);
      const types = await cms(["types", "--root", site, "--out", join(front.dir, example.types)]);
      expect(types).toMatchObject({ code: 0 });
      await npmRun(front, "check");

      await build(example, front, site);
      const before = filesIn(join(front.dir, example.out));
      inspect(before);

      await change(server, `pages/${ABOUT}/`, { title_en: "About the writer" });
      // The page has one date of change for all languages, so its payload is another one in both.
      expect(await build(example, front, site)).toEqual(["/about/", "/it/chi-scrive/"]);
      const after = filesIn(join(front.dir, example.out));
      const changed = differing(before, after).filter((path) => path !== STATE);
      expect(changed).toContain("about/index.html");
      expect(changed.filter((path) => !path.startsWith("about/"))).toEqual([]);
      expect(after.get("about/index.html")).toContain("<h1>About the writer</h1>");

      await change(server, `pages/${ABOUT}/draft/`, { title_en: "About a draft" });
      const preview = await startDevelopment(example, front);
      const page = await (await fetch(`${preview}/preview/about/`)).text();
      expect(page).toContain("<h1>About a draft</h1>");
      expect(page).toContain('class="draft"');
      expect(await (await fetch(`${server.url}about/`)).text()).toContain("About the writer");
    },
  );
});

/** Skips the test where the registry of packages cannot be reached. */
async function install({ name }: Example, skip: (reason: string) => void): Promise<FrontEnd> {
  const dir = join(emptyFolder(), name);
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", `examples/${name}`];
  for (const path of execFileSync("git", list, { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean)) {
    const to = join(dir, path.slice(`examples/${name}/`.length));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(ROOT, path), to);
  }
  // Those that Vitest sets, such as PROD, would be taken for settings of the build.
  const foreign = /^(NODE_ENV|NODE_OPTIONS|VITEST.*|TEST|MODE|DEV|PROD|SSR|BASE_URL)$/;
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  const quiet = { CI: "true", NO_COLOR: "1" };
  const env = { ...inherited, ...quiet, npm_config_update_notifier: "false" };
  await execute("npm", ["ci", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: dir, env }).catch((error) => {
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(error.stderr)) throw error;
    skip("there is no registry of packages here");
  });
  return { dir, env };
}

/** A new blog and its service, which the commands of the front end will ask. */
async function serveBlog({ env }: FrontEnd): Promise<{ site: string; server: Server }> {
  const site = join(emptyFolder(), "site");
  expect(await cms(["init", site, "--starter", "blog"], { timeoutMs: 100_000 })).toMatchObject({ code: 0 });
  const token = await tokenFor(site);
  const server = await serve(site, [], { token });
  Object.assign(env, { CMS_URL: server.url.slice(0, -1), CMS_TOKEN: token });
  return { site, server };
}

async function npmRun({ dir, env }: FrontEnd, script: string): Promise<string> {
  const { stdout, stderr } = await execute("npm", ["run", script], { cwd: dir, env }).catch((error) => {
    throw new Error(`npm run ${script}: ${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

/** @returns the paths of the pages that were rendered, sorted */
async function build(example: Example, front: FrontEnd, site: string): Promise<string[]> {
  const args = ["build", "--root", site, "--data-only", "--out", join(front.dir, "data")];
  // The first build makes the renditions of all pictures.
  const data = await cms(args, { timeoutMs: 200_000 });
  expect(data).toMatchObject({ code: 0 });
  const said = await npmRun(front, "build");
  return [...said.matchAll(example.rendered)].map(([, path]) => path!.replace(/\/?$/, "/")).sort();
}

async function change(server: Server, path: string, body: object): Promise<void> {
  expect(await server.ask("PATCH", `api/cms/${path}`, body)).toMatchObject({ status: 200 });
}

/** Pictures with `srcset`, menus, the language switch, articles, and no link that leads nowhere. */
function inspect(files: ReadonlyMap<string, string>): void {
  const pages = new Map([...files].filter(([path]) => /(^|\/)index\.html$/.test(path) && !path.startsWith("404")));
  expect(pages.size).toBe(16);
  expect(brokenLinks(files)).toEqual([]);
  expect(outlineProblems(pages)).toEqual([]);
  const article = Buffer.from(files.get("a-cup-mended-twice/index.html")!, "latin1").toString();
  const renditions = "/media/renditions/mended-cup/";
  expect(sourcesIn(article)).toEqual([
    ["image/avif", ["sm-avif.avif 400w", "md-avif.avif 800w", "lg-avif.avif 1600w"].map((each) => renditions + each)],
    ["image/webp", ["sm-webp.webp 400w", "md-webp.webp 800w", "lg-webp.webp 1600w"].map((each) => renditions + each)],
  ]);
  expect(article).toMatch(/<img\s[^>]*width="2000"\s+height="1250"/);
  expect(article).toContain("<h2>The second time</h2>");
  expect(article).toMatch(/<a href="\/subjects\/#tag-\d+">Mending<\/a>/);
  expect(article).toMatch(/<a href="\/it\/una-tazza-aggiustata-due-volte\/"[^>]*>Italiano<\/a>/);
  expect(article).toMatch(/<a href="\/about\/"[^>]*>About<\/a>/);
  const home = files.get("it/index.html")!;
  expect(home).toMatch(/<a href="\/it\/chi-scrive\/"[^>]*>Chi scrive<\/a>/);
  expect(home).toContain(">11 gennaio 2026</time>");
}

/** Type and `srcset` of each source. */
const sourcesIn = (html: string): [string, string[]][] =>
  [...html.matchAll(/<source\s+type="([^"]+)"\s+srcset="([^"]+)"/gi)].map(([, type, srcset]) => [
    type!,
    srcset!.split(", "),
  ]);

/** Paths of files that only one has, or that differ. */
const differing = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));

/** @returns the address of the development server, without a final slash; stopped with the test */
async function startDevelopment(example: Example, { dir, env }: FrontEnd): Promise<string> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  // A group of its own, since these servers start further processes.
  const child = spawn(process.execPath, example.development(port), { cwd: dir, env, stdio: "ignore", detached: true });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-child.pid!, "SIGKILL");
    await ended;
  });
  await eventually(
    () =>
      fetch(`${address}/preview/about/`).then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  );
  return address;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
