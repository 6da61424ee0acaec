/** What a pipeline keeps between fresh clones (`--cache`): that which the private state of a new one lacks. */
import { constants, existsSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { stateDirOf } from "../store/private/private-state.ts";

/** Parsed content, known by git's own ids. */
const CONTENT = "content.cache";
/** Of no use to a shallow clone, which lacks what it speaks of, and has hardly a history to walk. */
const HISTORY = "history.json";

/** What is there already stays. */
export const takeFrom = (cache: string, root: string): Promise<void> =>
  carry(root, cache, stateDirOf(root), constants.COPYFILE_EXCL);

export const keepIn = (cache: string, root: string): Promise<void> => carry(root, stateDirOf(root), cache, 0);

/** Without what cannot be copied everything is read and parsed, and the same comes out. */
async function carry(root: string, from: string, to: string, mode: number): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of existsSync(join(root, ".git/shallow")) ? [CONTENT] : [CONTENT, HISTORY])
    await copyFile(join(from, name), join(to, name), mode).catch(() => undefined); // none there, or one that is newer
}
