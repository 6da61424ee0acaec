/** Lists, changes, replacement and removal of items. */
import { describe, expect, it } from "vitest";
import { jpeg, mediaSite, picture, png, type MediaSite } from "./media-site.ts";

const VARIANTS = [
  { name: "sm-webp", width: 40, format: "webp" as const },
  { name: "sm-original", width: 40, format: "original" as const },
];
const SMALL = { MEDIA: { RENDITIONS: { VARIANTS } } };
const LOCAL = { MEDIA: { RENDITIONS: { VARIANTS, COMMIT: false } } };

/** Every address of an item answers. */
async function broken(site: MediaSite, item: any): Promise<string[]> {
  const urls: string[] = [
    item.file,
    ...(item.thumbnail ? [item.thumbnail] : []),
    ...Object.values<any>(item.renditions).map(({ url }) => url),
  ];
  const answers = await Promise.all(
    urls.map(async (url) => [url, (await site.ask("GET", new URL(url).pathname)).status] as const),
  );
  return answers.filter(([, status]) => status !== 200).map(([url]) => url);
}

describe("the list", () => {
  it("is sorted by creation, newest first, and supports list queries", async () => {
    const site = await mediaSite(SMALL);
    for (const name of ["one.txt", "two.pdf", "three.txt"]) {
      await site.upload(name, Buffer.from(name), { title: `Title of ${name}` });
      site.clock.tick(1000);
    }
    const names = async (query: string): Promise<string[]> => {
      const { body } = await site.ask("GET", `api:media${query}`, { as: "reader" });
      return (Array.isArray(body) ? body : body.items).map((item: any) => item.file.split("/").at(-1));
    };
    expect(await names("/")).toEqual(["three.txt", "two.pdf", "one.txt"]);
    expect(await names("?search=TWO")).toEqual(["two.pdf"]);
    expect(await names("?fltr=mime_type=text/plain&sort=title")).toEqual(["one.txt", "three.txt"]);
    expect(await names("?fltr=size__gt=7")).toEqual(["three.txt"]);
    expect(await names("?items=2&page=2")).toEqual(["one.txt"]);
    expect((await site.ask("GET", "api:media?fields=id,title", { as: "reader" })).body[0]).toEqual({
      id: expect.any(Number),
      title: "Title of three.txt",
    });
    expect((await site.ask("GET", "api:media")).status).toBe(401);
  });
});

describe("links", () => {
  it("are all records that use the item", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.txt", Buffer.from("x"));
    const one = await site.page({ title: "Cover", og_image: item.id });
    const two = await site.page({ title: "Inside", template_data: { sections: [{ image: item.id }] } });
    await site.page({ title: "Neither", template_data: { image: item.id + 1000 } });
    const { links } = await site.api("GET", `media/${item.id}`);
    expect(links).toEqual([
      { model: "Page", name: "(Page) Cover", id: one.id },
      { model: "Page", name: "(Page) Inside", id: two.id },
    ]);
  });

  // oxfmt-ignore
  it.each<[string, (address: string) => object]>([
    ["Markdown",                     (at) => ({ template_data: { body: `Boats ![red](${at} "A boat") sail` } })],
    ["a Markdown link",              (at) => ({ template_data: { body: `[the file (new)](<${at}>), and more` } })],
    ["HTML",                         (at) => ({ template_data: { body: `<p><img src='${at}' alt=""></p>` } })],
    ["`srcset`",                     (at) => ({ template_data: { body: `<img srcset="/x.jpg 1x,${at} 2x">` } })],
    ["an absolute address",          (at) => ({ description: `See https://example.org${at}?v=2#top.` })],
    ["an address in data",           (at) => ({ template_data: { rows: [{ picture: at }] } })],
    ["a path for templates",         () => ({ template_data: { picture: "my boat (1).jpg" } })],
    ["`meta`",                       (at) => ({ meta: { card: at } })],
  ])("count an address in %s", async (_what, values) => {
    const site = await mediaSite(SMALL, { "media/my boat (1).jpg": "x", "media/other.jpg": "y" });
    const [item, other] = (await site.api("GET", "media")).toSorted((a: { file: string }) => (a.file.includes("boat") ? -1 : 1));
    const page = await site.page({ title: "Boats", ...values("/media/my%20boat%20(1).jpg") });
    expect((await site.api("GET", `media/${item.id}`)).links).toEqual([
      { model: "Page", name: "(Page) Boats", id: page.id },
    ]);
    expect((await site.api("GET", `media/${other.id}`)).links).toEqual([]);
  });

  it("count drafts, blocks, menus, redirects and data of types, renditions and former addresses", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.jpg", await jpeg(100, 80));
    const at = "/media/a.jpg";
    const rendition = new URL(Object.values<{ url: string }>(item.renditions)[0]!.url).pathname;
    const page = await site.page({ title: "Draft" });
    await site.api("PATCH", `pages/${page.id}/draft/`, { template_data: { body: `![](${rendition})` } });
    await site.api("POST", "contents/", { identifier: "footer", content: `<img src="${at}">` });
    await site.api("POST", "menus/", { key: "main", nodes: [{ title: "A", link: { link_type: "ST", static: at } }] });
    await site.api("POST", "redirects/", { from: "/boat", to: at });
    const type = await site.api("POST", "meta-types/", {
      key: "card",
      name: "Card",
      schema: [{ name: "body", kind: "text" }],
    });
    await site.api("POST", "meta-instances/", { meta_type: type.id, identifier: "one", data: { body: `![](${at})` } });
    const folder = await site.api("POST", "media-folders/", { title: "Old" });
    const moved = await site.api("PATCH", `media/${item.id}`, { folder: folder.id });
    expect(moved.links.map(({ name }: { name: string }) => name)).toEqual([
      "(MetaInstance) one",
      "(Content) footer",
      "(Menu) main",
      "(Redirect) /boat",
    ]);
    await site.api("PATCH", `pages/${page.id}/draft/`, { template_data: { body: `![](${at})` } });
    expect((await site.api("GET", `media/${item.id}`)).links[0].name).toBe("(Page) Draft");
  });
});

describe("a change", () => {
  it.each(["PUT", "PATCH"])("of texts needs no file (%s), and keeps all other values", async (method) => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.jpg", await jpeg(60, 40), { title: "Old", alt_text: "Alt" });
    const before = site.commits();
    const answer = await site.form(method, `api:media/${item.id}`, { title: "New" });
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...item, title: "New", translations: { ...item.translations, en: { ...item.translations.en, title: "New" } } },
    ]);
    expect([site.commits(), site.leftovers()]).toEqual([before + 1, ""]);
  });

  it("with an unchanged payload makes no commit", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("ä b.jpg", await jpeg(60, 40), { title: "T" });
    const before = site.commits();
    const answer = await site.ask("PUT", `api:media/${item.id}/`, { as: "staff", body: item });
    expect([answer.status, answer.body]).toEqual([200, item]);
    expect(site.commits()).toBe(before);
  });

  // oxfmt-ignore
  it.each<[string, object, object]>([
    ["a file that is a text", { file: "other.jpg" },        { file: ["The submitted data was not a file. Check the encoding type on the form."] }],
    ["an unknown folder",     { folder: 99 },               { folder: ['Invalid pk "99" - object does not exist.'] }],
    ["variants that are odd", { renditions_config: "x" },   { renditions_config: ["Value must be valid JSON."] }],
    ["a list",                [] as object,                 { non_field_errors: [expect.any(String)] }],
  ])("with %s is refused", async (_what, body, errors) => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.txt", Buffer.from("x"));
    const answer = await site.ask("PATCH", `api:media/${item.id}`, { as: "staff", body });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("of the variants regenerates the renditions in one commit", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.jpg", await jpeg(100, 80));
    const before = site.commits();
    const body = { renditions_config: [{ name: "hero", width: 70, format: "webp" }] };
    const changed = await site.api("PATCH", `media/${item.id}`, body);
    expect([Object.keys(changed.renditions), changed.srcset]).toEqual([
      ["hero"],
      { webp: "http://test.local/media/renditions/a/hero.webp 70w" },
    ]);
    expect(site.files()).toEqual(["a.jpg", "a_thumb.jpg", "renditions/a/hero.webp"]);
    expect(Object.keys((await site.api("PATCH", `media/${item.id}`, { renditions_config: null })).renditions)).toEqual([
      "sm-webp",
      "sm-original",
    ]);
    expect([site.commits(), site.leftovers()]).toEqual([before + 2, ""]);
  });

  it("with an outdated version is 412", async () => {
    const site = await mediaSite(SMALL);
    const { id } = await site.upload("a.txt", Buffer.from("x"));
    const { headers } = await site.ask("GET", `api:media/${id}`, { as: "staff" });
    const stale = { "if-match": headers.get("etag")! };
    await site.api("PATCH", `media/${id}`, { title: "Other" });
    expect(
      (await site.ask("PATCH", `api:media/${id}`, { as: "staff", body: { title: "Mine" }, headers: stale })).status,
    ).toBe(412);
    expect((await site.ask("DELETE", `api:media/${id}`, { as: "staff", headers: stale })).status).toBe(412);
  });
});

describe.each([
  ["committed", SMALL],
  ["kept out of git", LOCAL],
])("renditions %s", (_how, settings) => {
  /** Files of an item that lie in git, where they lie there at all. */
  const ignore = (disk: { save(path: string, text: string): void; git(...args: string[]): string }): void => {
    disk.save(".gitignore", "media/renditions/\n*_thumb*\n");
    disk.git("add", ".gitignore");
    disk.git("commit", "--quiet", "--message=ignore");
  };
  const open = () => mediaSite(settings, {}, settings === LOCAL ? ignore : undefined);

  it("follow the item to a folder and back, and are deleted with it", async () => {
    const site = await open();
    const item = await site.upload("a.jpg", await jpeg(60, 40));
    const folder = await site.api("POST", "media-folder", { title: "Sea" });
    const before = site.commits();
    const moved = await site.api("PATCH", `media/${item.id}`, { folder: folder.id });
    expect(moved).toMatchObject({
      folder: folder.id,
      file: "http://test.local/media/sea/a.jpg",
      renditions: { "sm-webp": { url: "http://test.local/media/renditions/sea/a/sm-webp.webp" } },
    });
    expect(await broken(site, moved)).toEqual([]);
    expect(site.files()).toEqual([
      "renditions/sea/a/sm-original.jpg",
      "renditions/sea/a/sm-webp.webp",
      "sea/a.jpg",
      "sea/a_thumb.jpg",
    ]);
    expect([site.commits(), site.leftovers()]).toEqual([before + 1, ""]);
    const back = await site.api("PATCH", `media/${item.id}`, { folder: null });
    expect(back).toEqual(item);
    expect(await broken(site, back)).toEqual([]);
    expect((await site.ask("DELETE", `api:media/${item.id}`, { as: "staff" })).status).toBe(204);
    expect([site.files(), site.commits(), site.leftovers()]).toEqual([[], before + 3, ""]);
    expect((await site.ask("GET", `api:media/${item.id}`, { as: "staff" })).status).toBe(404);
  });

  it("are replaced with the file, which gets a new name", async () => {
    const site = await open();
    const item = await site.upload("a.jpg", await jpeg(60, 40), { title: "T" });
    const before = site.commits();
    const { status, body } = await site.form("PUT", `api:media/${item.id}`, { file: ["b.png", await png(80, 80)] });
    expect([status, body]).toMatchObject([
      200,
      {
        id: item.id,
        title: "T",
        file: "http://test.local/media/b.png",
        mime_type: "image/png",
        image_props: { width: 80 },
      },
    ]);
    expect(await broken(site, body)).toEqual([]);
    expect(site.files()).toEqual(["b.png", "b_thumb.png", "renditions/b/sm-original.png", "renditions/b/sm-webp.webp"]);
    expect([site.commits(), site.leftovers()]).toEqual([before + 1, ""]);
  });

  it("are generated from the new file when the URL is kept", async () => {
    const site = await open();
    const item = await site.upload("a.jpg", await jpeg(60, 40));
    const wide = await picture(2100, 90).jpeg({ quality: 50 }).toBuffer();
    const { status, body } = await site.form("PATCH", `api:media/${item.id}`, {
      file: ["other.jpeg", wide],
      same_url: "true",
    });
    expect([status, body]).toMatchObject([
      200,
      { file: item.file, size: wide.length, image_props: { width: 2100, height: 90 } },
    ]); // not optimised
    expect(body.renditions["sm-webp"]).toMatchObject({ url: item.renditions["sm-webp"].url, height: 2 });
    expect(await broken(site, body)).toEqual([]);
    expect(site.leftovers()).toBe("");
    const refused = await site.form("PATCH", `api:media/${item.id}`, {
      file: ["b.png", await png(80, 80)],
      same_url: "1",
    });
    expect([refused.status, refused.body]).toEqual([
      400,
      { file: ["With same_url the new file must be of the type of the old one (image/jpeg)."] },
    ]);
  });

  it("are generated on request when they are missing", async () => {
    const site = await open();
    const item = await site.upload("a.jpg", await jpeg(60, 40));
    site.disk.git("clean", "-fdxq", "media");
    if (settings === LOCAL) expect(site.files()).toEqual(["a.jpg"]);
    const [first, second] = await Promise.all(
      [1, 2].map(() => site.ask("GET", new URL(item.renditions["sm-webp"].url).pathname)),
    );
    expect([first!.status, first!.bytes.length, second!.bytes.length]).toEqual([
      200,
      item.renditions["sm-webp"].size,
      item.renditions["sm-webp"].size,
    ]);
    expect(await broken(site, item)).toEqual([]);
    expect(site.leftovers()).toBe("");
    expect((await site.ask("GET", "/media/renditions/a/other.webp")).status).toBe(404);
  });

  it("are the same when regenerated, without a commit", async () => {
    const site = await open();
    const item = await site.upload("a.jpg", await jpeg(60, 40));
    const before = site.commits();
    const answer = await site.ask("POST", `api:media/${item.id}/regenerate-renditions/`, { as: "staff" });
    expect([answer.status, answer.body]).toEqual([200, item]);
    expect([site.commits(), site.leftovers()]).toEqual([before, ""]);
  });
});

describe("regenerate-renditions", () => {
  it.each<[string, string, number]>([
    ["GET", "1", 405],
    ["POST", "99", 404],
    ["POST", "x", 404],
  ])("%s %s is %s", async (method, id, status) => {
    const site = await mediaSite(SMALL);
    await site.upload("a.txt", Buffer.from("x"));
    expect((await site.ask(method, `api:media/${id}/regenerate-renditions/`, { as: "staff" })).status).toBe(status);
  });

  it("of a file that is not an image generates none", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.txt", Buffer.from("x"));
    expect(await site.api("POST", `media/${item.id}/regenerate-renditions`)).toEqual(item);
  });
});

describe("removal", () => {
  it("of many items is one commit, ignores unknown ids, and clears references", async () => {
    const site = await mediaSite(SMALL);
    const items = [await site.upload("a.jpg", await jpeg(60, 40)), await site.upload("b.txt", Buffer.from("x"))];
    const page = await site.page({ title: "P", og_image: items[0].id });
    const before = site.commits();
    const answer = await site.ask("POST", "api:media/bulk_delete/", {
      as: "staff",
      body: [...items.map(({ id }) => id), 999],
    });
    expect([answer.status, answer.body]).toEqual([200, { detail: "Eliminazione multipla andata a buon fine" }]);
    expect([site.files(), site.commits(), site.leftovers()]).toEqual([[], before + 1, ""]);
    expect((await site.api("GET", `pages/${page.id}/`)).og_image).toBeNull();
    expect((await site.ask("POST", "api:media/bulk_delete/", { as: "staff", body: { ids: [1] } })).status).toBe(400);
  });
});

describe("inside a page", () => {
  it("the item has the payload of its endpoint without links and renditions, with URLs of the requested host", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.jpg", await jpeg(60, 40), { title: "Sea" });
    const page = await site.page({ title: "P", og_image: item.id }, ["en"]);
    const { links: _l, is_image: _i, srcset: _s, translations: _t, ...nested } = item;
    expect(page.og_image).toEqual(nested);
    const hash = async (): Promise<string> => (await site.ask("GET", "api:pages-router/changes")).body.urls[0].hash;
    const [first, elsewhere] = [
      await hash(),
      await site.ask("GET", "api:pages-router/changes", { headers: { host: "other.example" } }),
    ];
    expect(elsewhere.body.urls[0].hash).toBe(first);
    await site.api("PATCH", `media/${item.id}`, { alt_text: "Waves" });
    expect(await hash()).not.toBe(first);
  });
});
