/** All files of the search of a built site: those of its content, and the script that reads them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setup } from "../errors.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { PROGRAM_ROOT } from "../version.ts";
import { SEARCH_SCRIPT, searchFiles } from "../views/search/site-files.ts";
import type { View } from "../views/view.ts";

/**
 * Texts by path, as `search/en/pieces.json`; none where the setting `SITE_SEARCH` is off.
 *
 * @param view public
 * @throws CmsError `setup` when the program was not built
 */
export async function siteSearchFiles(
  view: View & { readonly content: Snapshot },
): Promise<ReadonlyMap<string, string>> {
  if (!view.config.SITE_SEARCH) return new Map();
  const [files, script] = await Promise.all([searchFiles(view), searchScript()]);
  return new Map([[SEARCH_SCRIPT, script], ...files]);
}

const searchScript = (): Promise<string> =>
  readFile(join(PROGRAM_ROOT, "bundle/cms-search.js"), "utf8").catch((error: unknown) => {
    throw setup("git-cms is not built yet: run `npm run build` in its folder.", error);
  });
