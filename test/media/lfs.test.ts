/** The library with its files in Git LFS: written by the service, checked by `git lfs` itself. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DeepPartial, Settings } from "../../src/config.ts";
import { GIT_ENV, type GitSite } from "../store/git/git-site.ts";
import { HAS_GIT_LFS } from "../support/git-lfs.ts";
import { jpeg, mediaSite, type MediaSite } from "./media-site.ts";

const SMALL: DeepPartial<Settings> = {
  MEDIA: { RENDITIONS: { VARIANTS: [{ name: "sm-webp", width: 40, format: "webp" as const }] } },
};
const IN_LFS = "media/** filter=lfs diff=lfs merge=lfs -text\n";

const lfsSite = (attributes = IN_LFS, files: Record<string, Uint8Array> = {}): Promise<MediaSite> =>
  mediaSite(SMALL, {}, (disk) => {
    disk.git("lfs", "install", "--local");
    disk.save(".gitattributes", attributes);
    for (const [path, bytes] of Object.entries(files)) {
      disk.save(path, "");
      writeFileSync(join(disk.dir, path), bytes);
    }
    disk.git("add", "--all");
    disk.git("commit", "--quiet", "--message=Attributes");
  });

const head = ({ disk }: MediaSite, path: string): string => disk.git("show", `HEAD:${path}`);
const served = async (site: MediaSite, path: string): Promise<Buffer> => {
  const { status, bytes } = await site.ask("GET", path);
  expect(status).toBe(200);
  return Buffer.from(bytes);
};

/** A clone, as a person makes it. */
function cloneOf(disk: GitSite, env: NodeJS.ProcessEnv = {}): { dir: string; git(...args: string[]): string } {
  const dir = mkdtempSync(join(tmpdir(), "cms-clone-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: dir,
      env: { ...GIT_ENV, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "--quiet");
  git("lfs", "install", "--local");
  git("remote", "add", "origin", `file://${disk.dir}`);
  git("pull", "--quiet", "origin", "main");
  return { dir, git };
}

describe.skipIf(!HAS_GIT_LFS)("a library in Git LFS", () => {
  it("stores uploads as pointers, with their objects, and is served as any other", async () => {
    const site = await lfsSite();
    const photo = await jpeg(120, 80);
    const item = await site.upload("photo.jpg", photo);
    expect(head(site, "media/photo.jpg")).toMatch(
      /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:[0-9a-f]{64}\nsize \d+\n$/,
    );
    const onDisk = readFileSync(join(site.disk.dir, "media/photo.jpg"));
    expect(item).toMatchObject({
      size: onDisk.length,
      is_image: true,
      thumbnail: expect.stringContaining("photo_thumb"),
    });
    expect(Object.keys(item.renditions)).toHaveLength(1);
    expect((await site.api("GET", "media/"))[0]).toMatchObject({
      thumbnail: item.thumbnail,
      renditions: item.renditions,
    });
    expect(await served(site, "/media/photo.jpg")).toEqual(onDisk);
    expect(site.disk.git("lfs", "ls-files", "--name-only").split("\n")).toEqual(
      expect.arrayContaining(site.files().map((file) => `media/${file}`)),
    );
    expect(site.disk.git("lfs", "fsck")).toContain("Git LFS fsck OK");
    expect(site.leftovers()).toBe("");
    const { git, dir } = cloneOf(site.disk);
    expect(readFileSync(join(dir, "media/photo.jpg"))).toEqual(onDisk);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("replaces, moves and deletes, and leaves nothing that git calls changed", async () => {
    const site = await lfsSite();
    const item = await site.upload("photo.jpg", await jpeg(120, 80));
    const folder = await site.api("POST", "media-folder/", { title: "Trip" });
    const other = await jpeg(90, 90);
    const replaced = await site.form("PATCH", `api:media/${item.id}/`, {
      file: ["photo.jpg", other],
      same_url: "true",
    });
    expect(replaced.status).toBe(200);
    expect(await served(site, "/media/photo.jpg")).toEqual(other);
    await site.api("PATCH", `media/${item.id}/`, { folder: folder.id });
    expect(await served(site, "/media/trip/photo.jpg")).toEqual(other);
    expect(head(site, "media/trip/photo.jpg")).toContain("oid sha256:");
    expect(site.leftovers()).toBe("");
    await site.api("DELETE", `media/${item.id}/`);
    expect(site.files()).toEqual([]);
    expect(site.leftovers()).toBe("");
    expect(site.disk.git("lfs", "fsck")).toContain("Git LFS fsck OK");
  });

  it("moves files in and out of the paths of Git LFS", async () => {
    const site = await lfsSite("media/trip/** filter=lfs diff=lfs merge=lfs -text\n");
    const text = Buffer.from("a plain text\n");
    const item = await site.upload("note.txt", text);
    const folder = await site.api("POST", "media-folder/", { title: "Trip" });
    expect(head(site, "media/note.txt")).toBe("a plain text\n");
    await site.api("PATCH", `media/${item.id}/`, { folder: folder.id });
    expect(head(site, "media/trip/note.txt")).toContain("oid sha256:");
    expect(await served(site, "/media/trip/note.txt")).toEqual(text);
    await site.api("PATCH", `media/${item.id}/`, { folder: null });
    expect(head(site, "media/note.txt")).toBe("a plain text\n");
    expect(site.leftovers()).toBe("");
  });

  it("commits a person's edit that a write meets as `git add` does, with its object", async () => {
    const site = await lfsSite(IN_LFS, { "media/note.txt": Buffer.from("one\n") });
    const [item] = await site.api("GET", "media/");
    writeFileSync(join(site.disk.dir, "media/note.txt"), "two, by hand\n");
    await site.cms.store.refresh();
    await site.api("DELETE", `media/${item.id}/`);
    const adopted = site.disk.git("show", "HEAD~1:media/note.txt");
    expect(adopted).toContain("size 13\n");
    const sha256 = /sha256:(\w+)/.exec(adopted)![1]!;
    const object = join(site.disk.dir, ".git/lfs/objects", sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    expect(readFileSync(object, "utf8")).toBe("two, by hand\n");
    expect(site.leftovers()).toBe("");
  });

  it("keeps the object when an editor writes into the working file", async () => {
    const site = await lfsSite();
    await site.upload("note.txt", Buffer.from("one\n"));
    const { ino } = statSync(join(site.disk.dir, "media/note.txt"));
    writeFileSync(join(site.disk.dir, "media/note.txt"), "two\n"); // in place
    expect(statSync(join(site.disk.dir, "media/note.txt")).ino).toBe(ino);
    expect(site.disk.git("lfs", "fsck")).toContain("Git LFS fsck OK");
  });

  it.each([
    ["of the whole tree", () => undefined],
    ["at the written paths", (site: MediaSite) => new Set(site.disk.git("ls-files", "media").trim().split("\n"))],
  ])("takes a pointer for what it is, and a look %s finds the fetched file", async (_, told) => {
    const origin = await lfsSite();
    await origin.upload("photo.jpg", await jpeg(120, 80));
    const site = await mediaSite(SMALL, {}, (disk) => {
      disk.git("lfs", "install", "--local", "--skip-smudge");
      disk.git("remote", "add", "origin", `file://${origin.disk.dir}`);
      disk.git("fetch", "--quiet", "origin");
      disk.git("reset", "--quiet", "--hard", "origin/main");
    });
    expect(site.logged).toContainEqual(expect.stringMatching(/^media\/photo\.jpg: This is a Git LFS pointer/));
    expect((await site.ask("GET", "/media/photo.jpg")).status).toBe(404);
    expect(site.disk.git("status", "--porcelain")).toBe("");
    site.disk.git("lfs", "pull");
    await site.cms.store.refresh(undefined, told(site));
    const [item] = await site.api("GET", "media/");
    expect(item).toMatchObject({ is_image: true, image_props: expect.objectContaining({ width: 120 }) });
    expect(await served(site, "/media/photo.jpg")).toEqual(readFileSync(join(origin.disk.dir, "media/photo.jpg")));
    expect(site.cms.store.current.problems).toEqual([]);
  });

  it("respects lfs.storage", async () => {
    const site = await mediaSite(SMALL, {}, (disk) => {
      disk.git("lfs", "install", "--local");
      disk.git("config", "lfs.storage", "elsewhere");
      disk.save(".gitattributes", IN_LFS);
      disk.git("add", "--all");
      disk.git("commit", "--quiet", "--message=Attributes");
    });
    await site.upload("note.txt", Buffer.from("one\n"));
    expect(existsSync(join(site.disk.dir, ".git/elsewhere/objects"))).toBe(true);
    expect(site.disk.git("lfs", "fsck")).toContain("Git LFS fsck OK");
  });

  it("is read at a commit with the objects of that commit, and without them as not there", async () => {
    const site = await lfsSite();
    const [first, second] = [await jpeg(120, 80), await jpeg(90, 90)];
    const item = await site.upload("photo.jpg", first);
    const was = readFileSync(join(site.disk.dir, "media/photo.jpg"));
    site.disk.git("tag", "v1");
    await site.form("PATCH", `api:media/${item.id}/`, { file: ["photo.jpg", second], same_url: "true" });
    const reads = async ({ ask }: MediaSite) => {
      const { status, bytes } = await ask("GET", "/media/photo.jpg?at=v1", { as: "staff" });
      const thumbnail = await ask("GET", "/media/photo_thumb.jpg?at=v1", { as: "staff" });
      const [{ is_image, size }] = (await ask("GET", "api:media/?at=v1", { as: "staff" })).body;
      return { status, bytes: Buffer.from(bytes), thumbnail: thumbnail.status, is_image, size };
    };
    const there = { status: 200, bytes: was, thumbnail: 200, is_image: true, size: was.length };
    expect(await reads(site)).toEqual(there);
    expect(await served(site, "/media/photo.jpg")).not.toEqual(was);

    const clone = await mediaSite(SMALL, {}, (disk) => {
      disk.git("lfs", "install", "--local", "--skip-smudge");
      disk.git("remote", "add", "origin", `file://${site.disk.dir}`);
      disk.git("fetch", "--quiet", "--tags", "origin");
      disk.git("reset", "--quiet", "--hard", "origin/main");
    });
    expect(await reads(clone)).toMatchObject({ status: 404, thumbnail: 404, is_image: false });
    clone.disk.git("lfs", "fetch", "origin", "v1");
    expect((await clone.ask("GET", "/media/photo.jpg?at=v1", { as: "staff" })).status).toBe(200);
  });
});
