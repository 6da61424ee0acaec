/** The newest commits that changed content. */
import { contentPaths } from "../content/load.ts";
import type { LogEntry } from "../repo.ts";
import type { Store } from "../write/store.ts";

/** Newest first, at most `count`; reads no more of the history than that. */
export async function latestCommits({ repo, kinds, current }: Store, count: number): Promise<LogEntry[]> {
  const found: LogEntry[] = [];
  if (current.commit === null) return found;
  for await (const entry of repo.log(current.commit, null, contentPaths(kinds))) {
    if (entry.changed.size > 0) found.push(entry);
    if (found.length >= count) break;
  }
  return found;
}
