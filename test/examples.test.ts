/** The front ends in examples/: installed, checked against the generated types, built, built again after a change, previewed. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { filesIn } from "./static-site/build-site.ts";
import { cms, emptyFolder, eventually, serve, tokenFor, type Server } from "./cli/process.ts";
import { brokenLinks, outlineProblems } from "./support/crawl.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const execute = promisify(execFile);
/** Says from what the output was made. */
const STATE = ".cms-state.json";
/** Id of a page of the starter. */
const ABOUT = 1987405521;

/** A front end in a temporary folder. */
interface FrontEnd extends Example {
  readonly dir: string;
  /** Of its commands. */
  readonly env: NodeJS.ProcessEnv;
}

interface Example {
  readonly name: string;
  /** Whether it reads the files of `cms build --data-only`, from its folder `data`; else it asks the service. */
  readonly readsFiles: boolean;
  readonly out: string;
  /** The paths of rendered pages in the log of a build. */
  readonly rendered: RegExp;
  /** The development server, as arguments of Node. */
  development(port: number): string[];
}

const EXAMPLES: readonly Example[] = [
  {
    name: "eleventy",
    readsFiles: true,
    out: "_site",
    rendered: /Writing \.\/_site(\/\S*)index\.html/g,
    development: (port) => ["node_modules/@11ty/eleventy/cmd.cjs", "--serve", "--port", String(port)],
  },
  {
    name: "astro",
    readsFiles: false,
    out: "dist",
    rendered: /[├└]─ (\/\S*)index\.html/g,
    development: (port) => ["node_modules/astro/astro.js", "dev", "--port", String(port)],
  },
  {
    name: "next",
    readsFiles: true,
    out: "site",
    rendered: /Rendered (\/\S*)index\.html/g,
    development: (port) => ["node_modules/next/dist/bin/next", "dev", "--port", String(port)],
  },
];

describe("the example front ends", () => {
  // In turn, with one site: a build of three tools at a time takes more memory than it saves time.
  it(
    "are built from the types of a site, render again only what changed, and preview drafts",
    { timeout: 900_000 },
    async ({ skip }) => {
      const fronts = await Promise.all(EXAMPLES.map((example) => install(example, skip)));
      const { site, data, server } = await serveBlog(fronts);
      // The renditions of all pictures take many seconds.
      expect(await buildData(site, data)).toMatch(/Making renditions: \d+ of \d+/);
      const outputs: ReadonlyMap<string, string>[] = [];
      for (const front of fronts) {
        await npmRun(front, "check");
        await build(front);
        const files = filesIn(join(front.dir, front.out));
        inspect(front, files, server);
        outputs.push(files);
      }

      await change(server, `pages/${ABOUT}/`, { title_en: "About the writer" });
      await buildData(site, data);
      for (const [at, front] of fronts.entries()) {
        // The page has one date of change for all languages, so its payload is another one in both.
        expect(await build(front), front.name).toEqual(["/about/", "/it/chi-scrive/"]);
        const after = filesIn(join(front.dir, front.out));
        const changed = differing(outputs[at]!, after).filter((path) => path !== STATE);
        expect(changed, front.name).toContain("about/index.html");
        expect(changed.filter((path) => !path.startsWith("about/"))).toEqual([]);
        expect(after.get("about/index.html")).toContain("<h1>About the writer</h1>");
        expect(after.has("preview/about/index.html")).toBe(false);
      }

      await change(server, `pages/${ABOUT}/draft/`, { title_en: "About a draft" });
      for (const front of fronts) {
        const page = await preview(front, "/preview/about/");
        expect(page, front.name).toContain("<h1>About a draft</h1>");
        expect(page).toContain('class="draft"');
      }
      expect(await (await fetch(`${server.url}about/`)).text()).toContain("About the writer");
    },
  );
});

/** Skips the test where the registry of packages cannot be reached. */
async function install(example: Example, skip: (reason: string) => void): Promise<FrontEnd> {
  const { name } = example;
  const dir = join(emptyFolder(), name);
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", `examples/${name}`];
  for (const path of execFileSync("git", list, { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean)) {
    const to = join(dir, path.slice(`examples/${name}/`.length));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(ROOT, path), to);
  }
  // Those that Vitest sets, such as PROD, would be taken for settings of the build.
  const foreign = /^(NODE_ENV|NODE_OPTIONS|VITEST.*|TEST|MODE|DEV|PROD|SSR|BASE_URL)$/;
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([key]) => !foreign.test(key)));
  const quiet = { CI: "true", NO_COLOR: "1", ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1" };
  const env = { ...inherited, ...quiet, npm_config_update_notifier: "false" };
  await execute("npm", ["ci", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: dir, env }).catch((error) => {
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(error.stderr)) throw error;
    skip("there is no registry of packages here");
  });
  return { ...example, dir, env };
}

/** A new blog, its service, which the commands of the front ends will ask, its types, and the folder of its files. */
async function serveBlog(fronts: readonly FrontEnd[]): Promise<{ site: string; data: string; server: Server }> {
  const folder = emptyFolder();
  const [site, data, types] = [join(folder, "site"), join(folder, "data"), join(folder, "cms-types.d.ts")];
  expect(await cms(["init", site, "--starter", "blog"], { timeoutMs: 100_000 })).toMatchObject({ code: 0 });
  const token = await tokenFor(site);
  const server = await serve(site, [], { token });
  expect(await cms(["types", "--root", site, "--out", types])).toMatchObject({ code: 0 });
  for (const { dir, env, readsFiles } of fronts) {
    cpSync(types, join(dir, "cms/cms-types.d.ts"));
    if (readsFiles) symlinkSync(data, join(dir, "data"));
    Object.assign(env, { CMS_URL: server.url.slice(0, -1), CMS_TOKEN: token });
  }
  return { site, data, server };
}

/** @returns what it said meanwhile */
async function buildData(site: string, data: string): Promise<string> {
  const built = await cms(["build", "--root", site, "--data-only", "--out", data], { timeoutMs: 200_000 });
  expect(built).toMatchObject({ code: 0 });
  return built.err;
}

async function npmRun({ dir, env }: FrontEnd, script: string): Promise<string> {
  const { stdout, stderr } = await execute("npm", ["run", script], { cwd: dir, env }).catch((error) => {
    throw new Error(`npm run ${script}: ${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

/** @returns the paths of the pages that were rendered, sorted */
async function build(front: FrontEnd): Promise<string[]> {
  const said = await npmRun(front, "build");
  return [...said.matchAll(front.rendered)].map(([, path]) => path!).sort();
}

async function change(server: Server, path: string, body: object): Promise<void> {
  expect(await server.ask("PATCH", `api/cms/${path}`, body)).toMatchObject({ status: 200 });
}

/** Pictures with `srcset`, menus, the language switch, articles, and no link that leads nowhere. */
function inspect({ name, readsFiles }: Example, files: ReadonlyMap<string, string>, server: Server): void {
  const pages = new Map([...files].filter(([path]) => /(^|\/)index\.html$/.test(path) && !/^(404|_not)/.test(path)));
  expect(pages.size, name).toBe(16);
  expect(brokenLinks(files), name).toEqual([]);
  expect(outlineProblems(pages), name).toEqual([]);
  // Of the links in menus, that to the page itself is marked, and no other.
  const links = [...files.get("about/index.html")!.matchAll(/<a\s[^>]*>/g)].map(([link]) => link);
  const marked = links.filter((link) => /aria-current/.test(link));
  expect(new Set(marked.map((link) => /href="([^"]*)"/.exec(link)?.[1])), name).toEqual(new Set(["/about/"]));
  expect(
    marked.filter((link) => !link.includes('aria-current="page"')),
    name,
  ).toEqual([]);
  const article = Buffer.from(files.get("a-cup-mended-twice/index.html")!, "latin1").toString();
  const renditions = `${readsFiles ? "/" : server.url}media/renditions/mended-cup/`;
  expect(sourcesIn(article), name).toEqual([
    ["image/avif", ["sm-avif.avif 400w", "md-avif.avif 800w", "lg-avif.avif 1600w"].map((each) => renditions + each)],
    ["image/webp", ["sm-webp.webp 400w", "md-webp.webp 800w", "lg-webp.webp 1600w"].map((each) => renditions + each)],
  ]);
  expect(article).toMatch(/<img\s[^>]*width="2000"\s+height="1250"/);
  expect(article).toContain("<h2>The second time</h2>");
  expect(article).toMatch(/<a [^>]*href="\/subjects\/#tag-\d+">Mending<\/a>/);
  expect(article).toMatch(/<a [^>]*href="\/it\/una-tazza-aggiustata-due-volte\/"[^>]*>\s*Italiano\s*<\/a>/);
  expect(article).toMatch(/<a [^>]*href="\/about\/"[^>]*>\s*About\s*<\/a>/);
  const home = files.get("it/index.html")!;
  expect(home).toMatch(/<a [^>]*href="\/it\/chi-scrive\/"[^>]*>\s*Chi scrive\s*<\/a>/);
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

/** @returns what the development server, stopped afterwards, answers a path with once it answers */
async function preview({ development, dir, env }: FrontEnd, path: string): Promise<string> {
  const port = await freePort();
  // A group of its own, since these servers start further processes.
  const child = spawn(process.execPath, development(port), { cwd: dir, env, stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  let page = "";
  const ask = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    page = await answer.text();
    return answer.ok;
  };
  try {
    await eventually(() => ask().catch(() => false), 120_000);
    return page;
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, "SIGKILL");
    await ended;
  }
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
