/** The library, used as a program would use it: a site on disk, and the documented program. */
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { makePages } from "../docs/examples/library.ts";
import { openCms, type PagePayload } from "../src/index.ts";
import { gitSite, quietEnv, type GitSite } from "./store/git/git-site.ts";

const BY = { name: "Anna", email: "anna@example.org" };

async function openSite(files: Record<string, string> = {}) {
  const site = newSite(files);
  const cms = await openCms(site.dir, { env: quietEnv() });
  onTestFinished(() => cms.close());
  return { site, cms };
}

function newSite(files: Record<string, string>): GitSite {
  const site = gitSite({
    "cms.config.yaml": "LANGUAGE_CODE: en\n",
    "templates/defaults/pages/default.html": "<h1>{{ page.title }}</h1><p>{{ page.description }}</p>",
    ...files,
  });
  onTestFinished(() => site.remove());
  return site;
}

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

it("runs the program of docs/library.md on a real repository", async () => {
  const site = newSite({
    "cms.config.yaml": "MEDIA: { RENDITIONS: { VARIANTS: [{ name: sm-webp, width: 400, format: webp }] } }\n",
  });
  const picture = new URL("../media/cala-fonda.jpg", import.meta.url).pathname;
  const { lamp, draft, live, resolved, rendered, manifest, response, payload } = await makePages(site.dir, picture);

  expect(lamp).toMatchObject({ mime_type: "image/jpeg", alt_text: "The lamp", is_image: true });
  expect(Object.keys(lamp.renditions)).toEqual(["sm-webp"]);
  expect(draft).toMatchObject({ description: "Heard before it is seen", status: "PUB", has_draft: true });
  expect(live).toMatchObject({ og_image: { id: lamp.id }, has_draft: false, routerlink: "/the-coast/fog-signal/" });
  expect(resolved).toMatchObject({ kind: "page", lang: "it", page: { title: "Nautofono" } });
  expect(rendered).toEqual({
    status: 200,
    html: "<h1>Fog signal</h1><p>Heard before it is seen</p>",
    lang: "en",
  });
  expect(manifest.urls.map(({ path }) => path).sort()).toEqual([
    "/it/la-costa/",
    "/it/la-costa/nautofono/",
    "/the-coast/",
    "/the-coast/fog-signal/",
  ]);
  expect(response.status).toBe(200);
  expect(payload).toMatchObject({ title: "The coast", alternates: { it: "/it/la-costa/" } });
  expect(site.git("log", "--format=%an %s").trim().split("\n").slice(0, 3)).toEqual([
    'Anna Publish draft of "Fog signal" (en)',
    'Anna Save draft of "Fog signal" (en)',
    "Anna Add media lamp.jpg",
  ]);
  expect(site.git("status", "--porcelain")).toBe("");
});

it("documents exactly the program that runs", () => {
  const program = text("../docs/examples/library.ts").replace("../../src/index.ts", "git-cms");
  expect(text("../docs/library.md")).toContain(`\`\`\`ts\n${program}\`\`\``);
});

it("drafts, schedules, publishes, trashes, restores and reverts, a commit each", async () => {
  const { site, cms } = await openSite({
    "content/pages/about.yaml": "id: 7\ntranslations:\n  en:\n    title: About\n",
  });
  const { pages } = cms;
  const title = async () => (await pages.get(7)).title;
  const publicIds = async () => (await pages.list({ where: { status: "PUB" } })).map(({ id }) => id);

  await pages.publish(7, { by: BY, comment: "Here we are" });
  await pages.saveDraft(7, { title: "Never" }, { by: BY });
  await pages.discard(7, { by: BY });
  await pages.saveDraft(7, { title: "About us" }, { by: BY, scheduledFor: "2020-01-01T00:00:00Z" });
  expect(await title()).toBe("About");
  expect(await cms.publishDue({ by: BY })).toEqual({ published: 1, failed: 0 });
  expect(await title()).toBe("About us");
  const scheduled = await pages.schedule(7, new Date("2999-01-01T00:00:00Z"), { by: BY });
  expect(scheduled.warning).toContain("nothing to schedule");
  await pages.trash(7, { by: BY });
  expect(await publicIds()).toEqual([]);
  await pages.restore(7, { by: BY });
  expect(await publicIds()).toEqual([7]);
  await pages.update(7, { title: "Oops" }, { by: BY });
  const [, , , before] = await pages.revisions(7);
  await pages.revert(7, before!.id, { by: BY });
  expect(await title()).toBe("About us");
  expect((await pages.unpublish(7, { by: BY })).status).toBe("DRF");
  await pages.saveDraft(7, { title: "Planned" }, { by: BY });
  const planned = await pages.schedule(7, "2999-01-01T00:00:00Z", { by: BY, withDraft: true });
  expect(planned.page).toMatchObject({ status: "PLA", draft_scheduled_for: "2999-01-01T00:00:00Z" });
  expect(site.git("log", "--format=%s", "--author=Anna").trim().split("\n")).toEqual([
    'Schedule "About us" (en)',
    'Save draft of "About us" (en)',
    'Change "About us"',
    `Revert "Oops" to ${before!.id.slice(0, 10)}`,
    'Change "Oops"',
    'Restore "About us"',
    'Move to trash "About us"',
    'Publish draft of "About us" (en)',
    'Save draft of "About" (en)',
    'Discard draft of "About" (en)',
    'Save draft of "About" (en)',
    'Publish "About" (en)',
  ]);
  expect(site.git("status", "--porcelain")).toBe("");
});

it("creates, reads, changes and deletes every other kind of record", async () => {
  const { cms } = await openSite();
  const options = { by: BY };
  const tag = await cms.tags.create({ name: "Sea" }, options);
  expect(await cms.tags.update(tag.id, { name: "Mare" }, { by: BY, lang: "it" })).toMatchObject({
    translations: { en: { name: "Sea" }, it: { name: "Mare" } },
  });
  const article = await cms.articles.create({ title: "Storm", tags: [tag.id], content: "Wind." }, options);
  expect(article).toMatchObject({ tags: [{ id: tag.id, name: "Sea" }], content: "Wind." });

  const link = { link_type: "RE", url_node: article.id } as const;
  const menu = await cms.menus.create({ key: "main", nodes: [{ title: "Storm", link }] }, options);
  expect(await cms.menus.getByKey("main")).toMatchObject({ id: menu.id, nodes: [{ title: "Storm" }] });

  const block = await cms.contents.getOrCreate({ identifier: "footer", content: "2026" }, options);
  expect(await cms.contents.getOrCreate({ identifier: "footer" }, options)).toEqual(block);

  const schema = [{ name: "stars", kind: "integer", required: true }] as const;
  const type = await cms.metaTypes.create({ key: "hotel", name: "Hotel", schema }, options);
  expect(cms.metaTypes.schema(type.id)).toMatchObject({ required: ["stars"] });
  const instance = await cms.metaInstances.create({ meta_type: type.id, data: { stars: 3 } }, options);
  expect(await cms.metaInstances.find(instance.id)).toMatchObject({ data: { stars: 3 } });

  await cms.blockTypes.create({ name: "quote", schema: [{ name: "words", required: true }] }, options);
  expect(await cms.blockTypes.update("quote", { icon: "quote" }, options)).toMatchObject({
    label: "Quote",
    preview: "",
  });
  expect(cms.blockTypes.schema("quote")).toMatchObject({ required: ["type", "words"] });
  const version = cms.blockTypes.version("quote");
  await cms.blockTypes.update("quote", { label: "Quotation" }, options);
  await expect(cms.blockTypes.delete("quote", { ...options, version })).rejects.toMatchObject({ code: "stale" });
  expect(await cms.blockTypes.list({ search: "quotation" })).toEqual([await cms.blockTypes.get("quote")]);
  await cms.blockTypes.delete("quote", options);
  expect(await cms.blockTypes.find("quote")).toBeUndefined();

  const folder = await cms.media.folders.create({ title: "Press" }, options);
  const note = { name: "note.txt", bytes: Buffer.from("Dear all") };
  const media = await cms.media.upload(note, { folder: folder.id, title: "Note" }, options);
  expect(media).toMatchObject({ file: "/media/press/note.txt", folder: folder.id, size: 8, title: "Note" });
  await cms.media.folders.delete(folder.id, options);
  expect(await cms.media.find(media.id)).toBeUndefined();

  for (const records of [cms.metaInstances, cms.metaTypes, cms.contents, cms.menus, cms.articles, cms.tags] as const) {
    for (const { id } of await records.list()) await records.delete(id, options);
    expect(await records.listPage()).toMatchObject({ items: [], paginator: { count: 0 } });
  }
});

it("refuses with CmsError: code, and messages by field", async () => {
  const { cms } = await openSite();
  const page = await cms.pages.create({ title: "About" }, { by: BY });
  const version = cms.pages.version(page.id);
  await cms.pages.update(page.id, { title: "About us" }, { by: BY, version });
  const refused = async (work: Promise<unknown>) => {
    const { name, code, fields } = await work.then(
      () => ({ name: "resolved", code: "", fields: {} }),
      (error: { name: string; code: string; fields: object }) => error,
    );
    return { name, code, fields: Object.keys(fields) };
  };
  const by = BY;
  const name = "CmsError";
  expect(await refused(cms.pages.update(page.id, { title: "Again" }, { by, version }))).toMatchObject({
    code: "stale",
  });
  expect(await refused(cms.pages.get(1))).toEqual({ name, code: "not_found", fields: [] });
  expect(await refused(cms.articles.publish(page.id, { by }))).toMatchObject({ code: "not_found" });
  expect(await refused(cms.pages.get(page.id, { lang: "xx" }))).toEqual({ name, code: "invalid", fields: ["lang"] });
  expect(await refused(cms.pages.schedule(page.id, "tomorrow", { by }))).toMatchObject({ fields: ["publish_at"] });
  expect(await refused(cms.pages.create({}, { by, model: "event" }))).toMatchObject({ fields: ["model"] });
  expect(await refused(cms.pages.list({ filter: "titel=x" }))).toMatchObject({ fields: ["fltr"] });
  const broken = { name: "broken.jpg", bytes: Buffer.from("no picture") };
  expect(await refused(cms.media.upload(broken, {}, { by }))).toMatchObject({ code: "invalid", fields: ["file"] });
});

it("keeps accounts, which make no commit", async () => {
  const { site, cms } = await openSite();
  const user = await cms.users.create({ username: "anna", password: "a-long-password", is_staff: true });
  expect(await cms.users.findByName("anna")).toEqual(user);
  expect(await cms.users.token(user.id)).toBe(await cms.users.token(user.id));
  await cms.users.delete(user.id);
  expect(await cms.users.list()).toEqual([]);
  expect(site.git("rev-list", "--count", "HEAD").trim()).toBe("1");
});

it("declares the keys that payloads have", async () => {
  const { cms } = await openSite();
  const page = await cms.pages.create({ title: "About" }, { by: BY });
  // Only pages with a list have `pagination` and `paginate`. A key that is missing here does not compile; one that the payload does not have, or has besides, fails.
  const declared: Record<Exclude<keyof Required<PagePayload>, "paginate" | "pagination">, true> = {
    id: true,
    identifier: true,
    template: true,
    template_file: true,
    meta: true,
    ordering: true,
    robots: true,
    og_image: true,
    deleted_at: true,
    date_created: true,
    date_updated_at: true,
    slug: true,
    routerlink: true,
    alternates: true,
    breadcrumbs: true,
    status: true,
    is_public: true,
    pubblication_date: true,
    language: true,
    related_name: true,
    content_type: true,
    contents: true,
    url_node: true,
    parent_page: true,
    translations: true,
    has_draft: true,
    has_scheduled_draft: true,
    draft_scheduled_for: true,
    draft_data: true,
    title: true,
    permalink: true,
    autopermalink: true,
    published_at: true,
    indexable: true,
    description: true,
    keywords: true,
    breadcrumbs_title: true,
    canonical: true,
    og_title: true,
    og_description: true,
    og_type: true,
    og_url: true,
    template_data: true,
  };
  const keys = Object.keys(page).filter((key) => !/_(en|it)$/.test(key));
  expect(keys.sort()).toEqual(Object.keys(declared).sort());
});

it("renders a page for an origin, and for none, in any order", async () => {
  const { cms } = await openSite({
    "templates/defaults/pages/default.html": "[{{ request.host }}]",
    "content/pages/a.yaml":
      "id: 1\nidentifier: a\ntranslations:\n  en: { title: A, permalink: /a, published_at: 2026-01-01T00:00:00Z }\n",
  });
  const rendered = [];
  for (const origin of ["", "https://a.example", "", "https://b.example:81", undefined])
    rendered.push(await cms.render("/a/", origin === undefined ? {} : { origin }));
  expect(rendered.map((each) => "html" in each && each.html)).toEqual([
    "[]",
    "[a.example]",
    "[]",
    "[b.example:81]",
    "[]",
  ]);
});
