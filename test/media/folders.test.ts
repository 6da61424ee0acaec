/** Folders of the library. */
import { describe, expect, it } from "vitest";
import { jpeg, mediaSite } from "./media-site.ts";

const SMALL = { MEDIA: { RENDITIONS: { VARIANTS: [{ name: "sm-webp", width: 40, format: "webp" as const }] } } };

describe("a folder", () => {
  it("has a slug, a path below that of its parent, and timestamps", async () => {
    const site = await mediaSite();
    const answer = await site.ask("POST", "api:media-folder", { as: "staff", body: { title: " Crème brûlée " } });
    const sweets = answer.body;
    expect([answer.status, sweets]).toEqual([
      201,
      {
        id: expect.any(Number),
        title: "Crème brûlée",
        slug: "creme-brulee",
        path: "/creme-brulee",
        updir: null,
        creation_date: "2026-03-01T12:00:00Z",
        last_modified: "2026-03-01T12:00:00Z",
      },
    ]);
    const inner = await site.api("POST", "media-folders/", { title: "2026", updir: sweets.id });
    expect(inner).toMatchObject({ path: "/creme-brulee/2026", updir: sweets.id });
    expect(await site.api("POST", "media-folder", { title: "日本", updir: { id: inner.id } })).toMatchObject({
      slug: "",
      updir: inner.id,
    });
    expect(site.leftovers()).toBe("");
  });

  // oxfmt-ignore
  it.each<[object, object]>([
    [{},                          { title: ["This field is required."] }],
    [{ title: "" },               { title: ["This field may not be blank."] }],
    [{ title: null },             { title: ["This field may not be null."] }],
    [{ title: "x".repeat(201) },  { title: ["Ensure this field has no more than 200 characters."] }],
    [{ title: "x", updir: 99 },   { updir: ['Invalid pk "99" - object does not exist.'] }],
    [[],                          { non_field_errors: [expect.any(String)] }],
  ])("%j is refused", async (body, errors) => {
    const site = await mediaSite();
    const answer = await site.ask("POST", "api:media-folder", { as: "staff", body });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it("may have the title of another, with another directory, and never uses the directory of the renditions", async () => {
    const site = await mediaSite(SMALL);
    const folders = [
      await site.api("POST", "media-folder", { title: "Sea" }),
      await site.api("POST", "media-folder", { title: "sea" }),
      await site.api("POST", "media-folder", { title: "Renditions" }),
    ];
    expect(folders.map(({ path }) => path)).toEqual(["/sea", "/sea", "/renditions"]);
    for (const { id } of folders) await site.upload("a.jpg", await jpeg(60, 40), { folder: String(id) });
    expect(site.files().filter((file) => file.endsWith("/a.jpg"))).toEqual([
      "renditions-2/a.jpg",
      "sea-2/a.jpg",
      "sea/a.jpg",
    ]);
    const { folders: listed } = await site.api("GET", "media-folder");
    expect(listed).toEqual(folders);
  });

  it("is none where all files are derivatives of items", async () => {
    // The record was made while thumbnails had a folder of their own.
    const record = "id: 7\nsource: x\nthumbnail: thumbnails/cat_thumb.jpg\n";
    const site = await mediaSite(
      {},
      {
        "content/media/cat.jpg.yaml": record,
        "media/cat.jpg": "a picture",
        "media/thumbnails/cat_thumb.jpg": "a small picture",
      },
    );
    const { folders } = await site.api("GET", "media-folders/");
    expect(folders).toEqual([]);
  });

  it("cannot be below itself", async () => {
    const site = await mediaSite();
    const top = await site.api("POST", "media-folder", { title: "Top" });
    const inner = await site.api("POST", "media-folder", { title: "Inner", updir: top.id });
    for (const updir of [top.id, inner.id]) {
      const answer = await site.ask("PATCH", `api:media-folder/${top.id}`, { as: "staff", body: { updir } });
      expect([answer.status, answer.body]).toEqual([400, { updir: ["Unvalid parent"] }]);
    }
  });

  it.each([
    ["GET", 404],
    ["PATCH", 404],
    ["DELETE", 404],
  ])("that does not exist is 404 (%s)", async (method, status) => {
    const site = await mediaSite();
    const answer = await site.ask(method, "api:media-folder/99", {
      as: "staff",
      body: method === "PATCH" ? {} : undefined,
    });
    expect([answer.status, answer.body]).toEqual([status, { detail: "No MediaFolder matches the given query." }]);
  });
});

describe("renaming and moving", () => {
  it("move all contents in one commit", async () => {
    const site = await mediaSite(SMALL);
    const sea = await site.api("POST", "media-folder", { title: "Sea" });
    const deep = await site.api("POST", "media-folder", { title: "Deep", updir: sea.id });
    const land = await site.api("POST", "media-folder", { title: "Land" });
    const outer = await site.upload("a.jpg", await jpeg(60, 40), { folder: String(sea.id), title: "A" });
    const inner = await site.upload("b.txt", Buffer.from("x"), { folder: String(deep.id) });
    const before = site.commits();
    expect(await site.api("PATCH", `media-folder/${sea.id}`, { title: "Ocean" })).toMatchObject({
      id: sea.id,
      slug: "ocean",
      path: "/ocean",
    });
    expect((await site.api("GET", `media-folder/${deep.id}`)).parent_folder).toMatchObject({
      path: "/ocean/deep",
      updir: sea.id,
    });
    expect(site.files()).toEqual([
      "ocean/a.jpg",
      "ocean/a_thumb.jpg",
      "ocean/deep/b.txt",
      "renditions/ocean/a/sm-webp.webp",
    ]);
    const moved = await site.api("PUT", `media-folder/${sea.id}`, { updir: land.id });
    expect(moved).toMatchObject({ path: "/land/ocean", updir: land.id });
    expect(await site.api("GET", `media/${outer.id}`)).toMatchObject({
      id: outer.id,
      title: "A",
      folder: sea.id,
      file: "http://test.local/media/land/ocean/a.jpg",
      renditions: { "sm-webp": { url: "http://test.local/media/renditions/land/ocean/a/sm-webp.webp" } },
    });
    expect(await site.api("GET", `media/${inner.id}`)).toMatchObject({
      folder: deep.id,
      file: "http://test.local/media/land/ocean/deep/b.txt",
    });
    expect(site.files()).toEqual([
      "land/ocean/a.jpg",
      "land/ocean/a_thumb.jpg",
      "land/ocean/deep/b.txt",
      "renditions/land/ocean/a/sm-webp.webp",
    ]);
    for (const file of site.files())
      expect([file, (await site.ask("GET", `/media/${file}`)).status]).toEqual([file, 200]);
    expect([site.commits(), site.leftovers(), site.disk.complaints()]).toEqual([before + 2, "", ""]);
    expect(site.disk.git("ls-files", "content/media").trim().split("\n").sort()).toEqual([
      "content/media/land/_folder.yaml",
      "content/media/land/ocean/_folder.yaml",
      "content/media/land/ocean/a.jpg.yaml",
      "content/media/land/ocean/deep/_folder.yaml",
      "content/media/land/ocean/deep/b.txt.yaml",
    ]);
  });

  it("keep comments in the records", async () => {
    const site = await mediaSite(SMALL, {
      "content/media/sea/_folder.yaml": "# ours\nid: 7\ntitle: Sea\n",
      "content/media/sea/a.txt.yaml": "# mine\nid: 8\n",
      "media/sea/a.txt": "x",
    });
    await site.api("PATCH", "media-folder/7", { title: "Ocean" });
    expect(site.disk.text("content/media/ocean/_folder.yaml")).toMatch(/^# ours\nid: 7\ntitle: Ocean\n/);
    expect(site.disk.text("content/media/ocean/a.txt.yaml")).toMatch(/^# mine\nid: 8\n/);
    expect(site.leftovers()).toBe("");
  });

  it("that change nothing make no commit", async () => {
    const site = await mediaSite(SMALL);
    const { id } = await site.api("POST", "media-folder", { title: "Sea" });
    const before = site.commits();
    await site.api("PUT", `media-folder/${id}`, { title: "Sea", updir: null });
    expect(site.commits()).toBe(before);
  });

  it("avoid the name of an existing directory", async () => {
    const site = await mediaSite(SMALL);
    const [one, two] = [
      await site.api("POST", "media-folder", { title: "One" }),
      await site.api("POST", "media-folder", { title: "Two" }),
    ];
    const [a, b] = [
      await site.upload("a.txt", Buffer.from("a"), { folder: String(one.id) }),
      await site.upload("a.txt", Buffer.from("b"), { folder: String(two.id) }),
    ];
    await site.api("PATCH", `media-folder/${two.id}`, { title: "One" });
    expect(site.files()).toEqual(["one-2/a.txt", "one/a.txt"]);
    expect([await site.api("GET", `media/${a.id}`), await site.api("GET", `media/${b.id}`)]).toMatchObject([
      { folder: one.id },
      { folder: two.id },
    ]);
  });
});

describe("removing", () => {
  it("deletes all contents in one commit", async () => {
    const site = await mediaSite(SMALL);
    const sea = await site.api("POST", "media-folder", { title: "Sea" });
    const deep = await site.api("POST", "media-folder", { title: "Deep", updir: sea.id });
    await site.upload("a.jpg", await jpeg(60, 40), { folder: String(sea.id) });
    await site.upload("b.txt", Buffer.from("x"), { folder: String(deep.id) });
    await site.upload("c.txt", Buffer.from("x"));
    const before = site.commits();
    expect((await site.ask("DELETE", `api:media-folder/${sea.id}`, { as: "staff" })).status).toBe(204);
    expect([site.files(), site.commits(), site.leftovers()]).toEqual([["c.txt"], before + 1, ""]);
    expect(site.disk.git("ls-files").trim().split("\n")).toEqual([
      "content/media/c.txt.yaml",
      "content/pages/.gitkeep",
      "media/c.txt",
    ]);
    expect((await site.ask("GET", `api:media-folder/${deep.id}`, { as: "staff" })).status).toBe(404);
  });
});

describe("the listing", () => {
  it("has all folders, a page of items without renditions, and the parent folder", async () => {
    const site = await mediaSite(SMALL);
    const sea = await site.api("POST", "media-folder", { title: "Sea" });
    const deep = await site.api("POST", "media-folder", { title: "Deep", updir: sea.id });
    for (let n = 0; n < 20; n++) {
      await site.upload(`${n}.txt`, Buffer.from("x"), { folder: String(sea.id), title: `T${n}` });
      site.clock.tick(1000);
    }
    await site.upload("top.txt", Buffer.from("x"));
    const top = await site.api("GET", "media-folder");
    expect(top).toMatchObject({ folders: [{ id: sea.id }], parent_folder: { title: "", path: "", updir: null } });
    expect(top.media.items.map(({ file }: any) => file)).toEqual(["http://test.local/media/top.txt"]);
    expect(Object.keys(top.media.items[0]).sort()).toEqual([
      "alt_text",
      "created",
      "description",
      "file",
      "folder",
      "id",
      "image_props",
      "is_image",
      "mime_type",
      "size",
      "thumbnail",
      "title",
    ]);
    expect(top.media.paginator).toEqual({
      count: 1,
      page: 1,
      has_next: false,
      has_previous: false,
      pages: 1,
      page_size: 18,
    });
    const first = await site.api("GET", `media-folder/${sea.id}`);
    expect([first.folders, first.parent_folder]).toMatchObject([
      [{ id: deep.id, updir: sea.id }],
      { id: sea.id, title: "Sea", path: "/sea", updir: null },
    ]);
    expect([first.media.items.length, first.media.items[0].title, first.media.paginator]).toEqual([
      18,
      "T19",
      { count: 20, page: 1, has_next: true, has_previous: false, pages: 2, page_size: 18 },
    ]);
    const second = await site.api("GET", `media-folders/${sea.id}/?page=2`);
    expect([second.media.items.map(({ title }: any) => title), second.media.paginator.has_previous]).toEqual([
      ["T1", "T0"],
      true,
    ]);
    const found = await site.api("GET", `media-folder/${sea.id}?search=t1&items=5&sort=title`);
    expect([found.media.items.map(({ title }: any) => title), found.media.paginator.count]).toEqual([
      ["T1", "T10", "T11", "T12", "T13"],
      11,
    ]);
    const all = await site.api("GET", "media-folder?all=true&items=-1");
    expect([all.media.paginator.count, all.folders.length, all.parent_folder.title]).toEqual([21, 1, ""]);
    expect((await site.api("GET", "media-folder?all=true&search=top")).media.paginator.count).toBe(1);
  });

  it("needs an account", async () => {
    const site = await mediaSite();
    expect([
      (await site.ask("GET", "api:media-folder")).status,
      (await site.ask("GET", "api:media-folder", { as: "reader" })).status,
    ]).toEqual([401, 200]);
  });
});
