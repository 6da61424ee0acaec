/** `cms regenerate-renditions`, as a process. */
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jpeg } from "../media/media-site.ts";
import { cms, emptyFolder, serve, site as siteDir } from "./process.ts";

const CONFIG = "MEDIA:\n  RENDITIONS:\n    VARIANTS: [{ name: sm-webp, width: 40, format: webp }]\n";

async function library(config = CONFIG) {
  const site = siteDir({
    "cms.config.yaml": config,
    "media/notes.txt": "x",
    "media/logo.svg": "<svg/>",
    "content/media/b.jpg.yaml": "id: 7\n",
  });
  for (const name of ["a.jpg", "b.jpg"]) writeFileSync(join(site.dir, "media", name), await jpeg(60, 40));
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message=pictures");
  const run = async (...args: string[]) => {
    const ended = await cms(["regenerate-renditions", "--root", site.dir, ...args]);
    return { ...ended, err: ended.err.replace(/^Making renditions: \d+ of \d+\n/gm, "") }; // a busy machine takes longer than a second
  };
  const count = (): number => Number(site.git("rev-list", "--count", "HEAD"));
  return { site, run, count };
}

it("makes what is missing of every image in one commit, and a second time nothing", async () => {
  const { site, run, count } = await library();
  const before = count();
  expect(await run()).toEqual({ code: 0, out: "", err: "2 images: 2 made, 0 complete already, 0 failed.\n" });
  expect([count(), site.git("status", "--porcelain"), readdirSync(join(site.dir, "media/renditions"))]).toEqual([
    before + 1,
    "",
    ["a", "b"],
  ]);
  expect((await run("--missing")).err).toBe("2 images: 0 made, 2 complete already, 0 failed.\n");
  expect((await run()).err).toBe("2 images: 2 made, 0 complete already, 0 failed.\n");
  expect(count()).toBe(before + 1); // the same pictures again are no change
});

it("kept out of git, makes them again where they are not on disk", async () => {
  const { site, run, count } = await library(`${CONFIG}    COMMIT: false\n`);
  writeFileSync(join(site.dir, ".git/info/exclude"), "media/renditions/\n*_thumb*\n");
  await run();
  const before = count();
  expect(site.git("ls-files", "media")).toBe("media/a.jpg\nmedia/b.jpg\nmedia/logo.svg\nmedia/notes.txt\n");
  rmSync(join(site.dir, "media/renditions/a"), { recursive: true });
  const answer = await run("--missing", "--json");
  expect(
    JSON.parse(answer.out)
      .map(({ file, outcome }: any) => `${file} ${outcome}`)
      .sort(),
  ).toEqual(["a.jpg made", "b.jpg kept"]);
  expect([readdirSync(join(site.dir, "media/renditions/a")), count(), site.git("status", "--porcelain")]).toEqual([
    ["sm-webp.webp"],
    before,
    "",
  ]);
});

it("tells each failure with its file, goes on, and exits with 1", async () => {
  const { site, run } = await library();
  writeFileSync(join(site.dir, "media/bad.gif"), "GIF89a and no more");
  const answer = await run("--quiet");
  expect([answer.code, answer.err]).toEqual([
    1,
    expect.stringContaining("failed: bad.gif: media/bad.gif cannot be read: it is damaged"),
  ]);
  expect(readdirSync(join(site.dir, "media/renditions"))).toEqual(["a", "b"]);
});

// oxfmt-ignore
it.each([
  [["7"],        0, "1 image: 1 made, 0 complete already, 0 failed.\n"],
  [["7", "99"],  1, "failed: 99: No Media matches the given query.\n2 images: 1 made, 0 complete already, 1 failed.\n"],
  [["seven"],    2, 'error: "seven" is no id of a media item.\n'],
])("%j exits with %s", async (ids, code, err) => {
  const { run } = await library();
  const answer = await run(...ids);
  expect([answer.code, answer.err.replace(/^warning: .*\n/gm, "")]).toEqual([code, err]);
});

it("is not needed beside a server, which makes those of committed pictures as they come, together", async () => {
  const { site, count } = await library();
  const before = count();
  const server = await serve(site.dir);
  await expect.poll(count, { timeout: 60_000 }).toBe(before + 1);
  expect(site.git("log", "-1", "--format=%an %s")).toBe("git-cms Regenerate renditions of 2 pictures\n");
  await expect.poll(() => existsSync(join(site.dir, ".git/index.lock"))).toBe(false);
  writeFileSync(join(site.dir, "media/c.jpg"), await jpeg(60, 40));
  writeFileSync(join(site.dir, "media/bad.gif"), "GIF89a and no more");
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message=one more");
  await expect.poll(() => readdirSync(join(site.dir, "media/renditions")), { timeout: 60_000 }).toContain("c");
  await expect.poll(count, { timeout: 60_000 }).toBe(before + 3);
  expect(site.git("status", "--porcelain")).toBe("");
  expect(await server.stop()).toBe(0);
  expect(count()).toBe(before + 3);
});

it("is told by a build, and done by one that may write", async () => {
  const { site, count } = await library();
  const before = count();
  const build = (...args: string[]) => cms(["build", "--root", site.dir, "--out", join(emptyFolder(), "out"), ...args]);
  expect((await build()).err).toContain("warning: media/b.jpg and 1 more pictures have no renditions: cms serve,");
  expect(count()).toBe(before);
  await build("--publish-due");
  expect(count()).toBe(before + 1);
  expect((await build()).err).not.toContain("renditions");
});
