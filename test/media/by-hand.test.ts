/** Files that people put into the library with an editor and git. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GitSite } from "../store/git-site.ts";
import { jpeg, mediaSite, png } from "./media-site.ts";

const SMALL = { MEDIA: { RENDITIONS: { VARIANTS: [{ name: "sm-webp", width: 40, format: "webp" as const }] } } };
const POINTER =
  "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

function put(disk: GitSite, files: Readonly<Record<string, string | Uint8Array>>, message = "by hand"): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(disk.dir, path, ".."), { recursive: true });
    writeFileSync(join(disk.dir, path), content);
  }
  disk.git("add", "--all");
  disk.git("commit", "--quiet", `--message=${message}`);
}

describe("a file put into media/ by hand", () => {
  it("is an item with an id that stays, and is written down when it is first changed", async () => {
    const picture = await jpeg(120, 80);
    const site = await mediaSite(SMALL, {}, (disk) =>
      put(disk, { "media/trip/photo.jpg": picture, "media/notes.txt": "x" }),
    );
    const { body: list } = await site.ask("GET", "api:media", { as: "reader" });
    const item = list.find(({ file }: any) => file.endsWith("photo.jpg"));
    expect(item).toMatchObject({
      id: expect.any(Number),
      title: null,
      file: "http://test.local/media/trip/photo.jpg",
      size: picture.length,
      mime_type: "image/jpeg",
      is_image: true,
      image_props: { mode: "RGB", width: 120, height: 80, format: "JPEG" },
      thumbnail: null,
      renditions: {},
      created: "1970-01-01T00:00:00Z",
    });
    const { folders } = await site.api("GET", "media-folder");
    expect(folders).toMatchObject([{ id: item.folder, title: "trip", path: "/trip" }]);
    expect(site.leftovers()).toBe(""); // reading writes nothing
    const page = await site.page({ title: "P", og_image: item.id });
    expect(page.og_image).toMatchObject({ id: item.id });
    const before = site.commits();
    const titled = await site.api("PATCH", `media/${item.id}`, { title: "Trip" });
    expect([titled.id, titled.title, site.commits()]).toEqual([item.id, "Trip", before + 1]);
    expect(site.disk.text("content/media/trip/photo.jpg.yaml")).toMatch(new RegExp(`^id: ${item.id}\n`));
    expect(site.leftovers()).toBe("");
  });

  it("gets its renditions on demand", async () => {
    const site = await mediaSite(SMALL, {}, (disk) => {
      mkdirSync(join(disk.dir, "media"));
      cpSync(new URL("../../media/the-tower.jpg", import.meta.url), join(disk.dir, "media/tower.jpg"));
    });
    const [{ id }] = (await site.ask("GET", "api:media", { as: "reader" })).body;
    const made = await site.api("POST", `media/${id}/regenerate-renditions`);
    expect(made).toMatchObject({
      thumbnail: "http://test.local/media/tower_thumb.jpg",
      renditions: { "sm-webp": { width: 40 } },
    });
    expect(site.leftovers()).toBe("?? media/tower.jpg\n"); // what a person has not committed stays that person's
  });

  it("can be moved and removed like any other", async () => {
    const site = await mediaSite(SMALL, {}, (disk) => put(disk, { "media/a.txt": "x", "media/b.txt": "x" }));
    const items = (await site.ask("GET", "api:media?sort=file", { as: "reader" })).body;
    const folder = await site.api("POST", "media-folder", { title: "Sea" });
    expect(await site.api("PATCH", `media/${items[0].id}`, { folder: folder.id })).toMatchObject({
      id: items[0].id,
      file: "http://test.local/media/sea/a.txt",
    });
    await site.api("DELETE", `media/${items[1].id}`);
    expect([site.files(), site.leftovers()]).toEqual([["sea/a.txt"], ""]);
  });

  it("is seen when it comes, changes and goes under a running service", async () => {
    const site = await mediaSite(SMALL);
    put(site.disk, { "media/a.png": await png(60, 40) });
    await site.cms.store.refresh();
    const [item] = (await site.ask("GET", "api:media", { as: "reader" })).body;
    expect(item.image_props).toMatchObject({ width: 60 });
    put(site.disk, { "media/a.png": await png(90, 40) });
    await site.cms.store.refresh();
    expect((await site.api("GET", `media/${item.id}`)).image_props).toMatchObject({ width: 90 });
    rmSync(join(site.disk.dir, "media/a.png"));
    await site.cms.store.refresh();
    expect((await site.ask("GET", "api:media", { as: "reader" })).body).toEqual([]);
  });

  it("over an uploaded one makes its renditions void until they are made anew", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.png", await png(60, 40));
    put(site.disk, { "media/a.png": await png(90, 40) });
    await site.cms.store.refresh();
    expect(await site.api("GET", `media/${item.id}`)).toMatchObject({
      image_props: { width: 90 },
      thumbnail: null,
      renditions: {},
      srcset: {},
    });
    const again = await site.api("POST", `media/${item.id}/regenerate-renditions`);
    expect(again.renditions["sm-webp"]).toMatchObject({ width: 40, height: 18 });
    expect(site.leftovers()).toBe("");
  });

  it("beside its record may be called so that both move together", async () => {
    const site = await mediaSite(SMALL);
    const item = await site.upload("a.txt", Buffer.from("x"), { title: "T" });
    mkdirSync(join(site.disk.dir, "content/media/sub"), { recursive: true });
    mkdirSync(join(site.disk.dir, "media/sub"), { recursive: true });
    site.disk.git("mv", "content/media/a.txt.yaml", "content/media/sub/b.txt.yaml");
    site.disk.git("mv", "media/a.txt", "media/sub/b.txt");
    await site.cms.store.refresh();
    expect(await site.api("GET", `media/${item.id}`)).toMatchObject({
      title: "T",
      file: "http://test.local/media/sub/b.txt",
    });
  });
});

describe("problems", () => {
  // oxfmt-ignore
  it.each<[string, Record<string, string>, RegExp]>([
    ["a record without its file",  { "content/media/gone.jpg.yaml": "id: 5\n" },                  /^content\/media\/gone\.jpg\.yaml: There is no file media\/gone\.jpg/],
    ["a pointer of Git LFS",       { "media/big.jpg": POINTER },                                  /^media\/big\.jpg: This is the pointer Git LFS leaves/],
    ["a picture that is none",     { "media/bad.gif": "GIF89a and no more" },                    /^media\/bad\.gif: This image cannot be read/],
    ["odd variants in a record",   { "media/a.txt": "x", "content/media/a.txt.yaml": "renditions_config:\n  - name: x\n    width: 0\n    format: webp\n" }, /^content\/media\/a\.txt\.yaml:3:\d+: renditions_config\.0\.width/],
    ["a record that names a file", { "media/a.txt": "x", "content/media/a.txt.yaml": "file: b.txt\n" }, /content\/media\/a\.txt\.yaml:1:\d+: file: /],
  ])("%s is one", async (_what, files, message) => {
    const site = await mediaSite(SMALL, files);
    expect(site.logged).toEqual([expect.stringMatching(message)]);
    expect((await site.ask("GET", "/healthz")).body.problems).toBe(1);
  });

  it("a pointer of Git LFS is served neither as a picture nor as text", async () => {
    const site = await mediaSite(SMALL, { "media/big.jpg": POINTER, "content/media/big.jpg.yaml": "id: 5\n" });
    expect(await site.api("GET", "media/5")).toMatchObject({
      is_image: false,
      image_props: {},
      thumbnail: null,
      renditions: {},
    });
    expect((await site.ask("GET", "/media/big.jpg")).status).toBe(404);
    expect(await site.api("POST", "media/5/regenerate-renditions")).toMatchObject({ renditions: {} });
  });

  it("a symbolic link out of the site is one, and is not followed", async () => {
    const site = await mediaSite(SMALL, {}, (disk) => {
      mkdirSync(join(disk.dir, "media"));
      symlinkSync("/etc/passwd", join(disk.dir, "media/passwd.txt"));
      symlinkSync("/etc", join(disk.dir, "media/etc"));
    });
    expect(site.logged).toEqual([expect.stringMatching(/passwd\.txt|etc/), expect.stringMatching(/passwd\.txt|etc/)]);
    for (const path of ["/media/passwd.txt", "/media/etc/passwd"])
      expect((await site.ask("GET", path)).status).toBe(404);
    expect((await site.ask("GET", "api:media", { as: "reader" })).body).toEqual([]);
  });

  it("records with paths that lead out of the library are made nothing of", async () => {
    const record =
      "id: 5\nsource: x\nthumbnail: ../../content/pages/home.yaml\nrenditions:\n  sm: { format: webp, width: 1, height: 1, size: 1, file: ../../.git/config }\n";
    const site = await mediaSite(SMALL, {
      "media/a.txt": "x",
      "content/media/a.txt.yaml": record,
      "content/pages/home.yaml": "id: 9\n",
    });
    await site.api("DELETE", "media/5");
    expect(site.disk.text("content/pages/home.yaml")).toBe("id: 9\n");
    expect(site.disk.text(".git/config")).toBeDefined();
  });
});
