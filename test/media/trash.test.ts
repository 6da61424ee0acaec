/** The trash of the library: a file that is put there is nowhere to be seen, and comes back as it was. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentProblems } from "../../src/store/check/check.ts";
import { mediaIndex } from "../../src/store/content/indexes/media-index.ts";
import { treeData } from "../../src/static-site/data-files.ts";
import { markdownParts } from "../../src/render/markdown.ts";
import { buildTree, emptyDir, filesIn } from "../static-site/build-site.ts";
import { jpeg, mediaSite, type MediaSite } from "./media-site.ts";

const SMALL = { MEDIA: { RENDITIONS: { VARIANTS: [{ name: "sm", width: 40, format: "webp" as const }] } } };

const pathOf = (url: string): string => new URL(url).pathname;
const ids = (list: readonly { id: number }[]): number[] => list.map(({ id }) => id);

/** Statuses of the file, its thumbnail, its rendition and its former address. */
const statuses = async (site: MediaSite, item: any, former: string): Promise<number[]> =>
  Promise.all(
    [item.file, item.thumbnail, item.renditions.sm.url, `http://test.local${former}`].map(
      async (url) => (await site.ask("GET", pathOf(url))).status,
    ),
  );

/** An item that has moved, with a thumbnail and a rendition. */
async function movedItem(site: MediaSite) {
  const folder = await site.api("POST", "media-folders/", { title: "Sea" });
  const { id, file } = await site.upload("boat.jpg", await jpeg(100, 80), { alt_text: "A boat" });
  await site.api("PATCH", `media/${id}/`, { folder: folder.id });
  return { item: await site.api("GET", `media/${id}/`), former: pathOf(file), folder };
}

const redirectsOf = async (site: MediaSite) => (await site.ask("GET", "api:pages-router/changes")).body.redirects;

describe("an item in the trash", () => {
  it("is at none of its addresses, in no list but that of the trash, and comes back as it was", async () => {
    const site = await mediaSite(SMALL);
    const { item, former, folder } = await movedItem(site);
    const other = await site.upload("other.txt", Buffer.from("x"));
    const redirects = await redirectsOf(site);
    const files = site.files();
    expect([await statuses(site, item, former), redirects.length]).toEqual([[200, 200, 200, 301], 1]);
    const before = site.commits();

    const trashed = await site.api("POST", `media/${item.id}/trash/`);
    expect(trashed).toEqual({ ...item, deleted_at: expect.stringMatching(/^\d{4}-/) });
    expect([await statuses(site, item, former), await redirectsOf(site)]).toEqual([[404, 404, 404, 404], []]);
    expect(ids(await site.api("GET", "media/"))).toEqual([other.id]);
    expect(ids(await site.api("GET", "media/?fltr=trashed=true"))).toEqual([item.id]);
    expect(ids(await site.api("GET", "media/?fltr=deleted_at__isnull=false"))).toEqual([item.id]);
    expect(ids(await site.api("GET", "media/?fltr=deleted_at__isnull=true"))).toEqual([other.id]);
    expect(ids(await site.api("GET", "media/?fltr=trashed__in=[true,false]")).sort()).toEqual(
      [item.id, other.id].sort(),
    );
    expect(ids(await site.api("GET", "media/?search=boat&fltr=mime_type=image/jpeg"))).toEqual([]);
    expect((await site.api("GET", `media-folders/${folder.id}/`)).media.items).toEqual([]);
    expect((await site.api("GET", `media-folders/${folder.id}/?fltr=trashed=true`)).media.items).toMatchObject([
      { id: item.id, deleted_at: trashed.deleted_at },
    ]);
    expect(await site.api("GET", `media/${item.id}/`)).toEqual(trashed);
    expect(await site.api("POST", `media/${item.id}/trash/`)).toEqual(trashed);
    expect((await site.upload("boat.jpg", await jpeg(60, 40), { folder: String(folder.id) })).file).not.toBe(item.file);
    expect([site.files().filter((file) => files.includes(file)), site.commits()]).toEqual([files, before + 2]);

    expect(await site.api("POST", `media/${item.id}/restore/`)).toEqual(item);
    expect([await statuses(site, item, former), await redirectsOf(site)]).toEqual([[200, 200, 200, 301], redirects]);
    expect(ids(await site.api("GET", "media/"))).toContain(item.id);
    expect(site.leftovers()).toBe("");
  });

  it("needs no record before, and no extension", async () => {
    const site = await mediaSite({}, { "media/LICENSE": "free", "media/notes/a.txt": "a" });
    const all = await site.api("GET", "media/");
    for (const { id } of all) await site.api("POST", `media/${id}/trash/`);
    const answers = await Promise.all(["/media/LICENSE", "/media/notes/a.txt"].map((path) => site.ask("GET", path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await site.api("GET", "media/")).toEqual([]);
    for (const { id } of all) await site.api("POST", `media/${id}/restore/`);
    expect((await site.ask("GET", "/media/LICENSE")).text).toBe("free");
    expect(await site.api("GET", "media/")).toMatchObject(all.map(({ id }: { id: number }) => ({ id })));
  });

  it("is hidden under the spellings that a file system takes for the same, and hides no other file", async () => {
    const site = await mediaSite({}, { "media/Boat.txt": "a", "media/boat.txt": "b" });
    const all = await site.api("GET", "media/");
    const { id } = all.find(({ file }: { file: string }) => file.endsWith("/Boat.txt"));
    await site.api("POST", `media/${id}/trash/`);
    const { isTrashed } = mediaIndex(site.cms.store.current);
    expect(["Boat.txt", "BOAT.txt", "boat.txt", "goat.txt"].map(isTrashed)).toEqual([true, true, false, false]);
    expect([
      (await site.ask("GET", "/media/boat.txt")).text,
      (await site.ask("GET", "/media/Boat.txt")).status,
    ]).toEqual(["b", 404]);
  });

  it("leaves its former address to another file that had it, too", async () => {
    const site = await mediaSite({});
    const folder = await site.api("POST", "media-folders/", { title: "A" });
    const moved = [];
    for (const bytes of ["one", "two"]) {
      const { id } = await site.upload("a.txt", Buffer.from(bytes));
      moved.push(await site.api("PATCH", `media/${id}/`, { folder: folder.id }));
    }
    const target = async () => (await site.ask("GET", "/media/a.txt")).headers.get("location");
    const first = await target();
    const [shown, other] = moved.toSorted((a) => (pathOf(a.file) === first ? -1 : 1));
    await site.api("POST", `media/${shown.id}/trash/`);
    expect(await target()).toBe(pathOf(other.file));
    await site.api("POST", `media/${shown.id}/restore/`);
    expect(await target()).toBe(first);
  });
});

describe("an item that is used", () => {
  it("is moved to the trash only when that is confirmed, and pages show it again when it is restored", async () => {
    const site = await mediaSite(SMALL);
    const { item } = await movedItem(site);
    const page = await site.page({ title: "Sea", og_image: item.id }, ["en"]);
    const links = [{ model: "Page", name: "(Page) Sea", id: page.id }];
    const shown = async () => (await site.ask("GET", `api:pages-router${page.permalink}/`)).body.og_image;
    const before = await shown();
    expect(before).toMatchObject({ id: item.id });

    const refused = await site.ask("POST", `api:media/${item.id}/trash/`, { as: "staff", body: {} });
    expect([refused.status, refused.body]).toEqual([409, { detail: expect.stringContaining("used"), links }]);
    expect((await site.api("GET", `media/${item.id}/`)).deleted_at).toBeUndefined();

    const trashed = await site.api("POST", `media/${item.id}/trash/?confirm=true`);
    expect(trashed.links).toEqual(links);
    expect(await shown()).toBeNull();
    const edited = await site.api("GET", `pages/${page.id}/`);
    expect(edited.og_image).toMatchObject({ id: item.id, deleted_at: trashed.deleted_at });
    await site.api("PUT", `pages/${page.id}/`, edited);

    await site.api("POST", `media/${item.id}/restore/`);
    expect(await shown()).toEqual(before);
  });

  it("is not shown where data refer to it", async () => {
    const site = await mediaSite(SMALL);
    const { item } = await movedItem(site);
    const type = await site.api("POST", "meta-types/", {
      ...{ key: "card", name: "Card" },
      schema: [{ name: "picture", kind: "media" }],
    });
    const instance = { meta_type: type.id, identifier: "one", data: { picture: item.id } };
    const { id } = await site.api("POST", "meta-instances/", instance);
    const shown = async () => {
      const { store, config } = site.cms;
      return treeData(store.current, config, site.clock.now()).instances("en", "card");
    };
    expect(await shown()).toMatchObject([{ data: { picture: { id: item.id } } }]);
    await site.api("POST", `media/${item.id}/trash/?confirm=true`);
    expect(await shown()).toMatchObject([{ data: { picture: null } }]);
    const edited = await site.api("GET", `meta-instances/${id}/`);
    expect(edited.data.picture).toMatchObject({ id: item.id });
    await site.api("PUT", `meta-instances/${id}/`, edited);
    await site.api("POST", `media/${item.id}/restore/`);
    expect(await shown()).toMatchObject([{ data: { picture: { id: item.id } } }]);
  });

  it("is told by cms check, in the main file and in drafts, by number and by address", async () => {
    const site = await mediaSite(SMALL);
    const { item } = await movedItem(site);
    const page = await site.page({ title: "Sea", og_image: item.id });
    const draft = await site.page({ title: "Draft" });
    await site.api("PATCH", `pages/${draft.id}/draft/`, { template_data: { body: `![A boat](${pathOf(item.file)})` } });
    await site.api("POST", "contents/", { identifier: "footer", content: `<img src="${pathOf(item.file)}">` });
    const told = async () => {
      const options = { mediaUrl: "/media/", readMarkdown: markdownParts, templates: [] };
      const found = await contentProblems(site.cms.store, site.cms.locales, options);
      return found
        .filter(({ path, message }) => /trash|media/.test(path + message))
        .map((each) => [each.path, each.line]);
    };
    expect(await told()).toEqual([[expect.stringContaining("content/media/"), expect.any(Number)]]);
    await site.api("POST", `media/${item.id}/trash/?confirm=true`);
    expect((await told()).sort()).toEqual([
      [expect.stringMatching(/^content\/contents\//), expect.any(Number)],
      [expect.stringMatching(/^content\/pages\/draft\.draft\.en\.yaml$/), expect.any(Number)],
      [expect.stringMatching(/^content\/pages\/sea\.yaml$/), expect.any(Number)],
    ]);
    expect((await site.api("GET", `media/${item.id}/`)).links.map(({ id }: { id: number }) => id)).toContain(page.id);
    await site.api("POST", `media/${item.id}/restore/`);
    expect((await told()).length).toBe(1);
  });

  it.each(["media-folder", "media-folders"])(
    "keeps its folder (%s), unless the deletion is confirmed",
    async (path) => {
      const site = await mediaSite(SMALL);
      const { item, folder } = await movedItem(site);
      const deep = await site.api("POST", `${path}/`, { title: "Deep", updir: folder.id });
      await site.api("PATCH", `media/${item.id}/`, { folder: deep.id });
      const page = await site.page({ title: "Sea", og_image: item.id });
      const refused = await site.ask("DELETE", `api:${path}/${folder.id}/`, { as: "staff" });
      expect([refused.status, refused.body.links]).toEqual([409, [{ model: "Page", name: "(Page) Sea", id: page.id }]]);
      expect((await site.ask("DELETE", `api:${path}/${folder.id}/?confirm=true`, { as: "staff" })).status).toBe(204);
      expect([site.files(), (await site.api("GET", `pages/${page.id}/`)).og_image]).toEqual([[], null]);
    },
  );
});

it("an item in the trash is deleted for good with its file and references", async () => {
  const site = await mediaSite(SMALL);
  const { item } = await movedItem(site);
  const page = await site.page({ title: "Sea", og_image: item.id });
  await site.api("POST", `media/${item.id}/trash/?confirm=true`);
  expect((await site.ask("DELETE", `api:media/${item.id}/`, { as: "staff" })).status).toBe(204);
  expect([site.files(), (await site.api("GET", `pages/${page.id}/`)).og_image]).toEqual([[], null]);
});

it("a build has no file, data or redirect of an item in the trash, and has them again when it is restored", async () => {
  const site = await mediaSite(SMALL);
  const { item } = await movedItem(site);
  await site.upload("other.txt", Buffer.from("x"));
  await site.page({ title: "Sea", og_image: item.id }, ["en"]);
  const out = join(emptyDir(), "out");
  const built = async () => {
    await buildTree(site, out, { redirects: ["nginx"] });
    const files = filesIn(out);
    const { store, config } = site.cms;
    const data = await treeData(store.current, config, site.clock.now()).media("en");
    return {
      files: [...files.keys()].filter((path) => path.startsWith("media/")),
      named: [...files].flatMap(([path, text]) => (text.includes("boat") ? [path] : [])),
      data: data.map(({ file }) => file),
    };
  };
  const before = await built();
  expect(before.files).toHaveLength(4);
  expect(before.named.length).toBeGreaterThan(1);
  await site.api("POST", `media/${item.id}/trash/?confirm=true`);
  expect(await built()).toEqual({ files: ["media/other.txt"], named: [], data: ["/media/other.txt"] });
  await site.api("POST", `media/${item.id}/restore/`);
  expect(await built()).toEqual(before);
});
