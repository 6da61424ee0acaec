/** What records have from the place of their files: nothing is wrong with it, and it is not in the file. */
import type { Page } from "../../model/page/page.ts";
import type { Problem } from "../../model/text/problem.ts";
import { mainFile } from "../content/ownership.ts";
import { PAGES } from "../records/pages.ts";
import { parentOfFolder, summaryOf, type Snapshot } from "../snapshot.ts";

/** @returns the main file of each such record, with what it has */
export function takenByPlace(content: Snapshot): Problem[] {
  const { byBase, byId } = content.table(PAGES);
  return [...content.names.values()].flatMap(({ kind, source }) => {
    const own = kind === PAGES ? byBase.get(source.base) : undefined;
    const parent = own && parentOfFolder(byBase, own.base, summaryOf(own), PAGES.nesting!);
    const entry = parent === undefined ? undefined : byId.get(parent);
    if (!entry) return [];
    const { title } = Object.values((entry.record as Page).translations)[0] ?? {};
    const message = `parent_page: ${mainFile(entry)} ("${title ?? ""}"), which is beside the folder.`;
    return [{ path: mainFile(source), message }];
  });
}
