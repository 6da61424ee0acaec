/** A media item that moves leaves a redirect from its old address to where it is now. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentProblems } from "../../src/store/check/check.ts";
import { buildTree, emptyDir, filesIn } from "../static-site/build-site.ts";
import { jpeg, mediaSite, type MediaSite } from "./media-site.ts";

const PLAIN = { MEDIA: { RENDITIONS: { ENABLE: false } } };

async function ends(site: MediaSite, path: string): Promise<[number, string | null]> {
  const answer = await site.ask("GET", path);
  return [answer.status, answer.headers.get("location")];
}

const redirectsOf = async (site: MediaSite) => (await site.ask("GET", "api:pages-router/changes")).body.redirects;

describe("a media item that moves", () => {
  it("leaves one redirect, however often it moves, until it is moved back", async () => {
    const site = await mediaSite(PLAIN);
    const [a, b] = [
      await site.api("POST", "media-folders/", { title: "A b" }),
      await site.api("POST", "media-folders/", { title: "B" }),
    ];
    const { id } = await site.upload("sea & sun.jpg", await jpeg(60, 40));
    const move = (folder: number | null) => site.api("PATCH", `media/${id}/`, { folder });
    const name = (await site.api("GET", `media/${id}/`)).file.replace("http://test.local/media/", "");
    await move(a.id);
    await move(b.id);
    expect(await ends(site, `/media/${name}?v=1`)).toEqual([301, `/media/b/${name}?v=1`]);
    expect(await ends(site, `/media/a-b/${name}`)).toEqual([301, `/media/b/${name}`]);
    expect((await site.ask("GET", `/media/b/${name}`)).status).toBe(200);
    expect(await redirectsOf(site)).toEqual([
      { from: `/media/${name}`, to: `/media/b/${name}`, status: 301 },
      { from: `/media/a-b/${name}`, to: `/media/b/${name}`, status: 301 },
    ]);
    await move(null);
    expect((await site.ask("GET", `/media/${name}`)).status).toBe(200);
    expect((await redirectsOf(site)).map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      [`/media/a-b/${name}`, `/media/${name}`],
      [`/media/b/${name}`, `/media/${name}`],
    ]);
    await site.api("DELETE", `media/${id}/`);
    expect([await redirectsOf(site), await ends(site, `/media/b/${name}`)]).toEqual([[], [404, null]]);
    expect(site.leftovers()).toBe("");
  });

  it("with its folder leaves a redirect, and so does a file replaced under another name", async () => {
    const site = await mediaSite(PLAIN);
    const outer = await site.api("POST", "media-folders/", { title: "Outer" });
    const inner = await site.api("POST", "media-folders/", { title: "Inner", updir: outer.id });
    const { id } = await site.upload("a.jpg", await jpeg(60, 40), { folder: String(inner.id) });
    await site.api("PATCH", `media-folders/${outer.id}/`, { title: "Other" });
    expect(await ends(site, "/media/outer/inner/a.jpg")).toEqual([301, "/media/other/inner/a.jpg"]);
    await site.form("PATCH", `api:media/${id}/`, { file: ["b.jpg", await jpeg(70, 40)] });
    expect(await ends(site, "/media/outer/inner/a.jpg")).toEqual([301, "/media/other/inner/b.jpg"]);
    expect(await ends(site, "/media/other/inner/a.jpg")).toEqual([301, "/media/other/inner/b.jpg"]);
  });

  it("is not redirected to from a path that a new file uses", async () => {
    const site = await mediaSite(PLAIN);
    const folder = await site.api("POST", "media-folders/", { title: "A" });
    const { id } = await site.upload("a.jpg", await jpeg(60, 40));
    await site.api("PATCH", `media/${id}/`, { folder: folder.id });
    const other = await site.upload("a.jpg", await jpeg(80, 40));
    expect(other.file).toBe("http://test.local/media/a.jpg");
    expect([(await site.ask("GET", "/media/a.jpg")).status, await redirectsOf(site)]).toEqual([200, []]);
    await site.api("DELETE", `media/${other.id}/`);
    expect(await ends(site, "/media/a.jpg")).toEqual([301, "/media/a/a.jpg"]);
  });

  it("is reported by cms check in texts that have its former URL", async () => {
    const site = await mediaSite(PLAIN);
    const folder = await site.api("POST", "media-folders/", { title: "A" });
    const described = { alt_text_en: "The sea", alt_text_it: "Il mare" };
    const { id } = await site.upload("sea.jpg", await jpeg(60, 40), described);
    await site.upload("kept.jpg", await jpeg(60, 40), described);
    const type = await site.api("POST", "meta-types/", {
      key: "box",
      name: "Box",
      schema: [{ name: "note", kind: "html" }],
    });
    await site.page({
      title: "About",
      template_data: {
        body: "![Sea](/media/sea.jpg) and [kept](/media/kept.jpg)",
        list: [{ html: '<img src="https://example.org/media/sea.jpg?x=1">' }],
      },
    });
    await site.api("POST", "articles/", { title: "Fog", content: "See /media/sea.jpg" });
    await site.api("POST", "contents/", { identifier: "note", content: "<a href=/media/sea.jpg>" });
    await site.api("POST", "meta-instances/", { meta_type: type.id, data: { note: "srcset='/media/sea.jpg 400w'" } });
    await site.api("POST", "menus/", {
      key: "main",
      nodes: [{ title: "Sea", link: { link_type: "ST", static: "/media/sea.jpg" } }],
    });
    const problems = () => contentProblems(site.cms.store, site.cms.locales, { mediaUrl: site.cms.config.MEDIA.URL });
    expect(await problems()).toEqual([]);
    await site.api("PATCH", `media/${id}/`, { folder: folder.id });
    const found = await problems();
    expect(found.map(({ path, severity, message }) => `${path} ${severity} ${message}`).sort()).toEqual([
      "content/articles/fog.yaml warning translations.en.content: /media/sea.jpg has moved to /media/a/sea.jpg: the address leads there by a redirect.",
      "content/contents/note.yaml warning translations.en.content: /media/sea.jpg has moved to /media/a/sea.jpg: the address leads there by a redirect.",
      expect.stringMatching(
        /^content\/menus\/main.yaml warning translations.en.nodes.0.link.static: .media.sea.jpg has moved/,
      ),
      expect.stringMatching(/^content\/meta-instances\/box\/\S+ warning data.note: .media.sea.jpg has moved/),
      expect.stringMatching(
        /^content\/pages\/about.yaml warning translations.en.template_data.body: .media.sea.jpg has moved/,
      ),
      expect.stringMatching(
        /^content\/pages\/about.yaml warning translations.en.template_data.list.0.html: .media.sea.jpg has moved/,
      ),
    ]);
    expect(found.every(({ line }) => line !== undefined)).toBe(true);
  });

  it("is in the redirects of a build, for each host", async () => {
    const site = await mediaSite(PLAIN);
    const folder = await site.api("POST", "media-folders/", { title: "A b" });
    const { id } = await site.upload("a.jpg", await jpeg(60, 40));
    await site.api("PATCH", `media/${id}/`, { folder: folder.id });
    const out = join(emptyDir(), "out");
    await buildTree(site, out, { redirects: ["nginx"], html: false });
    const files = filesIn(out);
    expect(files.get("_redirects")).toBe("/media/a.jpg /media/a-b/a.jpg 301\n");
    expect(JSON.parse(files.get("redirects.json")!)).toEqual([
      { from: "/media/a.jpg", to: "/media/a-b/a.jpg", status: 301 },
    ]);
    expect(files.get("redirects.nginx.conf")).toBe(
      'location = "/media/a.jpg" { return 301 "/media/a-b/a.jpg$is_args$args"; }\n',
    );
    expect([files.has("media/a.jpg"), files.has("media/a-b/a.jpg")]).toEqual([false, true]);
  });
});
