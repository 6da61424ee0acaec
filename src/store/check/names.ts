/** What records have from names and places: former permalinks, which hold until another page has them, and folders. */
import { isObject, type Json, type JsonObject } from "../../model/input/json.ts";
import { publicPath, type Locales } from "../../model/language/locale.ts";
import { permalinkNamed } from "../../model/address/permalink.ts";
import { nameOf, textOf, type Page } from "../../model/page/page.ts";
import type { Problem } from "../../model/text/problem.ts";
import { findPage } from "../content/indexes/pages-by-model.ts";
import { formerNamesOf } from "../content/names/resolved-record.ts";
import { mainFile } from "../content/ownership.ts";
import { PAGES } from "../records/pages.ts";
import { parentOfFolder, summaryOf, type Snapshot } from "../snapshot.ts";
import type { Finding } from "./finding.ts";

/** References by a permalink that a page had formerly. */
export function* nameFindings(content: Snapshot, locales: Locales): Generator<Finding> {
  for (const holder of content.names.values()) {
    for (const { field, name, id } of formerNamesOf(content, locales, holder)) {
      const page = findPage(content, id);
      const { lang } = permalinkNamed(locales, name);
      const permalink = page && textOf(page, lang).permalink;
      const now = permalink && publicPath(locales, lang, permalink, false);
      yield {
        kind: holder.kind,
        id: holder.id,
        path: [field],
        severity: "warning",
        message: `${name} is a former permalink of "${page ? nameOf(page, locales) : id}"${now ? `, which is at ${now}` : ""}.`,
        ...(now && { fix: (data) => withName(data, field, name, now) as JsonObject }),
      };
    }
  }
}

/** Data with another name in a field, or in lists and mappings in it. */
function withName(value: Json, field: string, from: string, to: string, isInside = false): Json {
  if (typeof value === "string") return isInside && value.trim() === from ? to : value;
  if (Array.isArray(value)) return value.map((item: Json) => withName(item, field, from, to, isInside));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    withName(inner, field, from, to, isInside || key === field),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

/** Parents that follow from the folder of a file, which is no problem. @returns the main file of each such page */
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
