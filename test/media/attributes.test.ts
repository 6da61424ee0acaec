/** The library in repositories with git attributes: Git LFS for pictures, converted ends of lines for texts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { GitSite } from "../store/git/git-site.ts";
import { mediaSite, picture } from "./media-site.ts";

/** Stands for Git LFS: what is stored is other bytes than the file's, of another length. */
function withLfs(pattern: string, photo: Uint8Array): (disk: GitSite) => void {
  return (disk) => {
    disk.git("config", "filter.lfs.clean", "base64 -w0");
    disk.git("config", "filter.lfs.smudge", "base64 -d");
    disk.save(".gitattributes", `${pattern} filter=lfs -text\n`);
    disk.save("media/photo.jpg", "");
    writeFileSync(join(disk.dir, "media/photo.jpg"), photo);
    disk.git("add", "--all");
    disk.git("commit", "--quiet", "--message=Pictures");
  };
}

it("serves files of Git LFS, refuses to write them, and gives the reason", async () => {
  const photo = await picture(320, 200).jpeg().toBuffer();
  const site = await mediaSite(
    { MEDIA: { RENDITIONS: { ENABLE: false }, THUMBNAIL: { FOLDER: "" } } },
    {},
    withLfs("*.jpg", photo),
  );
  expect(site.disk.git("show", "HEAD:media/photo.jpg")).toBe(photo.toString("base64"));
  const served = await site.ask("GET", "/media/photo.jpg");
  expect(served.status).toBe(200);
  expect(Buffer.from(served.bytes).equals(photo)).toBe(true);
  const items = await site.api("GET", "media/");
  expect(items).toMatchObject([{ file: expect.stringContaining("photo.jpg") }]);

  const commits = site.commits();
  const refused = await site.form("POST", "api:media", { file: ["new.jpg", photo] });
  expect(refused).toMatchObject({
    status: 409,
    body: { detail: expect.stringMatching(/media\/new\.jpg has the git attribute filter=lfs/) },
  });
  expect((await site.ask("DELETE", `api:media/${items[0].id}/`, { as: "staff" })).status).toBe(409);
  expect(site.commits()).toBe(commits);
  expect(site.leftovers()).toBe("");

  // A person replaces the picture; what others write does not take it along.
  const other = await picture(64, 64).jpeg().toBuffer();
  writeFileSync(join(site.disk.dir, "media/photo.jpg"), other);
  await site.page({ title_en: "Home" });
  await site.upload("note.txt", Buffer.from("text\n"));
  expect(site.disk.git("status", "--porcelain")).toBe(" M media/photo.jpg\n");
  site.disk.git("commit", "--quiet", "--all", "--message=Replace");
  expect(site.disk.git("show", "HEAD:media/photo.jpg")).toBe(other.toString("base64"));
  expect(site.disk.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
});

it("converts line ends of a text file as git does", async () => {
  const site = await mediaSite({}, {}, (disk) => {
    disk.save(".gitattributes", "* text=auto\n*.bat eol=crlf\n");
    disk.git("add", "--all");
    disk.git("commit", "--quiet", "--message=Attributes");
  });
  const list = await site.upload("list.csv", Buffer.from("a;b\r\nc;d\r\n"));
  expect(list.size).toBe(8);
  await site.upload("run.bat", Buffer.from("echo\n"));
  await site.upload("photo.png", await picture(40, 30).png().toBuffer());
  expect(site.disk.git("show", "HEAD:media/list.csv")).toBe("a;b\nc;d\n");
  expect((await site.ask("GET", "/media/list.csv")).text).toBe("a;b\nc;d\n");
  expect(site.disk.git("show", "HEAD:media/run.bat")).toBe("echo\n");
  expect(readFileSync(join(site.disk.dir, "media/run.bat"), "utf8")).toBe("echo\r\n");
  expect(site.leftovers()).toBe("");
  site.disk.git("add", "--renormalize", ".");
  expect(site.leftovers()).toBe("");
  // The next write finds nothing changed by hand.
  const commits = site.commits();
  await site.api("DELETE", `media/${list.id}/`);
  expect(site.commits()).toBe(commits + 1);
  expect(site.leftovers()).toBe("");
});
