/** What was made live last is taken back by one click, and that by another one. */
import { get, request } from "../api.ts";
import { text } from "../i18n.ts";
import { attempt, notify, offerUndo } from "../ui/notices.tsx";

const followers = new Set<() => Promise<unknown>>();

/** @param follow takes over what was brought back, on a screen that shows it @returns the end */
export function whenTakenBack(follow: () => Promise<unknown>): () => void {
  followers.add(follow);
  return () => void followers.delete(follow);
}

/**
 * Tells what the newest revision of a page has done, with an offer to bring back the one before it, in all languages.
 *
 * @param page its path in the API, such as `pages/12`
 * @param version of the newest revision: a page that has changed since is left as it is
 */
export async function tellRevision(page: string, told: string, version: string | null): Promise<void> {
  // None on a site without revisions.
  const [, former] = await get<readonly { id: string }[]>(`${page}/revisions/`).catch(() => []);
  if (!former) return notify(told);
  const undo = (): Promise<void> =>
    attempt(async () => {
      const { version: reverted } = await request("POST", `${page}/revert/${former.id}/`, { version });
      await Promise.all([...followers].map((follow) => follow()));
      await tellRevision(page, text("restored"), reverted);
    });
  offerUndo(told, undo, page);
}
