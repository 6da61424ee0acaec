/** Sites that earlier releases made load without an error, and are built whole; their pictures are left out of the fixtures. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { cms, emptyFolder } from "./cli/process.ts";
import { filesIn } from "./static-site/build-site.ts";
import { withoutRenditions } from "./support/without-renditions.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PATIENCE = { timeoutMs: 100_000 };

it.each([
  ["0.2.0", "lighthouse", ["index.html", "it/index.html", "feed.xml", "about-us/the-people/index.html"]],
  ["0.2.0", "business", ["index.html", "it/index.html", "contact/index.html", "it/contatti/index.html"]],
  ["0.2.0", "blog", ["index.html", "feed.xml", "it/feed.xml", "a-cup-mended-twice/index.html"]],
] as const)("release %s, %s", { timeout: 240_000 }, async (release, starter, paths) => {
  const dir = join(emptyFolder(), starter);
  mkdirSync(dir);
  const archive = join(ROOT, `test/fixtures/sites-${release}.tar.gz`);
  execFileSync("tar", ["-xzf", archive, "-C", dir, "--strip-components=1", starter]);
  const media = join(dir, "content/media");
  for (const entry of existsSync(media) ? readdirSync(media, { recursive: true, encoding: "utf8" }) : [])
    if (/\.\w+\.yaml$/.test(entry)) {
      const file = join(dir, "media", entry.replace(/\.yaml$/, ""));
      mkdirSync(dirname(file), { recursive: true });
      copyFileSync(join(ROOT, "media/first-ferry.jpg"), file);
    }
  withoutRenditions(dir);
  const identity = ["-c", "user.name=Pat", "-c", "user.email=pat@example.org"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--message=0"],
  ])
    execFileSync("git", args, { cwd: dir });
  expect(await cms(["check", "--quiet", "--root", dir], PATIENCE)).toMatchObject({ code: 0 });
  expect(await cms(["build", "--quiet", "--root", dir], PATIENCE)).toMatchObject({ code: 0 });
  expect([...filesIn(join(dir, "dist")).keys()]).toEqual(expect.arrayContaining([...paths]));
});
