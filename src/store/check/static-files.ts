/** Files of `static/` that are not published, as the build decides it. */
import type { Id } from "../../model/input/id.ts";
import type { Locales } from "../../model/language/locale.ts";
import { folded, nameError } from "../../model/address/possible-names.ts";
import type { Problem } from "../../model/text/problem.ts";
import {
  foldersOfPages,
  isPageInPlace,
  pageAddressOf,
  staticPathError,
  STATIC_DIR,
} from "../../model/address/static-file.ts";
import { trimEnd } from "../../model/text/trim.ts";
import { staticFiles } from "../content/public-files.ts";

/** A public page and its address. */
interface PageAddress {
  readonly page: { readonly id: Id };
  readonly path: string;
}

/** @param root of the site @param pages all that are public */
export async function staticProblems(
  root: string,
  locales: Locales,
  pages: readonly PageAddress[],
): Promise<Problem[]> {
  const files = await staticFiles(root);
  if (files.length === 0) return [];
  const byFolder = new Map(pages.map(({ page, path }) => [trimEnd(folded(path), "/"), page.id]));
  const folders = foldersOfPages(pages.map(({ path }) => path));
  return files.flatMap(({ path }): Problem[] => {
    const file = `${STATIC_DIR}/${path}`;
    const error = staticPathError(path, locales);
    if (error !== undefined)
      return [{ path: file, rule: "static-file" as const, message: `${error} The file is not published.` }];
    const unportable = path.split("/").map(nameError).find(Boolean);
    const name: Problem[] =
      unportable === undefined
        ? []
        : [{ path: file, rule: "static-file" as const, severity: "warning", message: unportable }];
    if (!isPageInPlace(path, folders)) return name;
    const address = trimEnd(folded(pageAddressOf(`/${path}`) ?? `/${path}`), "/");
    const page = byFolder.get(address) ?? [...byFolder].find(([each]) => each.startsWith(`${address}/`))?.[1];
    const message = `Page ${page} has its address${byFolder.has(address) ? "" : " or is below it"}: the file is not published.`;
    return [...name, { path: file, rule: "static-file" as const, severity: "warning", message }];
  });
}
