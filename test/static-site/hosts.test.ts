/** The example site after renames, built for each host: every address, present or former, leads where the service leads it. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { nameError } from "../../src/model/address/possible-names.ts";
import { REDIRECT_HOSTS } from "../../src/static-site/redirect-files.ts";
import { memorySite, writeTemplate, type TestSite } from "../site.ts";
import { serveFiles } from "../support/static-host.ts";
import { INSTALLED, startWebServer } from "../support/web-servers.ts";
import { buildTree, emptyDir, filesIn } from "./build-site.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ORIGIN = "http://test.local";

const REDIRECTS = `
- { from: /whats-on, to: /logbook }
- { from: /news.php, to: /logbook }
- { from: /old/page.html, to: "/logbook/?from=old#top" }
- { from: "/was ist (los)?", to: /about-us, status: 302 }
- { from: "/50%$1{x}", to: "https://example.com/a%20b?c=$1" }
- { from: /caffè, to: /about-us }
- { from: /whats-on, to: /about-us }
- { from: /novità, to: /giornale-di-bordo, language: it }
`;

/** The example, with five renamed pages, a moved file and further redirects. */
async function renamedExample(): Promise<TestSite> {
  const content = join(ROOT, "content");
  const files: Record<string, string> = {};
  for (const entry of readdirSync(content, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      files[path.slice(ROOT.length).replace(/^\//, "")] = readFileSync(path, "utf8");
    }
  files["content/redirects.yaml"] += REDIRECTS;
  const [media] = Object.keys(files).filter((path) => /^content\/media\/.*\.yaml$/.test(path));
  files["media/" + media!.slice("content/media/".length).replace(/\.yaml$/, "")] = "committed";
  files[media!] += "aliases:\n  - old/first picture.jpg\n";
  const site = await memorySite(files);
  for (const part of ["templates", "media"]) cpSync(join(ROOT, part), join(site.repo.root, part), { recursive: true });
  const pages = (await site.api("GET", "pages/")) as { id: number; permalink: string }[];
  const renamed = pages.filter(({ permalink }) => permalink.length > 1).slice(0, 5);
  for (const [at, { id }] of renamed.entries())
    await site.api("PATCH", `pages/${id}/`, {
      autopermalink_en: false,
      permalink_en: `/renamed-${at}`,
      autopermalink_it: false,
      permalink_it: `/rinominata-${at}`,
    });
  return site;
}

type Ask = (path: string) => Promise<{ readonly status: number; readonly location: string | null }>;

const pathIn = (location: string, origin: string): string => {
  const url = new URL(location, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : url.href;
};

/** Where a visitor ends who follows every redirect, and the statuses on the way that are neither 301 nor 302. */
async function endOf(ask: Ask, path: string): Promise<string> {
  let at = path;
  for (let steps = 0; steps < 6; steps++) {
    if (!at.startsWith("/")) return at;
    const { status, location } = await ask(at.replace(/#.*/, ""));
    if (location === null) return `${status} ${at}`;
    if (status !== 301 && status !== 302) return `${status} to ${location}`;
    at = location;
  }
  return "a circle";
}

const served =
  (site: TestSite): Ask =>
  async (path) => {
    const { status, headers } = await site.ask("GET", path);
    const location = headers.get("location");
    return { status, location: location && pathIn(location, ORIGIN) };
  };

const fetched =
  (origin: string): Ask =>
  async (path) => {
    const { status, headers, body } = await fetch(origin + path, { redirect: "manual" });
    await body?.cancel();
    const location = headers.get("location");
    // nginx cannot be given a dollar sign.
    return { status, location: location && pathIn(location, origin).replaceAll("%24", "$") };
  };

/** A host that compares paths with its own rules before it looks for a file. */
const ruled = (files: string, rule: (path: string) => { to: string; status: number } | undefined): Ask => {
  const plain = fetched(files);
  return async (path) => {
    const found = rule(path.replace(/\?.*/, ""));
    if (!found) return plain(path);
    const query = /\?.*/.exec(path)?.[0] ?? "";
    return { status: found.status, location: /[?#]/.test(found.to) ? found.to : found.to + query };
  };
};

/** Builds it for every host. @returns the former addresses that were tried */
async function expectSameEverywhere(
  site: TestSite,
): Promise<{ readonly urls: number; readonly former: readonly string[] }> {
  const out = join(emptyDir(), "out");
  mkdirSync(out, { recursive: true });
  const report = await buildTree(site, out, { redirects: REDIRECT_HOSTS });
  expect(report.failures).toEqual([]);
  const { urls, redirects } = (await site.ask("GET", "api:pages-router/changes")).body as {
    urls: { path: string }[];
    redirects: { from: string; to: string }[];
  };
  const former = redirects.flatMap(({ from }) =>
    from.endsWith("/") && !/\.[a-z]+\/$/.test(from) ? [from, from.slice(0, -1)] : [from.replace(/(\..*)\/$/, "$1")],
  );
  const addresses = [...urls.map(({ path }) => path), ...former].map((path) =>
    path.split("/").map(encodeURIComponent).join("/"),
  );
  const expected = new Map<string, string>();
  const query = addresses.filter((path) => path === "/whats-on").map((path) => `${path}?a=1`);
  for (const path of [...addresses, ...query, "/nowhere/"]) expected.set(path, await endOf(served(site), path));
  for (const path of query) expect(expected.get(path)).toBe("200 /logbook/?a=1");
  expect([...expected].filter(([path, end]) => !/^(200 |https:)/.test(end) && path !== "/nowhere/")).toEqual([]);

  const files = filesIn(out);
  const plain = await serveFiles(out);
  const text = (name: string): string => Buffer.from(files.get(name)!, "latin1").toString();
  const list = new Map(
    text("_redirects")
      .trim()
      .split("\n")
      .map((line) => line.split(" "))
      .map(([from, to, status]): [string, { to: string; status: number }] => [
        from!,
        { to: to!, status: Number(status) },
      ])
      .reverse(),
  );
  const vercel = (
    JSON.parse(text("vercel.json")) as { redirects: { source: string; destination: string; statusCode: number }[] }
  ).redirects.map(({ source, destination, statusCode }) => ({
    // Of the patterns that Vercel reads, these are only escaped characters.
    pattern: new RegExp(`^${source}$`),
    to: destination,
    status: statusCode,
  }));
  const stub: Ask = async (path) => {
    const bare = decodeURIComponent(path.replace(/[?#].*/, ""));
    const [file, page] = [bare.slice(1), `${bare.replace(/\/$/, "").slice(1)}/index.html`.replace(/^\//, "")];
    const html = text(files.has(latin1(file)) ? latin1(file) : files.has(latin1(page)) ? latin1(page) : "404.html");
    const to = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(html)?.[1];
    expect(to === undefined || html.includes(`<link rel="canonical" href="${to}">`)).toBe(true);
    return to === undefined ? fetched(plain)(path) : { status: 301, location: to.replaceAll("&amp;", "&") };
  };
  const latin1 = (name: string): string => name;

  const hosts: [string, Ask][] = [
    ["_redirects", ruled(plain, (path) => list.get(path))],
    ["vercel.json", ruled(plain, (path) => vercel.find(({ pattern }) => pattern.test(path)))],
    ["github-pages", stub],
  ];
  chmodSync(join(out, ".."), 0o755);
  const picture = [...files.keys()].find((path) => /^media\/[\w-]+\.jpg$/.test(path))!;
  for (const name of INSTALLED) {
    const origin = await startWebServer(name, out);
    hosts.push([name, fetched(origin)]);
    const { headers } = await fetch(`${origin}/${picture}`, { method: "HEAD" });
    expect([name, headers.get("cache-control")]).toEqual([name, "public, max-age=300"]);
  }
  for (const [host, ask] of hosts) {
    const different: string[] = [];
    for (const [path, end] of expected) {
      // A page of a plain host keeps no query, and has a name that every file system can hold.
      const isBeyondFiles =
        path.includes("?") ||
        decodeURIComponent(path)
          .split("/")
          .some((part) => part !== "" && nameError(part));
      if (host === "github-pages" && isBeyondFiles) continue;
      const found = await endOf(ask, path);
      if (found !== end) different.push(`${path}: ${found}, not ${end}`);
    }
    expect([host, different]).toEqual([host, []]);
  }
  return { urls: urls.length, former };
}

it("leads every address where the service does, on each host", { timeout: 120_000 }, async () => {
  const { urls, former } = await expectSameEverywhere(await renamedExample());
  expect([urls > 25, former.length > 15]).toEqual([true, true]);
  expect(former).toEqual(
    expect.arrayContaining(["/media/old/first picture.jpg", "/news.php", "/old/page.html", "/whats-on"]),
  );
});

const NAMES = [
  "Was ist (los)?",
  "50% + $1",
  "caffè",
  "Ä ö",
  "日本",
  "a.b",
  "x",
  'O\'Neil & "Co"',
  "{y}|z",
  "été/hiver",
  "C#",
  "~user",
];
const name = fc.constantFrom(...NAMES);
const index = fc.nat({ max: 7 });
const randomSite = fc.record({
  titles: fc.array(name, { minLength: 4, maxLength: 8 }),
  parents: fc.array(index, { minLength: 8, maxLength: 8 }),
  renames: fc.array(fc.tuple(index, name), { minLength: 4, maxLength: 8 }),
  redirects: fc.uniqueArray(fc.tuple(name, fc.constantFrom("", ".php", "/x.html"), index, fc.constantFrom(301, 302)), {
    minLength: 2,
    maxLength: 4,
    selector: ([from, end]) => from + end,
  }),
  pictures: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
});

// Each site is built for every host and crawled on each server that is installed: three take seconds.
it.each(fc.sample(randomSite, 3))(
  "leads every address of a random site where the service does: %j",
  { timeout: 120_000 },
  async ({ titles, parents, renames, redirects, pictures }) => {
    const site = await memorySite({
      "media/pic.jpg": "committed",
      "content/media/pic.jpg.yaml": `id: 900\naliases:\n${pictures.map((each) => `  - ${JSON.stringify(`${each.replaceAll("/", "-")}.jpg`)}\n`).join("")}`,
    });
    writeTemplate(site, "defaults/pages/default.html");
    writeTemplate(site, "404.html", "There is no such page.");
    cpSync(join(ROOT, "media/first-ferry.jpg"), join(site.repo.root, "media/pic.jpg"));
    const pages: number[] = [];
    for (const [at, title] of titles.entries()) {
      const parent = pages[parents[at]!];
      pages.push(
        (await site.page({ title: `${title} ${at}`, ...(parent && { parent_page: parent }) }, ["en", "it"])).id,
      );
    }
    for (const [of, title] of renames)
      await site.api("PATCH", `pages/${pages[of % pages.length]!}/`, { title_en: title, title_it: `${title} it` });
    const { body } = await site.ask("GET", "api:pages-router/changes");
    const targets = (body as { urls: { path: string }[] }).urls.map(({ path }) => path);
    const list = redirects.map(([from, end, to, status]) => ({
      from: `/old ${from.replaceAll("/", "-")}${end}`,
      to: targets[to % targets.length]!,
      status,
    }));
    site.repo.write("content/redirects.yaml", JSON.stringify(list));
    site.repo.commitByHand("Redirects");
    await site.cms.store.refresh();
    const found = await expectSameEverywhere(site);
    expect(found.former.length).toBeGreaterThanOrEqual(list.length + pictures.length);
  },
);

it("has no dead link in texts to renamed pages and moved files, without any redirect of the host", async () => {
  const site = await memorySite({
    "content/pages/about.yaml":
      "id: 1\ntranslations:\n  en: { title: About, permalink: /about, published_at: 2026-01-01T00:00:00Z }\naliases:\n  - { language: en, from: /who-we-are }\n",
    "content/pages/home.yaml": `id: 2
template: home.html
translations:
  en:
    title: Home
    permalink: /
    published_at: 2026-01-01T00:00:00Z
    template_data:
      body: "[us](/who-we-are?a=1&b=2#team) [slash](/who-we-are/) [now](/about/) \`[code](/who-we-are/)\` <a href='/who-we-are'>we</a> <p>href=\\"/who-we-are/\\"</p> [no](/nowhere/) [out](https://example.org/who-we-are/)"
      html: '<p><a href="/who-we-are/">we</a></p>'
`,
  });
  writeTemplate(site, "home.html", "{{ page.template_data.body | markdown }}{{ page.template_data.html | html }}");
  writeTemplate(site, "defaults/pages/default.html", "x");
  const out = join(emptyDir(), "out");
  await buildTree(site, out);
  const html = filesIn(out).get("index.html")!;
  expect((await site.ask("GET", "/")).text).toBe(html);
  expect([...html.matchAll(/href=["'](.*?)["']/g)].map(([, address]) => address)).toEqual([
    "/about/?a=1&amp;b=2#team",
    "/about/",
    "/about/",
    "/about/",
    "/nowhere/",
    "https://example.org/who-we-are/",
    "/about/",
  ]);
  expect(html).toContain("href=&quot;/who-we-are/&quot;");
});

it("renders a page again whose text links to a page that is renamed, and no other", async () => {
  const site = await memorySite();
  writeTemplate(site, "defaults/pages/default.html", "{{ page.template_data.body | markdown }}");
  const about = await site.page({ title: "About" }, ["en"]);
  await site.page({ title: "Linking", template_data: { body: "[a](/about/)" } }, ["en"]);
  await site.page({ title: "Other", template_data: { body: "[a](/linking/)" } }, ["en"]);
  const out = join(emptyDir(), "out");
  await buildTree(site, out);
  await site.api("PATCH", `pages/${about.id}/`, { title: "Us" });
  expect((await buildTree(site, out)).rendered).toBe(2); // the renamed page, and the one that links to it
  expect(filesIn(out).get("linking/index.html")).toContain('href="/us/"');
});
