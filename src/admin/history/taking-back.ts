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

/** The revisions of a page, the newest first; none on a site without revisions. @param page its path in the API, such as `pages/12` */
export const revisionsOf = async (page: string): Promise<readonly string[]> => {
  const found = await get<readonly { id: string }[]>(`${page}/revisions/`).catch(() => []);
  return found.map(({ id }) => id);
};

/**
 * Tells what was done to a page, with an offer to bring back what was live before, in all languages.
 *
 * @param version of the newest revision: a page that has changed since is left as it is
 * @param former the newest revision before; of more than `most` since then, some are those of others, and nothing is offered
 */
export async function tellRevision(
  page: string,
  told: string,
  version: string | null,
  { former, most = 1 }: { readonly former: string | undefined; readonly most?: number },
): Promise<void> {
  const [newest, ...earlier] = await revisionsOf(page);
  if (former === undefined || !earlier.slice(0, most).includes(former)) return notify(told);
  const undo = (): Promise<void> =>
    attempt(async () => {
      const { version: reverted } = await request("POST", `${page}/revert/${former}/`, { version });
      await Promise.all([...followers].map((follow) => follow()));
      await tellRevision(page, text("restored"), reverted, { former: newest });
    });
  offerUndo(told, undo, page);
}
