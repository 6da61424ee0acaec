/** The front ends in examples/: installed, checked against the generated types, built, built again after a change, previewed. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesIn } from "./static-site/build-site.ts";
import { cms, emptyFolder, eventually, serve, tokenFor, type Server } from "./cli/process.ts";
import { signIn } from "./browser/editor-site.ts";
import { pictureBeside } from "./browser/pictures.ts";
import { CHROMIUM, launchBrowser } from "./support/browser.ts";
import { brokenLinks, outlineProblems } from "./support/crawl.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const execute = promisify(execFile);
/** Says from what the output was made, or when: another one after each build. */
const OF_BUILD = /^(\.cms-state\.json|(200|404)\.html|_nuxt\/builds\/.*)$/;
/** Id of a page of the starter. */
const ABOUT = 1987405521;
const SECRET = "that of the hook";

/** A front end in a temporary folder. */
interface FrontEnd extends Example {
  readonly dir: string;
  /** Of its commands. */
  readonly env: NodeJS.ProcessEnv;
  /** The program of Node. */
  readonly node: string;
  /** Where its server listens. */
  readonly port: number;
}

interface Example {
  readonly name: string;
  /** Where its types are, below its folder. */
  readonly types: string;
  /** The oldest Node that the tool runs on. */
  readonly needsNode: 20 | 22;
  /** Whether it reads the files of `cms build --data-only`, from its folder `data`; else it asks the service. */
  readonly readsFiles: boolean;
  /** Its output; null for one that is a server. */
  readonly out: string | null;
  /** The paths of rendered pages in the log of a build; null for a server. */
  readonly rendered: RegExp | null;
  /** The pages that it renders again after a change of any other. */
  readonly lists: readonly string[];
  /** The server that shows previews, as arguments of Node. */
  server(port: number): string[];
}

const EXAMPLES: readonly Example[] = [
  {
    name: "eleventy",
    types: "cms",
    needsNode: 20,
    readsFiles: true,
    out: "_site",
    rendered: /Writing \.\/_site(\/\S*)index\.html/g,
    lists: [],
    server: (port) => ["node_modules/@11ty/eleventy/cmd.cjs", "--serve", "--port", String(port)],
  },
  {
    name: "astro",
    types: "src",
    needsNode: 22,
    readsFiles: false,
    out: "dist",
    rendered: /[├└]─ (\/\S*)index\.html \(\+/g,
    lists: [],
    server: (port) => ["node_modules/astro/bin/astro.mjs", "dev", "--port", String(port)],
  },
  {
    name: "nuxt",
    types: "app",
    needsNode: 22,
    readsFiles: false,
    out: ".output/public",
    rendered: /[├└]─ (\/(?:\S*\/)?) \(/g,
    lists: ["/", "/it/", "/it/argomenti/", "/subjects/"],
    server: (port) => ["node_modules/nuxt/bin/nuxt.mjs", "dev", "--host", "127.0.0.1", "--port", String(port)],
  },
  {
    name: "next",
    types: "cms",
    needsNode: 20,
    readsFiles: false,
    out: null,
    rendered: null,
    lists: [],
    server: (port) => ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "--port", String(port)],
  },
];

describe("the example front ends, with the packed package", () => {
  // In turn, with one site: a build of four tools at a time takes more memory than it saves time.
  it(
    "are built from the types of a site, render again only what changed, and preview drafts",
    { timeout: 900_000 },
    async ({ skip }) => {
      const parts = await packAndNode(skip);
      const fronts: FrontEnd[] = [];
      for (const example of EXAMPLES) fronts.push(await install(example, parts));
      const { site, data, server } = await serveBlog(fronts);
      // The renditions of all pictures take many seconds.
      expect(await buildData(site, data)).toMatch(/Making renditions: \d+ of \d+/);
      const outputs = new Map<string, ReadonlyMap<string, string>>();
      for (const front of fronts) {
        await npmRun(front, "check");
        await build(front);
        if (front.out === null) continue;
        const files = filesIn(join(front.dir, front.out));
        inspect(front, files, server);
        outputs.set(front.name, files);
      }
      const next = fronts.find(({ out }) => out === null)!;
      await served(next, async (ask) => {
        const files = await answersOf(ask, outputs.get("eleventy")!);
        inspect(next, files, server);

        await change(server, `pages/${ABOUT}/`, { title_en: "About the writer" });
        expect(await ask("/api/changed/", { method: "POST", body: "{}" })).toMatchObject({ status: 401 });
        expect(await (await ask("/about/")).text()).not.toContain("About the writer");
        const answer = await ask("/api/changed/", { method: "POST", body: "{}", headers: signed("{}") });
        // The page has one date of change for all languages, so its payload is another one in both.
        expect(await answer.json()).toEqual({ changed: ["cms:/about/", "cms:/it/chi-scrive/"] });
        expect(await (await ask("/about/")).text()).toContain("<h1>About the writer</h1>");
      });

      await buildData(site, data);
      for (const front of fronts.filter(({ out }) => out !== null)) {
        const said = await build(front);
        if (!front.readsFiles) expect(said, front.name).toContain("16 pages, 2 of them fetched");
        const after = filesIn(join(front.dir, front.out!));
        expect(after.get("about/index.html")).toContain("<h1>About the writer</h1>");
        expect(after.has("preview/about/index.html")).toBe(false);
        if (front.rendered === null) continue;
        const rendered = [...said.matchAll(front.rendered)].map(([, path]) => path!).sort();
        const expected = ["/about/", "/it/chi-scrive/", ...front.lists].sort();
        expect(rendered, front.name).toEqual(expected);
        const changed = differing(outputs.get(front.name)!, after);
        expect(changed, front.name).toContain("about/index.html");
        const isExpected = (path: string): boolean =>
          OF_BUILD.test(path) || expected.some((page) => `/${dirname(path)}/`.replace("/./", "/") === page);
        expect(changed.filter((path) => !isExpected(path))).toEqual([]);
      }

      await change(server, `pages/${ABOUT}/draft/`, { title_en: "About a draft" });
      let editor: Page | undefined;
      for (const front of fronts)
        await served(front, async (ask) => {
          const page = await (await ask("/preview/about/")).text();
          expect(page, front.name).toMatch(/<h1 data-cms-field="title"\s*>About a draft<\/h1>/);
          expect(page).toContain('class="draft"');
          if (!CHROMIUM) return;
          // The first front end is previewed as soon as a page is open.
          editor ??= await editorOf(server);
          await typeBeside(editor, front);
        });
      expect(await (await fetch(`${server.url}about/`)).text()).toContain("About the writer");
    },
  );
});

interface Parts {
  /** The packed package. */
  readonly tarball: string;
  /** The programs of Node that there are, by the oldest version that is asked for. */
  readonly nodes: Readonly<Record<20 | 22, string>>;
}

/** The package, and a Node that is new enough for all tools. Skips the test where the registry of packages cannot be reached. */
async function packAndNode(skip: (reason: string) => void): Promise<Parts> {
  const dir = emptyFolder();
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", dir];
  const { stdout } = await execute("npm", pack, { cwd: ROOT });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const nodes = { 20: process.execPath, 22: process.execPath };
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
  if (major < 22 || (major === 22 && minor < 12)) {
    await npmInstall(dir, process.env, "node@22").catch((error: { stderr: string }) => {
      if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/.test(error.stderr)) throw error;
      skip("there is no registry of packages here");
    });
    nodes[22] = join(dir, "node_modules/node/bin/node");
  }
  return { tarball: join(dir, filename), nodes };
}

const npmInstall = (dir: string, env: NodeJS.ProcessEnv, ...what: string[]) =>
  execute("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...what], { cwd: dir, env });

/** A copy of an example with the packed package. */
async function install(example: Example, { tarball, nodes }: Parts): Promise<FrontEnd> {
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
  const node = nodes[example.needsNode];
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const env = { ...inherited, ...quiet, PATH: path, npm_config_update_notifier: "false" };
  await npmInstall(dir, env, tarball);
  return { ...example, dir, env, node, port: await freePort() };
}

/** A new blog, its service, which the commands of the front ends will ask, its types, and the folder of its files. */
async function serveBlog(fronts: readonly FrontEnd[]): Promise<{ site: string; data: string; server: Server }> {
  const folder = emptyFolder();
  const [site, data, types] = [join(folder, "site"), join(folder, "data"), join(folder, "cms-types.d.ts")];
  expect(await cms(["init", site, "--starter", "blog"], { timeoutMs: 100_000 })).toMatchObject({ code: 0 });
  const sites = fronts.map(({ port }) => `    - { URL: "http://127.0.0.1:${port}", PATH: /preview }\n`);
  appendFileSync(join(site, "cms.config.yaml"), `PREVIEW:\n  SITES:\n${sites.join("")}`);
  const token = await tokenFor(site);
  const server = await serve(site, [], { token });
  expect(await cms(["types", "--root", site, "--out", types])).toMatchObject({ code: 0 });
  for (const front of fronts) {
    cpSync(types, join(front.dir, front.types, "cms-types.d.ts"));
    if (front.readsFiles) symlinkSync(data, join(front.dir, "data"));
    Object.assign(front.env, { CMS_URL: server.url.slice(0, -1), CMS_TOKEN: token, CMS_HOOK_SECRET: SECRET });
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

/** @returns what it said */
const build = (front: FrontEnd): Promise<string> => npmRun(front, "build");

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
  expect(article).toMatch(/<a [^>]*href="\/subjects\/#tag-\d+"[^>]*>Mending<\/a>/);
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

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Runs the server of a front end, which is stopped afterwards. */
async function served({ server, node, dir, env, port }: FrontEnd, use: (ask: Ask) => Promise<void>): Promise<void> {
  // A group of its own, since these servers start further processes.
  const child = spawn(node, server(port), { cwd: dir, env, stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  const ask: Ask = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
  try {
    await eventually(
      () =>
        ask("/about/")
          .then(({ ok }) => ok)
          .catch(() => false),
      120_000,
    );
    await use(ask);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, "SIGKILL");
    await ended;
  }
}

/** The editor at the page that the front ends show, in a browser. */
async function editorOf(server: Server): Promise<Page> {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${server.url}admin/`);
  await signIn(page, "open sesame", "edith");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.goto(`${server.url}admin/pages/${ABOUT}`);
  return page;
}

/** What is typed is seen on the front end, and what is typed there is in the form, also after the page was left. */
async function typeBeside(page: Page, { name, port }: FrontEnd): Promise<void> {
  const title = page.getByRole("textbox", { name: "Title", exact: true });
  const places = page.getByRole("combobox", { name: "Where the page is shown" });
  await places.selectOption({ label: `127.0.0.1:${port}/preview` });
  const shown = page.frameLocator(".preview iframe");
  const heading = shown.getByRole("heading", { name: `Typed beside ${name}`, exact: true });
  await shown.locator("h1[data-cms-field]").waitFor({ timeout: 60_000 });
  await title.fill(`Typed beside ${name}`);
  // A development server compiles what it is asked for first.
  await heading.waitFor({ timeout: 60_000 });
  await heading.click();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await expect.poll(() => title.inputValue(), { message: name }).toBe(`Typed beside ${name}!`);
  await pictureBeside(page, `beside-${name}`);
  await page.keyboard.press("Enter");
  await page.getByText(/^Kept, not (published|saved)$/).waitFor();
  await page.reload();
  expect(await title.inputValue(), name).toBe(`Typed beside ${name}!`);
}

/** What a server answers where another front end has pages, as files; without style sheets and scripts. */
async function answersOf(ask: Ask, files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const file of files.keys()) {
    if (!/(^|\/)index\.html$/.test(file)) continue;
    const html = await (await ask(`/${file.slice(0, -"index.html".length)}`)).text();
    answers.set(
      file,
      Buffer.from(html)
        .toString("latin1")
        .replace(/<(link|script)\b[^>]*>/g, ""),
    );
  }
  return answers.set("favicon.svg", "");
}

/** The headers of a delivery of the hook. */
const signed = (body: string): Record<string, string> => ({
  "X-Cms-Signature-256": `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`,
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
