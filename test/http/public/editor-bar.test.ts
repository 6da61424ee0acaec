/** The bar on pages of the site: for an account with a session that may edit, and in nothing that others get. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openAdminFiles } from "../../../src/http/routes/admin.ts";
import { h3App } from "../../../src/http/app/h3-app.ts";
import { memorySite, writeTemplate } from "../../site.ts";
import { signIn } from "../routes/accounts/sign-in.ts";

const BAR = /git-cms-bar|Edit this page/;

async function site(options: { withStyle?: boolean } = {}) {
  const made = await memorySite({}, { PREVIEW: { SITES: [{ URL: "https://www.example.org", PATH: "" }] } });
  writeTemplate(made, "defaults/pages/default.html", "<body><h1>{{ page.title }}</h1></BODY>");
  const dir = await mkdtemp(join(tmpdir(), "cms-admin-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, "assets"));
  await writeFile(join(dir, "index.html"), '<base href="/">');
  if (options.withStyle !== false) await writeFile(join(dir, "assets/bar-12ab34cd.css"), "nav{}");
  const app = h3App(made.cms, { admin: await openAdminFiles(dir, made.cms.config) });
  const about = await made.page({ title: "About <b>", permalink: "/about", autopermalink: false }, ["en"]);
  const see = async (path: string, cookie = "", headers: Record<string, string> = {}) => {
    const sent = { ...(cookie !== "" && { cookie }), ...headers };
    const answer = await app.request(new Request(`http://test.local${path}`, { headers: sent }));
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const cookieOf = async (name: string, account: object): Promise<string> =>
    `sessionid=${(await signIn(made, name, account)).cookies.get("sessionid")}`;
  return { ...made, about, see, cookieOf };
}

it("leads to the page in the editor, in its language, and is stored nowhere", async () => {
  const { see, cookieOf, about, api } = await site();
  const cookie = await cookieOf("ada", { is_staff: true });
  const visitor = await see("/about/");
  expect(visitor.text).not.toMatch(BAR);
  const seen = await see("/about/", cookie);
  expect(seen.status).toBe(200);
  expect(seen.text).toContain(`<a href="/admin/pages/${about.id}?lang=en">Edit this page</a>`);
  expect(seen.text).toContain('href="/admin/assets/bar-12ab34cd.css"');
  expect(seen.text).toContain("<span>Live</span>");
  expect(seen.text).toMatch(/<\/git-cms-bar><\/BODY>$/);
  expect(seen.text.replace(/<git-cms-bar>[^]*<\/git-cms-bar>/, "")).toBe(visitor.text);
  expect(seen.headers.get("cache-control")).toBe("no-store, private");
  expect(seen.headers.get("vary")).toContain("Cookie");
  expect(seen.headers.get("content-security-policy")).toBe(visitor.headers.get("content-security-policy"));
  expect(seen.text).not.toMatch(/<script|\son\w+=/);
  await api("PATCH", `pages/${about.id}/draft/`, { title: "Later" });
  expect((await see("/about/", cookie, { "accept-language": "it-IT" })).text).toMatch(/Modifica[^]*Bozza in attesa/);
});

it("stands at the end of the body, whatever letters the page has", async () => {
  const made = await site();
  writeTemplate(made, "defaults/pages/default.html", `<body>${"\u0130".repeat(500)}<p></body></p></body ></html>`);
  const seen = await made.see("/about/", await made.cookieOf("ada", { is_staff: true }));
  expect(seen.text).toMatch(/<p><\/body><\/p><git-cms-bar>[^]*<\/git-cms-bar><\/body ><\/html>$/);
});

it("is not in what a visitor, reader, token or expired session gets, also after an editor looked at the page", async () => {
  const { see, cookieOf, token, clock } = await site();
  const editor = await cookieOf("ada", { is_staff: true });
  const reader = await cookieOf("rita", {});
  const narrow = await cookieOf("nina", { is_staff: true, user_permissions: ["cms.change_menu"] });
  const visitor = await see("/about/");
  for (let round = 0; round < 2; round++) {
    expect((await see("/about/", editor)).text).toMatch(BAR);
    for (const cookie of ["", reader, narrow, "sessionid=x", `sessionid=${"A".repeat(43)}`]) {
      const seen = await see("/about/", cookie);
      expect([cookie, seen.text, seen.headers.get("cache-control")]).toEqual([cookie, visitor.text, "no-cache"]);
    }
    expect((await see("/about/", "", { authorization: `Token ${await token("superuser")}` })).text).toBe(visitor.text);
  }
  for (const path of ["/nothing/", "/robots.txt", "/sitemap.xml", "/about/index.json", "/api/cms/pages-router/about/"])
    expect([path, (await see(path, editor)).text.match(BAR)]).toEqual([path, null]);
  clock.tick(15 * 24 * 3600 * 1000);
  expect((await see("/about/", editor)).text).toBe(visitor.text);
});

it("revalidates: what a browser stored as a visitor is not taken for the page with the bar, nor the other way", async () => {
  const { see, cookieOf } = await site();
  const editor = await cookieOf("ada", { is_staff: true });
  const known = (await see("/about/")).headers.get("etag");
  if (known) expect((await see("/about/", editor, { "if-none-match": known })).status).toBe(200);
  const own = (await see("/about/", editor)).headers.get("etag");
  if (own) expect((await see("/about/", "", { "if-none-match": own })).status).toBe(200);
  expect(own === null || own !== known).toBe(true);
});

it("needs the editor that was bundled", async () => {
  const { see, cookieOf } = await site({ withStyle: false });
  expect((await see("/about/", await cookieOf("ada", { is_staff: true }))).text).not.toMatch(BAR);
});

it("leads to an article in the editor, for an account that may change articles", async () => {
  const made = await site();
  writeTemplate(made, "defaults/articles/default.html", "<body><h1>{{ page.title }}</h1></body>");
  const { see, cookieOf, api } = made;
  const article = await api("POST", "articles/?language=en", { title: "Fog", autopermalink: false, permalink: "/fog" });
  await api("POST", `articles/${article.id}/publish/?language=en`);
  const seen = await see("/fog/", await cookieOf("ada", { is_staff: true }));
  expect(seen.text).toContain(`<a href="/admin/articles/${article.id}?lang=en">Edit this page</a>`);
  const other = await cookieOf("bea", { is_staff: true, user_permissions: ["cms.change_page"] });
  expect((await see("/fog/", other)).text).not.toMatch(BAR);
});

it("is a page for the frames of the front ends of the settings, empty for everybody who may not edit", async () => {
  const { see, cookieOf, about } = await site();
  const cookie = await cookieOf("ada", { is_staff: true });
  const at = "/api/cms/bridge-bar.html?path=/about/";
  const seen = await see(at, cookie);
  expect(seen.text).toContain(`<a target="_top" href="/admin/pages/${about.id}?lang=en">Edit this page</a>`);
  expect(seen.headers.get("cache-control")).toBe("no-store, private");
  const policy = seen.headers.get("content-security-policy");
  expect(policy).toMatch(/; script-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors https:\/\/www\.example\.org$/);
  const reader = await cookieOf("rob", {});
  for (const [path, who] of [
    [at, ""],
    [at, reader],
    [at, "sessionid=none"],
    ["/api/cms/bridge-bar.html?path=/nowhere/", cookie],
    ["/api/cms/bridge-bar.html", cookie],
  ] as const)
    expect([path, who === "", (await see(path, who)).text]).toEqual([path, who === "", expect.not.stringMatching(BAR)]);
});
