/** Files that were changed in the second in which git wrote the index, with size and time kept (gitformat "racy git"). */
import { lutimesSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openGitRepo } from "../../src/store/git/repo.ts";
import type { Path } from "../../src/store/repo.ts";
import { gitSite, quietEnv, type GitSite } from "./git/git-site.ts";
import { commit } from "./git/repo-contract.ts";

const HOME = "content/home.yaml";
const NOTES = "notes.txt";
/** A second in the past, so that the clock of the test plays no part. */
const INDEX = 1_760_000_000;

/** A site whose index was written when the files were, as far as their times tell. */
function racySite(files: Readonly<Record<Path, string>>, mtime: number): GitSite {
  const site = gitSite({ [HOME]: "title: Home\n", ...files });
  onTestFinished(site.remove);
  // The time of the change of an inode would tell git what its own rule is to find.
  site.git("config", "core.trustctime", "false");
  for (const path of Object.keys(files)) setTime(site, path, mtime);
  site.git("update-index", "--refresh");
  setTime(site, ".git/index", INDEX);
  return site;
}

const setTime = (site: GitSite, path: Path, seconds: number): void =>
  lutimesSync(join(site.dir, path), seconds, seconds);

async function writeHome(site: GitSite, times = 1): Promise<void> {
  const repo = await openGitRepo(site.dir, { env: quietEnv() });
  for (let time = 1; time <= times; time++) await commit(repo, { [HOME]: `title: ${time}\n` });
  await repo.close();
}

const changed = (site: GitSite): string => site.git("diff", "--name-only");
const sizeOf = (site: GitSite, path: Path): string => /size: (\d+)/.exec(site.git("ls-files", "--debug", path))![1]!;

it.each([
  ["the same time as the index", INDEX],
  ["a time later in the same second", INDEX + 0.5],
  ["a later time", INDEX + 10],
  ["a time in the future", Math.floor(Date.now() / 1000) + 100_000],
])("of %s are listed by `git diff` after a write, too", async (_name, mtime) => {
  const site = racySite({ [NOTES]: "notes\n", "same.txt": "same\n", "content/twin.yaml": "a: 1\n" }, mtime);
  for (const [path, text] of [
    [NOTES, "NOTES\n"],
    ["content/twin.yaml", "a: 2\n"],
  ] as const) {
    site.save(path, text);
    setTime(site, path, mtime);
  }
  await writeHome(site, 3);
  expect(sizeOf(site, "same.txt")).toBe("5");
  expect(changed(site)).toBe(`content/twin.yaml\n${NOTES}\n`);
  site.git("commit", "--quiet", "--all", "--message=By hand");
  expect(site.git("show", `HEAD:${NOTES}`)).toBe("NOTES\n");
});

it("of a time before that of the index are left to git, as it leaves them", async () => {
  const site = racySite({ [NOTES]: "notes\n" }, INDEX - 1);
  await writeHome(site);
  expect(sizeOf(site, NOTES)).toBe("6");
});

it("are found among links, converted files and many files", async () => {
  const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`many/${at}.txt`, `${at % 10}\n`]));
  const site = racySite({ ".gitattributes": "*.md text eol=crlf\n", "a.md": "one\n", ...many }, INDEX);
  symlinkSync("aim", join(site.dir, "link"));
  rmSync(join(site.dir, "a.md"));
  site.git("add", "link");
  site.git("checkout", "--quiet", "a.md");
  for (const path of ["link", "a.md"]) setTime(site, path, INDEX);
  site.git("update-index", "--refresh");
  setTime(site, ".git/index", INDEX);
  rmSync(join(site.dir, "link"));
  symlinkSync("AIM", join(site.dir, "link"));
  site.save("a.md", "two\r\n");
  site.save("many/1199.txt", "x\n");
  for (const path of ["link", "a.md", "many/1199.txt"]) setTime(site, path, INDEX);
  await writeHome(site);
  expect(changed(site)).toBe("a.md\nlink\nmany/1199.txt\n");
});
