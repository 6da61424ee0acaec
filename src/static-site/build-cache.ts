/** Caches of the private state that a pipeline keeps between fresh clones (`--cache`). */
import { constants, existsSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stateDirOf } from "../store/private/private-state.ts";

/** Parsed content by blob id. */
const CONTENT = "content.cache";
/** Not for a shallow clone, which lacks the commits and has little history to walk. */
const HISTORY = "history.json";

/** Copies the caches to the private state; existing files stay. */
export const takeFrom = (cache: string, root: string): Promise<void> =>
  carry(root, cache, stateDirOf(root), constants.COPYFILE_EXCL);

export const keepIn = (cache: string, root: string): Promise<void> => carry(root, stateDirOf(root), cache, 0);

/** A cache that cannot be copied is left out: the content is parsed again. */
async function carry(root: string, from: string, to: string, mode: number): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of existsSync(join(root, ".git/shallow")) ? [CONTENT] : [CONTENT, HISTORY])
    await copyFile(join(from, name), join(to, name), mode).catch(() => undefined); // absent, or the target exists
}
