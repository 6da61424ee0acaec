import { expect, it } from "vitest";
import { REGULAR_MODE, type Repo } from "../../../src/store/repo.ts";
import { refuseUnsafePaths } from "../../../src/store/sync/fetched-tree.ts";

const FILE = { mode: REGULAR_MODE, oid: "1".repeat(40) };

const refuse = (path: string, stateDir: string): Promise<void> =>
  refuseUnsafePaths(
    { repo: { root: "/srv/site", stateDir } as Repo },
    new Map([[path, { before: null, after: FILE }]]),
  );

it.each<[string, string, boolean]>([
  ["private/sessions.json", "/srv/site/private", true],
  ["private", "/srv/site/private", true],
  ["private/cms/new", "/srv/site/private/cms", true],
  ["private-notes.txt", "/srv/site/private", false],
  ["private/sessions.json", "/srv/site/.git/cms", false],
  ["private/sessions.json", "/var/lib/private", false],
])("%s with the private state in %s: refused %s", async (path, stateDir, isRefused) => {
  if (isRefused) await expect(refuse(path, stateDir)).rejects.toThrow("in the folder of the private state");
  else await expect(refuse(path, stateDir)).resolves.toBeUndefined();
});
