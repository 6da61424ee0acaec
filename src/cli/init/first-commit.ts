/** The first commit of a new site, in a repository that it makes. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { CmsError } from "../../errors.ts";

/** Commits every file of the folder. @returns the commit's id */
export async function firstCommit(dir: string): Promise<string> {
  const [{ initRepo, openGitRepo }, { systemEnv }] = await Promise.all([
    import("../../store/git/repo.ts"),
    import("../../env.ts"),
  ]);
  const env = systemEnv();
  await initRepo(dir, { branch: "main" });
  const repo = await openGitRepo(dir, { env });
  try {
    const { head } = await repo.state();
    const changes = new Map<string, Uint8Array>();
    for (const file of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      const path = relative(dir, join(file.parentPath, file.name)).split(sep).join("/");
      if (file.isFile() && !path.startsWith(".git/")) changes.set(path, await readFile(join(dir, path)));
    }
    const expect = new Map(
      await Promise.all([...changes.keys()].map(async (path) => [path, (await repo.read(path))?.oid ?? null] as const)),
    );
    const author = await repo.user();
    const result = await repo.commit({
      base: head,
      commits: [{ author, at: env.now(), message: "Start the site", changes }],
      expect,
    });
    if (!result.made) throw new CmsError("conflict", `Something else is writing in ${dir}.`);
    return result.commits[0]!;
  } finally {
    await repo.close();
  }
}
