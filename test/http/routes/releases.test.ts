import { expect, it } from "vitest";
import { addUser } from "../../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../../src/actions/accounts/sign-in.ts";
import { getRelease } from "../../../src/store/content/indexes/releases.ts";
import { RELEASES } from "../../../src/store/records/releases.ts";
import { memorySite, type MemorySite } from "../../site.ts";

/** A page that is public in English, with a pending draft of its title. */
async function draftedPage(site: MemorySite, title: string, draft: object = { title: `${title}, new` }) {
  const page = await site.page({ title_en: title, autopermalink_en: true }, ["en"]);
  await site.api("PATCH", `pages/${page.id}/draft/?language=en`, draft);
  return page;
}

const releaseOf = (items: readonly object[], more: object = {}) => ({ name: "spring", items, ...more });
const publishing = (page: { id: number }, language = "en") => ({ page: page.id, language, action: "publish" });
const headOf = async ({ repo }: MemorySite) => (await repo.state()).head;
const treeOf = async (site: MemorySite) => site.repo.tree((await headOf(site))!, ["content"]);

it("a release is made, changed, renamed and deleted; its file has what differs from the defaults", async () => {
  const site = await memorySite();
  const page = await draftedPage(site, "Boats");
  const made = await site.api("POST", "releases/", releaseOf([publishing(page)], { comment: "The season" }));
  expect(made).toEqual({
    id: made.id,
    name: "spring",
    comment: "The season",
    state: "open",
    publish_at: null,
    published_at: null,
    items: [{ ...publishing(page), title: "Boats" }],
  });
  const text = async (name: string) =>
    new TextDecoder().decode((await site.repo.read(`content/releases/${name}.yaml`))?.bytes);
  expect(await text("spring")).toBe(
    `id: ${made.id}\ncomment: The season\nitems:\n  - page: ${page.id}\n    language: en\n    action: publish\n`,
  );
  expect(await site.api("GET", "releases/spring/")).toEqual(made);
  expect(await site.api("GET", "releases/?fltr=name=spring")).toEqual([made]);
  const renamed = await site.api("PATCH", "releases/spring/", { name: "summer", comment: "" });
  expect(renamed).toMatchObject({ name: "summer", comment: "", items: made.items });
  expect([await text("spring"), (await text("summer")).includes("comment")]).toEqual(["", false]);
  expect((await site.ask("GET", "api:releases/spring/", { as: "staff" })).status).toBe(404);
  expect((await site.ask("DELETE", "api:releases/summer/", { as: "staff" })).status).toBe(204);
  expect(await site.api("GET", "releases/")).toEqual([]);
});

it.each([
  ["a name that is no file name", { name: "../up" }, "name"],
  ["a name that is a device on some systems", { name: "con" }, "name"],
  ["no name", { name: undefined }, "name"],
  ["an unknown key", { itmes: [] }, "itmes"],
  ["a moment without a zone", { publish_at: "2026-05-01 10:00" }, "publish_at"],
  ["a missing page", { items: [{ page: 99, language: "en" }] }, "items"],
  ["an unknown action", { items: [{ page: 1, action: "hide" }] }, "items"],
  ["an unknown language", { items: [{ page: 1, language: "xx" }] }, "items"],
  ["the same page and language twice", { items: [{ page: 1 }, { page: 1, action: "unpublish" }] }, "items"],
  ["a page in the trash and published", { items: [{ page: 1 }, { page: 1, action: "trash" }] }, "items"],
  ["too many items", { items: Array.from({ length: 1001 }, () => ({ page: 1 })) }, "items"],
  ["no list", { items: "all" }, "items"],
])("refuses %s", async (_what, body, field) => {
  const site = await memorySite();
  await site.page({ title_en: "Boats" }, ["en"]);
  const before = await headOf(site);
  const { status, body: errors } = await site.ask("POST", "api:releases/", {
    as: "staff",
    body: { name: "spring", items: [], ...body },
  });
  expect([status, Object.keys(errors as object)]).toEqual([400, [field]]);
  expect(await headOf(site)).toBe(before);
});

it("publishes all items in one commit, with their drafts", async () => {
  const site = await memorySite();
  const { api } = site;
  const boats = await draftedPage(site, "Boats");
  const fresh = await api("POST", "pages/", { title_en: "Harbour", title_it: "Porto" });
  const old = await site.page({ title_en: "Winter" }, ["en", "it"]);
  const gone = await site.page({ title_en: "Offers" }, ["en"]);
  await api(
    "POST",
    "releases/",
    releaseOf([
      publishing(boats),
      publishing(fresh, "it"),
      { page: old.id, language: "it", action: "unpublish" },
      { page: gone.id, action: "trash" },
    ]),
  );
  const before = await headOf(site);
  site.clock.tick(60_000);
  const published = await api("POST", "releases/spring/publish/", { comment: "Season opens" });
  expect(published).toMatchObject({ state: "published", published_at: "2026-03-01T12:01:00Z", publish_at: null });
  const commits = [];
  for await (const entry of site.repo.log((await headOf(site))!, before, [])) commits.push(entry);
  expect(commits).toHaveLength(1);
  expect(commits[0]!.message.trimEnd()).toBe(
    `Publish release "spring"\n\nSeason opens\n\nCms-Action: publish-release\nCms-Release: ${published.id}`,
  );
  expect(await api("GET", `pages/${boats.id}/?language=en`)).toMatchObject({ title: "Boats, new", has_draft: false });
  const status = async (id: number, lang: string) => (await api("GET", `pages/${id}/?language=${lang}`)).status;
  expect([await status(fresh.id, "it"), await status(fresh.id, "en")]).toEqual(["PUB", "DRF"]);
  expect([await status(old.id, "it"), await status(old.id, "en")]).toEqual(["DRF", "PUB"]);
  expect(await status(gone.id, "en")).toBe("TRS");
  for (const [method, path] of [
    ["POST", "publish/"],
    ["PATCH", ""],
  ]) {
    expect((await site.ask(method!, `api:releases/spring/${path}`, { as: "staff", body: {} })).status).toBe(409);
  }
});

it("publishes nothing where one item fails, and says which", async () => {
  const site = await memorySite();
  const boats = await draftedPage(site, "Boats");
  const taken = await site.page({ title_en: "Harbour" }, ["en"]);
  const late = await site.page({ title_en: "Late" }, ["en"]);
  await site.api("PATCH", `pages/${late.id}/draft/?language=en`, { autopermalink_en: false, permalink_en: "/piers" });
  await site.api("PATCH", `pages/${taken.id}/`, { autopermalink_en: false, permalink_en: "/piers" });
  await site.api("POST", "releases/", releaseOf([publishing(boats), publishing(late)]));
  const before = await headOf(site);
  const { status, body } = await site.ask("POST", "api:releases/spring/publish/", { as: "staff" });
  expect([status, body.items[0], Object.keys(body.items[1] as object)]).toEqual([400, {}, ["permalink_en"]]);
  expect(await headOf(site)).toBe(before);
  const check = await site.api("GET", "releases/spring/check/");
  expect(check).toMatchObject({ ok: false, refusal: null, idle: [], overlaps: [] });
  expect(check.failed).toEqual([{ ...publishing(late), title: "Late", errors: body.items[1] }]);
});

it("the order of items does not matter: one may take the permalink that another leaves", async () => {
  const site = await memorySite();
  const manual = (permalink: string) => ({ autopermalink_en: false, permalink_en: permalink });
  const [a, b, c] = await Promise.all(
    ["/a", "/b", "/c"].map((permalink) => site.page({ title_en: permalink, ...manual(permalink) }, ["en"])),
  );
  await site.api("PATCH", `pages/${c.id}/draft/?language=en`, manual("/d"));
  await site.api("PATCH", `pages/${a.id}/draft/?language=en`, { title: "later b" });
  await site.api("PATCH", `pages/${c.id}/`, manual("/c"));
  await site.api("PATCH", `pages/${b.id}/draft/?language=en`, { title: "waits" });
  await site.api("POST", "releases/", releaseOf([publishing(a), publishing(b), publishing(c)]));
  expect((await site.api("GET", "releases/spring/check/")).ok).toBe(true);
  await site.api("POST", "releases/spring/publish/");
  expect((await site.api("GET", `pages/${c.id}/?language=en`)).permalink).toBe("/d");
});

it("two pages exchange their permalinks, with the pages below them, and get them back", async () => {
  const site = await memorySite();
  const { api } = site;
  const manual = (permalink: string) => ({ autopermalink_en: false, permalink_en: permalink });
  const [a, b] = await Promise.all(["/a", "/b"].map((at) => site.page({ title_en: at, ...manual(at) }, ["en"])));
  const below = async (parent_page: number, title_en: string) => site.page({ title_en, parent_page }, ["en"]);
  const pages = [a, b, await below(a.id, "Kid"), await below(b.id, "Kid"), await below(b.id, "Only")];
  const permalinks = async () =>
    Promise.all(pages.map(async ({ id }) => (await api("GET", `pages/${id}/?language=en`)).permalink));
  // A permalink that is taken is refused in a draft, unless the draft of the other page gives it up.
  const draft = ({ id }: { id: number }, permalink: string) =>
    site.ask("PATCH", `api:pages/${id}/draft/?language=en`, { as: "staff", body: manual(permalink) });
  expect((await draft(a, "/b")).status).toBe(400);
  await draft(a, "/elsewhere");
  expect((await draft(b, "/a")).status).toBe(200);
  expect((await draft(a, "/b")).status).toBe(200);
  const before = ["/a", "/b", "/a/kid", "/b/kid", "/b/only"];
  expect(await permalinks()).toEqual(before);
  await api("POST", "releases/", releaseOf([publishing(a), publishing(b)]));
  expect(await api("GET", "releases/spring/check/")).toMatchObject({ ok: true, failed: [] });
  await api("POST", "releases/spring/publish/");
  expect(await permalinks()).toEqual(["/b", "/a", "/b/kid", "/a/kid", "/a/only"]);
  const from = (path: string) => site.ask("GET", `/api/cms/pages-router${path}/`, { as: null });
  expect((await from("/b/only")).body).toMatchObject({ redirect: "/a/only/" });
  expect((await from("/a/kid")).body).toMatchObject({ id: pages[3].id });
  expect(site.cms.store.current.problems).toEqual([]);
  await api("POST", "releases/spring/revert/");
  expect(await permalinks()).toEqual(before);
});

it.each([
  ["three pages in a circle", ["/b", "/c", "/a"], true],
  ["a page that takes what stays with another", ["/b", "/c", "/d"], false],
  ["two pages that take the permalink of one", ["/b", "/a", "/a"], false],
])("drafts written by hand: %s", async (_what, wanted, isPossible) => {
  const NAMES = ["a", "b", "c", "d"];
  const file = (name: string, at: number) =>
    `id: ${at + 1}\ntranslations:\n  en:\n    title: ${name}\n    permalink: /${name}\n    autopermalink: false\n    published_at: 2026-01-01T00:00:00Z\n`;
  const files = Object.fromEntries(NAMES.map((name, at) => [`content/pages/${name}.yaml`, file(name, at)]));
  const drafts = wanted.map((permalink, at) => [
    `content/pages/${NAMES[at]}.draft.en.yaml`,
    `payload:\n  permalink: ${permalink}\n  autopermalink: false\n`,
  ]);
  const site = await memorySite({ ...files, ...Object.fromEntries(drafts) });
  expect(site.cms.store.current.problems).toEqual([]);
  await site.api("POST", "releases/", releaseOf([1, 2, 3].map((id) => publishing({ id }))));
  const tree = await treeOf(site);
  expect((await site.api("GET", "releases/spring/check/")).ok).toBe(isPossible);
  const { status } = await site.ask("POST", "api:releases/spring/publish/", { as: "staff" });
  expect(status).toBe(isPossible ? 200 : 400);
  if (!isPossible) expect(await treeOf(site)).toEqual(tree);
  const now = [1, 2, 3].map(async (id) => (await site.api("GET", `pages/${id}/?language=en`)).permalink);
  expect(await Promise.all(now)).toEqual(isPossible ? wanted : ["/a", "/b", "/c"]);
});

it("names releases that change the same field", async () => {
  const site = await memorySite();
  const page = await draftedPage(site, "Boats", { title: "New", template: null });
  await site.api("PATCH", `pages/${page.id}/draft/?language=it`, { title: "Barche" });
  await site.api("POST", "releases/", releaseOf([publishing(page)]));
  await site.api("POST", "releases/", releaseOf([publishing(page, "it")], { name: "italian" }));
  await site.api("POST", "releases/", releaseOf([publishing(page)], { name: "same" }));
  await site.api("POST", "releases/", releaseOf([{ page: page.id, action: "trash" }], { name: "end" }));
  const { overlaps } = await site.api("GET", "releases/spring/check/");
  expect(overlaps).toMatchObject([
    { release: "end", page: page.id, fields: ["deleted_at"] },
    { release: "same", page: page.id, language: "en", fields: ["template", "title_en"] },
  ]);
});

it("names permalinks with a number that pages would get, also pages below others", async () => {
  const site = await memorySite();
  const owner = await site.page({ title_en: "Boats" }, ["en"]);
  const renamed = await draftedPage(site, "Ships", { title: "Boats" });
  const below = await site.page({ title_en: "Small", parent_page: renamed.id }, ["en"]);
  const reserved = await draftedPage(site, "It works", { title: "It" });
  const hidden = await site.api("POST", "pages/", { title_en: "Boats", title_it: "Barche" });
  const known = await site.page({ title_en: "Boats" }, ["en"]);
  const items = [publishing(renamed), publishing(reserved), publishing(hidden, "it"), publishing(known)];
  await site.api("POST", "releases/", releaseOf(items));
  const check = await site.api("GET", "releases/spring/check/");
  expect(check.ok).toBe(true);
  const permalink = check.numbered_permalinks[0].permalink as string;
  expect(check.numbered_permalinks).toEqual([
    { page: renamed.id, title: "Boats", language: "en", permalink, plain: "/boats", taken_by: owner.id },
    { page: reserved.id, title: "It", language: "en", permalink: "/it-2", plain: "/it", taken_by: null },
  ]);
  await site.api("POST", "releases/spring/publish/");
  expect(permalink).toMatch(/^\/boats-\d$/);
  expect((await site.api("GET", `pages/${renamed.id}/?language=en`)).permalink).toBe(permalink);
  expect((await site.api("GET", `pages/${below.id}/?language=en`)).permalink).toBe(`${permalink}/small`);
});

it("goes live at its moment: on a read, by the sweep, and once", async () => {
  const site = await memorySite();
  const page = await draftedPage(site, "Boats");
  await site.api("POST", "releases/", releaseOf([publishing(page)]));
  const scheduled = await site.api("POST", "releases/spring/schedule/", { publish_at: "2026-03-02T08:00:00Z" });
  expect(scheduled).toMatchObject({ state: "scheduled", publish_at: "2026-03-02T08:00:00Z" });
  const read = async () => (await site.ask("GET", "api:pages-router/boats/")).body;
  expect((await read()).title).toBe("Boats");
  site.clock.set("2026-03-02T08:00:00Z");
  const before = await headOf(site);
  const answers = await Promise.all([read(), read(), site.ask("GET", "/boats/")]);
  expect(answers.slice(0, 2).map((each) => each.redirect ?? each.title)).toEqual(["/boats-new/", "/boats-new/"]);
  expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 0 });
  const commits = [];
  for await (const entry of site.repo.log((await headOf(site))!, before, [])) commits.push(entry.message);
  expect(commits).toHaveLength(1);
  expect(commits[0]).toContain("Auto-published on first read");
});

it("one that fails at its moment is a problem, and holds up no other", async () => {
  const site = await memorySite();
  const [boats, piers] = [await draftedPage(site, "Boats"), await draftedPage(site, "Piers")];
  await site.api("PATCH", `pages/${boats.id}/draft/?language=en`, { autopermalink_en: false, permalink_en: "/here" });
  await site.page({ title_en: "Here" }, ["en"]);
  for (const [name, page] of [
    ["spring", boats],
    ["other", piers],
  ] as const) {
    await site.api("POST", "releases/", releaseOf([publishing(page)], { name }));
    await site.api("POST", `releases/${name}/schedule/`, { publish_at: "2026-03-02T08:00:00Z" });
  }
  site.clock.set("2026-03-05T08:00:00Z");
  expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 1 });
  expect((await site.api("GET", "releases/other/")).state).toBe("published");
  expect((await site.api("GET", "releases/spring/")).state).toBe("scheduled");
  expect(site.logged.filter((line) => line.includes('The release "spring" is due'))).toHaveLength(1);
  const problems = await site.api("GET", "problems/");
  expect(problems).toMatchObject([{ path: "content/releases/spring.yaml", severity: "error" }]);
  expect(problems[0].message).toContain("permalink_en");
});

it("after a downtime, earlier drafts and releases go live first", async () => {
  const site = await memorySite();
  const page = await draftedPage(site, "Boats");
  await site.api("POST", `pages/${page.id}/schedule/?language=en`, { publish_at: "2026-03-03T08:00:00Z" });
  await site.api("POST", "releases/", releaseOf([{ page: page.id, language: "en", action: "unpublish" }]));
  await site.api("POST", "releases/spring/schedule/", { publish_at: "2026-03-02T08:00:00Z" });
  site.clock.set("2026-03-10T08:00:00Z");
  await site.api("POST", "pages-router/publish-due");
  expect(await site.api("GET", `pages/${page.id}/?language=en`)).toMatchObject({ status: "PUB", title: "Boats, new" });
});

it("taking back a release is the identity where nothing was written in between", async () => {
  const site = await memorySite();
  const boats = await draftedPage(site, "Boats");
  const child = await site.page({ title_en: "Small", parent_page: boats.id }, ["en"]);
  const gone = await site.page({ title_en: "Offers" }, ["en"]);
  await site.api("POST", "releases/", releaseOf([publishing(boats), { page: gone.id, action: "trash" }]));
  const before = await treeOf(site);
  site.clock.tick(1000);
  await site.api("POST", "releases/spring/publish/");
  expect((await site.api("GET", `pages/${child.id}/?language=en`)).permalink).toBe("/boats-new/small");
  site.clock.tick(1000);
  const { release, conflicts } = await site.api("POST", "releases/spring/revert/");
  expect([release.state, conflicts]).toEqual(["open", []]);
  expect(await treeOf(site)).toEqual(before);
  const newest = await site.repo
    .log((await headOf(site))!, null, [])
    [Symbol.asyncIterator]()
    .next();
  expect(newest.value.message.split("\n")[0]).toBe('Take back release "spring"');
  expect(newest.value.parents).toHaveLength(1);
  site.clock.tick(1000);
  expect((await site.api("POST", "releases/spring/publish/")).state).toBe("published");
  expect((await site.ask("POST", "api:releases/none/revert/", { as: "staff" })).status).toBe(404);
});

it("taking back keeps what was changed since, and what the release had replaced there as a draft", async () => {
  const site = await memorySite();
  const boats = await draftedPage(site, "Boats", { title: "New boats", description: "From the release" });
  const gone = await draftedPage(site, "Gone");
  await site.api("POST", "releases/", releaseOf([publishing(boats), publishing(gone)]));
  await site.api("POST", "releases/spring/publish/");
  await site.api("PATCH", `pages/${boats.id}/?language=en`, { title: "Newer boats" });
  await site.ask("DELETE", `api:pages/${gone.id}/`, { as: "staff" });
  const { conflicts } = await site.api("POST", "releases/spring/revert/");
  expect(conflicts).toEqual([
    { kind: "field", path: "content/pages/boats.yaml", field: "title", language: "en", drafted: false },
  ]);
  const page = await site.api("GET", `pages/${boats.id}/?language=en`);
  expect(page).toMatchObject({ title: "Newer boats", description: null, has_draft: true });
  expect(page.draft_data).toMatchObject({ title: "New boats", description: "From the release" });
  expect((await site.ask("GET", `api:pages/${gone.id}/`, { as: "staff" })).status).toBe(404);
});

it("deleting a page takes it out of releases that are not published", async () => {
  const site = await memorySite();
  const [a, b] = [await draftedPage(site, "A"), await draftedPage(site, "B")];
  await site.api("POST", "releases/", releaseOf([publishing(a), publishing(b)]));
  await site.ask("DELETE", `api:pages/${a.id}/`, { as: "staff" });
  expect((await site.api("GET", "releases/spring/")).items.map((each: { page: number }) => each.page)).toEqual([b.id]);
});

it("is no way around the permissions on a page model", async () => {
  const site = await memorySite();
  const article = await site.api("POST", "articles/", { title_en: "News" });
  const page = await site.page({ title_en: "Boats" });
  const account = await addUser(site.cms.accounts, {
    username: "pages-only",
    password: "open-sesame-pages",
    is_staff: true,
    user_permissions: ["cms.change_page"],
  });
  const headers = { authorization: `Token ${await tokenOf(site.cms.accounts, account)}` };
  const ask = async (method: string, path: string, body: object) =>
    (await site.ask(method, path, { headers, body })).status;
  expect(await ask("POST", "api:releases/", releaseOf([publishing(article)]))).toBe(403);
  expect(await ask("POST", "api:releases/", releaseOf([publishing(page)]))).toBe(201);
  await site.api("PATCH", "releases/spring/", { items: [publishing(article)] });
  for (const [method, path, body] of [
    ["POST", "publish/", {}],
    ["POST", "schedule/", { publish_at: "2026-05-01T00:00:00Z" }],
    ["PATCH", "", { items: [] }],
    ["POST", "revert/", {}],
  ] as const)
    expect([path, await ask(method, `api:releases/spring/${path}`, body)]).toEqual([path, 403]);
  // Nor where the article comes in between the check of the request and its write.
  await site.api("PATCH", "releases/spring/", { items: [publishing(page)] });
  const added = site.cms.store.transact({ name: "Ada", email: "ada@example.org" }, (tx) => {
    const release = getRelease(tx, "spring");
    tx.put(RELEASES, { ...release, items: [{ ...release.items[0]!, page: article.id }] });
  });
  expect(await ask("POST", "api:releases/spring/publish/", {})).toBe(403);
  await added;
});

it("reads files by hand, with permalinks for pages", async () => {
  const site = await memorySite({
    "content/pages/boats.yaml": "id: 7\ntranslations:\n  en:\n    title: Boats\n    permalink: /boats\n",
    "content/releases/spring.yaml": "items:\n  - page: /boats # the main page\n  - { page: /nowhere }\n",
  });
  const release = await site.api("GET", "releases/spring/");
  expect(release.items).toEqual([
    { page: 7, language: "en", action: "publish", title: "Boats" },
    { page: null, language: "en", action: "publish", title: null },
  ]);
});

it("is not published without items, at its moment neither; a file has no more of them than a request", async () => {
  const page = "id: 7\ntranslations:\n  en:\n    title: Boats\n    permalink: /boats\n";
  const site = await memorySite({
    "content/pages/boats.yaml": page,
    "content/releases/empty.yaml": "publish_at: 2026-03-01T00:00:00.000Z\nitems: []\n",
    "content/releases/huge.yaml": `items:\n${"  - page: 7\n".repeat(1001)}`,
  });
  const before = await headOf(site);
  expect(await site.api("POST", "pages-router/publish-due")).toEqual({ published: 0 });
  expect((await site.ask("POST", "api:releases/empty/publish/", { as: "staff" })).body).toEqual({
    items: ["The release has no items."],
  });
  expect(await headOf(site)).toBe(before);
  const problems = (await site.api("GET", "problems/")) as { path: string; message: string }[];
  expect(problems.map(({ path, message }) => [path, /has no items|at most 1000 items/.exec(message)?.[0]])).toEqual([
    ["content/releases/huge.yaml", "at most 1000 items"],
    ["content/releases/empty.yaml", "has no items"],
  ]);
});
