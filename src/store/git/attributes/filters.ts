/**
 * Files with an attribute that only git can apply, such as `filter=crypt`: converted by the `git` command.
 *
 * For merges only, which do what `git merge` would. A write by the service starts no programs of the configuration.
 */
import { open } from "node:fs/promises";
import { unavailable } from "../../../errors.ts";
import type { Oid, Path } from "../../repo.ts";
import { runGit, type GitOutput } from "../command.ts";

export interface Filters {
  /** Blob id of what git would store of a file's bytes at a path. @param file its absolute path @throws as `write` */
  storedOid(path: Path, file: string): Promise<Oid>;
  /**
   * Writes what a checkout of a stored blob writes, durably.
   *
   * @param to the absolute path of a new file
   * @throws CmsError `unavailable` with what git or the filter said
   */
  write(path: Path, oid: Oid, to: string, mode: number): Promise<void>;
}

const FILTER_MS = 10 * 60_000;

export function openFilters(root: string): Filters {
  async function run(path: Path, args: readonly string[], outputTo?: number): Promise<GitOutput> {
    const output = await runGit(root, args, { timeoutMs: FILTER_MS, outputTo });
    if (output.code === 0) return output;
    throw unavailable(`The git filter of ${path} failed: ${output.stderr.trim().slice(-300)}`, "repair");
  }

  return {
    async storedOid(path, file) {
      return (await run(path, ["hash-object", `--path=${path}`, "--", file])).stdout.trim();
    },
    async write(path, oid, to, mode) {
      const file = await open(to, "wx", mode);
      try {
        await run(path, ["cat-file", "--filters", `--path=${path}`, oid], file.fd);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
}
