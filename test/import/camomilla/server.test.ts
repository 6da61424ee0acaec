import { expect, it } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import { readCamomilla } from "../../../src/import/camomilla/read-camomilla.ts";
import { asHtml } from "../../../src/import/texts/html-markdown.ts";
import { importSite } from "../../../src/import/import-site.ts";
import { severityOf } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite, temporaryFolder, type MemorySite } from "../../site.ts";
import { ARTICLES, camomillaStub, PASSWORD, TOKEN } from "../../support/camomilla.ts";

const LANGUAGES = {
  LANGUAGES: [
    { id: "en", name: "English" },
    { id: "it", name: "Italiano" },
  ],
  RENDER: { HEADLESS: false }, // its templates are judged, though the tests write none
};

async function run(site: MemorySite, origin: string, { token = TOKEN, models = ["product"] } = {}) {
  const options = {
    source: { base: `${origin}/api/camomilla/`, token, models },
    sites: ["https://old.example"],
    mediaUrl: "/media/",
    media: undefined,
    mediaHosts: [],
    temporary: await temporaryFolder(),
    format: asHtml,
    onStep: () => undefined,
  };
  return importSite(site.cms, SERVICE, await readCamomilla(options, site.cms), { name: "camomilla" });
}

const page = async (site: MemorySite, path: string) => (await site.ask("GET", `api:pages-router${path}`)).body;

it("reads a running camomilla through its interface", async () => {
  const { origin, asked } = await camomillaStub();
  const site = await memorySite({}, LANGUAGES);
  const report = await run(site, origin);
  expect(report.records.filter(({ outcome }) => outcome === "failed")).toMatchObject([
    { source: "camomilla:metainstance:3" },
  ]);
  const problems = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/" });
  expect(problems.filter((each) => severityOf(each) === "error")).toEqual([]);

  const about = await page(site, "/about/");
  const team = await page(site, "/about/team/");
  expect(about).toMatchObject({
    title: "About",
    autopermalink: true,
    published_at: "2024-01-02T03:04:05.678Z",
    alternates: { it: "/it/chi-siamo/" },
    og_image: { alt_text: "A field in 2 colours", file: expect.stringContaining("/media/spring-2024/photo-2.png") },
    contents: { intro: { content: '<p><a href="/post-1/">first</a></p>' } },
    template_data: {
      cta: { url_node: team.id, url: "/about/team/" },
      imported: { template: "website/pages/about.html" },
    },
  });
  expect(team.parent_page.id).toBe(about.id);
  expect(await site.api("GET", `pages/${about.id}/preview/`)).toMatchObject({
    title: "About us, soon",
    og_image: { title: "Photo 3" },
  });
  const anna = (await site.cms.accounts.store.findByName("anna"))!;
  expect(await page(site, "/post-2/")).toMatchObject({
    published_at: "2024-03-12T08:30:00Z",
    author: { id: anna.id },
    tags: [{ name: "News" }],
    contents: { intro: { content: "<p>Of the article</p>" } },
    content: expect.stringContaining('<img src="/media/spring-2024/ofen-more/photo-3.png" alt="Field">'),
  });
  expect((await site.api("GET", "articles/")).length).toBe(ARTICLES);
  expect((await page(site, "/it/pane/")).template_data).toEqual({
    imported: { model: "shop.product", fields: { price: "9.50", flavour: "segale" } },
  });
  const menu = await site.api("GET", "menus/main/");
  expect(menu.translations.en.nodes.map(({ title, link }: any) => [title, link.url])).toEqual([
    ["About", "/about/"],
    ["Post", "/post-1/"],
    ["Elsewhere", "https://elsewhere.example/"],
    ["Only a title", null],
  ]);
  const instances: any[] = await site.api("GET", "meta-instances/?sort=identifier");
  expect(instances.map(({ identifier }) => identifier)).toEqual(["faq-1", "faq-2"]);
  expect(instances[0].data).toMatchObject({ photo: { title: "Photo 1" }, items: [{ more: { id: instances[1].id } }] });
  expect((await site.api("GET", "media-folder")).folders).toMatchObject([{ title: "Spring 2024" }]);
  for (const [from, to, status] of [
    ["/former-about/", "/about/", 301],
    ["/it/vecchio/", "/it/chi-siamo/", 301],
    ["/offer/", "/bread/", 302],
  ])
    expect(await page(site, from as string), from as string).toMatchObject({ redirect: to, status });

  // Authors of articles come with their hashes, other accounts without.
  const signedIn = await site.ask("POST", "api:token-auth/", {
    body: { username: "anna", password: PASSWORD },
    as: null,
  });
  expect([signedIn.status, anna.user_permissions]).toEqual([200, ["cms.change_page"]]);
  const told = report.remarks.map(({ message }) => message);
  expect(told).toContainEqual(expect.stringContaining("The draft in en has no moment in this version"));
  expect(told).toContainEqual(expect.stringMatching(/No password that can be verified here.*: root, off\.$/));

  // The second import fetches no file, and changes nothing.
  const before = asked.length;
  expect(await run(site, origin)).toMatchObject({ committed: false, counts: { created: 0, updated: 0 } });
  expect(asked.slice(before).filter((path) => path.startsWith("/media/"))).toEqual([]);
});

it("says what an interface does not give, and refuses one that is not camomilla's", async () => {
  const { origin } = await camomillaStub({ hasManifest: false });
  const site = await memorySite({}, LANGUAGES);
  const { remarks } = await run(site, origin, { models: [] });
  const told = remarks.map(({ message }) => message);
  expect(told).toContainEqual(
    `The redirects are not imported: ${origin}/api/camomilla/pages-router/changes answers 404.`,
  );
  expect(told).toContainEqual(
    expect.stringContaining("Pages of the model shop.product are at no address that is known"),
  );

  await expect(run(site, origin, { token: "another" })).rejects.toThrow(/answers 401: give the token/);
  await expect(run(site, `${origin}/other`)).rejects.toThrow(/answers 404: is this the interface of camomilla\?/);
});
