/** `static/`: what the service answers is what a host of the built files answers, for every path. */
import { mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { staticProblems } from "../../../src/store/check/static-files.ts";
import { servedPages } from "../../../src/views/page/served-pages.ts";
import { buildTree, emptyDir, filesIn, saveFile, TEMPLATES } from "../../static-site/build-site.ts";
import { memorySite, type MemorySite } from "../../site.ts";

const FILES: Readonly<Record<string, string>> = {
  "static/robots.txt": "User-agent: *\nDisallow: /drafts/\n",
  "static/css/site.css": "body { color: teal }",
  "static/js/site.js": "alert(1)",
  "static/demo/index.html": "<script>1</script>",
  "static/about/plan.pdf": "%PDF-",
  "static/about/index.html": "hidden by the page",
  "static/en/about/index.html": "below the prefix of the default language, where builds have no pages",
  "static/en/team": "the same",
  "static/CNAME": "example.org",
  "static/team": "hidden by the page",
  "static/caffè é.txt": "encoded",
  "static/.env": "SECRET=1",
  "static/.well-known/security.txt": "Contact: mailto:a@example.org\n",
  "static/.well-known/.secret": "no",
  "static/healthz": "no",
  "static/media/fake.png": "no",
  "static/_redirects": "/ https://example.com",
};

/** Files for the host and the next build. */
const FOR_THE_HOST = ["404.html", "_headers", "_redirects", "redirects.json"];

async function siteWithFiles(appendSlash = true): Promise<MemorySite> {
  const published = 'published_at: "2026-01-01T00:00:00Z"';
  const site = await memorySite(
    {
      "content/pages/home.yaml": `id: 1\ntranslations: {en: {title: Home, permalink: /, autopermalink: false, ${published}}, it: {title: Casa, permalink: /, autopermalink: false, ${published}}}\n`,
      "content/pages/about.yaml": `id: 2\ntranslations: {en: {title: About, ${published}}, it: {title: Chi siamo, ${published}}}\n`,
      "content/pages/team.yaml": `id: 3\ntranslations: {en: {title: Team, ${published}}}\n`,
      "content/articles/fog.yaml": `id: 4\ntranslations: {en: {title: Fog, description: "Thick & white", ${published}}}\n`,
      "content/redirects.yaml": "- { from: /old, to: /about/, status: 301 }\n",
    },
    { BASE_URL: "http://test.local", APPEND_SLASH: appendSlash },
  );
  for (const [path, text] of Object.entries({ ...TEMPLATES, ...FILES })) saveFile(site.cms.root, path, text);
  mkdirSync(join(site.cms.root, "outside"));
  saveFile(site.cms.root, "outside/secret.txt", "secret");
  symlinkSync("../outside", join(site.cms.root, "static/link"));
  symlinkSync("../outside/secret.txt", join(site.cms.root, "static/secret.txt"));
  return site;
}

interface Outcome {
  readonly status: number;
  readonly text: string;
}

/** As a plain host answers: a file, the index of a folder, a redirect, the page for errors. */
function hostOf(files: ReadonlyMap<string, string>): (path: string) => Outcome {
  const redirects = JSON.parse(files.get("redirects.json")!) as { from: string; to: string }[];
  const answer = (path: string): Outcome => {
    const decoded = Buffer.from(decodeURIComponent(path.slice(1)), "utf8").toString("utf8");
    const isFolder = decoded === "" || decoded.endsWith("/");
    const file = files.get(isFolder ? `${decoded}index.html` : decoded);
    if (file !== undefined) return { status: 200, text: file };
    if (!isFolder && files.has(`${decoded}/index.html`)) return answer(`${path}/`);
    const redirect = redirects.find(({ from }) => from.replace(/\/$/, "") === path.replace(/\/$/, ""));
    return redirect ? answer(redirect.to) : { status: 404, text: files.get("404.html")! };
  };
  return answer;
}

async function follow(site: MemorySite, path: string): Promise<Outcome> {
  const answer = await site.ask("GET", path);
  const location = answer.headers.get("location");
  if (location !== null) return follow(site, new URL(location, "http://test.local").pathname);
  return { status: answer.status, text: Buffer.from(answer.bytes).toString("latin1") };
}

const ODD = [
  "/nowhere/",
  "/nowhere.txt",
  "/about",
  "/about/index.html",
  "/about/index.json",
  "/it/chi-siamo/index.html",
  "/demo",
  "/demo/",
  "/demo/index.html",
  "/css/",
  "/css",
  "/css/site.css/",
  "/CNAME",
  "/CNAME/",
  "/team",
  "/team/",
  "/en/about",
  "/old",
  "/old/",
  "/old/index.html",
  "/.env",
  "/.well-known/security.txt",
  "/.well-known/.secret",
  "/link/secret.txt",
  "/secret.txt",
  "/static/robots.txt",
  "/Robots.txt",
  "/media/fake.png",
  "/caff%C3%A8%20%C3%A9.txt",
  "/css/%73ite.css",
];

describe("static/", () => {
  it.each([[true], [false]])("answers every path as the built files do (APPEND_SLASH %s)", async (appendSlash) => {
    const site = await siteWithFiles(appendSlash);
    const out = join(emptyDir(), "out");
    expect((await buildTree(site, out)).failures).toEqual([]);
    const files = filesIn(out);
    const host = hostOf(files);
    const built = [...files.keys()].filter((path) => !FOR_THE_HOST.includes(path));
    expect(built).toEqual(expect.arrayContaining(["robots.txt", "css/site.css", "CNAME", "demo/index.html"]));
    expect(built.filter((path) => /env|well-known|secret|fake/.test(path))).toEqual([".well-known/security.txt"]);
    const paths = [
      ...built.map((path) => `/${path.split("/").map(encodeURIComponent).join("/")}`),
      ...built.flatMap((path) => (path.endsWith("index.html") ? [`/${path.slice(0, -"index.html".length)}`] : [])),
      ...ODD,
    ];
    for (const path of paths) {
      const served = await follow(site, path);
      const expected = host(path);
      // Missing media are answered with JSON.
      if (path.startsWith("/media/")) expect([path, served.status]).toEqual([path, expected.status]);
      else expect([path, served]).toEqual([path, expected]);
    }
    expect(files.get("robots.txt")).toBe(FILES["static/robots.txt"]);
  });

  it("has types, versions, ranges and the policy of pages", async () => {
    const site = await siteWithFiles();
    utimesSync(join(site.cms.root, "static/css/site.css"), 1_700_000_000, 1_700_000_000);
    const css = await site.ask("GET", "/css/site.css");
    const { headers } = css;
    expect([headers.get("content-type"), headers.get("accept-ranges"), headers.get("last-modified")]).toEqual([
      "text/css; charset=utf-8",
      "bytes",
      "Tue, 14 Nov 2023 22:13:20 GMT",
    ]);
    const etag = headers.get("etag")!;
    expect((await site.ask("GET", "/css/site.css", { headers: { "if-none-match": etag } })).status).toBe(304);
    const part = await site.ask("GET", "/css/site.css", { headers: { range: "bytes=0-3" } });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "body", "bytes 0-3/20"]);
    const head = await site.ask("HEAD", "/css/site.css");
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "20"]);
    const js = await site.ask("GET", "/js/site.js");
    expect([js.headers.get("content-type"), js.headers.get("content-disposition")]).toEqual([
      "text/javascript; charset=utf-8",
      null,
    ]);
    expect((await site.ask("GET", "/demo/")).headers.get("content-security-policy")).toContain("default-src 'self'");
    expect((await site.ask("POST", "/css/site.css")).status).toBe(405);
  });

  it("follows changes in the next build: files that come, change and go, and places that pages take", async () => {
    const site = await siteWithFiles();
    const out = join(emptyDir(), "out");
    await buildTree(site, out);
    saveFile(site.cms.root, "static/css/site.css", "body { color: maroon }");
    saveFile(site.cms.root, "static/new.txt", "new");
    const permalinks = { title: "CNAME", permalink: "/CNAME", autopermalink: false };
    await expect(site.page(permalinks, ["en"])).rejects.toThrow("The site has static/CNAME at this address.");
    expect((await site.page({ title: "Css" }, ["en"])).permalink).toBe("/css-2");
    rmSync(join(site.cms.root, "static/CNAME"));
    const page = await site.page(permalinks, ["en"]);
    saveFile(site.cms.root, "static/CNAME", "example.org");
    expect((await buildTree(site, out)).failures).toEqual([]);
    const files = filesIn(out);
    expect([files.get("css/site.css"), files.get("new.txt"), files.has("CNAME")]).toEqual([
      "body { color: maroon }",
      "new",
      false,
    ]);
    expect(files.get(`${page.permalink.slice(1)}/index.html`)).toContain("CNAME");
    await site.api("DELETE", `pages/${page.id}/`);
    const fresh = join(emptyDir(), "out");
    await buildTree(site, out);
    await buildTree(site, fresh);
    expect(filesIn(out)).toEqual(filesIn(fresh));
    expect(filesIn(out).get("CNAME")).toBe("example.org");
  });

  it("`cms check` names files that are not published, and pages whose address a file has", async () => {
    const site = await siteWithFiles();
    const { root, store, locales, config, env } = site.cms;
    const problems = async (): Promise<string[]> =>
      (await staticProblems(root, locales, await servedPages({ content: store.current, config, now: env.now() }))).map(
        ({ path, severity = "error", message }) => `${severity} ${path} ${message}`,
      );
    expect(await problems()).toEqual([
      "error static/_redirects The address /_redirects is used by git-cms itself. The file is not published.",
      "warning static/about/index.html Page 2 has its address: the file is not published.",
      "error static/healthz The address /healthz is used by git-cms itself. The file is not published.",
      "error static/media/fake.png Addresses below /media/ belong to the media library. The file is not published.",
      "warning static/team Page 3 has its address: the file is not published.",
    ]);
  });
});
