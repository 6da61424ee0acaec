/** Periodic check that all objects of HEAD's commit are stored, and its messages. */
import type { Log } from "../../../env.ts";
import type { Oid } from "../../repo.ts";
import { unlessMissing } from "../fs.ts";
import type { RepoContext } from "../context.ts";
import { readState } from "../repo-state.ts";
import { findMissingObjects, type MissingObject } from "../guards/missing-objects.ts";

export interface Integrity {
  /**
   * What is missing, as a sentence with the solution; null if nothing is. Checks again at most once a minute, and only
   * if the branch or a folder of objects has changed.
   *
   * @param restores whether to write the objects that can be rebuilt
   */
  check(restores: boolean): Promise<string | null>;
}

const INTERVAL_MS = 60_000;

export function openIntegrity(repo: RepoContext, now: () => number = Date.now): Integrity {
  let last: { readonly version: string; readonly at: number; readonly damage: string | null } | undefined;
  let running: Promise<string | null> | undefined;

  async function check(restores: boolean): Promise<string | null> {
    const at = now();
    const version = await versionOf(repo);
    if (last?.version === version && !last.damage) {
      last = { ...last, at };
      return null;
    }
    const { missing, restored } = await findMissingObjects(repo, restores);
    const damage = describeDamage(missing);
    const { log } = repo.env;
    const [first] = restored;
    if (first) {
      const place = first.path || "the root folder";
      log.warn(`Made ${restored.length} missing objects again, the first of ${place}: see \`git fsck\`.`);
    }
    if (damage && damage !== last?.damage) log.error(damage);
    last = { version, at, damage };
    return damage;
  }

  return {
    check(restores) {
      if (last && now() - last.at < INTERVAL_MS) return Promise.resolve(last.damage);
      running ??= check(restores).finally(() => (running = undefined));
      return running;
    },
  };
}

/** Changes whenever the branch moves, or an object is added or removed. */
async function versionOf({ fs, gitDir }: RepoContext): Promise<string> {
  const { head } = await readState(fs, gitDir);
  const parts = [head ?? ""];
  for (const { name } of (await unlessMissing(fs.readdir(`${gitDir}/objects`))) ?? []) {
    const stat = await fs.lstat(`${gitDir}/objects/${name}`);
    parts.push(`${name} ${stat?.mtimeNs ?? 0n}`);
  }
  return parts.sort().join("\n");
}

/** Logs one line about the objects that a prune had removed. */
export function reportRestored(log: Log, oids: readonly Oid[]): void {
  if (oids.length === 0) return;
  log.warn(`Put back ${oids.length} objects of recent commits that a \`git prune\` had removed.`);
}

/** The message of `/healthz` and the log about missing objects, with the solution; null if none is missing. */
function describeDamage(missing: readonly MissingObject[]): string | null {
  const [first] = missing;
  if (!first) return null;
  const what = first.path ? `${first.type} ${first.oid} of ${first.path}` : `${first.type} ${first.oid}`;
  const more = missing.length > 1 ? ` and ${missing.length - 1} more objects are` : " is";
  return (
    `The repository is damaged: ${what}${more} missing. See \`git fsck\`, and copy the files in .git/objects/pack of a ` +
    "clone that has them into the same folder here."
  );
}
