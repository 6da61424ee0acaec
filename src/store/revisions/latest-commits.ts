/** The newest commits that changed content. */
import { contentPaths, placeOf } from "../content/load.ts";
import type { LogEntry, Path } from "../repo.ts";
import type { Store } from "../write/store.ts";

/**
 * Newest first, at most `count`; reads no more of the history than that.
 *
 * @param isNarrow only commits all of whose files belong to records in `current`, among the newest ones: their subjects name
 *   what they changed
 */
export async function latestCommits(
  { repo, kinds, current }: Store,
  count: number,
  isNarrow = false,
): Promise<LogEntry[]> {
  const found: LogEntry[] = [];
  if (current.commit === null) return found;
  const isSeen = (path: Path): boolean => {
    const place = placeOf(kinds, path);
    return place !== undefined && current.table(place.kind).byBase.has(place.base);
  };
  let looked = 0;
  for await (const entry of repo.log(current.commit, null, contentPaths(kinds))) {
    if (entry.changed.size > 0 && (!isNarrow || [...entry.changed.keys()].every(isSeen))) found.push(entry);
    if (found.length >= count || (isNarrow && ++looked === LOOKED_MAX)) break;
  }
  return found;
}

const LOOKED_MAX = 500;
