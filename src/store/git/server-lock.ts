/** The promise that one server runs on a repository: a file that names its process. */
import { setup } from "../../errors.ts";
import { codeOf, diskFs, makeDirs, removeIfThere, unlessMissing, writeDurably } from "./fs.ts";
import { HARD_LINKS_REFUSED, ownerOf, removeStaleLock } from "./lock.ts";
import { isAlive, isThisProcess, thisOwner } from "./owner.ts";

/**
 * Takes the lock, from a process that has died if need be.
 *
 * @returns what gives it back
 * @throws CmsError `setup` naming the process that holds it
 */
export async function takeServerLock(stateDir: string): Promise<() => Promise<void>> {
  await makeDirs(diskFs, stateDir, 0o700);
  const path = `${stateDir}/server.lock`;
  const claim = `${path}.${process.pid}`;
  await removeIfThere(diskFs, claim);
  await writeDurably(diskFs, claim, Buffer.from(`${JSON.stringify(thisOwner())}\n`), 0o600);
  try {
    while (!(await tryLink(claim, path))) {
      const holder = await ownerOf(diskFs, path);
      if (holder && isAlive(holder)) {
        throw setup(`Process ${holder.pid} serves this site already: stop it first.`);
      }
      if (!(await removeStaleLock(diskFs, path, `${path}.stale-${process.pid}`)) && (await unlessMissing(diskFs.lstat(path)))) {
        throw setup(`${path} names no process: if no server runs on this site, remove it.`);
      }
    }
  } finally {
    await removeIfThere(diskFs, claim);
  }
  return async () => {
    const holder = await ownerOf(diskFs, path);
    if (holder && isThisProcess(holder)) await removeIfThere(diskFs, path);
  };
}

async function tryLink(claim: string, path: string): Promise<boolean> {
  try {
    await diskFs.link(claim, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!HARD_LINKS_REFUSED.has(codeOf(error) ?? "")) throw error;
  }
  // Without hard links another process may see it empty for a moment; it is then refused, not let in.
  try {
    await writeDurably(diskFs, path, await diskFs.readFile(claim), 0o600);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
